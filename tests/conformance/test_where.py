"""where= is the rows that it leaves, and an expression has the name that it is given, on every engine."""

from __future__ import annotations

from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from conformance.cases.tables import GIVEN, JUDGED, Rows, drawn
from sqlmetrics.book.templates import macros
from support.conformance import same
from support.engines import Engine

METRICS = {"auc": "auc", "ndcg": "ndcg@3", "rmse": "rmse"}
#: Lists of three sizes of w; where w is missing, nothing is known of a condition on it.
ROWS: Rows = [
    {**row, "w": None if i % 7 == 3 else float(i % 5), "part": f"{'xy'[i % 2]}{i % 3}"}
    for i, row in enumerate(drawn(3, 4))
]
#: It would be a bad row, but that the condition leaves it out.
ROWS.append({"list": "q0", "item": "bad", "label": None, "score": None, "w": 9.0, "part": "x0"})
FACTS: dict[str, Any] = {**GIVEN, "label": "label", "score": "score", "max_grade": 4, "positive": 1}
#: A comment at its end takes the bracket after it along, unless that is on a line of its own.
WHERE = "w < 3 or part = '{part}' -- of them"
LEFT = [row for row in ROWS if row["w"] is not None and row["w"] < 3]
HALF = {"order": sm.sql("case when part < 'y' then 'first' else 'second' end")}


def half(row: dict[str, Any]) -> str:
    return "first" if row["part"] < "y" else "second"


def assert_values(rows: Rows, key: str, parts: dict[Any, Rows], **facts: Any) -> None:
    """Each row has the values of the formulas over its part."""
    assert [row[key] if key in row and not row.get("is_total") else "all" for row in rows] == [*parts]
    for row, part in zip(rows, parts.values(), strict=True):
        for name, notation in METRICS.items():
            value = oracles.value(notation, part, **GIVEN, max_grade=4, positive=1, **facts)
            assert same(row[name], value), (row, name, value)


@pytest.mark.parametrize("relation", ["predictions", "select * from predictions"], ids=["table", "query"])
@pytest.mark.sample
def test_rows_and_named_slices(relation: str, engine: Engine) -> None:
    statement = sm.render(relation, METRICS, dialect=engine.dialect, by=HALF, where=WHERE, **FACTS)
    rows = engine.query(statement, {"predictions": ROWS})
    parts = {name: [row for row in LEFT if half(row) == name] for name in ("first", "second")}
    assert_values(rows, "order", {**parts, "all": LEFT})
    assert [(row["n_rows"], row["rows_dropped"]) for row in rows] == [
        (len(part), 0) for part in (*parts.values(), LEFT)
    ]


def test_a_list_of_the_truth_without_a_row_left_is_missing(engine: Engine) -> None:
    """The condition is on the data alone: the truth has no column of its names."""
    listed = [
        {"list": row["list"], "item": row["item"], "score": row["score"], "w": row["w"]} for row in ROWS
    ]
    listed += [{"list": row["list"], "item": row["item"], "score": 0.5, "w": 1.0} for row in JUDGED]
    left = [row for row in listed if row["w"] is not None and row["w"] < 3 and row["list"] != "d"]
    statement = sm.render(
        "predictions", {"ndcg": "ndcg@3", "recall": "recall@2"}, dialect=engine.dialect, truth="judged",
        where="w < 3 and list <> 'd'", **FACTS,
    )  # fmt: skip
    (row,) = engine.query(statement, {"predictions": listed, "judged": JUDGED})
    for name, notation in (("ndcg", "ndcg@3"), ("recall", "recall@2")):
        value = oracles.value(notation, left, truth=JUDGED, **GIVEN, max_grade=4, positive=1)
        assert same(row[name], value), (name, row, value)
    assert row["n_rows"] == len(left)
    assert row["groups_missing"] == 1


def test_lists_by_a_named_expression(engine: Engine) -> None:
    statement = sm.render_per_group(
        "predictions", "ndcg@3", dialect=engine.dialect, where=WHERE,
        **{**FACTS, "group": {"group": sm.sql("coalesce(list, '-')")}},
    )  # fmt: skip
    rows = engine.query(statement, {"predictions": ROWS})
    for row in rows:
        of_list = [one for one in LEFT if one["list"] == row["group"]]
        assert same(row["ndcg_3"], oracles.value("ndcg@3", of_list, **GIVEN, max_grade=4)), row
    assert [row["group"] for row in rows] == sorted({row["list"] for row in LEFT})


def test_rows_compared(engine: Engine) -> None:
    """They are numbered where they are read, so that the condition has a place of its own."""
    rows = [{**row, "other": 1 - (row["score"] or 0)} for row in ROWS]
    statement = sm.render_compare(
        "predictions", "mse", dialect=engine.dialect, baseline="score", candidate="other", label="label", where=WHERE
    )  # fmt: skip
    (row,) = engine.query(statement, {"predictions": rows})
    left = [{**row, "other": 1 - row["score"]} for row in LEFT]
    assert row["n_pairs"] == len(left)
    assert same(row["baseline_value"], oracles.value("mse", left))
    assert same(row["candidate_value"], oracles.value("mse", left, score="other"))


def test_a_state_and_its_named_period(engine: Engine) -> None:
    """`finish` in SQL is told of the condition, as it is of every other fact; without it the facts are others."""
    made = sm.render_state("predictions", METRICS, dialect=engine.dialect, period=HALF, where=WHERE, **FACTS)
    state = engine.query(made, {"predictions": ROWS})
    where = f"{macros(engine.dialect).sql_result('order')} <> 'second'"
    asked = {"dialect": engine.dialect, "period": "order", "where": where, **FACTS}
    (row,) = engine.query(sm.render_finish("states", METRICS, made_where=WHERE, **asked), {"states": state})
    assert_values([row], "none", {"all": [row for row in LEFT if half(row) == "first"]})
    (row,) = engine.query(sm.render_finish("states", METRICS, **asked), {"states": state})
    assert row["auc"] is None
    assert row["states_of_other_facts"] > 0
