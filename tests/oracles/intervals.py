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
    of_constant: Callable[[Rows], list[float]] | None = None,
) -> Ends:
    """Hall's (1992) or Student's t, or on effective rows that of a share.

    Args:
        counts: what a row adds to the denominator, besides its weight.
        classes: of a value that is known as well as the rarer class, how many rows of each are right and wrong.
        of_constant: of a quotient of losses, those of the constant on each row, without weights.
    """
    rows = [row for row in rows if row["weight"]]
    pulls = influences(value, rows, group)
    units = float(len(pulls))
    counted = [row["weight"] * counts(row) for row in rows]
    if group is None:
        units = math.fsum(counted) ** 2 / math.fsum(x * x for x in counted)
    shares = counted
    if of_constant is not None:
        shares = [row["weight"] * loss for row, loss in zip(rows, of_constant(rows), strict=True)]
    leverage = None
    if of_constant is not None or not all(map(math.isfinite, limits)):
        of_unit: dict[Any, float] = {}
        for i, (row, share) in enumerate(zip(rows, shares, strict=True)):
            name = i if group is None else row[group]
            of_unit[name] = of_unit.get(name, 0.0) + share / math.fsum(shares)
        leverage = [of_unit[name] for name in sorted(of_unit)]
    normal = norm.ppf((1 + level) / 2)
    of_classes = None
    if classes is not None:
        of_class = [(right + wrong) / sum(map(sum, classes)) for right, wrong in classes]
        skews = [
            abs(right - wrong) / math.sqrt(right * wrong * units * share) if right * wrong else None
            for (right, wrong), share in zip(classes, of_class, strict=True)
        ]
        skew = None if None in skews else max(filter(None, skews), default=0.0)
        of_classes = (units if group is not None else min(of_class) * units, skew)
    return ends(value(rows), pulls, units, student(level), normal, limits, of_classes, leverage)


def student(level: float) -> Callable[[float], float]:
    """The quantile of Student's t at a level, by degrees of freedom; there is none below 1."""
    return lambda df: t.ppf((1 + level) / 2, df) if df >= 1 else math.nan


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
    leverage = None if all(map(math.isfinite, limits)) else [d / total for d in below]
    return ends(ratio, pulls, units, student(level), norm.ppf((1 + level) / 2), limits, leverage=leverage)
