"""What holds of BigQuery's and Snowflake's SQL that no engine at hand shows."""

import pytest

import sqlmetrics as sm
from conformance.cases import CASES
from engines import Engine
from engines.tables import columns
from sqlmetrics.templates import macros

HOSTILE = ["it's", "a\\", "\\' or 1 = 1 --", 'dou"ble', "tick`", "two\nlines", "\\n"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_ends_where_it_ends(text: str, engine: Engine) -> None:
    literal = macros(engine.dialect)["sm_text"](text)
    [row] = engine.query(f"select {literal} as found from given", {"given": [{"one": 1}]})
    assert row["found"] == text


def test_snowflake_folds_names_as_it_does_without_quotes() -> None:
    named = {"Mine": "auc", "gauc": "gauc"}
    statement = sm.render(
        named, "t", dialect="snowflake", label="clicked", score="Score", group="user id", by="day"
    )
    for name in ('"CLICKED"', '"Score"', '"user id"', 'as "DAY"', 'as "Mine"', 'as "GAUC"'):
        assert name in statement
    assert '"clicked"' not in statement
    # a letter that a name without quotes cannot have; its capital may be two letters
    assert macros("snowflake")["sm_fold"]("straße") == "straße"


NAMES = (
    "numbers 0, weights",
    "levels, weights",
    "lists, graded",
    "items",
    "text classes 0",
    "scored classes 0",
)


@pytest.mark.parametrize("name", NAMES)
def test_snowflake_divides_no_two_numbers_of_fixed_point(name: str) -> None:
    """Their quotient has six digits there. Types are those that sqlglot infers."""
    exp = pytest.importorskip("sqlglot.expressions")
    annotate = pytest.importorskip("sqlglot.optimizer.annotate_types").annotate_types
    qualify = pytest.importorskip("sqlglot.optimizer.qualify").qualify
    case = next(case for case in CASES if case.name == name)
    statement = sm.render(
        list(case.metrics), "predictions", dialect="snowflake",
        **{"label": "label", "score": "score"} | case.facts | {table: table for table in case.tables},
    )  # fmt: skip
    kinds = {int: "number", float: "double", bool: "boolean", str: "varchar"}
    schema = {
        table.upper(): {column.upper(): kinds[kind] for column, kind in columns(rows).items()}
        for table, rows in ({"predictions": case.rows} | case.tables).items()
    }
    tree = qualify(
        pytest.importorskip("sqlglot").parse_one(statement, read="snowflake"),
        schema=schema,
        dialect="snowflake",
    )
    divisions = list(annotate(tree, schema=schema, dialect="snowflake").find_all(exp.Div))
    assert divisions
    for division in divisions:
        assert {division.left.type.this.name, division.right.type.this.name} & {"DOUBLE", "FLOAT"}, division
