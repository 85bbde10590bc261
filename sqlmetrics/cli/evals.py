"""Logs of evaluations among the files of a command: recognised by what is in them, and read as one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmetrics.api.evals import are_logs, read_evals
from sqlmetrics.engines.files import StandardInput
from sqlmetrics.given import texts


def data(paths: list[str]) -> Any:
    """The files of a command as `texts.data`, or the table of the logs that they are."""
    found = texts.data(paths)
    if isinstance(found, StandardInput):
        return found
    files = [*found.values()] if isinstance(found, Mapping) else [found] if isinstance(found, str) else found
    return read_evals(found) if are_logs(files) else found
