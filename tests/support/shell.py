"""The macros of a DuckDB shell as tests call them: their signatures, their metrics, data that suit each kind."""

from __future__ import annotations

import math
import random
import re
from functools import cache
from typing import Any

import duckdb
import pyarrow as pa

from sqlmetrics.book.catalog import Metric, catalog
from sqlmetrics.book.templates import macros
from sqlmetrics.shell.install import shell_macros

# What the macros take besides columns, once by default and once given; `least` is the precision of recall_at_precision.
GIVEN = {
    "alpha": 0.3, "fp": 2, "fn": 3, "clip": 1.5,
    "k": 3, "threshold": 0.3, "eps": 1e-3, "share": 0.35, "least": 0.6, "recall": 0.4, "fpr": 0.3, "max_grade": 3,
}  # fmt: skip
# The parameters that name a column, of the same name in `drawn`.
COLUMNS = ("lower", "upper", "naive_error", "naive", "propensity", "predicted", "expected", "against")
ALWAYS = {"max_grade": 3, "recall": 0.4}
PARAMETERS = {"least": "precision"}


@cache
def text() -> str:
    return shell_macros()


def asked(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@cache
def signatures() -> dict[tuple[str, str], list[str]]:
    """Kind and name of a macro -> its arguments; of a table macro those of its first form."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, arguments in re.findall(r"^create or replace macro (\w+)\((.*?)\) as", text(), re.MULTILINE):
        kind = "table" if arguments.startswith("data") else "aggregate"
        found[kind, name] = [part.split(" := ")[0].strip('"') for part in arguments.split(", ")]
    return found


@cache
def metric_of(kind: str, name: str) -> Metric:
    for metric in catalog().values():
        plain = metric.macro.removeprefix("metric_")
        entry = {"macro": metric.macro, "name": metric.name}
        if name == (plain if kind == "table" else macros("duckdb")["shell_aggregate_name"](entry)):
            return metric
    raise LookupError(name)


def notation(metric: Metric, options: dict[str, Any]) -> str:
    """How `evaluate` writes it."""
    columns = {name: name for name in COLUMNS if name in metric.parameters}
    written = columns | {
        PARAMETERS.get(name, name): of for name, of in options.items() if name != "max_grade"
    }
    k = f"@{written.pop('k')}" if "k" in written else ""
    listed = ", ".join(f"{name}={value}" for name, value in written.items())
    return metric.name + (f"({listed})" if listed else "") + k


def columns_of(arguments: list[str]) -> list[str]:
    """The columns of `drawn` for the arguments of a macro that are columns."""
    read = ("label", "grade", "score", *COLUMNS)
    return [{"grade": "label"}.get(name, name) for name in arguments if name in read]


def options_of(metric: Metric, arguments: list[str], given: dict[str, Any]) -> dict[str, Any]:
    always = ALWAYS | ({"k": 2} if metric.needs_cutoff else {})
    return {
        name: value
        for name, value in (always | given).items()
        if name in arguments and (name in given or metric.parameters.get(name, ...) in (..., None))
    }


def kind_of(metric: Metric) -> str:
    return _kind_of(metric.macro)


@cache
def _kind_of(macro: str) -> str:
    metric = catalog()[macro]
    if metric.grain == "lists":
        return "lists"
    plan = macros("duckdb")["plan"]([notation(metric, {})], relation="p", label="y", score="s")
    return (
        "classes"
        if "rows_not_binary" in {check["name"] for check in plan["result"]["checks"].values()}
        else "numbers"
    )


def drawn(kind: str, seed: int) -> pa.Table:
    """Groups of all sizes with ties, one of a single class, and rows without a label or a score, in one group all."""
    draw = random.Random(seed)
    sizes = {"one": 1, "two": 2, "few": 7, "tied": 12, "single": 9, "some": 40, "many": 150, None: 5}
    levels = {"tied": 1, "few": 3, "many": 1000}
    labels = {"classes": [0, 1], "numbers": [0.5, 1.5, 2.0, 3.0], "lists": [0, 0, 0, 1, 2, 3]}[kind]
    rows = []
    for part, size in sizes.items():
        for _ in range(size):
            score = draw.randint(1, levels.get(part, 10)) / (levels.get(part, 10) + 1)
            label = float(draw.choice(labels) if part != "single" else labels[0])
            middle = draw.random()
            ends = {"lower": middle - 0.5, "upper": middle + 0.5}
            others = {name: draw.randint(1, 8) / 8 for name in COLUMNS if name not in ends}
            others["treatment"] = draw.randint(0, 1)
            rows.append({"part": part, "label": label, "score": score, **ends, **others})
        rows.append({**rows[-1], "label": None, "score": 0.5})
        rows.append({**rows[-1], "label": 1.0, "score": None})
    if kind == "lists":
        rows = [row for row in rows if row["part"] is not None]
    rows.append({"part": "empty", "label": None, "score": 0.5})
    draw.shuffle(rows)
    return pa.Table.from_pylist(rows)


def close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
