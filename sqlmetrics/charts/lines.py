"""The panel of a curve: a line for each model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlmetrics.charts.marks import Layer, by_model, quantity, tooltip
from sqlmetrics.charts.parts import number
from sqlmetrics.charts.themes import QUIET

Rows = list[dict[str, Any]]


def lines_of(
    lines: dict[str, Rows], models: list[str], side: int, x: str, y: str, titles: tuple[str, str], behind: Rows,
    start: Callable[[Rows], Rows] = lambda rows: [], heights: tuple[float, float] = (0, 1),
    widths: tuple[float, float] = (0, 1), **mark: Any,
) -> Layer:  # fmt: skip
    """A square panel with a line for each model.

    Args:
        lines: the points by model.
        models: the names of all models.
        side: the size of the panel.
        x: the column of one axis.
        y: the column of the other.
        titles: of both axes.
        behind: layers below the lines.
        start: points before the first.
        heights: the least and the greatest of the second axis.
        widths: those of the first.
        mark: options of the line.
    """
    values = [
        {
            "model": model, "x": number(row[x]), "y": number(row[y]), "place": place,
            "threshold": number(row.get("threshold")),
        }
        for model, rows in lines.items()
        for place, row in enumerate([*start(rows), *rows])
    ]  # fmt: skip
    pointed = [
        {"field": field, "type": "quantitative", "title": title, "format": ".4~g"}
        for field, title in (("threshold", "threshold"), ("x", titles[0]), ("y", titles[1]))
        if (field, x) != ("x", "threshold")
    ] + (tooltip(model="model") if len(models) > 1 else [])
    line = {
        "mark": {"type": "line", "strokeWidth": 2, "strokeJoin": "round", **mark},
        "encoding": {
            "x": quantity("x", titles[0], domain=list(widths), nice=False),
            "y": quantity("y", titles[1], domain=list(heights), nice=False),
            "order": {"field": "place", "type": "quantitative"},
            **by_model(models, *([] if "point" in mark else ["strokeDash"])),
            "tooltip": pointed,
        },
    }
    return {"data": {"values": values}, "width": side, "height": side, "layer": [*behind, line]}


def band(points: Rows, models: list[str], titles: tuple[str, str]) -> list[Layer]:
    """A ribbon for each model; of many models so faint that the lines stay in front. None without a band.

    Args:
        points: `model`, `x`, `low` and `high`.
        models: the names of all models.
        titles: of both axes.
    """
    if not points:
        return []
    ribbon = {
        "data": {"values": points},
        "mark": {"type": "area", "opacity": round(0.2 / (1 + len(models) / 4), 3)},
        "encoding": {
            "x": quantity("x", titles[0]),
            "y": quantity("low", titles[1]),
            "y2": {"field": "high"},
            **by_model(models),
        },
    }
    return [ribbon]


def diagonal(titles: tuple[str, str], name: str, ends: tuple[float, float] = (0, 1)) -> list[Layer]:
    """The diagonal of a square panel, with its name along it.

    Args:
        titles: of both axes.
        name: what lies on the line, such as `chance`.
        ends: the least and the greatest of both axes.
    """
    place = ends[0] + 0.7 * (ends[1] - ends[0])
    return [
        quiet_line([{"x": end, "y": end} for end in ends], titles),
        word(name, {"x": place, "y": place}, titles, angle=-45, dy=8),
    ]


def quiet_line(points: Rows, titles: tuple[str, str], **mark: Any) -> Layer:
    """A dashed line to compare with."""
    return {
        "data": {"values": points},
        "mark": {"type": "line", "color": QUIET, "strokeDash": [4, 4], "strokeWidth": 1, **mark},
        "encoding": {"x": quantity("x", titles[0]), "y": quantity("y", titles[1])},
    }


def word(name: str, place: dict[str, Any], titles: tuple[str, str], **mark: Any) -> Layer:
    """The name of a quiet line, beside it."""
    return {
        "data": {"values": [{**place, "text": name}]},
        "mark": {"type": "text", "fontSize": 11, "opacity": 0.75, **mark},
        "encoding": {
            "x": quantity("x", titles[0]), "y": quantity("y", titles[1]), "text": {"field": "text", "type": "nominal"},
        },
    }  # fmt: skip
