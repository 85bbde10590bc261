"""The types of a result: the same whatever the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.plan import Statement


def typed(table: pa.Table, statement: Statement, booleans: list[str]) -> pa.Table:
    """A result under the names and types that it is to have: engines fold names, widen numbers and lack booleans.

    Args:
        table: what the engine gave.
        statement: the statement that it ran.
        booleans: the columns of the data that are booleans.
    """
    import pyarrow as pa

    numbers = {"integer": pa.int64(), "float": pa.float64()}
    kinds = dict.fromkeys([*statement.counts, *statement.counts_of_list], pa.int64())
    kinds |= dict.fromkeys([*booleans, *(["is_total"] if statement.total else [])], pa.bool_())
    kinds |= {check.example: pa.float64() for check in statement.checks if check.example}
    kinds |= {column.name: numbers[column.kind] for column in statement.results if column.kind != "any"}
    known = {name.lower(): name for name in (*kinds, *statement.names)}
    names = [known.get(name.lower(), name) for name in table.column_names]
    columns = []
    for name, column in zip(names, table.columns, strict=True):
        # no type but the integers is a boolean's for every engine
        column = column.cast(pa.int64()) if kinds.get(name) == pa.bool_() else column
        columns.append(column.cast(kinds[name]) if name in kinds else column)
    return pa.table(columns, names)
