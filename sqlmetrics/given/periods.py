"""The periods of a change or a drift: which there are, where one that is asked for has no row."""

from __future__ import annotations

from typing import Any

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, counted
from sqlmetrics.given.opened import Opened


def no_period(given: Opened, period: str, side: str, value: Any, where: str | None) -> DataError:
    """The error for a period without rows, which names those there are.

    Args:
        given: the data.
        period: the period of a row, as SQL.
        side: the argument that names the period, before or after.
        value: what it names.
        where: the condition on the rows.
    """
    query = str(macros(given.session.dialect)["periods_in"](given.relation.text, period))
    found = given.session.query(query, given.relation.name).column(0).to_pylist()
    known = counted(sorted(text for text in found if text is not None), 10) or "none"
    left = "" if where is None else f" that where={where!r} leaves"
    return DataError(f"No row{left} has the period {value!r} ({side}=). Periods: {known}")
