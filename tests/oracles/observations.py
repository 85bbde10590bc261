"""The words of the formulas over rows: sums in which each row counts its weight."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple


class Observation(NamedTuple):
    positive: bool
    label: float
    score: float
    weight: float
    cells: Mapping[str, Any] = MappingProxyType({})  #: all columns of the row


def ratio(numerator: float, denominator: float, otherwise: float | None = None) -> float | None:
    return numerator / denominator if denominator else otherwise


def wins(one: float, other: float) -> float:
    """Hanley and McNeil (1982): a pair in the right order counts 1, a tie one half."""
    return 1.0 if one > other else 0.5 if one == other else 0.0


def weighed(rows: list[Observation], of: Callable[[Observation], float]) -> float:
    return math.fsum(row.weight * of(row) for row in rows)


def mean(rows: list[Observation], of: Callable[[Observation], float]) -> float | None:
    return ratio(weighed(rows, of), weighed(rows, lambda _: 1))


def share(rows: list[Observation], part: float, whole: float, zero_division: float | None) -> float | None:
    """0 / 0 is `zero_division`, unless there is nothing at all to judge."""
    return ratio(part, whole, zero_division if weighed(rows, lambda _: 1) else None)


def pinball_loss(value: Any, told: Any, quantile: Any) -> Any:
    """Koenker and Bassett (1978)."""
    return quantile * (value - told) if value >= told else (1 - quantile) * (told - value)


def quantile(values: list[tuple[float, float]], quantile: float) -> float | None:
    """The middle of the constants that lose least, as their pinball loss over (value, weight) says, in fractions."""
    exact = [
        (Fraction(repr(float(value))), Fraction(repr(float(weight)))) for value, weight in values if weight
    ]
    losses = {
        told: sum(
            weight * pinball_loss(value, told, Fraction(repr(float(quantile)))) for value, weight in exact
        )
        for told, _ in exact
    }
    best = [told for told, loss in losses.items() if loss == min(losses.values())]
    return float((min(best) + max(best)) / 2) if best else None
