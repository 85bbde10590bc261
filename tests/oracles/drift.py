"""The measures of `drift` in plain Python: sums over bins, and distribution functions by counting."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any

Measures = dict[str, Any]
Bin = Callable[[Any], Hashable]


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


def moments_of_chi_square(sizes: Sequence[int], n: int, m: int) -> tuple[float, float]:
    """The mean and variance of the statistic over all ways to deal rows of bins of these sizes."""
    rows, bins = n + m, len(sizes)
    if rows < 4:
        return bins - 1, 0.0
    v1 = (rows - 2) / (rows - 1)
    v2 = (bins - 1) * (rows - bins) / (rows - 1)
    w1 = (rows / n + rows / m - 4) / (rows - 2)
    w2 = (sum(rows / size for size in sizes) - bins**2) / (rows - 2)
    variance = 2 * rows / (rows - 3) * (v1 - w1) * (v2 - w2) + rows**2 / (rows - 1) * w1 * w2
    return (bins - 1) * rows / (rows - 1), variance


def tested(now: Counter[Hashable], then: Counter[Hashable]) -> tuple[float, float] | None:
    """The statistic as a chi-square variable of the same mean and variance, with its degrees of freedom."""
    sizes = [now[value] + then[value] for value in {*now, *then}]
    mean, variance = moments_of_chi_square(sizes, now.total(), then.total())
    if variance <= 1e-9 * mean * mean:
        return None
    scale = 2 * mean / variance
    return of_counts(now, then)["chi_square"] * scale, mean * scale


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


def bins_of_number(now: Sequence[Any], then: Sequence[Any], bins: int) -> Bin:
    """The bin of each number, made of the whole of both sides: values where there are few, else edges of quantiles."""
    numbers = {x for x in (*now, *then) if usable(x)}
    if len(numbers) <= max(bins, 20):
        return lambda x: x
    known = sorted(filter(usable, then))
    edges = [known[math.ceil(i * len(known) / bins) - 1] for i in range(1, bins)] if known else []

    def bin_of(x: float) -> Hashable:
        """The edge that ends the bin; an edge that repeats is a bin, and the numbers below it are another."""
        edge = next((edge for edge in edges if x <= edge), math.inf)
        return edge, edges.count(edge) > 1 and x < edge

    return bin_of


def usable(x: Any) -> bool:
    return x is not None and math.isfinite(x)


def of_column(now: Sequence[Any], then: Sequence[Any], bin_of: Bin | None = None) -> Measures:
    """All measures of a column; of a number if it has bins, those of all slices (`bins_of_number`)."""
    if bin_of is None:
        return of_counts(Counter(now), Counter(then))
    found = of_counts(*(Counter(bin_of(x) if usable(x) else None for x in side) for side in (now, then)))
    kept = [[*filter(usable, side)] for side in (now, then)]
    return found | (of_numbers(*kept) if all(kept) else {})


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
