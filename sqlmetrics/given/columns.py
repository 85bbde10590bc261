"""Column names and SQL expressions: a name is looked up and quoted, an expression is used unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlmetrics.book.templates import Macros
from sqlmetrics.engines.protocol import Source
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.given.advice import expression, to_items, to_join, to_numbers

# Prefixes of type names in upper case, over all engines: the types of text, then those of numbers.
TEXT = ("VARCHAR", "STRING", "ENUM", "UUID", "CHAR", "TEXT", "NVARCHAR", "BPCHAR", "CITEXT", "FIXEDSTRING")
NOT_COLLATED = ("ENUM", "UUID")  # the types of text whose values are equal only if they are identical
INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT", "HUGEINT", "U")
NUMBERS = (*INTEGERS, "FLOAT", "DOUBLE", "DECIMAL", "REAL", "NUMERIC", "NUMBER")
LONG = ("BIGINT", "HUGEINT", "UBIGINT", "UHUGEINT", "INT8")
NOT_EXACT = ("FLOAT", "DOUBLE", "REAL")
SHORT = ("TINYINT", "SMALLINT", "UTINYINT", "USMALLINT")
KEYS = ("group", "item", "by", "columns")  # the roles of columns whose values are only compared
LISTS = ("ARRAY", "LIST", "FIXED_SIZE_LIST")
MAY_HOLD_LISTS = ("_", "VARIANT", "FIXEDSIZELIST")
# The other types. INTERVAL starts like the number type INT.
NO_NUMBER = (
    *("DATE", "TIME", "INTERVAL", "BLOB", "STRUCT", "MAP", "UNION"),
    *("BYTEA", "BINARY", "VARBINARY", "TUPLE"),
)


def is_list(kind: str) -> bool:
    """Whether a type is that of lists, such as VARCHAR[]."""
    return kind.startswith(LISTS) or kind.endswith("]")


def is_no_number(kind: str) -> bool:
    """Whether a type is neither text nor a number nor a boolean, such as a date or a list."""
    return kind.startswith(NO_NUMBER) or is_list(kind)


def is_text(kind: str) -> bool:
    """Whether a type is that of texts."""
    return kind.startswith(TEXT) and not is_list(kind)


class sql(str):  # noqa: N801 - it reads as a function, sm.sql(...)
    """An SQL expression in place of a column name.

    >>> sql("clicks > 0")
    sql('clicks > 0')
    """

    def __repr__(self) -> str:
        return f"sql({str.__repr__(self)})"


@dataclass(eq=False)
class Columns:
    """The columns of one relation: their types by name, and the macros of its dialect, which quote names.

    A type has the engine's name, in upper case and without wrappers such as NULLABLE. An empty name means
    that the type is unknown; columns of unknown type pass every check. If no column has a name exactly, the
    name is folded as the engine folds names without quotes: some engines read `clicked` as CLICKED.
    """

    types: Mapping[str, str]
    words: Macros
    where: str
    unread: Mapping[str, str] = field(default_factory=dict)  #: why columns cannot be read, by name
    note: str = ""  #: what a reader of the list of columns should know
    source: Source | None = None
    first_text: Callable[[str], tuple[str, str] | None] | None = None
    """Of a text file: the place of a text that is no number, and the text."""
    in_files: Callable[[str], str] | None = None
    """Of several files: how a column that is text differs between them."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._knows(name)

    def text(self, column: str, role: str) -> str:
        """The SQL of a column.

        Raises:
            SqlMetricsError: an unknown column.
        """
        if isinstance(column, sql) and column.strip():
            return f"({column}\n)" if "--" in column else f"({column})"
        if not isinstance(column, str) or not column.strip():
            several = (
                '; several models are written score={"a": "score_a", "b": "score_b"}'
                if role == "score" and not holds_values(column)
                else ""
            )
            raise SqlMetricsError(f"{role}= takes a column name or sm.sql(...), got {got(column)}{several}")
        if column in self.unread:
            raise SqlMetricsError(f"Column '{column}' ({role}=) of {self.where} {self.unread[column]}")
        if not self._knows(column):
            named = self._named_by_callers()
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is not in {self.where}.{did_you_mean(self._folded(column), named)}"
                f" Columns: {counted(named)}{self.note}. An expression is written sm.sql({column!r})"
            )
        kind = self.type_of(column)
        collated = is_text(kind) and not kind.startswith(NOT_COLLATED)
        return str(self.words["sql_exact"](self[column])) if collated else self[column]

    def number(self, column: str, role: str) -> str:
        """The SQL of a column of numbers.

        Raises:
            SqlMetricsError: an unknown column, or a column of text, dates or another type.
        """
        text = self.text(column, role)
        kind = self.type_of(column)
        if is_text(kind):
            said = f"text and has to be numbers{to_numbers(self, column)}"
        elif is_list(kind):
            said = f"a list ({kind}) and has to be numbers{to_items(self, column)}"
        elif is_no_number(kind):
            said = f"{kind} and has to be numbers. An expression is written sm.sql('...')"
        else:
            return text
        raise SqlMetricsError(f"Column '{column}' ({role}=) of {self.where} is {said}")

    def array(self, column: str, role: str) -> str:
        """The SQL of a column of arrays of numbers.

        Raises:
            SqlMetricsError: an unknown column, or a column of another type.
        """
        text, kind = self.text(column, role), self.type_of(column)
        if kind and not (is_list(kind) or kind.startswith(MAY_HOLD_LISTS)):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) of {self.where} is {self.kind(column) or kind} and has to be arrays of"
                f' numbers; a column for each class is written {role}={{"cat": "p_cat", "dog": "p_dog"}}'
            )
        return text

    def single(self, column: str, role: str) -> str:
        """The SQL of a column of single values, such as an item.

        Raises:
            SqlMetricsError: an unknown column, or a column of lists.
        """
        text, kind = self.text(column, role), self.type_of(column)
        if is_list(kind):
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) of {self.where} is a list ({kind}) and has to be one value in each row"
                f"{to_items(self, column)}"
            )
        return text

    def type_of(self, column: str | None) -> str:
        """The type of a column; empty if it is unknown."""
        return "" if column is None else self.types.get(self._named(column), "")

    def may_be_rounded(self, column: str) -> bool:
        """Whether a column may have numbers that become another number as a float; one of a text file has digits."""
        kind = self.type_of(column)
        exact = kind.startswith(NUMBERS) and not kind.startswith((*NOT_EXACT, *SHORT))
        return not isinstance(column, sql) and (exact or (bool(kind) and self.first_text is not None))

    def alias(self, name: str) -> str:
        """The name of a result column, as SQL."""
        return str(self.words["sql_result"](name))

    def cast(self, column: str, primitive: str) -> str:
        """The expression that a user can write to cast a column to another type.

        The name is in quotes, since without them `user` is a function of PostgreSQL.
        """
        return expression(self.written(primitive, self[column]))

    def written(self, macro: str, *arguments: Any) -> str:
        """What a macro of the dialect makes of an expression."""
        return str(self.words[macro](*arguments)).strip()

    def some_texts(self, column: str) -> list[str]:
        """Some different values of a column as text, for messages; none if they cannot be asked for."""
        if self.source is None:
            return []
        try:
            values = self.source.ask(str(self.words["some_values"](self.source.relation, self[column])))
        except SqlMetricsError:  # the message that they serve comes first
            return []
        return sorted(map(str, values))

    def kind(self, column: str | None) -> str:
        """The kind of a column for messages, such as "a number"; empty if its type is unknown."""
        of = self.type_of(column)
        if of.startswith("BOOL"):
            return "a boolean"
        if is_no_number(of):
            return of
        return "text" if is_text(of) else "a number" if of.startswith(NUMBERS) else ""

    def text_in_file(self, column: str) -> str:
        """Where a column of a text file has a text that is no number, for messages; empty for other tables.

        Macros call it.
        """
        found = (
            self.first_text(self._named(column)) if self.first_text and self.kind(column) == "text" else None
        )
        return "" if found is None else f": {found[0]} has {found[1]!r:.60}"

    def check_joins(self, other: Columns, column: str, role: str) -> None:
        """Checks that two tables can be joined by a column.

        Raises:
            SqlMetricsError: the other table lacks the column, or it is a number in one table and text in the
                other.
        """
        other.text(column, role)
        if {self.kind(column), other.kind(column)} == {"text", "a number"}:
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is {self.kind(column)} in {self.where} and {other.kind(column)} in"
                f" {other.where}, which cannot be compared{to_join(role, column, self, other)}"
            )
        self._check_exact(other, column, role)

    def _check_exact(self, other: Columns, column: str, role: str) -> None:
        """Refuses integers of 2^53 and more beside floats, as which an engine compares them: neighbours are then one.

        A tool makes floats of an integer column that lacks a value.
        """
        integers, floats = self, other
        if self.type_of(column).startswith(NOT_EXACT):
            integers, floats = other, self
        if not (floats.type_of(column).startswith(NOT_EXACT) and integers.type_of(column).startswith(LONG)):
            return
        if integers.source is None:
            return
        ask = self.words["least_and_greatest"](integers.source.relation, integers[column])
        long = [value for value in integers.source.ask(str(ask)) if value is not None and abs(value) >= 2**53]
        if long:
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is integers in {integers.where}, such as {long[0]}, and floats in"
                f" {floats.where}, which are exact to 2^53 alone: make {floats.where} again with integers"
            )

    def joined(self, other: Columns, column: str, role: str) -> str:
        """A column by which another table is joined: of a text file as text, if it is text here and integers there.

        Raises:
            SqlMetricsError: as for `check_joins`.
        """
        if (self.first_text or other.first_text) and not isinstance(column, sql):
            types = {of.kind(column): of.type_of(column) for of in (self, other) if column in of}
            if {*types} == {"text", "a number"} and types["a number"].startswith(INTEGERS):
                return sql(self.words["sql_string"](self[column]))
        self.check_joins(other, column, role)
        return column

    def check_same(self, other: Columns, column: str, role: str) -> None:
        """Checks that a column read from two tables is of the same kind in both.

        Raises:
            SqlMetricsError: the other table lacks the column, or has it with another kind.
        """
        other.text(column, role)
        kinds = [self.kind(column), other.kind(column)]
        if all(kinds) and len({*kinds}) > 1:
            told = role in KEYS and {*kinds} == {"text", "a number"}
            way = to_join(role, column, self, other) if told else ""
            raise SqlMetricsError(
                f"Column '{column}' ({role}=) is {kinds[0]} in {self.where} and {kinds[1]} in {other.where};"
                f" in both tables it has to be of one kind{way}"
            )

    def shared(self, other: Columns) -> Columns:
        """The columns that another table has too."""
        types = {name: kind for name, kind in self.types.items() if name in other}
        where = f"{self.where} and {other.where}"
        return Columns(types, self.words, where, source=self.source, first_text=self.first_text)

    def _knows(self, column: str) -> bool:
        return self._named(column) in self.types

    def _named_by_callers(self) -> list[str]:
        """The columns for messages: of a state, those before its sums."""
        is_state = any(name.lower() == "sm_facts" for name in self.types)
        return [name for name in self.types if not (is_state and name.lower().startswith("sm_"))]

    def _named(self, column: str) -> str:
        """The engine's name of a column."""
        return column if column in self.types else self._folded(column)

    def _folded(self, name: str) -> str:
        return str(self.words["sql_fold"](name))

    def __getitem__(self, name: str) -> str:
        return str(self.words["sql_quote"](self._named(name)))


