"""The result of `bradley_terry`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.of import chart_of
from sqlmetrics.errors import public
from sqlmetrics.results.report import Computed, Result, intervals_of
from sqlmetrics.table.cells import column_of_names

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.charts.chart import Chart


class Battles(Result):
    """The result of `bradley_terry`: one row for each model, the strongest first."""

    def __init__(self, table: pa.Table, sql: str, notes: Sequence[str]) -> None:
        Computed.__init__(self, table, sql, ["model"], ["n_battles", "wins", "losses", "ties"])
        self.by: list[str] = []
        self.further = list(notes)

    @public
    def plot(self) -> Chart:
        """A chart of the strengths with their intervals, the strongest model first.

        >>> import sqlmetrics as sm
        >>> rows = [{"model_a": "x", "model_b": "y", "winner": w} for w in ("model_a", "model_a", "model_b")]
        >>> sm.bradley_terry(rows).plot().description
        'Strength of models in battles: x 0.3466 [-0.8537, 1.5468]; y -0.3466 [-1.5468, 0.8537]'
        """
        return chart_of(self)

    def notes(self) -> list[str]:
        """What a reader should know: rows left out, models without a strength, and the intervals."""
        return self.further

    def _visible(self) -> list[str]:
        return [name for name in self.columns if name not in ("low", "high")]

    def _intervals(self, rows: pa.Table) -> dict[str, list[str]]:
        return {"strength": intervals_of(rows, "low", "high")}

    def _text_of(self, name: str, values: list[Any]) -> list[str]:
        return column_of_names(values) if name == "model" else super()._text_of(name, values)
