"""A score that says who gains by a treatment, by the curves themselves: those of the score and the perfect ones."""

from collections.abc import Callable
from fractions import Fraction
from itertools import groupby, pairwise

from oracles.observations import Observation, ratio

Rows = list[Observation]
Value = float | None
Counts = dict[tuple[bool, bool], Fraction]  #: the weight of rows by arm and label
ARMS = [(arm, positive) for arm in (True, False) for positive in (True, False)]


def counts(rows: Rows, treatment: str) -> Counts:
    found = dict.fromkeys(ARMS, Fraction(0))
    for row in rows:
        found[row.cells[treatment] == 1, row.positive] += Fraction(row.weight)
    return found


def treated_and_others(n: Counts) -> tuple[Fraction, Fraction]:
    return n[True, True] + n[True, False], n[False, True] + n[False, False]


def qini_height(n: Counts) -> Fraction:
    """Radcliffe (2007): R_t - R_c N_t / N_c; nothing is subtracted before the first row of the control."""
    treated, others = treated_and_others(n)
    return n[True, True] - (n[False, True] * treated / others if others else 0)


def uplift_height(n: Counts) -> Fraction:
    """Devriendt et al. (2020): (R_t / N_t - R_c / N_c) (N_t + N_c)."""
    shares = [
        n[arm, True] / of if of else 0 for arm, of in zip((True, False), treated_and_others(n), strict=True)
    ]
    return (shares[0] - shares[1]) * sum(n.values())


def curve(steps: list[Counts], height: Callable[[Counts], Fraction]) -> list[tuple[Fraction, Fraction]]:
    """The points of a curve whose levels, from the top, have these counts."""
    n = dict.fromkeys(ARMS, Fraction(0))
    points = [(Fraction(0), Fraction(0))]
    for step in steps:
        n = {key: n[key] + step[key] for key in ARMS}
        points.append((sum(n.values()), height(n)))
    return points


def area(points: list[tuple[Fraction, Fraction]]) -> Fraction:
    return sum(((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points)), Fraction(0))


def levels(rows: Rows, treatment: str) -> list[Counts]:
    down = sorted((row for row in rows if row.weight), key=lambda row: -row.score)
    return [counts(list(level), treatment) for _, level in groupby(down, key=lambda row: row.score)]


Orders = list[list[tuple[bool, bool]]]
Height = Callable[[Counts], Fraction]


def areas(rows: Rows, treatment: str, height: Height, order: Orders) -> tuple[Fraction, Fraction, Fraction]:
    """Those of the score, of the perfect order, which is levels of arms and labels, and of a random one."""
    n = counts(rows, treatment)
    found = curve(levels(rows, treatment), height)
    best = curve([{key: n[key] if key in level else Fraction(0) for key in ARMS} for level in order], height)
    return area(found), area(best), area([found[0], found[-1]])


def over_perfect(rows: Rows, treatment: str, height: Height, order: Orders) -> Value:
    """The area above the line of a random order, over that of the perfect order."""
    if not all(treated_and_others(counts(rows, treatment))):
        return None
    found, best, random = areas(rows, treatment, height, order)
    value = ratio(found - random, best - random)
    return None if value is None else float(value)


def order_of_qini(rows: Rows, treatment: str) -> Orders:
    return [[(True, True)], [(True, False), (False, False)], [(False, True)]]


def order_of_auuc(rows: Rows, treatment: str) -> Orders:
    """scikit-uplift: of positive control and negative treated rows, the larger group comes first."""
    n = counts(rows, treatment)
    last = [[(False, True)], [(True, False)]]
    last = last if n[False, True] > n[True, False] else last[::-1]
    return [[(True, True)], [(False, False)], *last]


def qini(rows: Rows, treatment: str) -> Value:
    return over_perfect(rows, treatment, qini_height, order_of_qini(rows, treatment))


def auuc(rows: Rows, treatment: str) -> Value:
    return over_perfect(rows, treatment, uplift_height, order_of_auuc(rows, treatment))


def rounding(name: str, rows: Rows, treatment: str) -> float:
    """How far the rounding of its areas can move a value of qini or auuc, which is a share of their difference."""
    height, order = {"qini": (qini_height, order_of_qini), "auuc": (uplift_height, order_of_auuc)}[name]
    found, best, random = areas(rows, treatment, height, order(rows, treatment))
    size = max(abs(found), abs(best), abs(random))
    return float(size / abs(best - random) * max(1, abs((found - random) / (best - random)))) * 1e-15


def uplift(rows: Rows, treatment: str, share: float = 0.3) -> Value:
    """The difference of the positive shares in the top rows; a level that is cut gives a part of each count."""
    found = levels(rows, treatment)
    left = Fraction(repr(share)) * sum((sum(level.values()) for level in found), Fraction(0))
    top = dict.fromkeys(ARMS, Fraction(0))
    for level in found:
        size = sum(level.values())
        part = min(max(left / size, Fraction(0)), Fraction(1))
        top = {key: top[key] + part * level[key] for key in ARMS}
        left -= size
    shares = [
        ratio(top[arm, True], of) for arm, of in zip((True, False), treated_and_others(top), strict=True)
    ]
    return None if None in shares else float(shares[0] - shares[1])


METRICS = (qini, auuc, uplift)
