"""A probability against what came of it, in bins of scores."""

import math
from fractions import Fraction

from oracles.levels import bin_of_equal_width
from oracles.observations import Observation, ratio, weighed


def bins_of(rows: list[Observation], bins: int, equal: str) -> list[list[Observation]]:
    """The rows of each bin that has some weight, from the lowest scores up."""
    rows = [row for row in rows if row.weight]
    if equal == "width":
        number = {row.score: bin_of_equal_width(row.score, bins) for row in rows}
    else:
        # A score belongs where the first of its rows falls, counted from the lowest score.
        total = sum(Fraction(row.weight) for row in rows)
        below = {
            s: sum(Fraction(row.weight) for row in rows if row.score < s) for s in {r.score for r in rows}
        }
        number = {
            s: min(bins - 1, math.floor(bins * weight / total + Fraction(1, 10**9)))
            for s, weight in below.items()
        }
    found = [[row for row in rows if number[row.score] == bin] for bin in range(bins)]
    return [rows_of_bin for rows_of_bin in found if rows_of_bin]


def gap(rows: list[Observation]) -> float:
    """|share of positives - mean score|."""
    weight = weighed(rows, lambda _: 1)
    return abs(
        weighed(rows, lambda row: row.positive) / weight - weighed(rows, lambda row: row.score) / weight
    )


def ece(rows: list[Observation], bins: float = 10, equal: str = "width") -> float | None:
    """Naeini et al. (2015): the sum over bins of P(bin) |o - e|."""
    parts = bins_of(rows, int(bins), equal)
    return ratio(
        math.fsum(weighed(part, lambda _: 1) * gap(part) for part in parts), weighed(rows, lambda _: 1)
    )


def mce(rows: list[Observation], bins: float = 10, equal: str = "width") -> float | None:
    return max((gap(part) for part in bins_of(rows, int(bins), equal)), default=None)


def share(rows: list[Observation]) -> float:
    return weighed(rows, lambda row: row.positive) / weighed(rows, lambda _: 1)


def brier_reliability(rows: list[Observation], bins: float = 10, equal: str = "width") -> float | None:
    """Murphy (1973): the first term of the partition."""
    parts = bins_of(rows, int(bins), equal)
    return ratio(
        math.fsum(weighed(part, lambda _: 1) * gap(part) ** 2 for part in parts), weighed(rows, lambda _: 1)
    )


def brier_resolution(rows: list[Observation], bins: float = 10, equal: str = "width") -> float | None:
    """Murphy (1973): the second term."""
    parts = bins_of(rows, int(bins), equal)
    return ratio(
        math.fsum(weighed(part, lambda _: 1) * (share(part) - share(rows)) ** 2 for part in parts),
        weighed(rows, lambda _: 1),
    )


def rms_calibration_error(rows: list[Observation], bins: float = 10, equal: str = "width") -> float | None:
    """Kumar et al. (2019): the root of the reliability."""
    squared = brier_reliability(rows, bins, equal)
    return None if squared is None else math.sqrt(squared)


def debiased_calibration_error(
    rows: list[Observation], bins: float = 10, equal: str = "width"
) -> float | None:
    """Kumar et al. (2019): each bin less the variance of its share of positives."""

    def squared(part: list[Observation]) -> float:
        n, y = weighed(part, lambda _: 1), share(part)
        return n * (gap(part) ** 2 - y * (1 - y) / (n - 1)) if n > 1 else 0

    parts = bins_of(rows, int(bins), equal)
    mean = ratio(math.fsum(squared(part) for part in parts), weighed(rows, lambda _: 1))
    return None if mean is None else math.sqrt(max(mean, 0))


METRICS = (
    ece,
    mce,
    rms_calibration_error,
    debiased_calibration_error,
    brier_reliability,
    brier_resolution,
)
