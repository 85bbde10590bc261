"""Every metric as its source writes it, in plain Python: slow, obvious, and sharing nothing with the SQL.

`value` is the door. The metrics of rows and of score levels are here, those of lists in list_oracles.py.
"""

import math
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NamedTuple

from list_oracles import RankedList, list_value, ratio, wins


class Observation(NamedTuple):
    positive: bool
    label: float
    score: float
    weight: float


# --- rows: sums over rows, each counted with its weight ---


def weighed(rows: list[Observation], of: Callable[[Observation], float]) -> float:
    return math.fsum(row.weight * of(row) for row in rows)


def mean(rows: list[Observation], of: Callable[[Observation], float]) -> float | None:
    return ratio(weighed(rows, of), weighed(rows, lambda _: 1))


def count(rows: list[Observation]) -> float:
    return float(len(rows))


def base_rate(rows: list[Observation]) -> float | None:
    return mean(rows, lambda row: row.positive)


def accuracy(rows: list[Observation], threshold: float = 0.5) -> float | None:
    return mean(rows, lambda row: (row.score >= threshold) == row.positive)


def error_rate(rows: list[Observation], threshold: float = 0.5) -> float | None:
    return mean(rows, lambda row: (row.score >= threshold) != row.positive)


def confusion(rows: list[Observation], threshold: float) -> tuple[float, float, float, float]:
    """True positives, false positives, false negatives, true negatives."""
    true_positive = weighed(rows, lambda row: row.score >= threshold and row.positive)
    false_positive = weighed(rows, lambda row: row.score >= threshold and not row.positive)
    false_negative = weighed(rows, lambda row: row.score < threshold and row.positive)
    true_negative = weighed(rows, lambda row: row.score < threshold and not row.positive)
    return true_positive, false_positive, false_negative, true_negative


def share(rows: list[Observation], part: float, whole: float, zero_division: float | None) -> float | None:
    """0 / 0 is `zero_division`, unless there is nothing at all to judge."""
    return ratio(part, whole, zero_division if weighed(rows, lambda _: 1) else None)


def precision(rows: list[Observation], threshold: float = 0.5, zero_division: float | None = None):
    tp, fp, _, _ = confusion(rows, threshold)
    return share(rows, tp, tp + fp, zero_division)


def recall(rows: list[Observation], threshold: float = 0.5, zero_division: float | None = None):
    tp, _, fn, _ = confusion(rows, threshold)
    return share(rows, tp, tp + fn, zero_division)


def specificity(rows: list[Observation], threshold: float = 0.5, zero_division: float | None = None):
    _, fp, _, tn = confusion(rows, threshold)
    return share(rows, tn, tn + fp, zero_division)


def f_beta(
    rows: list[Observation], beta: float = 1, threshold: float = 0.5, zero_division: float | None = None
):
    """Van Rijsbergen (1979), chapter 7: (1 + b^2) P R / (b^2 P + R), written in counts."""
    tp, fp, fn, _ = confusion(rows, threshold)
    return share(rows, (1 + beta**2) * tp, (1 + beta**2) * tp + beta**2 * fn + fp, zero_division)


def f1(rows: list[Observation], threshold: float = 0.5, zero_division: float | None = None):
    return f_beta(rows, 1, threshold, zero_division)


def log_loss(rows: list[Observation], eps: float = 1e-15) -> float | None:
    """Good (1952): minus the log of the probability given to what happened, kept within [eps, 1 - eps]."""

    def surprise(row: Observation) -> float:
        return -math.log(min(max(row.score if row.positive else 1 - row.score, eps), 1 - eps))

    return mean(rows, surprise)


def brier(rows: list[Observation]) -> float | None:
    """Brier (1950), for two classes: the mean squared distance of the probability to 0 or 1."""
    return mean(rows, lambda row: (row.score - row.positive) ** 2)


def mse(rows: list[Observation]) -> float | None:
    return mean(rows, lambda row: (row.score - row.label) ** 2)


def rmse(rows: list[Observation]) -> float | None:
    squared = mse(rows)
    return None if squared is None else math.sqrt(squared)


def mae(rows: list[Observation]) -> float | None:
    return mean(rows, lambda row: abs(row.score - row.label))


