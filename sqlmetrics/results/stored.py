"""Reports that were written to files, and what changed from one to another."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from sqlmetrics.errors import DataError, SqlMetricsError, counted, did_you_mean, public
from sqlmetrics.files import reason
from sqlmetrics.results.report import MARK, Report
from sqlmetrics.table.frame import Frame

Rows = list[dict[str, Any]]


class StoredReport(Frame):
    """A report from a file: its rows, without the statement behind them.

    Attributes:
        by: the columns of the slices.
        metrics: the columns of the metrics.
    """

    def __init__(self, rows: Rows, by: list[str], metrics: list[str]) -> None:
        import pyarrow as pa

        super().__init__(pa.Table.from_pylist(rows), [*by, "model"], [])
        self.by = by
        self.metrics = metrics

    @property
    def keys(self) -> list[str]:
        """The columns that name the slice and model of a row."""
        return [name for name in (*self.by, "is_total", "model") if name in self.columns]

    value = Report.value

    def changes_since(self, earlier: Any) -> Frame:
        """What changed since an earlier report; see `Report.changes_since`."""
        return changes(self, earlier)


@public
def read_report(path: str | os.PathLike[str]) -> StoredReport:
    """Reads a report that was written as JSON or Parquet, by `to_json`, by the command line or by a suite.

    Args:
        path: the file.

    Returns:
        A `StoredReport`: the rows with their counts and metrics. `value("auc", country="DE")` is one number, and
        `changes_since(other)` what changed since another report. Dates in JSON are texts.

    Raises:
        SqlMetricsError: no path.
        DataError: the file cannot be read, or is no report.

    >>> import pathlib, tempfile, sqlmetrics as sm
    >>> file = pathlib.Path(tempfile.mkdtemp(), "report.json")
    >>> report = sm.evaluate([{"y": 1, "p": 0.8}, {"y": 0, "p": 0.3}], "auc", label="y", score="p")
    >>> _ = file.write_text(report.to_json())
    >>> read_report(file).value("auc")
    1.0
    """
    rows, head = stored(path)
    by, metrics = head.get("by"), head.get("metrics")
    if not isinstance(by, list) or not isinstance(metrics, list) or not {*by, *metrics} <= {*rows[0]}:
        raise DataError(
            f"'{path}' is not the report of an evaluation: it has no list of its slices and metrics"
        )
    return StoredReport(rows, by, metrics)


def stored(file: str | os.PathLike[str]) -> tuple[Rows, dict[str, Any]]:
    """The rows of a report in JSON or Parquet, which a suite may have written, and what is beside them.

    Raises:
        DataError: the file cannot be read, or is no report.
    """
    if not isinstance(file, (str, os.PathLike)):
        raise SqlMetricsError(f"A report is read from the path of a file, got {file!r:.200}")
    head: Any = {}
    try:
        path = Path(os.path.expanduser(file))  # noqa: PTH111 - a Path raises an error if there is no such user
        if path.suffix.lower() == ".parquet":
            import pyarrow.parquet

            table = pyarrow.parquet.read_table(path)
            rows: Any = table.to_pylist()
            head = json.loads((table.schema.metadata or {}).get(MARK, b"{}"))
        else:
            rows = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"Cannot read '{file}': {reason(error)}") from error
    except (ValueError, RecursionError) as error:  # the errors of Arrow and JSON
        raise DataError(f"'{file}' is no report: it is neither JSON nor Parquet") from error
    if isinstance(rows, dict):
        head, rows = rows, rows.get("report", rows.get("rows"))
    if not (isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)):
        raise DataError(f"'{file}' is no report: write one with --format json")
    return rows, head


def changes(now: Any, earlier: Any) -> Frame:
    """What changed from one report to another: a row for each slice, model and metric that both name.

    Raises:
        SqlMetricsError: no report; reports of other slices or models, or without a metric in common.
    """
    import pyarrow as pa

    earlier = read_report(earlier) if isinstance(earlier, (str, os.PathLike)) else earlier
    if not isinstance(earlier, (Report, StoredReport)):
        raise SqlMetricsError(f"A report or the file of one is compared, got {earlier!r:.200}")
    keys = [name for name in now.keys if name != "is_total"]
    if keys != [name for name in earlier.keys if name != "is_total"]:
        raise SqlMetricsError(
            "The reports have other slices or models:"
            f" {counted(now.keys) or 'none'}, and {counted(earlier.keys) or 'none'}"
        )
    metrics = [name for name in now.metrics if name in earlier.metrics]
    if not metrics:
        near = did_you_mean(now.metrics[0], earlier.metrics) if now.metrics else ""
        raise SqlMetricsError(
            f"The reports have no metric in common: {counted(now.metrics)}, and {counted(earlier.metrics)}.{near}"
        )
    sides = [{_place(row, keys): row for row in report} for report in (earlier, now)]
    rows = []
    for place in dict.fromkeys([*sides[1], *sides[0]]):
        old, new = (side.get(place, {}) for side in sides)
        for metric in metrics:
            before, after = old.get(metric), new.get(metric)
            change = None if before is None or after is None else after - before
            rows.append(
                {name: str((new or old)[name]) for name in keys if (new or old)[name] is not None}
                | ({"is_total": bool((new or old)["is_total"])} if "is_total" in (new or old) else {})
                | {"metric": metric, "before": before, "after": after, "change": change}
                | {"relative_change": change / abs(before) if before and change is not None else None}
            )
    total = [("is_total", pa.bool_())] if "is_total" in now.columns else []
    numbers = [(name, pa.float64()) for name in ("before", "after", "change", "relative_change")]
    texts = [(name, pa.string()) for name in keys]
    schema = pa.schema([*texts, *total, ("metric", pa.string()), *numbers])
    return Frame(pa.Table.from_pylist(rows, schema), keys)


def _place(row: dict[str, Any], keys: list[str]) -> tuple[str, ...]:
    """The slice and model of a row, as text: JSON has no dates. The total has no slice of its own."""
    return (str(bool(row.get("is_total"))), *(str(row[name]) for name in keys))
