"""What a formula is told of a call: the rows that a row of the answer is about, and facts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import oracles
from support.fuzz.call import Call, Rows
from support.fuzz.notations import NAMED

#: What a formula is told of a call.
FACTS = ("label", "score", "prediction", "class_scores", "group", "item", "weight", "max_grade", "positive", "ties",
         "category", "subtopic")  # fmt: skip


def rows_of(call: Call, row: dict[str, Any], model: str | None) -> Rows:
    """The rows that a row of the answer is about, without those that cannot be used."""
    facts = call.facts
    roles = {
        name: facts[name] for name in ("label", "prediction", "group", "item", "weight") if facts.get(name)
    }
    if "truth" in call.tables:
        del roles["label"]
    columns = [*roles.values(), *([model] if model else []), *facts.get("class_scores", {}).values()]
    columns += sorted({name for notation in call.metrics for name in columns_of(notation)} & {*call.rows[0]})
    rows = [one for one in call.rows if all(is_usable(one.get(column)) for column in columns)]
    if "where" in facts:  # the one condition that is drawn
        rows = [one for one in rows if one["side"] == 1]
    if facts.get("by") and not row.get("is_total"):
        rows = [one for one in rows if all(one[name] == row[name] for name in facts["by"])]
    if call.function == "per_group":
        rows = [one for one in rows if one["list"] == row["list"]]
    return rows


def columns_of(notation: str) -> Iterator[str]:
    """The columns that a notation names and that a row has to have; a sensitive column may be NULL."""
    for parameter, value in oracles.parse(notation)[1].items():
        if parameter in NAMED:
            yield from re.findall(r"[a-z]\w*", str(value))


def is_usable(value: Any) -> bool:
    """Whether a cell is a value."""
    return value is not None and (not isinstance(value, float) or math.isfinite(value))


def facts_of(call: Call, row: dict[str, Any], model: str | None) -> dict[str, Any]:
    """What a formula is told."""
    facts = {name: fact for name, fact in call.facts.items() if name in FACTS and fact is not None}
    tables = dict(call.tables)
    if call.function == "per_group":
        facts.pop("weight", None)
        if "truth" in tables:
            tables["truth"] = [one for one in tables["truth"] if one["list"] == row["list"]]
    return {**facts, "score": model, **tables}
