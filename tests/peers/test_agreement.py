"""Agreement of raters beside the packages `krippendorff` and `irrCAC`."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

import sqlmetrics as sm
from support.seeds import seeds

SEEDS = seeds(3)
RATERS = ["a", "b", "c", "d", "e"]
Rows = list[dict[str, Any]]


def drawn(seed: int, least: int, items: int = 40) -> Rows:
    """A wide table of ratings from 1 to 6, some of them missing; each item has so many ratings at least."""
    draw, rows = random.Random(seed), []
    for _ in range(items):
        truth, first = draw.randint(1, 6), draw.sample(RATERS, least)
        rows.append(
            {
                rater: min(6, max(1, truth + draw.choice([0, 0, 0, 1, -1, 2]))) if draw.random() < 0.7 or rater in first
                else None
                for rater in RATERS
            }
        )  # fmt: skip
    return rows


@pytest.mark.parametrize("seed", SEEDS)
def test_krippendorff(seed: int) -> None:
    peer = pytest.importorskip("krippendorff", reason="no krippendorff, which computes alpha")
    levels = ("nominal", "ordinal", "interval", "ratio")
    rows = drawn(seed, least=1)
    found = sm.agreement(rows, [f"krippendorff(level={level})" for level in levels], raters=RATERS)
    table = [[float("nan") if row[rater] is None else row[rater] for row in rows] for rater in RATERS]
    for row, level in zip(found, levels, strict=True):
        assert row["value"] == pytest.approx(peer.alpha(table, level_of_measurement=level), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_irrcac(seed: int) -> None:
    """Values, and where each item has two ratings standard errors; alpha's is by another approximation there."""
    peer = pytest.importorskip("irrCAC.raw", reason="no irrCAC, which computes coefficients of agreement")
    pandas = pytest.importorskip("pandas")
    stats = pytest.importorskip("scipy.stats")
    names = ("identity", "ordinal", "linear", "quadratic")
    least = 1 + seed % 2
    rows = drawn(seed, least)
    ours = sm.agreement(
        rows,
        ["krippendorff", "fleiss", "percent", *(f"gwet(weights={name})" for name in names)],
        raters=RATERS,
    )
    found = {row["measure"]: row for row in ours}
    frame = pandas.DataFrame(rows, columns=RATERS, dtype=float)
    # it finds them by itself, but with NaN among them if pandas is new
    values = sorted({stars for row in rows for stars in row.values() if stars is not None})
    reach = 2 * stats.t.ppf(0.975, len(rows) - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            theirs = peer.CAC(frame, weights=name, categories=values, digits=14)
            wanted = {f"gwet(weights={name})": theirs.gwet()["est"]}
            if name == "identity":
                wanted |= {"fleiss": theirs.fleiss()["est"], "krippendorff": theirs.krippendorff()["est"]}
                assert found["percent"]["value"] == pytest.approx(wanted["fleiss"]["pa"], abs=1e-9)
            for measure, estimate in wanted.items():
                row = found[measure]
                assert row["value"] == pytest.approx(estimate["coefficient_value"], abs=1e-9)
                if least == 2 and measure != "krippendorff":
                    assert row["high"] - row["low"] == pytest.approx(reach * estimate["se"], rel=1e-9)
