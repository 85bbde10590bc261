"""Options that each stage could forget, in every function that takes them, on a connection of each kind.

where=, on_bad_rows='drop' and on_duplicate='first' leave rows out: the result is that of the other rows. by= is a call
for each slice. An integer weight= is the rows, or the lists, as often.
"""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.given.columns import as_list
from support.asked import BOOK, CALLS, Call
from support.engines import Rows
from support.engines.sqlite import add_mathematics
from support.engines.tables import cells, columns, create_table, quoted

#: the public functions that read data and take an option
TAKERS = {
    option: {
        name
        for name in sm.__all__
        if inspect.isfunction(getattr(sm, name))
        and not name.startswith("render")  # which write the same statements
        and option in inspect.signature(getattr(sm, name)).parameters
    }
    for option in ("where", "by", "weight", "on_bad_rows", "on_duplicate")
}
ROLES = (
    "label",
    "value",
    "rater",
    "score",
    "prediction",
    "group",
    "column",
    "columns",
    "baseline",
    "candidate",
    "winner",
    "model_a",
)
SCORES = ("score", "baseline", "candidate")
KINDS = ("duckdb", "sqlite", "postgres")

Tables = Callable[[Rows], Any]


@pytest.fixture(scope="module", params=KINDS)
def door(request: pytest.FixtureRequest) -> Iterator[tuple[str, Tables, dict[str, Any]]]:
    """The name of an engine, how a table gets there, and what a call says of it."""
    if request.param == "duckdb":
        yield "duckdb", lambda rows: rows, {}
        return
    if request.param == "sqlite":
        connection: Any = sqlite3.connect(":memory:")
        add_mathematics(connection)
        types, mark = {int: "integer", float: "real", bool: "boolean", str: "text"}, "?"
    else:
        conninfo = request.getfixturevalue("postgres")
        connection = pytest.importorskip("psycopg").connect(conninfo, autocommit=True)
        types, mark = {int: "bigint", float: "double precision", bool: "boolean", str: "text"}, "%s"
    made: list[str] = []

    def table(rows: Rows) -> str:
        made.append(f"t{len(made)}")
        with closing(connection.cursor()) as cursor:
            cursor.execute(create_table(made[-1], rows, types))
            marks = ", ".join([mark] * len(columns(rows)))
            cursor.executemany(f"insert into {quoted(made[-1])} values ({marks})", cells(rows))
        return made[-1]

    with closing(connection):
        yield request.param, table, {"connection": connection}


def asked(calls: dict[str, Call], option: str, without: Sequence[str] = ()) -> list[str]:
    """The calls of the functions that take an option."""
    return [name for name, call in calls.items() if call.of in TAKERS[option] and name not in without]


@cache
def expected(name: str, part: Any) -> Rows:
    """The result over some rows of a call, on DuckDB."""
    call = (CALLS | BOOK)[name]

    def of_part(rows: Rows, always: bool = False) -> Rows:
        sliced = part is not None and (always or "part" in rows[0])
        return [row for i, row in enumerate(rows) if not sliced or part_of(row, i) == part]

    return call.result(
        of_part(call.rows, always=True), **{role: of_part(rows) for role, rows in call.tables.items()}
    )


def columns_of(call: Call) -> dict[tuple[str, int], str]:
    """The columns of the rows by the roles that the call names."""
    found = {}
    for role in ROLES:
        given = call.facts.get(role) or []
        names = [given] if isinstance(given, str) else given.values() if isinstance(given, dict) else given
        found |= {(role, i): name for i, name in enumerate(names) if name in call.rows[0]}
    return found


def placed(call: Call, door: tuple[str, Tables, dict[str, Any]], rows: Rows, **options: Any) -> Rows:
    """The result of a call over some rows, on a connection."""
    engine, table, facts = door
    if call.here and engine != "duckdb":
        pytest.skip("it reads rows of Python")
    tables = {role: further for role, further in call.tables.items() if role not in options}
    return call.result(
        table(rows), **facts, **options, **{role: table(further) for role, further in tables.items()}
    )


def noise(call: Call) -> Rows:
    """Rows that a condition leaves out, which change every number."""
    column = next(iter(columns_of(call).values()))
    return [
        {**row, column: other[column], "keep": (0, None)[i % 2]}
        for i, (row, other) in enumerate(zip(call.rows, reversed(call.rows), strict=True))
    ]


