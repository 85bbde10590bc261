"""A score of which only the order counts: one threshold per distinct score."""

import itertools
import math
from fractions import Fraction

from oracles.classification import f_beta, precision, recall, specificity
from oracles.observations import Observation, ratio, weighed, wins


def binned(rows: list[Observation], bins: float | None) -> list[Observation]:
    """The rows with the number of their bin as score."""
    if bins is None:
        return rows
    return [row._replace(score=bin_of_equal_width(row.score, int(bins))) for row in rows]


def bin_of_equal_width(score: float, bins: int) -> int:
    """[0, 1/bins), [1/bins, 2/bins), ...; 1 is in the last. A score a billionth of a bin below an edge is on it."""
    return min(bins - 1, math.floor(Fraction(score) * bins + Fraction(1, 10**9)))


def thresholds(rows: list[Observation]) -> list[float]:
    """The distinct scores from the top; a row of weight 0 is none."""
    return sorted({row.score for row in rows if row.weight}, reverse=True)


def one_class(rows: list[Observation]) -> bool:
    return recall(rows) is None or specificity(rows) is None


def auc(rows: list[Observation], max_fpr: float | None = None, bins: float | None = None) -> float | None:
    """Hanley and McNeil (1982): the share of the (positive, negative) pairs that are in the right order."""
    rows = binned(rows, bins)
    if max_fpr is not None:
        return partial_auc(rows, max_fpr)
    pairs = [(p, n) for p in rows for n in rows if p.positive and not n.positive]
    right = math.fsum(p.weight * n.weight * wins(p.score, n.score) for p, n in pairs)
    return ratio(right, math.fsum(p.weight * n.weight for p, n in pairs))


def partial_auc(rows: list[Observation], max_fpr: float) -> float | None:
    """McClish (1989): the area under the polyline of the ROC curve up to max_fpr, between chance and perfection."""
    if one_class(rows):
        return None
    points = [(0.0, 0.0), *((1 - specificity(rows, t), recall(rows, t)) for t in thresholds(rows))]
    area = 0.0
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 < max_fpr and x1 > x0:
            end = min(x1, max_fpr)
            height = y0 + (y1 - y0) * (end - x0) / (x1 - x0)
            area += (end - x0) * (y0 + height) / 2
    least, most = max_fpr**2 / 2, max_fpr
    return 0.5 * (1 + (area - least) / (most - least))


def gini(rows: list[Observation], bins: float | None = None) -> float | None:
    """Somers' D: pairs in the right order less pairs in the wrong order, over all pairs."""
    rows = binned(rows, bins)
    pairs = [(p, n) for p in rows for n in rows if p.positive and not n.positive]
    signs = math.fsum(p.weight * n.weight * ((p.score > n.score) - (p.score < n.score)) for p, n in pairs)
    return ratio(signs, math.fsum(p.weight * n.weight for p, n in pairs))


def average_precision(rows: list[Observation], bins: float | None = None) -> float | None:
    """Scikit-learn's definition: the sum of (R_n - R_n-1) P_n over the distinct scores from the top."""
    rows = binned(rows, bins)
    if not weighed(rows, lambda row: row.positive):
        return None
    total, previous = 0.0, 0.0
    for threshold in thresholds(rows):
        reached = recall(rows, threshold)
        total += (reached - previous) * precision(rows, threshold)
        previous = reached
    return total


def pr_auc(
    rows: list[Observation], method: str = "step", start: str = "first", bins: float | None = None
) -> float | None:
    """Steps, or trapezoids between (recall, precision) points that begin at recall 0."""
    if method == "step":
        return average_precision(rows, bins)
    rows = binned(rows, bins)
    if not weighed(rows, lambda row: row.positive):
        return None
    points = [(recall(rows, t), precision(rows, t)) for t in thresholds(rows)]
    points = [(0.0, points[0][1] if start == "first" else 1.0), *points]
    return math.fsum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in itertools.pairwise(points))


