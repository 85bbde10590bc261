"""How a score goes along with a numeric label."""

import math
import statistics

from oracles.observations import Observation, mean, ratio


def moments(rows: list[Observation]) -> tuple[float, float, float] | None:
    """The variance of the label, that of the score, and their covariance; none without rows."""
    if mean(rows, lambda _: 1) is None:
        return None
    label, score = mean(rows, lambda row: row.label), mean(rows, lambda row: row.score)
    return (
        mean(rows, lambda row: (row.label - label) ** 2),
        mean(rows, lambda row: (row.score - score) ** 2),
        mean(rows, lambda row: (row.label - label) * (row.score - score)),
    )


def constant(values: set[float]) -> bool:
    return len(values) < 2


def pearson(rows: list[Observation]) -> float | None:
    counted = [row for row in rows if row.weight]
    if constant({row.label for row in counted}) or constant({row.score for row in counted}):
        return None
    of_label, of_score, together = moments(rows)
    return ratio(together, math.sqrt(of_label * of_score))  # the squares of tiny numbers are 0


def mean_rank(value: float, values: list[float]) -> float:
    """The mean of the places that a value holds when all are sorted."""
    return statistics.fmean(place for place, other in enumerate(sorted(values), 1) if other == value)


def spearman(rows: list[Observation]) -> float | None:
    """Spearman (1904): the correlation of the ranks."""
    labels, scores = [row.label for row in rows], [row.score for row in rows]
    ranked = [
        row._replace(label=mean_rank(row.label, labels), score=mean_rank(row.score, scores)) for row in rows
    ]
    return pearson(ranked)


def kendall_tau(rows: list[Observation]) -> float | None:
    """Kendall (1945), tau-b, over all pairs of rows."""

    def order(one: float, other: float) -> int:
        return (one > other) - (one < other)

    pairs = [(order(a.label, b.label), order(a.score, b.score)) for i, a in enumerate(rows) for b in rows[:i]]
    by_label, by_score = sum(y * y for y, _ in pairs), sum(s * s for _, s in pairs)
    return ratio(sum(y * s for y, s in pairs), math.sqrt(by_label * by_score))


def concordance(rows: list[Observation]) -> float | None:
    """Lin (1989): 1 - the mean squared distance to the line of 45 degrees / that of independent values."""
    counted = [row for row in rows if row.weight]
    if constant({value for row in counted for value in (row.label, row.score)}):
        return None
    of_label, of_score, together = moments(rows)
    return ratio(2 * together, of_label + of_score + mean(rows, lambda row: row.label - row.score) ** 2)


METRICS = (pearson, spearman, kendall_tau, concordance)