def bad(call: Call) -> Rows:
    """Rows of which none can be used, by either of two models."""
    named = columns_of(call)
    scores = [name for (role, _), name in named.items() if role in SCORES]
    lacking = [[name] for (role, _), name in named.items() if role not in SCORES] + [scores] * bool(scores)
    return [{**call.rows[i], **dict.fromkeys(names), "keep": 1} for i, names in enumerate(lacking)]


def repeated(call: Call) -> Rows:
    """Each item of a list once more, at a worse rank."""
    scores = [name for (role, _), name in columns_of(call).items() if role in SCORES]
    return [{**row, "keep": 1} | {name: row[name] - 1 for name in scores} for row in call.rows[::3]]


#: further tables of rows, of which where= leaves some out, too
FILTERED = ("other", "reference")


def filled(rows: Rows) -> Rows:
    """Such a table with rows to be left out."""
    return [{**row, "keep": 1} for row in rows] + [{**row, "y": 1 - row["y"], "keep": 0} for row in rows]


def part_of(row: dict[str, Any], i: int) -> str:
    return row["part"] if "part" in row else "xy"[i % 2]


def assert_same(found: Rows, expected: Rows, left_out: tuple[str, ...] = ()) -> None:
    """Two results are the same but for the order of rows, for counts of rows that were left out and other columns."""

    def plain(rows: Rows) -> Rows:
        return [
            {name: cell for name, cell in row.items() if not name.startswith(("rows_", *left_out))}
            for row in rows
        ]

    def key(row: dict[str, Any]) -> list[str]:
        return [str(round(cell, 6) + 0.0 if isinstance(cell, float) else cell) for cell in row.values()]

    one, other = (sorted(plain(rows), key=key) for rows in (found, expected))
    assert len(one) == len(other)
    for row, wanted in zip(one, other, strict=True):
        assert row == {
            name: pytest.approx(cell, rel=1e-9, abs=1e-11) if isinstance(cell, float) else cell
            for name, cell in wanted.items()
        }


def test_every_function_is_called() -> None:
    for option, names in TAKERS.items():
        assert names - {call.of for call in CALLS.values()} == set(), option


#: its tables count what is left out, too
NO_BAD_ROWS = ("report",)


@pytest.mark.slow
@pytest.mark.parametrize("name", asked(CALLS | BOOK, "where"))
def test_what_is_left_out_leaves_no_trace(name: str, door: tuple[str, Tables, dict[str, Any]]) -> None:
    """Of the book in slices, too, where the call has none of its own: its statements are long."""
    call = (CALLS | BOOK)[name]
    sliced = name in by_slices(BOOK)
    if sliced:
        call = replace(call, rows=with_parts(call.rows), facts={**call.facts, "by": "part"})
    rows, options = [{**row, "keep": 1} for row in call.rows] + noise(call), {"where": "keep = 1"}
    if call.of in TAKERS["on_bad_rows"] and call.of not in NO_BAD_ROWS:
        rows, options = rows + bad(call), {**options, "on_bad_rows": "drop"}
    if call.lists and call.of in TAKERS["on_duplicate"]:
        rows, options = rows + repeated(call), {**options, "on_duplicate": "first"}
    filtered = {role: door[1](filled(further)) for role, further in call.tables.items() if role in FILTERED}
    found = placed(call, door, rows, **options, **filtered)
    # the rows of a study are those of the pilot for each of its units, repeated ones too
    left_out = ("n_rows", "rows") if len(options) > 1 else ()
    if sliced:
        assert_slices(name, found, {row["part"] for row in call.rows}, left_out)
    else:
        assert_same(found, expected(name, None), left_out)


@pytest.mark.parametrize("name", asked(CALLS, "on_bad_rows", without=asked(CALLS, "where")))
def test_scorers_leave_bad_rows_out(name: str) -> None:
    call = CALLS[name]
    found = call.result([*call.rows, {**call.rows[0], "p": float("nan")}], on_bad_rows="drop")
    assert found == expected(name, None)


def by_slices(calls: dict[str, Call]) -> list[str]:
    """The calls in which by= makes slices.

    The tables of a page have no columns of them, and the bins of a number are those of all slices.
    """
    named = asked(calls, "by", without=("report", "drift of numbers"))
    return [name for name in named if "by" not in calls[name].facts]


