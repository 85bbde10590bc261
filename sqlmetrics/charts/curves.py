"""Charts of `curve`: models in one picture, slices as small pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.catalog import curves
from sqlmetrics.book.notation import parsed
from sqlmetrics.charts.bands import beside_fpr, region
from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.decisions import net_benefit, qini, thresholds
from sqlmetrics.charts.lines import Rows, band, diagonal, lines_of, quiet_line, word
from sqlmetrics.charts.marks import Layer, by_model, level, quantity, tooltip
from sqlmetrics.charts.parts import (
    MOST_PANELS,
    Key,
    check_slices,
    cut,
    key_of,
    largest,
    listed,
    names_of,
    number,
    sizes_of,
    text_of,
)
from sqlmetrics.charts.regressions import residuals, sentence
from sqlmetrics.charts.summaries import summaries
from sqlmetrics.charts.themes import PALETTE
from sqlmetrics.charts.thinned import MOST_POINTS, most_points, thinned
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.results.audited import Curve
    from sqlmetrics.results.report import Report

#: the columns of both axes, of curves that are lines; calibration and residuals have bars
AXES = {
    "roc": ("fpr", "tpr"),
    "det": ("fpr", "fnr"),
    "precision_recall": ("recall", "precision"),
    "gain": ("share", "capture"),
    "net_benefit": ("threshold", "net_benefit"),
    "qini": ("share", "added"),
    "thresholds": ("threshold", "f1"),
}


def chart_of_curve(curve: Curve, slices: bool, report: Report | None = None) -> Chart:
    """The chart of a curve; see `Curve.plot`.

    Args:
        curve: the result.
        slices: whether slices are shown.
        report: metrics of the same rows, whose numbers the legend takes.
    """
    check_slices(slices)
    name, parameters = parsed(curve.kind)
    table = _table(curve, slices)
    models: list[str] = []
    lines: dict[tuple[bool, str], dict[str, Rows]] = {}
    keys: list[Key] = []
    for row in _points(curve, name, table):
        total, key = row.get("is_total", not curve.by), key_of(row, curve.by)
        place = (total, repr(key))
        if not total and place not in lines:
            keys.append(key)
        model = text_of(row["model"]) if curve.statement.models else ""
        lines.setdefault(place, {}).setdefault(model, []).append(row)
        if model not in models:
            models.append(model)
    if not lines:
        raise SqlMetricsError("The result has no total to show; total=True adds it, slices=True shows slices")
    totals = [place for place in lines if place[0]]
    kept, left_out = largest(keys, sizes_of(curve.audit, curve.by), MOST_PANELS - len(totals))
    names = {(False, key): text for key, text in names_of(kept).items()} | dict.fromkeys(totals, "all")
    places = [*totals, *((False, repr(key)) for key in kept)]
    side = 300 if len(places) == 1 else 190
    numbers = summaries(name, parameters, table, report) if len(places) == 1 else {}
    if len(models) > 1:  # names with their number, as the legend has them
        labels = {model: f"{model} ({numbers[model]})" if model in numbers else model for model in models}
        models = list(labels.values())
        lines = {place: {labels[model]: rows for model, rows in of.items()} for place, of in lines.items()}
    panels = [
        {**CHARTS[name](lines[place], models, side), "title": {"text": names[place], "limit": side + 40}}
        for place in places
    ]
    title = re.split("[:,;]", curves()[name].summary)[0] + (f" by {listed(curve.by)}" if keys else "")
    said = "; ".join(
        f"{cut(model)} {_sentence(name, rows)}".strip() for model, rows in lines[places[0]].items()
    )
    of_one = [*numbers.values()] if len(models) == 1 else []
    note = "; ".join(filter(None, (*of_one, curve.band, left_out)))
    return chart(title, f"{title}: " + "; ".join([*of_one, said]), panels, columns=3, note=note)


def _table(curve: Curve, slices: bool) -> pa.Table:
    """The points of the total, and of the slices if these are shown."""
    table = curve.to_arrow()
    if slices or not curve.by:
        return table
    return table.filter(table.column("is_total")) if "is_total" in curve.columns else table.slice(0, 0)


def _points(curve: Curve, name: str, table: pa.Table) -> Rows:
    """The points to draw: all, or fewer if one of the curves has more than a picture shows.

    Raises:
        SqlMetricsError: a calibration curve of more bins than a picture shows.
    """
    keys = [key for key in (*curve.by, "is_total", "model") if key in curve.columns]
    longest = most_points(table, keys)
    if longest > MOST_POINTS:
        if name not in AXES:
            raise SqlMetricsError(
                f"{longest:,} bins of a {name} curve are more than a picture shows; ask for at most"
                f" {MOST_POINTS:,}: curve(data, '{curves()[name].example}', ...)"
            )
        table = thinned(table, keys, *AXES[name])
    return list(table.to_pylist())


def _roc(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    titles = ("false positive rate", "true positive rate")
    behind = [*diagonal(titles, "chance"), *band(beside_fpr(lines), models, titles)]
    return lines_of(lines, models, side, *AXES["roc"], titles, behind)


def _det(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """Both axes are logarithmic, so that small rates show; rates of 0 have no place."""
    titles = ("false positive rate", "false negative rate")
    known = {
        model: [row for row in rows if row["fpr"] and row["fnr"] and row["fnr"] > 0]
        for model, rows in lines.items()
    }
    rates = [row[name] for rows in known.values() for row in rows for name in AXES["det"]]
    ends = min([*rates, 0.1]), 1.0
    behind = [quiet_line([{"x": end, "y": end} for end in ends], titles)]
    panel = lines_of(known, models, side, *AXES["det"], titles, behind, heights=ends, widths=ends)
    for axis in ("x", "y"):
        panel["layer"][-1]["encoding"][axis]["scale"]["type"] = "log"
    return panel


def _precision_recall(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """Steps, whose area is the average precision; the quiet line is the share of positive rows."""
    titles = ("recall", "precision")
    shares = [number(rows[-1]["precision"]) for rows in lines.values() if rows]
    behind = [
        layer
        for share in shares[:1]
        if share is not None
        for layer in (
            level(y=titles[1], value=share),
            word("base rate", {"x": 0, "y": share}, titles, align="left", dx=4, dy=-6),
        )
    ]
    return lines_of(
        lines, models, side, *AXES["precision_recall"], titles, [*behind, *band(region(lines), models, titles)],
        start=lambda rows: [{**rows[0], "recall": 0.0}], interpolate="step-before",
    )  # fmt: skip


def _gain(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """The share of positive rows that the highest scores hold, above how many times that of chance it is."""
    titles = ("share of rows, highest scores first", "share of positive rows")
    upper = lines_of(
        lines, models, side, *AXES["gain"], titles, diagonal(titles, "chance"),
        start=lambda rows: [{"share": 0.0, "capture": 0.0}],
    )  # fmt: skip
    known = [row["lift"] for rows in lines.values() for row in rows if row["lift"] is not None]
    below = (titles[0], "lift")
    lower = lines_of(
        lines,
        models,
        side,
        "share",
        "lift",
        below,
        [level(y="lift", value=1)],
        heights=(0, max([*known, 1.0])),
    )
    return {"vconcat": [upper, {**lower, "height": side // 3}], "spacing": 10}


def _calibration(lines: dict[str, Rows], models: list[str], side: int) -> Layer:
    """Mean scores and shares of positive rows with Wilson intervals, above a histogram of the scores."""
    titles = ("mean score", "share of positive rows")
    upper = lines_of(
        lines,
        models,
        side,
        "mean_score",
        "positive_rate",
        titles,
        diagonal(titles, "perfect"),
        point={"size": 40},
    )
    bins = [
        {
            "model": model, "x": number(row["mean_score"]), "low": number(row["positive_rate_low"]),
            "high": number(row["positive_rate_high"]), "lower": number(row["lower"]),
            "upper": number(row["upper"]), "rows": number(row["bin_rows"]), "text": shown(row["bin_rows"]),
        }
        for model, rows in lines.items()
        for row in rows
    ]  # fmt: skip
    wilson = {
        "data": {"values": bins},
        "mark": {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7},
        "encoding": {
            "x": quantity("x", titles[0]), "y": quantity("low", titles[1]), "y2": {"field": "high"}, **by_model(models),
        },
    }  # fmt: skip
    upper["layer"].insert(-1, wilson)
    histogram = {
        "data": {"values": bins},
        "width": side,
        "height": 60,
        "mark": {"type": "bar", "opacity": 0.45, "color": PALETTE[0]},
        "encoding": {
            "x": {**quantity("lower", "score", domain=[0, 1], nice=False), "bin": "binned"},
            "x2": {"field": "upper"},
            "y": {
                "field": "rows",
                "type": "quantitative",
                "title": "rows",
                "stack": None,
                "axis": {"tickCount": 2},
            },
            **by_model(models),
            "tooltip": tooltip(text="rows"),
        },
    }
    return {"vconcat": [upper, histogram], "spacing": 10}


CHARTS: dict[str, Callable[[dict[str, Rows], list[str], int], Layer]] = {
    "roc": _roc,
    "det": _det,
    "precision_recall": _precision_recall,
    "gain": _gain,
    "calibration": _calibration,
    "net_benefit": net_benefit,
    "qini": qini,
    "thresholds": thresholds,
    "residuals": residuals,
}


def _with_ends(row: dict[str, Any], name: str) -> str:
    """A value with the ends of its band, if there is one."""
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return shown(row[name]) + ("" if low is None else f" [{shown(low)}, {shown(high)}]")


def _sentence(name: str, rows: Rows) -> str:
    """A number or two of one line."""
    if name == "roc":
        known = [row for row in rows if None not in (row["fpr"], row["tpr"]) and row["fpr"] <= 0.1]
        return (
            f"true positive rate {_with_ends(known[-1], 'tpr')} at false positive rate {shown(known[-1]['fpr'])}"
            if known
            else "no points"
        )
    if name == "det":
        known = [row for row in rows if None not in (row["fpr"], row["fnr"])]
        if not known:
            return "no points"
        equal = min(known, key=lambda row: abs(row["fpr"] - row["fnr"]))
        return f"false negative rate {_with_ends(equal, 'fnr')} at false positive rate {shown(equal['fpr'])}"
    if name == "precision_recall":
        known = [row for row in rows if row["recall"] is not None and row["recall"] >= 0.5]
        return (
            f"precision {_with_ends(known[0], 'precision')} at recall {shown(known[0]['recall'])}"
            if known
            else "no points"
        )
    if name == "gain":
        known = [row for row in rows if row["share"] is not None and row["share"] <= 0.2] or rows[:1]
        return f"the top {shown(known[-1]['share'])} of rows hold {shown(known[-1]['capture'])} of the positive rows"
    if name == "qini":
        known = [row for row in rows if row["share"] is not None and row["share"] <= 0.3] or rows[:1]
        return (
            f"treating the top {shown(known[-1]['share'])} of rows adds {shown(known[-1]['added'])} positive rows, and"
            f" {shown(known[-1]['random'])} in any order"
        )
    if name == "thresholds":
        best = max(rows, key=lambda row: row["f1"] or 0)
        return (
            f"F1 {shown(best['f1'])} at threshold {shown(best['threshold'])}, the greatest of {len(rows):,}"
        )
    if name == "net_benefit":
        best = max(rows, key=lambda row: (row["net_benefit"] or 0) - max(row["treat_all"] or 0, 0))
        return (
            f"net benefit {shown(best['net_benefit'])} at threshold {shown(best['threshold'])}, where it is farthest"
            f" above the {shown(max(best['treat_all'] or 0, 0))} of acting on all rows or on none"
        )
    if name == "residuals":
        return sentence(rows)
    widest = max(rows, key=lambda row: abs((row["mean_score"] or 0) - (row["positive_rate"] or 0)))
    return (
        f"{len(rows)} bins; farthest apart where the mean score is {shown(widest['mean_score'])} and"
        f" {shown(widest['positive_rate'])} of the rows are positive"
    )
