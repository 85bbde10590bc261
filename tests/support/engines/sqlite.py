"""SQLite in this process."""

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from support.engines import Engine, Rows
from support.engines.tables import as_dicts, cells, columns, create_table, quoted


@contextmanager
def opened() -> Iterator[Engine]:
    """SQLite in this process. It has no NaN: one that goes in comes out as NULL."""
    types = {int: "integer", float: "real", bool: "boolean", str: "text"}

    def query(sql: str, tables: dict[str, Rows]) -> Rows:
        connection = sqlite3.connect(":memory:")
        try:
            add_mathematics(connection)
            for name, rows in tables.items():
                connection.execute(create_table(name, rows, types))
                marks = ", ".join("?" * len(columns(rows)))
                connection.executemany(f"insert into {quoted(name)} values ({marks})", cells(rows))
            return as_dicts(connection.execute(sql))
        finally:
            connection.close()

    yield Engine("sqlite", "sqlite", query)


def add_mathematics(connection: sqlite3.Connection) -> None:
    """Give SQLite its mathematical functions where Python's build left them out."""
    try:
        connection.execute("select ln(2)")
    except sqlite3.OperationalError:
        for name, function in {
            "ln": math.log,
            "exp": math.exp,
            "sqrt": math.sqrt,
            "floor": math.floor,
        }.items():
            connection.create_function(name, 1, null_outside_domain(function), deterministic=True)
        connection.create_function("power", 2, null_outside_domain(math.pow), deterministic=True)


def null_outside_domain(function: Callable[..., float]) -> Callable[..., float | None]:
    """`function` with NULL for NULL and outside its domain, as SQLite has it."""

    def called(*arguments: float | None) -> float | None:
        try:
            return function(*arguments)
        except (TypeError, ValueError):
            return None

    return called
