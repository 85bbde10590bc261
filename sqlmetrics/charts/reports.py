"""Charts of `evaluate` and `finish`: what the slices and metrics are decides the chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.cells import Cell, cells_of, row_of
from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.cutoffs import chart_of_cutoffs, differ_by_cutoff
from sqlmetrics.charts.fronts import chart_of_front
from sqlmetrics.charts.marks import dots
from sqlmetrics.charts.meaning import Meaning, meaning
from sqlmetrics.charts.parts import MOST_PANELS, MOST_SLICES, check_slices, chosen, listed, text_of
from sqlmetrics.charts.slices import chart_of_pairs, chart_of_slices
from sqlmetrics.charts.times import is_time
from sqlmetrics.charts.trends import chart_of_trends
from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    from sqlmetrics.results.audited import Comparison
    from sqlmetrics.results.report import Report


def chart_of_report(
    report: Report, metric: str | Sequence[str] | None, slices: bool, against: str | None
) -> Chart:
    """The chart of a report; see `Report.plot`."""
    check_slices(slices)
    if against is not None:
        return chart_of_front(report, metric, against, slices)
    by = report.by if slices else []
    # without slices a metric is a row or a point, else a panel
    names = chosen(metric, list(report.statement.notations), MOST_PANELS if by else MOST_SLICES)
    metrics = [meaning(report.statement, name) for name in names]
    models = list(dict.fromkeys(text_of(row["model"]) for row in report)) if report.statement.models else [""]
    cells = {each.column: cells_of(report, each.column) for each in metrics}
    if not by:
        cells = {name: [cell for cell in found if cell.total] for name, found in cells.items()}
        if not next(iter(cells.values())):
            raise SqlMetricsError(
                "The result has no total to show; total=True adds it, slices=True shows slices"
            )
        if differ_by_cutoff(metrics):
            return chart_of_cutoffs(metrics, models, cells)
        return _totals(metrics, models, cells)
    time = time_of(report)
    if time is not None:
        return chart_of_trends(report, metrics, models, cells, time)
    draw = chart_of_pairs if len(by) == 2 else chart_of_slices
    return draw(report, metrics, models, cells)


def time_of(report: Report | Comparison) -> int | None:
    """The place of the slice column that holds times: dates, texts that are dates, or the periods of a state."""
    for place, name in enumerate(report.by):
        values = [row[name] for row in report if not row.get("is_total") and row[name] is not None]
        if name == report.statement.period or (values and all(map(is_time, values))):
            return place
    return None


def _totals(metrics: list[Meaning], models: list[str], cells: dict[str, list[Cell]]) -> Chart:
    """Metrics in rows: a panel for metrics of the same range, unit and direction."""
    alike: dict[tuple[Any, ...], list[Meaning]] = {}
    for each in metrics:
        alike.setdefault((each.range.low, each.range.high, each.unit, each.direction), []).append(each)
    panels = []
    for group in alike.values():
        values = [row_of(cell, slice=each.name) for each in group for cell in cells[each.column]]
        unit = group[0].unit
        named = [unit if unit not in ("none", "share") else "", group[0].direction]
        panels.append(dots(values, models, " — ".join(filter(None, named))))
    said = "; ".join(
        f"{each.name} " + ", ".join(f"{cell.model} {cell.text}".strip() for cell in cells[each.column])
        for each in metrics[:6]
    )
    title = listed([each.name for each in metrics])
    return chart(title, f"{title} over all rows: {said}", panels)
