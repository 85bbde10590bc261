"""Spark, classic or Connect: statements run in a session, or a DataFrame's, and return one small result."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.templates import macros
from sqlmetrics.engines import protocol
from sqlmetrics.engines.drivers import table_of
from sqlmetrics.engines.names import relation_of
from sqlmetrics.engines.protocol import Relation, source_of
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import Columns

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.given.reads import Reads


class Session(protocol.Session):
    """The user's SparkSession, and the temporary views that name DataFrames in statements."""

    def __init__(self, spark: Any, dialect: str) -> None:
        self._spark = spark
        self._macros = macros(dialect)
        self._views: list[str] = []
        self.dialect = dialect
        self.files: dict[str, str] = {}

    def open(self, data: Any, role: str, reads: Reads) -> Relation:
        """The relation of a DataFrame, a table name or a query."""
        if isinstance(data, str):
            return relation_of(data, self._macros["sql_quote"], self.columns)
        if not hasattr(data, "createTempView"):
            hint = ".to_spark()" if hasattr(data, "to_spark") else "; spark.createDataFrame(...) makes one"
            raise SqlMetricsError(
                f"With Spark the {role} is a DataFrame of Spark, a table name or a query, got"
                f" {type(data).__module__}.{type(data).__name__}{hint}"
            )
        view = f"sm_{role}_{uuid.uuid4().hex}"
        data.createTempView(view)
        self._views.append(view)
        return Relation(view, f"the {role}")

    def columns(self, relation: Relation) -> Columns:
        """The columns of a relation with their types; no row is read."""
        statement = self._macros["sql_no_rows"](relation.text)
        with _wrapped(relation.name, statement):
            fields = self._spark.sql(statement).schema.fields
        types = {field.name: field.dataType.simpleString().upper() for field in fields}
        types = {name: "TIMESTAMP_LTZ" if kind == "TIMESTAMP" else kind for name, kind in types.items()}
        return Columns(types, self._macros, relation.name, source=source_of(self, relation))

    def query(self, statement: str, name: str) -> pa.Table:
        """Runs a statement."""
        with _wrapped(name, statement):
            return _table(self._spark.sql(statement))

    def close(self) -> None:
        """Drops the views; the session stays open."""
        for view in self._views:
            self._spark.catalog.dropTempView(view)


def _table(frame: Any) -> pa.Table:
    """The rows of a result; Spark 3 has no `toArrow`."""
    return frame.toArrow() if hasattr(frame, "toArrow") else table_of(frame.collect(), frame.columns)


@contextmanager
def _wrapped(name: str, statement: str) -> Iterator[None]:
    """Raises errors of Spark as SqlMetricsError."""
    try:
        yield
    except Exception as error:  # errors of Spark, of the JVM and of the connection to it
        raise SqlMetricsError(f"Spark cannot read {name}: {_reason(error)}", sql=statement) from error


def _reason(error: Exception) -> str:
    """Spark's message without the place in the statement, the plan and the trace."""
    text = str(error)
    # `[CLASS_OF_ERROR] sentence`, at any depth of causes; other errors of the JVM stand on the second line
    said = re.search(r"\[[A-Z][A-Z0-9_.]+\] [^\n]*", text) or re.search(r"(?<=\n: )[^\n]*", text)
    lines = (said.group() if said else text).strip().splitlines() or [type(error).__name__]
    return lines[0].split(" SQLSTATE:")[0]


@contextmanager
def session(connection: Any, dialect: str | None) -> Iterator[Session]:
    """A session on a SparkSession, or on the SparkSession of a DataFrame.

    Raises:
        SqlMetricsError: neither a SparkSession nor a DataFrame of Spark.
    """
    spark = getattr(connection, "sparkSession", connection)
    if not hasattr(spark, "catalog"):
        hint = "; of a pandas-on-Spark frame pass .to_spark()" if hasattr(connection, "to_spark") else ""
        raise SqlMetricsError(
            f"Spark takes a SparkSession as connection= or a DataFrame as data, got {type(connection).__name__}{hint}"
        )
    with closing(Session(spark, dialect or "spark")) as opened:
        yield opened
