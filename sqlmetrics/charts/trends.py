"""Metrics over dates or the periods of a state: lines with a band for their intervals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.cells import Cell, of_all, row_of
from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import around, by_model, lines, quantity
from sqlmetrics.charts.meaning import Meaning
from sqlmetrics.charts.parts import (
    MOST_PANELS,
    Key,
    cut,
    largest,
    listed,
    names_of,
    of_each,
    sizes_of,
    text_of,
)
from sqlmetrics.charts.times import form_of, in_time, instant, ticks
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.results.report import Report

MOST_SAID = 12  #: lines that the description of a chart follows


def chart_of_trends(
    report: Report, metrics: list[Meaning], models: list[str], cells: dict[str, list[Cell]], time: int
) -> Chart:
    """A panel for each metric and further slice, with a line for each model.

    Args:
        report: the result.
        metrics: the metrics to show.
        models: the names of the models; one without a name if there are none.
        cells: the values by metric.
        time: the place of the column of times in the key of a slice.
    """

    def other(key: Key) -> Key:
        return key[:time] + key[time + 1 :]

    of_slices = [cell for cell in cells[metrics[0].column] if not cell.total]
    others = [name for place, name in enumerate(report.by) if place != time]
    rows = [row for row in report if not row.get("is_total")]
    keys = [other(cell.key) for cell in of_slices]
    kept, left_out = largest(keys, sizes_of(rows, others), max(MOST_PANELS // len(metrics), 1))
    names = names_of(kept)
    times = _times([cell.key[time] for cell in of_slices])
    order = {name: place for place, name in enumerate(times)}
    panels, said = [], []
    for each in metrics:
        shared = _shared(cells[each.column], {repr(key) for key in kept}, other) if len(kept) > 1 else None
        totals = [cell for cell in cells[each.column] if cell.total and cell.value is not None]
        ends: list[str] = []
        for key in kept:
            found = [
                cell
                for cell in cells[each.column]
                if not cell.total and repr(other(cell.key)) == repr(key) and cell.key[time] is not None
            ]
            found.sort(key=lambda cell: order[repr(cell.key[time])])
            panel = _panel(each, models, found, totals, times, time, shared)
            of = f" · {names[repr(key)]}" if others else ""
            parts = [of_all(totals), each.direction, left_out]
            panel["title"] = {"text": each.name + of, "subtitle": " — ".join(filter(None, parts))}
            panels.append(panel)
            for model in models:
                known = [cell for cell in found if cell.value is not None and cell.model == model]
                if known:
                    first, last = (
                        f"{shown(cell.value)} ({text_of(cell.key[time])})" for cell in (known[0], known[-1])
                    )
                    line = " · ".join(filter(None, [names[repr(key)] if others else "", cut(model)]))
                    ends.append(f"{line} from {first} to {last}".strip())
        shortened = ends[: max(MOST_SAID // len(metrics), 1)]
        said.append("; ".join(filter(None, [*(shortened or ["no values"]), each.direction])))
    title = f"{listed([each.name for each in metrics])} by {listed(report.by)}"
    return chart(title, f"{title}: " + of_each([each.name for each in metrics], said), panels)


def _shared(cells: list[Cell], kept: set[str], other: Callable[[Key], Key]) -> dict[str, Any]:
    """One scale for the panels of a metric, so that they can be compared."""
    drawn = [cell for cell in cells if cell.total or repr(other(cell.key)) in kept]
    known = [end for cell in drawn for end in (cell.value, cell.low, cell.high) if end is not None]
    return around(known) or ({"domain": [min(known), max(known)]} if known else {})


def _dates(values: list[dict[str, Any]]) -> dict[str, Any]:
    """An axis that names days at equal distances, written as in tables; of times within days, as Vega writes them."""
    instants = sorted({row["x"] for row in values})
    if not instants or not all(each.endswith("T00:00:00+00:00") for each in instants):
        return {}
    first, last = (datetime.fromisoformat(instants[end]) for end in (0, -1))
    form = form_of(row["when"] for row in values)
    return {"values": [1000 * tick.timestamp() for tick in ticks(first, last, form)], "format": form}


def _times(values: list[Any]) -> dict[str, dict[str, Any]]:
    """The text and the point in time of each value in their order, by its `repr`."""
    ordered = in_time(values)
    try:
        return {repr(value): {"when": text_of(value), "x": instant(value).isoformat()} for value in ordered}
    except (TypeError, ValueError):  # periods that are numbers or other texts
        return {repr(value): {"when": text_of(value), "x": None} for value in ordered}


def _panel(
    metric: Meaning,
    models: list[str],
    cells: list[Cell],
    totals: list[Cell],
    times: dict[str, Any],
    time: int,
    shared: dict[str, Any] | None,
) -> dict[str, Any]:
    values = [row_of(cell, **times[repr(cell.key[time])]) for cell in cells]
    dated = all(row["x"] is not None for row in values)
    x: dict[str, Any] = (
        {
            "field": "x",
            "type": "temporal",
            "title": None,
            "scale": {"type": "utc"},
            "axis": {"grid": False, **_dates(values)},
        }
        if dated
        else {
            "field": "when",
            "type": "ordinal",
            "sort": None,
            "title": None,
            "axis": {"grid": False, "labelAngle": 0},
        }
    )
    here = [
        *(row[name] for row in values for name in ("value", "low", "high")),
        *(cell.value for cell in totals),
    ]
    scale = around(here) if shared is None else shared
    layers = lines(x, values, models, metric.axis, scale, 40, {"when": "at"})
    if totals:
        rules = {
            "data": {"values": [{"model": cell.model, "value": cell.value} for cell in totals]},
            "mark": {"type": "rule", "strokeDash": [4, 3], "opacity": 0.8},
            "encoding": {"y": quantity("value", metric.axis), **by_model(models)},
        }
        layers.insert(-1, rules)
    return {"data": {"values": values}, "width": 480, "height": 200, "layer": layers}
