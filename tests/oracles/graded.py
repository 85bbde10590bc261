"""One order of one list of graded items: its numerator and its denominator."""

import math
from types import SimpleNamespace

from oracles.lists import UNJUDGED, Order, Parts, RankedList
from oracles.ranking import discounted, no_gain, nothing_relevant


def idcg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    ideal = sorted(one.labels if o.ideal == "listed" else one.judged, reverse=True)
    return discounted(ideal[: o.k], o), 1


def rbp(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Moffat and Zobel (2008), equation 5: (1 - p) times the sum of r_i p^(i - 1), r_i in [0, 1]."""

    def worth(g: float) -> float:
        return o.relevant(g) if o.gain_word == "binary" else max(g, 0) / o.max_grade

    if o.normalized == "true":  # by the value of the relevant items at the top
        best = sum(map(o.relevant, one.judged))
        whole = 1 - o.p ** (best if o.k is None else min(best, o.k))
    else:
        whole = 1
    return (1 - o.p) * math.fsum(worth(g) * o.p**i for i, g in enumerate(order[: o.k])), whole


def rbp_residual(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Moffat and Zobel (2008), section 4.3: RBP with all that is not known at 1, less RBP with it at 0."""
    read = order[: o.k]
    deep = 2000  # p^n adds nothing below
    unknown = [i for i, g in enumerate(read) if g in (UNJUDGED, -1)] + list(range(len(read), deep))
    return (1 - o.p) * math.fsum(o.p**i for i in unknown), 1


def q_measure(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Sakai (2004): the blended ratio (count(r) + beta cg(r)) / (r + beta cgI(r)) at each relevant rank."""
    ideal = sorted(one.judged, reverse=True)
    total = 0.0
    for rank, g in enumerate(order, 1):
        if o.relevant(g):
            count = sum(map(o.relevant, order[:rank]))
            gained, best = (math.fsum(map(o.gain, of[:rank])) for of in (order, ideal))
            total += (count + o.beta * gained) / (rank + o.beta * best)
    return total, sum(map(o.relevant, one.judged))


def r_score(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Breese, Heckerman and Kadie (1998), equations 5 and 6: the utility of a list, and that of its ideal order."""

    def utility(labels: Order) -> float:
        return math.fsum(
            max(g - o.default, 0) * 2.0 ** -((j - 1) / (o.half_life - 1)) for j, g in enumerate(labels, 1)
        )

    return utility(order), utility(sorted(one.judged, reverse=True))


def nothing_above_default(one: RankedList, o: SimpleNamespace) -> bool:
    return not any(g > o.default for g in one.judged)


METRICS = {
    "idcg": (idcg, no_gain),
    "rbp": (rbp, nothing_relevant),
    "rbp_residual": (rbp_residual, nothing_relevant),
    "r_score": (r_score, nothing_above_default),
    "q_measure": (q_measure, nothing_relevant),
}
PESSIMISTIC = ("q_measure",)
DEFAULTS = {
    "rbp": {"p": 0.8, "gain": "linear"},
    "rbp_residual": {"p": 0.8},
    "r_score": {"half_life": 5, "default": 0},
    "q_measure": {"beta": 1, "gain": "linear"},
}
