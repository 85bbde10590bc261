"""The answer of DuckDB to a call, and whether the formulas and another engine give the same."""

from __future__ import annotations

import math
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

import oracles
import sqlmetrics as sm
from sqlmetrics.errors import printable
from support.conformance import same
from support.engines import Engine
from support.fuzz import searched
from support.fuzz.call import Call, Rows
from support.fuzz.notations import SEARCHES, rendered
from support.fuzz.told import facts_of, rows_of

#: What names a row of an answer, beside the columns of by=.
KEYS = ("is_total", "model", "metric", "candidate", "list", "slice", "column_name")
#: What is never missing in a row of an answer.
NAMES = {"find_slices": "slice", "class_report": "class", "confusion_matrix": "label"}


#: The weight of lists in a notation. A list alone counts whatever its weight is.
WEIGHT = re.compile(r"(?<!_)weight=\w+")


class DifferenceError(AssertionError):
    """An answer that is wrong, and the call that gets it."""


def check(call: Call, engines: list[Engine], counted: Counter[str] | None = None) -> None:
    """Compares the answer of DuckDB to a call with the formulas and with other engines.

    Args:
        counted: what was compared, by kind.

    Raises:
        DifferenceError: a value that differs or is NaN, or an exception that is not ours.
    """
    counted = Counter() if counted is None else counted
    counted["calls"] += 1
    counted["notations"] += len(call.metrics)
    try:
        answer = answered(call)
    except sm.SqlMetricsError as error:
        counted["refused"] += 1
        message = str(error)
        if message != printable(message) or "sm_" in message:
            raise DifferenceError(
                f"{call.written()}\nthe error is not one line in words of the user: {error!r}"
            ) from None
        return
    except Exception as error:
        counted["foreign exceptions"] += 1
        raise DifferenceError(f"{call.written()}\n{type(error).__name__}: {error!s:.500}") from error
    wrong = [*strange(call, answer, counted), *beside_formulas(call, answer, counted)]
    for engine in engines if call.plain else ():
        wrong += beside_engine(call, answer, engine, counted)
    counted["differences"] += len(wrong)
    if wrong:
        raise DifferenceError("\n".join([call.written(), *wrong]))


def answered(call: Call, data: Any = None) -> Rows:
    """The rows of DuckDB's answer with their counts; `data` takes the place of the rows of the call."""
    with tempfile.TemporaryDirectory() as folder:
        data = formed(call, Path(folder)) if data is None else data
        facts = {**call.facts, **call.tables}
        if call.function == "state":
            state = sm.state(data, call.named(), **facts)
            return sm.finish(state, call.named(), by=facts.get("by")).to_dicts()
        return getattr(sm, call.function)(*call.placed(data), **facts).to_dicts()


def formed(call: Call, folder: Path) -> Any:
    """The rows in the form of the call."""
    if call.form == "dicts":
        return call.rows
    if call.form in ("pandas", "polars"):
        library = __import__(call.form)
        return library.DataFrame(call.rows)
    table = pyarrow.Table.from_pylist(call.rows)
    if call.form == "arrow":
        return table
    pyarrow.parquet.write_table(table, folder / "rows.parquet")
    return folder / "rows.parquet"


def strange(call: Call, answer: Rows, counted: Counter[str]) -> Iterator[str]:
    """A line for each NaN and infinity."""
    for row in answer:
        for column, value in row.items():
            if isinstance(value, float) and not math.isfinite(value) and not is_open_end(call, value):
                counted["NaN"] += 1
                yield f"{column} of {key_of(call, row)} is {value}"


def is_open_end(call: Call, value: float) -> bool:
    """Whether a value is the threshold above all scores, with which a curve begins."""
    return call.function == "curve" and value == math.inf


def key_of(call: Call, row: dict[str, Any]) -> tuple[str, ...]:
    """What names a row."""
    names = (*(call.facts.get("by") or ()), *KEYS)
    return tuple(
        f"{int(cell) if isinstance(cell, bool) else cell}" for cell in (row.get(name) for name in names)
    )


# --- the formulas ---


def beside_formulas(call: Call, answer: Rows, counted: Counter[str]) -> Iterator[str]:
    """A line for each value that is not the formula's."""
    if call.function in SEARCHES:
        yield from searched.beside(call, answer, counted)
        return
    if call.function == "curve" or not call.plain:
        return
    for row in answer:
        for column, notation, model in values_of(call, row):
            if not has_formula(call, notation):
                counted["values without a formula"] += 1
                continue
            rows = rows_of(call, row, model)
            try:
                value = oracles.value(notation, rows, **facts_of(call, row, model))
            except ValueError as error:
                if "orders of the tied items" in str(error):
                    counted["too many orders"] += 1
                    continue
                raise DifferenceError(f"{call.written()}\nthe formula of {notation}: {error!r}") from error
            except Exception as error:
                raise DifferenceError(f"{call.written()}\nthe formula of {notation}: {error!r}") from error
            counted["values beside formulas"] += 1
            if not same(row[column], value) and not is_lost(call, notation, row, column, value, model):
                yield f"{notation} of {key_of(call, row)}: {column} is {row[column]!r}, by the formula {value!r}"


def is_lost(
    call: Call, notation: str, row: dict[str, Any], column: str, value: float | None, model: str | None
) -> bool:
    """Whether a value differs from the formula's by the rounding of areas that nearly cancel."""
    name, params = oracles.parse(notation)
    if name not in ("qini", "auuc") or row[column] is None or value is None:
        return False
    weight = call.facts.get("weight")
    seen = [
        oracles.Observation(one["label"] == 1, one["label"], one[model], one[weight] if weight else 1, one)
        for one in rows_of(call, row, model)
    ]
    return abs(row[column] - value) <= oracles.uplift.rounding(name, seen, **params)


