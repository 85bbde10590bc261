"""The macros of distributions on an engine."""

from __future__ import annotations

from typing import Any

from sqlmetrics.book.templates import macros
from support.engines import Engine


def computed(engine: Engine, macro: str, *arguments: str, rows: list[dict[str, Any]]) -> list[float | None]:
    """The values of a distribution's macro over rows, in their order."""
    expression = macros(engine.dialect)[macro](*arguments)
    sql = f"select i, {expression} as v from given order by i"
    return [row["v"] for row in engine.query(sql, {"given": [{"i": i, **row} for i, row in enumerate(rows)]})]


def largest_error(got: list[float | None], expected: list[float]) -> float:
    """The largest relative error."""
    return max(abs(one / other - 1) for one, other in zip(got, expected, strict=True))
