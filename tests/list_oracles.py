"""The metrics of ranked lists in plain Python: one order's formula, every order of the ties, the average.

A tie-averaged value is the mean of the tie-free formula over all orders of the tied items, as defined by
McSherry and Najork (ECIR 2008, doi:10.1007/978-3-540-78646-7_38). No closed form is used: the SQL has those.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, product
from types import SimpleNamespace
from typing import Any, NamedTuple

MOST_ORDERS = 5040  # a list with more orders than 7! is a test that should have been smaller

Order = Sequence[float]  # the labels of one list from the top
Parts = tuple[float, float]  # numerator and denominator of one list


class RankedList(NamedTuple):
    labels: list[float]
    scores: list[float]
    items: list[Any]
    unlisted: list[float]  # labels of judged items that the predictions lack
    origin: dict  # a row of the list, for columns that are constant in it

    @property
    def judged(self) -> list[float]:
        return self.labels + self.unlisted


def ratio(numerator: float, denominator: float, otherwise: float | None = None) -> float | None:
    return numerator / denominator if denominator else otherwise


def wins(one: float, other: float) -> float:
    """Hanley and McNeil (1982): a pair in the right order counts 1, a tie one half."""
    return 1.0 if one > other else 0.5 if one == other else 0.0


# --- one order of one list: its numerator and its denominator ---


def discounted(labels: Order, o: SimpleNamespace) -> float:
    """Jarvelin and Kekalainen (2002), with the discount log(rank + 1) of Burges et al. (2005)."""
    return math.fsum(o.gain(g) / math.log(rank + 1, o.log_base) for rank, g in enumerate(labels, 1))


def cg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return math.fsum(map(o.gain, order[: o.k])), 1


def dcg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return discounted(order[: o.k], o), 1


def ndcg(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    ideal = sorted(one.labels if o.ideal == "listed" else one.judged, reverse=True)
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
    return sum(map(o.relevant, order[: o.k])), sum(map(o.relevant, one.judged))


def hit_rate(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    return float(any(map(o.relevant, order[: o.k]))), 1


def err(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Chapelle et al. (CIKM 2009): 1/rank where a cascading user stops, R = (2^g - 1) / 2^max_grade."""
    still_reading, total = 1.0, 0.0
    for rank, g in enumerate(order[: o.k], 1):
        stops = (2**g - 1) / 2**o.max_grade
        total += still_reading * stops / rank
        still_reading *= 1 - stops
    return total, 1


def gauc(order: Order, one: RankedList, o: SimpleNamespace) -> Parts:
    """Zhou et al. (DIN, KDD 2018): the AUC inside each list; here its pairs, whatever the order of ties."""
    positives = [s for g, s in zip(one.labels, one.scores, strict=True) if o.relevant(g)]
    negatives = [s for g, s in zip(one.labels, one.scores, strict=True) if not o.relevant(g)]
    return math.fsum(wins(s, t) for s in positives for t in negatives), len(positives) * len(negatives)


LISTS = {
    "cg": cg,
    "dcg": dcg,
    "ndcg": ndcg,
    "map": average_precision,
    "mrr": mrr,
    "precision": precision,
    "recall": recall,
    "hit_rate": hit_rate,
    "err": err,
    "gauc": gauc,
}


# --- every order of one list ---


def arrangements(labels: Order) -> Iterator[tuple[float, ...]]:
    """Each distinct order once: swapping two equal labels changes nothing, so all are equally likely."""
    if not labels:
        yield ()
    for first in sorted(set(labels)):
        rest = list(labels)
        rest.remove(first)
        yield from ((first, *tail) for tail in arrangements(rest))


def orders(one: RankedList, ties: str) -> list[Order]:
    listed = sorted(zip(one.scores, one.labels, one.items, strict=True), key=lambda row: row[0], reverse=True)
    blocks = [list(block) for _, block in groupby(listed, key=lambda row: row[0])]
    if ties.startswith("item"):
        for block in blocks:
            block.sort(key=lambda row: row[2], reverse=ties == "item desc")
    labels = [[label for _, label, _ in block] for block in blocks]
    if ties in ("worst", "best"):
        labels = [sorted(block, reverse=ties == "best") for block in labels]
    if ties != "average":
        return [[label for block in labels for label in block]]
    factorial = math.factorial
    number = math.prod(factorial(len(b)) // math.prod(factorial(b.count(g)) for g in set(b)) for b in labels)
    if number > MOST_ORDERS:
        raise ValueError(f"{number} orders of the tied items, {MOST_ORDERS} at most: use a smaller list")
    return [
        [g for block in order for g in block] for order in product(*(list(arrangements(b)) for b in labels))
    ]


# --- from lists to one number ---


def is_empty(name: str, one: RankedList, o: SimpleNamespace) -> bool:
    """No pair for gauc, no gain to be had for cg, dcg and ndcg, no relevant item for the others, listed or not."""
    if name == "gauc":
        return len(set(map(o.relevant, one.labels))) < 2
    return not any(o.gain(g) > 0 if name in ("cg", "dcg", "ndcg") else o.relevant(g) for g in one.judged)


def list_weight(one: RankedList, o: SimpleNamespace) -> float:
    positives = sum(map(o.relevant, one.judged))
    negatives = sum(not o.relevant(g) for g in one.labels)
    words = {
        "uniform": 1,
        "impressions": len(one.labels),
        "positives": positives,
        "negatives": negatives,
        "pairs": sum(map(o.relevant, one.labels)) * negatives,
    }
    weight = words[o.weight] if o.weight in words else one.origin[o.weight]
    return weight * (one.origin[o.weight_column] if o.weight_column else 1)


def list_value(name: str, lists: list[RankedList], o: SimpleNamespace) -> float | None:
    """Mean of the lists' ratios, or (micro) the ratio of the lists' sums; weights multiply both sums."""
    # The AUC of a list has its own rule of ties; ERR has no tie average and takes the lower grade first.
    ties = "best" if name == "gauc" else "worst" if (name, o.ties) == ("err", "average") else o.ties
    tops, bottoms = [], []
    for one in lists:
        if not one.labels and o.on_missing == "skip":
            continue
        outcomes = [LISTS[name](order, one, o) for order in orders(one, ties)]
        numerator, denominator = (math.fsum(side) / len(outcomes) for side in zip(*outcomes, strict=True))
        value = math.fsum(ratio(n, d, 0.0) for n, d in outcomes) / len(outcomes)
        if is_empty(name, one, o):
            if o.on_empty == "none":
                continue
            value = {"zero": 0.0, "one": 1.0}[o.on_empty]
            numerator = value * denominator
        weight = list_weight(one, o)
        tops.append(weight * (numerator if o.average == "micro" else value))
        bottoms.append(weight * (denominator if o.average == "micro" else 1))
    return ratio(math.fsum(tops), math.fsum(bottoms))
