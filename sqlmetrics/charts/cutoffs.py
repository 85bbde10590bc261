"""Metrics that differ by their cutoff alone: a line over cutoffs."""

from __future__ import annotations

from typing import Any

from sqlmetrics.charts.cells import Cell, row_of
from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import around, lines
from sqlmetrics.charts.meaning import Meaning
from sqlmetrics.charts.parts import cut, of_each


def differ_by_cutoff(metrics: list[Meaning]) -> bool:
    """Whether each metric is there with two cutoffs or more."""
    return all(len(family) > 1 for family in _families(metrics))


def _families(metrics: list[Meaning]) -> list[list[Meaning]]:
    """Metrics that are the same but for the cutoff; one without a cutoff is alone."""
    families: dict[str, dict[Any, Meaning]] = {}
    for each in metrics:
        cutoff = each.parameters.get("k")
        others = sorted((name, repr(value)) for name, value in each.parameters.items() if name != "k")
        key = repr((each.base, others)) if cutoff is not None else each.column
        families.setdefault(key, {})[cutoff] = each
    return [list(family.values()) for family in families.values()]


def chart_of_cutoffs(metrics: list[Meaning], models: list[str], cells: dict[str, list[Cell]]) -> Chart:
    """A panel for each metric, with a line for each model."""
    panels, names, said = [], [], []
    for family in _families(metrics):
        family.sort(key=lambda each: each.parameters["k"])
        values = [row_of(cell, k=each.parameters["k"]) for each in family for cell in cells[each.column]]
        first, last = family[0], family[-1]
        others = ", ".join(f"{key}={value}" for key, value in first.parameters.items() if key != "k")
        name = cut(f"{first.base}@k" + (f"({others})" if others else ""))
        x: dict[str, Any] = {
            "field": "k", "type": "quantitative", "title": "cutoff k",
            "scale": {"zero": False, "nice": False, "padding": 8},
            "axis": {"values": [each.parameters["k"] for each in family], "grid": False, "format": "d"},
        }  # fmt: skip
        scale = around(row[end] for row in values for end in ("value", "low", "high"))
        layers = lines(x, values, models, name, scale, 45, {})
        heading = {"text": name, "subtitle": first.direction}
        names.append(name)
        panels.append(
            {"data": {"values": values}, "width": 340, "height": 220, "title": heading, "layer": layers}
        )
        of_models = [
            f"{cut(model) + ' ' if model else ''}{_value(cells, first, model)} at {first.parameters['k']},"
            f" {_value(cells, last, model)} at {last.parameters['k']}"
            for model in models
        ]
        said.append("; ".join(filter(None, [*of_models, first.direction])))
    title = cut(" and ".join(names))
    return chart(title, f"{title} by cutoff: {of_each(names, said)}", panels)


def _value(cells: dict[str, list[Cell]], metric: Meaning, model: str) -> str:
    return next(cell.text for cell in cells[metric.column] if cell.model == model)
