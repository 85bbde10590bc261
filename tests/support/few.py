"""A few cases in which every notation stands, for an engine on which a statement takes long (`--few-cases`)."""

from __future__ import annotations

from functools import cache

from conformance.cases import CASES, Case
from support.engines import KNOWN, LIGHT


@cache
def few_cases() -> list[Case]:
    """Each time the case with the most notations that were not seen before."""
    unseen = {notation for case in CASES for notation in case.metrics}
    chosen = []
    while unseen:
        chosen.append(max(CASES, key=lambda case: len(unseen.intersection(case.metrics))))
        unseen.difference_update(chosen[-1].metrics)
    return chosen


def few_cases_on(engine: str) -> list[Case]:
    """All of them on DuckDB, half of them on each of SQLite and PostgreSQL, a third on each of the slow engines."""
    place, step = KNOWN.index(engine), 2 if engine in LIGHT else 3
    return few_cases() if place == 0 else few_cases()[place % step :: step]
