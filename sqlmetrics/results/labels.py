"""The result of `plan_labels`."""

from __future__ import annotations

from sqlmetrics.errors import counted
from sqlmetrics.results.audited import Audited


class LabelPlan(Audited):
    """The result of `plan_labels`: one row for each slice, and one for all of them."""

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name != "is_total" or name in self.by]

    def notes(self) -> list[str]:
        """The counts that a reader should know, and which slices are planned without a pilot, one line each."""
        rows = [row for row in self._table.to_pylist() if not row["is_total"]]
        named = {id(row): " ".join(str(row[name]) for name in self.by) for row in rows}
        reasons = {
            "fewer than two labels by people, planned as all slices are on average": [
                row for row in rows if row["labelled"] is not None and row["labelled"] < 2
            ],
            "no labels for some slices, the budget is too small": [
                row for row in rows if row["labelled"] == 0 and row["labels"] == 0 and row["units"]
            ],
            "labels by people do not vary": [
                row
                for row in rows
                if row["half_width"] is None and (row["labelled"] or 0) > 1 and row["labels"] is not None
            ],
            "all rows of the slice are to be labelled": [
                row for row in rows if row["labels"] and row["labels"] + row["labelled"] == row["units"]
            ],
        }
        lines = [
            f"{why}: {counted(dict.fromkeys(named[id(row)] for row in found))}"
            for why, found in reasons.items()
            if found
        ]
        return super().notes() + lines
