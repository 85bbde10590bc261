"""ClickHouse in this process (chdb), with the settings that a server has by default."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engines import Engine, NoEngineError, Rows
from engines.tables import cells, columns, plain, quoted


@contextmanager
def opened() -> Iterator[Engine]:
    """ClickHouse in this process. A column is Nullable only where a value is NULL, as it is on a user's server."""
    if importlib.util.find_spec("chdb") is None:
        raise NoEngineError("no chdb, ClickHouse as a library")
    from chdb.session import Session

    with Session() as session:

        def query(sql: str, tables: dict[str, Rows]) -> Rows:
            try:
                for name, rows in tables.items():
                    session.query(create_table(name, rows))
                    lines = "\n".join("\t".join(map(as_text, row)) for row in cells(rows))
                    session.query(f"insert into {quoted(name)} format TSV\n{lines}")
                table = session.query(sql, "ArrowTable")
                return [{name: plain(value) for name, value in row.items()} for row in table.to_pylist()]
            finally:
                for name in tables:
                    session.query(f"drop table if exists {quoted(name)}")

        yield Engine("clickhouse", "clickhouse", query)


def create_table(name: str, rows: Rows) -> str:
    """The statement that makes a table for `rows`."""
    types = {int: "Int64", float: "Float64", bool: "Bool", str: "String"}
    listed = []
    for column, kind in columns(rows).items():
        nullable = any(row.get(column) is None for row in rows)
        listed.append(f"{quoted(column)} {f'Nullable({types[kind]})' if nullable else types[kind]}")
    return f"create table {quoted(name)} ({', '.join(listed)}) engine = Memory"


def as_text(value: Any) -> str:
    """A value in a file of tab-separated values."""
    if value is None:
        return r"\N"
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
