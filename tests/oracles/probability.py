"""A score read as the probability of a binary label."""

import math
from fractions import Fraction

from oracles.observations import Observation, mean, ratio, weighed


def log_loss(rows: list[Observation], eps: float = 1e-15) -> float | None:
    """Good (1952): minus the log of the probability given to what happened, kept within [eps, 1 - eps]."""

    def surprise(row: Observation) -> float:
        return -math.log(min(max(row.score if row.positive else 1 - row.score, eps), 1 - eps))

    return mean(rows, surprise)


def brier(rows: list[Observation]) -> float | None:
    """Brier (1950), for two classes: the mean squared distance of the probability to 0 or 1."""
    return mean(rows, lambda row: (row.score - row.positive) ** 2)


def copc(rows: list[Observation]) -> float | None:
    """Clicks over predicted clicks."""
    return ratio(weighed(rows, lambda row: row.positive), weighed(rows, lambda row: row.score))


def at_base_rate(rows: list[Observation]) -> list[Observation]:
    """The rows with their share of positives as the score of each."""
    base = mean(rows, lambda row: row.positive)
    return [row._replace(score=base) for row in rows]


def one_class(rows: list[Observation]) -> bool:
    return len({row.positive for row in rows if row.weight}) < 2


def base_log_loss(rows: list[Observation]) -> float | None:
    """The entropy of the label, which is the log loss of the base rate told of every row; 0 for a single class."""
    if one_class(rows):
        return mean(rows, lambda _: 0)
    positives, all_rows = (
        sum(Fraction(row.weight) for row in rows if row.positive or not only) for only in (True, False)
    )
    shares = positives / all_rows, 1 - positives / all_rows
    # the log of a share near 1 is taken from what it lacks
    logs = [
        math.log(float(p)) if p < 0.5 else math.log1p(-float(q))
        for p, q in zip(shares, shares[::-1], strict=True)
    ]
    return math.fsum(-float(p) * log for p, log in zip(shares, logs, strict=True))


def normalized_entropy(rows: list[Observation], eps: float = 1e-15) -> float | None:
    """He et al. (2014), equation 1."""
    return None if one_class(rows) else log_loss(rows, eps) / base_log_loss(rows)


def rig(rows: list[Observation], eps: float = 1e-15) -> float | None:
    """He et al. (2014): 1 - normalised entropy."""
    entropy = normalized_entropy(rows, eps)
    return None if entropy is None else 1 - entropy


def brier_skill(rows: list[Observation]) -> float | None:
    """Murphy (1973): 1 - the score over that of the climatology."""
    return None if one_class(rows) else 1 - brier(rows) / brier(at_base_rate(rows))


def brier_uncertainty(rows: list[Observation]) -> float | None:
    """Murphy (1973): the variance of the label."""
    base = mean(rows, lambda row: row.positive)
    return None if base is None else base * (1 - base)


def spiegelhalter_z(rows: list[Observation]) -> float | None:
    """Spiegelhalter (1986): the Brier score less its expectation, over its standard error."""
    variance = weighed(rows, lambda row: (1 - 2 * row.score) ** 2 * row.score * (1 - row.score))
    return ratio(
        weighed(rows, lambda row: (row.positive - row.score) * (1 - 2 * row.score)), math.sqrt(variance)
    )


def hinge(rows: list[Observation]) -> float | None:
    """Cortes and Vapnik (1995): what a margin lacks to 1; a negative row wants a score of -1."""
    return mean(rows, lambda row: max(0, 1 - (1 if row.positive else -1) * row.score))


METRICS = (
    hinge,
    log_loss,
    brier,
    copc,
    base_log_loss,
    normalized_entropy,
    rig,
    brier_skill,
    brier_uncertainty,
    spiegelhalter_z,
)
