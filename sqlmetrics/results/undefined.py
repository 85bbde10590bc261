"""Metrics without a value, and why they have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sqlmetrics.catalog import of_notation
from sqlmetrics.errors import counted
from sqlmetrics.headers import lines_of


def undefined_here(columns: Iterable[str], notations: Mapping[str, str]) -> Iterator[str]:
    """A line for each reason for which metrics have no value.

    Args:
        columns: the metrics without a value.
        notations: the notation of each metric.
    """
    reasons: dict[str, list[str]] = {}
    for column in columns:
        reasons.setdefault(_reason(notations[column]), []).append(column)
    for reason, names in reasons.items():
        yield f"undefined here: {counted(names, 10)}{reason and ': '}{reason}"


def _reason(notation: str) -> str:
    """When the metric is undefined, without what else is said there."""
    return lines_of(of_notation(notation).doc, "Undefined").split(";")[0].removesuffix(" (see on_empty)")
