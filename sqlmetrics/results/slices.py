"""The result of `find_slices`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import public
from sqlmetrics.results.audited import Audited
from sqlmetrics.results.report import intervals_of

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.charts.chart import Chart

#: the ends of the intervals of two columns
ENDS = {"difference": ("low", "high"), "confirmed_difference": ("confirmed_low", "confirmed_high")}
#: what a printed column is of: the slice, or its half that finds
PARTS = {
    "n_units": "whole",
    **dict.fromkeys(("baseline_value", "candidate_value", "value", "rest"), "half"),
}
#: below the values of slices, which `evaluate` would not give
HALVES = (
    "values and differences are those of the half of the units that finds, confirmed_difference is of the other half;"
    " evaluate(by=) has the value of a whole slice"
)
NONE_LOOKED_AT = (
    "no slice, or not the rest beside it, has as many units as min_units= asks for; a smaller one finds more"
)
LARGE = 0.1  #: the share of a unit in the sum of a slice, above which a note counts the slice


class Slices(Audited):
    """The result of `find_slices`: one row for each slice and metric.

    The printed table shows the first rows, without the columns of `by`, which `slice` has as text, and with the
    intervals of differences. Conversions and files have every row and column.
    """

    SHOWN = 20  #: the number of rows that are printed, and of slices of a metric that are drawn

    @public
    def plot(self, metric: str | Sequence[str] | None = None) -> Chart:
        """A forest plot of the first 20 slices of each metric, in the order of the rows.

        A dot is the difference of the half that confirms, with its interval. A hollow mark is the difference of the
        half that finds.

        >>> import sqlmetrics as sm
        >>> rows = [{"c": "ab"[i % 2], "y": i % 5 == 0, "p": 0.2 + 0.7 * (i % 2)} for i in range(900)]
        >>> sm.find_slices(rows, "log_loss", by="c", label="y", score="p").plot().title
        'log_loss: each slice minus the rest'

        Args:
            metric: the metrics to show; all by default.

        Raises:
            SqlMetricsError: no metric has this name, or more metrics than a chart can show; no slice was looked at.
        """
        return chart_of(self, metric)

    def _visible(self) -> list[str]:
        hidden = {*self.by, "n_rows", "p_value", *(end for ends in ENDS.values() for end in ends)}
        if not self._decided_by_one():
            hidden.add("largest_share")
        return [name for name in self.columns if name not in hidden]

    def _head(self, name: str) -> str:
        return f"{name} ({PARTS[name]})" if name in PARTS else name

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        return {name: intervals_of(rows, low, high) for name, (low, high) in ENDS.items()}

    def _last(self) -> int:
        """None: the rows are sorted, the ones to look at first."""
        return 0

    def notes(self) -> list[str]:
        """How many slices there were, and the counts that a reader should know, one line each."""
        confirmed = sum(self._table.column("confirmed").to_pylist())
        looked, folded = (self._audited.count(f"slices_{name}") for name in ("looked_at", "folded"))
        searched = f"slices looked at: {looked:,}; confirmed: {confirmed:,}"
        left_out = f"; left out since they add nothing to one of fewer columns: {folded:,}"
        found = [searched + left_out, HALVES] if looked else [searched, NONE_LOOKED_AT]
        if decided := self._decided_by_one():
            found.append(
                f"slices in which one unit has more than a tenth of the sum (largest_share): {decided:,};"
                " that unit decides much of their value"
            )
        return [*found, *super().notes()]

    def _decided_by_one(self) -> int:
        """The slices in which one unit is a large part of the sum."""
        shares = self._table.column("largest_share").to_pylist()
        return sum(share is not None and share > LARGE for share in shares)
