"""The engines a test runs on: make tables of lists of dicts, run one statement, give its rows as dicts."""

import importlib.util
import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow

from postgres_server import NoPostgresError, postgres_server

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Engine:
    """An engine under test; `query(sql, tables)` leaves no trace of its tables."""

    name: str
    dialect: str
    query: Callable[[str, dict[str, Rows]], Rows]


@contextmanager
def open_duckdb() -> Iterator[Engine]:
    """DuckDB in this process. Rows go in through Arrow: inserts one by one take a hundred times longer."""
    types = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_(), str: pyarrow.string()}
    with duckdb.connect() as connection:

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            connection.begin()
            try:
                for name, rows in tables.items():
                    schema = pyarrow.schema([(column, types[kind]) for column, kind in columns(rows).items()])
                    connection.register("arrow_rows", pyarrow.Table.from_pylist(rows, schema))
                    connection.execute(f"create temporary table {quoted(name)} as from arrow_rows")
                    connection.unregister("arrow_rows")
                return as_dicts(connection.execute(sql))
            finally:
                connection.rollback()

        yield Engine("duckdb", "duckdb", query)


@contextmanager
def open_sqlite() -> Iterator[Engine]:
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


@contextmanager
def open_postgres() -> Iterator[Engine]:
    """PostgreSQL, a server of our own."""
    if importlib.util.find_spec("psycopg") is None:
        raise NoPostgresError("no psycopg to talk to PostgreSQL")
    import psycopg

    types = {int: "bigint", float: "double precision", bool: "boolean", str: "text"}
    with postgres_server() as conninfo, psycopg.connect(conninfo) as connection:

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            try:
                cursor = connection.cursor()
                for name, rows in tables.items():
                    cursor.execute(create_table(name, rows, types))
                    with cursor.copy(f"copy {quoted(name)} from stdin") as copy:
                        for row in cells(rows):
                            copy.write_row(row)
                return as_dicts(cursor.execute(sql))
            finally:
                connection.rollback()

        yield Engine("postgres", "postgres", query)


OPEN: dict[str, Callable[[], AbstractContextManager[Engine]]] = {
    "duckdb": open_duckdb,
    "sqlite": open_sqlite,
    "postgres": open_postgres,
}


def columns(rows: Rows) -> dict[str, type]:
    """The columns of a table and the type of each."""
    if not rows:
        raise ValueError("a table needs a row to have columns; select `where 1 = 0` from it to have none")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: type_of([row.get(name) for row in rows]) for name in names}


def type_of(values: list[Any]) -> type:
    """The one type that holds all of `values`; float where all are null."""
    types = {type(value) for value in values if value is not None}
    if types <= {int, float} and types != {int}:
        return float
    if len(types) == 1:
        return types.pop()
    raise TypeError(f"a column mixes {sorted(kind.__name__ for kind in types)}")


def cells(rows: Rows) -> list[list[Any]]:
    """The values of `rows`, in the order of the columns."""
    names = list(columns(rows))
    return [[row.get(name) for name in names] for row in rows]


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def create_table(name: str, rows: Rows, types: dict[type, str]) -> str:
    """The statement that makes a temporary table for `rows`."""
    listed = ", ".join(f"{quoted(column)} {types[kind]}" for column, kind in columns(rows).items())
    return f"create temporary table {quoted(name)} ({listed})"


def as_dicts(cursor: Any) -> Rows:
    """The rows of a cursor."""
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, map(plain, row), strict=True)) for row in cursor.fetchall()]


def plain(value: Any) -> Any:
    """A decimal as int or float: engines differ in when they give one."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value.as_tuple().exponent == 0 else float(value)


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
