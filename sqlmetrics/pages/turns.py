"""Where a metric turned: the levels that its values over time have, beyond what chance explains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations, pairwise
from statistics import NormalDist
from typing import Any

MOST = 200  #: values that are split in three


@dataclass(frozen=True)
class Point:
    """A value with its standard error."""

    when: Any
    value: float
    error: float | None  #: None without an interval, infinite beside values that have one

    @property
    def weight(self) -> float:
        """What the value counts in a test."""
        return 1.0 if self.error is None else self.error**-2


@dataclass(frozen=True)
class Level:
    """Periods that follow each other. In a test a value counts the less, the less certain it is."""

    points: Sequence[Point]

    @property
    def since(self) -> Any:
        """The first period."""
        return self.points[0].when

    @cached_property
    def weight(self) -> float:
        """What all values count."""
        return math.fsum(point.weight for point in self.points)

    @cached_property
    def mean(self) -> float:
        """The mean of the values, each of which counts as much."""
        return math.fsum(point.value for point in self.points) / len(self.points)

    @cached_property
    def weighted(self) -> float:
        """The weighted mean of the values."""
        return math.fsum(point.weight * point.value for point in self.points) / self.weight

    @cached_property
    def spread(self) -> float:
        """The squares around the weighted mean."""
        return math.fsum(point.weight * (point.value - self.weighted) ** 2 for point in self.points)

    @cached_property
    def counted(self) -> int:
        """How many values count in a test."""
        return sum(point.weight > 0 for point in self.points)


def point_of(row: dict[str, Any], column: str, when: Any, level: float) -> Point | None:
    """The value of a metric in a row of a report, or None. One whose interval lacks or has no width has no weight."""
    value, low, high = row[column], row.get(f"{column}_low"), row.get(f"{column}_high")
    if value is None or not math.isfinite(value):
        return None
    if f"{column}_low" not in row:
        return Point(when, value, None)
    if low is None or high is None or not 0 < high - low < math.inf:
        return Point(when, value, math.inf)
    return Point(when, value, (high - low) / 2 / normal(level, 1))


def normal(level: float, tests: int) -> float:
    """How many standard errors chance reaches at a level, in as many tests (Bonferroni).

    >>> round(normal(0.95, 1), 3), round(normal(0.95, 5), 3)
    (1.96, 2.576)
    """
    return NormalDist().inv_cdf(1 - (1 - level) / 2 / max(tests, 1))


def certainty(before: Level, after: Level, parts: Sequence[Level]) -> float:
    """How many standard errors two levels differ by; 0 if their plain means say that it is the other way.

    Values that vary around their level by more than their intervals say are as uncertain as they vary. That is
    Student's t, taken to the normal scale. Without intervals there is nothing else to go by.

    Source: Wallace (1959), Annals of Mathematical Statistics 30, pages 1121 to 1130

    Args:
        before: a level.
        after: the next one.
        parts: all levels, which say how much values vary.
    """
    change = after.weighted - before.weighted
    if change * (after.mean - before.mean) <= 0:
        return 0.0
    freedom = sum(part.counted - 1 for part in parts)
    known = all(point.error is not None for part in parts for point in part.points)
    size = abs(change) / math.sqrt(1 / before.weight + 1 / after.weight)
    varied = math.fsum(part.spread for part in parts) / freedom if freedom else 0.0
    if known and varied <= 1:
        return size
    if not freedom:
        return 0.0
    if not varied:
        return math.inf
    scaled = size**2 / varied / freedom
    return math.sqrt(freedom * math.log1p(scaled)) * (8 * freedom + 1) / (8 * freedom + 3)


def places_of(points: int) -> int:
    """How many ways there are to split values into two or three levels.

    >>> places_of(4)
    6
    """
    return points * (points - 1) // 2


def levels(points: Sequence[Point], needed: float) -> list[Level]:
    """The levels of a metric over time: one if it did not turn.

    The values are split in two where that explains most of how they vary, if the two differ by more than chance
    reaches; else in three, as a metric that fell and rose again needs. So is each part. A level starts with a value
    that counts.

    >>> [(level.since, level.mean) for level in levels([Point(d, d > 3, 0.1) for d in range(1, 7)], 3)]
    [(1, 0.0), (4, 1.0)]

    Args:
        points: the values in the order of time.
        needed: how many standard errors chance reaches.
    """
    starts, end = [place for place, point in enumerate(points) if point.weight][1:], len(points)
    if not starts:
        return [Level(points)]
    middle = Level(points).weighted
    weights = [0.0, *accumulate(point.weight for point in points)]
    sums = [0.0, *accumulate(point.weight * (point.value - middle) for point in points)]

    def explained(places: tuple[int, ...]) -> float:
        """The squares between the levels."""
        spans = [(weights[b] - weights[a], sums[b] - sums[a]) for a, b in pairwise((0, *places, end))]
        return sum(total**2 / weight for weight, total in spans if weight > 0)

    for turns in (1, 2):
        if turns > len(starts) or (turns > 1 and end > MOST):
            break
        places = max(combinations(starts, turns), key=explained)
        parts = [Level(points[a:b]) for a, b in pairwise((0, *places, end))]
        if all(certainty(*pair, parts) > needed for pair in pairwise(parts)):
            return [level for part in parts for level in levels(part.points, needed)]
    return [Level(points)]
