"""Models over several tasks, which are the slices of a leaderboard: mean ranks, Friedman's test, Nemenyi's distance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlmetrics.results.leaderboard import Leaderboard

NORMAL = NormalDist()


def rows_of_mean_ranks(board: Leaderboard) -> list[dict[str, Any]]:
    """A row for each metric and model, the least mean rank first. Tasks on which some model has no rank are left out.

    Sources: Friedman (1937); Nemenyi (1963), as in Demsar (2006), Statistical comparisons of classifiers over multiple
    data sets, JMLR 7. Equal values share the mean of their ranks, and the statistic is corrected for them.
    """
    level = board.statement.interval or 0.95
    found = []
    for metric in dict.fromkeys(row["metric"] for row in board):
        tasks: dict[str, list[dict[str, Any]]] = {}
        for row in board:
            if row["metric"] == metric and not row.get("is_total"):
                tasks.setdefault(repr([row[name] for name in board.by]), []).append(row)
        ranked = [rows for rows in tasks.values() if all(row["rank"] is not None for row in rows)]
        ranks: dict[str, list[float]] = {}
        values: dict[str, list[float]] = {}
        tied = 0
        for rows in ranked:
            equal = Counter(row["rank"] for row in rows)
            tied += sum(number**3 - number for number in equal.values())
            for row in rows:
                ranks.setdefault(row["model"], []).append(row["rank"] + (equal[row["rank"]] - 1) / 2)
                values.setdefault(row["model"], []).append(row["value"])
        means = {model: fmean(of_model) for model, of_model in ranks.items()}
        p = friedman([*means.values()], len(ranked), tied) if ranked else None
        distance = critical_difference(len(means), len(ranked), level) if ranked else None
        found += [
            {
                "metric": metric, "model": model, "mean_value": fmean(values[model]), "mean_rank": means[model],
                "tied_with_best": int(means[model] - min(means.values()) <= (distance or 0) + 1e-12),
                "n_tasks": len(ranked), "tasks_left_out": len(tasks) - len(ranked),
                "critical_difference": distance, "friedman_p_value": p,
            }
            for model in sorted(means, key=means.__getitem__)
        ]  # fmt: skip
    return found


def friedman(mean_ranks: Sequence[float], n: int, tied: int) -> float | None:
    """The p-value of Friedman's test that all models are alike; None if every task ties all models.

    Args:
        mean_ranks: of each model, over n tasks.
        tied: the sum of t^3 - t over all sets of t tied models.
    """
    k = len(mean_ranks)
    spread = 1 - tied / (n * k * (k * k - 1))
    if spread <= 0:
        return None
    apart = math.fsum((rank - (k + 1) / 2) ** 2 for rank in mean_ranks)
    return chi_square_above(12 * n / (k * (k + 1)) * apart / spread, k - 1)


def chi_square_above(x: float, df: int) -> float:
    """The probability that a chi-square of whole degrees of freedom is above x (Abramowitz and Stegun 26.4.4-5).

    >>> round(chi_square_above(3.841458820694124, 1), 12), round(chi_square_above(5.991464547107979, 2), 12)
    (0.05, 0.05)
    """
    half, odd = x / 2, df % 2
    total = math.erfc(math.sqrt(half)) if odd else 0.0
    if half > 0:
        powers = (place + odd / 2 for place in range((df - odd) // 2))
        total += math.fsum(
            math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in powers
        )
    elif not odd:
        total = 1.0
    return min(total, 1.0)


def critical_difference(k: int, n: int, level: float) -> float:
    """Nemenyi's critical difference of two mean ranks of k models over n tasks."""
    low, high = 0.0, 40.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if range_below(middle, k) < level else (low, middle)
    return high * math.sqrt(k * (k + 1) / (12 * n))


def range_below(q: float, k: int) -> float:
    """The probability that the range of k standard normal numbers is at most q, by the trapezoidal rule.

    >>> round(range_below(2.343 * 2**0.5, 3), 3)
    0.95
    """
    step = 0.05
    points = [-8 + step * place for place in range(int((16 + q) / step) + 1)]
    return (
        step * k * math.fsum(NORMAL.pdf(z) * (NORMAL.cdf(z) - NORMAL.cdf(z - q)) ** (k - 1) for z in points)
    )
