"""MariaDB, a server of our own, for the dialect of MySQL."""

import importlib.util
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engines import Engine, NoEngineError, Rows
from engines.tables import as_dicts, cells, columns, create_table
from mariadb_server import mariadb_server


@contextmanager
def opened() -> Iterator[Engine]:
    """MariaDB, with its default settings. It has neither NaN nor infinity: one that goes in comes out as NULL."""
    if importlib.util.find_spec("pymysql") is None:
        raise NoEngineError("no PyMySQL to talk to MariaDB")
    import pymysql

    types = {int: "bigint", float: "double", bool: "boolean", str: "text collate utf8mb4_nopad_bin"}
    with mariadb_server() as socket, pymysql.connect(unix_socket=socket, user="root") as connection:
        cursor = connection.cursor()
        cursor.execute("create database tests")
        connection.select_db("tests")

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            try:
                for name, rows in tables.items():
                    cursor.execute(create_table(name, rows, types, backticked))
                    marks = ", ".join(["%s"] * len(columns(rows)))
                    values = [[stored(value) for value in row] for row in cells(rows)]
                    cursor.executemany(f"insert into {backticked(name)} values ({marks})", values)
                cursor.execute(sql)
                return as_dicts(cursor)
            finally:
                for name in tables:
                    cursor.execute(f"drop table if exists {backticked(name)}")

        yield Engine("mysql", "mysql", query)


def backticked(name: str) -> str:
    """A name as an identifier of MySQL."""
    return "`" + name.replace("`", "``") + "`"


def stored(value: Any) -> Any:
    """A value that the engine can store."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
