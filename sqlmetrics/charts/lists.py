"""Charts of `per_group`: how the values of lists are distributed, or two models list by list."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import Layer, level, quantity, tooltip
from sqlmetrics.charts.meaning import Meaning, meaning
from sqlmetrics.charts.parts import MOST_PANELS, chosen, cut, number, spread, text_of
from sqlmetrics.charts.themes import PALETTE
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.table.cells import shown
from sqlmetrics.table.frame import Frame

if TYPE_CHECKING:
    from sqlmetrics.results.report import ListReport

BINS = 25  #: of a histogram
FEW_LISTS = 60  #: differences that have a bar each; more are an area
WIDTH = 560  #: of the differences, in pixels
MOST_BARS = 200  #: differences that are drawn; of more lists, every so many in their order


def chart_of_lists(lists: ListReport, metric: str | None) -> Chart:
    """The chart of metrics of lists; see `ListReport.plot`."""
    known = list(lists.statement.notations)
    if metric is not None and not isinstance(metric, str):
        raise SqlMetricsError(f"metric= takes one of {', '.join(known)}, got {metric!r}")
    each, models = meaning(lists.statement, chosen(metric or known[0], known)[0]), _models(lists)
    return (_differences if len(models) == 2 else _distributions)(lists, each, models)


def drawn_of_lists(lists: ListReport, metric: str) -> Frame:
    """The numbers in the chart of a metric: bins of a histogram, or differences of two models in their order."""
    each, models = meaning(lists.statement, metric), _models(lists)
    rows: list[dict[str, Any]]
    if len(models) == 2:
        pairs = _pairs(lists, each)
        rows = [
            {"place": place + 1, "list": text_of(pairs[place][1]), "difference": pairs[place][0]}
            for place in spread(range(len(pairs)), MOST_BARS)
        ]
    else:
        rows = [
            {
                **({"model": model} if lists.statement.models else {}),
                "from": each_bin["low"], "to": each_bin["high"], "lists": each_bin["lists"],
            }
            for model, _, bins in _binned(lists, each, models)
            for each_bin in bins
        ]  # fmt: skip
    return Frame.from_dicts(rows)


def _models(lists: ListReport) -> list[str]:
    return [text_of(name) for name in lists.statement.scored] if lists.statement.models else [""]


def _binned(
    lists: ListReport, metric: Meaning, models: list[str]
) -> Iterator[tuple[str, list[float], list[dict[str, Any]]]]:
    """The models that are drawn, each with its sorted values and their bins, which all models share."""
    found: dict[str, list[float]] = {model: [] for model in models}
    of_models = map(text_of, lists["model"]) if lists.statement.models else models * len(lists)
    for model, value in zip(of_models, map(number, lists[metric.column]), strict=True):
        if value is not None:
            found[model].append(value)
    every = [value for values in found.values() for value in values]
    bounded = math.isfinite(metric.range.low) and math.isfinite(metric.range.high)
    low, high = (
        (metric.range.low, metric.range.high) if bounded else (min(every, default=0), max(every, default=1))
    )
    width = (high - low) / BINS or 1.0
    for model, values in list(found.items())[:MOST_PANELS]:
        counts = Counter(min(max(int((value - low) / width), 0), BINS - 1) for value in values)
        bins = [
            {"low": low + place * width, "high": low + (place + 1) * width, "lists": counts[place]}
            for place in range(BINS)
        ]
        yield model, sorted(values), bins


def _distributions(lists: ListReport, metric: Meaning, models: list[str]) -> Chart:
    """A histogram for each model, on one scale."""
    panels, said = [], []
    for place, (model, values, bins) in enumerate(_binned(lists, metric, models)):
        middle = _quantile(values, 0.5)
        panels.append(_histogram(bins, metric, model, middle, PALETTE[place % len(PALETTE)]))
        said.append(
            f"{cut(model)} {len(values):,} lists, median {shown(middle)}, half of them between"
            f" {shown(_quantile(values, 0.25))} and {shown(_quantile(values, 0.75))}".strip()
        )
    title = f"{metric.name} of each list"
    left_out = f"the first {MOST_PANELS} of {len(models)} models" if len(models) > MOST_PANELS else ""
    return chart(title, f"{title}: " + "; ".join(said), panels, note=left_out)


def _histogram(
    bins: list[dict[str, Any]], metric: Meaning, model: str, middle: float | None, colour: str
) -> Layer:
    values = [
        {**each, "text": f"{shown(each['low'])} to {shown(each['high'])}: {each['lists']:,} lists"}
        for each in bins
    ]
    bars = {
        "data": {"values": values},
        "mark": {"type": "bar", "color": colour, "binSpacing": 1},
        "encoding": {
            "x": {
                **quantity("low", metric.axis, nice=False),
                "bin": "binned",
                "axis": {"tickCount": 5, "grid": False},
            },
            "x2": {"field": "high"},
            "y": {"field": "lists", "type": "quantitative", "title": "lists"},
            "tooltip": tooltip(text="lists"),
        },
    }
    median = {
        "data": {"values": [] if middle is None else [{"value": middle}]},
        "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5},
        "encoding": {"x": quantity("value", metric.axis)},
    }
    subtitle = " — ".join(filter(None, [f"dashed: median {shown(middle)}", metric.direction]))
    return {
        "width": 340, "height": 180, "layer": [bars, median], "title": {"text": cut(model), "subtitle": subtitle},
    }  # fmt: skip


def _pairs(lists: ListReport, metric: Meaning) -> list[tuple[float, Any]]:
    """The differences of two models with their lists, the greatest first."""
    values: dict[str, dict[str, tuple[float, Any]]] = {model: {} for model in lists.statement.scored}
    columns = zip(*(lists[key] for key in (*lists.by, str(lists.statement.group))), strict=True)
    for key, model, value in zip(columns, lists["model"], map(number, lists[metric.column]), strict=True):
        if value is not None:
            values[model][repr(key)] = (value, key[-1])
    baseline, candidate = values.values()
    pairs = [
        (candidate[key][0] - value, group) for key, (value, group) in baseline.items() if key in candidate
    ]
    return sorted(pairs, key=lambda pair: -pair[0])


def _differences(lists: ListReport, metric: Meaning, models: list[str]) -> Chart:
    """The differences of two models in their order: where one is better, where the other, and by how much."""
    pairs = _pairs(lists, metric)
    rows: list[dict[str, Any]] = [
        {
            "place": place + 1, "value": pairs[place][0], "list": text_of(pairs[place][1]),
            "text": shown(pairs[place][0]),
        }
        for place in spread(range(len(pairs)), MOST_BARS)
    ]  # fmt: skip
    more = sum(difference > 0 for difference, _ in pairs)
    less = sum(difference < 0 for difference, _ in pairs)
    title = f"{metric.name} list by list: {cut(models[1])} less {cut(models[0])}"
    tally = f"higher in {more:,} lists, lower in {less:,}, the same in {len(pairs) - more - less:,}"
    bars = len(rows) <= FEW_LISTS
    mark = {"type": "bar", "size": round(0.8 * WIDTH / max(len(rows), 1), 1)} if bars else {"type": "area"}
    beside = 0.5 if bars else 0  # half a bar
    scale = {"domain": [1 - beside, max(len(pairs), 2) + beside], "nice": False}
    halves: list[Layer] = [
        {
            "data": {"values": [row for row in rows if row["value"] * sign >= 0]},
            "mark": {"color": colour, "opacity": 0.85, **mark},
            "encoding": {
                "x": {
                    **quantity("place", "lists, by their difference", **scale),
                    "axis": {"grid": False, "format": ",d", "tickMinStep": 1},
                },
                "y": quantity("value", "difference"),
                "tooltip": tooltip(list="list", text="difference"),
            },
        }
        for sign, colour in ((1, PALETTE[1]), (-1, PALETTE[0]))  # of the model that has the higher value
    ]
    panel = {
        "width": WIDTH, "height": 220, "layer": [*halves, level(y="difference")],
        "title": {"subtitle": " — ".join(filter(None, [tally, metric.direction]))},
    }  # fmt: skip
    middle = _quantile(sorted(difference for difference, _ in pairs), 0.5)
    return chart(title, f"{title}: {tally} of {len(pairs):,}; median {shown(middle)}", [panel])


def _quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which a share of sorted values lies, between two of them in proportion."""
    if not values:
        return None
    place = share * (len(values) - 1)
    below = values[math.floor(place)]
    return below + (values[math.ceil(place)] - below) * (place - math.floor(place))
