"""Metrics without a value, and why they have none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.headers import lines_of
from sqlmetrics.errors import counted

NO_ROWS = "there are no rows"
NO_PEOPLE = "no row, or no whole list, has a label by people"
OVERFLOW = "a sum leaves the floats, as of numbers near 1e308"


def undefined_here(
    rows: Sequence[Mapping[str, Any]], metrics: Sequence[str], notations: Mapping[str, str], weighted: bool
) -> Iterator[str]:
    """A line for each reason for which metrics have no value.

    Args:
        rows: the values and counts of all data, by model.
        metrics: the columns of the metrics.
        notations: the notation of each metric.
        weighted: whether rows have weights.
    """
    reasons: dict[str, list[str]] = {}
    for column in metrics:
        without = [row for row in rows if row[column] is None]
        if without:
            of_no_rows = any((row["n_rows"] or 0) <= (row.get("rows_dropped") or 0) for row in without)
            reason = _reason(notations[column])
            if "n_gold" not in metrics and all(row.get("n_gold") == 0 for row in without):
                reason = NO_PEOPLE
            elif not of_no_rows:
                reason = reason.replace(
                    NO_ROWS, f"all weights are 0, or if {OVERFLOW}" if weighted else OVERFLOW
                )
            if weighted and re.search(r"class|positive|relevant", reason):
                reason += "; rows of weight 0 do not count"
            reasons.setdefault(reason, []).append(column)
    for reason, names in reasons.items():
        yield f"undefined here: {counted(names, 10)}{reason and ': '}{reason}"


def without_interval(rows: Sequence[Mapping[str, Any]], ends: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """A line for the metrics that have a value and not both ends of its interval.

    Args:
        rows: as for `undefined_here`.
        ends: the columns of both ends, by the column of the metric; of metrics that can have an interval.
    """
    missing = {
        metric: max(sum(row[end] is None for end in columns) for row in rows if row[metric] is not None)
        for metric, columns in ends.items()
        if any(row[metric] is not None for row in rows)
    }
    for lacks, count in (("no interval here", 2), ("an end of the interval is missing", 1)):
        if names := [metric for metric, number in missing.items() if number == count]:
            yield f"{lacks}: {counted(names, 10)}: the rows or lists are too few or too alike"


def no_interval(row: Mapping[str, Any]) -> str:
    """Why the difference of two models has no interval.

    Args:
        row: a row of a comparison.
    """
    of_pairs = "n_pairs" in row
    units = [row[name] or 0 for name in (("n_pairs",) if of_pairs else ("n_baseline", "n_candidate"))]
    if row["test"] == "bootstrap":
        return "its replicates are too few, too alike, or undefined"
    if min(units) < 2:
        return "there are fewer than two " + ("pairs" if of_pairs else "units of a model")
    if not of_pairs:
        return "nothing varies"
    same = row["difference"] == 0
    advice = "; leave this gate out while the models are the same" if same else ""
    return f"all pairs differ by the same, which says nothing of the next one{advice}"


def _reason(notation: str) -> str:
    """When the metric is undefined, without the cases behind a semicolon."""
    return lines_of(of_notation(notation).doc, "Undefined").split(";")[0].removesuffix(" (see on_empty)")
