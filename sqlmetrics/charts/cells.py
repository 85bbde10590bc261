"""The values of a report as cells: one for each metric, slice and model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.parts import Key, interval_text, key_of, number, text_of
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.results.report import Report

ROOM = 40  #: characters of the totals above a panel


@dataclass(frozen=True)
class Cell:
    """A metric of one slice and model."""

    key: Key
    total: bool
    model: str
    value: float | None
    low: float | None
    high: float | None
    rows: float  #: of the data in the slice

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
            rows=row["n_rows"] or 0,
        )
        for row in report
    ]


def of_all(totals: list[Cell]) -> str:
    """What the dashed lines of the totals say, above a panel; their numbers only where these leave room for more."""
    known = [cell for cell in totals if cell.value is not None]
    numbers = ", ".join(
        f"{cell.model} {cell.text if len(known) == 1 else shown(cell.value)}".strip() for cell in known
    )
    if len(numbers) > ROOM:
        return "dashed: all rows"
    return f"dashed: all rows, {numbers}" if known else ""


def row_of(cell: Cell, **place: Any) -> dict[str, Any]:
    """A cell as a row of a chart, behind the fields that place it."""
    return {
        **place, "model": cell.model, "value": cell.value, "low": cell.low, "high": cell.high, "text": cell.text,
    }  # fmt: skip
