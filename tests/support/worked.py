"""What a worked value is: data small enough to type, a number somebody printed, and who printed it."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest

from support.evaluated import evaluated

Rows = list[dict[str, Any]]


class Worked(NamedTuple):
    source: str
    notation: str
    expected: float | None
    rows: Rows
    truth: Rows | None = None
    digits: int | None = None  # decimals that can be trusted; none: the value is given in full
    facts: dict[str, Any] = {}  # noqa: RUF012  arguments of evaluate besides label and score; never changed


def scored(labels: Iterable[float], scores: Iterable[float], weights: Iterable[float] | None = None) -> Rows:
    """Rows without lists."""
    rows = [{"label": y, "score": s} for y, s in zip(labels, scores, strict=True)]
    return rows if weights is None else [{**r, "weight": w} for r, w in zip(rows, weights, strict=True)]


def tied_list(group: str, labels: Sequence[float], scores: Sequence[float]) -> Rows:
    """Rows of one list with scores of their own."""
    return [{"group": group, "item": f"d{i:04}", **row} for i, row in enumerate(scored(labels, scores))]


def ranking(group: str, labels: Sequence[float]) -> Rows:
    """Rows of one list whose items stand in ranked order."""
    return tied_list(group, labels, range(len(labels), 0, -1))


def sparse_ranking(group: str, length: int, grades: dict[int, float]) -> Rows:
    """A long ranked list, given by its relevant ranks."""
    return ranking(group, [grades.get(rank, 0) for rank in range(1, length + 1)])


def recommended(**items: Iterable[Any]) -> Rows:
    """Predictions of a two-table case: list=items from the top."""
    return [
        {"group": group, "item": str(item), "score": -rank}
        for group, of_list in items.items()
        for rank, item in enumerate(of_list, 1)
    ]


def judged(**grades: dict[Any, float]) -> Rows:
    """Truth of a two-table case: list={item: grade}."""
    return [
        {"group": group, "item": str(item), "label": grade}
        for group, of_list in grades.items()
        for item, grade in of_list.items()
    ]


def with_unlisted(rows: Rows, unlisted: dict[str, Sequence[float]]) -> tuple[Rows, Rows]:
    """The two tables of `rows` and of judged items that no list has: predictions, truth."""
    predictions = [{key: row[key] for key in ("group", "item", "score")} for row in rows]
    truth = [{key: row[key] for key in ("group", "item", "label")} for row in rows]
    for group, labels in unlisted.items():
        truth += [{"group": group, "item": f"u{i:04}", "label": label} for i, label in enumerate(labels)]
    return predictions, truth


def check(worked: Worked) -> None:
    """Asserts that sqlmetrics gives the value."""
    columns = worked.rows[0].keys() & {"group", "item", "weight"}
    facts = {**{column: column for column in columns}, **worked.facts}
    computed = evaluated([worked.notation], worked.rows, worked.truth, **facts)[worked.notation]
    if worked.digits is not None:
        expected = pytest.approx(worked.expected, rel=0, abs=0.51 * 10**-worked.digits)
    else:
        expected = pytest.approx(worked.expected, rel=None if worked.expected is None else 1e-9)
    assert computed == expected, worked.source


def named(worked: Worked) -> str:
    """The test's id."""
    return f"{worked.notation} | {worked.source}"
