"""A semantic view: the view under it runs, and its metrics, selected by hand, give what `evaluate` gives.

No engine here makes semantic views. What the statement may be is the grammar in Snowflake's manual.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.layers import BY, METRICS, compare, expected, stored

#: `create semantic view` of the manual, as far as it is used: an entry of dimensions and metrics is `table.name as sql`
STATEMENT = re.compile(
    r"create or replace semantic view (?P<name>[\w.]+)\n"
    r"tables \(\n    (?P<table>\w+) as (?P<rows>[\w.]+)\n\)\n"
    r"dimensions \((?P<dimensions>.*?)\n\)\nmetrics \((?P<metrics>.*?)\n\)\n"
    r"comment = '(?:[^']|'')*';\n",
    re.DOTALL,
)
ENTRY = re.compile(r"\n    (\w+)\.(\w+) as (.+?) comment = '(?:[^']|'')*'(?:,(?=\n)|$)", re.DOTALL)


def entries(text: str) -> dict[str, str]:
    """The SQL of each name; nothing of the text is left over, and all names belong to the one table."""
    assert ENTRY.sub("", text) == ""
    assert {table for table, _, _ in ENTRY.findall(text)} == {"daily_state"}
    return {name: sql for _, name, sql in ENTRY.findall(text)}


@pytest.fixture
def made(tmp_path: Path) -> tuple[duckdb.DuckDBPyConnection, dict[str, Any]]:
    state = stored(tmp_path / "shop.duckdb")
    written = sm.semantic(state, METRICS, table="main.daily_state", format="semantic_view")
    view, statement = written.split("\n\n")
    on = duckdb.connect(str(tmp_path / "shop.duckdb"))
    on.execute(view)
    parts = STATEMENT.fullmatch(statement)
    assert parts is not None
    return on, parts.groupdict()


@pytest.mark.slow
def test_metrics_over_the_view(made: tuple[duckdb.DuckDBPyConnection, dict[str, Any]]) -> None:
    on, parts = made
    dimensions, metrics = entries(parts["dimensions"]), entries(parts["metrics"])
    assert list(dimensions) == ["daily_state_day", "country", "device_s_type", "model"]
    # no name of a metric is a column of the view, which an expression could take for the metric
    assert not set(metrics) & {name for name, *_ in on.execute(f"describe {parts['rows']}").fetchall()}
    columns = {name: name.lower().replace(" ", "_") for name in METRICS}
    for names, by in ((["model"], []), (["country", "device_s_type", "model"], BY)):
        selected = [*names, *(f"{sql} as {name}" for name, sql in metrics.items())]
        query = f"select {', '.join(selected)} from {parts['rows']} as {parts['table']} group by {', '.join(names)}"
        got = on.sql(query).to_arrow_table().to_pylist()
        compare(got, names, columns, expected(by))
        assert sum(row["n_rows"] for row in got) == 2 * 10_569


def test_names_and_texts_of_another_schema() -> None:
    rows = [{"day": 1, "it's": "a", "y": i % 2, "p": 0.5} for i in range(4)]
    state = sm.state(rows, "brier", period="day", by="it's", label="y", score="p")
    written = sm.semantic(state, "brier", table="shop.marts.daily_state", format="semantic_view")
    assert "create or replace view shop.marts.daily_state_rows as\n" in written
    assert "from shop.marts.daily_state\n" in written
    assert "create or replace semantic view shop.marts.daily_state_metrics\n" in written
    assert "\n    daily_state as shop.marts.daily_state_rows\n" in written
    assert "daily_state.it_s as it_s comment = 'it''s'\n" in written
