"""ClickHouse: chdb in this process, and the clients of a server, whether or not they are connections of the DB-API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlmetrics.engines import dbapi
from sqlmetrics.engines.drivers import driver_of
from sqlmetrics.engines.protocol import Relation
from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    import pyarrow as pa

DIALECT = "clickhouse"
# Such as file('clicks.parquet'), which is read as a table is.
TABLE_FUNCTION = re.compile(r"\w+\s*\(.*\)", re.DOTALL)


class Session(dbapi.Session):
    """The user's session or client."""

    def __init__(self, connection: Any) -> None:
        # chdb's own have `query`, which gives Arrow
        of_dbapi = hasattr(connection, "cursor") and not hasattr(connection, "query")
        super().__init__(connection if of_dbapi else Client(connection), DIALECT)
        self._driver = driver_of(connection)

    def open(self, data: Any, role: str) -> Relation:
        """The relation of a table name, a table function or a query."""
        if isinstance(data, str) and TABLE_FUNCTION.fullmatch(data.strip()):
            relation = Relation(data.strip(), data.strip())
            self.columns(relation)
            return relation
        return super().open(data, role)


class Client:
    """What a session of chdb or a client of a server is asked for, in the words of the DB-API."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._table: pa.Table = None

    def cursor(self) -> Client:
        """Itself: statements run one after the other."""
        return self

    def execute(self, statement: str) -> None:
        """Runs a statement."""
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
    import pyarrow as pa

    if hasattr(client, "query_arrow"):  # clickhouse-connect
        return client.query_arrow(statement)
    if hasattr(client, "query"):  # chdb
        return client.query(statement, "ArrowTable")
    rows, columns = client.execute(statement, with_column_types=True)  # clickhouse-driver
    return pa.table([[row[at] for row in rows] for at in range(len(columns))], [name for name, _ in columns])


@contextmanager
def session(connection: Any, dialect: str | None) -> Iterator[Session]:
    """A session on the user's connection, session or client."""
    if dialect not in (None, DIALECT):
        raise SqlMetricsError(f"dialect='{dialect}' is not what ClickHouse speaks; leave dialect= out")
    # SQLAlchemy's pool wraps the driver's own
    connection = getattr(connection, "driver_connection", connection)
    yield Session(connection)
