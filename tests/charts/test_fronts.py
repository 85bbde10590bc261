"""Quality against cost: each model is a point, and those that no other beats are on the front."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from support.errors import told

QUALITY, COST = "mean(column=ok)", "mean(column=cost)"
#: share of right answers and cost of each run, by topic
RUNS = {"cheap": (0.25, 1.0), "good": (0.75, 3.0), "beaten": (0.5, 4.0), "as good": (0.75, 5.0)}
ROWS: list[dict[str, Any]] = [
    {"run": run, "q": q, "ok": int(q % 4 < 4 * share), "cost": cost + q % 2 / 10, "topic": "ab"[q // 20]}
    for run, (share, cost) in RUNS.items()
    for q in range(40)
]


def report(rows: list[dict[str, Any]] = ROWS, *metrics: str, **options: Any) -> sm.Report:
    return sm.evaluate(rows, [*(metrics or (QUALITY, COST))], models="run", group="q", **options)


def front(panel: dict[str, Any]) -> list[str]:
    return [row["model"] for row in panel["data"]["values"] if row["best"] == "yes"]


def test_the_models_that_none_beats() -> None:
    drawn = report(interval=0.9).plot(QUALITY, against=COST)
    assert drawn.title == f"{QUALITY} against {COST}"
    assert (
        "beaten by no other model in both: cheap 0.2500 at 1.0500, good 0.7500 at 3.0500; others: 2"
        in drawn.description
    )
    assert front(drawn.spec) == ["cheap", "good"]
    assert "<svg" in drawn.svg()


def test_slices_have_a_panel_each() -> None:
    panels = report(by="topic").plot(QUALITY, against=COST).spec["concat"]
    assert [panel["title"]["text"] for panel in panels] == ["all rows", "a", "b"]
    assert len(report(by="topic").plot(QUALITY, slices=False, against=COST).spec.get("concat", [0])) == 1


def test_the_better_direction_of_both_decides() -> None:
    """Of log loss the lower is better, of AUC the higher."""
    rows = [
        {"run": run, "q": q, "y": q % 2, "p": 0.5 + (q % 2 - 0.5) * sure if q > 3 else 0.5 - (q % 2 - 0.5) * sure}
        for run, sure in (("bold", 0.9), ("timid", 0.3))
        for q in range(20)
    ]  # fmt: skip
    both = sm.evaluate(rows, ["log_loss", "auc"], label="y", score="p", models="run", group="q")
    values = {row["model"]: (row["log_loss"], row["auc"]) for row in both}
    assert values["timid"][0] < values["bold"][0]
    assert values["timid"][1] == values["bold"][1]
    said = both.plot("log_loss", against="auc").description
    assert "timid" in said.split("others")[0]
    assert "bold" not in said.split("others")[0]


def test_a_model_without_a_value_is_no_point() -> None:
    rows = [row for row in ROWS if row["topic"] == "a" or row["run"] != "good"]
    drawn = report(rows, by="topic").plot(QUALITY, against=COST).spec["concat"][2]
    assert [row["model"] for row in drawn["data"]["values"]] == ["as good", "beaten", "cheap"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"against": 5}, "against= takes the name of one metric, got 5"),
        ({"against": "cost"}, "No metric of the result is named 'cost'"),
        ({"metric": COST, "against": COST}, "takes one other metric"),
    ],
)
def test_refused(asked: dict[str, Any], words: str) -> None:
    assert words in told(report().plot, **asked)
