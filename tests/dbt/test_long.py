"""`evaluate_long` and `finish_long`: the values of `evaluate`, below each other."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.engines import Engine, Rows

ROWS: Rows = [
    {"day": day, "country": land, "q": f"{land}{i % 3}", "y": (i * 7 + day) % 5 // 3, "s": i / 8, "u": i * 3 % 8 / 8}
    for day in (1, 2) for land in ("DE", "FR") for i in range(8)
]  # fmt: skip
METRICS = {"auc": "auc", "best ndcg": "ndcg@2", "error": "log_loss", "largest": "max_error"}
FACTS: dict[str, Any] = {"label": "y", "group": "q"}
MODELS = {"new": "s", "old": "u"}


def rows_of(engine: Engine, macro: str, relation: str = "t", **arguments: Any) -> Rows:
    """What a macro gives, with the names of columns in lower case."""
    shown = engine.query(macros(engine.dialect)[macro](relation, **arguments), {"t": ROWS})
    return [{name.lower(): value for name, value in row.items()} for row in shown]


def same(rows: Rows, expected: Rows) -> None:
    """The same rows in the same order; null keys of the total as well."""
    assert [list(row) for row in rows] == [list(row) for row in expected]
    for row, other in zip(rows, expected, strict=True):
        for name, value in other.items():
            near = pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
            assert row[name] == near, (name, row, other)


@pytest.mark.slow
@pytest.mark.parametrize(
    "further",
    [
        {"score": MODELS, "by": ["country", "day"]},
        {"score": MODELS, "by": "country", "interval": 0.9},
        {"score": "s", "interval": 0.9},
        {"score": "s", "by": "day", "total": False},
    ],
    ids=["models and slices", "intervals", "one row", "no total"],
)
def test_rows_are_those_of_a_report(engine: Engine, further: dict[str, Any]) -> None:
    expected = sm.evaluate(ROWS, METRICS, **FACTS, **further).long().to_dicts()
    same(rows_of(engine, "evaluate_long", metrics=METRICS, **FACTS, **further), expected)


def test_one_metric_has_one_row_each(engine: Engine) -> None:
    shown = rows_of(engine, "evaluate_long", metrics="base_rate", label="y", by="country")
    labels = {country: [row["y"] for row in ROWS if row["country"] == country] for country in ("DE", "FR")}
    assert [(row["country"], row["metric"]) for row in shown] == [
        ("DE", "base_rate"), ("FR", "base_rate"), (None, "base_rate"),
    ]  # fmt: skip
    parts = [*labels.values(), [row["y"] for row in ROWS]]
    assert [row["value"] for row in shown] == pytest.approx(
        [sum(part) / len(part) for part in parts], rel=1e-12
    )


@pytest.mark.slow
def test_a_state_in_long_rows(engine: Engine) -> None:
    asked = {"metrics": ["auc", "log_loss"], "by": "country"}
    facts = {**FACTS, "score": "s", "period": "day", **asked}
    state = macros(engine.dialect).state("t", **facts)
    expected = sm.finish(sm.state(ROWS, **facts), **asked).long().to_dicts()
    same(rows_of(engine, "finish_long", relation=state, **facts), expected)


def test_a_slice_named_like_a_column_of_the_result_is_refused() -> None:
    for name in ("metric", "VALUE"):
        with pytest.raises(SqlMetricsError, match=f"Two result columns would be named '{name}'; rename"):
            macros("duckdb").evaluate_long("t", "auc", label="y", score="s", by=name)
    macros("duckdb").evaluate_long("t", "auc", label="y", score="s", by="low")
    with pytest.raises(SqlMetricsError, match="Two result columns would be named 'low'; rename"):
        macros("duckdb").evaluate_long("t", "auc", label="y", score="s", by="low", interval=0.9)
