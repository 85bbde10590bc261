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

#: the words for a slice, with their colour
VERDICTS = {
    "better, confirmed": PALETTE[0],
    "worse, confirmed": PALETTE[1],
    "differs, confirmed": PALETTE[3],
    "not confirmed": QUIET,
}
#: slices of every verdict that a metric may have
EITHER = [{"confirmed": sign != 0, "confirmed_difference": sign} for sign in (-1, 0, 1)]
LABEL = 360  #: pixels of the name of a slice, which has several columns


def chart_of_search(slices: Slices, metric: str | Sequence[str] | None) -> Chart:
    """The chart of a search; see `Slices.plot`."""
    names = chosen(metric, list(slices.statement.notations))
    found = {name: [row for row in slices if row["metric"] == name] for name in names}
    metrics = [meaning(slices.statement, name) for name, rows in found.items() if rows]
    if not metrics:
        raise SqlMetricsError(
            "The search looked at no slice, so there is nothing to show; pass a lower min_units="
        )
    # one legend for all panels
    possible = {_verdict(each, row) for each in metrics for row in EITHER}
    verdicts = [verdict for verdict in VERDICTS if verdict in possible]
    panels = [
        _panel(each, found[each.column][: slices.SHOWN], len(found[each.column]), verdicts)
        for each in metrics
    ]
    said = [_sentence(each, found[each.column]) for each in metrics]
    title = f"{listed([each.name for each in metrics])}: each slice minus the rest"
    return chart(title, f"{title}: " + ". ".join(said), panels, columns=1)


def _verdict(metric: Meaning, row: dict[str, Any]) -> str:
    """Whether a slice is better or worse; with a target or without a direction, only whether it differs."""
    if not row["confirmed"]:
        return "not confirmed"
    if metric.better.direction not in ("higher", "lower"):
        return "differs, confirmed"
    return ("better" if metric.better.goodness(row["confirmed_difference"]) > 0 else "worse") + ", confirmed"


def _panel(metric: Meaning, rows: list[dict[str, Any]], of: int, verdicts: list[str]) -> Layer:
    """A row for each slice: a hollow mark for the half that finds, a dot with an interval for the other."""
    values: list[dict[str, Any]] = []
    used: set[str] = set()
    for row in rows:
        value, low, high = (number(row[f"confirmed_{column}"]) for column in ("difference", "low", "high"))
        found = interval_text(row["difference"], row["low"], row["high"])
        values.append({
            "slice": unused(text_of(row["slice"]), used), "value": value, "low": low, "high": high,
            "found": number(row["difference"]), "verdict": _verdict(metric, row),
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
            "scale": {"domain": verdicts, "range": [VERDICTS[verdict] for verdict in verdicts]},
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
