"""DuckDB in this process: opens whatever the user brings, asks for its columns, runs the statement."""

from __future__ import annotations

import functools
import glob
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import duckdb

from sqlmetrics.columns import Columns
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.templates import macros

if TYPE_CHECKING:
    import pyarrow as pa

DIALECT = "duckdb"


@functools.cache
def _own_database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


class Session:
    """A connection and the relations that were opened on it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, given: bool) -> None:
        self._connection = connection
        self._given = given  # whether names of the user's own tables may be meant
        self._registered: list[str] = []

    def open(self, data: Any, name: str) -> str:
        """The SQL of a relation for a path, a glob, a list of paths, a table name, a query or any kind of table."""
        if isinstance(data, os.PathLike):
            data = os.fspath(data)
        if isinstance(data, str):
            return self._named(data)
        if (
            isinstance(data, (list, tuple))
            and data
            and all(isinstance(path, (str, os.PathLike)) for path in data)
        ):
            return self._files([os.fspath(path) for path in data])
        self._connection.register(f"sm_{name}", _scannable(data))
        self._registered.append(f"sm_{name}")
        return f"sm_{name}"

    def _named(self, text: str) -> str:
        start = text.lstrip().lower()
        if self._given and start.startswith(("select ", "select\n", "with ", "with\n", "from ", "(")):
            return f"({text})"
        if self._given and not _is_file(text):
            return text
        return self._files([text])

    def _files(self, paths: list[str]) -> str:
        for path in paths:
            if "://" not in path and not glob.glob(path, recursive=True):
                hint = "" if self._given else "; a table name or a query needs connection="
                raise SqlMetricsError(f"No file matches '{path}'{hint}")
        return str(macros(DIALECT)["sm_files"](paths)).strip()

    def columns(self, relation: str, where: str) -> Columns:
        """The columns of a relation with their types."""
        described = self._run(lambda: self._connection.sql(macros(DIALECT)["sm_no_rows"](relation)), where)
        types = {
            name: str(kind).upper() for name, kind in zip(described.columns, described.types, strict=True)
        }
        return Columns(types, macros(DIALECT)["sm_quote"], where)

    def repeats(self, relation: str, column: str) -> bool:
        """Whether a column takes few values for its number of rows, judged by a sample."""
        probe = macros(DIALECT)["sm_probe"](relation, column)
        [(rows, distinct)] = self._run(lambda: self._connection.sql(probe).fetchall(), "the data")
        return bool(rows > 20 * distinct)

    def query(self, statement: str) -> pa.Table:
        """Runs a statement."""
        return self._run(lambda: self._connection.sql(statement).to_arrow_table(), "the data")

    def _run(self, ask: Callable[[], Any], where: str) -> Any:
        try:
            return ask()
        except duckdb.Error as error:
            raise SqlMetricsError(f"DuckDB cannot read {where}: {_first_line(error)}") from error

    def close(self) -> None:
        """Forgets what was registered; a connection of the user's stays open."""
        for name in self._registered:
            self._connection.unregister(name)


def _is_file(text: str) -> bool:
    return "://" in text or bool(glob.glob(text, recursive=True))


def _scannable(data: Any) -> Any:
    """The object itself where DuckDB can scan it again and again, else an Arrow table of it."""
    import pyarrow as pa
    import pyarrow.dataset

    if isinstance(data, (pa.Table, pyarrow.dataset.Dataset)):
        return data
    if isinstance(data, duckdb.DuckDBPyRelation):
        return data.to_arrow_table()
    if isinstance(data, pa.RecordBatchReader):
        return data.read_all()
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if type(data).__module__.split(".")[0] == "pandas":
        return data
    if hasattr(data, "collect") and type(data).__module__.split(".")[0] == "polars":
        data = data.collect()
    if hasattr(data, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(data).read_all()
    if isinstance(data, dict) and data:
        return pa.table(data)
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        return pa.Table.from_pylist(data)
    raise SqlMetricsError(
        f"Cannot read data of type {type(data).__name__}. Pass a path, a list of paths, an Arrow, pandas or polars"
        " table, a DuckDB relation, or a table name or query together with connection="
    )


@contextmanager
def session(connection: object) -> Iterator[Session]:
    """A session on the user's connection, or on a database of our own in memory."""
    if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
        raise SqlMetricsError(f"connection= takes a DuckDB connection, got {type(connection).__name__}")
    opened = Session(connection or _own_database().cursor(), given=connection is not None)
    try:
        yield opened
    finally:
        opened.close()
