"""Welch's t of two samples with the larger of its own error and Student's, which pools the variances of units."""

from __future__ import annotations

import math


def error_and_df(first: float, n_first: float, second: float, n_second: float) -> tuple[float, float]:
    """The standard error of a difference, and Welch's degrees of freedom.

    Args:
        first, second: the squared standard error of each value.
        n_first, n_second: the number of units behind it.
    """
    apart = first + second
    df = apart**2 / (first**2 / (n_first - 1) + second**2 / (n_second - 1))
    return math.sqrt(max(apart, pooled(first, n_first, second, n_second))), df


def pooled(
    first: float, n_first: float, second: float, n_second: float, scales: tuple[float, float] = (1.0, 1.0)
) -> float:
    """Student's squared standard error: the units of both samples have one variance, but for the scale of a sample."""
    each = [
        n * square / scale**2
        for n, square, scale in zip((n_first, n_second), (first, second), scales, strict=True)
    ]
    both = ((n_first - 1) * each[0] + (n_second - 1) * each[1]) / (n_first + n_second - 2)
    return both * (scales[0] ** 2 / n_first + scales[1] ** 2 / n_second)
