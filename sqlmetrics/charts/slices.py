"""Metrics by slice: dots of one column of slices or of many, a heat map of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.cells import Cell, of_all, row_of
from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import dots, heat
from sqlmetrics.charts.meaning import Meaning
from sqlmetrics.charts.parts import (
    MOST_SLICES,
    Key,
    cut,
    in_order,
    largest,
    listed,
    names_of,
    of_each,
    sizes_of,
)
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.results.report import Report

MOST_SIDE = 30  #: rows and columns of a heat map


def chart_of_slices(
    report: Report, metrics: list[Meaning], models: list[str], cells: dict[str, list[Cell]]
) -> Chart:
    """Slices in rows, the worst first: a panel for each metric."""
    rows = [row for row in report if not row.get("is_total")]
    keys = [cell.key for cell in cells[metrics[0].column] if not cell.total]
    keys, left_out = largest(keys, sizes_of(rows, report.by), MOST_SLICES)
    names = names_of(keys)
    panels, said = [], []
    for each in metrics:
        found = [cell for cell in cells[each.column] if not cell.total and repr(cell.key) in names]
        ranked = _worst_first(each, keys, found)
        order = {repr(key): place for place, key in enumerate(ranked)}
        found.sort(key=lambda cell: order[repr(cell.key)])
        totals = [cell for cell in cells[each.column] if cell.total]
        rules = [
            {"model": cell.model, "value": cell.value, "text": cell.text}
            for cell in totals
            if cell.value is not None
        ]
        panel = dots([row_of(cell, slice=names[repr(cell.key)]) for cell in found], models, each.axis, rules)
        panels.append({**panel, "title": {"text": each.name, "subtitle": _heading(each, totals, left_out)}})
        said.append(_sentence(each, names, found, totals, models))
    title = f"{listed([each.name for each in metrics])} by {listed(report.by)}"
    return chart(title, _described(title, metrics, said, left_out), panels)


def chart_of_pairs(
    report: Report, metrics: list[Meaning], models: list[str], cells: dict[str, list[Cell]]
) -> Chart:
    """The first column of slices in rows and the second in columns: a panel for each metric and model."""
    rows = [row for row in report if not row.get("is_total")]
    sides, notes = [], []
    for name in report.by:
        keys, fewer = largest(in_order((row[name],) for row in rows), sizes_of(rows, [name]), MOST_SIDE)
        sides.append(names_of(keys))
        notes.append(fewer.replace("slices", f"values of {cut(name)}"))
    left_out = " and ".join(filter(None, notes))
    down, across = sides
    panels, said = [], []
    for each in metrics:
        of_slices = [
            cell
            for cell in cells[each.column]
            if not cell.total and repr(cell.key[:1]) in down and repr(cell.key[1:]) in across
        ]
        totals = [cell for cell in cells[each.column] if cell.total]
        known = [cell.value for cell in of_slices if cell.value is not None]
        domain = [min(known, default=0.0), max(known, default=1.0)]
        for model in models:
            found = {
                (down[repr(cell.key[:1])], across[repr(cell.key[1:])]): cell
                for cell in of_slices
                if cell.model == model
            }
            values = [_square(y, x, found.get((y, x))) for y in down.values() for x in across.values()]
            panel = heat(values, report.by[1], report.by[0], each.axis, (len(across), len(down)), domain)
            total = next((cell.text for cell in totals if cell.model == model and cell.text != "-"), "")
            panel["title"] = {
                "text": f"{each.name} · {cut(model)}" if model else each.name,
                # in lines, since the picture of two columns is narrow
                "subtitle": list(filter(None, [total and f"all: {total}", each.direction, left_out])),
                "limit": max(60 * len(across), 240),
            }
            panels.append(panel)
        names = names_of([cell.key for cell in of_slices])
        said.append(_sentence(each, names, of_slices, totals, models))
    title = f"{listed([each.name for each in metrics])} by {listed(report.by)}"
    built = chart(title, _described(title, metrics, said, left_out), panels)
    if len(panels) > 1:  # each metric has a scale of its own
        built.spec["resolve"] = {"scale": {"color": "independent"}}
    return built


def _square(y: str, x: str, cell: Cell | None) -> dict[str, Any]:
    value = cell.value if cell else None
    return {"y": y, "x": x, "value": value, "text": "" if value is None else f"{value:#.3g}".rstrip(".")}


def _worst_first(metric: Meaning, keys: list[Key], cells: list[Cell]) -> list[Key]:
    """The slices by their value of the first model; those without a value are last."""
    values = {repr(cell.key): cell.value for cell in reversed(cells)}

    def rank(key: Key) -> tuple[bool, float]:
        value = values.get(repr(key))
        return value is None, 0.0 if value is None else metric.better.goodness(value)

    return sorted(keys, key=rank)


def _heading(metric: Meaning, totals: list[Cell], left_out: str) -> str:
    """What stands below the name of the metric: the total, the direction and what is left out."""
    return " — ".join(filter(None, [of_all(totals), metric.direction, left_out]))


def _sentence(
    metric: Meaning, names: dict[str, str], cells: list[Cell], totals: list[Cell], models: list[str]
) -> str:
    """The total, and the worst and the best slice of the first model."""
    of_totals = ", ".join(f"{cut(cell.model)} {cell.text}".strip() for cell in totals[:4])
    known = sorted(
        (cell for cell in cells if cell.value is not None and cell.model == models[0]),
        key=lambda cell: metric.better.goodness(cell.value or 0.0),
    )
    ends = [f"{shown(cell.value)} ({cut(names[repr(cell.key)])})" for cell in known]
    reach = f"from {ends[0]} to {ends[-1]}" if len(ends) > 1 else ends[0] if ends else "no values"
    parts = [of_totals and f"all {of_totals}", f"{cut(models[0])} {reach}".strip(), metric.direction]
    return "; ".join(filter(None, parts))


def _described(title: str, metrics: list[Meaning], said: list[str], left_out: str) -> str:
    sentences = of_each([each.name for each in metrics], said)
    return f"{title}: {sentences}" + (f"; shows {left_out}" if left_out else "")
