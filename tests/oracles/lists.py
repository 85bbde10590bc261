"""From a formula over one order of one list to one number: every order of the ties, the average over lists.

A tie-averaged value is the mean of the tie-free formula over all orders of the tied items, as defined by
McSherry and Najork (ECIR 2008, doi:10.1007/978-3-540-78646-7_38). No closed form is used: the SQL has those.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, product
from types import SimpleNamespace
from typing import Any, NamedTuple

from oracles.observations import ratio

UNJUDGED = -0.5  # the label of a listed item that the truth lacks: below every grade, above TREC's -1
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
    if ties in ("item", "item desc"):
        for block in blocks:
            block.sort(key=lambda row: row[2], reverse=ties == "item desc")
    if ties == "text desc":
        for block in blocks:
            block.sort(key=lambda row: str(row[2]).encode(), reverse=True)
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


def difference(tops: list[float], weights: list[float], of: str) -> float | None:
    """The standard deviation, median, least or greatest of top / weight, over the lists of weight > 0."""
    values = sorted((top / weight, weight) for top, weight in zip(tops, weights, strict=True) if weight)
    if not values:
        return None
    total = math.fsum(weight for _, weight in values)
    if of == "std":
        mean = math.fsum(value * weight for value, weight in values) / total
        return math.sqrt(math.fsum(weight * (value - mean) ** 2 for value, weight in values) / total)
    if of in ("min", "max"):
        return values[0 if of == "min" else -1][0]
    down = [math.fsum(weight for _, weight in values[: i + 1]) for i in range(len(values))]
    low = next(value for (value, _), through in zip(values, down, strict=True) if through >= total / 2)
    return (
        low + next((v for (v, _), through in zip(values, down, strict=True) if through > total / 2), low)
    ) / 2


def list_value(
    formula: Callable[..., Parts], is_empty: Callable[..., bool], lists: list[RankedList], o: SimpleNamespace
) -> float | None:
    """Mean of the lists' ratios, or (micro) the ratio of the lists' sums; weights multiply both sums.

    A sum is that of the values, times the weights; without a list there is none. On a logarithmic scale the mean is
    the geometric one of ratios of 0.00001 at least (Robertson, 2006).
    """
    tops, bottoms = [], []
    for one in lists:
        if not one.labels and o.on_missing == "skip":
            continue
        outcomes = [formula(order, one, o) for order in orders(one, o.ties)]
        numerator, denominator = (math.fsum(side) / len(outcomes) for side in zip(*outcomes, strict=True))
        value = math.fsum(ratio(n, d, 0.0) for n, d in outcomes) / len(outcomes)
        if is_empty(one, o):
            if o.on_empty == "none":
                continue
            value = {"zero": 0.0, "one": 1.0}[o.on_empty]
            numerator = value * denominator
        if o.scale == "log":
            value = numerator = math.log(max(value, 0.00001))
            denominator = 1.0
        weight = list_weight(one, o)
        tops.append(weight * (numerator if o.average == "micro" else value))
        bottoms.append(weight * (denominator if o.average == "micro" else 1))
    if o.average == "sum":
        return math.fsum(tops) if tops else None
    if o.average in ("std", "median", "min", "max"):
        found = difference(tops, bottoms, o.average)
        return math.exp(found) if found is not None and o.scale == "log" else found
    mean = ratio(math.fsum(tops), math.fsum(bottoms))
    return math.exp(mean) if mean is not None and o.scale == "log" else mean
