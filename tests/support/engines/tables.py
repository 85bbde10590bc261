"""Lists of dicts as tables: their columns and types, the statement that makes one, and back from a cursor."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from support.engines import Rows


def columns(rows: Rows) -> dict[str, type]:
    """The columns of a table and the type of each."""
    if not rows:
        raise ValueError("a table needs a row to have columns; select `where 1 = 0` from it to have none")
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: type_of([row.get(name) for row in rows]) for name in names}


def type_of(values: list[Any]) -> type:
    """The one type that holds all of `values`; float where all are null."""
    types = {type(value) for value in values if value is not None}
    if types <= {int, float} and types != {int}:
        return float
    if len(types) == 1:
        return types.pop()
    raise TypeError(f"a column mixes {sorted(kind.__name__ for kind in types)}")


def cells(rows: Rows) -> list[list[Any]]:
    """The values of `rows`, in the order of the columns."""
    names = list(columns(rows))
    return [[row.get(name) for name in names] for row in rows]


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def create_table(name: str, rows: Rows, types: dict[type, str], quote: Callable[[str], str] = quoted) -> str:
    """The statement that makes a temporary table for `rows`."""
    listed = ", ".join(f"{quote(column)} {types[kind]}" for column, kind in columns(rows).items())
    return f"create temporary table {quote(name)} ({listed})"


def as_dicts(cursor: Any) -> Rows:
    """The rows of a cursor."""
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, map(plain, row), strict=True)) for row in cursor.fetchall()]


def plain(value: Any) -> Any:
    """A decimal as int or float: engines differ in when they give one."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value.as_tuple().exponent == 0 else float(value)
