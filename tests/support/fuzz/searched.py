"""The answers of searches, explanations and drifts beside the formulas of `oracles`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import oracles
from oracles import change, drift, slices
from support.fuzz.call import Call, Rows
from support.fuzz.told import is_usable

CONDITION = "side = 1"
Line = Iterator[str]


def log_loss(y: int, p: float) -> float:
    return -math.log(p if y else 1 - p)


#: What a row adds to the numerator and the denominator.
ROWS: dict[str, Any] = {
    "log_loss": lambda y, p: (log_loss(y, p), 1),
    "brier": lambda y, p: ((y - p) ** 2, 1),
    "rmse": lambda y, p: ((y - p) ** 2, 1),
    "mae": lambda y, p: (abs(y - p), 1),
    "bias": lambda y, p: (p - y, 1),
    "base_rate": lambda y, p: (y, 1),
    "accuracy(threshold=0.5)": lambda y, p: (y == (p >= 0.5), 1),
    "precision(threshold=0.5)": lambda y, p: (y * (p >= 0.5), p >= 0.5),
    "recall(threshold=0.3)": lambda y, p: (y * (p >= 0.3), y),
    "wape": lambda y, p: (abs(y - p), y),
}
#: What a list adds is its value, and 1 if it has one.
LISTS = ["mrr", "hit_rate@2", "precision@2", "ndcg@3", "map", "recall@2", "gauc(weight=uniform)"]
#: Below this share of the values, a standard error is the rounding of the sums that it is made of.
ROUNDING = 1e-6


def beside(call: Call, answer: Rows, counted: Counter[str]) -> Line:
    """A line for each value that is not the formula's."""
    of = {"find_slices": beside_search, "explain_change": beside_explanation, "drift": beside_drift}
    yield from of[call.function](call, answer, counted)


def is_known(notation: str) -> bool:
    """Whether it is known what a unit adds to a metric."""
    return notation in ROWS or notation in LISTS


def asked_for(call: Call, rows: Rows) -> Rows:
    """The rows of which the condition is true."""
    return [row for row in rows if row["side"] == 1] if "where" in call.facts else rows


def usable(call: Call, rows: Rows) -> Rows:
    """The rows without those that cannot be used."""
    roles = [call.facts.get(role) for role in ("label", "score", "baseline", "candidate", "weight")]
    return [row for row in rows if all(is_usable(row[role]) for role in roles if role)]


def in_units(call: Call, rows: Rows) -> list[Rows]:
    """The rows of each unit; those of a list or of a slice that cannot be used are in it, but add nothing."""
    rows = asked_for(call, rows)
    if "group" not in call.facts:
        return [[row] for row in (rows if call.function == "explain_change" else usable(call, rows))]
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(row["list"], []).append(row)
    return list(found.values())


def added(call: Call, notation: str, unit: Rows, model: str) -> tuple[float, float]:
    """What a unit adds to the numerator and the denominator."""
    unit = usable(call, unit)
    if not unit:
        return 0.0, 0.0
    weights = [row[call.facts["weight"]] if "weight" in call.facts else 1 for row in unit]
    if notation in ROWS:
        parts = [ROWS[notation](row["label"], row[model]) for row in unit]
        n = math.fsum(weight * n for weight, (n, _) in zip(weights, parts, strict=True))
        return n, math.fsum(weight * d for weight, (_, d) in zip(weights, parts, strict=True))
    value = oracles.value(notation, unit, score=model, group="list")
    return (0.0, 0.0) if value is None else (weights[0] * value, float(weights[0]))


def differing(where: str, row: dict[str, Any], expected: dict[str, Any], counted: Counter[str]) -> Line:
    """A line for each cell of a row that differs."""
    for column, value in expected.items():
        counted["values beside formulas"] += 1
        if not near(row[column], value, 1e-6 if "low" in column or "high" in column else 1e-8):
            yield f"{column} of {where}: {row[column]!r}, by the formula {value!r}"


def near(one: Any, other: Any, rel: float = 1e-8) -> bool:
    """Whether two cells are one value, to the digits that sums of squares leave."""
    if not all(isinstance(cell, int | float) for cell in (one, other)):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=rel, abs_tol=1e-11)


