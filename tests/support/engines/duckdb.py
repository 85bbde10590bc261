"""DuckDB in this process."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pyarrow

from support.engines import Engine, Rows
from support.engines.tables import as_dicts, columns, quoted


@contextmanager
def opened() -> Iterator[Engine]:
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
