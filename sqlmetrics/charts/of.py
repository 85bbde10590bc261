"""The chart of a result. A result knows this name alone, and charts know of results only what they read."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlmetrics.charts.chart import Chart

#: The class of a result -> the module and the function of its chart, imported when one is drawn.
CHARTS = {
    "Battles": ("battles", "chart_of_battles"),
    "Change": ("change", "chart_of_change"),
    "ClassTable": ("classes", "chart_of_classes"),
    "Comparison": ("comparisons", "chart_of_comparison"),
    "Curve": ("curves", "chart_of_curve"),
    "Drift": ("drift", "chart_of_drift"),
    "Leaderboard": ("leaderboards", "chart_of_leaderboard"),
    "ListReport": ("lists", "chart_of_lists"),
    "Report": ("reports", "chart_of_report"),
    "Slices": ("found", "chart_of_search"),
}


def chart_of(result: Any, *options: Any) -> Chart:
    """The chart of a result, with the options of its `plot`."""
    module, name = next(CHARTS[of.__name__] for of in type(result).__mro__ if of.__name__ in CHARTS)
    chart: Chart = getattr(import_module(f"sqlmetrics.charts.{module}"), name)(result, *options)
    return chart
