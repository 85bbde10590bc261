"""A score read as the probability of a binary label."""

import math

from oracles.observations import Observation, mean


def log_loss(rows: list[Observation], eps: float = 1e-15) -> float | None:
    """Good (1952): minus the log of the probability given to what happened, kept within [eps, 1 - eps]."""

    def surprise(row: Observation) -> float:
        return -math.log(min(max(row.score if row.positive else 1 - row.score, eps), 1 - eps))

    return mean(rows, surprise)


def brier(rows: list[Observation]) -> float | None:
    """Brier (1950), for two classes: the mean squared distance of the probability to 0 or 1."""
    return mean(rows, lambda row: (row.score - row.positive) ** 2)


METRICS = (log_loss, brier)
