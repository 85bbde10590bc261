"""The standard error of a difference of models alike: the influence of each unit at the sums of both models."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

#: What a row adds to n and d of a ratio, by its label and its decision.
RATIOS: dict[str, tuple[Callable[[int, int], float], Callable[[int, int], float]]] = {
    "precision": (lambda y, s: y * s, lambda y, s: s),
    "npv": (lambda y, s: (1 - y) * (1 - s), lambda y, s: 1 - s),
    "false_discovery_rate": (lambda y, s: (1 - y) * s, lambda y, s: s),
    "false_omission_rate": (lambda y, s: y * (1 - s), lambda y, s: 1 - s),
    "f1": (lambda y, s: 2 * y * s, lambda y, s: y + s),
    "jaccard": (lambda y, s: y * s, lambda y, s: y + s - y * s),
}


def error_of_ratios(units: Sequence[Sequence[float]]) -> float:
    """That of a difference of ratios of sums, each over its own sum of d; a unit has n and d of either model."""
    n_a, d_a, n_b, d_b = (sum(unit[i] for unit in units) for i in range(4))
    both = (n_a + n_b) / (d_a + d_b)
    pulls = [(b - both * w_b) / d_b - (a - both * w_a) / d_a for a, w_a, b, w_b in units]
    return math.sqrt(len(units) / (len(units) - 1) * sum(pull**2 for pull in pulls))
