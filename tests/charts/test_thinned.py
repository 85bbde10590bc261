"""Curves of very many points: those that are drawn make the same picture."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy
import pyarrow
import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import curves
from sqlmetrics.charts.curves import AXES
from sqlmetrics.charts.thinned import MOST_POINTS, STRIPS, thinned
from support.lines import Line, farthest_beside

Rows = list[dict[str, Any]]
MANY = 6000


def scored(shape: str) -> Rows:
    """Rows whose curves are smooth, jump at once, or are long stairs."""
    draw = numpy.random.default_rng(7)
    labels = draw.random(MANY) < 0.3
    scores = labels * 0.5 + 0.5 * draw.random(MANY) if shape == "jump" else (labels + draw.normal(size=MANY))
    if shape == "stairs":
        labels = numpy.repeat(draw.random(60) < 0.5, MANY // 60)
        scores = -numpy.arange(MANY) / MANY
    weights = draw.integers(0, 3, MANY)
    weights[numpy.argsort(-scores)[:40]] = 0  # where precision is 0/0
    columns = (labels, scores, 1 / (1 + numpy.exp(-scores)), weights, draw.random(MANY) < 0.5)
    return [
        {"y": int(y), "p": float(p), "share": float(share), "w": float(w), "treated": int(treated)}
        for y, p, share, w, treated in zip(*columns, strict=True)
    ]


def drawn(curve: sm.Curve) -> dict[str, Rows]:
    """The points of each line of the chart."""
    panels = curve.plot().spec.get("concat") or [curve.plot().spec]
    found: dict[str, Rows] = {}
    for panel in panels:
        for row in panel.get("vconcat", [panel])[0]["data"]["values"]:
            model = row["model"].split(" (")[0]  # the number behind it is that of the whole curve
            found.setdefault(f"{panel['title']['text']} {model}", []).append({**row, "model": model})
    return found


def as_line(points: list[tuple[float, float]], kind: str) -> Line:
    """The line through points as it is drawn: precision in steps."""
    if not kind.startswith("precision"):
        return points
    return [points[0], *(step for one, two in pairwise(points) for step in ((one[0], two[1]), two))]


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["smooth", "jump", "stairs"])
@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        ("roc", None), ("roc", "w"), ("precision_recall", None), ("precision_recall", "w"),
        ("qini(treatment=treated)", None), ("gain(quantiles=2500)", None), ("net_benefit(steps=2500)", None),
    ],
)  # fmt: skip
def test_no_point_is_farther_beside_the_drawn_line_than_a_strip(
    kind: str, weight: str | None, shape: str
) -> None:
    name = kind.partition("(")[0]
    x, y = AXES[name]
    score = "share" if name == "net_benefit" else "p"
    curve = sm.curve(scored(shape), kind, label="y", score=score, weight=weight)
    whole = [(row[x], row[y]) for row in curve if row[y] is not None]
    assert len(curve) > MOST_POINTS
    [points] = drawn(curve).values()
    begins = name in ("precision_recall", "gain")  # at a point that the table lacks
    kept = [(row["x"], row["y"]) for row in points[begins:] if row["y"] is not None]
    assert len(points) <= MOST_POINTS + 1
    assert (kept[-1], min(y for _, y in kept), max(y for _, y in kept)) == (
        whole[-1],
        min(y for _, y in whole),
        max(y for _, y in whole),
    )
    scale = max(abs(y) for _, y in whole)
    lines = [as_line([(x, y / scale) for x, y in one], kind) for one in (whole, kept)]
    for one, other in (lines, lines[::-1]):
        assert farthest_beside(one, other) <= (1 + 1e-9) / STRIPS


@pytest.mark.slow
def test_each_curve_of_slices_and_models_is_thinned_by_itself() -> None:
    rows = [{**row, "q": -row["p"], "slice": i < 5000} for i, row in enumerate(scored("smooth"))]
    facts: dict[str, Any] = {"label": "y", "score": {"one": "p", "other": "q"}}
    found = drawn(sm.curve(rows, "roc", **facts, by="slice"))
    assert len(found) == 6
    whole = [row for row in rows if row["slice"]]
    assert found["true other"] == drawn(sm.curve(whole, "roc", **facts))["ROC curve other"]


def test_points_without_a_height_hide_no_extreme() -> None:
    heights = [None, 0.5, 0.9, None, 0.1, 0.5, None]
    table = pyarrow.table({"x": [0.0] * len(heights), "y": heights})
    assert thinned(table, [], "x", "y")["y"].to_pylist() == [None, 0.9, 0.1, None]


def test_a_curve_that_a_picture_shows_is_drawn_whole() -> None:
    rows = scored("smooth")[: MOST_POINTS - 1]
    curve = sm.curve(rows, "roc", label="y", score="p")
    [points] = drawn(curve).values()
    assert len(points) == len(curve) == MOST_POINTS


def test_a_curve_of_one_class_is_drawn() -> None:
    rows = [{**row, "y": 1} for row in scored("smooth")]
    assert sm.curve(rows, "roc", label="y", score="p").plot().title == "ROC curve"


def test_bins_are_not_thinned() -> None:
    assert {*AXES} == {*curves()} - {"calibration", "residuals"}
    with pytest.raises(
        sm.SqlMetricsError, match=r"3,200 bins .* ask for at most 2,000: curve\(data, 'calibration\("
    ):
        sm.curve(scored("smooth"), "calibration(bins=5000)", label="y", score="share").plot()
