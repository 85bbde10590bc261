"""A number predicted for a numeric label."""

import math

from oracles.observations import Observation, mean, weighed


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


METRICS = (mse, rmse, mae, bias, r2)
