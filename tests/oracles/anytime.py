"""Asymptotic confidence sequences: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas (2024), as the paper writes them."""

from __future__ import annotations

import math


def rho(alpha: float, tightest_at: float) -> float:
    """Appendix B.2: the parameter for which the sequence is tightest at so many units."""
    return math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / tightest_at)


def half_width(n: float, sigma: float, alpha: float, tightest_at: float = 400) -> float:
    """Theorem 2.2: how far the interval of a mean of n units with standard deviation sigma reaches to either side."""
    r = rho(alpha, tightest_at)
    return sigma * math.sqrt(2 * (n * r**2 + 1) / (n**2 * r**2) * math.log(math.sqrt(n * r**2 + 1) / alpha))


def reach(n: float, alpha: float, tightest_at: float = 400) -> float:
    """The same in standard errors, sigma / sqrt(n)."""
    return half_width(n, 1, alpha, tightest_at) * math.sqrt(n)


def p_value(distance: float, n: float, alpha: float, tightest_at: float = 400) -> float:
    """The least level whose sequence, of the r of alpha, leaves out 0, by bisection of its logarithm."""
    r, low, high = rho(alpha, tightest_at), -2000.0, 0.0
    for _ in range(200):
        middle = (low + high) / 2
        square = 2 * (n * r**2 + 1) / (n * r**2) * (math.log(math.sqrt(n * r**2 + 1)) - middle)
        low, high = (low, middle) if distance**2 > square else (middle, high)
    return math.exp(high)
