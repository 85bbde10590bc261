"""Column names and SQL expressions: a name is looked up and quoted, an expression is taken as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean


class sql(str):
    """An SQL expression where a column is asked for.

    >>> sql("clicks > 0")
    sql('clicks > 0')
    """

    def __repr__(self) -> str:
        return f"sql({str.__repr__(self)})"


class Columns:
    """The columns of one relation: their types by name, and how its engine quotes a name."""

    def __init__(self, types: Mapping[str, str], quote: Callable[[str], str], where: str) -> None:
        self.types = dict(types)
        self.where = where
        self.quote = quote

    def __contains__(self, name: object) -> bool:
        return name in self.types

    def text(self, column: str, role: str) -> str:
        """The SQL of a column.

        Raises:
            SqlMetricsError: no column of that name.
        """
        if isinstance(column, sql):
            return f"({column})"
        if not isinstance(column, str):
            raise SqlMetricsError(f"{role}= takes a column name or sm.sql(...), got {column!r}")
        if column not in self.types:
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is not in {self.where}.{did_you_mean(column, self.types)}"
                f" Columns: {counted(self.types)}. An expression is written sm.sql({column!r})"
            )
        return self.quote(column)

    def quoted(self) -> dict[str, str]:
        """Every column, quoted, by name."""
        return {name: self.quote(name) for name in self.types}


class AnyColumns(Columns):
    """Columns that cannot be looked up, because there is no data yet: every name is taken and quoted."""

    def __init__(self, quote: Callable[[str], str]) -> None:
        super().__init__({}, quote, "the relation")

    def text(self, column: str, role: str) -> str:
        """The SQL of a column, which is not checked."""
        return f"({column})" if isinstance(column, sql) else self.quote(column)


def as_list(value: str | Iterable[str] | None) -> list[str]:
    """One name or several as a list."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else list(value)