#: a bootstrap draws for all slices at once, and drift corrects p-values over all of them
OF_ALL_SLICES = {
    **dict.fromkeys(("the bootstrap", "classes with intervals"), ("_low", "_high")),
    "compare by the bootstrap": ("low", "high", "p_value", "minimum_detectable"),
    **dict.fromkeys(("drift of periods", "drift of tables"), ("q_value",)),
}


def with_parts(rows: Rows) -> Rows:
    return [{**row, "part": part_of(row, i)} for i, row in enumerate(rows)]


def assert_slices(name: str, found: Rows, parts: set[str], left_out: tuple[str, ...] = ()) -> None:
    """The slices of a result, and its total, are each a call of its own."""

    def of_slice(rows: Rows, part: str | None) -> Rows:
        """The rows with one name and without what is of all slices."""
        of_all = OF_ALL_SLICES.get(name, ("none",))
        return [
            {
                column: cell
                for column, cell in {"is_total": False, **row, "part": part}.items()
                if not column.endswith(of_all)
            }
            for row in rows
        ]

    for part in (*parts, None):
        of_part = [row for row in found if (row["part"], bool(row.get("is_total"))) == (part, part is None)]
        if of_part or part is not None:  # lists alone have no total
            wanted = of_slice(expected(name, part), part)
            assert_same(of_slice(of_part, part), wanted, ("is_total", "groups_in_several", *left_out))


@pytest.mark.slow
@pytest.mark.parametrize("name", by_slices(CALLS))
def test_a_slice_is_a_call_of_its_own(name: str, door: tuple[str, Tables, dict[str, Any]]) -> None:
    rows = with_parts(CALLS[name].rows)
    found = placed(CALLS[name], door, rows, by="part")
    assert_slices(name, found, {row["part"] for row in rows})


#: what a weight keeps, where it is not every column but counts and intervals
OF_WEIGHTS = {
    "compare": ("metric", "candidate", "baseline_value", "candidate_value", "difference"),
    "sample_size": ("metric", "candidate", "baseline_value", "candidate_value"),
    "leaderboard": ("metric", "model", "value", "rank"),
    "agreement": ("measure", "value", "n_items", "n_ratings"),
    "bradley_terry": ("model", "strength", "elo", "rank"),
    "explain_change": (
        "kind", "is_total", "share_before", "share_after", "value_before", "value_after", "mix", "rate", "effect",
    ),
}  # fmt: skip
#: calls of metrics that take no weight, and one that counts rows, whatever they weigh
NO_WEIGHT = ("lists of two models with a truth", "items with a catalog and a history", "plan_labels")
#: calls that split or number rows: there all weights are 2, and a list has its own value whatever its weight
ALIKE = ("find_slices", "report", "per_group")


def as_often(rows: Rows) -> Rows:
    """Each row as often as its weight says, in lists of their own."""
    return [{**row, "user": row.get("user", 0) + 1000 * i} for row in rows for i in range(row["w"])]


@pytest.mark.slow
@pytest.mark.parametrize("name", asked(CALLS, "weight", without=NO_WEIGHT))
def test_a_weight_is_the_rows_as_often(name: str, door: tuple[str, Tables, dict[str, Any]]) -> None:
    call, change = CALLS[name], as_often
    without = {"interval": None, "interval_method": None, "tightest_at": None, "n_resamples": 200}
    options: dict[str, Any] = without if call.of == "evaluate" else {}
    if call.of in ("compare", "find_slices"):
        options["metrics"] = [
            name for name in as_list(call.facts["metrics"], "") if name not in ("auc", "gini")
        ]
    rows = call.rows
    if call.of in ALIKE:
        rows, change = [{**row, "w": 2} for row in rows], list
    found = placed(call, door, rows, weight="w", **options)
    tables = {role: change(further) for role, further in call.tables.items()}
    wanted = call.result(change(rows), **tables, **options)
    for row in (*found, *wanted):
        for column in [*row]:
            left = OF_WEIGHTS.get(call.of)
            counted = column.startswith(("n_", "groups_")) or column in (
                "count",
                "positive_rate_low",
                "positive_rate_high",
            )
            if column not in left if left else counted:
                del row[column]
    assert_same(found, wanted)
