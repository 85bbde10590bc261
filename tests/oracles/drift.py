"""The measures of `drift` in plain Python: sums over bins, and distribution functions by counting."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

Measures = dict[str, Any]


def of_counts(now: Counter[Hashable], then: Counter[Hashable]) -> Measures:
    """The measures over the values of two counters."""
    n, m = now.total(), then.total()
    shares = [(now[value] / n, then[value] / m) for value in {*now, *then}]
    floored = [((now[value] or 0.5) / n, (then[value] or 0.5) / m) for value in {*now, *then}]
    middles = [(p, q, (p + q) / 2) for p, q in shares]
    divergence = sum(
        (p and p * math.log(p / middle)) + (q and q * math.log(q / middle)) for p, q, middle in middles
    )
    statistic = 0.0
    for value in {*now, *then}:
        both = now[value] + then[value]
        for seen, size in ((now[value], n), (then[value], m)):
            due = both * size / (n + m)
            statistic += (seen - due) ** 2 / due
    return {
        "psi": sum((p - q) * math.log(p / q) for p, q in floored),
        "jensen_shannon": math.sqrt(max(0.0, divergence / 2)),
        "hellinger": math.sqrt(sum((math.sqrt(p) - math.sqrt(q)) ** 2 for p, q in shares) / 2),
        "total_variation": sum(abs(p - q) for p, q in shares) / 2,
        "chi_square": statistic,
    }


def of_numbers(now: Sequence[float], then: Sequence[float]) -> Measures:
    """The greatest distance of two distribution functions, the area between them, and a p-value."""
    now, then = sorted(now), sorted(then)
    values = sorted({*now, *then})

    def gap(x: float) -> float:
        return abs(bisect_right(now, x) / len(now) - bisect_right(then, x) / len(then))

    ks = max(map(gap, values))
    area = sum(gap(x) * (after - x) for x, after in itertools.pairwise(values))
    n = max(1, round(len(now) * len(then) / (len(now) + len(then))))
    return {"ks": ks, "wasserstein": area, "ks_p_value": pelz_good(math.sqrt(n) * ks, n)}


def of_column(now: Sequence[Any], then: Sequence[Any], bins: int = 0, ends: Sequence[float] = ()) -> Measures:
    """All measures of a column; of a number if it has bins, whose ends are those of the whole reference."""

    def code(value: Any) -> Hashable:
        missing = value is None or (bins and not math.isfinite(value))
        return None if missing else bisect_left(ends, value) if bins else value

    found = of_counts(Counter(map(code, now)), Counter(map(code, then)))
    if bins:
        kept = [[x for x in side if x is not None and math.isfinite(x)] for side in (now, then)]
        found |= of_numbers(*kept) if all(kept) else {}
    return found


def pelz_good(z: float, n: int) -> float:
    """Pelz and Good (1976), equation 8 and the two sums below it; far in the tail, Maag and Dicaire (1971)."""
    if z * z >= 10:
        return 2 * math.exp(-((6 * math.sqrt(n) * z + 1) ** 2) / (18 * n))
    if z < 0.12:
        return 1.0
    pi2, root = math.pi**2, math.sqrt(math.pi / 2)
    odd = [(k + 0.5) ** 2 for k in range(-20, 20)]  # over all integers, as in the paper
    even = [k**2 for k in range(-20, 21)]

    def power(j: float) -> float:
        return math.exp(-pi2 * j / (2 * z * z))

    k0 = sum(power(j) for j in odd) * 2 * root / z / 2
    k1 = sum((pi2 * j - z * z) * power(j) for j in odd) * root / (6 * z**4)
    k2 = sum(
        (6 * z**6 + 2 * z**4 + pi2 * (2 * z**4 - 5 * z**2) * j + pi2**2 * (1 - 2 * z**2) * j**2) * power(j)
        for j in odd
    ) * root / (72 * z**7) - sum(pi2 * j * power(j) for j in even) * root / (36 * z**3)
    k3 = (
        sum(
            (
                -30 * z**6
                - 90 * z**8
                + pi2 * (135 * z**4 - 96 * z**6) * j
                + pi2**2 * (-60 * z**2 + 212 * z**4) * j**2
                + pi2**3 * (5 - 30 * z**2) * j**3
            )
            * power(j)
            for j in odd
        )
        * root
        / (6480 * z**10)
    )
    k3 += sum((3 * pi2 * j * z**2 - pi2**2 * j**2) * power(j) for j in even) * root / (216 * z**6)
    return 1 - (k0 + k1 / math.sqrt(n) + k2 / n + k3 / n**1.5)
