"""One order of one list in which some items were not judged: its numerator and its denominator."""

import math
from types import SimpleNamespace

from oracles.lists import UNJUDGED, Order, Parts, RankedList
from oracles.ranking import nothing_relevant


def bpref(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Buckley and Voorhees (2004), as trec_eval writes it: 1 - min(n, R) / min(N, R), n the judged others above."""
    relevant = sum(map(o.relevant, one.judged))
    others = sum(g >= 0 and not o.relevant(g) for g in one.judged)
    above, total = 0, 0.0
    for g in order:
        if o.relevant(g):
            total += 1 - min(above, relevant) / min(others, relevant) if above else 1
        elif g >= 0:
            above += 1
    return total, relevant


def infap(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Yilmaz and Aslam (2006), equation 1 with the smoothing of trec_eval."""
    e, total = 0.00001, 0.0
    for above, g in enumerate(order):
        if not o.relevant(g):
            continue
        if above == 0:
            total += 1
            continue
        before = order[:above]
        pool = sum(label != UNJUDGED for label in before)
        hits, judged = sum(map(o.relevant, before)), sum(label >= 0 for label in before)
        expected = pool / above * (hits + e) / (judged + 2 * e)
        total += 1 / (above + 1) + above / (above + 1) * expected
    return total, sum(map(o.relevant, one.judged))


def judged(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    read = order[: o.k]
    return math.fsum(g >= 0 for g in read), len(read)


def nothing_listed(one: RankedList, o: SimpleNamespace) -> bool:
    return not one.labels


METRICS = {
    "bpref": (bpref, nothing_relevant),
    "infap": (infap, nothing_relevant),
    "judged": (judged, nothing_listed),
}
PESSIMISTIC = ("infap",)
DEFAULTS: dict = {}
