"""MariaDB, a server of our own, for the dialect of MySQL."""

import importlib.util
import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import as_dicts, cells, columns, create_table
from support.mariadb_server import mariadb_server

TYPES = {int: "bigint", float: "double", bool: "boolean", str: "text collate utf8mb4_nopad_bin"}


@contextmanager
def opened() -> Iterator[Engine]:
    """MariaDB, with its default settings. It has neither NaN nor infinity: one that goes in comes out as NULL.

    MariaDB 10.11 dies of a null pointer once in some ten thousand statements, not of the same one again; a statement
    that finds it dead is asked again of a new server.
    """
    if importlib.util.find_spec("pymysql") is None:
        raise NoEngineError("no PyMySQL to talk to MariaDB")
    import pymysql

    with ExitStack() as stack:

        def connected() -> Any:
            socket = stack.enter_context(mariadb_server())
            connection = stack.enter_context(pymysql.connect(unix_socket=socket, user="root"))
            connection.cursor().execute("create database tests")
            connection.select_db("tests")
            return connection

        connection = connected()

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            nonlocal connection
            try:
                return asked(connection.cursor(), sql, tables)
            except pymysql.err.Error:
                if is_alive(connection):
                    raise
                connection = connected()
                return asked(connection.cursor(), sql, tables)

        yield Engine("mysql", "mysql", query)


def asked(cursor: Any, sql: str, tables: dict[str, Rows]) -> Rows:
    """The rows of a statement over tables that are made for it."""
    try:
        for name, rows in tables.items():
            cursor.execute(create_table(name, rows, TYPES, backticked))
            marks = ", ".join(["%s"] * len(columns(rows)))
            values = [[stored(value) for value in row] for row in cells(rows)]
            cursor.executemany(f"insert into {backticked(name)} values ({marks})", values)
        cursor.execute(sql)
        return as_dicts(cursor)
    finally:
        for name in tables:
            cursor.execute(f"drop table if exists {backticked(name)}")


def is_alive(connection: Any) -> bool:
    """Whether the server answers."""
    try:
        connection.ping(reconnect=False)
    except Exception:
        return False
    return True


def backticked(name: str) -> str:
    """A name as an identifier of MySQL."""
    return "`" + name.replace("`", "``") + "`"


def stored(value: Any) -> Any:
    """A value that the engine can store."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
