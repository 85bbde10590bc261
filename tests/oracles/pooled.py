"""The standard error of a difference of models alike: the influence of each unit at the sums of both models."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import Any

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


def determinant(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return tp * tn - fp * fn


#: Functions of true positives, false positives, false negatives and true negatives.
FUNCTIONS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "balanced_accuracy": lambda tp, fp, fn, tn: (tp / (tp + fn) + tn / (tn + fp)) / 2,
    "informedness": lambda tp, fp, fn, tn: tp / (tp + fn) + tn / (tn + fp) - 1,
    "markedness": lambda tp, fp, fn, tn: tp / (tp + fp) + tn / (tn + fn) - 1,
    "g_mean": lambda tp, fp, fn, tn: cmath.sqrt(tp / (tp + fn) * tn / (tn + fp)),
    "kappa": lambda tp, fp, fn, tn: (
        2 * determinant(tp, fp, fn, tn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
    ),
    "mcc": lambda tp, fp, fn, tn: (
        determinant(tp, fp, fn, tn) / cmath.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
}


def value(metric: str, units: Sequence[Sequence[float]]) -> float:
    """That of units, each with its part in the four cells."""
    return FUNCTIONS[metric](*(math.fsum(unit[i] for unit in units) for i in range(4))).real


def error_of_functions(
    metric: str, baseline: Sequence[Sequence[float]], candidate: Sequence[Sequence[float]]
) -> float:
    """That of a difference of functions of the cells, by their derivatives at the mean of both models' cells."""
    cells = [math.fsum(unit[i] for unit in [*baseline, *candidate]) / 2 for i in range(4)]
    step = 1e-30  # to the side of the real numbers: nothing cancels
    slopes = [
        FUNCTIONS[metric](*(complex(cell, step * (i == j)) for j, cell in enumerate(cells))).imag / step
        for i in range(4)
    ]
    pulls = [
        math.fsum(slope * (new - old) for slope, old, new in zip(slopes, one, other, strict=True))
        for one, other in zip(baseline, candidate, strict=True)
    ]
    return math.sqrt(len(pulls) / (len(pulls) - 1) * sum(pull**2 for pull in pulls))
