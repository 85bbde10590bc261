"""Snowflake's SQL, translated and run by DuckDB (fakesnow): shows that it is read, not how Snowflake counts."""

import importlib.util
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import cells, create_table, plain, quoted

GAPS = {
    "test_sums_are_plain_numbers": "the stand-in casts what is summed to a float",
    "test_the_two_zeros_are_one_value.*(snowflake]|category)": "the stand-in writes the two zeros as two texts",
}


@contextmanager
def opened() -> Iterator[Engine]:
    """A connection of Snowflake's connector to no Snowflake. Names of small letters have capitals there."""
    if importlib.util.find_spec("fakesnow") is None:
        raise NoEngineError("no fakesnow, which stands in for Snowflake")
    import snowflake.connector
    from fakesnow.instance import FakeSnow

    types = {int: "number", float: "double", bool: "boolean", str: "varchar"}
    with (
        FakeSnow().connect(database="tests", schema="tests") as connection,
        # rows with their names: those of another cursor would be asked for by a statement of its own
        connection.cursor(snowflake.connector.DictCursor) as cursor,
    ):

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            try:
                for name, rows in tables.items():
                    cursor.execute(create_table(folded(name), [folded_row(row) for row in rows], types))
                    values = ",\n".join(f"({', '.join(map(literal, row))})" for row in cells(rows))
                    cursor.execute(f"insert into {quoted(folded(name))} values {values}")
                return [
                    {name.lower() if name.isupper() else name: plain(value) for name, value in row.items()}
                    for row in cursor.execute(sql).fetchall()
                ]
            finally:
                for name in tables:
                    cursor.execute(f"drop table if exists {quoted(folded(name))}")

        yield Engine("snowflake", "snowflake", query)


def folded(name: str) -> str:
    """A name as Snowflake has it where nobody quoted it."""
    return name.upper() if name.islower() and name.isidentifier() else name


def folded_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row with such names."""
    return {folded(name): value for name, value in row.items()}


def literal(value: Any) -> str:
    """A value in a statement."""
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
    if isinstance(value, float):
        return f"{value!r}::double" if math.isfinite(value) else f"'{value}'::double"
    return "null" if value is None else str(value)
