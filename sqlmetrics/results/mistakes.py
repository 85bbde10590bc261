"""Notes where a result looks like a mistake of the call. They read counts of scans that run anyway."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.notation import parsed
from sqlmetrics.table.cells import shown

if TYPE_CHECKING:
    from sqlmetrics.book.plan import Statement
    from sqlmetrics.results.report import Report

Count = Callable[[str], int]


def hints(statement: Statement) -> list[str]:
    """The counts of a result that notes alone read."""
    return [check.name for check in statement.checks if check.extreme is not None]


def not_shown(statement: Statement) -> list[str]:
    """The counts of a result that nobody else reads: of hints, and those that are 0 unless the call is refused."""
    return [
        *hints(statement),
        *(check.name for check in statement.checks if check.name.startswith("rows_rounded_")),
    ]


def mistakes(count: Count, examples: dict[str, Any], statement: Statement) -> list[str]:
    """Notes about labels and scores that are not what a metric is for, one line each.

    Args:
        count: the number of rows of a hint, over all data.
        examples: the extreme values of hints.
        statement: the statement that ran.
    """
    counts = {name: count(name) for name in hints(statement)}
    rows = count("n_rows") - count("rows_dropped")
    positive, negative = (counts.get(name, 0) for name in ("rows_positive", "rows_negative"))
    outside = counts.get("rows_not_share", 0)
    lines = []
    if positive == 0 < negative:
        lines.append(_none_positive(examples, statement))
    if negative == 0 < positive and not statement.truth:
        limit = "have the chance 1" if statement.soft else "are positive (positive= says from which label on)"
        lines.append(f"labels of one class: all {positive:,} {limit}")
    if counts.get("rows_right") == 0 < rows:
        lines.append("no prediction equals its label; both have to name classes in one way")
    if are_swapped(count, statement):
        lines.append("scores look like grades, and labels do not: label= and score= may be swapped")
    if (listed := counts.get("rows_listed", 0)) and not counts["rows_in_truth"]:
        lines.append(
            f"no listed item of {listed:,} is in the truth; are groups and items written alike in both tables?"
        )
    if counts.get("groups_in_history") == 0:
        lines.append("no recommended item is in the history; are items written alike in both tables?")
    if outside * 100 > rows:
        lines.append(
            f"rows with a score outside [0, 1]: {outside:,}; a threshold of 0.5 is one of probabilities"
            " (threshold= sets another, such as 0 for logits)"
        )
    return lines


def _none_positive(examples: dict[str, Any], statement: Statement) -> str:
    """Why no label is positive: the labels that there are."""
    least, greatest = examples.get("rows_negative"), examples.get("rows_positive")
    values = f"all labels are {_written(least)}"
    if least != greatest:
        values = f"labels reach from {_written(least)} to {_written(greatest)}"
    if least is None:
        values = "all labels are other ones"
    if statement.soft:
        return "no label is above 0, the chance of a positive row"
    if isinstance(statement.positive, str):
        return f"no label is positive={statement.positive!r}: {values}"
    limit = 1 if statement.positive is None else statement.positive
    return f"no label is positive: {values}, and labels from {limit} on count as positive; change it with positive="


def _written(value: Any) -> str:
    return repr(value) if isinstance(value, str) else f"{value:.6g}"


def are_swapped(count: Count, statement: Statement) -> bool:
    """Whether nearly all scores look like grades and nearly all labels do not."""
    if "rows_swapped" not in hints(statement):
        return False
    return count("rows_swapped") > 0.9 * (count("n_rows") - count("rows_dropped"))


def reversed_scores(report: Report, statement: Statement) -> list[str]:
    """Notes about metrics far below the value of a random score: 0.1 and four standard errors, or more.

    The standard error of the AUC of a random score is sqrt((m + n + 1) / 12mn) for m positive and n other
    rows.
    """
    if "rows_positive" not in hints(statement):
        return []
    lines = []
    m, n = report.count("rows_positive"), report.count("rows_negative")
    error = math.sqrt((m + n + 1) / (12 * m * n)) if m and n else math.inf
    for name, notation in statement.notations.items():
        chance = of_notation(notation).chance if name in report.metrics else None
        # how far lists differ, or the worst of them, is low for a good score, too
        if chance is None or parsed(notation)[1].get("average") in ("std", "min"):
            continue
        values = [row[name] for row in report if row[name] is not None and row.get("is_total", not report.by)]
        if values and (least := min(values)) < chance - max(0.1, 4 * error):
            lines.append(
                f"{name} is {shown(least)}, far below the {chance:g} of a random score; is the score reversed?"
                " A higher score has to mean positive"
            )
    return lines
