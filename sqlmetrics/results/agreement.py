"""The result of `agreement`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmetrics.errors import counted
from sqlmetrics.results.audited import Audited
from sqlmetrics.results.report import Report, intervals_of

if TYPE_CHECKING:
    import pyarrow as pa


class Agreement(Audited):
    """The result of `agreement`: one row for each slice and measure, and with `cohen` for each pair of raters.

    The printed table shows the value with its interval. Conversions and files have every column.
    """

    def __init__(self, table: pa.Table, audited: Report) -> None:
        import pyarrow.compute as pc

        # a slice without usable rows has one row, with counts but no measure
        super().__init__(table.filter(pc.is_valid(table.column("measure"))), audited)

    def _visible(self) -> list[str]:
        hidden = {"is_total", "low", "high"} - {*self.by}
        return [name for name in self.columns if name not in hidden]

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        return {"value": intervals_of(rows, "low", "high")}

    def notes(self) -> list[str]:
        """The counts that a reader should know, and why a row has no value or interval, one line each."""
        rows = self._table.to_pylist()
        reasons = {
            "no agreement where no item has two ratings": [row for row in rows if not row["n_items"]],
            "no agreement beyond chance where all ratings have one value": [
                row for row in rows if row["n_items"] and row["value"] is None
            ],
            "no interval of items that are all alike, or of fewer than two": [
                row for row in rows if row["value"] is not None and row["low"] is None
            ],
        }
        lines = [
            f"{why}: {counted(dict.fromkeys(row['measure'] for row in found))}"
            for why, found in reasons.items()
            if found
        ]
        return super().notes() + lines