def values_of(call: Call, row: dict[str, Any]) -> Iterator[tuple[str, str, str | None]]:
    """The columns of a row that have a formula: the column, its notation and the column of the score."""
    if call.function == "compare":
        notation = call.named()[row["metric"]]
        if row["n_unpaired"] == 0 and row["baseline_value"] is not None and "group" not in call.facts:
            yield "baseline_value", notation, call.facts["baseline"]
            yield "candidate_value", notation, call.facts["candidate"]
        return
    score = call.facts.get("score")
    model = score[row["model"]] if isinstance(score, dict) else score
    for column, notation in call.named().items():
        yield column, of_a_list(notation) if call.function == "per_group" else notation, model


def of_a_list(notation: str) -> str:
    """A list has one value, whatever its share in an average of lists; in gauc that is its rows, unless it is said."""
    notation = WEIGHT.sub("weight=uniform", notation).replace("average=micro", "average=mean")
    if notation.startswith("gauc") and "weight=" not in notation:
        return (
            notation.replace("gauc(", "gauc(weight=uniform,") if "(" in notation else "gauc(weight=uniform)"
        )
    return notation


def has_formula(call: Call, notation: str) -> bool:
    """Whether a formula knows what is asked: those of weights of items know no weights of lists."""
    options = ("on_empty", "on_missing", "(weight", " weight", "log_base")
    if "item_weight" not in notation and not notation.startswith(oracles.item_weights.OF_CLICKS):
        return True
    return "weight" not in call.facts and not any(option in notation for option in options)


# --- another engine ---


def beside_engine(call: Call, answer: Rows, engine: Engine, counted: Counter[str]) -> Iterator[str]:
    """A line for each value that another engine gives differently; a column of NULLs alone has no type there."""
    if "prediction" in call.facts and any(
        all(row[name] is None for row in call.rows) for name in ("label", call.facts["prediction"])
    ):
        counted["classes without a type"] += 1
        return
    facts = {**call.facts, **{name: name for name in call.tables}}
    metrics = {"m0": call.metrics[0]} if call.function in ("curve", "explain_change") else call.named()
    statement = rendered(call.function, metrics, facts, engine.dialect)
    try:
        found = engine.query(statement, {"predictions": call.rows, **call.tables})
    except Exception as error:
        counted["errors of engines"] += 1
        yield f"{engine.name}: {type(error).__name__}: {error!s:.300}"
        return
    if call.function in NAMES:  # a row without a name has the counts alone, where there is nothing to name
        found = [row for row in found if row[NAMES[call.function]] is not None]
    here, there = by_key(call, answer), by_key(call, found)
    if here.keys() != there.keys():
        yield f"{engine.name} has the rows {sorted(there)}, DuckDB {sorted(here)}"
        return
    for key, rows in here.items():
        if len(rows) != len(there[key]):
            yield f"{engine.name} has {len(there[key])} rows of {key}, DuckDB {len(rows)}"
        for one, other in zip(rows, there[key], strict=False):
            columns = one.keys() & other.keys()
            counted[f"values beside {engine.name}"] += len(columns)
            for line in differing(call, one, other, columns):
                yield f"{line} on {engine.name}"


def differing(
    call: Call, one: dict[str, Any], other: dict[str, Any], columns: Iterable[str]
) -> Iterator[str]:
    """A line for each column in which two rows differ."""
    for column in columns:
        close = searched.is_rounding if call.function in SEARCHES else is_rounding
        if not alike(one[column], other[column]) and not close(column, one, other):
            yield f"{column} of {key_of(call, one)}: {one[column]!r}, but {other[column]!r}"


def by_key(call: Call, rows: Rows) -> dict[tuple[str, ...], Rows]:
    """The rows of each name, in their order."""
    found: dict[tuple[str, ...], Rows] = {}
    for row in rows:
        found.setdefault(key_of(call, row), []).append(row)
    return found


def alike(one: Any, other: Any) -> bool:
    """Whether two cells are one value."""
    if isinstance(one, str) or isinstance(other, str) or not {float} & {type(one), type(other)}:
        return bool(one == other)
    return one == other or same(one, other)


def is_rounding(column: str, one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two cells of a comparison differ by the rounding of the numbers that they are made of.

    A difference is known to the rounding of its values, a statistic to that of the difference and of its error, and
    a relative difference to that of the value below it, which may be a difference itself: 0 in one order of rows and
    the rounding of 1 in another. A p-value moves no further than its statistic.
    """
    cells = (
        *("difference", "low", "high", "minimum_detectable"),
        *("statistic", "p_value", "relative_difference"),
    )
    if column not in cells or None in (one["difference"], other["difference"]):
        return False
    size = abs(one["baseline_value"])
    if column == "relative_difference":
        lost = max(size, abs(other["baseline_value"])) <= 1e-15
        return lost or (None not in (one[column], other[column]) and gap(column, one, other) * size <= 1e-15)
    if None in (one[column], other[column]):
        return False
    if column == "p_value":
        return None not in (one["statistic"], other["statistic"]) and gap(column, one, other) <= gap(
            "statistic", one, other
        )
    if column == "statistic":
        least = min(abs(one[column]), abs(other[column]))
        most = max(least * least, least * size / abs(one["difference"])) if least else 0
        return gap(column, one, other) <= 1e-15 * most
    return gap(column, one, other) <= 1e-15 * size


def gap(column: str, one: dict[str, Any], other: dict[str, Any]) -> float:
    """How far two cells are apart."""
    return abs(one[column] - other[column])
