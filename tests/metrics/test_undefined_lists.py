"""Lists that a metric leaves out, although they have a relevant item, are counted: groups_without_<metric>."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from support.engines import Engine

#: the labels of lists, in their order
LISTS: dict[str, list[int]] = {"a": [1, 0], "b": [0, 0, 1], "c": [2], "d": [0, 0, 0, 2], "e": [0]}
ROWS = [
    {"g": g, "i": f"{g}{i}", "y": y, "s": 1 - i / 10, "w": 0.0 if y == 1 else 1.0}
    for g, labels in LISTS.items()
    for i, y in enumerate(labels)
]
#: a metric, and whether a list has no value by its header
UNDEFINED: dict[str, Any] = {
    "pass@3": lambda labels: len(labels) < 3,
    "pass@2": lambda labels: len(labels) < 2,
    "r_score(default=1)": lambda labels: max(labels) <= 1,
    "ndcg(gain=0:0:3)": lambda labels: max(labels) < 2,
    "dcg(gain=0:0:1)@2": lambda labels: max(labels) < 2,
    "recall(item_weight=w)@2": lambda labels: not any(y > 1 for y in labels),
    "mrr(item_weight=w)": lambda labels: not any(y > 1 for y in labels),
}


def test_each_has_a_count(engine: Engine) -> None:
    statement = sm.render(
        "listed", {f"m{i}": metric for i, metric in enumerate([*UNDEFINED, "ndcg"])}, dialect=engine.dialect,
        label="y", score="s", group="g", item="i",
    )  # fmt: skip
    [row] = engine.query(statement, {"listed": ROWS})
    counted = {name: count for name, count in row.items() if name.startswith("groups_without_")}
    expected = [sum(map(undefined, LISTS.values())) for undefined in UNDEFINED.values()]
    assert counted == {f"groups_without_m{i}": count for i, count in enumerate(expected)}


@pytest.mark.slow
def test_pass_at_leaves_out_few_attempts() -> None:
    rows = [{"problem": p, "y": y} for p, labels in ((1, (1, 0)), (2, (0, 0, 1))) for y in labels]
    report = sm.evaluate(rows, ["pass@3", "pass@1"], label="y", group="problem")
    assert report.flat() == pytest.approx({"pass_3": 1.0, "pass_1": (1 / 2 + 1 / 3) / 2})
    assert report.notes() == ["groups without a value of pass_3: 1"]
    state = sm.state([{**row, "d": 1} for row in rows], "pass@3", period="d", label="y", group="problem")
    assert sm.finish(state, {"mine": "pass@3"}).notes() == ["groups without a value of pass_3: 1"]


def test_diversity_leaves_out_lists_of_one_item(engine: Engine) -> None:
    rows = [{"g": g, "i": i, "s": s} for g, i, s in (("a", "x", 0.5), ("a", "z", 0.4), ("b", "x", 0.4))]
    statement = sm.render(
        "listed", ["diversity@2", "diversity@1"], dialect=engine.dialect, score="s", group="g", item="i",
        catalog="items", category="kind",
    )  # fmt: skip
    [row] = engine.query(
        statement, {"listed": rows, "items": [{"i": "x", "kind": "p"}, {"i": "z", "kind": "q"}]}
    )
    assert (row["diversity_2"], row["groups_without_diversity_2"]) == (1, 1)
    assert (row["diversity_1"], row["groups_without_diversity_1"]) == (None, 2)


def test_a_truth_whose_items_are_not_listed() -> None:
    truth = [{"g": "a", "i": "other", "y": 1}, {"g": "b", "i": "b0", "y": 1}]
    data = [{name: row[name] for name in ("g", "i", "s")} for row in ROWS if row["g"] in "ab"]
    report = sm.evaluate(data, "average_rank", label="y", score="s", group="g", item="i", truth=truth)
    assert report["average_rank"] == [1.0]
    assert report.notes()[0] == "groups without a value of average_rank: 1"
