"""The periods of a change or a drift: which there are, where one that is asked for has no row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, counted
from sqlmetrics.given.opened import Opened

if TYPE_CHECKING:
    import pyarrow as pa


def refuse_no_period(
    given: Opened,
    table: pa.Table,
    rows: Mapping[str, str],
    period: str,
    sides: Mapping[str, Any],
    where: str | None,
) -> None:
    """Refuses two periods of which one has no rows.

    Args:
        given: the data.
        table: the result.
        rows: by side, before and after, the column of the result that counts its rows.
        period: the period of a row, as SQL.
        sides: the period that each side asks for.
        where: the condition on the rows.

    Raises:
        DataError: one has no rows; the message names the periods there are.
    """
    for side, column in rows.items():
        if any(table.column(column).to_pylist()):
            continue
        query = str(macros(given.session.dialect)["periods_in"](given.relation.text, period))
        found = given.session.query(query, given.relation.name).column(0).to_pylist()
        known = counted(sorted(text for text in found if text is not None), 10) or "none"
        left = "" if where is None else f" that where={where!r} leaves"
        raise DataError(f"No row{left} has the period {sides[side]!r} ({side}=). Periods: {known}")
