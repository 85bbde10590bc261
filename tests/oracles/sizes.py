"""The size of a study by Guenther (1981), and the difference that a study detects: the same formula, solved for it."""

from __future__ import annotations

import math
import statistics


def reach(power: float, level: float) -> tuple[float, float]:
    """The quantiles of the test and of its power."""
    normal = statistics.NormalDist()
    return normal.inv_cdf((1 + level) / 2), normal.inv_cdf(power)


def pairs_needed(deviation: float, difference: float, power: float = 0.8, level: float = 0.95) -> int:
    """The pairs that detect a difference, where differences of pairs have a standard deviation."""
    a, b = reach(power, level)
    return max(2, math.ceil((a + b) ** 2 * deviation**2 / difference**2 + a * a / 2))


def arm_needed(deviation: float, difference: float, power: float = 0.8, level: float = 0.95) -> int:
    """The units of each of two arms, where units have a standard deviation."""
    a, b = reach(power, level)
    return max(2, math.ceil(2 * (a + b) ** 2 * deviation**2 / difference**2 + a * a / 4))


def detected(deviation: float, n: int, power: float = 0.8, level: float = 0.95) -> float:
    """The smallest difference that n pairs detect."""
    a, b = reach(power, level)
    return (a + b) * deviation / math.sqrt(n - a * a / 2)
