"""Charts of `explain_change`: a waterfall from the metric before to the metric after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import Layer, by_model, level, quantity, tooltip
from sqlmetrics.charts.meaning import meaning
from sqlmetrics.charts.parts import cut, interval_text, key_of, listed, names_of
from sqlmetrics.charts.themes import QUIET
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.results.change import Change

MOST_BARS = 20  #: slices with bars of their own


def chart_of_change(change: Change) -> Chart:
    """The chart of an explained change; see `Change.plot`."""
    metric = meaning(change.statement, next(iter(change.statement.notations)))
    *slices, total = change.to_dicts()
    if total["effect"] is None:
        raise SqlMetricsError(f"{metric.name} has no value in one of the periods, and so no change to show")
    shown_slices, rest = slices[:MOST_BARS], slices[MOST_BARS:]
    names = names_of([key_of(row, change.by) for row in shown_slices], ("before", "after", "others"))
    steps = [(names[repr(key_of(row, change.by))], row) for row in shown_slices]
    if rest:
        others = {part: sum(row[part] for row in rest) for part in (*change.parts, "effect")}
        steps.append((f"{len(rest):,} others", others))
    bars, place = [], total["value_before"]
    ends = [_end(period, total[f"value_{period}"]) for period in ("before", "after")]
    for name, row in steps:
        text = interval_text(row["effect"], row.get("low"), row.get("high"))
        start = place
        for part in change.parts:
            bars.append(
                {
                    "slice": name, "model": part, "start": place, "end": place + row[part], "text": _signed(row[part]),
                    "effect": text,
                }
            )  # fmt: skip
            place += row[part]
        if row.get("low") is not None:  # once for each slice
            bars[-1] |= {"low": start + row["low"], "high": start + row["high"]}
    title = f"{metric.name} by {listed(change.by)}"
    subtitle = ", ".join(f"{part} {_signed(total[part])}" for part in change.parts)
    left_out = f"the {MOST_BARS} largest effects of {len(slices):,} slices" if rest else ""
    of_grey = "grey: intervals of effects" if "low" in total else ""
    panel = _panel(bars, ends, change.parts, metric.axis)
    panel["title"] = {"text": title, "subtitle": " — ".join(filter(None, [subtitle, of_grey, left_out]))}
    said = ", ".join(f"{cut(name)} {_signed(row['effect'])}" for name, row in steps[:3])
    moved = f"{metric.name} from {shown(total['value_before'])} to {shown(total['value_after'])}"
    description = f"{moved} by {listed(change.by)}: {subtitle}; {said}"
    return chart(title, description + (f"; shows {left_out}" if left_out else ""), [panel])


def _end(name: str, value: float) -> dict[str, Any]:
    return {"slice": name, "value": value, "text": shown(value)}


def _signed(value: float) -> str:
    return ("+" if value >= 0 else "") + shown(value + 0.0)


def _panel(bars: list[dict[str, Any]], ends: list[dict[str, Any]], parts: list[str], axis: str) -> Layer:
    """A row for each step, with a bar for each part that begins where the one before ends."""
    first, last = ends
    order = list(dict.fromkeys([first["slice"], *(bar["slice"] for bar in bars), last["slice"]]))
    rows = {
        "field": "slice", "type": "nominal", "title": None, "sort": None, "scale": {"domain": order},
        "axis": {"grid": True},
    }  # fmt: skip
    offset = {"field": "model", "type": "nominal", "sort": None, "scale": {"domain": parts}}
    pointed = tooltip(slice="slice", model="part", text="adds", effect="effect")
    layers: list[Layer] = [
        {
            "data": {"values": bars},
            "mark": {"type": "bar", "height": {"band": 0.8}},
            "encoding": {
                "y": rows, "yOffset": offset, "x": quantity("start", axis), "x2": {"field": "end"}, **by_model(parts),
                "tooltip": pointed,
            },
        },
        {
            "data": {"values": [bar for bar in bars if "low" in bar]},
            "mark": {"type": "rule", "strokeWidth": 1.5, "color": QUIET},
            "encoding": {"y": rows, "x": quantity("low", axis), "x2": {"field": "high"}},
        },
        {
            "data": {"values": ends},
            "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1, "color": QUIET},
            "encoding": {"y": rows, "x": quantity("value", axis), "tooltip": tooltip(slice="of", text="value")},
        },
        {**level(x=axis), "data": {"values": ends}},
    ]  # fmt: skip
    if not any("low" in bar for bar in bars):
        del layers[1]
    return {"width": 340, "height": {"step": 13 * len(parts) + 8, "for": "position"}, "layer": layers}
