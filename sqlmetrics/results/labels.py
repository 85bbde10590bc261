"""The result of `plan_labels`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlmetrics.errors import counted
from sqlmetrics.results.audited import Audited

#: why a slice has its number of labels -> whether that is so of its row
REASONS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "fewer than two labels by people, planned as all slices are on average": lambda row: (
        row["labelled"] is not None and row["labelled"] < 2
    ),
    "no labels for some slices, the budget is too small": lambda row: bool(
        row["labelled"] == 0 and row["labels"] == 0 and row["units"]
    ),
    "labels by people do not vary": lambda row: (
        row["half_width"] is None and (row["labelled"] or 0) > 1 and row["labels"] is not None
    ),
    "all rows of the slice are to be labelled": lambda row: bool(
        row["labels"] and row["labels"] + row["labelled"] == row["units"]
    ),
}


class LabelPlan(Audited):
    """The result of `plan_labels`: one row for each slice, and one for all of them."""

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name != "is_total" or name in self.by]

    def notes(self) -> list[str]:
        """The counts that a reader should know, and which slices are planned without a pilot, one line each."""
        rows = [row for row in self._table.to_pylist() if not row["is_total"]]
        lines = []
        for why, applies in REASONS.items():
            found = dict.fromkeys(
                " ".join(str(row[name]) for name in self.by) for row in rows if applies(row)
            )
            lines += [f"{why}: {counted(found)}"] if found else []
        return super().notes() + lines
