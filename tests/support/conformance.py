"""A case of conformance on an engine: its values beside those of the formulas in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import oracles
import sqlmetrics as sm
from conformance.cases import CASES, Case, Rows
from support import ran
from support.engines import Engine

REL, ABS = 1e-9, 1e-12


def usable(row: dict[str, Any], further: Iterable[str] = ()) -> bool:
    """Whether no role of a row is NULL, NaN or infinite, and no further column."""
    roles = ("label", "score", "list", "item", "predicted", *further)
    values = [row[name] for name in roles if name in row]
    return all(value is not None and (isinstance(value, str) or math.isfinite(value)) for value in values)


def named(case: Case) -> dict[str, str]:
    """The metrics of a case, by the names of their columns."""
    return {f"m{i}": notation for i, notation in enumerate(case.metrics)}


def computed(case: Case, engine: Engine) -> Rows:
    """All metrics of a case, in one statement."""
    tables = {"predictions": case.rows} | ({"judged": case.truth} if case.truth else {}) | case.tables
    statement = sm.render(
        "predictions", named(case), dialect=engine.dialect, by=case.by,
        truth="judged" if case.truth else None,
        **{"label": "label", "score": "score"} | case.facts | {name: name for name in case.tables},
    )  # fmt: skip
    return engine.query(statement, tables)


@cache
def expected(case: str, notation: str, part: Any) -> float | None:
    """What the formula of a metric gives on a slice of a case."""
    case = named_cases()[case]
    further = case.facts.get("class_scores", {}).values()
    rows = [row for row in case.rows if usable(row, further) and (part == "all" or row[case.by] == part)]
    facts = {name: fact for name, fact in case.facts.items() if name != "score_levels"}
    return oracles.value(notation, rows, truth=case.truth, **facts, **case.tables)


@cache
def named_cases() -> dict[str, Case]:
    """Every case by its name."""
    return {case.name: case for case in CASES}


def same(one: float | None, other: float | None) -> bool:
    """Whether two values are one value; only None is the same as None."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=REL, abs_tol=ABS)


def mismatches(case: Case, rows: Rows, asked: dict[str, str], engine: str) -> Iterator[str]:
    """A line for each value that is not the formula's. Each value is reported as checked."""
    for row in rows:
        part = "all" if not case.by or row["is_total"] else row[case.by]
        for column, notation in asked.items():
            got, value = row[column], expected(case.name, notation, part)
            ran.checked(engine, case.name, notation, part, got, value)
            if not same(got, value):
                yield f"{notation} of {part}: {engine} gives {got!r}, the formula {value!r}"
