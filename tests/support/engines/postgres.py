"""PostgreSQL, a server of our own."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import as_dicts, cells, create_table, quoted
from support.postgres_server import postgres_server


@contextmanager
def opened() -> Iterator[Engine]:
    """PostgreSQL, a server of our own."""
    if importlib.util.find_spec("psycopg") is None:
        raise NoEngineError("no psycopg to talk to PostgreSQL")
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
