"""A few cases in which every notation stands, for an engine on which a statement takes long (`--few-cases`)."""

from __future__ import annotations

from functools import cache

from conformance.cases import CASES, Case
from support.engines import KNOWN


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
    """All of them on DuckDB, every second one on any other engine: half of the engines have the odd ones."""
    place = KNOWN.index(engine)
    return few_cases() if place == 0 else few_cases()[place % 2 :: 2]
