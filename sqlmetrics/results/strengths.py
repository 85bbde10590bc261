"""Strengths of models from battles: the model of Bradley and Terry (1952), with the ties of Davidson (1970).

With d the difference of two strengths and nu >= 0 the parameter of ties, a win, a loss and a tie have the odds
`exp(d / 2) : exp(-d / 2) : nu`. The log-likelihood is concave in the strengths and log(nu), so that Newton's method
finds its maximum. Without ties nu is 0, and the model is that of Bradley and Terry.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: (model, other model) -> battles won, lost and tied by the first
Cells = Mapping[tuple[int, int], tuple[float, float, float]]
Matrix = list[list[float]]
STEPS = 400  # of Simpson's rule


@dataclass(frozen=True)
class Fit:
    """The maximum of the likelihood: strengths that add up to 0, the log of nu, and the inverse information."""

    strengths: list[float]
    log_nu: float | None  #: None without ties
    covariance: Matrix  #: of the strengths, and of log_nu in the last row and column
    df: int | None = None  #: the degrees of freedom of Student's t; None for the normal distribution

    @property
    def parameters(self) -> int:
        """How many are fitted: strengths, whose sum is fixed, and log_nu."""
        return len(self.covariance) - 1

    def chances(self, i: int, j: int) -> tuple[float, float, float]:
        """The probabilities that i wins, loses and ties against j."""
        return _chances(self.strengths[i] - self.strengths[j], self.log_nu)

    def variance(self, i: int, j: int) -> float:
        """The variance of the difference of two strengths."""
        return self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]


def fitted(n: int, cells: Cells) -> Fit | None:
    """The fit of n models, which have a path of wins or ties to each other; None without a finite maximum."""
    ties = any(tied for _, _, tied in cells.values())
    if ties and not _ties_are_bounded(n, cells):
        return None
    values, size = [0.0] * (n + ties), n + ties
    best = _log_likelihood(values, n, cells)
    for _ in range(200):
        gradient, information = _derivatives(values, n, cells)
        step = solved(information, gradient)
        for _ in range(60):
            tried = [values[i] + step[i] for i in range(size)]
            likelihood = _log_likelihood(tried, n, cells)
            if likelihood >= best - 1e-12 * abs(best):
                break
            step = [part / 2 for part in step]
        values, best = tried, likelihood
        if max(map(abs, step)) < 1e-10:
            break
    mean = math.fsum(values[:n]) / n
    _, information = _derivatives(values, n, cells)
    covariance = inverse(information)
    for i in range(n):  # the ones that make the information of differences regular
        covariance[i][:n] = [value - 1 / n**2 for value in covariance[i][:n]]
    return Fit([value - mean for value in values[:n]], values[n] if ties else None, covariance)


def clustered(fit: Fit, products: Mapping[tuple[int, int], float], number: int) -> Fit:
    """The fit with the sandwich covariance of clusters, times number / (number - 1), and Student's t.

    Derivatives add up to 0 over the clusters, so that the covariance has its rank only with more clusters than
    parameters.

    Args:
        products: for pairs of columns of the information, the first not the greater, the sum over clusters of the
            products of their derivatives.
        number: the number of clusters, more than the parameters.
    """
    size, factor = len(fit.covariance), number / (number - 1)
    meat = [[0.0] * size for _ in range(size)]
    for (i, j), product in products.items():
        meat[i][j] = meat[j][i] = factor * product
    covariance = _product(_product(fit.covariance, meat), fit.covariance)
    return Fit(fit.strengths, fit.log_nu, covariance, number - 1)


def strong_parts(n: int, cells: Cells) -> list[list[int]]:
    """The models in parts: within one, wins or ties lead from each model to each other. The largest is first."""
    beats = [set[int]() for _ in range(n)]
    beaten = [set[int]() for _ in range(n)]
    for (i, j), (won, lost, tied) in cells.items():
        for better, worse, any_of in ((i, j, won + tied), (j, i, lost + tied)):
            if any_of:
                beats[better].add(worse)
                beaten[worse].add(better)
    left, parts = set(range(n)), []
    while left:
        first = min(left)
        part = reached(first, beats) & reached(first, beaten)
        parts.append(sorted(part))
        left -= part
    return sorted(parts, key=lambda part: (-len(part), part))


def linked_parts(n: int, cells: Cells) -> list[list[int]]:
    """The models in parts that have no battle between them."""
    met = [set[int]() for _ in range(n)]
    for i, j in cells:
        met[i].add(j)
        met[j].add(i)
    left, parts = set(range(n)), []
    while left:
        part = reached(min(left), met)
        parts.append(sorted(part))
        left -= part
    return parts


def reached(first: int, edges: Sequence[set[int]]) -> set[int]:
    """What edges lead to, from a first node."""
    found, new = {first}, [first]
    while new:
        more = edges[new.pop()] - found
        found |= more
        new += more
    return found


def rank_bounds(fit: Fit, level: float) -> list[tuple[int, int]]:
    """The least and the greatest rank of each model, simultaneously at a level: Holm's method over all pairs."""
    n = len(fit.strengths)
    tested = []
    for i in range(n):
        for j in range(i):
            difference, variance = fit.strengths[i] - fit.strengths[j], fit.variance(i, j)
            if variance > 0:
                chance = chance_beyond(abs(difference) / math.sqrt(variance), fit.df)
                tested.append((chance, (i, j) if difference > 0 else (j, i)))
    better, worse, pairs = [0] * n, [0] * n, n * (n - 1) // 2
    for place, (chance, (first, second)) in enumerate(sorted(tested)):
        if chance * (pairs - place) > 1 - level:
            break
        worse[first] += 1
        better[second] += 1
    return [(1 + better[i], n - worse[i]) for i in range(n)]


