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


def logit(row: Observation) -> float:
    clipped = [min(max(p, 1e-15), 1 - 1e-15) for p in (row.score, 1 - row.score)]
    return math.log(clipped[0]) - math.log(clipped[1])


def logistic(z: float) -> float:
    return 1 / (1 + math.exp(-z)) if z > 0 else math.exp(z) / (1 + math.exp(z))


def calibration_slope(rows: list[Observation]) -> float | None:
    """Cox (1958): the slope of the labels on the logits, by Newton's method with steps so short that each is uphill."""
    rows = [row for row in rows if row.weight]
    sides = [[logit(row) for row in rows if bool(row.positive) is side] for side in (False, True)]
    if not all(sides) or min(sides[0]) >= max(sides[1]) or min(sides[1]) >= max(sides[0]):
        return None  # Albert and Anderson (1984): no finite slope
    middle = weighed(rows, logit) / weighed(rows, lambda _: 1)
    x = [logit(row) - middle for row in rows]
    weights, labels = [row.weight for row in rows], [row.positive for row in rows]
    a, b = 0.0, 0.0
    for _ in range(1000):
        p = [logistic(a + b * one) for one in x]
        r = [w * (y - q) for w, y, q in zip(weights, labels, p, strict=True)]
        v = [w * q * (1 - q) for w, q in zip(weights, p, strict=True)]
        g, gx = math.fsum(r), math.fsum(d * one for d, one in zip(r, x, strict=True))
        h, hx, hxx = (math.fsum(q * one**power for q, one in zip(v, x, strict=True)) for power in (0, 1, 2))
        determinant = h * hxx - hx * hx
        up, right = (hxx * g - hx * gx) / determinant, (h * gx - hx * g) / determinant
        far = max(abs(up + right * one) for one in x)
        if far < 1e-13:
            break
        # Bach (2010), Self-concordant analysis for logistic regression: this length never overshoots
        a, b = a + up * math.log1p(far) / far, b + right * math.log1p(far) / far
    return b


def calibration_intercept(rows: list[Observation]) -> float | None:
    """Cox (1958): the shift of the logits with which the probabilities add up to the positive rows, by bisection."""
    rows = [row for row in rows if row.weight]
    if len({bool(row.positive) for row in rows}) < 2:
        return None
    low, high = -100.0, 100.0
    while (middle := (low + high) / 2) not in (low, high):
        if weighed(rows, lambda row: logistic(middle + logit(row)) - row.positive) > 0:
            high = middle
        else:
            low = middle
    return middle


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
    calibration_slope,
    calibration_intercept,
)
