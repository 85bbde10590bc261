"""Charts of `drift`: columns as dots, the one that moved furthest first; with slices a heat map."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import Layer, dots, heat, level, quantity, tooltip
from sqlmetrics.charts.parts import MOST_SLICES, check_slices, cut, key_of, largest, names_of, number
from sqlmetrics.charts.themes import PALETTE
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.results.drift import Drift

MEASURES = ("psi", "jensen_shannon", "hellinger", "total_variation", "wasserstein", "ks")
LIMITS = (0.1, 0.25)  #: of psi, by practice
FAR = 5  #: how many times the next column one moved that lies beyond the axis
#: measures without a greatest value, with what their axis shows in any case
UNBOUNDED = {"psi": LIMITS[-1], "wasserstein": 0.0}
MOST_ACROSS = 30  #: slices of a heat map


def chart_of_drift(drift: Drift, measure: str, slices: bool) -> Chart:
    """A measure of each column, or of each column and slice."""
    check_slices(slices)
    if measure not in MEASURES:
        near = did_you_mean(str(measure), MEASURES)
        raise SqlMetricsError(
            f"measure= names no distance: {measure!r}.{near} Distances: {counted(MEASURES)}"
        )
    rows = [row for row in drift if row.get("is_total", True)]
    if drift.by and not (slices or "is_total" in drift.columns):
        raise SqlMetricsError("There is no total to show; leave slices=False out, or total=False of drift")
    values = dict.fromkeys(drift["column_name"], 0.0)
    for row in rows:
        values[row["column_name"]] = max(values[row["column_name"]], number(row[measure]) or 0.0)
    names = sorted(values, key=lambda name: -values[name])
    left_out = (
        f"the {MOST_SLICES} columns that moved furthest of {len(names):,}" if len(names) > MOST_SLICES else ""
    )
    names = names[:MOST_SLICES]
    title = f"{measure} of {len(values):,} columns" + (
        f" by {', '.join(map(cut, drift.by))}" if drift.by else ""
    )
    ends = [f"{shown(values[name])} ({cut(name)})" for name in (names[0], names[-1])]
    described = f"{title}: from {ends[0]} to {ends[1]}" + (f"; shows {left_out}" if left_out else "")
    if drift.by and slices:
        panel = _by_slice(drift, measure, names)
    else:
        panel = _dots({row["column_name"]: row for row in rows}, measure, names)
    beyond = panel.get("title", {}).get("subtitle", "")
    return chart(title, described, [panel], note="; ".join(filter(None, [beyond, left_out])))


def _dots(rows: dict[str, dict[str, object]], measure: str, names: list[str]) -> Layer:
    """A dot for each column, of one far beyond the others a triangle; for psi, lines at the limits of practice."""
    labels = names_of([(name,) for name in names])
    cells: list[dict[str, Any]] = [
        {
            "slice": labels[repr((name,))], "model": "", "value": number(rows[name][measure]), "low": None,
            "high": None, "text": shown(rows[name][measure]),
        }
        for name in names
    ]  # fmt: skip
    behind = [level(x=measure, value=limit) for limit in LIMITS] if measure == "psi" else []
    end = _end(measure, [cell["value"] or 0.0 for cell in cells])
    if end is None:
        return dots(cells, [""], measure, behind=behind)
    beyond = [{**cell, "value": end} for cell in cells if (cell["value"] or 0.0) > end]
    place = {
        "y": {"field": "slice", "type": "nominal", "sort": None, "title": None},
        "x": quantity("value", measure, domain=[0, end], nice=False),
    }
    marks: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (
            {
                "type": "point",
                "shape": "triangle-right",
                "filled": True,
                "size": 90,
                "opacity": 1,
                "color": PALETTE[0],
            },
            {},
        ),
        ({"type": "text", "align": "right", "dx": -10}, {"text": {"field": "text", "type": "nominal"}}),
    ]
    behind += [
        {
            "data": {"values": beyond},
            "mark": mark,
            "encoding": {**place, **encoding, "tooltip": tooltip(slice="of", text="value")},
        }
        for mark, encoding in marks
    ]
    panel = dots(cells[len(beyond) :], [""], measure, behind=behind)
    return {**panel, "title": {"subtitle": "triangles lie beyond the axis"}}


def _end(measure: str, values: list[float]) -> float | None:
    """Where the axis ends if a few columns moved so far that the others would lie on one point; otherwise none.

    >>> _end("psi", [40.0, 0.3, 0.2, 0.0]), _end("psi", [0.4, 0.01, 0.0]), _end("ks", [0.9, 0.01])
    (0.375, None, None)

    Args:
        measure: only one without a greatest value has an end.
        values: the greatest first.
    """
    least = UNBOUNDED.get(measure, inf)
    ends = [max(after, least) for before, after in pairwise(values) if before > FAR * max(after, least) > 0]
    few = [end for end in ends if 2 * sum(value > end for value in values) <= len(values)]
    return 1.25 * few[-1] if few else None


def _by_slice(drift: Drift, measure: str, names: list[str]) -> Layer:
    """Columns in rows, slices beside each other."""
    rows = [row for row in drift if not row.get("is_total")]
    sizes = {repr(key_of(row, drift.by)): row["n_current"] + row["n_reference"] for row in rows}
    keys, _ = largest((key_of(row, drift.by) for row in rows), sizes, MOST_ACROSS)
    across, down = names_of(keys), names_of([(name,) for name in names])
    cells: list[dict[str, Any]] = []
    for row in rows:
        y, x = down.get(repr((row["column_name"],))), across.get(repr(key_of(row, drift.by)))
        if x is not None and y is not None:
            value = number(row[measure])
            cells.append({"y": y, "x": x, "value": value, "text": "" if value is None else f"{value:.2g}"})
    order = list(down.values())
    cells.sort(key=lambda cell: order.index(cell["y"]))
    values = sorted((number(row[measure]) or 0.0 for row in rows), reverse=True)
    most = _end(measure, values) or max(values, default=1.0)
    return heat(cells, " · ".join(drift.by), "column", measure, (len(across), len(down)), [0.0, most or 1.0])
