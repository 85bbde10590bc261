"""Column names and SQL expressions: a name is looked up and quoted, an expression is taken as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean

# How the names of types begin, in upper case, over all engines: those that hold text, and numbers.
TEXT = ("VARCHAR", "STRING", "ENUM", "UUID", "CHAR", "TEXT", "NVARCHAR", "BPCHAR", "CITEXT", "FIXEDSTRING")
NUMBERS = (
    *("TINYINT", "SMALLINT", "INT", "BIGINT", "HUGEINT", "U", "FLOAT", "DOUBLE", "DECIMAL"),
    *("REAL", "NUMERIC", "NUMBER"),
)
# And those that are no number either, of which one begins as a number does.
NO_NUMBER = (
    *("DATE", "TIME", "INTERVAL", "BLOB", "STRUCT", "MAP", "UNION"),
    *("BYTEA", "BINARY", "VARBINARY", "ARRAY", "TUPLE"),
)


def is_no_number(kind: str) -> bool:
    """Whether a type is neither text nor a number nor a boolean: a date, a list and the like."""
    return kind.startswith(NO_NUMBER) or kind.endswith("]")


class sql(str):  # noqa: N801 - it reads as a function, sm.sql(...)
    """An SQL expression where a column is asked for.

    >>> sql("clicks > 0")
    sql('clicks > 0')
    """

    def __repr__(self) -> str:
        return f"sql({str.__repr__(self)})"


class Columns:
    """The columns of one relation: their types by name, and how its engine quotes a name.

    A type is named as the engine does, in upper case and without what is wrapped around it; an empty name is a type
    that is not known, of which nothing is refused.
    """

    def __init__(self, types: Mapping[str, str], quote: Callable[[str], str], where: str) -> None:
        self.types = dict(types)
        self.where = where
        self.quote = quote

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._knows(name)

    def text(self, column: str, role: str) -> str:
        """The SQL of a column.

        Raises:
            SqlMetricsError: no column of that name.
        """
        if isinstance(column, sql) and column.strip():
            return f"({column}\n)" if "--" in column else f"({column})"
        if not isinstance(column, str) or not column.strip():
            several = (
                '; several models are written score={"a": "score_a", "b": "score_b"}'
                if role == "score"
                else ""
            )
            raise SqlMetricsError(f"{role}= takes a column name or sm.sql(...), got {column!r}{several}")
        if not self._knows(column):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is not in {self.where}.{did_you_mean(column, self.types)}"
                f" Columns: {counted(self.types)}. An expression is written sm.sql({column!r})"
            )
        return self.quote(column)

    def number(self, column: str, role: str) -> str:
        """The SQL of a column of numbers.

        Raises:
            SqlMetricsError: no column of that name, or one of text, dates or the like.
        """
        text = self.text(column, role)
        kind = self.types.get(column, "")
        if kind.startswith(TEXT):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) of {self.where} is text and has to be numbers; a value such as 'n/a',"
                " or no row at all, makes a column of a file text."
                f" An expression is written sm.sql('try_cast({column} as double)')"
            )
        if is_no_number(kind):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) of {self.where} is {kind} and has to be numbers."
                " An expression is written sm.sql('...')"
            )
        return text

    def kind(self, column: str | None) -> str:
        """What a column holds, as a message says it; nothing where its type is not known."""
        of = "" if column is None else self.types.get(column, "")
        if of.startswith("BOOL"):
            return "a boolean"
        if is_no_number(of):
            return of
        return "text" if of.startswith(TEXT) else "a number" if of.startswith(NUMBERS) else ""

    def check_joins(self, other: Columns, column: str, role: str) -> None:
        """Refuses a column by which rows of two tables cannot find each other.

        Raises:
            SqlMetricsError: the other table lacks the column, or it is a number in one table and text in the other.
        """
        other.text(column, role)
        if {self.kind(column), other.kind(column)} == {"text", "a number"}:
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is {self.kind(column)} in {self.where} and {other.kind(column)} in"
                f" {other.where}, which cannot be compared; write {role}=sm.sql('cast({column} as varchar)')"
            )

    def _knows(self, column: str) -> bool:
        return column in self.types

    def __getitem__(self, name: str) -> str:
        return self.quote(name)


class AnyColumns(Columns):
    """Columns that cannot be looked up, because there is no data yet: every name is taken and quoted."""

    def __init__(self, quote: Callable[[str], str]) -> None:
        super().__init__({}, quote, "the relation")

    def _knows(self, column: str) -> bool:
        return True


def as_list(value: str | Iterable[str] | None, role: str) -> list[str]:
    """One name or several as a list.

    Raises:
        SqlMetricsError: neither.
    """
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        raise SqlMetricsError(f"{role}= takes a name or a list of names, got {value!r}")
    return list(value)