class AnyColumns(Columns):
    """Columns of a relation that does not exist yet: every name is accepted and quoted."""

    def __init__(self, words: Macros) -> None:
        super().__init__({}, words, "the relation")

    def _knows(self, column: str) -> bool:
        return True


def holds_values(column: Any) -> bool:
    """Whether what was passed in place of a column is an array or a list of its values."""
    if (
        isinstance(column, (str, Mapping))
        or not hasattr(column, "__len__")
        or getattr(column, "ndim", 1) == 0
    ):
        return False
    if _is_series(column):  # of texts, too
        return True
    return len(column) > 10 or not all(isinstance(one, str) for one in column)


def _is_series(column: Any) -> bool:
    """Whether it is one column of a pandas or polars frame, with its values."""
    return type(column).__name__ == "Series" and hasattr(column, "name")


def is_key(column: Any) -> bool:
    """Whether what was passed as a column are several, which make a key.

    >>> is_key(["day", "query"]), is_key("query"), is_key([0.5, 1])
    (True, False, False)
    """
    return isinstance(column, (list, tuple)) and not holds_values(column)


def got(column: Any) -> str:
    """What was passed in place of a column, for messages; of values their number, and where they belong.

    >>> got(5), got([0.5, 1])[:16]
    ('5', '2 values (list);')
    """
    if not holds_values(column):
        return f"{column!r:.200}"
    named = (
        f"write {column.name!r}, its name; " if _is_series(column) and isinstance(column.name, str) else ""
    )
    return (
        f"{len(column):,} values ({type(column).__name__}); {named}evaluate takes arrays as y_true=, y_score=, y_pred=,"
        " groups= and sample_weight=, and every function as columns of data, {'name': array}"
    )


