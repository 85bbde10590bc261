"""Neyman's allocation of labels by people among slices, and the interval that follows, from their formulas."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from oracles.gold import mean

P = 2**31 - 1


@dataclass(frozen=True)
class Slice:
    """The units of a slice, and the values by people and by the judge of those that people labelled."""

    units: int
    people: Sequence[float]
    judge: Sequence[float]


@dataclass(frozen=True)
class Moments:
    """Mean square of people, mean product with the judge, and mean square of the judge."""

    pp: float
    pj: float
    jj: float

    def power(self) -> float:
        return min(1.0, max(0.0, self.pj / self.jj)) if self.jj > 1e-26 else 0.0

    def left(self, power: float, units: float) -> float:
        """What the judge leaves open, with two units more on which they disagree; at most all of it."""
        left = self.pp - 2 * power * self.pj + power**2 * self.jj
        return min(self.pp, left + 4 * power**2 * self.pp / units)


def moments(of: Slice, about: Slice, free: float) -> Moments:
    """Those of a slice about the means of another one. free: the factor for the degree of freedom of that mean."""
    y, f = mean(about.people), mean(about.judge)
    pairs = [(a - y, b - f) for a, b in zip(of.people, of.judge, strict=True)]
    return Moments(*(free * mean([x[i] * x[j] for x in pairs]) for i, j in ((0, 0), (0, 1), (1, 1))))


def together(slices: Mapping[str, Slice]) -> Slice:
    return Slice(
        sum(each.units for each in slices.values()),
        [x for each in slices.values() for x in each.people],
        [x for each in slices.values() for x in each.judge],
    )


def about_all(slices: Mapping[str, Slice]) -> dict[str, Moments]:
    """The moments of each slice about the means of all; of one with fewer than two labels those of all."""
    whole = together(slices)
    free = len(whole.people) / (len(whole.people) - 1)
    return {
        name: moments(each if len(each.people) > 1 else whole, whole, free) for name, each in slices.items()
    }


def open_sd(slices: Mapping[str, Slice]) -> dict[str, float]:
    """The root of what the judge leaves open in each slice, by the power of all."""
    whole, n = about_all({"": together(slices)})[""], len(together(slices).people)
    return {
        name: math.sqrt(
            of.left(whole.power(), len(slices[name].people) if len(slices[name].people) > 1 else n)
        )
        for name, of in about_all(slices).items()
    }


def labels(slices: Mapping[str, Slice], budget: int) -> dict[str, int]:
    """New labels of each slice: as share times `open_sd`, within bounds by bisection, then rounded by remainders."""
    total, sd = together(slices).units, open_sd(slices)
    few = min(10, budget // len(slices))
    steep = {name: each.units / total * sd[name] for name, each in slices.items()}
    most = {name: each.units - len(each.people) for name, each in slices.items()}
    least = {
        name: max(0, min(each.units, few) - len(each.people)) if len(each.people) < few else 0
        for name, each in slices.items()
    }
    budget = min(budget, sum(most.values()))

    def shared(level: float) -> dict[str, float]:
        return {
            name: min(most[name], max(least[name], level * steep[name] - len(slices[name].people)))
            for name in slices
        }

    low, high = 0.0, total / min(steep.values())
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(shared(middle).values()) < budget else (low, middle)
    wanted = {name: round(x, 9) for name, x in shared(high).items()}
    found = {name: math.floor(x) for name, x in wanted.items()}
    by_remainder = sorted(slices, key=lambda name: (-round(wanted[name] - found[name], 6), name))
    for name in by_remainder[: budget - sum(found.values())]:
        found[name] += 1
    return found


def uniform(slices: Mapping[str, Slice], budget: int) -> dict[str, float]:
    """The new labels of each slice by chance, if all unlabelled units have the same."""
    most = {name: each.units - len(each.people) for name, each in slices.items()}
    return {name: min(budget, sum(most.values())) * x / sum(most.values()) for name, x in most.items()}


def variance(
    slices: Mapping[str, Slice], of: Mapping[str, Moments], n: Mapping[str, float]
) -> tuple[float, float]:
    """The variance of the corrected value with `n` labels in each slice, and its number of independent units."""
    total = together(slices).units
    share = {name: each.units / total for name, each in slices.items()}
    pp, pj, jj = (
        math.fsum(
            share[name] ** 2 * getattr(of[name], part) / n[name]
            - less * share[name] * getattr(of[name], part) / total
            for name in slices
        )
        for part, less in (("pp", 0), ("pj", 1), ("jj", 1))
    )
    units = 1 / math.fsum(share[name] ** 2 / n[name] for name in slices)
    sums = Moments(pp, pj, jj)
    return sums.left(sums.power(), units), units


def drawn(
    keys: Sequence[int], labelled: Sequence[bool], new: int, numbers: Sequence[int], seed: int
) -> set[int]:
    """The keys of one slice that are drawn: those of the least hash, a fifth power modulo a prime.

    Args:
        keys: the units of the slice; labelled: whether people labelled each.
        numbers: the place of each unit among the keys of all slices, from 1.
    """
    factor, offset = pow(seed + 271828182, 5, P), pow(seed + 314159265, 5, P)
    hashes = sorted(
        (pow((number * factor + offset) % P, 5, P), number, key)
        for key, seen, number in zip(keys, labelled, numbers, strict=True)
        if not seen
    )
    return {key for _, _, key in hashes[:new]}
