"""Bands of curves (`interval=`, `band=`): plain Python on every engine, scipy, and what no band may be."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import numpy
import pyarrow
import pytest
from scipy.stats import binomtest

import sqlmetrics as sm
from conformance.cases.tables import TIED, UNTIED, drawn, weighted
from oracles import calibration_error, curve_bands
from oracles.observations import Observation
from support.engines import Engine
from support.peers import as_rows, random_rows
from support.seeds import seeds

Rows = list[dict[str, Any]]
ROLES = {"label": "label", "score": "score"}
BANDS = {
    "roc": ("tpr",),
    "precision_recall": ("precision", "recall"),
    "calibration(bins=4)": ("positive_rate",),
    "calibration(bins=3, equal=count)": ("positive_rate",),
}
TABLES: dict[str, tuple[Rows, dict[str, Any]]] = {
    "untied": (UNTIED, {}),
    "tied": (TIED, {}),
    "one class": ([{**row, "label": 1} for row in UNTIED], {}),
    "nothing positive": ([{**row, "label": 0} for row in TIED], {}),
    "one row": (UNTIED[:1], {}),
    "all tied": ([{**row, "score": 0.5} for row in TIED], {}),
    "perfect": ([{**row, "score": 0.5 + 0.01 * i + 0.3 * row["label"]} for i, row in enumerate(UNTIED)], {}),
    "weights": (weighted(TIED), {"weight": "w"}),
    "weights of tenths, positive rows last": (
        [{"label": int(i >= 7), "score": 1 - i / 20, "w": (1 + i % 3) / 10} for i in range(13)], {"weight": "w"},
    ),
    "slices and weights": (
        [{**row, "part": i % 2} for i, row in enumerate(weighted(TIED))], {"by": "part", "weight": "w"},
    ),
    "slices": ([{**row, "part": i % 3 or None} for i, row in enumerate(TIED)], {"by": "part"}),
    "drawn": ([{**row, "label": row["label"] > 0} for row in drawn(3, 9)], {}),
}  # fmt: skip
TABLES["perfect"] = ([{**row, "score": min(row["score"], 1.0)} for row in TABLES["perfect"][0]], {})


def expected(kind: str, rows: Rows, weight: str | None, level: float, band: str) -> list[list[float | None]]:
    """The ends at each point."""
    seen = [
        Observation(bool(row["label"]), row["label"], row["score"], row[weight] if weight else 1)
        for row in rows
    ]
    seen, at_once = [row for row in seen if row.weight], band == "simultaneous"
    if kind == "roc":
        return [list(ends) for ends in curve_bands.roc(seen, level, at_once)]
    if kind == "precision_recall":
        return [
            [*precision, *recall] for precision, recall in curve_bands.precision_recall(seen, level, at_once)
        ]
    bins, equal = (4, "width") if "bins=4" in kind else (3, "count")
    parts = calibration_error.bins_of(seen, bins, equal)
    return [list(ends) for ends in curve_bands.calibration(parts, bins, level, at_once)]


def ends_of(kind: str, point: dict[str, Any]) -> list[Any]:
    return [point[f"{name}_{end}"] for name in BANDS[kind] for end in ("low", "high")]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("kind", BANDS)
def test_bands(kind: str, band: str, table: str, engine: Engine) -> None:
    rows, facts = TABLES[table]
    statement = sm.render_curve(
        "predictions", kind, dialect=engine.dialect, interval=0.9, band=band, **ROLES, **facts
    )
    found = engine.query(statement, {"predictions": rows})
    by = facts.get("by")
    parts = [(part, False) for part in dict.fromkeys(row[by] for row in rows)] if by else []
    for part, total in [*parts, (None, True)]:
        mine = [
            point for point in found
            if not by or (bool(point["is_total"]) == total and (total or point[by] == part))
        ]  # fmt: skip
        of_part = [row for row in rows if total or row[by] == part]
        assert [ends_of(kind, point) for point in mine] == [
            [end if end is None else pytest.approx(end, rel=1e-9, abs=1e-12) for end in ends]
            for ends in expected(kind, of_part, facts.get("weight"), 0.9, band)
        ]


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("kind", ["roc", "precision_recall"])
@pytest.mark.parametrize("seed", seeds(2, 20))
def test_points_that_are_left_have_the_bands_of_the_whole_curve(
    kind: str, band: str, weight: str | None, seed: int
) -> None:
    rows = as_rows(random_rows(seed))
    asked = {"interval": 0.95, "band": band, "weight": weight, **ROLES}
    every = {point["threshold"]: point for point in sm.curve(rows, kind, **asked).to_dicts()}
    for fewer in ("points=9", *(["points=corners"] if kind == "roc" else [])):
        for point in sm.curve(rows, f"{kind}({fewer})", **asked).to_dicts():
            for name, value in every[point["threshold"]].items():
                assert point[name] == (
                    value if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)
                ), name


@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("kind", BANDS)
@pytest.mark.parametrize("seed", seeds(3, 30))
def test_a_band_has_width_and_holds_its_curve_within_the_unit(kind: str, band: str, seed: int) -> None:
    rows = as_rows(random_rows(seed))
    for row in rows:
        row["score"] = 1 / (1 + math.exp(-row["score"]))
    for point in sm.curve(rows, kind, interval=0.95, band=band, **ROLES).to_dicts():
        for name in BANDS[kind]:
            low, value, high = (point[column] for column in (f"{name}_low", name, f"{name}_high"))
            if low is not None:
                assert 0 <= low <= value <= high <= 1, (name, point)
                assert high - low > 0.01, (name, point)


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_precision_and_recall_against_scipy(seed: int) -> None:
    rows = as_rows(random_rows(seed))
    positives = sum(row["label"] for row in rows)
    if not positives:
        pytest.skip("nothing positive")
    levels = len({row["score"] for row in rows})
    for band, method, level in (
        ("pointwise", "wilson", 0.95),
        ("simultaneous", "wilsoncc", 1 - (1 - 0.95) / 2 / levels),
    ):
        for point in sm.curve(rows, "precision_recall", interval=0.95, band=band, **ROLES).to_dicts():
            predicted = [row for row in rows if row["score"] >= point["threshold"]]
            hits = int(sum(row["label"] for row in predicted))
            ends = binomtest(hits, len(predicted)).proportion_ci(level, method)
            assert (point["precision_low"], point["precision_high"]) == pytest.approx(
                (ends.low, ends.high), abs=1e-9
            )
            if band == "pointwise":
                ends = binomtest(hits, int(positives)).proportion_ci(level, method)
                assert (point["recall_low"], point["recall_high"]) == pytest.approx(
                    (ends.low, ends.high), abs=1e-9
                )


@pytest.mark.slow
@pytest.mark.parametrize("kind", BANDS)
def test_equal_weights_change_nothing(kind: str) -> None:
    rows = [{**row, "w": 3.0} for row in UNTIED]
    for band in ("pointwise", "simultaneous"):
        asked = {"interval": 0.95, "band": band, **ROLES}
        plain, heavy = (sm.curve(rows, kind, weight=weight, **asked).to_dicts() for weight in (None, "w"))
        assert [ends_of(kind, point) for point in heavy] == [
            pytest.approx(ends_of(kind, point), rel=1e-12) for point in plain
        ]


@pytest.mark.slow
def test_models_slices_and_total() -> None:
    rows = [{**row, "other": 1 - row["score"], "part": i % 2} for i, row in enumerate(UNTIED)]
    found = sm.curve(rows, "roc", label="label", score={"a": "score", "b": "other"}, by="part", interval=0.95)
    assert found.columns == ["part", "is_total", "model", "threshold", "fpr", "tpr", "tpr_low", "tpr_high"]
    for (part, total, model), points in groupby(
        found.to_dicts(), lambda point: (point["part"], point["is_total"], point["model"])
    ):
        mine = [row for row in rows if total or row["part"] == part]
        alone = sm.curve(mine, "roc", label="label", score={"a": "score", "b": "other"}[model], interval=0.95)
        assert [{**dict.fromkeys(alone.columns), **point}["tpr_low"] for point in points] == [
            pytest.approx(point["tpr_low"]) for point in alone.to_dicts()
        ]


@pytest.mark.slow
def test_calibration_has_its_interval_without_a_band() -> None:
    def ends(kind: str, **asked: Any) -> list[Any]:
        return [
            ends_of("calibration(bins=4)", point)
            for point in sm.curve(UNTIED, kind, **ROLES, **asked).to_dicts()
        ]

    assert ends("calibration(bins=4)") == ends("calibration(bins=4, interval=0.95)")
    assert ends("calibration(bins=4)", interval=0.8) == ends("calibration(bins=4, interval=0.8)")
    assert ends("calibration(bins=4, interval=0.8)", interval=0.8) == ends(
        "calibration(bins=4, interval=0.8)"
    )


def test_det_has_the_band_of_roc() -> None:
    asked = {"label": "label", "score": "score", "interval": 0.9}
    rows = [{"label": i % 2, "score": (i * 7 % 13) / 13} for i in range(60)]
    upper, lower = (sm.curve(rows, kind, **asked).to_dicts() for kind in ("roc", "det"))
    for roc, det in zip(upper, lower, strict=True):
        assert (det["threshold"], det["fpr"]) == (roc["threshold"], roc["fpr"])
        assert (det["fnr_low"], det["fnr_high"]) == pytest.approx((1 - roc["tpr_high"], 1 - roc["tpr_low"]))


@pytest.mark.parametrize(
    ("kind", "asked", "message"),
    [
        ("roc", {"band": "simultaneous"}, "band='simultaneous' needs interval=, the confidence level, such as 0.95"),
        ("roc", {"interval": 0.95, "band": "wide"}, "band must be one of none, pointwise, simultaneous, got wide"),
        ("roc", {"interval": 95}, "interval must be a number from 0.000001 to 0.999999, such as 0.95, got 95"),
        *(
            (kind, {"interval": 0.95}, "precision_recall and calibration; leave it out for " + kind[:4])
            for kind in ("gain", "net_benefit", "qini(treatment=treated)")
        ),
        (
            "calibration(interval=0.8)",
            {"interval": 0.9},
            "calibration(interval=0.8): interval=0.8 is not the interval=0.9 of the call; leave one of them out",
        ),
        ("roc", {"interval": 0.95, "by": "tpr_low"}, "Two result columns would be named 'tpr_low'"),
    ],
)  # fmt: skip
def test_mistakes(kind: str, asked: dict[str, Any], message: str) -> None:
    rows = [{**row, "treated": i % 2, "tpr_low": 1} for i, row in enumerate(UNTIED)]
    with pytest.raises(sm.SqlMetricsError) as error:
        sm.curve(rows, kind, **ROLES, **asked)
    assert message in str(error.value)


def samples(draws: int, rows: int, share: float, apart: float, seed: int) -> pyarrow.Table:
    """Draws of normal scores, those of positive rows a number of standard deviations higher."""
    random = numpy.random.default_rng(seed)
    labels = (random.random(draws * rows) < share).astype(int)
    scores = random.normal(size=draws * rows) + apart * labels
    return pyarrow.table({"draw": numpy.repeat(numpy.arange(draws), rows), "label": labels, "score": scores})


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "share", "apart"), [(80, 0.3, 1.19), (80, 0.08, 3.0), (400, 0.08, 3.0)])
def test_coverage(rows: int, share: float, apart: float) -> None:
    """Pointwise 93 to 99 % of draws hold the true curve in a point, simultaneously at least 95 % in all points."""
    from scipy.stats import norm

    draws, data = 400, samples(400, rows, share, apart, seed=3)
    asked = {"by": "draw", "total": False, "interval": 0.95, **ROLES}

    def held(kind: str, band: str, true: Any, low: str, point: Any = None) -> float:
        table = sm.curve(data, kind, band=band, **asked).to_arrow()
        columns = {name: table.column(name).to_numpy() for name in table.column_names}
        columns["threshold"] = numpy.nan_to_num(columns["threshold"], nan=numpy.inf)
        truth = true(columns)
        holds = (columns[f"{low}_low"] <= truth + 1e-12) & (truth <= columns[f"{low}_high"] + 1e-12)
        known = ~numpy.isnan(columns[f"{low}_low"])
        place = known if point is None else known & point(columns)
        return sum(
            bool(holds[place & (columns["draw"] == draw)].all()) for draw in range(draws)
        ) / draws  # fmt: skip

    def tpr(columns: Any) -> Any:
        return norm.sf(norm.isf(columns["fpr"]) - apart)

    def precision(columns: Any) -> Any:
        found, alarms = (
            share * norm.sf(columns["threshold"] - apart),
            (1 - share) * norm.sf(columns["threshold"]),
        )
        return found / (found + alarms)

    def last_before(columns: Any) -> Any:
        """The last point of each draw at a false positive rate of at most 0.2."""
        before = columns["fpr"] <= 0.2
        return before & ~numpy.append(before[1:] & (columns["draw"][1:] == columns["draw"][:-1]), False)

    assert 0.93 <= held("roc", "pointwise", tpr, "tpr", last_before) <= 0.99
    assert held("roc", "simultaneous", tpr, "tpr") >= 0.95
    assert held("precision_recall", "simultaneous", precision, "precision") >= 0.95
