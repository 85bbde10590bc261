"""The folded table of a chart has the numbers that the chart shows."""

from __future__ import annotations

import html
import random
import re
from collections import Counter
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.table.cells import shown

Rows = list[list[str]]
drawn = random.Random(8)
MODELS = {"one": "p", "two": "q", "three": "r"}
ROWS: list[dict[str, Any]] = [
    {"y": int(drawn.random() < 0.4), "g": f"g{i // 6}", **{column: drawn.random() for column in "pqr"},
     "day": f"2026-{1 + i // 6 % 90 // 28:02}-{1 + i // 6 % 90 % 28:02}", "place": f"place {i // 6 % 70}",
     "class": f"class {i % 22:02}", "guess": f"class {i // 22 % 22:02}"}
    for i in range(1800)
]  # fmt: skip


def page(metrics: str, score: Any = "p", **facts: Any) -> str:
    return sm.report(ROWS, metrics, **{"label": "y", "score": score, "curves": [], **facts}).html


def figures(page: str) -> dict[str, tuple[str, Rows]]:
    """The caption and the rows of the folded table of each chart, by the title of the chart."""
    found = {}
    for part in re.findall(r"<figure.*?</figure>", page, re.DOTALL):
        title = html.unescape(re.search(r"<figcaption><b>(.*?)</b>", part)[1])  # type: ignore[index]
        caption = html.unescape(re.search(r"<caption>(.*?)</caption>", part)[1])  # type: ignore[index]
        body = part.split("<tbody>")[1].split("</tbody>")[0]
        rows = [re.findall(r"<t[dh][^>]*>([^<]*)", row) for row in body.split("<tr>")[1:]]
        found[title] = caption, [[html.unescape(cell).strip() for cell in row] for row in rows]
    return found


@pytest.mark.slow
def test_curves_of_several_models_are_cut_alike() -> None:
    caption, rows = figures(page("auc", MODELS, curves="roc"))["ROC curve"]
    assert Counter(row[0] for row in rows) == dict.fromkeys(MODELS, 133)
    assert re.search(r"399 of 1,\d{3} rows are shown, evenly spread over each model", caption)
    for model, column in MODELS.items():
        curve = [row for row in rows if row[0] == model]
        whole = sm.curve(ROWS, "roc(points=500)", label="y", score=column).to_dicts()
        assert [float(curve[0][2]), float(curve[-1][3])] == [0, 1]
        steps = [round((len(whole) - 1) * n / 132) for n in range(133)]
        assert [row[3] for row in curve] == [shown(whole[step]["tpr"]) for step in steps]


@pytest.mark.slow
@pytest.mark.parametrize("score", ["p", MODELS])
def test_lists_have_the_bins_of_the_histogram(score: Any) -> None:
    facts: dict[str, Any] = {"label": "y", "score": score, "group": "g"}
    rows = figures(page("ndcg@3", **facts))["ndcg@3 of each list"][1]
    spec = sm.per_group(ROWS, "ndcg@3", **facts).plot().spec
    panels = spec.get("concat", [spec])
    bars = [bar for panel in panels for bar in panel["layer"][0]["data"]["values"]]
    assert [row[-3:] for row in rows] == [
        [shown(bar["low"]), shown(bar["high"]), shown(bar["lists"])] for bar in bars
    ]
    assert len(rows) == 25 * len(panels)


@pytest.mark.slow
def test_lists_of_two_models_have_the_differences_in_their_order() -> None:
    score = {"one": "p", "two": "q"}
    rows = figures(page("ndcg@3", score, group="g"))["ndcg@3 list by list: two less one"][1]
    spec = sm.per_group(ROWS, "ndcg@3", label="y", score=score, group="g").plot().spec
    bars = {
        row["place"]: [str(row["place"]), row["list"], row["text"]]
        for layer in spec["layer"][:2]
        for row in layer["data"]["values"]
    }
    assert rows == [bars[place] for place in sorted(bars)]


@pytest.mark.slow
def test_a_line_over_time_has_all_its_days() -> None:
    rows = figures(page("brier", by="day"))["brier by day"][1]
    assert [row[0] for row in rows] == sorted({row["day"] for row in ROWS})
    assert len(rows) == 90


@pytest.mark.slow
def test_slices_are_those_that_are_drawn() -> None:
    caption, rows = figures(page("brier", by="place"))["brier by place"]
    chart = sm.evaluate(ROWS, "brier", label="y", score="p", by="place").plot()
    assert [row[0] for row in rows] == [row["slice"] for row in chart.spec["data"]["values"]]
    assert caption.endswith("Worst first by brier. Shows the 40 largest of 70 slices.")


@pytest.mark.slow
def test_a_confusion_matrix_is_whole() -> None:
    facts: dict[str, Any] = {"label": "class", "prediction": "guess", "score": None}
    [(_, rows)] = figures(page("accuracy", **facts)).values()
    assert {(row[0], row[1]) for row in rows} == {(row["class"], row["guess"]) for row in ROWS}
    assert len(rows) > 400


def test_the_legend_of_a_curve_has_the_number_of_the_page() -> None:
    asked = sm.evaluate(ROWS, "auc", label="y", score=MODELS)
    drawn = page("auc", MODELS, curves="roc(points=50)")
    for model in MODELS:
        assert f"{model} (AUC {asked.value('auc', model=model):.4f})" in drawn
