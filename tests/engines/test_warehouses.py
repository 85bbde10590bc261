"""What holds of BigQuery's and Snowflake's SQL that no engine at hand shows."""

from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases import CASES
from sqlmetrics.book.templates import macros
from support.engines import Engine
from support.engines.tables import columns

HOSTILE = ["it's", "a\\", "\\' or 1 = 1 --", 'dou"ble', "tick`", "two\nlines", "\\n"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_ends_where_it_ends(text: str, engine: Engine) -> None:
    literal = macros(engine.dialect)["sql_text"](text)
    [row] = engine.query(f"select {literal} as found from given", {"given": [{"one": 1}]})
    assert row["found"] == text


def test_snowflake_folds_names_as_it_does_without_quotes() -> None:
    named = {"Mine": "auc", "gauc": "gauc"}
    statement = sm.render(
        "t", named, dialect="snowflake", label="clicked", score="Score", group="user id", by="day"
    )
    for name in ('"CLICKED"', '"Score"', '"user id"', 'as "DAY"', 'as "Mine"', 'as "GAUC"'):
        assert name in statement
    assert '"clicked"' not in statement
    # a letter that a name without quotes cannot have; its capital may be two letters
    assert macros("snowflake")["sql_fold"]("straße") == "straße"


NAMES = (
    "numbers 0, weights",
    "levels, weights",
    "lists, graded",
    "items",
    "text classes 0",
    "scored classes 0",
)


def check_divisions(statement: str, schema: dict[str, dict[str, str]]) -> None:
    """One side of each division is a float; types are those that sqlglot infers."""
    exp = pytest.importorskip("sqlglot.expressions")
    annotate = pytest.importorskip("sqlglot.optimizer.annotate_types").annotate_types
    qualify = pytest.importorskip("sqlglot.optimizer.qualify").qualify
    parsed = pytest.importorskip("sqlglot").parse_one(statement, read="snowflake")
    tree = annotate(qualify(parsed, schema=schema, dialect="snowflake"), schema=schema, dialect="snowflake")
    divisions = list(tree.find_all(exp.Div))
    assert divisions
    for division in divisions:
        assert {division.left.type.this.name, division.right.type.this.name} & {"DOUBLE", "FLOAT"}, division


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_snowflake_divides_no_two_numbers_of_fixed_point(name: str) -> None:
    """Their quotient has six digits there."""
    case = next(case for case in CASES if case.name == name)
    statement = sm.render(
        "predictions", list(case.metrics), dialect="snowflake",
        **{"label": "label", "score": "score"} | case.facts | {table: table for table in case.tables},
    )  # fmt: skip
    kinds = {int: "number", float: "double", bool: "boolean", str: "varchar"}
    schema = {
        table.upper(): {column.upper(): kinds[kind] for column, kind in columns(rows).items()}
        for table, rows in ({"predictions": case.rows} | case.tables).items()
    }
    check_divisions(statement, schema)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("macro", "arguments"),
    [
        ("chi_square", {"column": "page", "other": "bought", "by": "day"}),
        ("chi_square", {"column": "page", "expected": {"a": 1, "b": 2}, "weight": "n"}),
        ("two_proportions", {"label": "bought", "category": "page", "weight": "n"}),
        (
            "compare",
            {
                "metrics": ["ndcg@5", "rmse"], "label": "bought", "group": "page", "baseline": "n", "candidate": "day",
                "by": "day", "correction": "bh",
            },
        ),
        ("mcnemar", {"label": "bought", "baseline": "day", "candidate": "n", "weight": "n"}),
        ("curve", {"kind": "calibration(bins=5)", "label": "bought", "score": "n"}),
        ("curve", {"kind": "gain", "label": "bought", "score": "n", "by": "day"}),
        (
            "state",
            {"metrics": ["auc", "ndcg@5"], "label": "bought", "score": "n", "group": "page", "period": "day"},
        ),
    ],
)  # fmt: skip
def test_snowflake_divides_so_in_tables(macro: str, arguments: dict[str, Any]) -> None:
    kinds = {"PAGE": "varchar", "BOUGHT": "number", "DAY": "number", "N": "number"}
    check_divisions(macros("snowflake")[macro](relation="visits", **arguments), {"VISITS": kinds})
