"""Intervals by the infinitesimal jackknife: how a value changes as the weight of a unit does, by differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from scipy.stats import norm, t

from oracles.ends import Ends, ends

Row = dict[str, Any]
Rows = list[Row]


def influences(value: Callable[[Rows], float], rows: Rows, group: str | None) -> list[float]:
    """How fast a value changes as a unit gets heavier: a row or a list of `group`.

    Args:
        value: of rows, which have a `weight`.
    """
    rows = [row for row in rows if row["weight"]]
    names = range(len(rows)) if group is None else sorted({row[group] for row in rows})

    def heavier(unit: int, by: float) -> float:
        factor = [1 + by if (i if group is None else row[group]) == unit else 1 for i, row in enumerate(rows)]
        return value([{**row, "weight": row["weight"] * f} for row, f in zip(rows, factor, strict=True)])

    def pull(unit: int, by: float = 0.002) -> float:
        near = heavier(unit, by) - heavier(unit, -by)
        return (8 * near - (heavier(unit, 2 * by) - heavier(unit, -2 * by))) / (12 * by)

    return [pull(unit) for unit in names]


def variance(value: Callable[[Rows], float], rows: Rows, group: str | None) -> tuple[float, int]:
    """Jaeckel (1972), with m / (m - 1) for m units; and m."""
    pulls = influences(value, rows, group)
    m = len(pulls)
    return (m / (m - 1) * math.fsum(pull**2 for pull in pulls) if m > 1 else math.nan), m


def of_mean(
    value: Callable[[Rows], float],
    rows: Rows,
    group: str | None = None,
    level: float = 0.95,
    limits: tuple[float, float] = (-math.inf, math.inf),
    counts: Callable[[Row], float] = lambda row: 1.0,
    classes: list[tuple[float, float]] | None = None,
) -> Ends:
    """Hall's (1992), or on effective rows that of a share, with one degree of freedom less than units.

    Args:
        counts: what a row adds to the denominator, besides its weight.
        classes: of a value that is known as well as the rarer class, how many rows of each are right and wrong.
    """
    rows = [row for row in rows if row["weight"]]
    pulls = influences(value, rows, group)
    units = float(len(pulls))
    if group is None:
        counted = [row["weight"] * counts(row) for row in rows]
        units = math.fsum(counted) ** 2 / math.fsum(x * x for x in counted)
    reach = t.ppf((1 + level) / 2, units - 1) if units > 1 else math.nan
    normal = norm.ppf((1 + level) / 2)
    if classes is None:
        return ends(value(rows), pulls, units, reach, normal, limits)
    shares = [(right + wrong) / sum(map(sum, classes)) for right, wrong in classes]
    skews = [
        abs(right - wrong) / math.sqrt(right * wrong * units * share) if right * wrong else None
        for (right, wrong), share in zip(classes, shares, strict=True)
    ]
    skew = None if None in skews else max(filter(None, skews), default=0.0)
    few = units if group is not None else min(shares) * units
    return ends(value(rows), pulls, units, reach, normal, limits, (few, skew))


def of_share(
    value: Callable[[Rows], float], rows: Rows, group: str | None = None, level: float = 0.95
) -> tuple[float | None, float | None]:
    """Wilson (1927) on the effective rows of Kish (1965), in lists on those of Korn and Graubard (1998).

    Args:
        rows: those of the denominator.
    """
    z, p = norm.ppf((1 + level) / 2), value(rows)
    if group is None:
        n = math.fsum(row["weight"] for row in rows) ** 2 / math.fsum(row["weight"] ** 2 for row in rows)
    else:
        spread, m = variance(value, rows, group)
        if m < 2:
            return None, None
        n = p * (1 - p) / spread * (z / t.ppf((1 + level) / 2, m - 1)) ** 2 if spread > 1e-20 else m
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def of_ratio(
    above: list[float],
    below: list[float],
    level: float = 0.95,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Ends:
    """Linearisation (Cochran 1977, 6.3) on the effective number of units (Kish 1965, 11.7)."""
    if not any(below):
        return None, None
    total, units = math.fsum(below), math.fsum(below) ** 2 / math.fsum(d * d for d in below)
    ratio = math.fsum(above) / total
    pulls = [(n - ratio * d) / total for n, d in zip(above, below, strict=True)]
    reach = t.ppf((1 + level) / 2, units - 1) if units >= 2 else math.nan
    return ends(ratio, pulls, units, reach, norm.ppf((1 + level) / 2), limits)
