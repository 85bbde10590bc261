"""Ranked lists whose items serve several subtopics: one list as the sets of subtopics of its items, from the top."""

import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

from oracles.lists import list_weight
from oracles.observations import ratio

Served = list[set]  # the subtopics that an item is relevant for, item by item


class List(NamedTuple):
    listed: Served  #: from the top
    judged: dict[Any, set]  #: by item, listed or not
    origin: Any  #: the list as other metrics read it

    @property
    def subtopics(self) -> set:
        return set().union(*self.judged.values())


def read(rows, truth, score, group, item, subtopic, label, ranked_lists, o) -> list[List]:
    """Tied scores by item, or as `ties` says; `ranked_lists` are those of the groups of the truth."""
    lists = []
    for one in ranked_lists:
        key = one.origin[group]
        judged: dict[Any, set] = {}
        for row in truth:
            if row[group] == key:
                served = judged.setdefault(row[item], set())
                if o.relevant(row[label]):
                    served.add(row[subtopic])
        by_text = o.ties == "text desc"
        order = sorted(
            (row for row in rows if row[group] == key),
            key=lambda row: str(row[item]).encode() if by_text else row[item],
            reverse=o.ties.endswith("desc"),
        )
        order.sort(key=lambda row: -row[score])
        lists.append(List([judged.get(row[item], set()) for row in order], judged, one))
    return lists


def gains(order: Served, alpha: Fraction) -> list[Fraction]:
    """Clarke et al. (2008), equation 2: each subtopic of an item counts (1 - alpha) to the times it was seen above."""
    return [
        sum(((1 - alpha) ** sum(s in above for above in order[:rank]) for s in served), Fraction(0))
        for rank, served in enumerate(order)
    ]


def greedy(judged: dict[Any, set], alpha: Fraction) -> Served:
    """Clarke et al. (2008), section 3.3, with the rule of ndeval for equal gains: the last item by name."""
    order: Served = []
    left = dict(judged)
    while left:
        best = max(left, key=lambda item: (gains([*order, left[item]], alpha)[-1], item))
        order.append(left.pop(best))
    return order


def ideal(one: List, alpha: Fraction, o: SimpleNamespace) -> Served:
    return {
        "judged": lambda: greedy(one.judged, alpha),
        "cutoff": lambda: [one.subtopics] * o.k,
    }[o.ideal]()


def discounted(order: Served, alpha: Fraction, effort, o: SimpleNamespace) -> float:
    return math.fsum(float(gain) / effort(rank) for rank, gain in enumerate(gains(order, alpha)[: o.k], 1))


def alpha_ndcg(one: List, o: SimpleNamespace) -> tuple[float, float]:
    """Clarke et al. (2008), section 3.3; TREC's ndeval divides by log2(rank + 1), too."""
    alpha = Fraction(repr(float(o.alpha)))

    def dcg(order: Served) -> float:
        return discounted(order, alpha, lambda rank: math.log2(rank + 1), o)

    return dcg(one.listed), dcg(ideal(one, alpha, o))


def err_ia(one: List, o: SimpleNamespace) -> tuple[float, float]:
    """Chapelle et al. (2011), section 3.2: the mean over intents of ERR, of which a user stops with chance alpha."""
    alpha = Fraction(repr(float(o.alpha)))
    if o.ideal != "none":
        return tuple(discounted(order, alpha, float, o) for order in (one.listed, ideal(one, alpha, o)))  # type: ignore[return-value]

    def err(subtopic: Any) -> float:
        total, reached = 0.0, 1.0
        for rank, served in enumerate(one.listed[: o.k], 1):
            stops = float(alpha) if subtopic in served else 0.0
            total += reached * stops / rank
            reached *= 1 - stops
        return total

    return math.fsum(map(err, one.subtopics)), len(one.subtopics)


def subtopic_recall(one: List, o: SimpleNamespace) -> tuple[float, float]:
    """Zhai et al. (2003), section 3.1: the share of the subtopics in the union of those of the top k."""
    return len(set().union(*one.listed[: o.k])), len(one.subtopics)


METRICS = (alpha_ndcg, err_ia, subtopic_recall)
DEFAULTS = {
    "alpha_ndcg": {"alpha": 0.5, "ideal": "judged"},
    "err_ia": {"alpha": 0.5, "ideal": "none"},
    "subtopic_recall": {},
}


def value(formula, lists: list[List], o: SimpleNamespace) -> float | None:
    """The mean over the lists that have a subtopic, or the ratio of their sums."""
    tops, bottoms = [], []
    for one in lists:
        if not one.listed and o.on_missing == "skip":
            continue
        numerator, denominator = formula(one, o)
        value = ratio(numerator, denominator, 0.0)
        if not one.subtopics:
            if o.on_empty == "none":
                continue
            value = {"zero": 0.0, "one": 1.0}[o.on_empty]
            numerator = value * denominator
        weight = list_weight(one.origin, o)
        micro = o.average == "micro"
        tops.append(weight * (numerator if micro else value))
        bottoms.append(weight * (denominator if micro else 1))
    return ratio(math.fsum(tops), math.fsum(bottoms))
