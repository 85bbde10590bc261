"""The number that sums a curve up, where all of its points are there: the metric itself, of rows with this curve."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sqlmetrics.charts.parts import text_of
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.results.report import Report

#: The metric of a curve, and its name in a legend.
METRICS = {"roc": ("auc", "AUC"), "precision_recall": ("average_precision", "AP")}


def summaries(
    name: str, parameters: dict[str, Any], table: pa.Table, report: Report | None = None
) -> dict[str, str]:
    """What a legend says of each model; of none if points were left out, or the metric is undefined.

    The metric is computed by its own statement. Each point is a positive and a negative row, whose weights are the
    steps of the curve. Both metrics depend on shares alone, so any unit of the weights serves. The points of a
    calibration curve are the bins of the expected calibration error: it is their mean distance to the diagonal.

    Args:
        name: the curve.
        parameters: those of its notation.
        table: all its points, of one slice.
        report: metrics of the same rows; it may have the metric of the curve.
    """
    if name == "calibration":
        return _calibration_errors(table)
    if report is not None:
        return _reported(name, report)
    if name not in METRICS or parameters.get("points", "all") not in ("all", "corners") or not len(table):
        return {}
    from sqlmetrics.api.evaluate import evaluate

    rows = _rows_of(name, table)
    models = {"models": "model"} if "model" in table.column_names else {}
    roles: dict[str, Any] = {"label": "label", "score": "score", "weight": "weight", **models}
    return _reported(name, evaluate(rows, METRICS[name][0], **roles)) if len(rows) else {}


def _reported(name: str, report: Report) -> dict[str, str]:
    """What a legend says of each model, from a report that has the metric; of none if it has not.

    Args:
        name: the curve.
        report: metrics of the same rows.
    """
    metric, short = METRICS.get(name, ("", ""))
    columns = [column for column, notation in report.statement.notations.items() if notation == metric]
    return {
        text_of(row["model"]) if report.statement.models else "": f"{short} {shown(row[column])}"
        for column in columns
        for row in report
        if row.get("is_total", not report.by) and row[column] is not None
    }


def _calibration_errors(table: pa.Table) -> dict[str, str]:
    """The expected calibration error of each model, from its bins."""
    of_models: dict[str, list[tuple[float, float]]] = {}
    for row in table.to_pylist():
        distance = abs(row["positive_rate"] - row["mean_score"])
        model = text_of(row["model"]) if "model" in row else ""
        of_models.setdefault(model, []).append((distance, row["bin_rows"]))
    return {
        model: f"ECE {shown(math.fsum(d * rows for d, rows in bins) / math.fsum(rows for _, rows in bins))}"
        for model, bins in of_models.items()
    }


def _rows_of(name: str, table: pa.Table) -> pa.Table:
    """Rows that have these points as their curve."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def added(sums: pa.Array) -> pa.Array:
        before = pa.concat_arrays([pa.array([0.0]), sums[:-1]])
        return pc.max_element_wise(pc.subtract(sums, before), 0.0)

    if name == "precision_recall":  # points without a positive row add theirs to the next
        table = table.filter(pc.greater(table.column("recall"), 0.0))
    if not len(table):
        return table
    models = table.column("model").unique().to_pylist() if "model" in table.column_names else [None]
    parts = []
    for model in models:
        points = table if model is None else table.filter(pc.equal(table.column("model"), model))
        points = points.combine_chunks()
        if name == "roc":
            sums = {1: points.column("tpr"), 0: points.column("fpr")}
        else:
            positives = points.column("recall")
            sums = {1: positives, 0: pc.subtract(pc.divide(positives, points.column("precision")), positives)}
        for label, values in sums.items():
            columns = {
                "label": pa.array([label] * len(points), pa.int64()), "score": points.column("threshold"),
                "weight": added(pc.cast(values, pa.float64()).combine_chunks()),
            }  # fmt: skip
            parts.append(pa.table({**columns, **({} if model is None else {"model": [model] * len(points)})}))
    return pa.concat_tables(parts).drop_null()
