"""ClickHouse: chdb in this process, and the clients of a server, with or without the DB-API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlmetrics.engines import check_dialect, dbapi
from sqlmetrics.engines.drivers import driver_of, table_of
from sqlmetrics.engines.protocol import Relation
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import Columns

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.given.reads import Reads

DIALECT = "clickhouse"
# A table function such as file('clicks.parquet'), which can be read like a table.
TABLE_FUNCTION = re.compile(r"\w+\s*\(.*\)", re.DOTALL)
# Types that are text here, but numbers or bytes in Arrow.
SHOWN_AS_TEXT = ("ENUM", "UUID", "FIXEDSTRING")


class Session(dbapi.Session):
    """The user's session or client."""

    def __init__(self, connection: Any) -> None:
        of_dbapi = hasattr(connection, "cursor") and not hasattr(connection, "query")
        super().__init__(connection if of_dbapi else Client(connection), DIALECT)
        self._driver = driver_of(connection)

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of a table name, a table function or a query."""
        if isinstance(data, str) and TABLE_FUNCTION.fullmatch(data.strip()):
            relation = Relation(data.strip(), data.strip())
            self.columns(relation)
            return relation
        return super().open(data, role, reads)

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types."""
        found = super().columns(relation)
        return ShownColumns(found.types, found.words, found.where, source=found.source)


class ShownColumns(Columns):
    """Columns, cast to text if Arrow returns their values as codes or bytes."""

    def text(self, column: str, role: str) -> str:
        """The SQL of a column."""
        text = super().text(column, role)
        shown = self.types.get(column, "").startswith(SHOWN_AS_TEXT)
        return str(self.words["sql_string"](text)) if shown else text


class Client:
    """A session of chdb or a client of a server, with the methods of a DB-API connection and cursor."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._table: pa.Table = None

    def cursor(self) -> Client:
        """The client itself, since statements run one after the other."""
        return self

    def execute(self, statement: str) -> None:
        """Runs a statement and keeps its result."""
        self._table = _table(self._client, statement)

    def fetch_arrow_table(self) -> pa.Table:
        """The result."""
        return self._table

    def fetchall(self) -> list[tuple[Any, ...]]:
        """The rows of the result."""
        return [tuple(row.values()) for row in self._table.to_pylist()]

    def close(self) -> None:
        """Forgets the result; the user's client stays open."""
        self._table = None


def _table(client: Any, statement: str) -> pa.Table:
    if hasattr(client, "query_arrow"):  # clickhouse-connect
        return client.query_arrow(statement, use_strings=True)
    if hasattr(client, "query"):  # chdb
        return client.query(statement, "ArrowTable")
    rows, columns = client.execute(statement, with_column_types=True)  # clickhouse-driver
    return table_of(rows, [name for name, _ in columns])


@contextmanager
def session(connection: Any, dialect: str | None) -> Iterator[Session]:
    """A session on the user's connection, session or client.

    Raises:
        SqlMetricsError: not a connection, session or client; an asynchronous one; another dialect.
    """
    check_dialect(dialect, DIALECT, "ClickHouse")
    asked = any(hasattr(connection, name) for name in ("query", "query_arrow", "execute", "cursor"))
    if not asked or hasattr(connection, "__aenter__"):
        raise SqlMetricsError(
            "connection= takes a session or connection of chdb, or a client or connection of clickhouse-connect or"
            f" clickhouse-driver, got {type(connection).__name__}"
        )
    yield Session(connection)
