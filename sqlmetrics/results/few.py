"""Notes where an interval or a test stands on few units. They read counts that are there anyway."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlmetrics.book.catalog import of_notation

if TYPE_CHECKING:
    from sqlmetrics.book.plan import Statement
    from sqlmetrics.results.report import Report

ROUGH = "is rough"
FEW = 30  # from here on intervals of skewed data hold about what they say (docs/coverage.md)


def of_few(units: str, numbers: list[int], rows: int, what: str = "an interval") -> list[str]:
    """The note about numbers of units that are few; none without one.

    Args:
        units: what is counted, as it begins the note.
        numbers: the numbers of units below `FEW` and above 0.
        rows: of how many rows of the result.
        what: what stands on them.

    >>> of_few("rows of the rarer class", [6, 6], 2)
    ['rows of the rarer class: 6; below 30 an interval is rough']
    >>> of_few("groups", [6, 9], 5)
    ['groups: from 6 in 2 of 5 rows of the result; below 30 an interval is rough']
    """
    if not numbers:
        return []
    alike = len(numbers) == rows and len({*numbers}) == 1
    told = f"{numbers[0]}" if alike else f"from {min(numbers)} in {len(numbers)} of {rows} rows of the result"
    return [f"{units}: {told}; below {FEW} {what} {ROUGH}"]


def said_rough(notes: Iterable[str]) -> list[str]:
    """Those of the notes of a result that are about few units."""
    return [note for note in notes if note.endswith(ROUGH)]


def few_units(report: Report, statement: Statement) -> list[str]:
    """Notes about the units of intervals and tests that are there: groups, rows of the rarer class or a bootstrap."""
    if statement.interval is None or not report.metrics:
        return []
    counts = {*report.columns}
    what = "a test" if statement.units else "an interval"
    grains = {of_notation(notation).grain for notation in statement.notations.values()}
    lists = grains == {"lists"}
    ends = [column.name for column in statement.results if column.interval and column.name in counts]
    rows = [row for row in report if not ends or any(row[end] is not None for end in ends)]
    found = {}
    if "n_groups" in counts and not statement.units:
        found["groups"] = [row["n_groups"] for row in rows]
    if not lists and {"rows_positive", "rows_negative"} <= counts:
        found["rows of the rarer class"] = [
            min(row["rows_positive"] or 0, row["rows_negative"] or 0) for row in rows
        ]
    drawn = [column for column in statement.results if column.interval == "bootstrap"]
    if drawn and not found:
        found["rows of a bootstrap"] = [(row["n_rows"] or 0) - (row["rows_dropped"] or 0) for row in rows]
    lines = []
    for units, numbers in found.items():
        lines += of_few(units, [number for number in numbers if 0 < number < FEW], len(report), what)
    return lines
