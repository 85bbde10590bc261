"""Weights of items inside lists: what an item adds at its rank, times its weight, over every order of the ties.

Yang et al. (2018), doi:10.1145/3240323.3240355: an estimate sums c(rank) * w over the relevant items, with w the
inverse propensity; divided by the sum of w over all relevant items, listed or not, it is self-normalised.

Joachims, Swaminathan and Schnabel (2017), section 4: a click counts 1 / propensity (`propensity`, `clip`). Jain, Prabhu
and Varma (2016), section 4, and their code: the DCG of these counts over that of their best order.
"""

import math
from collections.abc import Iterator
from itertools import groupby, permutations, product
from types import SimpleNamespace
from typing import NamedTuple

from oracles.lists import MOST_ORDERS, difference
from oracles.observations import ratio
from oracles.ranking import discount

#: They read the counts of clicks, whether or not an item is relevant.
OF_CLICKS = ("ips_dcg", "ips_ndcg")


class Item(NamedTuple):
    label: float
    score: float
    name: object
    weight: float


def orders(listed: list[Item], ties: str) -> Iterator[list[Item]]:
    """Every order that the rule of ties leaves open; all are equally likely."""
    decides = {
        "average": lambda item: 0,
        "worst": lambda item: item.label,
        "best": lambda item: -item.label,
        "item": lambda item: item.name,
        "item desc": lambda item: item.name,
        "text desc": lambda item: str(item.name).encode(),
    }[ties]
    by_rule = sorted(listed, key=decides, reverse=ties.endswith("desc"))
    by_rule.sort(key=lambda item: -item.score)
    blocks = [list(block) for _, block in groupby(by_rule, key=lambda item: (item.score, decides(item)))]
    number = math.prod(math.factorial(len(block)) for block in blocks)
    if number > MOST_ORDERS:
        raise ValueError(f"{number} orders of the tied items, {MOST_ORDERS} at most: use a smaller list")
    for order in product(*(permutations(block) for block in blocks)):
        yield [item for block in order for item in block]


def of_clicks(propensity: float | None, o: SimpleNamespace) -> float:
    """The weight of an item that was examined with this probability; an item without a click may lack it."""
    return min(1 / propensity, getattr(o, "clip", math.inf)) if propensity else 0.0


def worth(item: Item) -> float:
    return max(item.label, 0) * item.weight


def discounted(gains: list[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def of_order(name: str, order: list[Item], judged: list[Item], o: SimpleNamespace) -> tuple[float, float]:
    """Numerator and denominator of one order of one list."""
    top = order[: o.k]
    hits = [(rank, item) for rank, item in enumerate(top, 1) if o.relevant(item.label)]
    relevant = math.fsum(item.weight for item in judged if o.relevant(item.label))
    if name == "dcg":
        gains = (item.weight * o.gain(item.label) / discount(rank, o) for rank, item in enumerate(top, 1))
        return math.fsum(gains), 1
    if name in OF_CLICKS:
        best = sorted((worth(item) for item in judged), reverse=True)[: o.k]
        return discounted([worth(item) for item in top]), 1 if name == "ips_dcg" else discounted(best)
    if name == "cg":
        return math.fsum(item.weight * o.gain(item.label) for item in top), 1
    if name == "precision":
        return math.fsum(item.weight for _, item in hits), min(
            o.k, len(order)
        ) if o.denominator == "listed" else o.k
    if name == "recall":
        return math.fsum(item.weight for _, item in hits), relevant
    if name == "mrr":
        return next((item.weight / rank for rank, item in hits), 0), 1
    assert name == "map"
    precisions = math.fsum(item.weight * number / rank for number, (rank, item) in enumerate(hits, 1))
    below = {"cutoff": o.k, "hits": math.fsum(item.weight for _, item in hits)}
    return precisions, below.get(o.denominator, relevant)


def value(name: str, lists: list[tuple[list[Item], list[Item]]], o: SimpleNamespace) -> float | None:
    """The mean over lists, each its listed and its judged items; one whose relevant items weigh nothing is left out."""
    tops, bottoms = [], []
    for listed, judged in lists:
        counts = o.gain if name in ("dcg", "cg") else float if name in OF_CLICKS else o.relevant
        if not any(item.weight * counts(item.label) > 0 for item in judged):
            continue
        outcomes = [of_order(name, order, judged, o) for order in orders(listed, o.ties)]
        if o.average == "micro":
            tops.append(math.fsum(n for n, _ in outcomes) / len(outcomes))
            bottoms.append(math.fsum(d for _, d in outcomes) / len(outcomes))
        else:
            tops.append(math.fsum(ratio(n, d, 0.0) for n, d in outcomes) / len(outcomes))
            bottoms.append(1)
    if o.average in ("std", "median", "min", "max"):
        return difference(tops, bottoms, o.average)
    return ratio(math.fsum(tops), math.fsum(bottoms))
