"""Two ways to one number: a call, and other calls that have to give the same without the option in question.

where= is the rows that it leaves, a weight is so many equal rows, a slice is a call over its rows, a model is a call
with its score, a state is finished to what the data give, dropped rows are as if they were not there, and no order of
rows matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

import sqlmetrics as sm
from support.engines import Engine
from support.fuzz.answers import DifferenceError, answered, differing, key_of, strange
from support.fuzz.call import Call, Rows
from support.fuzz.families import families
from support.fuzz.notations import SEARCHES
from support.fuzz.scenes import calls
from support.fuzz.searches import searches
from support.fuzz.told import columns_of, is_usable

#: What names a row of an answer -> the call that gives such rows alone.
Others = list[tuple[dict[str, Any], Call]]


@dataclass(frozen=True)
class Relation:
    """A call and the others that have to give its rows."""

    name: str
    call: Call
    others: Others
    values: bool = False  #: whether the metrics alone have to be the same, and not the counts

    def __repr__(self) -> str:
        return "\n".join(
            [f"{self.name}: {self.call.written()}", *(other.written() for _, other in self.others)]
        )


def check(relation: Relation, engines: list[Engine], counted: Counter[str] | None = None) -> None:
    """Compares the answers of a relation.

    Raises:
        DifferenceError: a value that differs or is NaN, or an exception that is not ours.
    """
    counted = Counter() if counted is None else counted
    call = relation.call
    counted["calls"] += 1
    counted["notations"] += len(call.metrics)
    counted[f"of {relation.name}"] += 1
    try:
        answer = answered_by_us(call, counted)
    except sm.SqlMetricsError:
        counted["refused"] += 1
        return
    wrong = list(strange(call, answer, counted))
    counted["differences"] += len(wrong)
    for named, other in relation.others:
        rows = [row for row in answer if is_named(row, named)]
        try:
            lines = list(beside(relation, other, rows, counted))
        except sm.SqlMetricsError as error:
            lines = [f"the second is refused: {error}"]
        counted["differences"] += len(lines)
        wrong += [other.written(), *lines] if lines else []
    if wrong:
        raise DifferenceError("\n".join([f"{relation.name}: {call.written()}", *wrong]))


def is_named(row: dict[str, Any], named: dict[str, Any]) -> bool:
    """Whether a row has some cells; without total= no row is a total."""
    cells = {name: row.get(name, False if name == "is_total" else None) for name in named}
    return cells == named


def answered_by_us(call: Call, counted: Counter[str]) -> Rows:
    """The answer to a call.

    Raises:
        DifferenceError: an exception that is not ours.
    """
    try:
        return answered(call)
    except sm.SqlMetricsError:
        raise
    except Exception as error:
        counted["foreign exceptions"] += 1
        raise DifferenceError(f"{call.written()}\n{type(error).__name__}: {error!s:.500}") from error


def beside(relation: Relation, other: Call, rows: Rows, counted: Counter[str]) -> Iterator[str]:
    """A line for each cell of some rows that another call gives differently."""
    found = answered_by_us(other, counted)
    if relation.values:  # a slice of rows that are left out is no slice of the other call
        keys = [{key_of(relation.call, row) for row in side} for side in (rows, found)]
        rows, found = (
            [row for row in side if key_of(relation.call, row) in keys[0] & keys[1]] for side in (rows, found)
        )
    if len(rows) != len(found):
        yield f"{len(rows)} rows and {len(found)}"
    if relation.call.function in SEARCHES:  # in the order of effects, which may be equal
        rows, found = (sorted(side, key=lambda row: key_of(relation.call, row)) for side in (rows, found))
    named = {*relation.call.named(), *VALUES}
    for one, twin in zip(rows, found, strict=False):
        columns = [name for name in one if name in twin and (name in named or not relation.values)]
        counted["values beside other calls"] += len(columns)
        yield from differing(relation.call, one, twin, columns)


#: The columns of values in results that have none for a metric.
VALUES = (
    "value",
    "candidate_value",
    "baseline_value",
    "effect",
    "mix",
    "rate",
    "precision",
    "recall",
    "f1",
    "share",
)


@st.composite
def relations(draw: st.DrawFn, most: int = 3) -> Relation:
    """A relation of a random call."""
    call = draw(draw(st.sampled_from([calls, calls, families, searches]))(most))
    if not call.plain:
        reject()
    kind = draw(st.sampled_from([one for one, serves in KINDS if serves(call)]))
    found = kind(draw, call)
    if not found.others:
        reject()
    return found


def without(call: Call, *names: str, rows: Rows | None = None, **facts: Any) -> Call:
    """The call without some facts, over other rows."""
    left = {name: fact for name, fact in call.facts.items() if name not in names}
    return replace(call, facts={**left, **facts}, rows=call.rows if rows is None else rows)


def is_typed(call: Call) -> bool:
    """Whether there are rows, and no column is NULL alone, which has no type."""
    tables = [call.rows, *call.tables.values()]
    return all(
        rows and all(any(row[name] is not None for row in rows) for name in rows[0]) for rows in tables
    )


def others(*found: tuple[dict[str, Any], Call]) -> Others:
    """Those that can be made."""
    return [(named, call) for named, call in found if is_typed(call)]


# --- the kinds ---

CONDITIONS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "side = 1": lambda row: row["side"] == 1,
    "day <> 'tue' -- late": lambda row: row["day"] != "tue",
    "side = 2 or day = 'mon'": lambda row: row["side"] == 2 or row["day"] == "mon",
}
OF_PARTS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "part = 'x'": lambda row: row["part"] == "x",
    "part is null or side = 1": lambda row: row["part"] is None or row["side"] == 1,
    "not (part = 'x' and side = 1)": lambda row: row["side"] != 1 or row["part"] == "y",
}


def where(draw: st.DrawFn, call: Call) -> Relation:
    """A condition, and the rows of which it is true; of the reference too."""
    known = {**CONDITIONS, **(OF_PARTS if "part" in call.rows[0] else {})}
    condition = draw(st.sampled_from([*known]))
    tables = {
        name: [row for row in rows if known[condition](row)] if name == "reference" else rows
        for name, rows in call.tables.items()
    }
    rows = [row for row in call.rows if known[condition](row)]
    filtered = replace(without(call, "where", rows=rows), tables=tables)
    return Relation("where", without(call, where=condition), others(({}, filtered)))


def weights(draw: st.DrawFn, call: Call) -> Relation:
    """A whole weight, and so many rows; of a list so many lists. Some metrics count rows, whatever their weight."""
    counts = ("count", "adjusted_r2")
    call = replace(call, metrics=[one for one in call.metrics if one.split("(")[0] not in counts])
    in_lists = "group" in call.facts
    column, least = "w" if in_lists else "u", 1 if call.function == "explain_change" else 0
    of: dict[Any, int] = {}
    weighed, repeated = [], []
    for i, row in enumerate(call.rows):
        key = row["list"] if in_lists else i
        weight = of.setdefault(key, draw(st.integers(least, 3)))
        weighed.append({**row, column: weight})
        for copy in range(weight):  # a row without a list stays one
            of_copy = in_lists and row["list"] is not None
            repeated.append({**row, "list": f"{row['list']} {copy}"} if of_copy else row)
    alone = without(call, "where", "interval", "n_resamples", weight=column, rows=weighed)
    return Relation("weights", alone, others(({}, without(alone, "weight", rows=repeated))), values=True)


def slices(draw: st.DrawFn, call: Call) -> Relation:
    """Slices, and a call for each over its rows. Resamples of an interval are those of all rows, so it is left out."""
    call, by = without(call, "where", "interval", "n_resamples"), call.facts["by"]
    keys = list(dict.fromkeys(tuple(row[name] for name in by) for row in call.rows))
    found = []
    for key in keys:
        named = dict(zip(by, key, strict=True))
        rows = [row for row in call.rows if all(row[name] == cell for name, cell in named.items())]
        found.append((named | {"is_total": False}, without(call, "by", "total", rows=rows)))
    return Relation("by", call, others(*found))


def models(draw: st.DrawFn, call: Call) -> Relation:
    """Models, and a call for each."""
    of = call.facts["score"]
    return Relation(
        "models", call, others(*(({"model": name}, without(call, score=of[name])) for name in of))
    )


def state(draw: st.DrawFn, call: Call) -> Relation:
    """A finished state, and the metrics of the data."""
    return Relation("state", call, others(({}, replace(without(call, "period"), function="evaluate"))))


def dropped(draw: st.DrawFn, call: Call) -> Relation:
    """Rows that cannot be used, and the others alone."""
    call = without(call, "where")
    roles = ("label", "score", "prediction", "baseline", "candidate", "group", "item", "weight")
    read = [call.facts[role] for role in roles if role in call.facts]
    read += call.facts.get("class_scores", {}).values()
    read += sorted({name for one in call.metrics for name in columns_of(one)} & {*call.rows[0]})
    rows = [row for row in call.rows if all(is_usable(row[name]) for name in read)]
    if (
        call.function == "find_slices" and "group" in call.facts
    ):  # the halves are those of all lists of the data
        lists = {row[call.facts["group"]] for row in rows}
        call = without(call, rows=[row for row in call.rows if row[call.facts["group"]] in lists])
    return Relation("dropped rows", call, others(({}, without(call, "on_bad_rows", rows=rows))), values=True)


def order(draw: st.DrawFn, call: Call) -> Relation:
    """The rows in another order."""
    step = draw(st.integers(2, 5))

    def moved(rows: Rows) -> Rows:
        return [row for start in range(step) for row in rows[start::step]][::-1]

    tables = {name: moved(rows) for name, rows in call.tables.items()}
    return Relation("order", call, others(({}, replace(without(call, rows=moved(call.rows)), tables=tables))))


KINDS: list[tuple[Callable[[st.DrawFn, Call], Relation], Callable[[Call], bool]]] = [
    (order, lambda call: True),
    (where, lambda call: True),
    (where, lambda call: True),
    (weights, lambda call: call.function in WEIGHED and not call.tables and "u" in call.rows[0] | {"u": 0}),
    (slices, lambda call: "by" in call.facts and call.function not in SEARCHES),
    (slices, lambda call: "by" in call.facts and call.function not in SEARCHES),
    (models, lambda call: isinstance(call.facts.get("score"), dict)),
    (state, lambda call: call.function == "state"),
    (
        dropped,
        lambda call: (
            "on_bad_rows" in call.facts
            and not isinstance(call.facts.get("score"), dict)
            # of auc, all rows are halved
            and not (
                call.function == "find_slices"
                and "group" not in call.facts
                and any(notation.startswith(("auc", "gini")) for notation in call.metrics)
            )
        ),
    ),
]
WEIGHED = ("evaluate", "curve", "compare", "explain_change", "class_report", "confusion_matrix")
