"""The change of a ratio as mix and rate of slices, by the definition; its intervals by the influence of each unit.

The influence of a unit is the derivative of a part of an effect with respect to the unit's weight. It is taken by a
complex step, so that no derivative is written down here.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from oracles.samples import pooled

SIDES = ("before", "after")
STEP = 1e-100  #: of a complex step, which has no rounding

Sums = dict[tuple[Hashable, str], complex]
Parts = dict[Hashable, dict[str, complex]]


class Unit(NamedTuple):
    """A row or list: its slice, its period, and what it adds to the numerator and the denominator."""

    slice: Hashable
    period: str
    n: float
    d: float


def sums(units: list[Unit]) -> tuple[Sums, Sums, list[Hashable]]:
    """The sums of numerators and of denominators by slice and period, and the slices."""
    n: Sums = {}
    d: Sums = {}
    for unit in units:
        key = unit.slice, unit.period
        n[key], d[key] = n.get(key, 0) + unit.n, d.get(key, 0) + unit.d
    return n, d, list(dict.fromkeys(unit.slice for unit in units))


def parts(n: Sums, d: Sums, slices: list[Hashable], base: str) -> Parts:
    """mix, rate, interaction and effect of each slice, and under "all" their sums."""
    whole_d = {side: sum(d.get((one, side), 0) for one in slices) for side in SIDES}
    whole = {side: sum(n.get((one, side), 0) for one in slices) / whole_d[side] for side in SIDES}
    found: Parts = {}
    for one in slices:
        share = {side: d.get((one, side), 0) / whole_d[side] for side in SIDES}
        value = {side: n[one, side] / d[one, side] for side in SIDES if d.get((one, side), 0) != 0}
        # what a slice adds whose divisor is 0, so that it has neither a value nor a share; a change of it is mix
        left = {side: 0 if side in value else n.get((one, side), 0) / whole_d[side] for side in SIDES}
        first, second = value.get("before", value.get("after", 0)), value.get("after", value.get("before", 0))
        moved, rise = share["after"] - share["before"], second - first
        if base == "midpoint":
            mix = moved * ((first + second) / 2 - (whole["before"] + whole["after"]) / 2)
            rate, interaction = (share["before"] + share["after"]) / 2 * rise, 0.0
        else:
            mix = moved * (first - whole["before"])
            rate, interaction = share["before"] * rise, moved * rise
        mix += left["after"] - left["before"]
        found[one] = {
            "mix": mix,
            "rate": rate,
            "interaction": interaction,
            "effect": mix + rate + interaction,
        }
    found["all"] = {part: sum(found[one][part] for one in slices) for part in next(iter(found.values()))}
    return found


def explained(units: list[Unit], base: str, level: float = 0.95) -> dict[Hashable, dict[str, Any]]:
    """The rows of the result by slice, the total under "all"."""
    n, d, slices = sums(units)
    estimates, influences = parts(n, d, slices, base), _influences(units, n, d, slices, base)
    rows: dict[Hashable, dict[str, Any]] = {}
    for one in [*slices, "all"]:
        row: dict[str, Any] = {part: value.real for part, value in estimates[one].items()}
        for side in SIDES:
            own = [unit for unit in units if unit.period == side and one in (unit.slice, "all")]
            all_d = sum(unit.d for unit in units if unit.period == side)
            own_d = sum(unit.d for unit in own)
            row[f"n_units_{side}"] = sum(unit.d != 0 for unit in own)
            row[f"share_{side}"] = own_d / all_d
            row[f"value_{side}"] = sum(unit.n for unit in own) / own_d if own_d else None
        for part in estimates[one]:
            pulled = [influence[one, part] for influence in influences]
            reach = _reach(units, pulled, one, part, level)
            prefix = "" if part == "effect" else f"{part}_"
            row[f"{prefix}low"] = None if reach is None else row[part] - reach
            row[f"{prefix}high"] = None if reach is None else row[part] + reach
        rows[one] = row
    return rows


def _influences(
    units: list[Unit], n: Sums, d: Sums, slices: list[Hashable], base: str
) -> list[dict[tuple[Hashable, str], float]]:
    known: dict[Unit, dict[tuple[Hashable, str], float]] = {}
    for unit in units:
        if unit not in known:
            key = unit.slice, unit.period
            moved = parts(
                {**n, key: n[key] + 1j * STEP * unit.n}, {**d, key: d[key] + 1j * STEP * unit.d}, slices, base
            )
            known[unit] = {
                (one, part): complex(value).imag / STEP
                for one, values in moved.items()
                for part, value in values.items()
            }
    return [known[unit] for unit in units]


def _reach(units: list[Unit], pulled: list[float], one: Hashable, part: str, level: float) -> float | None:
    """Half of an interval: Student's t with the degrees of freedom of Satterthwaite, over samples of units.

    Of the units inside, both periods are pooled where that is wider, but for the mix; see `error_and_df`.
    """
    from scipy import stats

    variances, inner, shares = [], [], []
    for side in SIDES:
        of_side = [(unit, pull) for unit, pull in zip(units, pulled, strict=True) if unit.period == side]
        size = _effective([unit for unit, _ in of_side])
        for inside in (True, False):
            found = [(unit, pull) for unit, pull in of_side if (one in (unit.slice, "all")) == inside]
            squares = sum(pull**2 for _, pull in found)
            members = _effective([unit for unit, _ in found])
            if squares < 1e-25:
                squares = 0.0
            elif size < 2 or members < 2:
                return None
            else:
                variances.append((squares * size / (size - 1), members - 1))
            if inside and members:
                inner.append((squares * size / (size - 1) if squares else 0.0, members))
                shares.append(sum(unit.d for unit, _ in found) / sum(unit.d for unit, _ in of_side))
    total = sum(variance for variance, _ in variances)
    if total == 0:
        return None
    df = total**2 / sum(variance**2 / freedom for variance, freedom in variances)
    if len(inner) == 2 and part != "mix" and sum(n for _, n in inner) > 2:
        (first, n_first), (second, n_second) = inner
        scales = (shares[0], shares[1]) if part == "effect" else (1.0, 1.0)
        total += max(0, pooled(first, n_first, second, n_second, scales) - first - second)
    return float(stats.t.ppf((1 + level) / 2, df) * total**0.5) if df >= 1 else None


def _effective(units: list[Unit]) -> float:
    """Kish's number of units of equal size."""
    squares = sum(unit.d**2 for unit in units)
    return sum(unit.d for unit in units) ** 2 / squares if squares else 0.0
