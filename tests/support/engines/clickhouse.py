"""ClickHouse in this process (chdb), with the settings that a server has by default."""

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from support.engines import Engine, NoEngineError, Rows
from support.engines.tables import cells, columns, plain, quoted

GAPS = {r"test_zeros.py::test_slices": "it groups the two zeros of a float apart, so they are two slices"}


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
                    make_table(session.query, name, rows)
                table = session.query(sql, "ArrowTable")
                return [{name: plain(value) for name, value in row.items()} for row in table.to_pylist()]
            finally:
                for name in tables:
                    session.query(f"drop table if exists {quoted(name)}")

        yield Engine("clickhouse", "clickhouse", query)


def make_table(run: Callable[[str], object], name: str, rows: Rows) -> None:
    """Makes a table of `rows`."""
    types = {int: "Int64", float: "Float64", bool: "Bool", str: "String"}
    listed = []
    for column, kind in columns(rows).items():
        nullable = any(row.get(column) is None for row in rows)
        listed.append(f"{quoted(column)} {f'Nullable({types[kind]})' if nullable else types[kind]}")
    run(f"create table {quoted(name)} ({', '.join(listed)}) engine = Memory")
    lines = "\n".join("\t".join(map(as_text, row)) for row in cells(rows))
    run(f"insert into {quoted(name)} format TSV\n{lines}")


def as_text(value: Any) -> str:
    """A value in a file of tab-separated values."""
    if value is None:
        return r"\N"
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
