"""Agreement of raters, as the papers write it: pairs of ratings and of categories, one after another.

An item is a list of ratings, of which the order does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from scipy import stats

Item = Sequence[Any]
#: the value, its standard error and the degrees of freedom
Estimate = tuple[float | None, float | None, float]
Distance = Callable[[Any, Any], float]


def krippendorff(items: Sequence[Item], level: str) -> Estimate:
    """Krippendorff (2011): 1 less observed by expected disagreement; the delta method over items.

    An item that counts w times moves alpha by the derivative at w = 1, here the quotient of small differences. The
    ranks of an ordinal scale are those of the data, whatever w is.
    """
    items = [item for item in items if len(item) >= 2]
    values = sorted({rating for item in items for rating in item})
    counts = {value: sum(item.count(value) for item in map(list, items)) for value in values}

    def between(one: Any, other: Any) -> float:
        """The square of the ratings between two ranks, half of those at either end."""
        low, high = sorted((values.index(one), values.index(other)))
        inside = sum(counts[value] for value in values[low : high + 1])
        return (inside - (counts[one] + counts[other]) / 2) ** 2

    distance: Distance = {
        "nominal": lambda one, other: float(one != other),
        "ordinal": between,
        "interval": lambda one, other: (one - other) ** 2,
        "ratio": lambda one, other: ((one - other) / (one + other)) ** 2 if one + other else 0.0,
    }[level]
    observed = [
        sum(distance(one, other) for one in item for other in item) / (len(item) - 1) for item in items
    ]

    def alpha(weights: Sequence[float]) -> float | None:
        mass = dict.fromkeys(values, 0.0)
        for item, weight in zip(items, weights, strict=True):
            for rating in item:
                mass[rating] += weight
        n = sum(mass.values())
        expected = sum(mass[one] * mass[other] * distance(one, other) for one in values for other in values)
        if not expected:
            return None
        within = sum(weight * one for weight, one in zip(weights, observed, strict=True))
        return 1 - (n - 1) * within / expected

    ones = [1.0] * len(items)
    if not items or alpha(ones) is None:
        return None, None, len(items) - 1
    moved, step = [], 1e-5
    for place in range(len(items)):
        ends = [alpha([*ones[:place], 1 + side * step, *ones[place + 1 :]]) for side in (1, -1)]
        moved.append((ends[0] - ends[1]) / (2 * step))  # type: ignore[operator]
    return alpha(ones), math.sqrt(len(items)) * _deviation(moved), len(items) - 1


def gwet(items: Sequence[Item], weights: str, fleiss: bool = False) -> Estimate:
    """Gwet (2014), sections 4.5 and 5.4: AC1 and AC2, or Fleiss' kappa, and the variances over items.

    His variance takes the number of items with two ratings as known, and is too large if many have one. The delta
    method, which is the same without such items, takes it as random.
    """
    items = [item for item in items if item]
    values = sorted({rating for item in items for rating in item})
    q, n = len(values), len(items)
    rated = sum(len(item) >= 2 for item in items)
    if q < 2 or not rated:
        return None, None, n - 1
    reach = values[-1] - values[0] if weights in ("linear", "quadratic") else 1

    def weight(one: Any, other: Any) -> float:
        apart = abs(values.index(one) - values.index(other))
        return {
            "identity": lambda: float(one == other),
            "ordinal": lambda: 1 - math.comb(apart + 1, 2) / math.comb(q, 2),
            "linear": lambda: 1 - abs(one - other) / reach,
            "quadratic": lambda: 1 - ((one - other) / reach) ** 2,
        }[weights]()

    shares = {value: sum(list(item).count(value) / len(item) for item in items) / n for value in values}
    agreed = [
        sum(
            weight(one, other)
            for place, one in enumerate(item)
            for at, other in enumerate(item)
            if at != place
        )
        / (len(item) * (len(item) - 1))
        if len(item) >= 2
        else None
        for item in items
    ]
    observed = sum(one for one in agreed if one is not None) / rated
    total = sum(weight(one, other) for one in values for other in values) / (q * (q - 1))
    of_item = [sum(shares[rating] for rating in item) / len(item) for item in items]
    if fleiss:
        chance, chances = sum(share**2 for share in shares.values()), of_item
    else:
        chance = total * sum(share * (1 - share) for share in shares.values())
        chances = [total * (1 - one) for one in of_item]
    value = (observed - chance) / (1 - chance)
    moved = [
        (0 if one is None else n / rated * (one - observed)) - 2 * (1 - value) * (expected - chance)
        for one, expected in zip(agreed, chances, strict=True)
    ]
    spread = sum((one / (1 - chance)) ** 2 for one in moved)
    return value, math.sqrt(spread / (n * (n - 1))), n - 1


def percent(items: Sequence[Item]) -> Estimate:
    """The mean over items of the share of pairs of ratings that are equal."""
    items = [item for item in items if len(item) >= 2]
    shares = []
    for item in items:
        pairs = [*combinations(item, 2)]
        shares.append(sum(one == other for one, other in pairs) / len(pairs))
    if not items:
        return None, None, -1
    return sum(shares) / len(shares), _deviation(shares) / math.sqrt(len(shares)), len(shares) - 1


def cohen(ratings: Sequence[dict[Any, Any]]) -> dict[tuple[Any, Any] | None, Estimate]:
    """Cohen (1960) for each pair of raters, and under None the mean (Light 1971); the delta method over items.

    Args:
        ratings: of each item, the rating of each rater.
    """
    raters = sorted({rater for item in ratings for rater in item})
    found: dict[tuple[Any, Any] | None, Estimate] = {}
    moved_by_item = [0.0] * len(ratings)
    kappas, paired = [], set()
    for a, b in combinations(raters, 2):
        both = [place for place, item in enumerate(ratings) if a in item and b in item]
        if not both:
            continue
        pairs = [(ratings[place][a], ratings[place][b]) for place in both]

        def kappa(weights: Sequence[float], pairs: list[tuple[Any, Any]] = pairs) -> float | None:
            n = sum(weights)
            counted = [*zip(pairs, weights, strict=True)]
            alike = sum(weight for (one, other), weight in counted if one == other) / n
            values = {value for pair in pairs for value in pair}
            chance = sum(
                sum(weight for (one, _), weight in counted if one == value)
                * sum(weight for (_, other), weight in counted if other == value)
                for value in values
            ) / (n * n)
            return None if abs(1 - chance) < 1e-12 else (alike - chance) / (1 - chance)

        ones, step = [1.0] * len(pairs), 1e-5
        if kappa(ones) is None:
            found[a, b] = (None, None, len(both) - 1)
            continue
        moved = []
        for at in range(len(pairs)):
            ends = [kappa([*ones[:at], 1 + side * step, *ones[at + 1 :]]) for side in (1, -1)]
            moved.append((ends[0] - ends[1]) / (2 * step))  # type: ignore[operator]
            moved_by_item[both[at]] += moved[-1]
        found[a, b] = (kappa(ones), math.sqrt(len(both)) * _deviation(moved), len(both) - 1)
        kappas.append(kappa(ones))
        paired |= {*both}
    if kappas:
        moved = [moved_by_item[place] / len(kappas) for place in sorted(paired)]
        mean = sum(kappas) / len(kappas)  # type: ignore[arg-type]
        found[None] = (mean, math.sqrt(len(moved)) * _deviation(moved), len(moved) - 1)
    return found


def interval(estimate: Estimate, level: float = 0.95) -> tuple[float | None, float | None, float | None]:
    """The value and the ends of its interval by Student's t, within -1 and 1; none where nothing varies."""
    value, error, df = estimate
    if value is None or error is None or df < 1 or error < 1e-9:
        return value, None, None
    reach = error * float(stats.t.ppf((1 + level) / 2, df))
    return value, max(-1.0, value - reach), min(1.0, value + reach)


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample."""
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
