"""A leaderboard from its definition: paired t tests of all pairs, Holm's correction, ranks by what is significant."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev


@dataclass(frozen=True)
class Place:
    """The place of a model: its value, its rank, and the ranks that the data allow."""

    value: float
    rank: int
    low: int
    high: int
    tied_with_best: bool


def places(
    units: Mapping[str, Sequence[float]], lower_is_better: bool, level: float = 0.95
) -> dict[str, Place]:
    """The place of each model by the mean of its units, which all models share.

    Args:
        units: the values of the units by model, the units in one order.
        lower_is_better: whether a lower mean is better.
        level: the confidence level of all ranks together.
    """
    from scipy import stats

    sign = -1 if lower_is_better else 1
    found = {}
    for one, other in combinations(units, 2):
        differences = [a - b for a, b in zip(units[one], units[other], strict=True)]
        mean = fmean(differences)
        spread = stdev(differences) if len(differences) > 1 else 0
        if abs(spread) > 1e-12:
            t = mean / (spread / math.sqrt(len(differences)))
            found[one, other] = float(2 * stats.t.sf(abs(t), len(differences) - 1))
    corrected, least = {}, 0.0
    for place, (pair, p) in enumerate(sorted(found.items(), key=lambda entry: entry[1])):
        least = max(least, min(1.0, (len(found) - place) * p))
        corrected[frozenset(pair)] = least
    means = {model: sign * fmean(values) for model, values in units.items()}

    def beats(one: str, other: str) -> bool:
        sure = corrected.get(frozenset((one, other)), 1.0) <= round(1 - level, 12)
        return sure and means[one] > means[other]

    best = max(means, key=means.__getitem__)
    return {
        model: Place(
            value=sign * mean,
            rank=1 + sum(other > mean + 1e-12 for other in means.values()),
            low=1 + sum(beats(other, model) for other in units),
            high=len(units) - sum(beats(model, other) for other in units),
            tied_with_best=not beats(best, model),
        )
        for model, mean in means.items()
    }
