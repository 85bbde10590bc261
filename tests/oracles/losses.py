"""Losses and deviances of a numeric label; where digits are at stake, in decimals of fifty."""

import math
from decimal import Decimal, localcontext

from oracles import observations
from oracles.observations import Observation, mean
from oracles.regression import r2


def pinball(rows: list[Observation], quantile: float = 0.5) -> float | None:
    return mean(rows, lambda row: observations.pinball_loss(row.label, row.score, quantile))


def huber(rows: list[Observation], delta: float = 1) -> float | None:
    """Huber (1964): squared in the middle, straight outside, without a step or a bend."""

    def loss(row: Observation) -> float:
        error = abs(row.score - row.label)
        return error**2 / 2 if error <= delta else delta * error - delta**2 / 2

    return mean(rows, loss)


def log_cosh(rows: list[Observation]) -> float | None:
    """By cosh x = 1 + 2 sinh^2(x / 2); far out it is half of e^|x|."""

    def loss(row: Observation) -> float:
        error = abs(row.score - row.label)
        return math.log1p(2 * math.sinh(error / 2) ** 2) if error < 300 else error - math.log(2)

    return mean(rows, loss)


def unit_deviance(label: float, score: float, power: float) -> float:
    """Jorgensen (1997): twice the integral of (label - t) / t^power from score to label."""
    with localcontext() as context:
        context.prec = 50
        y, mu, p = (Decimal(repr(float(x))) for x in (label, score, power))
        if p == 0:
            unit = (y - mu) ** 2 / 2
        elif p == 1:
            unit = (y * (y / mu).ln() if y else Decimal(0)) - y + mu
        elif p == 2:
            unit = (mu / y).ln() + y / mu - 1
        else:
            own = y ** (2 - p) / ((1 - p) * (2 - p))
            unit = own - y * mu ** (1 - p) / (1 - p) + mu ** (2 - p) / (2 - p)
        return float(2 * unit)


def tweedie_deviance(rows: list[Observation], power: float = 0) -> float | None:
    """None where a score or label is none that the distribution can have."""
    if not rows:
        return None
    least_label = min(row.label for row in rows)
    if power > 0 and (
        min(row.score for row in rows) <= 0 or least_label < 0 or (power >= 2 and least_label == 0)
    ):
        return None
    return mean(rows, lambda row: unit_deviance(row.label, row.score, power))


def poisson_deviance(rows: list[Observation]) -> float | None:
    return tweedie_deviance(rows, 1)


def gamma_deviance(rows: list[Observation]) -> float | None:
    return tweedie_deviance(rows, 2)


def d2_tweedie(rows: list[Observation], power: float = 0) -> float | None:
    """1 - the deviance / that of the mean told of every row."""
    loss = tweedie_deviance(rows, power)
    if loss is None or r2(rows) is None:
        return None
    centre = mean(rows, lambda row: row.label)
    return 1 - loss / tweedie_deviance([row._replace(score=centre) for row in rows], power)


def d2_pinball(rows: list[Observation], quantile: float = 0.5) -> float | None:
    """Koenker and Machado (1999): 1 - the loss / that of the label's own quantile told of every row."""
    if r2(rows) is None:
        return None
    told = observations.quantile([(row.label, row.weight) for row in rows], quantile)
    return 1 - pinball(rows, quantile) / pinball([row._replace(score=told) for row in rows], quantile)


def d2_absolute_error(rows: list[Observation]) -> float | None:
    return d2_pinball(rows, 0.5)


METRICS = (
    *(pinball, huber, log_cosh, tweedie_deviance, poisson_deviance, gamma_deviance),
    *(d2_tweedie, d2_pinball, d2_absolute_error),
)
