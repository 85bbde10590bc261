"""The bands of curves: plain Python, from the definitions, with the ends of shares found as roots."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy.stats import norm

from oracles import levels
from oracles.observations import Observation, ratio, weighed

Ends = tuple[float | None, float | None]
UNKNOWN: Ends = (None, None)


def wilson(share: float, rows: float, z: float, correction: float = 0) -> Ends:
    """Wilson (1927): the p with (share - p)^2 = z^2 p (1 - p) / n; corrected, of a share that is nearer by 1 / 2n."""

    def low(share: float) -> float:
        share -= correction / (2 * rows)
        if share <= 0:
            return 0.0
        a, b, c = 1 + z * z / rows, -2 * share - z * z / rows, share * share
        return (-b - math.sqrt(max(0.0, b * b - 4 * a * c))) / (2 * a)

    return low(share), 1 - low(1 - share)


def massart(share: float, rows: float, level: float) -> Ends:
    """Massart (1990): a distribution function is farther than e somewhere with a chance of at most 2 exp(-2 n e^2)."""
    reach = math.sqrt(math.log(2 / (1 - level)) / (2 * rows))
    return max(share - reach, 0.0), min(share + reach, 1.0)


def kish(rows: list[Observation]) -> float | None:
    """Kish (1965), 11.7: as many rows of equal weight."""
    return ratio(weighed(rows, lambda _: 1) ** 2, math.fsum(row.weight**2 for row in rows))


def height(line: list[tuple[float, float]], x: float, top: bool) -> float:
    """How high a rising line is at x; where it jumps, the top of the jump or its foot."""
    there = [y for f, y in line if f == x]
    if there:
        return max(there) if top else min(there)
    below = [point for point in line if point[0] < x]
    above = [point for point in line if point[0] > x]
    if not below or not above:
        return below[-1][1] if below else above[0][1]
    (f, y), (g, z) = below[-1], above[0]
    return y + (x - f) * (z - y) / (g - f)


def roc(rows: list[Observation], level: float, at_once: bool) -> list[Ends]:
    """The band of the true positive rate at each point, (0, 0) first."""
    positive, negative = [row for row in rows if row.positive], [row for row in rows if not row.positive]
    n, m = kish(positive), kish(negative)
    if n is None or m is None:
        return [UNKNOWN] * (1 + len(levels.thresholds(rows)))

    def rate(part: list[Observation], threshold: float) -> float:
        return weighed(part, lambda row: row.score >= threshold) / weighed(part, lambda _: 1)

    line = [(0.0, 0.0), *((rate(negative, t), rate(positive, t)) for t in levels.thresholds(rows))]
    ends: Callable[[float, float], Ends] = (
        (lambda share, rows: massart(share, rows, math.sqrt(level)))
        if at_once
        else (lambda share, rows: wilson(share, rows, float(norm.isf((1 - level) / 2))))
    )
    found: list[Ends] = []
    for f, t in line:
        left, right = ends(f, m)
        least, most = height(line, left, top=False), height(line, right, top=True)
        if at_once:  # Campbell (1994)
            found.append((ends(least, n)[0], ends(most, n)[1]))
        else:  # Zou and Donner (2008)
            low, high = ends(t, n)
            found.append(
                (max(t - math.hypot(t - low, t - least), 0.0), min(t + math.hypot(high - t, most - t), 1.0))
            )
    return found


def precision_recall(rows: list[Observation], level: float, at_once: bool) -> list[tuple[Ends, Ends]]:
    """The bands of precision and of recall at each threshold."""
    thresholds, positive = levels.thresholds(rows), [row for row in rows if row.positive]
    of_one = (1 - level) / 2 / len(thresholds) if at_once else 1 - level
    z, n = float(norm.isf(of_one / 2)), kish(positive)
    found = []
    for threshold in thresholds:
        predicted = [row for row in rows if row.score >= threshold]
        hits = weighed(predicted, lambda row: row.positive)
        precision = wilson(hits / weighed(predicted, lambda _: 1), kish(predicted), z, correction=at_once)
        recall = UNKNOWN
        if n is not None:
            share = hits / weighed(positive, lambda _: 1)
            recall = massart(share, n, (1 + level) / 2) if at_once else wilson(share, n, z)
        found.append((precision, recall))
    return found


def calibration(bins: list[list[Observation]], asked: int, level: float, at_once: bool) -> list[Ends]:
    """The intervals of the shares of positive rows; Sidak (1967) for all bins that were asked for."""
    z = float(norm.isf((1 - (level ** (1 / asked) if at_once else level)) / 2))
    return [
        wilson(weighed(part, lambda row: row.positive) / weighed(part, lambda _: 1), kish(part), z, at_once)
        for part in bins
    ]
