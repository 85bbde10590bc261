"""Marks and channels that charts share. Their fields have our own names, never a name from data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlmetrics.book.headers import Better
from sqlmetrics.charts.parts import cut
from sqlmetrics.charts.themes import DARK_INK, DASHES, DIVERGING, LIGHT_INK, PALETTE, QUIET, SHAPES

Layer = dict[str, Any]

LEGEND = 340  #: pixels across a legend, which is then as wide as the narrowest picture
FEW_ACROSS = 6  #: columns of cells that may be wider, for level names
MOST_WRITTEN = 20  #: rows and columns of cells with a number inside


def by_model(models: Sequence[str], *channels: str, places: Sequence[int] | None = None) -> dict[str, Any]:
    """The channels that distinguish models, with one legend; one colour without models.

    Args:
        models: the names as they are shown, in their order; one without a name if there are none.
        channels: `shape` or `strokeDash`, beside the colour.
        places: of these models among all that there are, so that each looks the same in all charts.
    """
    ranges: dict[str, Sequence[Any]] = {"color": PALETTE, "shape": SHAPES, "strokeDash": DASHES}
    marks = {
        channel: [ranges[channel][place % len(PALETTE)] for place in places or range(len(models))]
        for channel in ("color", *channels)
    }
    if len(models) < 2:
        return {channel: {"value": mark[0]} for channel, mark in marks.items() if channel != "strokeDash"}
    return {
        channel: {
            "field": "model",
            "type": "nominal",
            "title": None,
            "sort": None,
            "scale": {"domain": list(models), "range": mark},
            "legend": legend(models),
        }
        for channel, mark in marks.items()
    }


def legend(names: Iterable[str]) -> dict[str, Any]:
    """A legend in as many columns as fit above the narrowest picture; a name that alone is wider is cut.

    >>> legend(["old", "new"]), legend(["search_ranker_of_2026", "x"])
    ({'columns': 6, 'labelLimit': 310}, {'columns': 1, 'labelLimit': 310})
    """
    symbol, letter = 30, 7.0  # pixels, of a letter on average
    widest = symbol + letter * max(map(len, names))
    return {"columns": max(int(LEGEND // widest), 1), "labelLimit": LEGEND - symbol}


def tooltip(**fields: str) -> list[dict[str, str]]:
    """Texts that are shown where the reader points at a mark: titles by field."""
    return [{"field": field, "type": "nominal", "title": title} for field, title in fields.items()]


def quantity(field: str, title: str | None, **scale: Any) -> dict[str, Any]:
    """A channel of numbers. The axis need not begin at 0, unless the scale says so."""
    return {"field": field, "type": "quantitative", "title": title, "scale": {"zero": False, **scale}}


def around(numbers: Iterable[float | None]) -> dict[str, Any]:
    """The scale of numbers that are all the same, to have them in its middle; otherwise it follows from them.

    Vega-Lite would label the only place of such an axis with a rounded number, 0.69 as 1.

    >>> around([0.5, None, 0.5]), around([0.5, 0.6]), around([0.0])
    ({'domain': [0.45, 0.55]}, {}, {'domain': [-1.0, 1.0]})
    """
    known = {number for number in numbers if number is not None}
    if len(known) != 1:
        return {}
    [number] = known
    reach = abs(number) / 10 or 1.0
    return {"domain": [number - reach, number + reach]}


def lines(
    x: dict[str, Any],
    values: list[dict[str, Any]],
    models: Sequence[str],
    title: str,
    scale: dict[str, Any],
    size: int,
    pointed: dict[str, str],
) -> list[Layer]:
    """A line for each model with a point at each value, above a band for the intervals if there are any.

    Args:
        x: the channel of the first axis.
        values: `model`, `value`, `low`, `high` and `text`, and the fields of `x` and `pointed`.
        models: the names of the models.
        title: of the second axis.
        scale: of the second axis.
        size: of a point.
        pointed: titles of the tooltip by field, before the model and the value.
    """
    colour = by_model(models)
    band = {
        "mark": {"type": "area", "opacity": 0.16},
        "encoding": {"x": x, "y": quantity("low", title), "y2": {"field": "high"}, **colour},
    }
    of_model = {"model": "model"} if len(models) > 1 else {}
    line = {
        "mark": {"type": "line", "point": {"size": size}},
        "encoding": {
            "x": x, "y": quantity("value", title, **scale), **by_model(models, "shape"),
            "tooltip": tooltip(**pointed, **of_model, text="value"),
        },
    }  # fmt: skip
    return [band, line] if any(row["low"] is not None for row in values) else [line]


def dots(
    values: list[dict[str, Any]],
    models: Sequence[str],
    title: str,
    rules: Sequence[dict[str, Any]] = (),
    behind: Sequence[Layer] = (),
    places: Sequence[int] | None = None,
) -> Layer:
    """A panel with a row for each slice: a dot for each model, with its interval.

    Args:
        values: `slice`, `model`, `value`, `low`, `high` and `text`, in the order of the rows.
        models: the names of the models.
        title: of the axis.
        rules: the totals: `model` and `value` of lines across all rows.
        behind: layers below the dots.
        places: as for `by_model`.
    """
    several = len(models) > 1
    rows = {"field": "slice", "type": "nominal", "sort": None, "title": None, "axis": {"grid": True}}
    offset = {
        "yOffset": {"field": "model", "type": "nominal", "sort": None, "scale": {"domain": list(models)}}
    }
    place: dict[str, Any] = {"y": rows, **(offset if several else {})}
    pointed = tooltip(slice="of", **({"model": "model"} if several else {}), text="value")
    layers: list[Layer] = [*behind]
    if rules:
        layers.append(
            {
                "data": {"values": list(rules)},
                "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 1.5, "opacity": 0.8},
                "encoding": {
                    "x": quantity("value", title),
                    **by_model(models, places=places),
                    "tooltip": tooltip(text="all"),
                },
            }
        )
    ends = [row for row in values if row["low"] is not None and row["high"] is not None]
    scale = around(
        [*(row["value"] for row in [*values, *rules]), *(row[end] for row in ends for end in ("low", "high"))]
    )
    if ends:
        layers.append(
            {
                "data": {"values": ends},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.75},
                "encoding": {
                    **place,
                    "x": quantity("low", title),
                    "x2": {"field": "high"},
                    **by_model(models, places=places),
                },
            }
        )
    layers.append(
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {
                **place,
                "x": quantity("value", title, **scale),
                **by_model(models, "shape", places=places),
                "tooltip": pointed,
            },
        }
    )
    step = max(22, 13 * len(models) + 6)
    return {
        "data": {"values": values},
        "width": 340,
        "height": {"step": step, "for": "position"},
        "layer": layers,
    }


def heat(
    values: list[dict[str, Any]],
    x: str,
    y: str,
    title: str,
    size: tuple[int, int],
    domain: list[float],
    better: Better | None = None,
    **pointed: str,
) -> Layer:
    """A panel with a coloured cell for each pair of categories, and its number inside. The worst is the darkest.

    Args:
        values: `x`, `y`, `value` (the colour) and `text` (the number as it is shown); `certain`, from 0 to 1, of cells
            that may be faded.
        x: the title of the columns.
        y: the title of the rows.
        title: of the colours.
        size: the number of columns and of rows.
        domain: the least and the greatest value; panels of one metric share them.
        better: the direction in which the value improves; the greatest is the worst by default.
        pointed: titles of the tooltip by field, beside the categories; the text by default.
    """
    written = max(size) <= MOST_WRITTEN
    wide = max(size) <= 12
    known = [row for row in values if row["value"] is not None]
    scale: dict[str, Any] = {"range": "heatmap", "domain": domain, "clamp": True}
    middle, least = (
        0.62,
        domain[0],
    )  # of the way to the worst, from which colours are too dark for dark text
    reach = domain[1] - domain[0] or 1.0
    if better and better.target is not None:
        middle, least = 0.75, better.target
        reach = max(abs(end - least) for end in domain) or 1.0
        scale = {"range": list(DIVERGING), "domain": [least - reach, least + reach], "clamp": True}
    elif better and better.direction == "higher":
        least, scale["reverse"] = domain[1], True
    inks: dict[str | None, list[dict[str, Any]]] = {LIGHT_INK: [], DARK_INK: [], None: []}
    for row in known:
        dark = abs(row["value"] - least) > middle * reach
        inks[None if _opacity(row) < 0.75 else LIGHT_INK if dark else DARK_INK].append(row)
    colour = {
        "field": "value",
        "type": "quantitative",
        "scale": scale,
        "legend": None if written else {"title": title, "gradientLength": 140},
    }
    lines = max((len(row["text"]) for row in values if isinstance(row["text"], list)), default=1)
    cells: Layer = {
        "data": {"values": [{**row, "opacity": _opacity(row)} for row in known]},
        "mark": {"type": "rect", "cornerRadius": 2},
        "encoding": {
            "color": colour, "opacity": {"field": "opacity", "type": "quantitative", "scale": None, "legend": None},
            "tooltip": tooltip(y=cut(y), x=cut(x), **(pointed or {"text": "value"})),
        },
    }  # fmt: skip
    numbers: list[Layer] = [
        {
            "data": {"values": rows},
            "mark": {
                "type": "text", "fontSize": 11 if wide else 9, "lineHeight": 13, "dy": -6.5 * (lines - 1),
                **({"color": ink} if ink else {}),  # faded cells let the ground through, and have the text of the theme
            },
            "encoding": {"text": {"field": "text"}},
        }
        for ink, rows in inks.items()
        if rows and written
    ]  # fmt: skip
    axis = {"type": "nominal", "sort": None}
    across, down = ({row[side] for row in values} for side in "xy")
    widest = 7 * max((len(name) for name in across), default=0)  # pixels
    step = 34 if not wide else min(max(56, widest + 6), 100) if len(across) <= FEW_ACROSS else 56
    # the rows of a confusion matrix have the same names, in full
    level_names = widest < step or (wide and across == down)
    labels = (0, step - 4) if level_names else (-40, 110)
    return {
        "data": {"values": [{"x": row["x"], "y": row["y"]} for row in values]},
        "width": {"step": step},
        "height": {"step": 34},
        "encoding": {
            "x": {
                **axis, "field": "x", "title": cut(x),
                "axis": dict(zip(("labelAngle", "labelLimit"), labels, strict=True)),
            },
            "y": {**axis, "field": "y", "title": cut(y)},
        },
        # all categories have a place, also those without a value
        "layer": [{"mark": {"type": "point", "opacity": 0}}, cells, *numbers],
    }  # fmt: skip


def _opacity(row: dict[str, Any]) -> float:
    return float(0.3 + 0.7 * row.get("certain", 1.0))


def level(x: str | None = None, y: str | None = None, value: float = 0) -> Layer:
    """A quiet line across a panel, at a value of one axis.

    Args:
        x: the title of the axis, if the line is at a value of x.
        y: the title of the axis, if the line is at a value of y.
        value: where the line stands.
    """
    field, title = ("x", x) if x is not None else ("y", y)
    return {
        "data": {"values": [{"value": value}]},
        "mark": {"type": "rule", "strokeDash": [4, 4], "color": QUIET},
        "encoding": {field: quantity("value", title)},
    }
