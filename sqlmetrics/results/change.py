"""The result of `explain_change`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import counted, public
from sqlmetrics.results.audited import Audited
from sqlmetrics.results.report import intervals_of
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.charts.chart import Chart


class Change(Audited):
    """The result of `explain_change`: one row for each slice, and one for all.

    The printed table shows effects with their intervals. Conversions and files have every column.
    """

    @property
    def parts(self) -> list[str]:
        """The parts of an effect: mix, rate and, with `base="before"`, interaction."""
        return [name for name in ("mix", "rate", "interaction") if name in self.columns]

    @property
    def metric(self) -> str:
        """The metric whose change is explained."""
        return next(iter(self.statement.notations.values()))

    @public
    def plot(self) -> Chart:
        """A waterfall: from the metric before, over the effects of slices, to the metric after.

        The slices with the largest effects have a bar each, for mix and rate together; all others share one.

        >>> import sqlmetrics as sm
        >>> rows = [{"day": d, "shop": "ab"[i > 3 * d], "y": i < 4} for d in (1, 2) for i in range(10)]
        >>> why = sm.explain_change(rows, "base_rate", by="shop", period="day", before=1, after=2, label="y")
        >>> why.plot().description
        'base_rate from 0.4000 to 0.4000 by shop: mix +0.2357, rate -0.2357; a -0.1200, b +0.1200'

        Raises:
            SqlMetricsError: a period without a value of the metric.
        """
        return chart_of(self)

    def _visible(self) -> list[str]:
        ends = [*self._ends(), *(f"{part}_{end}" for part in self.parts for end in ("low", "high"))]
        counts = [f"n_{of}_{period}" for of in ("rows", "units") for period in ("before", "after")]
        hidden = {"is_total", *ends, *counts} - {*self.by}
        return [name for name in self.columns if name not in hidden]

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        if not self._ends():
            return {}
        of_parts = {part: intervals_of(rows, f"{part}_low", f"{part}_high") for part in self.parts}
        return {**of_parts, "effect": intervals_of(rows, *self._ends())}

    def _ends(self) -> list[str]:
        return [name for name in ("low", "high") if name in self.columns]

    def notes(self) -> list[str]:
        """What a reader should know of the change, and the counts, one line each."""
        *slices, total = self.to_dicts()
        return [*_simpson(slices, total), *_of_one_period(slices, self.by), *super().notes()]


def _simpson(slices: list[dict[str, Any]], total: dict[str, Any]) -> list[str]:
    """The note that every slice moved against the total."""
    rises = [
        row["value_after"] - row["value_before"]
        for row in slices
        if row["value_after"] is not None and row["value_before"] is not None
    ]
    change = total["effect"] or 0.0
    if not any(rises) or not (change > 0 >= max(rises) or change < 0 <= min(rises)):
        return []
    moved = "rose" if change > 0 else "fell"
    size = shown(abs(change))
    return [
        f"Simpson's paradox: the total {moved} by {size}, but no slice of both periods {moved}; their shares moved it"
    ]


def _named(row: dict[str, Any], by: list[str]) -> str:
    return " and ".join(f"{name} {'is null' if row[name] is None else f'= {row[name]}'}" for name in by)


def _of_one_period(slices: list[dict[str, Any]], by: list[str]) -> list[str]:
    """How many slices one period lacks."""
    notes = []
    ways = (("after", "before", "new slices"), ("before", "after", "slices that are gone"))
    for here, there, what in ways:
        found = [row for row in slices if row[f"value_{there}"] is None and row[f"value_{here}"] is not None]
        if found:
            names = counted([_named(row, by) for row in found], 3)
            notes.append(f"{what}, whose effect is all mix: {names}")
    return notes
