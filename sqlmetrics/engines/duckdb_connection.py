"""How a connection of DuckDB is used: by one thread at a time, open to a Ctrl-C, and whole or not at all."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from sqlmetrics.templates import macros

# How DuckDB reports a Ctrl-C: during a statement, and while it asks Python about a registered table.
INTERRUPTED = re.compile(r"^Query interrupted$|failed: KeyboardInterrupt\b")

_locks: weakref.WeakKeyDictionary[duckdb.DuckDBPyConnection, threading.RLock] = weakref.WeakKeyDictionary()
_looking_up = threading.Lock()


@contextmanager
def alone(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Makes calls from other threads wait.

    A connection holds one result at a time. DuckDB 2 refuses a second thread, DuckDB 1.4 crashes.
    """
    with _looking_up:
        lock = _locks.setdefault(connection, threading.RLock())
    with lock:
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Raises KeyboardInterrupt for a Ctrl-C that DuckDB reports as an error of its own."""
    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if INTERRUPTED.search(str(error)):
            raise KeyboardInterrupt from None
        raise


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """A transaction, or the user's own if one is open, which stays open."""
    # to begin one and fail would abort that of the user
    number = macros("duckdb")["duckdb__sql_transaction"]()
    first, second = (connection.execute(number).fetchall() for _ in range(2))
    if first == second:
        yield
        return
    connection.begin()
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
