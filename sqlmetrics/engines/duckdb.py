"""DuckDB in this process: opens whatever the user brings, asks for its columns, runs the statement."""

from __future__ import annotations

import functools
import os
import re
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from sqlmetrics.columns import Columns
from sqlmetrics.engines import check_dialect
from sqlmetrics.engines.files import files_of
from sqlmetrics.engines.names import NAME
from sqlmetrics.engines.protocol import Relation
from sqlmetrics.engines.tables import as_scannable
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.templates import macros

if TYPE_CHECKING:
    import pyarrow as pa

DIALECT = "duckdb"
# What `glob.escape` writes for a character that a pattern reads.
GLOBBED = re.compile(r"\[([*?[])\]")


@functools.cache
def _own_database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(":memory:")


class Session:
    """A connection and the relations that were opened on it."""

    dialect = DIALECT

    def __init__(self, connection: duckdb.DuckDBPyConnection, given: bool) -> None:
        self._connection = connection
        self._given = given  # whether names of the user's own tables may be meant
        self._registered: list[str] = []

    def open(self, data: Any, role: str) -> Relation:
        """The relation of a path, a glob, a list of paths, a table name, a query or any kind of table."""
        if isinstance(data, (str, os.PathLike)):
            return self._named(os.fspath(data))
        if isinstance(data, (list, tuple)) and data and all(isinstance(p, (str, os.PathLike)) for p in data):
            return self._files([os.fspath(path) for path in data])
        # a user's connection may have a table of our name
        name = f"sm_{role}_{uuid.uuid4().hex}" if self._given else f"sm_{role}"
        table = as_scannable(data, role)
        self._run(lambda: self._connection.register(name, table), f"the {role}")
        self._registered.append(name)
        return Relation(name, f"the {role}")

    def _named(self, text: str) -> Relation:
        # asked for by name: DuckDB would open a file as a table of that name
        name = text.strip()
        if self._given and NAME.fullmatch(name) and (not files_of(text) or self._lists(name.split(".")[-1])):
            found = self._table(name)
            if found:
                return found
        if self._given and self._lists(text):
            return Relation(macros(DIALECT)["sql_quote"](text), text)
        if files_of(text) or not self._given:
            return self._files([text])
        try:
            statements = self._connection.extract_statements(text)
        except duckdb.Error as error:
            raise SqlMetricsError(
                f"'{text}' is no table of the connection, no file and no query: {_reason(error)}"
            ) from error
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise SqlMetricsError(f"'{text}' is not one query: data is a table, a file or a single select")
        return Relation(f"({text.strip().rstrip(';')}\n)", "the query", read_once=True)

    def _lists(self, name: str) -> bool:
        """Whether the connection lists a table or view of that name, in whatever schema."""
        query = macros(DIALECT)["duckdb__sql_tables"](name)
        return bool(self._run(lambda: self._connection.execute(query).fetchall(), name))

    def _table(self, name: str) -> Relation | None:
        try:
            self._connection.sql(macros(DIALECT)["sql_no_rows"](name))
        except (
            duckdb.CatalogException,
            duckdb.BinderException,
            duckdb.ParserException,
            duckdb.InvalidInputException,
        ):
            return None
        except duckdb.Error as error:
            raise SqlMetricsError(f"DuckDB cannot read {name}: {_reason(error)}") from error
        return Relation(name, name)

    def _files(self, paths: list[str]) -> Relation:
        found = [(path, files_of(path)) for path in paths]
        for path, files in found:
            if not files:
                hint = "" if self._given else "; a table name or a query needs connection="
                raise SqlMetricsError(f"No file matches '{path}'{hint}")
        expanded = [file for _, files in found for file in files]
        _refuse_repeated(expanded)
        name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        text = str(macros(DIALECT)["duckdb__sql_files"](expanded)).strip()
        return Relation(text, name, read_once=not text.startswith("read_parquet"))

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types."""
        query = macros(DIALECT)["sql_no_rows"](relation.text)
        described = self._run(lambda: self._connection.sql(query), relation.name, query)
        types = {
            name: str(kind).upper() for name, kind in zip(described.columns, described.types, strict=True)
        }
        return Columns(types, macros(DIALECT), relation.name)

    def repeats(self, relation: Relation, column: str) -> bool:
        """Whether a column takes few values for its number of rows, judged by a sample."""
        if relation.read_once:
            return False
        probe = macros(DIALECT)["duckdb__sql_probe"](relation.text, column)
        [(rows, distinct)] = self._run(lambda: self._connection.sql(probe).fetchall(), relation.name, probe)
        return bool(rows > 20 * distinct)

    def query(self, statement: str, name: str) -> pa.Table:
        """Runs a statement."""
        return self._run(lambda: _fetched(self._connection.execute(statement)), name, statement)

    def _run(self, ask: Callable[[], Any], name: str, statement: str | None = None) -> Any:
        try:
            return ask()
        except duckdb.Error as error:
            raise SqlMetricsError(f"DuckDB cannot read {name}: {_reason(error)}", sql=statement) from error

    def close(self) -> None:
        """Forgets what was registered; a connection of the user's stays open."""
        for name in self._registered:
            self._connection.unregister(name)


def _fetched(result: duckdb.DuckDBPyConnection) -> pa.Table:
    """The rows of a result. `sql()` would plan the statement twice, to save a copy of what is a few rows."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Arrow output on a DB-API result")
        # DuckDB 2 gave the method its second name
        name = "to_arrow_table" if hasattr(result, "to_arrow_table") else "fetch_arrow_table"
        return getattr(result, name)()


def _reason(error: duckdb.Error) -> str:
    """What DuckDB says, without the statement it points into."""
    reason = " ".join(
        line.strip() for line in str(error).split("\nLINE ")[0].splitlines()[:4] if line.strip()
    )
    if "magic bytes" in reason or "too small to be a Parquet file" in reason:
        return "it is not a Parquet file; CSV and JSON are told by their suffix (.csv, .json)"
    return reason


def _refuse_repeated(patterns: list[str]) -> None:
    """Refuses a file that is named twice, by whatever name: its rows would count twice.

    Raises:
        SqlMetricsError: see there.
    """
    first: dict[object, str] = {}
    for pattern in patterns:
        path = GLOBBED.sub(r"\1", pattern)
        key: object = path
        if "://" not in path:
            status = Path(path).stat()
            key = (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)
        if key in first:
            other = "" if first[key] == path else f" (as '{first[key]}', too)"
            raise SqlMetricsError(
                f"File '{path}' is named twice{other}, so that its rows would count twice; name it once"
            )
        first[key] = path


@contextmanager
def session(connection: duckdb.DuckDBPyConnection | None, dialect: str | None = None) -> Iterator[Session]:
    """A session on the user's connection, or on a database of our own in memory."""
    check_dialect(dialect, DIALECT, "DuckDB")
    if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
        raise SqlMetricsError(f"connection= takes a DuckDB connection, got {type(connection).__name__}")
    opened = Session(connection or _own_database().cursor(), given=connection is not None)
    try:
        yield opened
    finally:
        opened.close()
