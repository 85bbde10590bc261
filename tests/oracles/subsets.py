"""Subsets of rows: averages over labels and examples, and gaps between the values of a sensitive column."""

import math
from collections import defaultdict
from typing import Any, NamedTuple

from oracles.observations import ratio


class Decided(NamedTuple):
    example: Any
    item: Any
    positive: bool
    predicted: bool
    weight: float
    row: dict


Rows = list[Decided]
Value = float | None


def split(rows: Rows, key: Any) -> list[Rows]:
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return list(found.values())


def weight(rows: Rows, *conditions: str) -> float:
    return math.fsum(row.weight for row in rows if all(getattr(row, name) for name in conditions))


# --- labels of examples ---


def averaged(rows: Rows, parts: Any, average: str, zero_division: float = 0) -> Value:
    """The mean of a ratio over labels or examples, or the ratio of all rows: scikit-learn, label indicators."""

    def value(of: Rows) -> float:
        sums = weight(of, "positive", "predicted"), weight(of, "predicted"), weight(of, "positive")
        return ratio(*parts(*sums), zero_division)

    if average == "micro":
        return value(rows) if weight(rows) else None
    subsets = split(rows, lambda row: row.example if average == "samples" else row.item)
    counts = {
        "macro": [1] * len(subsets),
        "weighted": [weight(of, "positive") for of in subsets],
        "samples": [of[0].weight for of in subsets],
    }[average]
    return ratio(math.fsum(n * value(of) for n, of in zip(counts, subsets, strict=True)), math.fsum(counts))


def multilabel_precision(rows: Rows, **options: Any) -> Value:
    return averaged(rows, lambda hits, predicted, _: (hits, predicted), **options)


def multilabel_recall(rows: Rows, **options: Any) -> Value:
    return averaged(rows, lambda hits, _, positive: (hits, positive), **options)


def multilabel_f1(rows: Rows, **options: Any) -> Value:
    return averaged(rows, lambda hits, predicted, positive: (2 * hits, predicted + positive), **options)


def multilabel_f_beta(rows: Rows, beta: float = 1, **options: Any) -> Value:
    """Van Rijsbergen (1979), in counts: (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp)."""

    def parts(hits: float, predicted: float, positive: float) -> tuple[float, float]:
        missed, wrong = positive - hits, predicted - hits
        return (1 + beta**2) * hits, (1 + beta**2) * hits + beta**2 * missed + wrong

    return averaged(rows, parts, **options)


def multilabel_jaccard(rows: Rows, **options: Any) -> Value:
    return averaged(rows, lambda hits, predicted, positive: (hits, predicted + positive - hits), **options)


def subset_accuracy(rows: Rows) -> Value:
    examples = split(rows, lambda row: row.example)
    right = [of for of in examples if all(row.positive == row.predicted for row in of)]
    return ratio(math.fsum(of[0].weight for of in right), math.fsum(of[0].weight for of in examples))


# --- gaps ---


def rates(rows: Rows, sensitive: str, *of: str) -> list[float]:
    """The selection rate of each value of a column, or that of its rows `of` a kind."""
    found = []
    for subset in split(rows, lambda row: row.row[sensitive]):
        counted = [row for row in subset if of != ("negative",) or not row.positive]
        kinds = [kind for kind in of if kind != "negative"]
        rate = ratio(weight(counted, "predicted", *kinds), weight(counted, *kinds))
        found += [] if rate is None else [rate]
    return found


def difference(found: list[float]) -> Value:
    return max(found) - min(found) if len(found) > 1 else None


def quotient(found: list[float]) -> Value:
    return ratio(min(found), max(found)) if len(found) > 1 else None


def worst(choose: Any, *gaps: Value) -> Value:
    return None if None in gaps else choose(gaps)


def demographic_parity_difference(rows: Rows, sensitive: str) -> Value:
    return difference(rates(rows, sensitive))


def demographic_parity_ratio(rows: Rows, sensitive: str) -> Value:
    return quotient(rates(rows, sensitive))


def equal_opportunity_difference(rows: Rows, sensitive: str) -> Value:
    return difference(rates(rows, sensitive, "positive"))


def equal_opportunity_ratio(rows: Rows, sensitive: str) -> Value:
    return quotient(rates(rows, sensitive, "positive"))


def equalized_odds_difference(rows: Rows, sensitive: str) -> Value:
    kinds = "positive", "negative"
    return worst(max, *(difference(rates(rows, sensitive, kind)) for kind in kinds))


def equalized_odds_ratio(rows: Rows, sensitive: str) -> Value:
    kinds = "positive", "negative"
    return worst(min, *(quotient(rates(rows, sensitive, kind)) for kind in kinds))


def selection_rate(rows: Rows) -> Value:
    return ratio(weight(rows, "predicted"), weight(rows))


METRICS = (
    multilabel_precision,
    multilabel_recall,
    multilabel_f1,
    multilabel_f_beta,
    multilabel_jaccard,
    subset_accuracy,
    demographic_parity_difference,
    demographic_parity_ratio,
    equal_opportunity_difference,
    equal_opportunity_ratio,
    equalized_odds_difference,
    equalized_odds_ratio,
    selection_rate,
)
