"""The bootstrap as `sql/stages/replicates.sql` describes it: the rows of each replicate, and an interval of them."""

from __future__ import annotations

import math
import statistics
from typing import Any

Rows = list[dict[str, Any]]

PRIME = 2**31 - 1


def fifth_power(x: int) -> int:
    return pow(x, 5, PRIME)


def times(unit: int, replicate: int, again: bool = False) -> int:
    """How often a unit is drawn in a replicate: the quantile of a Poisson distribution of mean 1 at a hash.

    Where a replicate is drawn from again, the two numbers of its hash change places.
    """
    factor, offset = fifth_power(replicate + 271828182), fifth_power(replicate + 314159265)
    if again:
        factor, offset = offset, factor
    hashed = fifth_power((unit * factor + offset) % PRIME)
    chance, drawn = math.exp(-1), 0
    below = chance
    while drawn < 12 and hashed >= math.floor(below * PRIME):
        drawn += 1
        chance /= drawn
        below += chance
    return drawn


def units(rows: Rows, group: str | None, order: list[str]) -> list[int]:
    """The number of each row's unit: of its list by the bytes of its text, or its own by the columns of `order`."""
    if group is not None:
        names = sorted({str(row[group]).encode() for row in rows})
        return [names.index(str(row[group]).encode()) + 1 for row in rows]
    ranked = sorted(range(len(rows)), key=lambda i: [rows[i][column] for column in order])
    numbers = dict(zip(ranked, range(1, len(rows) + 1), strict=True))
    return [numbers[i] for i in range(len(rows))]


def replicates(rows: Rows, n: int, group: str | None = None, order: list[str] | None = None) -> list[Rows]:
    """The rows of each of `n` replicates; a list that is drawn again is another list."""
    numbers = units(rows, group, order or [])
    return [
        [
            row | ({group: 100 * unit + draw} if group else {})
            for row, unit in zip(rows, numbers, strict=True)
            for draw in range(1, times(unit, replicate) + 1)
        ]
        for replicate in range(1, n + 1)
    ]


def redrawn(rows: Rows, n: int, group: str | None = None, order: list[str] | None = None) -> list[Rows]:
    """The rows of a replicate of each of the first 200 of `n` replicates, in which each draw of a unit is a unit."""
    numbers = units(rows, group, order or [])
    return [
        [
            row | ({group: 10_000 * unit + 100 * draw + second} if group else {})
            for row, unit in zip(rows, numbers, strict=True)
            for draw in range(1, times(unit, replicate) + 1)
            for second in range(1, times(100 * unit + draw, replicate, again=True) + 1)
        ]
        for replicate in range(1, min(n, 200) + 1)
    ]


def stretch(n: int, level: float) -> float:
    """How much farther than its replicates an interval of n units reaches: Hesterberg, t / z by its expansion."""
    z = statistics.NormalDist().inv_cdf((1 + level) / 2)
    return math.sqrt(n / (n - 1)) * (1 + (z * z + 1) / (4 * (n - 1)))


def interval(
    value: float,
    replicated: list[float],
    n: int,
    level: float,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[float | None, float | None]:
    """The interval of a metric of n units; none where its replicates are alike, but for rounding.

    The value less its bias, with the reach of the replicates about their median and the bias to either side, all
    stretched for few units.
    """
    ordered = sorted(replicated)
    if ordered[-1] - ordered[0] <= 1e-12 * (abs(ordered[0]) + abs(ordered[-1])):
        return None, None
    low, middle, high = (quantile(ordered, share) for share in ((1 - level) / 2, 0.5, (1 + level) / 2))
    bias, stretched = middle - value, stretch(n, level)
    return (
        max(limits[0], value + stretched * (-bias - (middle - low) - abs(bias))),
        min(limits[1], value + stretched * (-bias + (high - middle) + abs(bias))),
    )


def spread(replicated: list[float], again: list[float | None]) -> float:
    """The standard deviation of samples beside that of replicates, by replicates of replicates; at least 1."""
    apart = [two - one for one, two in zip(replicated, again, strict=True) if two is not None]
    if len(apart) < 2 or not statistics.stdev(replicated):
        return 1
    return max(1, 2 - statistics.stdev(apart) / statistics.stdev(replicated))


def tested_difference(
    value: float, replicated: list[float], again: list[float | None], n: int, level: float
) -> tuple[float, float, float]:
    """The interval and the p-value of a difference of n units, from replicates and a replicate of each.

    The ends are the moved replicates that leave as many outside as a test at 1 - level may (Davison and Hinkley). The
    p-value is twice the share of those that are 0 or of the other sign, the data counted as one of them. It is not
    below that of the replicates as they are, and where they hold 0, the interval holds theirs.
    """
    ordered = sorted(replicated)
    outside = math.floor((1 - level) / 2 * (len(ordered) + 1) + 1e-9)
    middle = min(max(statistics.mean(ordered), ordered[outside - 1]), ordered[-outside])
    stretched = stretch(n, level) * spread(replicated, again)
    below, above = (
        [value + stretched * (one - middle) - 2 * bias for one in ordered]
        for bias in (max(middle - value, 0), min(middle - value, 0))
    )
    fewer = min(sum(one <= 1e-12 for one in below), sum(one >= -1e-12 for one in above))
    fewer = max(fewer, min(sum(one <= 1e-12 for one in ordered), sum(one >= -1e-12 for one in ordered)))
    low, high = below[outside - 1], above[-outside]
    if ordered[outside - 1] <= 0 <= ordered[-outside]:
        low, high = min(low, ordered[outside - 1]), max(high, ordered[-outside])
    return low, high, min(1, 2 * (1 + fewer) / (len(ordered) + 1))


def quantile(ordered: list[float], share: float) -> float:
    """At `share` of one place more than there are, as numpy's method 'weibull' has it."""
    place = min(max(share * (len(ordered) + 1), 1), len(ordered))
    below, above = ordered[math.floor(place) - 1], ordered[math.ceil(place) - 1]
    return below + (place - math.floor(place)) * (above - below)


def equivalent_within(
    margin: float, value: float, replicated: list[float], again: list[float | None], n: int, level: float
) -> float:
    """The p-value of equivalence: the share of replicates at or beyond the margin on the side that has more of them.

    They are those that make the ends of `tested_difference`, and the data count as one of them.
    """
    low, high, _ = tested_difference(value, replicated, again, n, level)
    ordered, outside = sorted(replicated), math.floor((1 - level) / 2 * (len(replicated) + 1) + 1e-9)
    middle = min(max(statistics.mean(ordered), ordered[outside - 1]), ordered[-outside])
    stretched = stretch(n, level) * spread(replicated, again)
    as_they_are = ordered[outside - 1] <= 0 <= ordered[-outside]
    below = [value + stretched * (one - middle) - 2 * max(middle - value, 0) for one in ordered]
    above = [value + stretched * (one - middle) - 2 * min(middle - value, 0) for one in ordered]
    if as_they_are:
        below = [min(pair) for pair in zip(below, ordered, strict=True)]
        above = [max(pair) for pair in zip(above, ordered, strict=True)]
    assert math.isclose(below[outside - 1], low)
    assert math.isclose(above[-outside], high)
    more = max(sum(one <= -margin for one in below), sum(one >= margin for one in above))
    return (1 + more) / (len(ordered) + 1)
