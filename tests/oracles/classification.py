"""A decision at a threshold against a binary label."""

from oracles.observations import Observation, mean, share, weighed


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


METRICS = (count, base_rate, accuracy, error_rate, precision, recall, specificity, f1, f_beta)
