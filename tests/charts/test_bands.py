"""Ribbons of curves: the ends of the table, the region of a precision-recall curve, and what is said of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm

ROWS = [
    {
        "y": int(i * 7 % 5 < 2),
        **{f"m{k}": (i * (13 + 2 * k) % 29) / 29 + k * (i * 7 % 5 < 2) / 8 for k in range(8)},
    }
    for i in range(120)
]
MODELS = {f"model {k}": f"m{k}" for k in range(8)}


def curved(kind: str, score: Any = "m2", interval: float | None = 0.95, **asked: Any) -> sm.Curve:
    return sm.curve(ROWS, kind, label="y", score=score, interval=interval, **asked)


def ribbons(curve: sm.Curve) -> list[dict[str, Any]]:
    return [layer for layer in curve.plot().spec["layer"] if layer["mark"]["type"] == "area"]


@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
def test_the_ribbon_of_a_roc_curve_has_the_ends_of_the_table(band: Any) -> None:
    curve = curved("roc", MODELS, band=band)
    [ribbon] = ribbons(curve)
    values = ribbon["data"]["values"]
    assert [(row["model"].split(" (")[0], row["x"], row["low"], row["high"]) for row in values] == [
        (row["model"], row["fpr"], row["tpr_low"], row["tpr_high"]) for row in curve
    ]


@pytest.mark.parametrize("band", ["pointwise", "simultaneous"])
def test_the_region_of_precision_and_recall_holds_the_rectangle_of_each_threshold(band: Any) -> None:
    curve = curved("precision_recall", band=band)
    [ribbon] = ribbons(curve)
    expected = []
    for strip in range(201):
        x = strip / 200
        there = [point for point in curve if point["recall_low"] <= x <= point["recall_high"]]
        if there:  # left of the first threshold no recall is likely
            low, high = (
                min(row["precision_low"] for row in there),
                max(row["precision_high"] for row in there),
            )
            expected.append((x, low, high))
    assert [(row["x"], row["low"], row["high"]) for row in ribbon["data"]["values"]] == expected
    assert len(expected) > 190


@pytest.mark.slow
def test_ribbons_lie_behind_the_lines_and_are_fainter_of_many_models() -> None:
    for kind in ("roc", "precision_recall"):
        layers = curved(kind, MODELS).plot().spec["layer"]
        assert [layer["mark"]["type"] for layer in layers][-2:] == ["area", "line"]
    opacities = [
        ribbons(curved("roc", dict(list(MODELS.items())[:n])))[0]["mark"]["opacity"] for n in (1, 2, 8)
    ]
    assert opacities == sorted(opacities, reverse=True)
    assert opacities[-1] * 8 < 0.6


def test_a_curve_without_a_band_has_no_ribbon() -> None:
    for kind in ("roc", "precision_recall"):
        plain = curved(kind, interval=None)
        assert not ribbons(plain)
        assert plain.band == ""
        assert "band" not in plain.plot().spec["title"]["subtitle"]


@pytest.mark.slow
def test_one_class_has_no_ribbon() -> None:
    rows = [{**row, "y": 1} for row in ROWS]
    curve = sm.curve(rows, "roc", label="y", score="m2", interval=0.95)
    assert not ribbons(curve)
    assert curve.plot().svg()


def test_chart_says_which_band_it_shows() -> None:
    chart = curved("roc(points=50)", interval=0.9, band="simultaneous").plot()
    assert chart.spec["title"]["subtitle"] == "90 % band, simultaneous"
    assert chart.description.startswith("ROC curve: true positive rate 0.")
    assert "[0.0000, " in chart.description
    of_bins = curved("calibration", "m0").plot().spec["title"]["subtitle"]
    assert re.fullmatch(r"ECE 0\.\d+; 95 % band, pointwise", of_bins)
