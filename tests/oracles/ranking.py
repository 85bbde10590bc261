"""One order of one list: its numerator and its denominator."""

import math
from types import SimpleNamespace

from oracles.lists import Order, Parts, RankedList
from oracles.observations import wins


def discounted(labels: Order, o: SimpleNamespace) -> float:
    """Jarvelin and Kekalainen (2002), with the discount log(rank + 1) of Burges et al. (2005), or of their own."""
    return math.fsum(o.gain(g) / discount(rank, o) for rank, g in enumerate(labels, 1))


def discount(rank: int, o: SimpleNamespace) -> float:
    """The original one divides from the rank on that is the base of the logarithm, 2."""
    if o.discount == "original":
        return math.log2(rank) if rank >= 2 else 1
    return rank if o.discount == "reciprocal" else math.log(rank + 1, o.log_base)


def cg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return math.fsum(map(o.gain, order[: o.k])), 1


def dcg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return discounted(order[: o.k], o), 1


def ndcg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    ideal = sorted(one.labels if o.ideal == "listed" else one.judged, reverse=True)
    if o.ideal == "cutoff":
        ideal = [math.inf] * o.k  # relevant whatever the threshold
    return discounted(order[: o.k], o), discounted(ideal if o.ideal == "full" else ideal[: o.k], o)


def average_precision(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Buckley and Voorhees (2000): the precision at each relevant rank, summed, over the relevant items."""
    hit_ranks = [rank for rank, g in enumerate(order[: o.k], 1) if o.relevant(g)]
    relevant = sum(map(o.relevant, one.judged))
    denominators = {
        "capped": relevant if o.k is None else min(relevant, o.k),
        "relevant": relevant,
        "cutoff": len(order) if o.k is None else o.k,
        "hits": len(hit_ranks),
    }
    return math.fsum(hits / rank for hits, rank in enumerate(hit_ranks, 1)), denominators[o.denominator]


def mrr(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Voorhees (TREC-8, 1999): one over the rank of the first relevant item, 0 without one."""
    return next((1 / rank for rank, g in enumerate(order[: o.k], 1) if o.relevant(g)), 0), 1


def precision(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return sum(map(o.relevant, order[: o.k])), min(o.k, len(order)) if o.denominator == "listed" else o.k


def recall(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    relevant = sum(map(o.relevant, one.judged))
    most = relevant if o.denominator == "relevant" else min(relevant, o.k)
    return sum(map(o.relevant, order[: o.k])), most


def hit_rate(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return float(any(map(o.relevant, order[: o.k]))), 1


def err(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Chapelle et al. (CIKM 2009): 1/rank where a cascading user stops, R = (2^g - 1) / 2^max_grade."""
    still_reading, total = 1.0, 0.0
    for rank, g in enumerate(order[: o.k], 1):
        stops = (2 ** max(g, 0) - 1) / 2**o.max_grade
        total += still_reading * stops / rank
        still_reading *= 1 - stops
    return total, 1


def gauc(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Zhou et al. (DIN, KDD 2018): the AUC inside each list; here its pairs, whatever the order of ties."""
    positives = [s for g, s in zip(one.labels, one.scores, strict=True) if o.relevant(g)]
    negatives = [s for g, s in zip(one.labels, one.scores, strict=True) if not o.relevant(g)]
    return math.fsum(wins(s, t) for s in positives for t in negatives), len(positives) * len(negatives)


# --- when a list has nothing to be right about ---


def nothing_relevant(one: RankedList, o: SimpleNamespace) -> bool:
    return not any(map(o.relevant, one.judged))


def no_gain(one: RankedList, o: SimpleNamespace) -> bool:
    return not any(o.gain(g) > 0 for g in one.judged)


def one_class(one: RankedList, o: SimpleNamespace) -> bool:
    return len(set(map(o.relevant, one.labels))) < 2


METRICS = {
    "cg": (cg, no_gain),
    "dcg": (dcg, no_gain),
    "ndcg": (ndcg, no_gain),
    "map": (average_precision, nothing_relevant),
    "mrr": (mrr, nothing_relevant),
    "precision": (precision, nothing_relevant),
    "recall": (recall, nothing_relevant),
    "hit_rate": (hit_rate, nothing_relevant),
    "top_k_accuracy": (hit_rate, nothing_relevant),
    "err": (err, nothing_relevant),
    "gauc": (gauc, one_class),
}
# Read in the pessimistic order: err has no tie average, gauc has its own rule of ties.
PESSIMISTIC = ("err", "gauc")
DEFAULTS = {
    "cg": {"gain": "linear"},
    "map": {"denominator": "capped"},
    "recall": {"denominator": "relevant"},
    "gauc": {"weight": "impressions"},
}
