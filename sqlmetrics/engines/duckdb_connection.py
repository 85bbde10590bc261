"""How a connection of DuckDB is used: by one thread at a time, open to a Ctrl-C, and whole or not at all."""

from __future__ import annotations

import re
import signal
import threading
import weakref
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError

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


def refuse_open_result(connection: duckdb.DuckDBPyConnection) -> None:
    """Checks that a call would drop no result of the user's. DuckDB 1.4 does not say so.

    Raises:
        SqlMetricsError: the connection has rows that are not fetched, or another thread uses it.
    """
    try:
        connection.sql(macros("duckdb")["duckdb__sql_transaction"]()).fetchall()
    except duckdb.Error as error:
        if type(error).__name__ == "ResourceInUseException":
            raise SqlMetricsError(
                "The connection is in use: it has a result with rows that are not fetched, which a call would drop, or"
                " another thread runs a statement; fetch the rows, or pass connection.cursor(), a connection of its own"
                " to the same database"
            ) from None


@contextmanager
def heard(connection: duckdb.DuckDBPyConnection) -> Iterator[list[BaseException]]:
    """Notes each Ctrl-C, which also stops the connection's statement; gives what its handler raised.

    DuckDB forgets a Ctrl-C that comes while it asks Python about a registered table, and so does pyarrow while it
    imports pandas. Python has signals handled by its main thread.
    """
    pressed: list[BaseException] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield pressed
        return

    def handle(number: int, frame: Any) -> None:
        try:
            before(number, frame)
        except BaseException as error:
            pressed.append(error)
            connection.interrupt()
            raise

    signal.signal(signal.SIGINT, handle)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interruptible(pressed: Collection[BaseException] = ()) -> Iterator[None]:
    """Raises KeyboardInterrupt for a Ctrl-C that was heard, or that DuckDB reports as an error of its own."""
    if pressed:
        raise KeyboardInterrupt
    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        if pressed or INTERRUPTED.search(str(error)):
            raise KeyboardInterrupt from None
        raise
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """A transaction, or the user's own if one is open, which stays open."""
    # to begin one and fail would abort the user's transaction
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
