"""Notes where an interval or a test stands on few units. They read counts that are there anyway."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlmetrics.book.catalog import of_notation

if TYPE_CHECKING:
    from sqlmetrics.book.plan import Statement
    from sqlmetrics.results.report import Report

ROUGH = "is rough"
#: from here on intervals of skewed data hold about what they say (docs/coverage.md); rows of very different weights say
#: as much as a third of them, and a judge is corrected by labels of unequal chances where few of them say how
FEW = 30
FEW_WEIGHTED = 100
FEW_UNEQUAL = 200


def of_few(
    units: str, numbers: list[int], rows: int, what: str = "an interval", enough: int = FEW
) -> list[str]:
    """The note about numbers of units that are few; none without one.

    Args:
        units: what is counted, as it begins the note.
        numbers: the numbers of units.
        rows: of how many rows of the result.
        what: what stands on them.
        enough: how many are not few.

    >>> of_few("rows of the rarer class", [6, 6], 2)
    ['rows of the rarer class: 6; below 30 an interval is rough']
    >>> of_few("groups", [6, 9, 70, 0], 5)
    ['groups: from 6 in 2 of 5 rows of the result; below 30 an interval is rough']
    """
    few = [number for number in numbers if 0 < number < enough]
    if not few:
        return []
    alike = len(few) == rows and len({*few}) == 1
    told = f"{few[0]}" if alike else f"from {min(few)} in {len(few)} of {rows} rows of the result"
    return [f"{units}: {told}; below {enough} {what} {ROUGH}"]


def said_rough(notes: Iterable[str]) -> list[str]:
    """Those of the notes of a result that are about few units."""
    return [note for note in notes if note.endswith(ROUGH)]


def spanning_groups(report: Report) -> list[str]:
    """A note about groups with rows in several slices, of which the total makes one group each."""
    if not {"n_groups", "is_total"} <= {*report.columns}:
        return []
    parts: dict[object, int] = {}
    whole: dict[object, int] = {}
    for row in report:
        model, found = row.get("model"), whole if row["is_total"] else parts
        found[model] = found.get(model, 0) + (row["n_groups"] or 0)
    most = max((parts.get(model, 0) - n for model, n in whole.items()), default=0)
    if most <= 0:
        return []
    names = ", ".join(report.by)
    return [
        f"groups with rows in several slices of {names}, of which the total makes one group each: at least {most:,}"
    ]


def few_units(report: Report, statement: Statement) -> list[str]:
    """Notes about the units of intervals and tests that are there: groups, or rows, or those of the rarer class."""
    if statement.interval is None or not report.metrics:
        return []
    counts = {*report.columns}
    if "n_gold" in statement.counts:
        labels = [row["n_gold"] or 0 for row in report]
        none = [
            f"no labels by people, so no metrics, in {labels.count(0)} of {len(labels)} rows of the result"
        ]
        unequal = any("gold_weight" in role for role in statement.bad_rows.values())
        if "n_gold_groups" in counts:
            groups = [row["n_gold_groups"] for row in report if row["n_gold"]]
            few = of_few("groups with labels by people", groups, len(labels))
        elif unequal:
            few = of_few("labels by people with unequal chances", labels, len(labels), enough=FEW_UNEQUAL)
        else:
            few = of_few("labels by people", labels, len(labels))
        return few + (none if 0 < labels.count(0) < len(labels) else [])
    what = "a test" if statement.units else "an interval"
    grains = {of_notation(notation).grain for notation in statement.notations.values()}
    ends = [column.name for column in statement.results if column.interval and column.name in counts]
    rows = [row for row in report if not ends or any(row[end] is not None for end in ends)]
    lines = []
    if "n_groups" in counts and not statement.units:
        lines += of_few("groups", [row["n_groups"] for row in rows], len(report), what)
    if grains == {"lists"}:
        return lines
    if {"rows_positive", "rows_negative"} <= counts:
        rarer = [min(row["rows_positive"] or 0, row["rows_negative"] or 0) for row in rows]
        lines += of_few("rows of the rarer class", rarer, len(report), what)
    if "rows_bad_group" not in counts and not lines:
        usable = [(row["n_rows"] or 0) - (row["rows_dropped"] or 0) for row in rows]
        if statement.weighted:
            lines += of_few("weighted rows", usable, len(report), what, FEW_WEIGHTED)
        else:
            lines += of_few("rows", usable, len(report), what)
    return lines
