"""Prediction-powered means with a tuned power, from the formulas of the paper: Angelopoulos, Duchi, Zrnic (2023)."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """The mean square of the distances from the mean."""
    middle = mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / len(values)


def power(people: Sequence[float], judge: Sequence[float], others: Sequence[float]) -> float:
    """The lambda of the least variance within [0, 1], of which the judge's variance is that of all units."""
    every, n = [*judge, *others], len(people)
    spread = variance(every) * len(every) / (len(every) - 1)
    if not others or spread < 1e-20:
        return 0.0
    of_both = mean([(y - mean(people)) * (f - mean(judge)) for y, f in zip(people, judge, strict=True)])
    return min(1.0, max(0.0, of_both / ((1 + n / len(others)) * spread)))


def corrected(
    people: Sequence[float], judge: Sequence[float], others: Sequence[float]
) -> tuple[float, float]:
    """The corrected mean, and how many times the labels by people its variance is worth.

    Args:
        people: the values of units by people.
        judge: the values of the same units by the judge.
        others: the values of all other units by the judge.
    """
    lam, n = power(people, judge, others), len(people)

    rest = [y - lam * f for y, f in zip(people, judge, strict=True)]
    alone = variance(people) / n
    plain = variance(rest) / n + (lam**2 * variance(others) / len(others) if lam else 0)
    unseen = plain + 4 * lam**2 * alone / n
    least = unseen if unseen <= alone else max(alone, plain)
    value = mean(rest) + (lam * mean(others) if lam else 0)
    return value, alone / least if least else math.nan