def bias(rows: list[Observation]) -> float | None:
    return mean(rows, lambda row: row.score - row.label)


def r2(rows: list[Observation]) -> float | None:
    """Coefficient of determination as in scikit-learn's r2_score: 1 - residual / total sum of squares."""
    if len({row.label for row in rows if row.weight}) < 2:
        return None
    centre = mean(rows, lambda row: row.label)
    residual = weighed(rows, lambda row: (row.label - row.score) ** 2)
    return 1 - residual / weighed(rows, lambda row: (row.label - centre) ** 2)


# --- score levels: one threshold per distinct score ---


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


ROWS = {
    formula.__name__: formula
    for formula in (
        *(count, base_rate, accuracy, error_rate, precision, recall, specificity, f1, f_beta),
        *(log_loss, brier, mse, rmse, mae, bias, r2),
        *(auc, average_precision, ks),
    )
}

DEFAULTS = {
    "k": None,
    "gain": "exponential",
    "log_base": 2.0,
    "ideal": "judged",
    "denominator": "cutoff",
    "average": "mean",
    "weight": "uniform",
    "on_empty": "none",
    "on_missing": "zero",
}
OWN_DEFAULTS = {
    "cg": {"gain": "linear"},
    "map": {"denominator": "capped"},
    "gauc": {"weight": "impressions"},
}


def parse(notation: str) -> tuple[str, dict[str, Any]]:
    """`ndcg(gain=linear)@10` as a name and its parameters."""
    name, arguments, k = re.fullmatch(r"(\w+)(?:\((.*)\))?(?:@(\d+))?", notation.replace(" ", "")).groups()
    params = dict(pair.split("=") for pair in (arguments or "").split(",") if pair)
    if k:
        params["k"] = k
    return name, {key: plain(text) for key, text in params.items()}


def plain(text: str) -> float | str | None:
    try:
        return float(text)
    except ValueError:
        return text


def value(
    notation: str,
    rows: list[dict],
    *,
    label: str = "label",
    score: str = "score",
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    truth: list[dict] | None = None,
    max_grade: float | None = None,
    positive: float | None = None,
    ties: str = "average",
) -> float | None:
    """The metric `notation` over `rows`; None where it is undefined.

    Args:
        rows: dicts with the named columns; without `label` when `truth` has the labels.
        truth: dicts with the group, item and label columns of every judged item, listed or not.
        ties: average, worst, best, item or item desc.
    """
    name, params = parse(notation)
    threshold = 1 if positive is None else positive
    if truth is not None:
        # An unjudged item is not relevant; a list without truth is left out.
        grades = {(row[group], row[item]): row[label] for row in truth}
        judged = {row[group] for row in truth}
        rows = [{**r, label: grades.get((r[group], r[item]), 0)} for r in rows if r[group] in judged]
    if name in ROWS and "k" not in params:
        observations = [
            Observation(row[label] >= threshold, row[label], row[score], row[weight] if weight else 1)
            for row in rows
        ]
        return ROWS[name](observations, **{key: None if of == "none" else of for key, of in params.items()})
    o = SimpleNamespace(**{**DEFAULTS, **OWN_DEFAULTS.get(name, {}), **params})
    o.k = None if o.k in (None, "none") else int(o.k)
    o.log_base = math.e if o.log_base == "e" else o.log_base
    o.ties, o.max_grade, o.weight_column = ties, max_grade, weight
    o.relevant = lambda label: label >= threshold
    o.gain = {"exponential": lambda label: 2**label - 1, "linear": float, "binary": o.relevant}[o.gain]
    return list_value(name, ranked_lists(rows, truth or [], label, score, group, item), o)


def ranked_lists(rows, truth, label, score, group, item) -> list[RankedList]:
    lists = []
    for key in dict.fromkeys(row[group] for row in [*rows, *truth]):
        listed = [row for row in rows if row[group] == key]
        judged = [row for row in truth if row[group] == key]
        items = [row.get(item) for row in listed]
        unlisted = [row[label] for row in judged if row[item] not in items]
        labels, scores = [row[label] for row in listed], [row[score] for row in listed]
        lists.append(RankedList(labels, scores, items, unlisted, (listed or judged)[0]))
    return lists
