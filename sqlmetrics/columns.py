"""Column names and SQL expressions: a name is looked up and quoted, an expression is taken as it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean

if TYPE_CHECKING:
    from sqlmetrics.templates import Macros

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
    """The columns of one relation: their types by name, and the words of its dialect, which quote a name.

    A type is named as the engine does, in upper case and without what is wrapped around it; an empty name is a type
    that is not known, of which nothing is refused. A name that no column has is looked up as the engine folds names
    without quotes: `clicked` is CLICKED in some.
    """

    def __init__(self, types: Mapping[str, str], words: Macros, where: str) -> None:
        self.types = dict(types)
        self.words = words
        self.where = where

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
                f"Column '{column}' ({role}=) is not in {self.where}.{did_you_mean(self._folded(column), self.types)}"
                f" Columns: {counted(self.types)}. An expression is written sm.sql({column!r})"
            )
        return str(self.words["sql_exact"](self[column])) if self.kind(column) == "text" else self[column]

    def number(self, column: str, role: str) -> str:
        """The SQL of a column of numbers.

        Raises:
            SqlMetricsError: no column of that name, or one of text, dates or the like.
        """
        text = self.text(column, role)
        kind = self.type_of(column)
        if kind.startswith(TEXT):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) of {self.where} is text and has to be numbers; a value such as 'n/a',"
                " or no row at all, makes a column of a file text."
                f" An expression is written {self.cast(column, 'sql_lenient_double')}"
            )
        if is_no_number(kind):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) of {self.where} is {kind} and has to be numbers."
                " An expression is written sm.sql('...')"
            )
        return text

    def type_of(self, column: str | None) -> str:
        """The type of a column; nothing where it is not known."""
        return "" if column is None else self.types.get(self._named(column), "")

    def alias(self, name: str) -> str:
        """A name for a column of the result, as SQL."""
        return str(self.words["sql_result"](name))

    def cast(self, column: str | None, primitive: str) -> str:
        """What a user may write in place of a column, to have it of another type."""
        return f"sm.sql({str(self.words[primitive](column))!r})"

    def kind(self, column: str | None) -> str:
        """What a column holds, as a message says it; nothing where its type is not known."""
        of = self.type_of(column)
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
                f" {other.where}, which cannot be compared; write {role}={self.cast(column, 'sql_string')}"
            )

    def check_same(self, other: Columns, column: str, role: str) -> None:
        """Refuses a column that is to be read from two tables and is of one kind here, of another there.

        Raises:
            SqlMetricsError: the other table lacks the column, or has it of another kind.
        """
        other.text(column, role)
        kinds = [self.kind(column), other.kind(column)]
        if all(kinds) and len({*kinds}) > 1:
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is {kinds[0]} in {self.where} and {kinds[1]} in {other.where};"
                " in both tables it has to be of one kind"
            )

    def shared(self, other: Columns) -> Columns:
        """Those columns that another table has, too."""
        types = {name: kind for name, kind in self.types.items() if name in other}
        return Columns(types, self.words, f"{self.where} and {other.where}")

    def _knows(self, column: str) -> bool:
        return self._named(column) in self.types

    def _named(self, column: str) -> str:
        """The name that the engine has for a column."""
        return column if column in self.types else self._folded(column)

    def _folded(self, name: str) -> str:
        return str(self.words["sql_fold"](name))

    def __getitem__(self, name: str) -> str:
        return str(self.words["sql_quote"](self._named(name)))


class AnyColumns(Columns):
    """Columns that cannot be looked up, because there is no data yet: every name is taken and quoted."""

    def __init__(self, words: Macros) -> None:
        super().__init__({}, words, "the relation")

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