def half_widths(fit: Fit, level: float) -> list[float]:
    """Half the width of the interval of each strength."""
    quantile = _quantile(level, fit.df)
    return [quantile * math.sqrt(max(fit.covariance[i][i], 0.0)) for i in range(len(fit.strengths))]


def chance_beyond(size: float, df: int | None) -> float:
    """The two-sided tail of Student's t, or of the normal distribution: for ranks, to 1e-9.

    With t = sqrt(df) sinh(u) the density is cosh(u)^-df times a constant. Simpson's rule takes it from 0 up to where
    nothing is left.

    >>> round(chance_beyond(12.706204736, 1), 9), round(chance_beyond(1.959963985, None), 9)
    (0.05, 0.05)
    """
    if df is None:
        return math.erfc(size / math.sqrt(2))
    end = min(math.asinh(size / math.sqrt(df)), math.acosh(math.exp(42 / df)))
    width, parts = end / STEPS, []
    for step in range(STEPS + 1):
        weight = 1 if step in (0, STEPS) else 4 if step % 2 else 2
        parts.append(weight * math.cosh(step * width) ** -df)
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    return max(0.0, 1 - 2 * constant * math.fsum(parts) * width / 3)


def _quantile(level: float, df: int | None) -> float:
    """The size that Student's t, or a normal variable, does not pass with a probability of `level`."""
    if df is None:
        from statistics import NormalDist  # which takes longer to import than all of this module

        return NormalDist().inv_cdf((1 + level) / 2)
    low, high = 0.0, 1.0
    while chance_beyond(high, df) > 1 - level:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if chance_beyond(middle, df) > 1 - level else (low, middle)
    return high


def solved(matrix: Matrix, vector: list[float]) -> list[float]:
    """The solution of a positive definite system, by elimination."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for i in range(size):
        own = rows[i] = [value / rows[i][0] for value in rows[i]][1:]
        for j in range(i + 1, size):
            factor, *rest = rows[j]
            rows[j] = [value - factor * other for value, other in zip(rest, own, strict=True)]
    found: list[float] = []
    for row in reversed(rows):
        found.insert(0, row[-1] - math.fsum(map(float.__mul__, row[:-1], found)))
    return found


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        own = rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            factor = rows[j][i]
            if j != i and factor:
                rows[j] = [value - factor * other for value, other in zip(rows[j], own, strict=True)]
    return [row[size:] for row in rows]


def _product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in one]


def _chances(difference: float, log_nu: float | None) -> tuple[float, float, float]:
    powers = [difference / 2, -difference / 2, -math.inf if log_nu is None else log_nu]
    most = max(powers)
    win, loss, tie = (math.exp(power - most) for power in powers)
    total = win + loss + tie
    return win / total, loss / total, tie / total


def _log_likelihood(values: list[float], n: int, cells: Cells) -> float:
    log_nu = values[n] if len(values) > n else -math.inf
    parts = []
    for (i, j), (won, lost, tied) in cells.items():
        half = (values[i] - values[j]) / 2
        most = max(half, -half, log_nu)
        total = math.exp(half - most) + math.exp(-half - most) + math.exp(log_nu - most)
        known = (won - lost) * half + (tied * log_nu if tied else 0)
        parts.append(known - (won + lost + tied) * (most + math.log(total)))
    return math.fsum(parts)


def _derivatives(values: list[float], n: int, cells: Cells) -> tuple[list[float], Matrix]:
    """The gradient and the information. Ones are added to the information of the strengths, whose sum is free."""
    size = len(values)
    log_nu = values[n] if size > n else None
    gradient = [0.0] * size
    information = [[float(i < n and j < n) for j in range(size)] for i in range(size)]
    for (i, j), (won, lost, tied) in cells.items():
        win, loss, tie = _chances(values[i] - values[j], log_nu)
        battles, mean = won + lost + tied, (win - loss) / 2
        more = (won - lost) / 2 - battles * mean
        spread = battles * ((win + loss) / 4 - mean * mean)
        gradient[i] += more
        gradient[j] -= more
        for one, other, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            information[one][other] += sign * spread
        if log_nu is not None:
            gradient[n] += tied - battles * tie
            information[n][n] += battles * tie * (1 - tie)
            for one, sign in ((i, -1), (j, 1)):
                information[one][n] += sign * battles * mean * tie
                information[n][one] += sign * battles * mean * tie
    return gradient, information


def _ties_are_bounded(n: int, cells: Cells) -> bool:
    """Whether nu has a finite maximum: wins and ties make a cycle with more wins than ties.

    Otherwise strengths exist that are apart by 2 or more for each win and by 2 or less for each tie, and the likelihood
    grows for ever along them, with log(nu) as fast. They exist if no cycle of such differences is negative.
    """
    edges = []
    for (i, j), (won, lost, tied) in cells.items():
        edges += [(i, j, -1)] * bool(won) + [(j, i, -1)] * bool(lost) + [(i, j, 1), (j, i, 1)] * bool(tied)
    distances = [0] * n
    for _ in range(n + 1):
        changed = False
        for i, j, length in edges:
            if distances[i] + length < distances[j]:
                distances[j], changed = distances[i] + length, True
        if not changed:
            return False
    return True
