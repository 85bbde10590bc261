"""Calls over files whose columns show late what they are, beside the same rows in memory."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import sqlmetrics as sm
from support.engines import Engine
from support.fuzz.answers import KEYS, DifferenceError, answered, differing, key_of
from support.fuzz.call import Call, Rows
from support.fuzz.late_files import IDENTITIES, NUMBERS, table, write

FORMATS = ("csv", "tsv", "jsonl", "csv.gz", "jsonl.gz")
#: Columns that may be empty, or no field at all, in the rows before.
OPTIONAL = ("part", "x", "version")
SHARES = st.sampled_from([0.0, 1.0, 0.25, 0.5, 0.125, 1e-5])
PER_ROW = ["auc", "brier", "rmse", "mae", "average_precision", "recall(threshold=0.5)", "base_rate"]
ERRORS = ["rmse", "mae", "r2", "median_absolute_error"]
RATIOS = ["brier", "mae", "recall(threshold=0.5)", "base_rate"]
PER_LIST = ["ndcg@3", "mrr", "recall@2", "gauc", "map"]
SCORED = {"label": "label", "score": "score"}
LISTS = {**SCORED, "group": "list", "item": "item", "ties": "worst"}
CLASSES = {"label": "version", "prediction": "predicted", "on_bad_rows": "drop"}
PERIODS = {"period": "day", "before": "1", "after": "a"}
#: A function, its metrics, what is said of the columns, and the columns of slices among which it may have one.
SHAPES: list[tuple[str, list[str], dict[str, Any], list[str]]] = [
    ("evaluate", PER_ROW, SCORED, ["part", "version", "day"]),
    ("evaluate", ERRORS, {"label": "target", "score": "x", "on_bad_rows": "drop"}, ["part", "version"]),
    ("evaluate", PER_LIST, LISTS, ["day"]),
    ("evaluate", ["accuracy", "kappa", "f1(average=macro)"], CLASSES, ["part", "day"]),
    ("compare", RATIOS, {"label": "label", "baseline": "score", "candidate": "other"}, ["part"]),
    ("per_group", PER_LIST, LISTS, []),
    ("state", PER_ROW, {**SCORED, "period": "day"}, ["part"]),
    ("find_slices", RATIOS, {**SCORED, "by": ["part", "version"], "min_units": 2}, []),
    ("explain_change", RATIOS, {**SCORED, **PERIODS, "by": ["part"]}, []),
    ("drift", [], {"columns": ["x", "score"], "numeric": ["x", "score"], **PERIODS}, ["version"]),
]
CONDITIONS = ["x < 2", "part = 'a'", "version is not null", "score >= 0.25"]


@dataclass(frozen=True)
class Late:
    """A call over a file. The rows of the call are the last of the file."""

    call: Call
    format: str
    missing: frozenset[str]  #: the columns that begin late

    def __repr__(self) -> str:
        return self.written()

    def written(self) -> str:
        """The Python that makes the call and the one beside it, in the folder of tests."""
        named, missing = f"rows.{self.format}", sorted(self.missing)
        made = (
            f"rows = {self.call.rows!r}\nwrite({named!r}, rows, {missing})\n{self.call.written(repr(named))}"
        )
        beside = self.call.written(f"table(rows, {missing})")
        return f"from support.fuzz.late_files import table, write\n{made}\n{beside}"


@st.composite
def lates(draw: st.DrawFn, most: int = 3) -> Late:
    """A call over a file, of which the last rows are drawn."""
    identity = st.sampled_from(IDENTITIES)
    numbers = {"label": st.sampled_from([0.0, 1.0]), "score": SHARES, "other": SHARES}
    numbers |= {"w": st.sampled_from([1.0, 0.5]), "target": st.sampled_from([0.0, 0.5, 2.25])}
    numbers["x"] = st.sampled_from([1.0, 2.5, -0.75, None])
    names = {
        "list": identity,
        "item": identity,
        "part": identity | st.none(),
        "version": identity | st.none(),
    }
    row = st.fixed_dictionaries({**names, **numbers, "day": identity, "predicted": identity})
    rows = draw(st.lists(row, min_size=1, max_size=8, unique_by=lambda row: (row["list"], row["item"])))
    weights = {row["list"]: row["w"] for row in rows}
    rows = [{**row, "w": weights[row["list"]]} for row in rows]
    # a field that no row has is none of a file of JSON lines
    rows[0] |= {
        "day": PERIODS["after"],
        "x": 2.5,
        **{name: rows[0][name] or "a" for name in ("part", "version")},
    }
    missing = frozenset(draw(st.sets(st.sampled_from(OPTIONAL))))
    call = draw(asked(rows, most))
    if call.function == "find_slices":  # where a column of numbers is divided into bins
        rows[0] |= {"part": "a", "version": "it's"}
    if "prediction" in call.facts:  # a number with a fraction is no class
        rows[0] |= {"version": "a", "predicted": "a"}
    if "score" in (call.facts.get("score"), call.facts.get("baseline")) and draw(st.integers(0, 9)) == 7:
        rows[-1]["score"] = "n/a"
    return Late(call, draw(st.sampled_from(FORMATS)), missing)


@st.composite
def asked(draw: st.DrawFn, rows: Rows, most: int) -> Call:
    """A call that reads numbers and identities of the rows."""
    function, known, facts, by = draw(st.sampled_from(SHAPES))
    if by and draw(st.booleans()):
        facts = {**facts, "by": [draw(st.sampled_from(by))]}
    if function not in ("drift", "per_group") and draw(st.integers(0, 2)) == 0:
        facts = {**facts, "weight": "w"}
    if draw(st.integers(0, 3)) == 0:
        facts = {**facts, "where": draw(st.sampled_from(CONDITIONS))}
    most = 1 if function == "explain_change" else most
    metrics = draw(st.lists(st.sampled_from(known), min_size=1, max_size=most, unique=True)) if known else []
    return Call(function, metrics, rows, facts, {}, "dicts")


def check(late: Late, engines: list[Engine], counted: Counter[str] | None = None) -> None:
    """Compares the file with the rows in memory.

    Raises:
        DifferenceError: a value that differs, or an exception that is not ours.
    """
    counted = Counter() if counted is None else counted
    counted["calls"] += 1
    counted["notations"] += len(late.call.metrics)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows.{late.format}"
        write(path, late.call.rows, late.missing)
        found = outcome(late, path, counted)
    if any(isinstance(row[name], str) for row in late.call.rows for name in NUMBERS):
        wrong += [] if isinstance(found, str) else ["a number that is a text is not refused"]
        beside: Rows | str = ""
    else:
        beside = outcome(late, table(late.call.rows, late.missing), counted)
    if isinstance(found, str) or isinstance(beside, str):
        counted["refused"] += 1
        if isinstance(found, str) != isinstance(beside, str) and not wrong:
            wrong.append(f"{found!r:.300}, in memory {beside!r:.300}")
    else:
        wrong += differing_rows(late.call, found, beside, counted)
    counted["differences"] += len(wrong)
    if wrong:
        raise DifferenceError("\n".join([late.written(), *wrong]))


def differing_rows(call: Call, found: Rows, beside: Rows, counted: Counter[str]) -> Iterator[str]:
    """A line for each cell that is not the same in memory."""
    one, other = (named(call, rows) for rows in (found, beside))
    for key in {**one, **other}:
        if len(one.get(key, [])) != len(other.get(key, [])):
            yield f"{len(one.get(key, []))} rows of {key}, in memory {len(other.get(key, []))}"
            continue
        for row, twin in zip(one[key], other[key], strict=True):
            counted["values beside rows in memory"] += len(row)
            yield from differing(call, row, twin, (row.keys() & twin.keys()) - names_of(call))


def named(call: Call, rows: Rows) -> dict[tuple[Any, ...], Rows]:
    """The rows by their names. A column of numbers alone may be numbers: 1 is '1', but two names are two."""
    found: dict[tuple[Any, ...], Rows] = {}
    for row in sorted(rows, key=lambda row: str(key_of(call, row))):
        key = tuple(value_of(row[name]) for name in sorted(names_of(call) & row.keys()))
        found.setdefault(key, []).append(row)
    return found


def names_of(call: Call) -> set[str]:
    """The columns that name a row."""
    return {*call.facts.get("by", ()), *KEYS}


def value_of(name: Any) -> Any:
    """The number that a name is, or its text."""
    if isinstance(name, bool):
        return str(name).lower()
    if isinstance(name, date):  # a column of dates alone
        return name.isoformat()
    try:
        return float(name)
    except (TypeError, ValueError):
        return name


def outcome(late: Late, data: Any, counted: Counter[str]) -> Rows | str:
    """The answer over some data, or the message of its refusal.

    Raises:
        DifferenceError: an exception that is not ours.
    """
    try:
        return answered(late.call, data)
    except sm.SqlMetricsError as error:
        return str(error)
    except Exception as error:
        counted["foreign exceptions"] += 1
        raise DifferenceError(f"{late.written()}\n{type(error).__name__}: {error!s:.500}") from error
