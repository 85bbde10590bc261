"""The ends of an interval from a value, its variance and the skewness of its units, as docs/decisions say."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

Ends = tuple[float | None, float | None]
INFINITY = math.inf


class Sample(NamedTuple):
    """A value with two limits, its variance without correction, the skewness of its units, and their number."""

    value: float
    variance: float
    skew: float | None
    units: float


def ends(
    value: float,
    pulls: list[float],
    units: float,
    quantile: Callable[[float], float],
    normal: float,
    limits: tuple[float, float],
    of_classes: tuple[float, float | None] | None = None,
    leverage: list[float] | None = None,
    less: float = 0.0,
) -> Ends:
    """Wilson's on effective units for a value with two limits, Hall's (1992) or Student's t for others.

    Args:
        pulls: the influence of each unit on the value.
        units: their effective number.
        quantile: that of Student's t, by degrees of freedom; `normal` that of the normal distribution.
        of_classes: the units and the skewness of a value that is known as well as the rarer of two classes.
        leverage: the share of each unit in the denominator, which a jackknife takes into account.
        less: of a value with two limits, how many units less and more its ends are those of.
    """
    closed, rest = all(map(math.isfinite, limits)) and leverage is None, 1.0
    if leverage is not None:
        pulls = [pull / (1 - h) for pull, h in zip(pulls, leverage, strict=True)]
        rest = 1 - 1 / units
    squares, cubes = math.fsum(x * x for x in pulls), math.fsum(x**3 for x in pulls)
    skew, variance = cubes / squares**1.5 if squares else None, squares * rest * rest
    reach = quantile(units - 1 if closed else freedom(pulls, units))
    if closed:
        n, skew = of_classes or (units, skew)
        return of_share(
            value, variance, skew, n, reach, normal, limits, by_units=of_classes is None, less=less
        )
    if skew is None or not variance > 1e-26 * value * value or math.isnan(reach):
        return None, None
    if math.isfinite(limits[0]):  # losses are skewed upwards
        skew = max(skew, 0.0)
    error = math.sqrt(variance * units / (units - 1))
    below, above = straightened(reach, skew), straightened(-reach, skew)
    if math.isfinite(limits[1]):
        below, above = reach, -reach
    return max(value - error * max(below, 0), limits[0]), min(value - error * min(above, 0), limits[1])


def freedom(pulls: list[float], units: float) -> float:
    """Satterthwaite's (1946) degrees of freedom of the sum of squares, by their fourth moment."""
    squares, fourths = math.fsum(x * x for x in pulls), math.fsum(x**4 for x in pulls)
    excess = fourths / squares**2 - 1 / units if squares else 0.0
    return 2 / excess if excess * (units - 1) > 2 else units - 1


def straightened(y: float, skew: float) -> float:
    """The inverse of Hall's cubic transformation."""
    if abs(skew) <= 1e-5:
        return y - skew / 6 - skew * y * y / 3
    return 3 * (math.copysign(abs(cube := 1 + skew * (y - skew / 6)) ** (1 / 3), cube) - 1) / skew


def of_share(
    value: float,
    variance: float,
    skew: float | None,
    n: float,
    reach: float,
    normal: float,
    limits: tuple[float, float],
    *,
    by_units: bool = True,
    less: float = 0.0,
) -> Ends:
    """Of a value between limits: its variance is mixed with the largest that the mean of n units can have."""
    least, width = limits[0], limits[1] - limits[0]
    p = (value - least) / width
    m, certain = right_or_wrong(p, variance / width**2, skew, n, by_units=by_units)
    if not certain and math.isnan(reach):
        return None, None
    reach = normal if certain else reach
    low, high = (
        (q + reach**2 / (2 * m) + sign * reach * math.sqrt(q * (1 - q) / m + reach**2 / (4 * m * m)))
        / (1 + reach**2 / m)
        for sign, q in ((-1, max(p - less / m, 0.0)), (1, min(p + less / m, 1.0)))
    )
    return least + width * low, least + width * high


def right_or_wrong(
    p: float, variance: float, skew: float | None, n: float, *, by_units: bool = True
) -> tuple[float, bool]:
    """The number of units whose share would vary as a value in [0, 1], and whether all n are right or wrong."""
    largest = p * (1 - p) / n
    if variance >= largest * (1 - 1e-9) if by_units else p in (0, 1):
        return n, True
    weight = 1.0 if skew is None or variance <= 1e-26 or n <= 1 else 4 * skew**4 / (1 + 4 * skew**4)
    corrected = variance * n / (n - 1) if n > 1 else 0.0
    return p * (1 - p) / ((1 - weight) * corrected + weight * largest), False


def end_of_shares(up: int, down: int, n: int, z: float, sign: int) -> float:
    """The difference of two shares that is z standard errors from the one that was found, by bisection."""
    found = (up - down) / n
    inside, outside = found, float(sign)
    for _ in range(200):
        middle = (inside + outside) / 2
        left = (max((up + down + 2) / n, abs(middle) + 0.5 / n) - middle**2) / n
        inside, outside = (middle, outside) if (found - middle) ** 2 <= z * z * left else (inside, middle)
    return inside
