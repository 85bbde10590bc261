"""The chart of `find_slices`: a forest plot of the first slices, with what was found and what was confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import Layer, level, quantity, tooltip
from sqlmetrics.charts.meaning import Meaning, meaning
from sqlmetrics.charts.parts import chosen, interval_text, listed, number, text_of
from sqlmetrics.charts.themes import PALETTE, QUIET
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.table.cells import unused

if TYPE_CHECKING:
    from sqlmetrics.results.slices import Slices

LABEL = 360  #: pixels of the name of a slice, which has several columns


def chart_of_search(slices: Slices, metric: str | Sequence[str] | None) -> Chart:
    """The chart of a search; see `Slices.plot`."""
    panels, said, metrics = [], [], []
    for name in chosen(metric, list(slices.statement.notations)):
        rows = [row for row in slices if row["metric"] == name]
        if rows:
            metrics.append(meaning(slices.statement, name))
            panels.append(_panel(metrics[-1], rows[: slices.SHOWN], len(rows)))
            said.append(_sentence(metrics[-1], rows))
    if not panels:
        raise SqlMetricsError(
            "The search looked at no slice, so there is nothing to show; pass a lower min_units="
        )
    title = f"{listed([each.name for each in metrics])}: slices less the rest"
    return chart(title, f"{title}: " + ". ".join(said), panels, columns=1)


def _panel(metric: Meaning, rows: list[dict[str, Any]], of: int) -> Layer:
    """A row for each slice: a hollow mark for the half that finds, a dot with an interval for the other."""
    values: list[dict[str, Any]] = []
    used: set[str] = set()
    for row in rows:
        value, low, high = (number(row[f"confirmed_{column}"]) for column in ("difference", "low", "high"))
        found = interval_text(row["difference"], row["low"], row["high"])
        values.append({
            "slice": unused(text_of(row["slice"]), used), "value": value, "low": low, "high": high,
            "found": number(row["difference"]), "verdict": "confirmed" if row["confirmed"] else "not confirmed",
            "text": interval_text(value, low, high), "found_text": found,
        })  # fmt: skip
    title = f"{metric.axis}: difference to the rest"
    place = {"field": "slice", "type": "nominal", "sort": None, "title": None}
    shared = {
        "y": {**place, "axis": {"grid": True, "labelLimit": LABEL}},
        "color": {
            "field": "verdict",
            "type": "nominal",
            "title": None,
            "scale": {"domain": ["confirmed", "not confirmed"], "range": [PALETTE[0], QUIET]},
        },
        "tooltip": tooltip(slice="slice", text="confirmed", found_text="found", verdict="verdict"),
    }
    marks: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"type": "rule", "strokeWidth": 2}, {"x": quantity("low", title), "x2": {"field": "high"}}),
        ({"type": "point", "filled": False, "size": 55}, {"x": quantity("found", title)}),
        ({"type": "point", "filled": True, "size": 70, "opacity": 1}, {"x": quantity("value", title)}),
    ]
    sides = {"higher": "better to the right of 0", "lower": "better to the left of 0"}
    notes = [
        sides.get(metric.better.direction, metric.direction),
        "hollow: the half that found the slice",
        f"the first {len(rows)} of {of:,} slices" if of > len(rows) else "",
    ]
    return {
        "data": {"values": values},
        "width": 340,
        "height": {"step": 22, "for": "position"},
        "layer": [
            level(x=title),
            *({"mark": mark, "encoding": {**shared, **encoding}} for mark, encoding in marks),
        ],
        "title": {"text": metric.name, "subtitle": " — ".join(filter(None, notes))},
    }


def _sentence(metric: Meaning, rows: list[dict[str, Any]]) -> str:
    """How many slices are confirmed, and the first of all."""
    first, confirmed = rows[0], sum(row["confirmed"] for row in rows)
    difference, low, high = (first[f"confirmed_{name}"] for name in ("difference", "low", "high"))
    text = f"{text_of(first['slice'])} differs by {interval_text(difference, low, high)}"
    return f"{metric.name}, {confirmed:,} of {len(rows):,} slices confirmed: {text}"
