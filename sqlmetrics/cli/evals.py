"""Logs of evaluations among the files of a command: recognised by what is in them, and read as one table."""

from __future__ import annotations

from typing import Any

from sqlmetrics.api.evals import or_logs
from sqlmetrics.given import texts


def data(paths: list[str]) -> Any:
    """The files of a command as `texts.data`, or the table of the logs that they are."""
    return or_logs(texts.data(paths))
