"""Intervals and comparisons of weighted AUC and Gini: against all pairs of rows, and as weights change."""

from __future__ import annotations

import math
import random
from statistics import NormalDist
from typing import Any

import pytest

import sqlmetrics as sm
from oracles.ends import Sample, of_share
from oracles.intervals import influences
from oracles.intervals_of_auc import logit_interval
from oracles.two_samples import by_t
from oracles.two_samples import difference as of_samples
from oracles.weighted_auc import auc, difference, pulls, sample, units, variance
from sqlmetrics.book.templates import macros
from support.compared import UNDEFINED, close
from support.engines import Engine

Rows = list[dict[str, Any]]
GROUPS = [None, "list"]
FACTS: dict[str, Any] = {"label": "label", "weight": "weight"}
NORMAL = NormalDist().inv_cdf(0.975)


def drawn(seed: int, rows: int = 70) -> Rows:
    """Rows of tied scores and unequal weights, also 0, in lists that lie in several slices."""
    draw = random.Random(seed)
    labels = [int(draw.random() < 0.4) for _ in range(rows)]
    return [
        {
            "label": label,
            "score": round(draw.gauss(label, 1), 1),
            "other": round(draw.gauss(label, 1), 1),
            "same": 0,
            "weight": draw.choice([0, 0.5, 1, 2, 3.3]),
            "equal": 1.0,
            "list": draw.randrange(9),
            "part": draw.choice("xy"),
        }
        for label in labels
    ]


def asked(engine: Engine, rows: Rows, **facts: Any) -> Rows:
    facts = {"score": "score", "interval": 0.95, **FACTS, **facts}
    return engine.query(sm.render("given", ["auc", "gini"], dialect=engine.dialect, **facts), {"given": rows})


def compared(engine: Engine, rows: Rows, candidate: str = "other", **facts: Any) -> Rows:
    facts = {**FACTS, **facts}
    sql = macros(engine.dialect).compare("given", ["auc", "gini"], "score", candidate, **facts)
    return engine.query(str(sql), {"given": rows})


def reach(of: Sample, group: str | None) -> float:
    """Of rows by the normal distribution, of lists by Student's t."""
    return NORMAL if group is None else float(pytest.importorskip("scipy.stats").t.ppf(0.975, of.units - 1))


def inside(rows: Rows) -> list[tuple[str | None, Rows]]:
    return [(part, [row for row in rows if part in (None, row["part"])]) for part in ("x", "y", None)]


