"""Charts of `confusion_matrix` and `class_report`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.chart import Chart, chart
from sqlmetrics.charts.marks import Layer, dots, heat
from sqlmetrics.charts.parts import (
    MOST_PANELS,
    MOST_SLICES,
    Key,
    check_slices,
    cut,
    in_order,
    key_of,
    largest,
    listed,
    names_of,
    number,
    sizes_of,
    text_of,
)
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.results.audited import ClassTable

MOST_CLASSES = 30  #: rows and columns of a confusion matrix
SCORES = ("precision", "recall", "f1")

Rows = list[dict[str, Any]]


def chart_of_classes(table: ClassTable, slices: bool) -> Chart:
    """The chart of classes; see `ClassTable.plot`."""
    check_slices(slices)
    matrix = table.statement.results[0].name == "label"
    models = ["model"] if "model" in {*table.columns} - {*table.by} else []
    found: dict[str, Rows] = {}
    keys: list[Key] = []
    totals: list[Key] = []
    for row in table:
        total = row.get("is_total", not table.by)
        if total or slices:
            key = key_of(row, models if total else [*models, *table.by])
            found.setdefault(repr(key), []).append(row)
            (totals if total else keys).append(key)
    if not found:
        raise SqlMetricsError("The result has no class to show, or no total; total=True adds it")
    sizes = sizes_of(table.audit, [*models, *table.by])
    kept, left_out = largest(keys, sizes, MOST_PANELS - len({*totals}))
    names = {**names_of(totals), **names_of(kept)}
    panels = []
    for place, name in names.items():
        panel, fewer = (_matrix if matrix else _scores)(found[place])
        subtitle = {"subtitle": fewer.replace("slices", "classes")} if fewer else {}
        panels.append({**panel, "title": {"text": name or "all", "limit": 400, **subtitle}})
    title = "Confusion matrix" if matrix else "Precision, recall and F1 of each class"
    if keys:
        title += f" by {listed(table.by)}"
    first = found[next(iter(names))]
    description = f"{title}: " + (_of_matrix(first) if matrix else _of_scores(first))
    if "subtitle" in panels[0]["title"]:
        description += f"; {panels[0]['title']['subtitle']} are drawn"
    return chart(title, description, panels, note=left_out)


def _matrix(rows: Rows) -> tuple[Layer, str]:
    """Labels in rows and predictions in columns; the colour is the share of the label's rows."""
    support: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        support[repr((row["label"],))] += row["n"]
    ordered = in_order((row[name],) for row in rows for name in ("label", "prediction"))
    kept, fewer = largest(ordered, {key: round(n) for key, n in support.items()}, MOST_CLASSES)
    names = names_of(kept)
    cells = {(repr((row["label"],)), repr((row["prediction"],))): row for row in rows}
    values = []
    for label, y in names.items():
        for predicted, x in names.items():
            row = cells.get((label, predicted), {"n": 0, "share": 0.0 if support[label] else None})
            share = number(row["share"])
            count = f"{row['n']:,}" if isinstance(row["n"], int) else f"{row['n']:,.4g}"
            text = [count, "" if share is None else f"{share:.0%}"]
            values.append({"y": y, "x": x, "value": share, "n": row["n"], "text": text})
    size = len(kept), len(kept)
    return heat(values, "prediction", "label", "share of the label", size, [0, 1]), fewer


def _scores(rows: Rows) -> tuple[Layer, str]:
    """A row for each class, the one of least F1 first, with a dot for each of its three scores."""
    support = {repr((row["class"],)): round(row["support"]) for row in rows}
    ranked = sorted(rows, key=lambda row: (row["f1"] is None, row["f1"] or 0))
    kept, fewer = largest([(row["class"],) for row in ranked], support, MOST_SLICES)
    names = names_of(kept)
    values = [
        {
            "slice": names[repr((row["class"],))], "model": score, "value": number(row[score]), "low": None,
            "high": None, "text": shown(row[score]),
        }
        for row in ranked if repr((row["class"],)) in names
        for score in SCORES
    ]  # fmt: skip
    return dots(values, SCORES, "precision, recall, F1"), fewer


def _of_matrix(rows: Rows) -> str:
    right = sum(row["n"] for row in rows if row["label"] == row["prediction"])
    every = sum(row["n"] for row in rows)
    wrong = max(
        (row for row in rows if row["label"] != row["prediction"]), key=lambda row: row["n"], default=None
    )
    said = f"{right:,.6g} of {every:,.6g} rows are predicted right"
    if wrong is None:
        return said
    return (
        f"{said}; the most common mistake is {cut(text_of(wrong['prediction']))} for"
        f" {cut(text_of(wrong['label']))} ({wrong['n']:,.6g})"
    )


def _of_scores(rows: Rows) -> str:
    known = sorted((row for row in rows if row["f1"] is not None), key=lambda row: float(row["f1"]))
    if not known:
        return "no class has an F1"
    ends = [f"{shown(row['f1'])} ({cut(text_of(row['class']))})" for row in (known[0], known[-1])]
    return f"F1 from {ends[0]} to {ends[1]}"
