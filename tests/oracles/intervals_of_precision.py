"""The interval and the comparison of average precision, from its definition and from heavier units, by differences."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy.stats import norm, t

from oracles.ends import Ends, Sample, of_share
from oracles.intervals import influences
from oracles.two_samples import Tested, difference

Rows = list[dict[str, Any]]


class Difference(NamedTuple):
    """Of two models."""

    estimate: float
    error: float
    p_value: float
    low: float
    high: float


def average_precision(rows: Rows) -> float:
    """The mean over the positive rows of the share of positive rows among those of no lower score."""
    precisions = []
    for row in rows:
        if row["label"] and row["weight"]:
            reached = [one for one in rows if one["score"] >= row["score"]]
            share = weight(one for one in reached if one["label"]) / weight(reached)
            precisions.append(row["weight"] * share)
    return math.fsum(precisions) / weight(row for row in rows if row["label"])


def weight(rows: Any) -> float:
    """Of all of them."""
    return math.fsum(row["weight"] for row in rows)


def tellers(rows: Rows, group: str | None) -> float:
    """The lists that have a positive row; without lists the positive rows, as equally heavy ones (Kish 1965, 11.7)."""
    positive = [row for row in rows if row["label"] and row["weight"]]
    if group is not None:
        return float(len({row[group] for row in positive}))
    return weight(positive) ** 2 / math.fsum(row["weight"] ** 2 for row in positive)


def interval(rows: Rows, group: str | None = None, level: float = 0.95) -> Ends:
    """That of a share of as many units as tell it."""
    if not any(row["label"] and row["weight"] for row in rows):
        return None, None
    units, p = tellers(rows, group), (1 + level) / 2
    reach = t.ppf(p, units - 1) if units >= 2 else math.nan
    pulls = influences(average_precision, rows, group)
    squares, cubes = (math.fsum(pull**power for pull in pulls) for power in (2, 3))
    skew = cubes / squares**1.5 if squares else None
    value = average_precision(rows)
    return of_share(value, squares, skew, units, reach, norm.ppf(p), (0, 1), by_units=False)


def compared(rows: Rows, baseline: str, candidate: str, group: str | None = None) -> Difference:
    """Of pairs: each unit pulls the difference by the difference of its pulls; Student's t of those that tell it."""
    models = [[{**row, "score": row[model]} for row in rows] for model in (baseline, candidate)]
    one, other = (influences(average_precision, of_model, group) for of_model in models)
    estimate = average_precision(models[1]) - average_precision(models[0])
    units = tellers(rows, group)
    squares = math.fsum((b - a) ** 2 for a, b in zip(one, other, strict=True))
    return tested(estimate, units / (units - 1) * squares, units - 1)


def apart(baseline: Rows, candidate: Rows, group: str | None = None) -> Tested:
    """Of two samples, as that of every value between two limits."""
    samples = []
    for rows in (baseline, candidate):
        pulls = influences(average_precision, rows, group)
        squares, cubes = (math.fsum(pull**power for pull in pulls) for power in (2, 3))
        samples.append(Sample(average_precision(rows), squares, cubes / squares**1.5, tellers(rows, group)))
    return difference(*samples, (0, 1), by_units=False)


def tested(estimate: float, variance: float, df: float) -> Difference:
    """By Student's t."""
    error = math.sqrt(variance)
    half = t.ppf(0.975, df) * error
    p_value = 2 * t.sf(abs(estimate) / error, df)
    return Difference(estimate, error, p_value, max(estimate - half, -1), min(estimate + half, 1))
