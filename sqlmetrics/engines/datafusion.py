"""DataFusion in this process: statements run in the user's context, which returns one small result."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.templates import macros
from sqlmetrics.engines import check_dialect, libraries, protocol
from sqlmetrics.engines.drivers import arrow_type
from sqlmetrics.engines.names import relation_of
from sqlmetrics.engines.protocol import Relation, source_of
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import Columns

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.given.reads import Reads


class Session(protocol.Session):
    """The user's context, and the views that name its DataFrames in statements."""

    dialect = "datafusion"

    def __init__(self, context: Any) -> None:
        self._context = context
        self._views: list[str] = []
        self.files: dict[str, str] = {}

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of a table name, a query or a DataFrame of DataFusion."""
        if isinstance(data, str):
            return relation_of(data, macros(self.dialect)["sql_quote"], self.columns)
        if not libraries(data)[0].startswith("datafusion"):
            raise SqlMetricsError(
                f"With a context of DataFusion the {role} is the name of a table there, a query or one of its"
                f" DataFrames, got {type(data).__name__}; leave connection= out to read it with DuckDB"
            )
        name = f"sm_{role}_{uuid.uuid4().hex}"
        self._context.register_table(name, data.into_view())
        self._views.append(name)
        return Relation(name, f"the {role}")

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types."""
        statement = macros(self.dialect)["sql_no_rows"](relation.text)
        schema = self._ask(statement, relation.name, lambda found: found.schema())
        types = {field.name: arrow_type(field.type) for field in schema}
        return Columns(types, macros(self.dialect), relation.name, source=source_of(self, relation))

    def query(self, statement: str, name: str) -> pa.Table:
        """Runs a statement."""
        return self._ask(statement, name, lambda found: found.to_arrow_table())

    def close(self) -> None:
        """Removes the views of DataFrames."""
        for name in self._views:
            self._context.deregister_table(name)

    def _ask(self, statement: str, name: str, fetch: Callable[[Any], Any]) -> Any:
        try:
            return fetch(self._context.sql(statement))
        except Exception as error:  # DataFusion raises plain Exception
            reason = str(error).splitlines()[0]
            raise SqlMetricsError(f"DataFusion cannot read {name}: {reason}", sql=statement) from error


@contextmanager
def session(context: Any, dialect: str | None) -> Iterator[Session]:
    """A session on the user's context.

    Raises:
        SqlMetricsError: not a context, or another dialect.
    """
    if not hasattr(context, "register_table"):
        raise SqlMetricsError(
            f"connection= takes a SessionContext of DataFusion, got {type(context).__name__}"
        )
    check_dialect(dialect, Session.dialect, "DataFusion")
    with closing(Session(context)) as opened:
        yield opened
