"""The search of slices by brute force: every slice unit by unit, the halves by the hash, Welch's t, and the folding."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from oracles.samples import error_and_df

PRIME = 2**31 - 1
Row = dict[str, Any]


class Unit(NamedTuple):
    """A row or list: its codes, its half, its rows, and n and d of each model."""

    codes: tuple[int, ...]
    half: int
    rows: int
    parts: tuple[tuple[float, float], ...]


def bin_edges(values: list[Any], bins: int) -> list[Any]:
    """For each share i / bins the least value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return [ordered[math.ceil(i * len(ordered) / bins) - 1] for i in range(1, bins)]


def printed(x: float) -> str:
    """The shortest text that is this number again, as 2 of 2.0 and of -0.0 as 0."""
    return repr(x + 0).removesuffix(".0")


def codes(
    rows: list[Row], by: dict[str, str], bins: int, most: int
) -> tuple[list[tuple[int, ...]], list[Any]]:
    """The codes of each row by column and kind, and for each column the names by code."""
    columns, names = [], []
    for name, kind in by.items():
        values = [row[name] for row in rows]
        known = [value for value in values if value is not None]
        if kind == "number" and len(set(known)) <= max(bins, 20):
            few = sorted(set(known))
            found = [0 if x is None else few.index(x) + 1 for x in values]
            named = {0: f"{name} is null"} | {i: f"{name} = {printed(x)}" for i, x in enumerate(few, 1)}
        elif kind == "number":
            edges = bin_edges(known, bins)
            found = [
                0 if x is None else next((i for i, e in enumerate(edges, 1) if x <= e), bins) for x in values
            ]
            named = {
                0: f"{name} is null",
                1: f"{name} <= {printed(edges[0])}",
                bins: f"{name} > {printed(edges[-1])}",
            }
            named |= {
                i: f"{name} in ({printed(edges[i - 2])}, {printed(edges[i - 1])}]" for i in range(2, bins)
            }
        else:
            counts = Counter(known)
            kept = sorted(counts, key=lambda value: (-counts[value], value.encode()))[:most]
            of = {value: i for i, value in enumerate(kept, 1)}
            found = [0 if x is None else of.get(x, most + 1) for x in values]
            named = {0: f"{name} is null", most + 1: f"{name} = (other)"}
            named |= {code: f"{name} = {value}" for value, code in of.items()}
        columns.append(found)
        names.append(named)
    return list(zip(*columns, strict=True)), names


def mixed(hashed: int, number: int) -> int:
    return (hashed * 48271 + number) % PRIME


def half(start: int) -> int:
    return 1 if pow(start, 5, PRIME) < 1073741823 else 2


def integer_of(x: float) -> int:
    whole = math.floor(x)
    return math.floor((x - whole) * 2147483646) + (7 * (whole + 10**9) if abs(x) < 10**9 else 0)


def halves_of_rows(
    scores: list[tuple[float, ...]], coded: list[tuple[int, ...]], rest: list[Any]
) -> list[int]:
    """The half of each row: a hash of scores, codes, and its number among rows that share them, ordered by rest."""
    found, copies = [0] * len(scores), Counter[Any]()
    for i in sorted(range(len(scores)), key=lambda i: rest[i]):
        key = (scores[i], coded[i])
        copies[key] += 1
        hashed = 1
        for score in scores[i]:
            hashed = mixed(hashed, integer_of(score))
        for first in range(0, len(coded[i]), 4):
            hashed = mixed(
                hashed, sum(code * 1002**place for place, code in enumerate(coded[i][first : first + 4]))
            )
        found[i] = half(mixed(hashed, copies[key]))
    return found


def half_of_number(number: int) -> int:
    """The half of a list (or, for AUC, of a row) from its number."""
    return half(mixed(number, 314159265))


def measured(units: list[Unit], root: bool) -> dict[str, Any]:
    """The values of the models in some units, their difference, its squared standard error, and the units behind it."""
    values, pulls = [], [0.0] * len(units)
    size = squares = 0.0
    for model in range(len(units[0].parts)) if units else ():
        size = math.fsum(unit.parts[model][1] for unit in units)
        if not size:
            return {"value": None}
        ratio = math.fsum(unit.parts[model][0] for unit in units) / size
        slope = 1.0 if not root else 1 / (2 * math.sqrt(ratio)) if ratio else math.nan
        sign = 1 if model == len(units[0].parts) - 1 else -1
        values.append(math.sqrt(ratio) if root else ratio)
        pulls = [
            pull + sign * slope * (unit.parts[model][0] - ratio * unit.parts[model][1]) / size
            for pull, unit in zip(pulls, units, strict=True)
        ]
        squares = math.fsum(unit.parts[model][1] ** 2 for unit in units)
    if not values:
        return {"value": None}
    effective = size**2 / squares
    variance = effective / (effective - 1) * math.fsum(pull**2 for pull in pulls) if effective >= 2 else None
    variance = None if variance is None or math.isnan(variance) else variance  # a root has no slope at 0
    value = values[0] if len(values) == 1 else values[1] - values[0]
    return {"value": value, "values": values, "size": size, "effective": effective, "variance": variance}


