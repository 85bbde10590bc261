"""Where a metric turned: the levels that its values over time have, beyond what chance explains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any


@dataclass(frozen=True)
class Point:
    """A value with its standard error."""

    when: Any
    value: float
    error: float | None  #: None without an interval


@dataclass(frozen=True)
class Level:
    """Periods that follow each other, and the mean of their values."""

    points: Sequence[Point]

    @property
    def since(self) -> Any:
        """The first period."""
        return self.points[0].when

    @property
    def weights(self) -> list[float]:
        """What each value counts: the less, the more it varies."""
        return [1.0 if point.error is None else point.error**-2 for point in self.points]

    @property
    def mean(self) -> float:
        """The mean of the values."""
        weights = self.weights
        return math.fsum(
            w * point.value for w, point in zip(weights, self.points, strict=True)
        ) / math.fsum(weights)

    @property
    def spread(self) -> float:
        """The weighted squares around the mean."""
        mean = self.mean
        return math.fsum(
            w * (point.value - mean) ** 2 for w, point in zip(self.weights, self.points, strict=True)
        )


def point_of(row: dict[str, Any], column: str, when: Any, level: float) -> Point | None:
    """The value of a metric in a row of a report; None without a value, or with an interval of no width."""
    value, low, high = row[column], row.get(f"{column}_low"), row.get(f"{column}_high")
    if value is None or not math.isfinite(value):
        return None
    if f"{column}_low" not in row:
        return Point(when, value, None)
    if low is None or high is None or not 0 < high - low < math.inf:
        return None
    return Point(when, value, (high - low) / 2 / normal(level, 1))


def normal(level: float, tests: int) -> float:
    """How many standard errors chance reaches at a level, in as many tests (Bonferroni).

    >>> round(normal(0.95, 1), 3), round(normal(0.95, 5), 3)
    (1.96, 2.576)
    """
    return NormalDist().inv_cdf(1 - (1 - level) / 2 / max(tests, 1))


def certainty(before: Level, after: Level) -> float:
    """How many standard errors two levels differ by.

    Values that vary around their level by more than their intervals say are as uncertain as they vary. That is
    Student's t, taken to the normal scale. Without intervals there is nothing else to go by.

    Source: Wallace (1959), Annals of Mathematical Statistics 30, equation 2.6
    """
    freedom = len(before.points) + len(after.points) - 2
    known = all(point.error is not None for level in (before, after) for point in level.points)
    size = abs(after.mean - before.mean) / math.sqrt(sum(1 / math.fsum(one.weights) for one in (before, after)))
    varied = (before.spread + after.spread) / freedom if freedom else 0.0
    if known and varied <= 1:
        return size
    if not freedom or not size:
        return 0.0
    if not varied:
        return math.inf
    scaled = size**2 / varied / freedom
    return math.sqrt(freedom * math.log1p(scaled)) * (8 * freedom + 1) / (8 * freedom + 3)


def levels(points: Sequence[Point], needed: float) -> list[Level]:
    """The levels of a metric over time: one if it did not turn.

    The periods are split where the levels before and after differ most, if by more than chance reaches, and so is
    each part.

    >>> [(level.since, level.mean) for level in levels([Point(d, d > 3, 0.1) for d in range(1, 7)], 3)]
    [(1, 0.0), (4, 1.0)]

    Args:
        points: the values in the order of time.
        needed: how many standard errors chance reaches.
    """
    splits = [(Level(points[:place]), Level(points[place:])) for place in range(1, len(points))]
    best = min(splits, key=lambda split: split[0].spread + split[1].spread, default=None)
    if best is None or certainty(*best) <= needed:
        return [Level(points)]
    return [part for half in best for part in levels(half.points, needed)]