def named_columns(
    columns: str | Iterable[str] | Mapping[str, str] | None, role: str
) -> list[tuple[str, str]]:
    """Columns with their names in the result, from names, expressions or a mapping of names to either.

    Raises:
        SqlMetricsError: a name in the mapping that is not text.

    >>> named_columns({"month": sql("date_trunc('month', day)")}, "by"), named_columns("day", "by")
    ([('month', sql("date_trunc('month', day)"))], [('day', 'day')])
    """
    if not isinstance(columns, Mapping):
        return [(column, column) for column in as_list(columns, role)]
    for name in columns:
        if not isinstance(name, str) or not name.strip() or "\0" in name:
            raise SqlMetricsError(
                f"A mapping as {role}= names columns of the result by text without a NUL character, got {name!r}"
            )
    return list(columns.items())


def named_column(column: str | Mapping[str, str], role: str) -> tuple[str, str]:
    """One column with its name in the result.

    Raises:
        SqlMetricsError: a mapping of several names, or of none.
    """
    if isinstance(column, Mapping) and len(column) != 1:
        raise SqlMetricsError(f"{role}= takes one column; a mapping gives it a name, got {dict(column)!r}")
    return named_columns(column, role)[0] if isinstance(column, Mapping) else (column, column)


def as_list(value: str | Iterable[str] | None, role: str) -> list[str]:
    """One or several names as a list.

    Raises:
        SqlMetricsError: neither a name nor an iterable of names.
    """
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, Mapping):
        raise SqlMetricsError(f"{role}= takes a name or a list of names, got {value!r}")
    if _is_series(value):
        raise SqlMetricsError(f"{role}= takes names of columns, got {got(value)}")
    return list(value)


def texts_in(value: Any) -> Iterator[str]:
    """The texts in an argument, which may be one, or lists and mappings of names to them.

    >>> list(texts_in(["day", {"month": sql("date_trunc('month', day)")}, None]))
    ['day', sql("date_trunc('month', day)")]
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from texts_in(list(value.values()))
    elif isinstance(value, (list, tuple, set, frozenset)):
        for one in value:
            yield from texts_in(one)
