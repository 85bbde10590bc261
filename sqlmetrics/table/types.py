"""The types of a result, the same on every engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.book.plan import Statement


def typed(table: pa.Table, statement: Statement, booleans: list[str]) -> pa.Table:
    """A result with the same names and types on every engine.

    Engines may fold names, widen numbers or lack booleans. Of the two zeros of a slice, an engine returns any.

    Args:
        table: the result from the engine.
        statement: the statement that ran.
        booleans: the result columns that are booleans in the data.

    Raises:
        SqlMetricsError: a slice has the name of the total.
    """
    import pyarrow as pa

    numbers = {"integer": pa.int64(), "float": pa.float64(), "boolean": pa.bool_()}
    kinds = dict.fromkeys([*statement.counts, *statement.counts_of_list], pa.int64())
    if statement.total_name is not None:  # slices are text then
        booleans = [name for name in booleans if name not in statement.by]
    kinds |= dict.fromkeys([*booleans, *(["is_total"] if statement.total else [])], pa.bool_())
    kinds |= {
        check.example: pa.float64() for check in statement.checks if check.example and not check.is_text
    }
    kinds |= {column.name: numbers[column.kind] for column in statement.results if column.kind != "any"}
    examples = [check.example for check in statement.checks if check.example]
    known = {name.lower(): name for name in (*kinds, *examples, *statement.names)}
    names = [_whole(name, known) for name in table.column_names]
    columns = []
    for name, column in zip(names, table.columns, strict=True):
        kind = kinds.get(name, column.type)
        if column.type == kind:  # the first cast of a process would load pyarrow.compute, which takes 0.1 s
            pass
        elif kind == pa.bool_():  # an engine may return it as a number of any type
            column = _booleans(column.to_pylist())
        else:
            column = column.cast(kind)
        if name in statement.by and pa.types.is_floating(column.type):
            import pyarrow.compute as pc

            column = pc.add(column, pa.scalar(0, column.type))  # -0.0 becomes 0.0
        columns.append(column)
    result = pa.Table.from_arrays(columns, names)
    _check_total_name(result, statement)
    return result


def _check_total_name(table: pa.Table, statement: Statement) -> None:
    """Checks that no slice is named total_name=."""
    name = statement.total_name
    if name is None:
        return
    for row in table.select([*statement.by, "is_total"]).to_pylist():
        if not row.pop("is_total") and {*row.values()} == {name}:
            raise SqlMetricsError(
                f"total_name='{name}' is also the value of a slice of {', '.join(statement.by)};"
                " choose a name that none has"
            )


def _whole(name: str, known: Mapping[str, str]) -> str:
    """The name of a column as it was asked for, by names in lower case; an engine may cut it, to 63 bytes or more."""
    cut = [
        whole for lower, whole in known.items() if len(name.encode()) > 59 and lower.startswith(name.lower())
    ]
    return known.get(name.lower()) or next(iter(cut), name)


def _booleans(values: list[Any]) -> pa.Array:
    """An array of booleans. It is packed here, since pyarrow imports pandas before it takes a Python list."""
    import pyarrow as pa

    bits = [bytearray((len(values) + 7) // 8) for _ in ("known", "true")]
    for number, value in enumerate(values):
        for packed, bit in zip(bits, (value is not None, bool(value)), strict=True):
            packed[number // 8] |= bit << number % 8
    return pa.Array.from_buffers(pa.bool_(), len(values), [pa.py_buffer(bytes(packed)) for packed in bits])
