"""DuckDB in this process: opens data of every kind, looks up the columns and runs the statement."""

from __future__ import annotations

import functools
import glob
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from sqlmetrics.book.templates import macros
from sqlmetrics.engines import check_dialect
from sqlmetrics.engines.duckdb_connection import alone, heard, interruptible, refuse_open_result
from sqlmetrics.engines.files import StandardInput, as_utf8, files_of, found_at, is_url, no_file, unescaped
from sqlmetrics.engines.first_lines import kinds_in_files, named_twice
from sqlmetrics.engines.folders import Found
from sqlmetrics.engines.formats import format_to_read
from sqlmetrics.engines.lacking import lacked, names_in_parquet, note_of
from sqlmetrics.engines.names import NAME, PART
from sqlmetrics.engines.protocol import Relation, source_of
from sqlmetrics.engines.tables import as_scannable, names_of, part_of
from sqlmetrics.engines.text_files import TextFile
from sqlmetrics.errors import DataError, SqlMetricsError
from sqlmetrics.given.columns import Columns

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.given.reads import Reads

DIALECT = "duckdb"
# What DuckDB proposes in place of an unknown name, if it has columns of ours, such as those of a state.
OUR_CANDIDATES = re.compile(r" Candidate bindings: .*\bsm_.*")

# The options of DuckDB's reader that its messages propose, which a call does not take.
PROPOSED = re.compile(r" (Possible (fixes|Solution):|Try setting ).*")
# How DuckDB says that an extension is missing: it could not be fetched, or may not be loaded unasked.
EXTENSION = re.compile(
    r"Failed to download extension \"(\w+)|exists in the (\w+) extension|requires the extension (\w+)"
    r"|install the required extension '(\w+)"
)

# Errors of a statement, such as a caller's expression, rather than of the data.
OF_STATEMENTS = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)


