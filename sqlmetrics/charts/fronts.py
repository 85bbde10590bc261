"""Quality against cost: two metrics of each model as a point, and the models that no other one beats in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.cells import Cell, cells_of
from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import Layer, around, by_model, quantity, tooltip
from sqlmetrics.charts.meaning import Meaning, meaning
from sqlmetrics.charts.parts import MOST_PANELS, chosen, cut, largest, names_of, of_each, sizes_of, text_of
from sqlmetrics.charts.themes import QUIET
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlmetrics.results.report import Report

SIDE = 300  #: pixels
ALL = "all rows"

Point = tuple[Cell, Cell]  #: the cells of one model: of the metric, and of the one that it is set against


def chart_of_front(report: Report, metric: str | Sequence[str] | None, against: str, slices: bool) -> Chart:
    """Models as points, a panel for each slice; see `Report.plot`."""
    known = list(report.statement.notations)
    if not isinstance(against, str):
        raise SqlMetricsError(f"against= takes the name of one metric, got {against!r}")
    [across] = chosen(against, known, 1)
    others = [name for name in known if name != across]
    names = chosen(metric, known) if metric is not None else others
    if len(names) != 1 or names == [across]:
        raise SqlMetricsError(
            f"against={across!r} takes one other metric to set against it, such as metric={(others or ['auc'])[0]!r}"
        )
    up, along = meaning(report.statement, names[0]), meaning(report.statement, across)
    pairs = list(zip(cells_of(report, up.column), cells_of(report, along.column), strict=True))
    if not slices or not report.by:
        pairs = [pair for pair in pairs if pair[0].total]
    if not pairs:
        raise SqlMetricsError("The result has no total to show; total=True adds it, slices=True shows slices")
    models = list(dict.fromkeys(text_of(row["model"]) for row in report)) if report.statement.models else [""]
    parts = [(ALL, [pair for pair in pairs if pair[0].total])]
    keys = [pair[0].key for pair in pairs if not pair[0].total]
    rows = [row for row in report if not row.get("is_total")]
    keys, left_out = largest(keys, sizes_of(rows, report.by), MOST_PANELS - 1)
    for key, name in names_of(keys, taken=[ALL]).items():
        parts.append((name, [pair for pair in pairs if not pair[0].total and repr(pair[0].key) == key]))
    panels, said = [], []
    for name, found in parts:
        if not found:
            continue
        front = _front(found, up, along)
        panel = _panel(found, front, models, (along, up))
        if len(parts) > 1:
            panel["title"] = {"text": name}
        panels.append(panel)
        said.append(_sentence(found, front, models))
    title = cut(f"{up.name} against {along.name}") + (f", {left_out}" if left_out else "")
    shown_parts = [name for name, found in parts if found]
    return chart(title, f"{title}: {of_each(shown_parts, said)}", panels)


def _worth(cell: Cell, of: Meaning, otherwise: int) -> float:
    """How good a value is: higher is better.

    Args:
        otherwise: 1 if the higher is better of a metric without a direction, -1 if the lower is, as of a cost.
    """
    if of.better.target is not None:
        return -abs((cell.value or 0) - of.better.target)
    return {"higher": 1, "lower": -1}.get(of.better.direction, otherwise) * (cell.value or 0)


def _front(points: list[Point], up: Meaning, along: Meaning) -> list[Point]:
    """The points that no other one beats: at least as good in both metrics, and better in one."""
    worth = [
        (_worth(point[0], up, 1), _worth(point[1], along, -1), point)
        for point in points
        if point[0].value is not None and point[1].value is not None
    ]
    front = [
        (second, point)
        for first, second, point in worth
        if not any(a >= first and b >= second and (a > first or b > second) for a, b, _ in worth)
    ]
    return [point for _, point in sorted(front, key=lambda one: -one[0])]


def _panel(points: list[Point], front: list[Point], models: list[str], of: tuple[Meaning, Meaning]) -> Layer:
    values = [
        {
            "model": y.model, "x": x.value, "y": y.value, "x_low": x.low, "x_high": x.high, "y_low": y.low,
            "y_high": y.high, "x_text": x.text, "y_text": y.text, "best": "yes" if (y, x) in front else "no",
        }
        for y, x in points
        if x.value is not None and y.value is not None
    ]  # fmt: skip
    ends = {
        axis: [end for cell in cells for end in (cell.value, cell.low, cell.high)]
        for axis, cells in (("x", [x for _, x in points]), ("y", [y for y, _ in points]))
    }
    titles = {axis: each.axis for axis, each in zip("xy", of, strict=True)}
    layers: list[Layer] = [
        {
            "data": {"values": [{"x": x.value, "y": y.value, "place": place} for place, (y, x) in enumerate(front)]},
            "mark": {"type": "line", "color": QUIET, "strokeDash": [4, 4], "interpolate": "step-after"},
            "encoding": {
                "x": quantity("x", titles["x"]), "y": quantity("y", titles["y"]),
                "order": {"field": "place", "type": "quantitative"},
            },
        }
    ]  # fmt: skip
    for axis, other in ("xy", "yx"):
        known = [row for row in values if row[f"{axis}_low"] is not None and row[f"{axis}_high"] is not None]
        if known:
            layers.append({
                "data": {"values": known},
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.6},
                "encoding": {
                    axis: quantity(f"{axis}_low", titles[axis]), f"{axis}2": {"field": f"{axis}_high"},
                    other: quantity(other, titles[other]), **by_model(models),
                },
            })  # fmt: skip
    pointed: dict[str, Any] = {"model": "model"} if len(models) > 1 else {}
    layers.append({
        "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
        "encoding": {
            "x": quantity("x", titles["x"], **around(ends["x"])),
            "y": quantity("y", titles["y"], **around(ends["y"])),
            **by_model(models, "shape"),
            "tooltip": tooltip(**pointed, y_text=of[1].name, x_text=of[0].name, best="beaten by none"),
        },
    })  # fmt: skip
    return {"data": {"values": values}, "width": SIDE, "height": SIDE, "layer": layers}


def _sentence(points: list[Point], front: list[Point], models: list[str]) -> str:
    """Which models are on the front, with both values."""
    if not front:
        return "no model has both values"
    named = [f"{cut(y.model)} {shown(y.value)} at {shown(x.value)}".strip() for y, x in front[:6]]
    more = f" and {len(front) - 6} more" if len(front) > 6 else ""
    if len(models) < 2:
        return named[0]
    beaten = len(points) - len(front)
    return f"beaten by no other model in both: {', '.join(named)}{more}; others: {beaten}"
