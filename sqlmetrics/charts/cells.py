"""The values of a report as cells: one for each metric, slice and model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.parts import Key, interval_text, key_of, number, text_of

if TYPE_CHECKING:
    from sqlmetrics.results.report import Report


@dataclass(frozen=True)
class Cell:
    """A metric of one slice and model."""

    key: Key
    total: bool
    model: str
    value: float | None
    low: float | None
    high: float | None

    @property
    def text(self) -> str:
        """The value with its interval, for people."""
        return interval_text(self.value, self.low, self.high)


def cells_of(report: Report, name: str) -> list[Cell]:
    """The values of a metric, in the order of the report."""
    return [
        Cell(
            key=key_of(row, report.by),
            total=row.get("is_total", not report.by),
            model=text_of(row["model"]) if report.statement.models else "",
            value=number(row[name]),
            low=number(row.get(f"{name}_low")),
            high=number(row.get(f"{name}_high")),
        )
        for row in report
    ]


def row_of(cell: Cell, **place: Any) -> dict[str, Any]:
    """A cell as a row of a chart, behind the fields that place it."""
    return {
        **place, "model": cell.model, "value": cell.value, "low": cell.low, "high": cell.high, "text": cell.text,
    }  # fmt: skip