@pytest.mark.parametrize("group", GROUPS)
def test_pulls_are_how_fast_the_value_changes(group: str | None) -> None:
    """The oracle beside the same rows with one weight changed."""
    rows = [row for row in drawn(1) if row["weight"]]
    names = range(len(rows)) if group is None else sorted({row[group] for row in rows})
    of = pulls(rows, group)
    for unit, moved in zip(names, influences(auc, rows, group), strict=True):
        assert of[1].get(unit, 0) + of[0].get(unit, 0) == pytest.approx(moved, rel=1e-8, abs=1e-11)


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize("score_levels", ["sorted", "counted"])
@pytest.mark.parametrize("group", GROUPS)
def test_intervals(group: str | None, score_levels: str, engine: Engine) -> None:
    rows = drawn(2)
    facts = {"group": group, "by": "part", "score_levels": score_levels}
    plain, logit = (asked(engine, rows, interval_method=method, **facts) for method in (None, "logit"))
    for row, other, (_, part) in zip(plain, logit, inside(rows), strict=True):
        of = sample(part, group)
        assert row["auc"] == pytest.approx(auc(part), rel=1e-12)
        low, high = of_share(*of, reach(of, group), NORMAL, (0, 1), by_units=False)
        close(row["auc_low"], low)
        close(row["auc_high"], high)
        close(row["gini_low"], 2 * low - 1)
        close(row["gini_high"], 2 * high - 1)
        spread = variance(pulls(part, group), part, group)
        for end, value in zip(
            ("low", "high"), logit_interval(of.value, spread, reach(of, group)), strict=True
        ):
            close(other[f"auc_{end}"], value)
    without_total = asked(engine, rows, **facts, total=False)
    assert [row["auc_low"] for row in without_total] == pytest.approx([row["auc_low"] for row in plain[:2]])


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_equal_weights_are_none(group: str | None, engine: Engine) -> None:
    """Also where no row is in the wrong order, where all are tied, and where a class has one row."""
    for rows in (
        drawn(3),
        [{**row, "score": row["label"]} for row in drawn(4)],
        [{**row, "score": 1} for row in drawn(5)],
        [{**row, "label": int(i == 3)} for i, row in enumerate(drawn(6))],
    ):
        for facts in ({"by": "part"}, {"interval_method": "logit"}):
            weighted = asked(engine, rows, group=group, **{**facts, "weight": "equal"})
            plain = asked(engine, rows, group=group, **{**facts, "weight": None})
            for row, other in zip(weighted, plain, strict=True):
                for name, value in other.items():
                    if isinstance(value, float):
                        assert row[name] == pytest.approx(value, rel=1e-12, abs=1e-12), name
                    else:
                        assert row[name] == value, name
    rows = drawn(7)
    weighted, plain = (compared(engine, rows, group=group, weight=weight) for weight in ("equal", None))
    for row, other in zip(weighted, plain, strict=True):
        for name in ("difference", *UNDEFINED, "n_pairs"):
            close(row[name], other[name])


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_comparisons(group: str | None, engine: Engine) -> None:
    rows = drawn(8)
    got = compared(engine, rows, group=group, by=["part"])
    for number, (_, part) in enumerate(inside(rows)):
        ahead, spread = difference(part, "score", "other", group)
        df = min(units(part, group, label) for label in (1, 0)) - 1
        for row, width in zip(got[2 * number : 2 * number + 2], (1, 2), strict=True):
            close(row["difference"], width * ahead)
            expected = by_t(width * ahead, width * math.sqrt(spread), df, width)
            for name, value in expected._asdict().items():
                close(row[name], value)
            assert row["test"] == "delong"
            counted = [row for row in part if row["weight"]]
            assert row["n_pairs"] == len(counted if group is None else {row["list"] for row in counted})
    alike = compared(engine, [{**row, "same": 3 * row["score"] - 1} for row in rows], "same", group=group)
    for row in alike:
        assert [row[name] for name in ("difference", *UNDEFINED)] == [0, *[None] * 5]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_two_samples(group: str | None, engine: Engine) -> None:
    one, two = drawn(9), drawn(10, 50)
    facts = {**FACTS, "other": "two", "paired": False, "group": group}
    sql = macros(engine.dialect).compare("one", ["auc"], "score", "score", **facts)
    [row] = engine.query(str(sql), {"one": one, "two": two})
    expected = of_samples(sample(one, group), sample(two, group), (0, 1), by_units=False)
    for name, value in expected._asdict().items():
        close(row[name], value)


@pytest.mark.slow
def test_slices_by_weights() -> None:
    """A row of weight 2 is one row for the test, but counts twice in the value."""
    draw = random.Random(11)
    rows = []
    for _ in range(2400):
        label, part = int(draw.random() < 0.4), draw.choice("xyz")
        score = draw.gauss(label * (0.2 if part == "x" else 2), 1)
        rows.append(
            {
                "label": label,
                "score": score,
                "weight": draw.lognormvariate(0, 0.5),
                "equal": 1.0,
                "part": part,
            }
        )
    facts: dict[str, Any] = {"label": "label", "score": "score", "by": "part"}
    weighted = sm.find_slices(rows, "auc", weight="weight", **facts).to_dicts()
    assert next(row["part"] for row in weighted if row["confirmed"]) == "x"
    equal, plain = (
        sm.find_slices(rows, "auc", weight=weight, **facts).to_dicts() for weight in ("equal", None)
    )
    for row, other in zip(equal, plain, strict=True):
        for name, value in other.items():
            assert row[name] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value), name
