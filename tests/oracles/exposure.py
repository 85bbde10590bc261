"""Exposure of groups of items, over every order of the ties, since a ranking at random exposes by expectation.

Singh and Joachims (2018), section 4.1 and 4.2: the exposure of a group is the sum over its items of the position weight
of their ranks. Its mean over the items, or over their relevance, is compared between groups.
Sapiezynski et al. (2019), Raj and Ekstrand (2022): the distribution of the exposure over groups beside a target, here
that of the items; TREC's Fair Ranking track of 2022 takes 1 less the Jensen-Shannon divergence in nats.
"""

import math
from collections import defaultdict
from types import SimpleNamespace
from typing import Any, NamedTuple

from oracles.item_weights import orders
from oracles.lists import RankedList, difference, list_weight
from oracles.observations import ratio


class Item(NamedTuple):
    label: float
    score: float
    name: object
    group: Any


List = list[Item]
Sums = dict[Any, float]


def position_weight(rank: int, o: SimpleNamespace) -> float:
    if o.k is not None and rank > o.k:
        return 0.0
    return 1 / math.log2(rank + 1) if o.p is None else o.p ** (rank - 1)


def by_group(items: List, values: list[float]) -> Sums:
    found: dict[Any, list[float]] = defaultdict(list)
    for item, value in zip(items, values, strict=True):
        found[item.group].append(value)
    return {group: math.fsum(of) for group, of in found.items()}


def exposure(items: List, o: SimpleNamespace) -> Sums:
    weights = [position_weight(rank, o) for rank in range(1, len(items) + 1)]
    outcomes = [by_group(order, weights) for order in orders(items, o.ties)]
    return {group: math.fsum(of[group] for of in outcomes) / len(outcomes) for group in outcomes[0]}


def worst_over_best(exposures: Sums, units: Sums) -> float | None:
    each = [exposures[group] / of for group, of in units.items() if of]
    return ratio(min(each), max(each)) if len(each) > 1 else None


def exposure_parity_ratio(items: List, o: SimpleNamespace) -> float | None:
    return worst_over_best(exposure(items, o), by_group(items, [1] * len(items)))


def disparate_treatment_ratio(items: List, o: SimpleNamespace) -> float | None:
    return worst_over_best(exposure(items, o), by_group(items, [item.label for item in items]))


def shares(sums: Sums) -> Sums:
    return {group: of / math.fsum(sums.values()) for group, of in sums.items()}


def divergence(one: Sums, other: Sums) -> float:
    """Kullback and Leibler (1951)."""
    return math.fsum(share * math.log(share / other[group]) for group, share in one.items() if share)


def awrf(items: List, o: SimpleNamespace) -> float:
    exposed, target = shares(exposure(items, o)), shares(by_group(items, [1] * len(items)))
    if o.distance == "js":
        middle = {group: (exposed[group] + target[group]) / 2 for group in target}
        return 1 - (divergence(exposed, middle) + divergence(target, middle)) / 2
    return 1 - math.fsum(abs(exposed[group] - target[group]) for group in target) / 2


METRICS = (exposure_parity_ratio, disparate_treatment_ratio, awrf)
DEFAULTS: dict[str, dict[str, Any]] = {
    "exposure_parity_ratio": {"p": None},
    "disparate_treatment_ratio": {"p": None},
    "awrf": {"p": None, "distance": "variation"},
}


def value(formula: Any, lists: list[tuple[RankedList, List]], o: SimpleNamespace) -> float | None:
    """The mean over lists; one without a value is left out, or counts what on_empty= says."""
    tops, bottoms = [], []
    for one, items in lists:
        found = formula(items, o)
        if found is None:
            found = {"none": None, "zero": 0.0, "one": 1.0}[o.on_empty]
        if found is not None:
            weight = list_weight(one, o)
            tops.append(weight * found)
            bottoms.append(weight)
    if o.average in ("std", "median", "min", "max"):
        return difference(tops, bottoms, o.average)
    return ratio(math.fsum(tops), math.fsum(bottoms))
