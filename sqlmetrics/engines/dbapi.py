"""Connections of the DB-API 2.0, including ADBC: statements run there and return one small result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.templates import macros
from sqlmetrics.engines import protocol
from sqlmetrics.engines.drivers import (
    arrow_type,
    dialect_of,
    driver_of,
    has_open_result,
    in_transaction,
    plain,
    table_of,
    type_name,
)
from sqlmetrics.engines.files import files_of
from sqlmetrics.engines.names import relation_of
from sqlmetrics.engines.protocol import Relation, source_of
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import Columns

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.given.reads import Reads

# Hints for error messages of engines that do not name the cure, by a pattern that they match.
HINTS = {
    "no such function": "; this build of SQLite lacks it. Its mathematical functions come with builds from 3.35 on that"
    " have SQLITE_ENABLE_MATH_FUNCTIONS, or are added with connection.create_function",
    r"circular reference: (\w+)": "; parts of the statement have names that begin with sm_, so write this one with its"
    r" schema, such as main.\1",
}


class Session(protocol.Session):
    """The user's connection. Nothing is committed. With savepoints, an error breaks no open transaction.

    A transaction that the driver began for the call is rolled back at its end, so that none stays open.
    """

    def __init__(self, connection: Any, dialect: str) -> None:
        self._connection = connection
        self._driver = driver_of(connection)
        self._macros = macros(dialect)
        self._described: dict[Relation, Columns] = {}
        # after an error ADBC accepts only a rollback
        self._has_savepoints = not hasattr(connection, "adbc_get_info")
        self.dialect = dialect
        self.files: dict[str, str] = {}

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of a table name or a query."""
        if not isinstance(data, str):
            raise SqlMetricsError(
                f"With a connection of {self._driver} the {role} is the name of a table there or a"
                f" query, got {type(data).__name__}; leave connection= out to read it in this process"
            )
        try:
            return relation_of(data, self._macros["sql_quote"], self.columns, self._macros["sql_fold"])
        except SqlMetricsError as error:
            if not files_of(data):
                raise
            raise SqlMetricsError(f"{error}. To read the file, leave connection= out") from error

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types, from a query that returns no row."""
        if relation not in self._described:
            no_rows = self._macros["sql_no_rows"](relation.text)
            types = self._ask(no_rows, relation.name, self._types)
            statement = self._macros["sql_types"](relation.text, list(types))
            if statement:  # the driver does not report types
                [row] = self._ask(statement, relation.name, _rows)
                types = {name: str(kind or "").upper() for name, kind in zip(types, row, strict=True)}
            self._described[relation] = Columns(
                types, self._macros, relation.name, source=source_of(self, relation)
            )
        return self._described[relation]

    def query(self, statement: str, name: str) -> pa.Table:
        """Runs a statement."""
        return self._ask(statement, name, _table)

    def _types(self, cursor: Any) -> dict[str, str]:
        if hasattr(cursor, "fetch_arrow_table"):
            return {field.name: arrow_type(field.type) for field in cursor.fetch_arrow_table().schema}
        cursor.fetchall()
        return {column[0]: type_name(column[1], self.dialect) for column in cursor.description}

    def _ask(self, statement: str, name: str, fetch: Callable[[Any], Any]) -> Any:
        """Runs a statement and returns what `fetch` reads from the cursor."""
        self._savepoint("set")
        try:
            found = self._run(statement, fetch)
        except Exception as error:  # each driver has its own error classes
            self._savepoint("undo")
            self._savepoint("drop")
            message = f"The connection ({self.dialect}) cannot read {name}: {_reason(error)}"
            raise SqlMetricsError(message, sql=statement) from error
        self._savepoint("drop")
        return found

    def _run(self, statement: str, fetch: Callable[[Any], Any] = lambda cursor: None) -> Any:
        with closing(self._connection.cursor()) as cursor:
            cursor.execute(statement)
            return fetch(cursor)

    def _savepoint(self, step: str) -> None:
        """Protects the user's open transaction from errors: sets, undoes or drops a savepoint."""
        statement = self._macros["sql_savepoint"](step)
        if statement and self._has_savepoints:
            try:
                self._run(statement)
            except Exception:  # there is no transaction, or it is already broken
                self._has_savepoints = False


def _rows(cursor: Any) -> list[list[Any]]:
    """The rows of a result. Some connections are configured to return them as mappings."""
    return [list(row.values() if isinstance(row, Mapping) else row) for row in cursor.fetchall()]


def _table(cursor: Any) -> pa.Table:
    if hasattr(cursor, "fetch_arrow_table"):
        return plain(cursor.fetch_arrow_table())
    return table_of(_rows(cursor), [column[0] for column in cursor.description])


def _reason(error: Exception) -> str:
    """The engine's message without its quotation of the statement, and a hint if there is one."""
    last = error.args[-1] if error.args else ""  # an error number may come first
    text = str(last if isinstance(last, str) and last.strip() else error)
    text = re.split(r"\n(?:LINE \d|query: )|[.:] In scope ", text)[0]
    reason = " ".join(line.strip() for line in text.splitlines()[:4] if line.strip()) or type(error).__name__
    found = ((re.search(pattern, reason), hint) for pattern, hint in HINTS.items())
    return reason + next((match.expand(hint) for match, hint in found if match), "")


@contextmanager
def session(connection: Any, dialect: str | None) -> Iterator[Session]:
    """A session on the user's connection.

    Raises:
        SqlMetricsError: not a connection of the DB-API, or one with an unknown dialect and no `dialect`.
    """
    no_object = isinstance(connection, (type, ModuleType))
    if no_object or not hasattr(connection, "cursor") or hasattr(connection, "__aenter__"):
        engine = hasattr(connection, "dialect")
        hint = "; of an SQLAlchemy engine pass engine.raw_connection()" if engine else ""
        raise SqlMetricsError(
            "connection= takes an open connection of DuckDB, the DB-API 2.0 (such as psycopg.connect(...)) or ADBC,"
            " a SparkSession, a session of chdb, a client of ClickHouse or a SessionContext of DataFusion,"
            f" got {type(connection).__name__}{hint}"
        )
    opened = Session(connection, dialect_of(connection) if dialect is None else dialect)
    if has_open_result(connection):
        raise SqlMetricsError(
            "The connection has a result with rows that are not fetched, which a call would drop; fetch them, or pass"
            " another connection"
        )
    begun = in_transaction(connection)
    try:
        yield opened
    finally:
        if begun is False and in_transaction(connection):  # by a driver, for the first statement
            connection.rollback()
