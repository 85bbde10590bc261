"""One order of one list of items that are relevant or not: its numerator and its denominator."""

import math
from fractions import Fraction
from types import SimpleNamespace

from oracles.lists import Order, Parts, RankedList
from oracles.observations import ratio
from oracles.ranking import average_precision, hit_rate, nothing_relevant


def relevant_of(one: RankedList, o: SimpleNamespace) -> int:
    return sum(map(o.relevant, one.judged))


def hit_ranks(order: Order, o: SimpleNamespace) -> list[int]:
    return [rank for rank, g in enumerate(order, 1) if o.relevant(g)]


def f_beta(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Van Rijsbergen (1979), chapter 7: (1 + b^2) P R / (b^2 P + R), with P = hits / k and R = hits / relevant."""
    hits = sum(map(o.relevant, order[: o.k]))
    return (1 + o.beta**2) * hits, o.beta**2 * relevant_of(one, o) + o.k


def r_precision(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    relevant = relevant_of(one, o)
    return sum(map(o.relevant, order[:relevant])), relevant


def mrr_all(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """MIND's evaluation script: sum(y_i / rank_i) / sum(y_i)."""
    return math.fsum(1 / rank for rank in hit_ranks(order[: o.k], o)), relevant_of(one, o)


def average_rank(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    ranks = hit_ranks(order, o)
    return sum(ranks), len(ranks)


def pauc(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Pairs, one by one: a relevant item is above one of the first k others, those beyond the list included."""
    others = [rank for rank, g in enumerate(order, 1) if not o.relevant(g)][: o.k]
    others += [len(order) + 1] * (o.k - len(others))
    return sum(rank < other for rank in hit_ranks(order, o) for other in others), relevant_of(one, o) * o.k


def interpolated(order: Order, one: RankedList, o: SimpleNamespace, level: Fraction) -> float:
    """The highest precision at any rank from the first one where recall reaches the level."""
    relevant = relevant_of(one, o)
    needed = relevant * level
    if o.reach == "nearest":
        needed = math.floor(needed + Fraction(1, 2))
    if o.reach == "tenth":  # as trec_eval 9 writes it
        needed = int(float(level) * relevant + 0.9)
    best = 0.0
    for rank in range(1, len(order) + 1):
        hits = sum(map(o.relevant, order[:rank]))
        if hits >= needed:
            best = max(best, hits / rank)
    return best


def interpolated_precision(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return interpolated(order, one, o, Fraction(str(o.recall))), 1


def interpolated_map(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    points = int(o.points)
    return math.fsum(interpolated(order, one, o, Fraction(i, points - 1)) for i in range(points)), points


def pass_at(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Chen et al. (2021), equation 1, by the share of the choices of k attempts that are all wrong."""
    wrong = sum(not o.relevant(g) for g in one.labels)
    return 1 - ratio(math.comb(wrong, int(o.k)), math.comb(len(one.labels), int(o.k)), 0), 1


def pass_all_at(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Yao et al. (2024), section 3, by the share of the choices of k attempts that are all right."""
    right = sum(map(o.relevant, one.labels))
    return ratio(math.comb(right, int(o.k)), math.comb(len(one.labels), int(o.k)), 0), 1


def too_few_attempts(one: RankedList, o: SimpleNamespace) -> bool:
    return len(one.labels) < o.k


def nothing_relevant_listed(one: RankedList, o: SimpleNamespace) -> bool:
    return not any(map(o.relevant, one.labels))


METRICS = {
    "f1": (f_beta, nothing_relevant),
    "f_beta": (f_beta, nothing_relevant),
    "success": (hit_rate, nothing_relevant),
    "r_precision": (r_precision, nothing_relevant),
    "mrr_all": (mrr_all, nothing_relevant),
    "average_rank": (average_rank, nothing_relevant_listed),
    "pauc": (pauc, nothing_relevant),
    "interpolated_precision": (interpolated_precision, nothing_relevant),
    "interpolated_map": (interpolated_map, nothing_relevant),
    "gmap": (average_precision, nothing_relevant),
    "pass": (pass_at, too_few_attempts),
    "pass_all": (pass_all_at, too_few_attempts),
}
PESSIMISTIC = ("interpolated_precision", "interpolated_map")
DEFAULTS = {
    "f1": {"beta": 1},
    "f_beta": {"beta": 1},
    "interpolated_precision": {"reach": "exact"},
    "interpolated_map": {"points": 11, "reach": "exact"},
    "gmap": {"denominator": "capped", "scale": "log"},
}