def compared(own: dict[str, Any], other: dict[str, Any], level: float) -> dict[str, Any] | None:
    """Welch's t of two disjoint sets, by the larger of its error and the pooled one; None if one has no value.

    Where neither set varies, the error is that of the difference if all units are dealt to both sets anew.
    """
    from scipy import stats

    if own["value"] is None or other["value"] is None:
        return None
    found = {"difference": own["value"] - other["value"], "low": None, "high": None, "p": None}
    if own["variance"] is None or other["variance"] is None:
        return found
    noise = 1e-12 * (abs(own["value"]) + abs(other["value"]))
    error, df = 0.0, math.nan
    if own["variance"] + other["variance"]:
        error, df = error_and_df(own["variance"], own["effective"], other["variance"], other["effective"])
    if error <= noise:
        if abs(found["difference"]) <= noise:
            return found
        both = own["effective"] + other["effective"]
        error, df = abs(found["difference"]) / math.sqrt(both), both - 2
    reach = stats.t.ppf((1 + level) / 2, df) * error
    low, high = found["difference"] - reach, found["difference"] + reach
    return found | {"low": low, "high": high, "p": 2 * stats.t.sf(abs(found["difference"]) / error, df)}


def mirrored(units: list[Unit], names: list[dict[int, str]], place: int) -> list[tuple[int, ...]]:
    """Of a column with two values the slice of the first, as the other says the same; NULL and others first."""
    codes = {unit.codes[place] for unit in units}
    if len(codes) != 2:
        return []
    first = min(codes, key=lambda code: (not names[place][code].endswith("= (other)"), code))
    return [tuple(first if i == place else -1 for i in range(len(names)))]


def largest_share(units: list[Unit]) -> float | None:
    """The largest part of a unit in the sizes of n, of two models the candidate's less the baseline's, and of d."""
    added = [unit.parts[-1][0] - (unit.parts[0][0] if len(unit.parts) == 2 else 0) for unit in units]
    sizes = [added, *([unit.parts[model][1] for unit in units] for model in range(len(units[0].parts)))]
    return max((max(map(abs, size)) / math.fsum(map(abs, size)) for size in sizes if any(size)), default=None)


def search(
    units: list[Unit],
    names: list[dict[int, str]],
    depth: int = 2,
    min_units: int = 200,
    level: float = 0.95,
    root: bool = False,
    counts: Callable[[Unit], bool] = lambda unit: any(d for _, d in unit.parts),
) -> dict[str, dict[str, Any]]:
    """Every slice that is looked at, by its name, with `folded`, its tests beside those that hold it, and `q`."""
    from scipy import stats

    found = {}
    open_ = [-1] * len(names)
    keys = {
        tuple(unit.codes[i] if i in chosen else -1 for i in range(len(names)))
        for unit in units
        for size in range(1, depth + 1)
        for chosen in itertools.combinations(range(len(names)), size)
    }

    def of(key: tuple[int, ...]) -> set[int]:
        return {
            i
            for i, unit in enumerate(units)
            if all(k in (-1, c) for k, c in zip(key, unit.codes, strict=True))
        }

    def in_half(chosen: set[int], half: int) -> dict[str, Any]:
        return measured([units[i] for i in sorted(chosen) if units[i].half == half], root)

    everything = set(range(len(units)))
    mirrors = {mirror for place in range(len(names)) for mirror in mirrored(units, names, place)}
    for key in keys:
        own = of(key)
        rest = everything - own
        if key in mirrors or min(sum(counts(units[i]) for i in side) for side in (own, rest)) < min_units:
            continue
        folded, parents = False, []
        for place, code in enumerate(key):
            parent = (*key[:place], -1, *key[place + 1 :])
            looked = len(everything - of(parent)) >= min_units
            if code >= 0 and list(parent) != open_ and looked:
                test = compared(in_half(own, 1), in_half(of(parent) - own, 1), level)
                parents.append(test)
                folded |= test is None or test["low"] is None or test["low"] <= 0 <= test["high"]
        name = " and ".join(names[place][code] for place, code in enumerate(key) if code >= 0)
        finding, confirming = (compared(in_half(own, half), in_half(rest, half), level) for half in (1, 2))
        sizes = [sum(in_half(side, half).get("size", 0) for half in (1, 2)) for side in (own, rest)]
        found[name] = {
            "own": in_half(own, 1), "rest": in_half(rest, 1), "finding": finding, "confirming": confirming,
            "folded": folded, "parents": parents, "n_rows": sum(units[i].rows for i in own),
            "n_units": sum(counts(units[i]) for i in own), "share": sizes[0] / sum(sizes),
            "largest": largest_share([units[i] for i in own]),
        }  # fmt: skip
    tested = [name for name, one in found.items() if one["finding"] and one["finding"]["p"] is not None]
    adjusted = (
        stats.false_discovery_control([found[name]["finding"]["p"] for name in tested]) if tested else []
    )
    for one in found.values():
        one["q"] = None
    for name, q in zip(tested, adjusted, strict=True):
        found[name]["q"] = float(q)
    return found
