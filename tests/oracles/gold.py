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
    people: Sequence[float],
    judge: Sequence[float],
    others: Sequence[float],
    closed: bool = False,
    difference: bool = False,
) -> tuple[float, float]:
    """The corrected mean, and how many times the labels by people its variance is worth.

    Args:
        people: the values of units by people.
        judge: the values of the same units by the judge.
        others: the values of all other units by the judge.
        closed: whether the range has two ends. Then the variance counts one unit more of disagreement, else two.
        difference: of two models. A value in an open range has the residuals of `weighted`.
    """
    lam, n = power(people, judge, others), len(people)

    rest = [y - lam * f for y, f in zip(people, judge, strict=True)]
    alone = variance(people) / n
    plain = variance(rest) / n + (lam**2 * variance(others) / len(others) if lam else 0)
    unseen = plain + (2 if closed else 4) * lam**2 * alone / n
    if lam and not (closed or difference):
        of_judge, of_others = ([(v - mean(of)) / len(of) for v in of] for of in (judge, others))
        residuals = [(v - mean(rest)) / n for v in rest] + [lam * v for v in of_others]
        unseen += fitted(residuals, of_judge + of_others)
    least = unseen if unseen <= alone else max(alone, plain)
    value = mean(rest) + (lam * mean(others) if lam else 0)
    return value, alone / least if least else math.nan


def fitted(residuals: Sequence[float], rest: Sequence[float]) -> float:
    """What the squares of residuals lack since the power fits them, to first order of the jackknife's 1 / (1 - h)^2.

    A residual counts 1 + 2 h times, with the share h of its row in the sum of squares that decides the power
    (MacKinnon and White, 1985).
    """
    whole = math.fsum(r * r for r in rest)
    return math.fsum(2 * e * e * r * r / whole for e, r in zip(residuals, rest, strict=True))


def weighted(
    people: Sequence[float], judge: Sequence[float], weights: Sequence[float]
) -> tuple[float, float, float]:
    """The same where people labelled rows with unequal chances: their rows are weighted by the inverse of the chance.

    The judge is averaged over all rows. The power and the variance follow from the influence of each row. The
    third number is the degrees of freedom: those of a chi-square that varies as the sum of squares does
    (Satterthwaite, 1946).

    Args:
        people: the value of each row by people, any where they gave no label.
        judge: the value of each row by the judge.
        weights: the inverse of the chance of each row, 0 where people gave no label.
    """
    total, size = math.fsum(weights), len(judge)
    p, j = (math.fsum(w * v for w, v in zip(weights, of, strict=True)) / total for of in (people, judge))
    a = mean(judge)
    of_people = [w * (y - p) / total for w, y in zip(weights, people, strict=True)]
    of_rest = [(f - a) / size - w * (f - j) / total for w, f in zip(weights, judge, strict=True)]
    pp, pr, rr = (
        math.fsum(x * y for x, y in zip(one, other, strict=True))
        for one, other in ((of_people, of_people), (of_people, of_rest), (of_rest, of_rest))
    )
    c = min(1.0, max(0.0, -pr / rr))
    units = total**2 / math.fsum(w * w for w in weights)
    residuals = [x + c * r for x, r in zip(of_people, of_rest, strict=True)]
    plain = math.fsum(e * e for e in residuals)
    unseen = plain + (fitted(residuals, of_rest) if c else 0.0) + 4 * c * c * pp / units
    excess = math.fsum(e**4 for e in residuals) / plain**2 - 1 / units
    df = 2 / excess if excess * (units - 1) > 2 else units - 1
    return p + c * (a - j), pp / (unseen if unseen <= pp else max(pp, plain)), df
