"""A second table that is empty, that has a column without a value, or that nothing of the data is found in."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.errors import told

ROWS = [
    {"g": g, "i": i, "s": s, "y": y, "k": k}
    for g, i, s, y, k in (
        ("a", "x", 0.5, 1, "q"), ("a", "z", 0.4, 0, "r"), ("b", "x", 0.4, 1, "q"), ("b", "z", 0.1, 0, "q"),
    )
]  # fmt: skip
LISTS = {"label": "y", "score": "s", "group": "g", "item": "i"}
PAIR = {"baseline": "s", "candidate": "s", "label": "y"}
ITEMS = [{"i": "x", "k": "q"}, {"i": "z", "k": "r"}]
#: a call, its second table, and a column of it
LACKING: list[tuple[Any, dict[str, Any], str, list[dict[str, Any]], str]] = [
    (sm.drift, {"columns": "k"}, "reference", ROWS, "k"),
    (sm.drift, {"columns": "k", "by": "g"}, "reference", ROWS, "g"),
    (sm.explain_change, {"metric": "brier", "by": "k", "label": "y", "score": "s"}, "reference", ROWS, "k"),
    (sm.compare, {"metrics": "brier", **PAIR, "paired": False, "by": "k"}, "other", ROWS, "k"),
    (sm.compare, {"metrics": "mrr", **PAIR, "group": "g", "on_unpaired": "intersection"}, "other", ROWS, "g"),
    (sm.evaluate, {"metrics": "recall@1", **LISTS}, "truth", ROWS, "g"),
    (sm.evaluate, {"metrics": "recall@1", **LISTS}, "truth", ROWS, "i"),
    (sm.per_group, {"metrics": "recall@1", **LISTS}, "truth", ROWS, "i"),
    (sm.evaluate, {"metrics": "catalog_coverage@2", **LISTS}, "catalog", ITEMS, "i"),
    (sm.evaluate, {"metrics": "diversity@2", "category": "k", **LISTS}, "catalog", ITEMS, "k"),
    (sm.evaluate, {"metrics": "average_popularity@2", **LISTS}, "history", ROWS, "i"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "facts", "role", "table", "column"),
    LACKING,
    ids=[f"{call.__name__} {facts.get('metrics', '')} {role} {column}" for call, facts, role, _, column in LACKING],
)  # fmt: skip
def test_a_column_without_a_value_has_the_type_of_the_data(
    call: Any, facts: dict[str, Any], role: str, table: list[dict[str, Any]], column: str
) -> None:
    """It gives what a text column of NULLs gives."""

    def told(cells: pa.Array) -> Any:
        second = pa.Table.from_pylist([{**row, column: "a"} for row in table])
        second = second.set_column(second.column_names.index(column), column, cells)
        try:
            return call(
                ROWS, **facts, **{role: second}, **({} if call is sm.drift else {"on_bad_rows": "drop"})
            ).to_dicts()
        except sm.SqlMetricsError as error:
            return str(error)

    found = told(pa.nulls(len(table)))
    assert found == told(pa.nulls(len(table), pa.string()))
    assert "collation" not in str(found)


@pytest.mark.slow
def test_drift_from_rows_of_python() -> None:
    [row] = sm.drift([{"c": "a"}], reference=[{"c": None}], columns="c").to_dicts()
    assert (row["new_values"], row["vanished_values"]) == ("a (1)", "(null) (1)")


EMPTY = {
    "average_popularity@2": 0.0,  # nothing was interacted with
    "long_tail_share@2": 1.0,  # so all of it is the tail
    "novelty@2": None,
    "user_coverage@2": None,
}


@pytest.mark.parametrize("metric", EMPTY)
def test_an_empty_history(metric: str) -> None:
    history = pa.schema([("g", pa.string()), ("i", pa.string())]).empty_table()
    report = sm.evaluate(ROWS, {"value": metric}, history=history, **LISTS)
    assert report["value"] == [EMPTY[metric]]
    assert any("undefined here" in note for note in report.notes()) == (EMPTY[metric] is None)


@pytest.mark.parametrize(
    "metric", ["average_popularity@2", "long_tail_share", "novelty(popularity=interactions)@1"]
)
def test_nothing_recommended_is_in_the_history(metric: str) -> None:
    note = "no recommended item is in the history; are items written alike in both tables?"
    upper = [{**row, "i": row["i"].upper()} for row in ROWS]
    assert note in sm.evaluate(ROWS, [metric, "novelty@2"], history=upper, **LISTS).notes()
    assert note not in sm.evaluate(ROWS, [metric, "novelty@2"], history=ROWS[:1], **LISTS).notes()


@pytest.mark.slow
def test_nothing_listed_is_in_the_truth() -> None:
    note = "no listed item of 4 is in the truth; are groups and items written alike in both tables?"
    upper = [{**row, "i": row["i"].upper()} for row in ROWS]
    data = [{name: row[name] for name in ("g", "i", "s")} for row in ROWS]
    calls: list[tuple[Any, dict[str, Any]]] = [
        (["map", "recall@2"], {}), ("catalog_coverage@2", {"catalog": ITEMS}), ("mrr", {"unjudged": "drop"}),
    ]  # fmt: skip
    for metrics, further in calls:
        assert note in sm.evaluate(data, metrics, truth=upper, **further, **LISTS).notes()
        assert note not in sm.evaluate(data, metrics, truth=ROWS, **further, **LISTS).notes()
    assert note in sm.per_group(data, "mrr", truth=upper, **LISTS).notes()
    # judged, though none is relevant
    irrelevant = [{**row, "y": 0} for row in ROWS]
    assert note not in sm.evaluate(data, "recall@2", truth=irrelevant, **LISTS).notes()


def test_a_class_without_examples_is_noted() -> None:
    rows = [
        {"y": y, "a": a, "b": b, "c": 0.1} for y, a, b in (("a", 0.8, 0.1), ("a", 0.6, 0.3), ("b", 0.2, 0.7))
    ]
    scores = {name: name for name in "abc"}
    report = sm.evaluate(rows, "multiclass_auc(method=ovr)", label="y", class_scores=scores)
    assert report.notes() == ["classes without examples, left out of the mean: 1"]


@pytest.mark.parametrize("items", [(7, 8), ("7", "8")])
def test_items_of_distances_are_of_the_kind_of_the_items(items: tuple[Any, Any]) -> None:
    """An engine would compare 7 and '007' as numbers, or refuse it in words of its own."""
    rows = [{"g": 1, "i": item, "p": score} for item, score in zip(items, (0.9, 0.8), strict=True)]
    one, other = ("7", "8") if items == (7, 8) else (7, 8)
    distances = [{"item_a": one, "item_b": other, "distance": 0.5}]
    facts: dict[str, Any] = {"score": "p", "group": "g", "distances": distances}
    message = told(sm.evaluate, rows, "diversity@2", item="i", **facts)
    assert "which cannot be compared" in message
    item = eval(message.partition("write item=")[2], {"sm": sm})
    assert sm.evaluate(rows, "diversity@2", item=item, **facts).value("diversity_2") == 0.5
