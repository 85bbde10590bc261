"""Metrics by slice: dots of one column of slices or of many, a heat map of two."""

from __future__ import annotations

from statistics import median
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
HEADED = 280  #: pixels of the lines above a heat map
MOST_COUNTED = 12  #: columns of a heat map whose cells have room for their number of rows
FADED = 0.5  #: of the precision in the middle, below which a cell is seen to be faded


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
        of_models = {
            model: {
                (down[repr(cell.key[:1])], across[repr(cell.key[1:])]): cell
                for cell in of_slices
                if cell.model == model
            }
            for model in models
        }
        certain_of = {model: _certain(found) for model, found in of_models.items()}
        # a cell of few rows does not stretch the colours of the others
        known = [
            of_models[model][place].value or 0.0
            for model, certain in certain_of.items()
            for place, share in certain.items()
            if share >= FADED
        ]
        domain = [min(known, default=0.0), max(known, default=1.0)]
        for model, found in of_models.items():
            certain = certain_of[model]
            values = [
                _square(y, x, found.get((y, x)), certain.get((y, x), 1.0), len(across) <= MOST_COUNTED)
                for y in down.values()
                for x in across.values()
            ]
            panel = heat(
                values, report.by[1], report.by[0], each.axis, (len(across), len(down)), domain, each.better,
                about="value", rows="rows",
            )  # fmt: skip
            total = next((cell.text for cell in totals if cell.model == model and cell.text != "-"), "")
            panel["title"] = {
                "text": f"{each.name} · {cut(model)}" if model else each.name,
                # in lines, since the picture of two columns is narrow
                "subtitle": list(
                    filter(None, [total and f"all: {total}", *_of_colours(each, certain), left_out])
                ),
                "limit": max(60 * len(across), HEADED),
            }
            panels.append(panel)
        names = names_of([cell.key for cell in of_slices])
        said.append(_sentence(each, names, of_slices, totals, models))
    title = f"{listed([each.name for each in metrics])} by {listed(report.by)}"
    built = chart(title, _described(title, metrics, said, left_out), panels)
    # beside narrow panels there is room for what stands above them
    beside = max(HEADED - 60 * (1 + len(across)), 0)
    built.spec["padding"] = {"left": 8, "right": 8 + beside, "top": 8, "bottom": 8}
    if len(panels) > 1:  # each metric has a scale of its own
        built.spec["spacing"] = {"row": 28, "column": max(28, beside)}
        built.spec["resolve"] = {"scale": {"color": "independent"}}
    return built


def _square(y: str, x: str, cell: Cell | None, certain: float, counted: bool) -> dict[str, Any]:
    """A cell of the heat map: the value, with the rows behind it below."""
    square: dict[str, Any] = {
        "y": y,
        "x": x,
        "value": cell.value if cell else None,
        "certain": certain,
        "text": "",
    }
    if cell is None or cell.value is None:
        return square
    text = f"{cell.value:#.3g}".rstrip(".")
    short = f"{cell.rows:,.0f}" if cell.rows < 1e5 else f"{cell.rows:.2g}"
    return {
        **square, "text": [text, f"n {short}"] if counted else text, "about": cell.text, "rows": f"{cell.rows:,.0f}",
    }  # fmt: skip


def _certain(cells: dict[tuple[str, str], Cell]) -> dict[tuple[str, str], float]:
    """How precise each cell is beside the one in the middle, from 0 to 1.

    That is how often its interval goes into the one of the median; without intervals, the root of its rows beside the
    median, since standard errors fall with the root of the rows.
    """
    known = {place: cell for place, cell in cells.items() if cell.value is not None}
    widths = {
        place: cell.high - cell.low if cell.low is not None and cell.high is not None else None
        for place, cell in known.items()
    }
    if any(width is not None for width in widths.values()):
        middle = median(width for width in widths.values() if width is not None)
        return {
            place: 0.0 if width is None else min(middle / width, 1.0) if width else 1.0
            for place, width in widths.items()
        }
    middle = median([cell.rows for cell in known.values()] or [1.0])
    return {place: min((cell.rows / middle) ** 0.5, 1.0) if middle else 1.0 for place, cell in known.items()}


def _of_colours(metric: Meaning, certain: dict[tuple[str, str], float]) -> list[str]:
    """What colours mean, in lines above a heat map."""
    direction = f"{metric.direction}, deep colours are worse" if metric.direction else ""
    return [direction, "faded cells are uncertain" if min(certain.values(), default=1.0) < FADED else ""]


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
