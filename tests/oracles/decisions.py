"""The confusion matrix of decisions at a threshold, in one number."""

import math
from fractions import Fraction

from oracles.classification import confusion, recall, specificity
from oracles.observations import Observation, ratio, share, weighed

Rows = list[Observation]
Value = float | None


def tp(rows: Rows, threshold: float = 0.5) -> Value:
    return confusion(rows, threshold)[0]


def fp(rows: Rows, threshold: float = 0.5) -> Value:
    return confusion(rows, threshold)[1]


def fn(rows: Rows, threshold: float = 0.5) -> Value:
    return confusion(rows, threshold)[2]


def tn(rows: Rows, threshold: float = 0.5) -> Value:
    return confusion(rows, threshold)[3]


def tpr(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    return recall(rows, threshold, zero_division)


def sensitivity(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    return recall(rows, threshold, zero_division)


def tnr(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    return specificity(rows, threshold, zero_division)


def fpr(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    _, fp, _, tn = confusion(rows, threshold)
    return share(rows, fp, fp + tn, zero_division)


def fnr(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    tp, _, fn, _ = confusion(rows, threshold)
    return share(rows, fn, fn + tp, zero_division)


def npv(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    _, _, fn, tn = confusion(rows, threshold)
    return share(rows, tn, tn + fn, zero_division)


def false_discovery_rate(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    tp, fp, _, _ = confusion(rows, threshold)
    return share(rows, fp, fp + tp, zero_division)


def false_omission_rate(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    _, _, fn, tn = confusion(rows, threshold)
    return share(rows, fn, fn + tn, zero_division)


def positive_likelihood_ratio(rows: Rows, threshold: float = 0.5) -> Value:
    rates = tpr(rows, threshold), fpr(rows, threshold)
    return None if None in rates else ratio(*rates)


def negative_likelihood_ratio(rows: Rows, threshold: float = 0.5) -> Value:
    rates = fnr(rows, threshold), tnr(rows, threshold)
    return None if None in rates else ratio(*rates)


def balanced_accuracy(
    rows: Rows, threshold: float = 0.5, zero_division: Value = None, adjusted: str = "false"
) -> Value:
    of_classes = recall(rows, threshold), specificity(rows, threshold)
    if None in of_classes:
        return share(rows, 0, 0, zero_division)
    return sum(of_classes) - 1 if adjusted == "true" else sum(of_classes) / 2


def g_mean(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    """Kubat and Matwin (1997)."""
    of_classes = recall(rows, threshold), specificity(rows, threshold)
    if None in of_classes:
        return share(rows, 0, 0, zero_division)
    return math.sqrt(math.prod(of_classes))


def informedness(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    """Youden (1950)."""
    of_classes = recall(rows, threshold), specificity(rows, threshold)
    if None in of_classes:
        return share(rows, 0, 0, zero_division)
    return sum(of_classes) - 1


def markedness(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    """Powers (2011)."""
    tp, fp, fn, tn = confusion(rows, threshold)
    of_decisions = ratio(tp, tp + fp), ratio(tn, tn + fn)
    if None in of_decisions:
        return share(rows, 0, 0, zero_division)
    return sum(of_decisions) - 1


def mcc(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    """Matthews (1975) as a correlation: the covariance of label and decision over their deviations."""
    total = weighed(rows, lambda _: 1)
    label = ratio(weighed(rows, lambda row: row.positive), total)
    decision = ratio(weighed(rows, lambda row: row.score >= threshold), total)
    if not total or label in (0, 1) or decision in (0, 1):
        return share(rows, 0, 0, zero_division)
    together = weighed(rows, lambda row: (row.positive - label) * ((row.score >= threshold) - decision))
    return together / total / math.sqrt(label * (1 - label) * decision * (1 - decision))


def kappa(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    """Cohen (1960): the observed agreement beyond the expected, over what is left beyond it; exact, as 1 - 1 is not."""
    tp, fp, fn, tn = map(Fraction, confusion(rows, threshold))
    total = tp + fp + fn + tn
    if not total or total in (tp, tn):
        return share(rows, 0, 0, zero_division)
    observed = (tp + tn) / total
    expected = ((tp + fn) * (tp + fp) + (tn + fp) * (tn + fn)) / total**2
    return float((observed - expected) / (1 - expected))


def jaccard(rows: Rows, threshold: float = 0.5, zero_division: Value = None) -> Value:
    tp, fp, fn, _ = confusion(rows, threshold)
    return share(rows, tp, tp + fp + fn, zero_division)


def cost(rows: Rows, threshold: float = 0.5, fp: float = 1, fn: float = 1) -> Value:
    """Elkan (2001): what each wrong decision costs, by its kind."""
    wrong = confusion(rows, threshold)
    return ratio(fp * wrong[1] + fn * wrong[2], weighed(rows, lambda _: 1))


def net_benefit(rows: Rows, threshold: float = 0.5) -> Value:
    """Vickers and Elkin (2006): TP / n - FP / n * p_t / (1 - p_t)."""
    found = confusion(rows, threshold)
    return ratio(found[0] - found[1] * threshold / (1 - threshold), weighed(rows, lambda _: 1))


METRICS = (
    *(positive_likelihood_ratio, negative_likelihood_ratio),
    *(tp, fp, fn, tn, tpr, sensitivity, tnr, fpr, fnr, npv, false_discovery_rate, false_omission_rate),
    *(balanced_accuracy, g_mean, informedness, markedness, mcc, kappa, jaccard, cost, net_benefit),
)
