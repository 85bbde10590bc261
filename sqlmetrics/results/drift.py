"""The result of `drift`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import public
from sqlmetrics.results.report import Result

if TYPE_CHECKING:
    from sqlmetrics.charts.chart import Chart

#: what the printed table leaves out
HIDDEN = (
    *("is_total", "n_null_current", "n_null_reference", "hellinger", "total_variation"),
    *("ks_p_value", "chi_square", "chi_square_p_value", "n_new_values", "n_vanished_values"),
)


class Drift(Result):
    """The result of `drift`: one row for each column of each slice, and of all slices together.

    The printed table shows the main columns. Conversions and files have every column.
    """

    @public
    def plot(self, measure: str = "psi", slices: bool = True) -> Chart:
        """A chart: a dot for each column, the one that moved furthest first, with the total of slices as a line.

        >>> import sqlmetrics as sm
        >>> now, then = ([{"c": "ab"[i % n > 0], "x": i % n} for i in range(60)] for n in (3, 2))
        >>> sm.drift(now, reference=then).plot().description
        'psi of 2 columns: from 1.3340 (x) to 0.1155 (c)'

        Args:
            measure: the distance to show: a column such as `psi`, `jensen_shannon` or `ks`.
            slices: False shows the totals alone.

        Raises:
            SqlMetricsError: another measure; no total.
        """
        return chart_of(self, measure, slices)

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name not in {*HIDDEN} - {*self.by}]

    def notes(self) -> list[str]:
        """The slices that only one side has, and what was not compared, one line each."""
        lines: list[str] = []
        slices = [
            row for row in self if not row.get("is_total") and row["column_name"] == self[0]["column_name"]
        ]
        for side, what in (("n_reference", "row of the reference"), ("n_current", "current row")):
            alone = sum(not row[side] for row in slices)
            lines += [f"slices without a {what}: {alone:,}"] if alone else []
        return lines + self.further
