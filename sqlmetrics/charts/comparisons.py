"""Charts of `compare`: a forest plot of differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import dots, level, quantity
from sqlmetrics.charts.meaning import Meaning, meaning
from sqlmetrics.charts.parts import (
    MOST_SLICES,
    check_slices,
    chosen,
    cut,
    interval_text,
    key_of,
    largest,
    names_of,
    number,
    sizes_of,
    text_of,
)
from sqlmetrics.charts.themes import QUIET
from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    from sqlmetrics.results.audited import Comparison


def chart_of_comparison(comparison: Comparison, metric: str | Sequence[str] | None, slices: bool) -> Chart:
    """The chart of a comparison; see `Comparison.plot`."""
    check_slices(slices)
    statement = comparison.statement
    metrics = [meaning(statement, name) for name in chosen(metric, list(statement.notations))]
    by = comparison.by if slices else []
    rows = [row for row in comparison if by or row.get("is_total", not comparison.by)]
    if not rows:
        raise SqlMetricsError("The result has no total to show; total=True adds it, slices=True shows slices")
    candidates = list(dict.fromkeys(_models_of(row) for row in rows))
    keys = [key_of(row, by) for row in rows if not row.get("is_total")]
    keys, left_out = largest(keys, sizes_of(comparison.audit, comparison.by), MOST_SLICES)
    names, baseline = names_of(keys), cut(text_of(statement.scored[0]))
    one_baseline = "baseline" not in comparison.columns or "baseline" in comparison.by
    order = [text_of(name) for name in comparison.order or statement.scored]
    places = [order.index(name) for name in candidates] if one_baseline else None
    panels, said = [], []
    for each in metrics:
        found = [row for row in rows if row["metric"] == each.column]
        totals = [row for row in found if row.get("is_total", not comparison.by)]
        values = [_row(row, "all") for row in totals]
        if by:
            of_slices = [row for row in found if not row.get("is_total") and repr(key_of(row, by)) in names]
            of_slices.sort(key=lambda row: _rank(each, row["difference"]))
            # the candidates of a slice stand together, at the place of the one that is worst
            order = list(dict.fromkeys(repr(key_of(row, by)) for row in of_slices))
            of_slices.sort(key=lambda row: order.index(repr(key_of(row, by))))
            values += [_row(row, names[repr(key_of(row, by))]) for row in of_slices]
        title = f"{each.axis}: difference to {baseline}" if one_baseline else f"{each.axis}: difference"
        band = {
            "data": {"values": [row for row in values if row["least"] is not None]},
            "mark": {"type": "bar", "color": QUIET, "opacity": 0.18, "size": 14},
            "encoding": {
                "y": {"field": "slice", "type": "nominal", "sort": None, "title": None},
                **(
                    {"yOffset": {"field": "model", "type": "nominal", "scale": {"domain": candidates}}}
                    if len(candidates) > 1
                    else {}
                ),
                "x": quantity("least", title),
                "x2": {"field": "most"},
            },
        }
        panel = dots(values, candidates, title, behind=[band, level(x=title)], places=places)
        panel["title"] = {"text": each.name, "subtitle": _lines(each, candidates, left_out), "limit": 360}
        panels.append(panel)
        said += [_sentence(each, row, len(candidates) > 1) for row in totals or found[:1]]
    title = cut(", ".join(candidates)) + (f" against {baseline}" if one_baseline else "")
    description = f"{title}: " + "; ".join(said[:6]) + (f"; shows {left_out}" if left_out else "")
    return chart(title, description, panels)


def _row(row: dict[str, Any], name: str) -> dict[str, Any]:
    difference, low, high = (number(row[column]) for column in ("difference", "low", "high"))
    detectable = number(row["minimum_detectable"])
    return {
        "slice": name,
        "model": _models_of(row),
        "value": difference,
        "low": low,
        "high": high,
        "least": None if detectable is None else -detectable,
        "most": detectable,
        "text": interval_text(difference, low, high),
    }


def _models_of(row: dict[str, Any]) -> str:
    """The candidate, and its baseline where each model is compared with each."""
    candidate = text_of(row["candidate"])
    return f"{candidate} against {text_of(row['baseline'])}" if "baseline" in row else candidate


def _rank(metric: Meaning, difference: float | None) -> tuple[bool, float]:
    """The worst difference first, one without a value last. Without a direction, the least is first."""
    lower = metric.better.direction == "lower"
    return difference is None, 0.0 if difference is None else -difference if lower else difference


def _lines(metric: Meaning, candidates: list[str], left_out: str) -> list[str]:
    """What stands below the name of the metric: lines, since names may be long and panels stand side by side."""
    sides = {"higher": "right", "lower": "left"}
    side = sides.get(metric.better.direction)
    better = f"{cut(candidates[0]) if len(candidates) == 1 else 'a candidate'} is better to the {side} of 0"
    return list(filter(None, [better if side else metric.direction, "grey: too small to detect", left_out]))


def _sentence(metric: Meaning, row: dict[str, Any], several: bool) -> str:
    text = interval_text(row["difference"], row["low"], row["high"])
    p = "" if row["p_value"] is None else f", p = {row['p_value']:.2g}"
    of = f" of {cut(_models_of(row))}" if several else ""
    return f"{metric.name}{of} differs by {text}{p}"
