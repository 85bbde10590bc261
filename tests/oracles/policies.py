"""The value of a policy from rows that another one logged; the share of wins over an opponent."""

import math

from oracles.observations import Observation, mean, ratio, weighed, wins

Rows = list[Observation]
Value = float | None


def importance(row: Observation, propensity: str, clip: Value) -> float:
    weight = row.score / row.cells[propensity]
    return min(weight, math.inf if clip is None else clip)


def ips(rows: Rows, propensity: str, clip: Value = None) -> Value:
    """Horvitz and Thompson (1952)."""
    return mean(rows, lambda row: importance(row, propensity, clip) * row.label)


def snips(rows: Rows, propensity: str, clip: Value = None) -> Value:
    """Swaminathan and Joachims (2015)."""
    weights = weighed(rows, lambda row: importance(row, propensity, clip))
    return ratio(weighed(rows, lambda row: importance(row, propensity, clip) * row.label), weights)


def doubly_robust(rows: Rows, propensity: str, predicted: str, expected: str, clip: Value = None) -> Value:
    """Dudik, Langford and Li (2011), equation 3."""

    def shift(row: Observation) -> float:
        return importance(row, propensity, clip) * (row.label - row.cells[predicted])

    return mean(rows, lambda row: row.cells[expected] + shift(row))


def win_rate(rows: Rows, against: str) -> Value:
    return mean(rows, lambda row: wins(row.score, row.cells[against]))


METRICS = (ips, snips, doubly_robust, win_rate)
