"""Logs of evaluations among the files of a command: recognised by what is in them, and read as one table."""

from __future__ import annotations

from typing import Any

from sqlmetrics.api.evals import or_logs
from sqlmetrics.book.catalog import is_curve, is_metric
from sqlmetrics.engines.files import files_of
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given import texts


def data(paths: list[str]) -> Any:
    """The files of a command as `texts.data`, or the table of the logs that they are."""
    for path in paths:
        if files_of(path):
            continue
        if is_metric(path):
            raise SqlMetricsError(f"'{path}' is a metric and no file; metrics are written -m {path}")
        if is_curve(path):
            raise SqlMetricsError(f"'{path}' is a curve and no file; write sqlmetrics curve DATA {path}")
    return or_logs(texts.data(paths))
