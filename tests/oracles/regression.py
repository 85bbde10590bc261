"""A number predicted for a numeric label."""

import math

from oracles.observations import Observation, mean, quantile, ratio, weighed


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


def adjusted_r2(rows: list[Observation], features: float) -> float | None:
    """Theil (1961); a row without weight is no observation."""
    n = sum(row.weight > 0 for row in rows)
    plain = r2(rows)
    return None if plain is None or n - features - 1 <= 0 else 1 - (1 - plain) * (n - 1) / (n - features - 1)


def explained_variance(rows: list[Observation]) -> float | None:
    """Scikit-learn's explained_variance_score: r2 after the bias is taken from the score."""
    off = bias(rows)
    return None if off is None else r2([row._replace(score=row.score - off) for row in rows])


def max_error(rows: list[Observation]) -> float | None:
    return max((abs(row.score - row.label) for row in rows if row.weight), default=None)


def median_absolute_error(rows: list[Observation]) -> float | None:
    return quantile([(abs(row.score - row.label), row.weight) for row in rows], 0.5)


def mape(rows: list[Observation], zero_target: float | str = "skip") -> float | None:
    if zero_target == "error" and any(row.label == 0 for row in rows):
        return None
    least = 0 if isinstance(zero_target, str) else zero_target
    counted = [row for row in rows if max(abs(row.label), least) > 0]
    return mean(counted, lambda row: abs(row.score - row.label) / max(abs(row.label), least))


def rmspe(rows: list[Observation]) -> float | None:
    """Hyndman and Koehler (2006), section 2.2; a row of label 0 has no percentage error."""
    counted = [row for row in rows if row.label]
    squared = mean(counted, lambda row: ((row.label - row.score) / row.label) ** 2)
    return None if squared is None else math.sqrt(squared)


def smape(rows: list[Observation]) -> float | None:
    """Makridakis (1993): the error relative to the mean size of label and score; none where both are 0."""

    def relative(row: Observation) -> float:
        return 2 * ratio(abs(row.score - row.label), abs(row.score) + abs(row.label), 0)

    return mean(rows, relative)


def wape(rows: list[Observation]) -> float | None:
    return ratio(
        weighed(rows, lambda row: abs(row.score - row.label)), weighed(rows, lambda row: abs(row.label))
    )


def msle(rows: list[Observation]) -> float | None:
    if any(row.label <= -1 or row.score <= -1 for row in rows):
        return None
    return mean(rows, lambda row: (math.log1p(row.score) - math.log1p(row.label)) ** 2)


def rmsle(rows: list[Observation]) -> float | None:
    squared = msle(rows)
    return None if squared is None else math.sqrt(squared)


METRICS = (
    *(mse, rmse, mae, bias, r2, adjusted_r2, explained_variance, max_error, median_absolute_error),
    *(mape, rmspe, smape, wape, msle, rmsle),
)
