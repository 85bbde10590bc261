"""A few cases in which every notation stands, for an engine on which a statement takes long (`--few-cases`)."""

from __future__ import annotations

from conformance.cases import CASES, Case


def few_cases() -> list[Case]:
    """Each time the case with the most notations that were not seen before."""
    unseen = {notation for case in CASES for notation in case.metrics}
    chosen = []
    while unseen:
        chosen.append(max(CASES, key=lambda case: len(unseen.intersection(case.metrics))))
        unseen.difference_update(chosen[-1].metrics)
    return chosen
