"""The engines that run statements: one file for each engine, chosen by the connection.

An engine is a module with a function `session(connection, dialect)`, a context manager that yields a
`Session`. The module is imported when it is first used. The library of an engine is already imported by then,
since the user passes an object of it.
"""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager
from typing import Any

from sqlmetrics.engines.protocol import Session
from sqlmetrics.errors import SqlMetricsError

# The engine by the library of a connection; all other connections use the DB-API.
CONNECTIONS = {
    "chdb": "clickhouse",
    "clickhouse_connect": "clickhouse",
    "clickhouse_driver": "clickhouse",
    "datafusion": "datafusion",
    "duckdb": "duckdb",
    "pyspark": "spark",
}
# The engine by the library of data that carry a connection; the data then replace the connection.
FRAMES = {"pyspark": "spark"}


def session(connection: Any, dialect: str | None, data: Any = None) -> AbstractContextManager[Session]:
    """A session on the user's connection, on the connection of the data, or else on DuckDB in this process.

    Args:
        connection: the user's connection, or None.
        dialect: the SQL dialect to write, or None for the dialect of the connection.
        data: the data to read.

    Raises:
        SqlMetricsError: not a connection, or a connection with an unknown dialect.
    """
    if connection is None:
        found = _of_library(data, FRAMES)
        connection, engine = (data, found) if found else (None, "duckdb")
    else:
        # SQLAlchemy's pool wraps the driver's connection
        connection = getattr(connection, "driver_connection", connection)
        engine = _of_library(connection, CONNECTIONS) or "dbapi"
    opened: AbstractContextManager[Session] = importlib.import_module(f"{__name__}.{engine}").session(
        connection, dialect
    )
    return opened


def libraries(thing: object) -> list[str]:
    """The modules that define an object's class and its base classes. No library is imported for this.

    >>> import sqlite3
    >>> class Mine(sqlite3.Connection): ...
    >>> libraries(Mine(":memory:"))[1]
    'sqlite3'
    """
    return [kind.__module__ for kind in type(thing).__mro__]


def check_dialect(given: str | None, spoken: str, engine: str) -> None:
    """Checks the dialect that a user gives for an engine with one dialect only.

    Raises:
        SqlMetricsError: it is another dialect.
    """
    if given not in (None, spoken):
        raise SqlMetricsError(
            f"dialect='{given}' is not what {engine} speaks; pass the connection= of the engine that does,"
            " or leave dialect= out"
        )


def _of_library(thing: object, engines: dict[str, str]) -> str | None:
    # the module of DuckDB's classes is `_duckdb`
    names = [module.split(".")[0].lstrip("_") for module in libraries(thing)]
    return next((engines[name] for name in names if name in engines), None)
