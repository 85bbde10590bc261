"""A score of which only the order counts: one threshold per distinct score."""

import math

from oracles.classification import precision, recall, specificity
from oracles.observations import Observation, ratio, weighed, wins


def auc(rows: list[Observation]) -> float | None:
    """Hanley and McNeil (1982): the share of the (positive, negative) pairs that are in the right order."""
    pairs = [(p, n) for p in rows for n in rows if p.positive and not n.positive]
    right = math.fsum(p.weight * n.weight * wins(p.score, n.score) for p, n in pairs)
    return ratio(right, math.fsum(p.weight * n.weight for p, n in pairs))


def average_precision(rows: list[Observation]) -> float | None:
    """Scikit-learn's definition: the sum of (R_n - R_n-1) P_n over the distinct scores from the top."""
    if not weighed(rows, lambda row: row.positive):
        return None
    total, previous = 0.0, 0.0
    for threshold in sorted({row.score for row in rows if row.weight}, reverse=True):
        reached = recall(rows, threshold)
        total += (reached - previous) * precision(rows, threshold)
        previous = reached
    return total


def ks(rows: list[Observation]) -> float | None:
    """Kolmogorov-Smirnov distance of the two classes' score distributions: max |TPR - FPR|."""
    if recall(rows) is None or specificity(rows) is None:
        return None
    levels = {row.score for row in rows}
    return max(abs(recall(rows, level) - (1 - specificity(rows, level))) for level in levels)


METRICS = (auc, average_precision, ks)
