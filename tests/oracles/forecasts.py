"""Forecasts of intervals and quantiles, and errors beside those of a naive forecast, as their papers write them."""

import math

from oracles.observations import Observation, mean, pinball_loss, ratio, weighed

Rows = list[Observation]
Value = float | None


def coverage(rows: Rows, lower: str, upper: str) -> Value:
    return mean(rows, lambda row: row.cells[lower] <= row.label <= row.cells[upper])


def interval_width(rows: Rows, lower: str, upper: str) -> Value:
    return mean(rows, lambda row: row.cells[upper] - row.cells[lower])


def interval_score(rows: Rows, lower: str, upper: str, alpha: float = 0.1) -> Value:
    return mean(rows, lambda row: winkler(row.label, row.cells[lower], row.cells[upper], alpha))


def winkler(y: float, lower: float, upper: float, alpha: float) -> float:
    """Gneiting and Raftery (2007), equation 43."""
    return (upper - lower) + 2 / alpha * (lower - y) * (y < lower) + 2 / alpha * (y - upper) * (y > upper)


def told(row: Observation, quantiles: str) -> dict[float, float]:
    """The predicted quantiles of a row by level, from '0.1: q10, 0.9: q90'."""
    pairs = [pair.split(":") for pair in quantiles.strip("'").split(",")]
    return {float(level): row.cells[name.strip()] for level, name in pairs}


def pinballs(row: Observation, quantiles: str) -> list[float]:
    return [pinball_loss(row.label, value, level) for level, value in told(row, quantiles).items()]


def quantile_loss(rows: Rows, quantiles: str, average: str = "mean") -> Value:
    of = {"mean": lambda losses: math.fsum(losses) / len(losses), "sum": math.fsum}[average]
    return mean(rows, lambda row: of(pinballs(row, quantiles)))


def wis(rows: Rows, quantiles: str) -> Value:
    """Bracher et al. (2021), equation 2: K intervals with the weights alpha / 2, and the median with 1 / 2."""

    def score(row: Observation) -> float:
        values = {round(level, 9): value for level, value in told(row, quantiles).items()}
        median = values.get(0.5)
        lower = [level for level in values if level < 0.5]
        intervals = [
            level * winkler(row.label, values[level], values[round(1 - level, 9)], 2 * level)
            for level in lower
        ]
        whole = math.fsum(intervals) + (0 if median is None else abs(row.label - median) / 2)
        return whole / (len(lower) + (0 if median is None else 0.5))

    return mean(rows, score)


def crps(rows: Rows, quantiles: str) -> Value:
    """Berrisch and Ziel (2023): 2 / M times the sum of M quantile losses."""
    return mean(rows, lambda row: 2 * math.fsum(pinballs(row, quantiles)) / len(told(row, quantiles)))


def mase(rows: Rows, naive_error: str) -> Value:
    """Hyndman and Koehler (2006), section 3: the mean of |q_t|, q_t = e_t / the naive error in the sample."""
    return mean(rows, lambda row: abs((row.label - row.score) / row.cells[naive_error]))


def relative_mae(rows: Rows, naive: str) -> Value:
    errors = weighed(rows, lambda row: abs(row.label - row.score))
    return ratio(errors, weighed(rows, lambda row: abs(row.label - row.cells[naive])))


METRICS = (coverage, interval_width, interval_score, quantile_loss, wis, crps, mase, relative_mae)
