"""The chart of `bradley_terry`: strengths with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import dots, level
from sqlmetrics.charts.parts import MOST_SLICES, cut, interval_text, number, text_of
from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    from sqlmetrics.results.battles import Battles


def chart_of_battles(battles: Battles) -> Chart:
    """The chart of strengths; see `Battles.plot`."""
    known = [row for row in battles if row["strength"] is not None]
    if not known:
        raise SqlMetricsError("No model has a strength to show; the notes of the result say why")
    values = []
    for row in known[:MOST_SLICES]:
        ends = [number(row[name]) for name in ("strength", "low", "high")]
        name = cut(text_of(row["model"]))
        values.append(
            dict(zip(("value", "low", "high"), ends, strict=True))
            | {"slice": name, "model": "strength", "text": interval_text(*ends)}
        )
    axis = "strength, log odds"
    panel = dots(values, ["strength"], axis, behind=[level(x=axis)])
    shown = "" if len(known) <= MOST_SLICES else f"; shows the first {MOST_SLICES} of {len(known):,} models"
    said = "; ".join(f"{row['slice']} {row['text']}" for row in values[:6])
    return chart("Strength of models in battles", f"Strength of models in battles: {said}{shown}", [panel])
