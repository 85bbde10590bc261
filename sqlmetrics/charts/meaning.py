"""What the metrics of a result mean: notation, direction, unit and range, from the comments above their macros."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.headers import Better, Range, Unit
from sqlmetrics.book.notation import column_name, parsed
from sqlmetrics.book.plan import Statement
from sqlmetrics.charts.parts import cut


@dataclass(frozen=True)
class Meaning:
    """A metric of a result."""

    column: str  #: its column, or its name in a comparison
    name: str  #: its notation, or the name that the caller gave it
    base: str  #: the metric's own name, without parameters
    parameters: Mapping[str, Any]
    better: Better
    range: Range
    unit: Unit

    @property
    def axis(self) -> str:
        """The title of an axis: the name, with the unit if the metric has one."""
        return self.name if self.unit in ("share", "none") else f"{self.name} ({self.unit})"

    @property
    def direction(self) -> str:
        """What is better, in words; empty if neither is."""
        if self.better.direction == "nearer":
            return f"nearer to {self.better.target:g} is better"
        return "" if self.better.direction == "none" else f"{self.better.direction} is better"


def meaning(statement: Statement, column: str) -> Meaning:
    """The meaning of a metric of a result."""
    notation = statement.notations[column]
    metric, named = of_notation(notation), column != column_name(notation)
    return Meaning(
        column=column,
        name=cut(column if named else notation),
        base=metric.name,
        parameters=parsed(notation)[1],
        better=metric.better,
        range=metric.range,
        unit=metric.unit,
    )
