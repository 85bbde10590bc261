"""Weighted AUC from all pairs of a positive and a negative row, and its variance from the influence of each row."""

from __future__ import annotations

import math
from typing import Any

from oracles.ends import Sample
from oracles.observations import wins

Rows = list[dict[str, Any]]


def auc(rows: Rows) -> float:
    """The weight of the pairs in the right order; of a tie half."""
    positive, negative = ([row for row in rows if row["label"] == label] for label in (1, 0))
    right = math.fsum(
        one["weight"] * other["weight"] * wins(one["score"], other["score"])
        for one in positive
        for other in negative
    )
    return right / math.fsum(one["weight"] * other["weight"] for one in positive for other in negative)


def pulls(rows: Rows, group: str | None = None) -> dict[int, dict[Any, float]]:
    """The pull w (V - AUC) / sum(w) of the rows of each class, added up over units: rows, or the lists of `group`.

    V is the weight of the rows of the other class with which a row is in the right order, as a share.
    """
    value = auc(rows)
    found: dict[int, dict[Any, float]] = {}
    for label in (1, 0):
        others = [row for row in rows if row["label"] != label]
        total = math.fsum(row["weight"] for row in rows if row["label"] == label)
        found[label] = {}
        for i, row in enumerate(rows):
            if row["label"] != label or not row["weight"]:
                continue
            pairs = [(row, other) if label else (other, row) for other in others]
            share = math.fsum(
                other["weight"] * wins(*(side["score"] for side in pair))
                for other, pair in zip(others, pairs, strict=True)
            ) / math.fsum(other["weight"] for other in others)
            unit = i if group is None else row[group]
            found[label][unit] = found[label].get(unit, 0.0) + row["weight"] * (share - value) / total
    return found


def units(rows: Rows, group: str | None, label: int) -> float:
    """Kish (1965): the units of equal weight, of the mean weights that the rows of a class have in each unit."""
    of_units: dict[Any, list[float]] = {}
    for i, row in enumerate(rows):
        if row["label"] == label and row["weight"]:
            of_units.setdefault(i if group is None else row[group], []).append(row["weight"])
    means = [math.fsum(weights) / len(weights) for weights in of_units.values()]
    return math.fsum(means) ** 2 / math.fsum(x * x for x in means)


def variance(of: dict[int, dict[Any, float]], rows: Rows, group: str | None = None) -> float:
    """Obuchowski's (1997) of pulls, which for rows is DeLong's, by the effective numbers of units."""
    terms = []
    for label in (1, 0):
        n = units(rows, group, label)
        terms.append(n / (n - 1) * math.fsum(x * x for x in of[label].values()))
    m = len({*of[1], *of[0]})
    both = math.fsum(x * of[0].get(unit, 0.0) for unit, x in of[1].items())
    return math.fsum([*terms, 2 * m / (m - 1) * both])


def sample(rows: Rows, group: str | None = None) -> Sample:
    """AUC with its variance before the correction for units, and the skewness that is larger."""
    of = pulls(rows, group)
    n = min(units(rows, group, label) for label in (1, 0))
    skews = [
        math.fsum(x**3 for x in one.values()) / math.fsum(x * x for x in one.values()) ** 1.5
        for one in of.values()
    ]
    return Sample(auc(rows), variance(of, rows, group) * (n - 1) / n, max(skews, key=abs), n)


def difference(rows: Rows, baseline: str, candidate: str, group: str | None = None) -> tuple[float, float]:
    """How far AUC of the second model lies above that of the first, and the variance of that."""
    first, second = ([{**row, "score": row[model]} for row in rows] for model in (baseline, candidate))
    one, two = pulls(first, group), pulls(second, group)
    ahead = {label: {unit: two[label][unit] - x for unit, x in one[label].items()} for label in (1, 0)}
    return auc(second) - auc(first), variance(ahead, rows, group)
