"""Where statements run: one file an engine, chosen by the connection.

An engine is a module with a function `session(connection, dialect)`, a context manager that gives a `Session`. It is
imported when it is asked for, the library of an engine never before the user has brought an object of it.
"""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager
from typing import Any

from sqlmetrics.engines.protocol import Session
from sqlmetrics.errors import SqlMetricsError

# The library of a connection -> the engine; any other connection is one of the DB-API.
CONNECTIONS = {
    "chdb": "clickhouse",
    "clickhouse_connect": "clickhouse",
    "clickhouse_driver": "clickhouse",
    "datafusion": "datafusion",
    "duckdb": "duckdb",
    "pyspark": "spark",
}
# The library of data that bring their connection -> the engine, which then gets the data in place of a connection.
FRAMES = {"pyspark": "spark"}


def session(connection: Any, dialect: str | None, data: Any = None) -> AbstractContextManager[Session]:
    """A session on the user's connection, on that of the data, or else on DuckDB in this process.

    Args:
        connection: the user's, or None.
        dialect: the one to write, or None for that of the connection.
        data: what is to be read.

    Raises:
        SqlMetricsError: no connection, or one of which the dialect is not known.
    """
    if connection is None:
        found = _of_library(data, FRAMES)
        connection, engine = (data, found) if found else (None, "duckdb")
    else:
        # SQLAlchemy's pool wraps the driver's own
        connection = getattr(connection, "driver_connection", connection)
        engine = _of_library(connection, CONNECTIONS) or "dbapi"
    opened: AbstractContextManager[Session] = importlib.import_module(f"{__name__}.{engine}").session(
        connection, dialect
    )
    return opened


def libraries(thing: object) -> list[str]:
    """The modules that an object's class and those above it come from: nothing is imported just to ask.

    >>> import sqlite3
    >>> class Mine(sqlite3.Connection): ...
    >>> libraries(Mine(":memory:"))[1]
    'sqlite3'
    """
    return [kind.__module__ for kind in type(thing).__mro__]


def check_dialect(given: str | None, spoken: str, engine: str) -> None:
    """Refuses a dialect that is given for an engine of one dialect and is another.

    Raises:
        SqlMetricsError: see there.
    """
    if given not in (None, spoken):
        raise SqlMetricsError(
            f"dialect='{given}' is not what {engine} speaks; pass the connection= of the engine that does,"
            " or leave dialect= out"
        )


def _of_library(thing: object, engines: dict[str, str]) -> str | None:
    # DuckDB's own classes say `_duckdb`
    names = [module.split(".")[0].lstrip("_") for module in libraries(thing)]
    return next((engines[name] for name in names if name in engines), None)