def is_rounding(column: str, one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two cells differ by the rounding of sums of squares; an interval without a width is nothing else."""
    if column.endswith(("low", "high", "p_value", "q_value", "confirmed")):
        ends = [name for name in one if name.endswith("low")]
        if any(
            row[low] is None or row[high_of(low)] - row[low] < ROUNDING
            for row in (one, other)
            for low in ends
        ):
            return True
        return column != "confirmed" and near(one[column], other[column], 1e-6)
    return near(one[column], other[column])


def high_of(low: str) -> str:
    """The column of the upper end."""
    return f"{low.removesuffix('low')}high"


# --- find_slices ---


def beside_search(call: Call, answer: Rows, counted: Counter[str]) -> Line:
    """The slices of each metric whose units are known, and their tests."""
    facts, named = call.facts, call.named()
    units = in_units(call, call.rows)
    if not units or not all(map(is_known, named.values())):
        counted["answers without a formula"] += 1
        return
    kinds = {name: "number" if name == "x" else "category" for name in facts["by"]}
    firsts = [{**unit[0], "x": unit[0]["x"] if is_usable(unit[0]["x"]) else None} for unit in units]
    if "x" in kinds and all(first["x"] is None for first in firsts):
        counted["answers without a formula"] += 1
        return
    coded, names = slices.codes(firsts, kinds, facts.get("bins", 10), facts["max_values"])
    models = [facts[role] for role in ("score", "baseline", "candidate") if role in facts]
    halves = halves_of(call, units, coded, models)
    for column, notation in named.items():
        of = [
            slices.Unit(codes, half, len(unit), tuple(added(call, notation, unit, one) for one in models))
            for unit, codes, half in zip(units, coded, halves, strict=True)
        ]
        expected = slices.search(
            of,
            names,
            facts["depth"],
            facts["min_units"],
            facts.get("interval", 0.95),
            notation == "rmse",
        )
        mine = {row["slice"]: row for row in answer if row["metric"] == column}
        yield from beside_slices(notation, mine, expected, len(models) == 2, counted)


def halves_of(call: Call, units: list[Rows], coded: list[Any], models: list[str]) -> list[int]:
    """The half of each unit."""
    if "group" in call.facts:
        ordered = sorted((unit[0]["list"] for unit in units), key=str.encode)
        return [slices.half_of_number(ordered.index(unit[0]["list"]) + 1) for unit in units]
    rows = [row for (row,) in units]
    scores = [tuple(row[model] for model in models) for row in rows]
    read = ["label", *([call.facts["weight"]] if "weight" in call.facts else [])]
    return slices.halves_of_rows(scores, coded, [tuple(row[name] for name in read) for row in rows])


def beside_slices(notation: str, mine: Any, expected: Any, two: bool, counted: Counter[str]) -> Line:
    """The slices of one metric; one whose fate hangs on rounding may be there or not."""
    known = {name for name, one in expected.items() if not one["folded"]}
    shaky = {name for name, one in expected.items() if any(map(is_shaky, one["parents"]))}
    for name in (known ^ mine.keys()) - shaky:
        yield f"{notation}: the slice {name} is {'missing' if name in known else 'there'}"
    for name in sorted(known & mine.keys()):
        one = expected[name]
        cells = {"n_rows": one["n_rows"], "n_units": one["n_units"], "value": one["own"]["value"]}
        cells["rest"] = one["rest"]["value"]
        if two and one["own"]["value"] is not None:
            cells |= dict(zip(("baseline_value", "candidate_value"), one["own"]["values"], strict=True))
        for half, prefix in (("finding", ""), ("confirming", "confirmed_")):
            test = one[half]
            cells[f"{prefix}difference"] = test and test["difference"]
            if not is_shaky(test):
                cells |= {
                    prefix + column: test and test[key]
                    for column, key in (("low", "low"), ("high", "high"), ("p_value", "p"))
                }
        yield from differing(f"{notation}, {name}", mine[name], cells, counted)


def is_shaky(test: dict[str, Any] | None) -> bool:
    """Whether an interval has no width but for rounding, or an end of it lies at 0."""
    if test is None:
        return False
    if test["low"] is None:
        return True
    width = test["high"] - test["low"]
    return width < ROUNDING or min(abs(test["low"]), abs(test["high"])) < ROUNDING * width


# --- explain_change ---


def beside_explanation(call: Call, answer: Rows, counted: Counter[str]) -> Line:
    """The effects of a metric whose units are known."""
    facts, (notation,) = call.facts, call.metrics
    if not is_known(notation):
        counted["answers without a formula"] += 1
        return
    units = []
    for side, rows in sides_of(call):
        for unit in in_units(call, rows):
            n, d = added(call, notation, unit, "score")
            units.append(change.Unit(tuple(unit[0][name] for name in facts["by"]), side, n, d))
    if not all(sum(unit.d for unit in units if unit.period == side) for side in change.SIDES):
        counted["answers without a formula"] += 1
        return
    base = facts.get("base", "midpoint")
    expected = change.explained(units, base, facts.get("interval", 0.95))
    parts = ("mix", "rate", *(("interaction",) if base == "before" else ()), "effect")
    mine = {"all" if row["is_total"] else tuple(row[name] for name in facts["by"]): row for row in answer}
    if mine.keys() != expected.keys():
        yield f"{notation} has the slices {[*mine]}, by the formula {[*expected]}"
        return
    total = mine["all"]
    moved = {"effect": total["value_after"] - total["value_before"]}
    yield from differing(f"{notation}, all values", total, moved, counted)
    for key, row in mine.items():
        of_slice = expected[key]
        cells = {part: of_slice[part] for part in parts}
        for side in change.SIDES:
            cells |= {f"{name}_{side}": of_slice[f"{name}_{side}"] for name in ("share", "value", "n_units")}
        for part in parts:
            ends = [f"{'' if part == 'effect' else part + '_'}{end}" for end in ("low", "high")]
            low, high = (of_slice[end] for end in ends)
            if low is not None and high - low > ROUNDING:
                cells |= dict(zip(ends, (low, high), strict=True))
        yield from differing(f"{notation}, {key}", row, cells, counted)


def sides_of(call: Call) -> list[tuple[str, Rows]]:
    """The rows before and after."""
    if call.tables:
        return [("before", call.tables["reference"]), ("after", call.rows)]
    return [
        (side, [row for row in call.rows if row[call.facts["period"]] == call.facts[side]])
        for side in change.SIDES
    ]


# --- drift ---


def beside_drift(call: Call, answer: Rows, counted: Counter[str]) -> Line:
    """The measures of each column and slice."""
    facts = call.facts
    then, now = (
        [row for row in rows if row["side"] == 1 or "where" not in facts] for _, rows in sides_of(call)
    )
    (by,) = facts.get("by", [None])
    keys = [(by and row[by], bool(row.get("is_total")), row["column_name"]) for row in answer]
    if len(keys) != len({*keys}):
        yield f"rows are there twice: {keys}"
    for (slice_, total, name), row in zip(keys, answer, strict=True):
        sides = [
            [one[name] for one in side if by is None or total or one[by] == slice_] for side in (now, then)
        ]
        number = name in facts["numeric"]
        whole = [[one[name] for one in side] for side in (now, then)]
        bin_of = drift.bins_of_number(*whole, facts["bins"]) if number else None
        cells: dict[str, Any] = {"n_current": len(sides[0]), "n_reference": len(sides[1])}
        cells |= {
            f"n_null_{side}": sum(value is None or (number and not is_usable(value)) for value in values)
            for side, values in zip(("current", "reference"), sides, strict=True)
        }
        measures = drift.of_column(*sides, bin_of) if all(sides) else {}
        cells |= {
            measure: measures.get(measure)
            for measure in ("psi", "jensen_shannon", "hellinger", "total_variation", "chi_square", "ks")
        }
        cells |= {measure: measures.get(measure) for measure in ("wasserstein", "ks_p_value")}
        yield from differing(f"{name} in {slice_ if by and not total else 'all'}", row, cells, counted)