def in_utc(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A connection of our own, which takes the days of instants in UTC."""
    with suppress(duckdb.Error):  # without the extension icu there are no other zones
        connection.execute(macros(DIALECT)["duckdb__sql_utc"]())
    return connection


@functools.cache
def _own_database() -> duckdb.DuckDBPyConnection:
    return in_utc(duckdb.connect(":memory:"))


class Session:
    """A connection and the relations that were opened on it."""

    dialect = DIALECT

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, given: bool, pressed: list[BaseException]
    ) -> None:
        self._connection = connection
        self._pressed = pressed  # Ctrl-C, as `heard`
        self._given = given  # True for a user's connection, in which data may be the name of a table
        self._registered: list[str] = []
        self._called: dict[str, str] = {}  # what messages call a temporary file
        self.files: dict[str, str] = {}
        self.lacking: tuple[str, ...] = ()

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of a path, a glob, a list of paths, a table name, a query or any kind of table."""
        name = self._free(f"sm_{role}_rows")

        def read(paths: list[str]) -> Relation:
            if isinstance(data, StandardInput):
                self._called[paths[0]] = str(data)
            return self._files(paths, role, reads, name)

        if isinstance(data, (str, os.PathLike)):
            return self._named(os.fspath(data), read)
        if isinstance(data, (list, tuple)) and data and all(isinstance(p, (str, os.PathLike)) for p in data):
            return read([os.fspath(path) for path in data])
        table, unread = as_scannable(data, role)
        try:
            self._register(name, table)
        except duckdb.Error as error:
            table, refused = self._readable(name, table)
            if not refused:
                raise DataError(f"DuckDB cannot read the {role}: {_reason(error)}") from error
            unread |= refused
            self._run(lambda: self._register(name, table), f"the {role}")
        return Relation(name, f"the {role}", unread=unread)

    def _free(self, name: str) -> str:
        """A name that no table has, since a user's connection may have one of that name."""
        if not self._given:
            return name
        names = chain([name], (f"{name}_{number}" for number in count(2)))
        return next(one for one in names if not (self._table(one) or self._table(f"{one}_texts")))

    def _register(self, name: str, table: Any) -> None:
        """Makes a table readable under a name; raises the error of DuckDB if it cannot read a column's type."""
        if name not in self._registered:  # noted first, since an interrupt may come in between
            self._registered.append(name)
        with interruptible(self._pressed):
            self._connection.register(name, table)
            self._connection.sql(macros(DIALECT)["sql_no_rows"](name))

    def _readable(self, name: str, table: Any) -> tuple[Any, dict[str, str]]:
        """The columns of a table that DuckDB can read, and why it cannot read the others."""
        kept, refused = [], {}
        for place, column in enumerate(names_of(table)):
            try:
                self._register(name, part_of(table, [place]))
            except duckdb.Error as error:
                refused[str(column)] = f"cannot be read by DuckDB: {_reason(error)}"
            else:
                kept.append(place)
        return part_of(table, kept), refused if kept else {}

    def _named(self, text: str, read: Callable[[list[str]], Relation]) -> Relation:
        try:
            text.encode()
        except UnicodeEncodeError:  # bytes of a path, which neither a name nor a query can hold
            return read([text])
        # looked up by name, since DuckDB would otherwise open a file of that name as a table
        name = text.strip()
        if self._given and NAME.fullmatch(name) and (self._lists(name.split(".")[-1]) or not files_of(text)):
            found = self._table(name)
            if found:
                return found
        if self._given and self._lists(text):
            return Relation(macros(DIALECT)["sql_quote"](text), text)
        if files_of(text) or not self._given:
            return read([text])
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
        """Whether the connection has a table or view of that name in any schema."""
        query = macros(DIALECT)["duckdb__sql_tables"](name)
        return bool(self._run(lambda: self._connection.execute(query).fetchall(), name))

    def _table(self, name: str) -> Relation | None:
        try:
            with interruptible(self._pressed):
                self._connection.sql(macros(DIALECT)["sql_no_rows"](name))
        except (*OF_STATEMENTS, duckdb.InvalidInputException):
            return None
        except duckdb.Error as error:
            raise SqlMetricsError(f"DuckDB cannot read {name}: {_reason(error)}") from error
        catalog = re.sub(r'^"|"$', "", re.match(PART, name)[0]).replace('""', '"')  # type: ignore[index]
        elsewhere = macros(DIALECT)["duckdb__sql_elsewhere"](catalog)
        # a table of another engine is fetched for each reading; DuckDB 1.5 fails to push filters into SQLite
        once = bool(self._run(lambda: self._connection.execute(elsewhere).fetchall(), name))
        return Relation(name, name, read_once=once)

    def _files(self, paths: list[str], role: str, reads: Reads, table: str) -> Relation:
        found = {path: self._remote(path) if is_url(path) else found_at(path) for path in paths}
        for path, one in found.items():
            if not (one.files or one.tables):
                hint = "" if self._given else "; a table name or a query needs connection="
                raise DataError(f"{no_file(path)}{hint}")
        form = format_to_read(found)
        expanded = [file for path in paths for file in found[path].files or found[path].tables]
        _refuse_repeated(expanded)
        name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        called = self._called.get(name)
        name = called or name
        if form in ("delta", "iceberg"):
            expanded = list(map(unescaped, expanded))
        expanded = list(map(as_utf8, expanded))
        if form not in ("csv", "json"):
            text = str(macros(DIALECT)["duckdb__sql_files"](expanded, form)).strip()
            parquet = expanded if form == "parquet" else []
            if len(parquet) > 1:
                near = parquet[: 100 if is_url(parquet[0]) else None]  # each file far away takes a request
                names = self._run(lambda: names_in_parquet(self._connection, near), name)
                self.lacking += tuple(note_of(column, files) for column, files in lacked(names, reads))
            return Relation(text, name, read_once=not parquet, parquet=parquet)
        self.files[table] = ""  # noted first, since an interrupt may come in between
        file = TextFile(self._connection, expanded, form, name, table, called)
        relation: Relation
        relation, rows = self._run(lambda: file.stored(reads), name)
        if not rows and role != "history":
            raise DataError(f"{name} has no row")
        self.files[table] = relation.query
        self.lacking += tuple(relation.lacking)
        return relation

    def _remote(self, url: str) -> Found:
        """The files of a URL: of a folder, if it ends in a slash, and of a glob. A web server lists no files."""
        folder = url.endswith("/")
        if url.startswith("http") or not (folder or glob.has_magic(url)):
            return Found([url])
        listed = self._matched([f"{url}**" if folder else url], url)
        below = Found.below(file.removeprefix(url) for file in listed) if folder else Found(listed)
        files = [url + file for file in below.files] if folder else listed
        tables = {(url + table).rstrip("/"): form for table, form in below.tables.items()}
        places = {place for file in files for place in _above(file)}
        logs = [
            f"{place}/{log}"
            for place in sorted(places)
            for log in ("_delta_log/*", "metadata/*.metadata.json")
        ]
        tables |= Found.below(self._matched(logs, url)).tables if logs else {}
        return Found(list(map(glob.escape, files)), tables)

    def _matched(self, patterns: list[str], url: str) -> list[str]:
        """The remote files that patterns match."""
        query = str(macros(DIALECT)["duckdb__sql_matched"](patterns))
        return [file for (file,) in self._run(lambda: self._connection.execute(query).fetchall(), url, query)]

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types."""
        # without a connection a query is data as a relation of DuckDB, which finds a variable of its name
        source = source_of(self, relation, "{}" if self._given else "duckdb.sql({})")
        if relation.types is not None:
            types, unread = relation.types, relation.unread
            return Columns(
                types, macros(DIALECT), relation.name, unread, relation.note, source, relation.first_text
            )
        query = macros(DIALECT)["sql_no_rows"](relation.text)
        described = self._run(lambda: self._connection.sql(query), relation.name, query)
        types = {
            name: str(kind).upper() for name, kind in zip(described.columns, described.types, strict=True)
        }
        paths = relation.parquet
        twice = named_twice(self._connection, paths, "parquet", types) if paths else {}
        types = {name: kind for name, kind in types.items() if name not in twice}
        in_files = functools.partial(kinds_in_files, self._connection, paths) if len(paths) > 1 else None
        unread = {**relation.unread, **twice}
        return Columns(types, macros(DIALECT), relation.name, unread, source=source, in_files=in_files)

    def repeats(self, relation: Relation, column: str) -> bool:
        """Whether a column has few distinct values for its number of rows, judged by a sample."""
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
            with interruptible(self._pressed):
                return ask()
        except duckdb.Error as error:
            kind = SqlMetricsError if isinstance(error, OF_STATEMENTS) else DataError
            reason = _reason(error)
            for file, called in self._called.items():
                reason = reason.replace(file, called)
            raise kind(f"DuckDB cannot read {name}: {reason}", sql=statement) from error

    def close(self) -> None:
        """Unregisters the data; a user's connection stays open."""
        self._pressed.clear()
        while self.files:
            remove = macros(DIALECT)["duckdb__sql_remove"]([*self.files][-1])
            # a transaction of the user that failed takes the table with it
            with suppress(duckdb.TransactionException):
                self._connection.execute(remove)
            self.files.popitem()
        while self._registered:
            self._run(lambda: self._connection.unregister(self._registered[-1]), "the data")
            self._registered.pop()


def _fetched(result: duckdb.DuckDBPyConnection) -> pa.Table:
    """The rows of an `execute`. `sql()` would save a copy of a few rows, but plan the statement twice."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Arrow output on a DB-API result")
        # the method has a new name from DuckDB 2 on
        name = "to_arrow_table" if hasattr(result, "to_arrow_table") else "fetch_arrow_table"
        return getattr(result, name)()


def _reason(error: duckdb.Error) -> str:
    """DuckDB's message without its quotation of the statement."""
    reason = " ".join(
        line.strip() for line in str(error).split("\nLINE ")[0].splitlines()[:4] if line.strip()
    )
    extension = EXTENSION.search(reason)
    if extension:
        name = next(filter(None, extension.groups()))
        install = macros(DIALECT)["duckdb__sql_extension"](name)
        return (
            f"this takes DuckDB's extension {name}, which could not be loaded; run {install} on the connection, with"
            " access to DuckDB's extensions"
        )
    if "HTTP 403" in reason:
        return f"{reason}; connection= takes a DuckDB connection that has a secret for this place (CREATE SECRET)"
    if "version-hint" in reason:
        return (
            "the folder does not say which version of the Iceberg table is the current one; pass its file of metadata,"
            " such as metadata/00002-....metadata.json, or pyiceberg's table.scan().to_arrow()"
        )
    if "magic bytes" in reason or "too small to be a Parquet file" in reason:
        return "it is not a Parquet file; the suffix of CSV and JSON is .csv or .json"
    if "not utf-8 encoded" in reason:
        return (
            "it is no text in UTF-8; convert it (iconv -f latin1 -t utf-8, or -f utf-16 for Excel's Unicode), or end"
            " the name of a compressed file in .gz or .zst"
        )
    return PROPOSED.sub("", OUR_CANDIDATES.sub("", reason))


def _above(url: str) -> list[str]:
    """The folders above a remote file that are no partitions of their table."""
    parts = url.split("/")
    return ["/".join(parts[:end]) for end in range(3, len(parts)) if "=" not in parts[end - 1]]


def _refuse_repeated(patterns: list[str]) -> None:
    """Checks that no file is named twice, even by different names, since its rows would count twice."""
    first: dict[object, str] = {}
    for pattern in patterns:
        path = unescaped(pattern)
        key: object = path
        if not is_url(path):
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
    """A session on the user's connection, or on a new database in memory.

    Raises:
        SqlMetricsError: not a connection of DuckDB, or another dialect.
    """
    check_dialect(dialect, DIALECT, "DuckDB")
    if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
        raise SqlMetricsError(f"connection= takes a DuckDB connection, got {type(connection).__name__}")
    used = connection or _own_database().cursor()
    with alone(used), heard(used) as pressed:
        if connection is not None:
            with interruptible(pressed):
                refuse_open_result(used)
        with closing(Session(used, connection is not None, pressed)) as opened:
            yield opened
