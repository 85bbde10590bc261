"""Charts: their numbers are those of the result, hostile names are text, and pictures are drawn without a warning."""

from __future__ import annotations

import datetime
import json
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname
from xml.etree import ElementTree

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import curves
from sqlmetrics.charts.chart import MIME, VERSION
from sqlmetrics.charts.curves import CHARTS
from sqlmetrics.charts.themes import INKS, PALETTE

Rows = list[dict[str, Any]]
HOSTILE = [
    "<script>alert(1)</script>", "a.b[0]", "\"quoted\" 'too'", "x" * 300, "שלום", "😀", "datum", "{{x}}", "\\", "",
    None, "two\nlines", "all", "datum['value']", "id=\"x\" url(#x)", "\uffff",
]  # fmt: skip
ROWS: Rows = [
    {
        "y": int(i * 7 % 5 < 2), "p": (i * 13 % 29) / 29, "q": (i * 17 % 31) / 31, "g": i // 6, "i": i % 6,
        "datum": HOSTILE[i % 16], "a.b[0]": HOSTILE[i // 16 % 16], "half": "ab"[i % 2],
        "day": datetime.date(2026, 5, 1 + i % 4), "text_day": f"2026-05-0{1 + i % 4}", "week": i % 3,
        "class": "xyz"[i % 3], "guess": "xyzv"[i // 2 % 4], "treated": i // 3 % 2,
    }
    for i in range(480)
]  # fmt: skip
TWO = {"<script>": "p", 'b.c["': "q"}


def evaluated(metrics: Any, score: Any = "p", **facts: Any) -> sm.Report:
    return sm.evaluate(ROWS, metrics, label="y", score=score, **facts)


def curved(kind: str, score: Any = "p", **facts: Any) -> sm.Curve:
    return sm.curve(ROWS, kind, label="y", score=score, **facts)


def compared(**facts: Any) -> sm.Comparison:
    return sm.compare(ROWS, "brier", label="y", baseline="p", candidate={"q'": "q"}, **facts)


def searched(metrics: Any, by: Any, **facts: Any) -> sm.Slices:
    return sm.find_slices(ROWS, metrics, by=by, label="y", score="p", **facts)


def changed(by: Any = "datum", base: Any = "midpoint") -> sm.Change:
    asked = {"period": "week", "before": 0, "after": 2, "base": base}
    return sm.explain_change(ROWS, "brier", by=by, label="y", score="p", **asked)


def lists(score: Any) -> sm.ListReport:
    return sm.per_group(ROWS, "ndcg@3", label="y", score=score, group="g")


def state() -> sm.State:
    return sm.state(ROWS, ["brier"], period="week", label="y", score="p")


#: A chart of each kind, with one model and with two, by slices of hostile names.
KINDS: dict[str, Callable[[], Any]] = {
    "totals": lambda: evaluated(["auc", "brier", "precision"], TWO, interval=0.9),
    "dots": lambda: evaluated({"<b>": "auc", "brier": "brier"}, by="datum", interval=0.9),
    "dots of models": lambda: evaluated("auc", TWO, by="datum"),
    "heat map": lambda: evaluated("brier", by=["datum", "a.b[0]"]),
    "heat maps of models": lambda: evaluated("brier", TWO, by=["half", "week"]),
    "trend": lambda: evaluated("brier", by="day", interval=0.9),
    "trends of models and slices": lambda: evaluated("brier", TWO, by=["half", "text_day"]),
    "trend of a state": lambda: sm.finish(state(), "brier", by="week"),
    "cutoffs": lambda: evaluated(["ndcg@1", "ndcg@3"], TWO, group="g", interval=0.9),
    "roc": lambda: curved("roc(points=40)", TWO, by="datum"),
    "precision and recall": lambda: curved("precision_recall(points=40)", TWO),
    "a band of roc": lambda: curved("roc", TWO, by="half", interval=0.95),
    "bands of precision and recall": lambda: curved("precision_recall", interval=0.9, band="simultaneous"),
    "gain": lambda: curved("gain"),
    "net benefit": lambda: curved("net_benefit(steps=20)", TWO),
    "qini": lambda: curved("qini(treatment=treated)"),
    "calibration": lambda: curved("calibration(bins=4)", TWO, by="half"),
    "forest": lambda: compared(by="datum"),
    "slices found": lambda: searched(["brier", "log_loss"], ["datum", "a.b[0]"], min_units=4),
    "waterfall": changed,
    "waterfall of three parts": lambda: changed(["half", "a.b[0]"], "before"),
    "lists": lambda: lists("p"),
    "lists of two models": lambda: lists(TWO),
    "confusion matrix": lambda: sm.confusion_matrix(ROWS, label="class", prediction="guess", by="half"),
    "classes": lambda: sm.class_report(ROWS, label="class", prediction="guess"),
}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {kind: make() for kind, make in KINDS.items()}


def parts(spec: Any) -> Iterator[dict[str, Any]]:
    """All dicts of a specification but for its rows."""
    if isinstance(spec, list):
        for one in spec:
            yield from parts(one)
    elif isinstance(spec, dict):
        yield spec
        for name, one in spec.items():
            if name != "values":
                yield from parts(one)


def rows(spec: Any) -> Rows:
    """The rows of all data of a specification."""
    return [
        row for part in parts(spec) if isinstance(part.get("data"), dict) for row in part["data"]["values"]
    ]


def panel(chart: sm.Chart, title: str) -> dict[str, Any]:
    """The panel with a title."""
    return next(part for part in chart.spec["concat"] if part["title"]["text"] == title)


# --- the numbers


def test_dots_are_the_slices_worst_first_with_intervals_and_the_total() -> None:
    report = evaluated(["auc", "brier"], by="half", interval=0.9)
    chart = report.plot()
    for name, worst_first in (("auc", lambda value: value), ("brier", lambda value: -value)):
        found = panel(chart, name)
        expected = sorted(
            (row for row in report if not row["is_total"]), key=lambda row: worst_first(row[name])
        )
        assert [(row["slice"], row["value"], row["low"], row["high"]) for row in found["data"]["values"]] == [
            (row["half"], row[name], row[f"{name}_low"], row[f"{name}_high"]) for row in expected
        ]
        [rule] = found["layer"][0]["data"]["values"]
        assert rule["value"] == report.value(name)
    assert panel(chart, "brier")["title"]["subtitle"].endswith("lower is better")
    assert f"all {report.value('auc'):.4f} [" in chart.description


@pytest.mark.slow
@pytest.mark.parametrize("metrics", [["auc"], ["ndcg@1", "ndcg@2"]])
def test_an_axis_of_one_value_is_labelled_around_it(metrics: list[str]) -> None:
    rows = [{"y": i % 2, "p": 0.4 + 0.1 * (i % 2), "g": i // 2} for i in range(8)]
    report = sm.evaluate(rows, metrics, label="y", score="p", group="g")
    picture = ElementTree.fromstring(report.plot().svg())
    texts = [text.text or "" for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"0.90", "1.00", "1.10"} <= {*texts}


def test_a_line_of_one_value_is_labelled_around_it() -> None:
    rows = [{"y": i % 2, "p": i % 2, "day": datetime.date(2026, 5, 1 + i // 2)} for i in range(8)]
    report = sm.evaluate(rows, "auc", label="y", score="p", by="day")
    assert report.plot().spec["layer"][-1]["encoding"]["y"]["scale"]["domain"] == [0.9, 1.1]


def test_two_columns_of_slices_make_a_heat_map() -> None:
    report = evaluated("brier", TWO, by=["half", "week"])
    chart = report.plot()
    for model in TWO:
        cells = rows(panel(chart, f"brier · {model}")["layer"][1])
        assert {(row["y"], row["x"], row["value"]) for row in cells} == {
            (row["half"], str(row["week"]), row["brier"])
            for row in report
            if not row["is_total"] and row["model"] == model
        }
    domains = [
        part["scale"]["domain"]
        for part in parts(chart.spec)
        if (part.get("scale") or {}).get("range") == "heatmap"
    ]
    values = [row["brier"] for row in report if not row["is_total"]]
    assert domains == [[min(values), max(values)]] * 2  # one scale for both models


@pytest.mark.parametrize(
    ("metric", "deepest"),
    [("auc", min), ("brier", max), ("copc", lambda values: max(values, key=lambda value: abs(value - 1)))],
)
def test_the_deepest_colour_of_a_heat_map_is_the_worst(metric: str, deepest: Any) -> None:
    cells = evaluated(metric, by=["half", "week"]).plot().spec["layer"][1]
    scale = cells["encoding"]["color"]["scale"]
    values = [row["value"] for row in cells["data"]["values"]]
    least, most = scale["domain"]
    if metric == "copc":
        assert (least + most) / 2 == pytest.approx(1)
        assert max(most - 1, 1 - least) == pytest.approx(abs(deepest(values) - 1))
        assert len(scale["range"]) == 5
    else:
        assert deepest(values) == (least if scale.get("reverse") else most)


@pytest.mark.parametrize("interval", [None, 0.9])
def test_a_cell_of_few_rows_says_so_and_is_faded_and_does_not_stretch_the_colours(interval: Any) -> None:
    table = [{**row, "half": "c" if place < 8 else row["half"]} for place, row in enumerate(ROWS)]
    table = [{**row, "p": 1.0 - row["y"] if row["half"] == "c" else row["p"]} for row in table]
    spec = (
        sm.evaluate(table, "brier", label="y", score="p", by=["half", "week"], interval=interval).plot().spec
    )
    cells = spec["layer"][1]
    opacity = {(row["y"], row["rows"]): row["opacity"] for row in cells["data"]["values"]}
    assert max(value for (half, _), value in opacity.items() if half == "c") < 0.65
    assert min(value for (half, _), value in opacity.items() if half != "c") > 0.9
    assert cells["encoding"]["color"]["scale"]["domain"][1] < 0.5
    assert {tuple(row["text"]) for row in cells["data"]["values"] if row["y"] == "c"} == {
        ("1.00", "n 3"),
        ("1.00", "n 2"),
    }
    assert "faded cells are uncertain" in spec["title"]["subtitle"]


@pytest.mark.slow
@pytest.mark.parametrize("by", ["day", "text_day"])
def test_dates_make_a_line_over_time(by: str) -> None:
    report = evaluated("brier", by=by, interval=0.9)
    found = report.plot().spec
    assert [(row["x"], row["value"], row["low"], row["high"]) for row in found["data"]["values"]] == [
        (f"{row[by]}T00:00:00+00:00", row["brier"], row["brier_low"], row["brier_high"])
        for row in report
        if not row["is_total"]
    ]
    assert {part["type"] for part in parts(found) if part.get("field") == "x"} == {"temporal"}


def test_the_period_of_a_state_makes_a_line_whatever_its_type() -> None:
    finished = sm.finish(state(), "brier", by="week")
    assert [(row["when"], row["value"]) for row in finished.plot().spec["data"]["values"]] == [
        (str(row["week"]), row["brier"]) for row in finished if not row["is_total"]
    ]


def test_metrics_that_differ_by_cutoff_alone_make_a_line() -> None:
    report = evaluated({"first": "ndcg@1", "ndcg_3": "ndcg@3", "ndcg_5": "ndcg@5"}, group="g")
    chart = report.plot()
    assert chart.title == "ndcg@k"
    assert [(row["k"], row["value"]) for row in chart.spec["data"]["values"]] == [
        (k, report.value(name)) for k, name in ((1, "first"), (3, "ndcg_3"), (5, "ndcg_5"))
    ]
    mixed = evaluated(["ndcg@1", "ndcg@3", "ndcg(gain=linear)@5"], group="g").plot()
    assert "k" not in rows(mixed.spec)[0]
    many = evaluated([f"precision@{k}" for k in range(1, 31)], group="g").plot()
    assert [row["k"] for row in many.spec["data"]["values"]] == [*range(1, 31)]


@pytest.mark.slow
def test_a_forest_plot_has_the_differences_and_what_cannot_be_detected() -> None:
    comparison = compared(by="half")
    found = comparison.plot().spec["data"]["values"]
    expected = {row["half"] or "all": row for row in comparison}
    assert found[0]["slice"] == "all"
    assert {row["slice"] for row in found} == {*expected}
    for row in found:
        wanted = expected[row["slice"]]
        assert (row["value"], row["low"], row["high"]) == (
            wanted["difference"],
            wanted["low"],
            wanted["high"],
        )
        assert (-row["least"], row["most"]) == (wanted["minimum_detectable"],) * 2
    assert "better to the left of 0" in json.dumps(comparison.plot().spec)


@pytest.mark.slow
def test_slices_found_have_both_differences_in_the_order_of_the_rows(results: dict[str, Any]) -> None:
    found = results["slices found"]
    for metric in ("brier", "log_loss"):
        expected = [row for row in found if row["metric"] == metric]
        values = panel(found.plot(), metric)["data"]["values"]
        assert len(values) == 20 < len(expected)
        for drawn, row in zip(values, expected, strict=False):
            assert (drawn["value"], drawn["low"], drawn["high"], drawn["found"]) == (
                row["confirmed_difference"],
                row["confirmed_low"],
                row["confirmed_high"],
                row["difference"],
            )
            side = "worse" if row["confirmed_difference"] > 0 else "better"
            assert drawn["verdict"] == (f"{side}, confirmed" if row["confirmed"] else "not confirmed")
        assert f"the first 20 of {len(expected)} slices" in panel(found.plot(), metric)["title"]["subtitle"]
        assert f"{metric}, {sum(row['confirmed'] for row in expected)} of {len(expected)}" in (
            found.plot().description
        )
    assert found.plot("brier").title == "brier: each slice minus the rest"


@pytest.mark.slow
def test_a_search_of_no_slice_has_no_chart() -> None:
    with pytest.raises(sm.SqlMetricsError, match="looked at no slice"):
        searched("brier", "half", min_units=400).plot()


@pytest.mark.parametrize(
    ("kind", "x", "y"),
    [
        ("roc", "fpr", "tpr"), ("precision_recall", "recall", "precision"), ("gain", "share", "capture"),
        ("calibration", "mean_score", "positive_rate"), ("net_benefit(steps=20)", "threshold", "net_benefit"),
        ("qini(treatment=treated)", "share", "added"),
    ],
)  # fmt: skip
def test_a_curve_has_the_points_of_its_table(kind: str, x: str, y: str) -> None:
    curve = curved(kind, TWO)
    [line, *_] = (part for part in parts(curve.plot().spec) if isinstance(part.get("data"), dict)
                  and {"x", "y", "place"} <= {*part["data"]["values"][0]})  # fmt: skip
    for model in TWO:
        found = [(row["x"], row["y"]) for row in line["data"]["values"] if row["model"].startswith(model)]
        expected = [(row[x], row[y]) for row in curve if row["model"] == model]
        assert found[len(found) - len(expected) :] == expected
        assert len(found) - len(expected) == (kind in ("precision_recall", "gain"))  # where the line begins


@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize(
    ("kind", "metric", "short"),
    [
        ("roc", "auc", "AUC"),
        ("roc(points=corners)", "auc", "AUC"),
        ("precision_recall", "average_precision", "AP"),
        ("calibration", "ece", "ECE"),
        ("calibration(bins=15)", "ece(bins=15)", "ECE"),
        ("calibration(equal=count)", "ece(equal=count)", "ECE"),
    ],
)
def test_the_legend_says_the_number_of_a_curve_with_all_its_points(
    kind: str, metric: str, short: str, weight: str | None
) -> None:
    table = [{**row, "weight": place % 4 / 3, "tied": round(row["q"], 1)} for place, row in enumerate(ROWS)]
    facts = {"label": "y", "score": {"old": "p", "new": "tied"}, "weight": weight}
    report = sm.evaluate(table, metric, **facts)
    spec = sm.curve(table, kind, **facts).plot().spec
    drawn = spec.get("vconcat", [spec])[0]["layer"][-1]["encoding"]["color"]["scale"]["domain"]
    assert drawn == [f"{model} ({short} {report.value(metric, model=model):.4f})" for model in ("old", "new")]
    one = sm.curve(table, kind, label="y", score="tied", weight=weight).plot()
    number = f"{short} {report.value(metric, model='new'):.4f}"
    assert one.spec["title"]["subtitle"] == number
    assert f": {number}; " in one.description


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("roc", ["chance"]), ("precision_recall", ["base rate"]), ("gain", ["chance"]),
        ("calibration", ["perfect"]), ("net_benefit", ["treat all", "treat none"]),
        ("qini(treatment=treated)", ["any order"]), ("residuals(bins=5)", ["perfect"]),
    ],
)  # fmt: skip
def test_quiet_lines_have_names(kind: str, names: list[str]) -> None:
    assert [row["text"] for row in rows(curved(kind).plot().spec) if "text" in row and "x" in row and "y" in row
            and "model" not in row] == names  # fmt: skip


def test_a_legend_has_no_number_where_points_are_missing_or_it_is_undefined() -> None:
    for kind in ("roc(points=40)", "precision_recall(points=40)", "gain"):
        spec = curved(kind, TWO).plot().spec
        assert {row["model"] for row in rows(spec) if "model" in row} == {*TWO}
    for label, kind in ((0, "roc"), (1, "roc"), (0, "precision_recall")):
        chart = sm.curve([{"y": label, "p": 0.5}], kind, label="y", score="p").plot()
        assert "subtitle" not in chart.spec["title"]


def test_below_the_gain_is_the_lift_of_the_table() -> None:
    curve = curved("gain(quantiles=10)")
    upper, lower = curve.plot().spec["vconcat"]
    assert [(row["x"], row["y"]) for row in lower["data"]["values"]] == [
        (row["share"], row["lift"]) for row in curve
    ]
    assert lower["layer"][-1]["encoding"]["y"]["scale"]["domain"] == [0, max(curve["lift"])]
    assert lower["width"] == upper["width"]


def test_the_area_below_the_drawn_precision_is_the_average_precision() -> None:
    spec = curved("precision_recall").plot().spec
    line = spec["data"]["values"]
    steps = pairwise(line)
    area = sum((here["x"] - before["x"]) * here["y"] for before, here in steps)
    assert area == pytest.approx(evaluated("average_precision").value("average_precision"), rel=1e-12)
    assert spec["layer"][-1]["mark"]["interpolate"] == "step-before"


def test_calibration_has_wilson_bars_and_a_histogram() -> None:
    curve = curved("calibration(bins=4)")
    upper, histogram = curve.plot().spec["vconcat"]
    assert [
        (row["low"], row["high"], row["lower"], row["upper"], row["rows"])
        for row in histogram["data"]["values"]
    ] == [
        (row["positive_rate_low"], row["positive_rate_high"], row["lower"], row["upper"], row["bin_rows"])
        for row in curve
    ]
    assert upper["layer"][-2]["data"] == histogram["data"]


def test_a_histogram_of_lists_counts_each_list_once() -> None:
    report = lists("p")
    bars = report.plot().spec["layer"][0]["data"]["values"]
    for bar in bars:
        last = bar is bars[-1]
        inside = [value for value in report["ndcg_3"] if value is not None]
        inside = [
            v for v in inside if bar["low"] - 1e-12 <= v < bar["high"] - 1e-12 or (last and v == bar["high"])
        ]
        assert bar["lists"] == len(inside)
    assert bars[0]["low"] == 0
    assert bars[-1]["high"] == pytest.approx(1)  # the range of the metric, not of these data


def test_two_models_list_by_list() -> None:
    report = lists(TWO)
    old, new = ({row["g"]: row["ndcg_3"] for row in report if row["model"] == model} for model in TWO)
    differences = sorted(new[g] - old[g] for g in old if None not in (old[g], new[g]))[::-1]
    positive, negative = (layer["data"]["values"] for layer in report.plot().spec["layer"][:2])
    drawn = {row["place"]: row["value"] for row in positive + negative}
    assert [drawn[place] for place in sorted(drawn)] == differences
    better = sum(difference > 0 for difference in differences)
    assert f"higher in {better} lists" in report.plot().description


def test_of_many_lists_the_extremes_stay() -> None:
    many = [{"g": i // 2, "y": i % 2, "p": i * 7 % 11, "q": i * 5 % 13} for i in range(1000)]
    report = sm.per_group(many, "mrr", label="y", score={"a": "p", "b": "q"}, group="g")
    values = [row["value"] for row in rows(report.plot().spec["layer"][:2])]
    assert len({row["place"] for row in rows(report.plot().spec["layer"][:2])}) == 200
    assert (max(values), min(values)) == (0.5, -0.5)


def test_a_confusion_matrix_of_models_has_a_panel_for_each() -> None:
    rows = [{"y": i % 3, "p": i / 9, "q": 1 - i / 9, "half": i % 2} for i in range(9)]
    facts = {"label": "y", "positive": 1, "score": {"up": "p", "down": "q"}}
    chart = sm.confusion_matrix(rows, threshold=0.5, by="half", **facts).plot()
    named = [panel["title"]["text"] for panel in chart.spec["concat"]]
    assert named == ["up", "down", "up · 0", "down · 0", "up · 1", "down · 1"]
    assert chart.description.startswith("Confusion matrix by half: 5 of 9 rows are predicted right")


def test_a_confusion_matrix_has_every_cell() -> None:
    table = sm.confusion_matrix(ROWS, label="class", prediction="guess")
    cells = {(row["y"], row["x"]): row for row in rows(table.plot().spec["layer"][1])}
    found = {(row["label"], row["prediction"]): row for row in table}
    assert len(cells) == 12  # `v` is predicted and is no label: it has no shares
    for pair, cell in cells.items():
        assert (cell["n"], cell["value"]) == (found[pair]["n"], found[pair]["share"])
        assert cell["text"] == [f"{found[pair]['n']}", f"{found[pair]['share']:.0%}"]


def test_a_class_may_be_named_as_the_total_is() -> None:
    table = [{"y": "all", "p": "all"}, {"y": "b", "p": "all"}]
    matrix = sm.confusion_matrix(table, label="y", prediction="p")
    cells = rows(matrix.plot().spec["layer"][1])
    assert repr(matrix).splitlines()[2].split()[:2] == ['"all"', '"all"']
    assert {(cell["y"], cell["x"]) for cell in cells} == {
        ('"all"', '"all"'),
        ('"all"', "b"),
        ("b", '"all"'),
        ("b", "b"),
    }


def test_of_many_slices_the_largest_are_shown_and_the_chart_says_so() -> None:
    sizes = [2 + place % 60 for place in range(90)]
    many = [{"s": s, "y": i % 2, "p": 0.5} for s, size in enumerate(sizes) for i in range(size)]
    chart = sm.evaluate(many, "brier", label="y", score="p", by="s").plot()
    shown = [int(row["slice"]) for row in chart.spec["data"]["values"]]
    assert len(shown) == 40
    assert min(sizes[s] for s in shown) >= max(size for s, size in enumerate(sizes) if s not in shown)
    assert "the 40 largest of 90 slices" in chart.spec["title"]["subtitle"]
    assert "the 40 largest of 90 slices" in chart.description
    curve = sm.curve(many, "gain", label="y", score="p", by="s").plot()
    assert (len(curve.spec["concat"]), curve.spec["title"]["subtitle"]) == (12, "the 11 largest of 90 slices")


@pytest.mark.slow
def test_a_waterfall_goes_from_the_metric_before_to_that_after() -> None:
    change = changed(["half", "a.b[0]"], "before")
    *slices, total = change
    chart = change.plot()
    bars, reaches, ends, _ = (layer["data"]["values"] for layer in chart.spec["layer"])
    assert [(row["slice"], row["value"]) for row in ends] == [
        ("before", total["value_before"]),
        ("after", total["value_after"]),
    ]
    assert bars[0]["start"] == total["value_before"]
    assert bars[-1]["end"] == pytest.approx(total["value_after"], rel=1e-12)
    assert all(first["end"] == second["start"] for first, second in pairwise(bars))
    assert [bar["model"] for bar in bars] == ["mix", "rate", "interaction"] * 21  # 20 slices and the others
    for row, mix, reach in zip(slices, bars[::3], reaches, strict=False):
        assert mix["end"] - mix["start"] == pytest.approx(row["mix"])
        assert (reach["low"], reach["high"]) == (mix["start"] + row["low"], mix["start"] + row["high"])
    assert bars[-1]["slice"] == f"{len(slices) - 20} others"
    assert f"the 20 largest effects of {len(slices)} slices" in chart.description
    none = [dict(row, p=0.1) for row in ROWS]
    asked = {"by": "half", "period": "week", "before": 0, "after": 1, "label": "y", "score": "p"}
    nothing = sm.explain_change(none, "precision", **asked)
    with pytest.raises(sm.SqlMetricsError, match="precision has no value in one of the periods"):
        nothing.plot()


# --- names from data


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_of_data_is_part_of_a_field_or_an_expression(kind: str, results: dict[str, Any]) -> None:
    """Fields are our own plain words, and the only expression compares a number of ours."""
    spec = results[kind].plot().spec
    json.dumps(spec, allow_nan=False)
    for part in parts(spec):
        assert part.get("field", "x").isidentifier()
        assert part.get("test", "datum.value > 0").startswith("datum.value > ")
        assert not {"expr", "signal", "calculate", "labelExpr", "url", "href"} & {*part}
        for text in (part.get("title"), part.get("text"), part.get("subtitle")):
            lines = text if isinstance(text, list) else [text]
            assert all(line is None or isinstance(line, (str, dict)) for line in lines)
    assert all(name.isidentifier() for row in rows(spec) for name in row)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_drawn_without_a_warning(
    kind: str, results: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    import vl_convert

    spec = results[kind].plot().spec
    vl_convert.vegalite_to_vega(spec, vl_version=VERSION, show_warnings=True)
    assert capfd.readouterr().err == ""


def texts(svg: str) -> set[str]:
    return {
        "".join(element.itertext())
        for element in ElementTree.fromstring(svg).iter()
        if element.tag[-4:] == "text"
    }


def test_hostile_names_are_text_in_the_picture(results: dict[str, Any]) -> None:
    svg = results["dots of models"].plot().svg()
    expected = {
        "<script>alert(1)</script>", "a.b[0]", "\"quoted\" 'too'", "שלום", "😀", "datum", "{{x}}", "\\", '""', "null",
        "two\\nlines", '"all"', "datum['value']", 'id="x" url(#x)', "\\uffff",
        "auc by datum", "<script>", 'b.c["',
    }  # fmt: skip
    assert expected <= texts(svg)
    assert any(text.startswith("xxxxx") and text.endswith("…") for text in texts(svg))
    assert "<script" not in svg


@pytest.mark.slow
def test_characters_that_xml_cannot_hold() -> None:
    odd = "a\x01\n\uffff\ufffe\x1b"
    table = [{odd: f"{odd}{i % 2}", "s": i % 3, "y": int(i % 5 < 2), "p": i % 9 / 9} for i in range(60)]
    shown = r"a\x01\n\uffff\ufffe\x1b"
    for by in (odd, [odd, "s"]):
        svg = sm.evaluate(table, {odd + "m": "brier"}, label="y", score={odd: "p"}, by=by).plot().svg()
        assert {f"{shown}0", f"{shown}1"} <= texts(svg)
    assert f"{shown}m by {shown} and s" in texts(svg)
    svg = sm.curve(table, "roc", label="y", score={odd: "p"}, by=odd).plot().svg()
    assert {f"{shown}0", f"{shown}1", f"ROC curve by {shown}"} <= texts(svg)


def test_slices_of_the_same_text_stay_apart() -> None:
    mixed = [{"s": s, "y": i % 2, "p": i / 9} for s in (None, "null", "all") for i in range(6)]
    chart = sm.evaluate(mixed, "auc", label="y", score="p", by="s").plot()
    assert sorted(row["slice"] for row in chart.spec["data"]["values"]) == ['"all"', '"null"', "null"]


# --- pictures


@pytest.mark.parametrize("theme", ["light", "dark", "page"])
def test_an_svg_is_one_image_without_script_style_or_link(theme: Any, results: dict[str, Any]) -> None:
    chart = results["trend"].plot()
    svg = chart.svg(theme)
    root = ElementTree.fromstring(svg)
    names = {element.tag.split("}")[1] for element in root.iter()}
    assert names <= {
        "svg",
        "g",
        "path",
        "text",
        "rect",
        "line",
        "defs",
        "clipPath",
        "linearGradient",
        "stop",
        "tspan",
    }
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in attributes if name.startswith("on") or name in ("style", "href", "src")}
    assert (root.get("role"), root.get("aria-label")) == ("img", chart.description)
    assert not any(
        "aria-label" in element.attrib or "role" in element.attrib
        for element in root.iter()
        if element is not root
    )
    assert INKS[theme][1] in svg
    assert ("#ffffff" in root[0].attrib.get("fill", "") or root[0].tag.endswith("rect")) == (theme != "page")


@pytest.mark.slow
def test_ids_of_two_pictures_differ() -> None:
    wide = [{"s": i % 25, "t": i // 25 % 25, "y": i % 2, "p": i % 7 / 7} for i in range(1300)]
    own = []
    for metric in ("brier", "rmse"):
        svg = sm.evaluate(wide, metric, label="y", score="p", by=["s", "t"]).plot().svg()
        [name] = {e.get("id") for e in ElementTree.fromstring(svg).iter() if e.get("id")}
        assert f'fill="url(#{name})"' in svg
        own.append(name.split("_")[0])  # vl-convert counts the rest, and begins anew in each process
    assert own[0] != own[1]


@pytest.mark.slow
def test_files_and_notebooks(tmp_path: Path, results: dict[str, Any]) -> None:
    chart = results["gain"].plot()
    for suffix in ("svg", "png", "pdf", "html", "json"):
        chart.save(tmp_path / f"chart.{suffix}")
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8") == chart.svg()
    small, large = chart.png("dark", scale=1), (tmp_path / "chart.png").read_bytes()
    assert small[:8] == large[:8] == b"\x89PNG\r\n\x1a\n"
    assert 2 * int.from_bytes(small[16:20], "big") == int.from_bytes(large[16:20], "big")
    assert json.loads((tmp_path / "chart.json").read_text(encoding="utf-8")) == chart.spec
    assert (tmp_path / "chart.pdf").read_bytes()[:5] == b"%PDF-"
    page = (tmp_path / "chart.html").read_text(encoding="utf-8")
    assert chart.svg() in page
    assert f"<title>{chart.title}</title>" in page
    assert not re.search(r"<script|<link|src=|href=|url\(http", page)
    assert repr(chart) == "<Chart: Cumulative gain and lift>"


def test_a_notebook_has_the_specification_and_a_picture_for_what_cannot_draw_it(
    results: dict[str, Any],
) -> None:
    pytest.importorskip("vl_convert", reason="pictures need vl-convert")
    chart = results["gain"].plot()
    assert chart._repr_mimebundle_() == {
        MIME: chart.spec, "image/svg+xml": chart.svg(), "text/plain": chart.description,
    }  # fmt: skip


def test_show_opens_a_file_in_the_browser_and_displays_in_a_notebook(
    results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = results["gain"].plot()
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    chart.show()
    page = Path(url2pathname(urlparse(opened[0]).path)).read_text(encoding="utf-8")
    assert chart.svg("page") in page
    displayed: list[object] = []
    kernel = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1))
    monkeypatch.setitem(sys.modules, "IPython", kernel)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=displayed.append))
    chart.show()
    assert (displayed, len(opened)) == ([chart], 1)


def test_without_vl_convert_one_sentence_says_what_to_install(
    results: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart = results["gain"].plot()
    for draw in (chart.svg, chart.png):
        with pytest.raises(sm.SqlMetricsError, match=r"pip install 'sqlmetrics\[report\]'"):
            draw()
    assert {*chart._repr_mimebundle_()} == {MIME, "text/plain"}


# --- mistakes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluated("auc").plot("acu"), "No metric of the result is named 'acu'. Did you mean 'auc'?"),
        (lambda: evaluated("auc").plot([]), "metric= names no metric"),
        (lambda: evaluated("auc").plot(3), "metric= takes a name or a list of names, got 3"),
        (lambda: evaluated("auc").plot([["auc"]]), "No metric of the result is named ['auc']"),
        (lambda: lists("p").plot(["ndcg_3"]), "metric= takes one of ndcg_3"),
        (
            lambda: evaluated([f"precision(threshold=0.{i:02d})" for i in range(13)], by="half").plot(),
            "13 metrics do not fit",
        ),
        (lambda: evaluated("auc").plot(slices="no"), "slices must be True or False, got 'no'"),
        (lambda: curved("roc").plot(slices=None), "slices must be True or False, got None"),
        (lambda: compared().plot(slices=0), "slices must be True or False, got 0"),
        (lambda: evaluated("auc", by="half", total=False).plot(slices=False), "no total to show"),
        (lambda: curved("roc", by="half", total=False).plot(slices=False), "no total to show"),
        (lambda: compared(by="half", total=False).plot(slices=False), "no total to show"),
        (lambda: curved("gain").plot().svg("pink"), "theme= takes light, dark, page, got 'pink'"),
        (lambda: curved("gain").plot().png("page"), "has no page around it"),
        (lambda: curved("gain").plot().save("x.pdf", "page"), "has no page around it"),
        (lambda: curved("gain").plot().png(scale=0.01), "scale= takes a number from 0.1 to 10"),
        (
            lambda: curved("gain").plot().save("x.gif"),
            "saved as .svg, .png, .pdf, .html or .json, got 'x.gif'",
        ),
        (lambda: curved("gain").plot().save("/nowhere/x.json"), "Cannot write '/nowhere/x.json'"),
    ],
)
def test_mistakes(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as error:
        call()
    assert message in str(error.value)


def test_a_metric_is_named_by_its_notation_too() -> None:
    report = evaluated(["auc", "ndcg@3"], group="g")
    assert report.plot("ndcg@3").spec == report.plot("ndcg_3").spec
    assert report.value("ndcg@3") == report["ndcg@3"][0] == report.value("ndcg_3")


COLOURS = "lower is better, deep colours are worse"


def test_heat_maps_beside_each_other_have_short_lines_above_them() -> None:
    chart = evaluated("brier", {"x" * 70: "p", "new": "q"}, by=["half", "week"], interval=0.9).plot()
    for one in chart.spec["concat"]:
        total, direction = one["title"]["subtitle"]
        assert (total[:5], direction, one["title"]["limit"]) == ("all: ", COLOURS, 280)
        assert len(total) < 30


@pytest.mark.slow
def test_forest_plots_beside_each_other_have_short_lines_above_them() -> None:
    facts = {"label": "y", "baseline": "p", "candidate": {"x" * 70: "q"}}
    for one in sm.compare(ROWS, ["brier", "auc"], **facts).plot().spec["concat"]:
        side, grey = one["title"]["subtitle"]
        assert side.startswith("x" * 70 + " is better to the ")
        assert (grey, one["title"]["limit"]) == ("grey: too small to detect", 360)


LONG = {f"a_ranker_of_25_letters_{place:02}": "pq"[place % 2] for place in range(8)}


@pytest.mark.slow
def test_names_of_25_letters_make_no_picture_wider() -> None:
    def width(score: Any) -> int:
        return int(ElementTree.fromstring(curved("gain", score).plot().svg()).get("width", ""))

    assert width(LONG) == width(TWO)


def test_a_model_has_one_colour_and_mark_in_all_charts() -> None:
    def marks(chart: sm.Chart, channel: str) -> dict[str, Any]:
        scales = [
            part["scale"] for part in parts(chart.spec) if {"domain", "range"} <= {*part.get("scale", {})}
        ]
        of_marks = [scale for scale in scales if (scale["range"][0] in PALETTE) == (channel == "color")]
        return dict(zip(of_marks[-1]["domain"], of_marks[-1]["range"], strict=True))

    three = {"a": "p", "b": "q", "c": sm.sql("(p + q) / 2")}
    dots, trend = (evaluated("brier", three, by=by).plot() for by in ("half", "day"))
    against = sm.compare(ROWS, "brier", label="y", score=three, baseline="a").plot()
    with_b = sm.compare(ROWS, "brier", label="y", score=three, baseline="b").plot()
    alone = (
        sm.compare(ROWS, "brier", label="y", score=TWO, baseline="<script>")
        .plot()
        .spec["layer"][-1]["encoding"]
    )
    for channel in ("color", "shape"):
        expected = marks(dots, channel)
        assert marks(trend, channel) == expected
        assert marks(against, channel) == {name: expected[name] for name in ("b", "c")}
        assert marks(with_b, channel) == {name: expected[name] for name in ("a", "c")}
        assert alone[channel] == {"value": expected["b"]}
    assert marks(curved("gain", three).plot(), "color") == marks(dots, "color")


def test_the_totals_of_many_models_leave_the_direction_room() -> None:
    for by in ("half", "day"):
        assert (
            evaluated("brier", LONG, by=by).plot().spec["title"]["subtitle"]
            == "dashed: all rows — lower is better"
        )


def test_every_curve_has_a_chart() -> None:
    assert {*CHARTS} == {*curves()}


def test_classes_that_are_not_drawn_are_counted() -> None:
    rows = [{"y": f"class {n % 60}", "p": f"class {n % 7}"} for n in range(600)]
    for table in (sm.confusion_matrix, sm.class_report):
        chart = table(rows, label="y", prediction="p").plot()
        assert re.search(r"the \d+ largest of 60 classes are drawn$", chart.description)


# --- descriptions


@pytest.mark.parametrize("by", ["half", ["half", "week"], "day", ["half", "day"]])
def test_each_sentence_about_several_metrics_names_its_metric(by: Any) -> None:
    report = evaluated(["auc", "brier"], {"old": "p", "new": "q"}, by=by)
    auc, brier = report.plot().description.split(": ", 1)[1].split(". brier: ")
    assert auc.startswith("auc: ")
    assert auc.endswith("; higher is better")
    assert brier.endswith("; lower is better")
    assert report.plot("auc").description.endswith(f" by {' and '.join(report.by)}: {auc[5:]}")


def test_a_line_over_time_names_each_model() -> None:
    report = evaluated("brier", {"old": "p", "new": "q"}, by="day")
    first, last = (f"2026-05-0{day}" for day in (1, 4))
    ends = [
        f"{model} from {report.value('brier', model=model, day=datetime.date.fromisoformat(first)):.4f} ({first})"
        f" to {report.value('brier', model=model, day=datetime.date.fromisoformat(last)):.4f} ({last})"
        for model in ("old", "new")
    ]
    assert report.plot().description == f"brier by day: {'; '.join(ends)}; lower is better"


def test_cutoffs_of_several_metrics_name_each() -> None:
    report = evaluated(["ndcg@1", "ndcg@3", "precision@1", "precision@3"], group="g")
    values = {
        name: f"{report.value(name):.4f}" for name in ("ndcg_1", "ndcg_3", "precision_1", "precision_3")
    }
    assert report.plot().description == (
        f"ndcg@k and precision@k by cutoff: ndcg@k: {values['ndcg_1']} at 1, {values['ndcg_3']} at 3; higher is better."
        f" precision@k: {values['precision_1']} at 1, {values['precision_3']} at 3; higher is better"
    )


def test_a_chart_of_all_pairs_names_both_models() -> None:
    asked = {"label": "y", "score": {"a": "p", "b": "q", "c": sm.sql("(p + q) / 2")}, "baseline": "a"}
    compared = sm.compare(ROWS, "brier", pairs="all", **asked)
    assert compared.plot().title == "b against a, c against a, c against b"
