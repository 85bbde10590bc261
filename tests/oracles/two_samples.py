"""The difference of a value of two samples: Welch's test, or for a value with two limits one share of both."""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.stats import t

from oracles.ends import Sample, right_or_wrong


class Tested(NamedTuple):
    statistic: float | None
    p_value: float | None
    low: float | None
    high: float | None
    minimum_detectable: float | None


def difference(one: Sample, two: Sample, limits: tuple[float, float], *, by_units: bool = True) -> Tested:
    """Two more right and two more wrong units in the share that alike models have, at least as wide as Wald's."""
    width = limits[1] - limits[0]
    shares = [(sample.value - limits[0]) / width for sample in (one, two)]
    counts = [
        right_or_wrong(p, of.variance / width**2, of.skew, of.units, by_units=by_units)[0]
        for p, of in zip(shares, (one, two), strict=True)
    ]
    p = (sum(m * share for m, share in zip(counts, shares, strict=True)) + 2) / (sum(counts) + 4)
    pooled = sum(p * (1 - p) / m for m in counts)
    own = sum(share * (1 - share) / m for m, share in zip(counts, shares, strict=True))
    if min(one.units, two.units) < 2:
        return Tested(None, None, None, None, None)
    df = sum(1 / m for m in counts) ** 2 / sum(
        1 / m**2 / (of.units - 1) for m, of in zip(counts, (one, two), strict=True)
    )
    return by_t(two.value - one.value, width * math.sqrt(max(pooled, own)), df, width)


def by_t(ahead: float, error: float, df: float, most: float) -> Tested:
    """By Student's t; the interval goes no further than the most that a difference can be."""
    reach = t.isf(0.025, df)
    return Tested(
        ahead / error,
        2 * t.sf(abs(ahead / error), df),
        max(ahead - reach * error, -most),
        min(ahead + reach * error, most),
        (reach + t.isf(0.2, df)) * error,
    )


def of_units(values: list[float]) -> Sample:
    """The mean of equal units."""
    n = len(values)
    mean = math.fsum(values) / n
    squares, cubes = (math.fsum((x - mean) ** power for x in values) for power in (2, 3))
    return Sample(mean, squares / n**2, cubes / squares**1.5 if squares > 1e-26 else None, n)