def found(rows: list[Observation], limit: float) -> float:
    """The positive weight in the top `limit` of weight; of the level at the border, its share."""
    left, positives = limit, 0.0
    for threshold in thresholds(rows):
        level = [row for row in rows if row.score == threshold]
        size = weighed(level, lambda _: 1)
        positives += min(1.0, left / size) * weighed(level, lambda row: row.positive)
        left = max(0.0, left - size)
    return positives


def break_even(rows: list[Observation]) -> float | None:
    """Among as many rows as there are positive ones, precision and recall have one denominator."""
    positives = weighed(rows, lambda row: row.positive)
    return ratio(found(rows, positives), positives)


def capture(rows: list[Observation], share: float = 0.1) -> float | None:
    return ratio(found(rows, share * weighed(rows, lambda _: 1)), weighed(rows, lambda row: row.positive))


def lift(rows: list[Observation], share: float = 0.1) -> float | None:
    """The positive rate of the top over that of all rows."""
    everything, positives = weighed(rows, lambda _: 1), weighed(rows, lambda row: row.positive)
    if not positives:
        return None
    return found(rows, share * everything) / (share * everything) / (positives / everything)


def best_f_beta(rows: list[Observation], beta: float = 1.0) -> float | None:
    if not weighed(rows, lambda row: row.positive):
        return None
    return max(f_beta(rows, beta, threshold) for threshold in thresholds(rows))


def best_f_beta_threshold(rows: list[Observation], beta: float = 1.0) -> float | None:
    best = best_f_beta(rows, beta)
    if best is None:
        return None
    return max(t for t in thresholds(rows) if math.isclose(f_beta(rows, beta, t), best, rel_tol=1e-12))


def best_f1(rows: list[Observation]) -> float | None:
    return best_f_beta(rows)


def best_f1_threshold(rows: list[Observation]) -> float | None:
    return best_f_beta_threshold(rows)


def recall_at_precision(rows: list[Observation], precision: float = 0.9) -> float | None:
    if recall(rows) is None:
        return None
    return max([recall(rows, t) for t in thresholds(rows) if precision_of(rows, t) >= precision], default=0.0)


def precision_at_recall(rows: list[Observation], recall: float = 0.9) -> float | None:
    if not weighed(rows, lambda row: row.positive):
        return None
    return max(precision_of(rows, t) for t in thresholds(rows) if recall_of(rows, t) >= recall)


def tpr_at_fpr(rows: list[Observation], fpr: float = 0.1) -> float | None:
    if one_class(rows):
        return None
    return max([recall(rows, t) for t in thresholds(rows) if 1 - specificity(rows, t) <= fpr], default=0.0)


precision_of, recall_of = precision, recall  # the names of the functions, where a parameter hides them


def distance(rows: list[Observation], threshold: float) -> float:
    return abs(recall(rows, threshold) - (1 - specificity(rows, threshold)))


def ks(rows: list[Observation], bins: float | None = None) -> float | None:
    """Kolmogorov-Smirnov distance of the two classes' score distributions: max |TPR - FPR|."""
    rows = binned(rows, bins)
    return None if one_class(rows) else max(distance(rows, threshold) for threshold in thresholds(rows))


def ks_threshold(rows: list[Observation]) -> float | None:
    if one_class(rows):
        return None
    farthest = ks(rows)
    return max(
        t for t in thresholds(rows) if math.isclose(distance(rows, t), farthest, rel_tol=1e-12, abs_tol=1e-15)
    )


METRICS = (
    auc,
    gini,
    average_precision,
    pr_auc,
    break_even,
    capture,
    lift,
    best_f1,
    best_f1_threshold,
    best_f_beta,
    best_f_beta_threshold,
    recall_at_precision,
    precision_at_recall,
    tpr_at_fpr,
    ks,
    ks_threshold,
)
