"""`drift` of states against formulas in plain Python and against `drift` of the rows behind them, on every engine."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from oracles import drift as oracle
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.compared import close
from support.engines import Engine

Rows = list[dict[str, Any]]
FACTS = {"label": "y", "score": "p"}
STATES: dict[str, Any] = {"of_state": True, "columns": ["c", "k"]}
PERIODS: dict[str, Any] = {"period": "day", "before": "may", "after": "june"}
DISTANCES = ("psi", "jensen_shannon", "hellinger", "total_variation", "chi_square")
TESTS = ("chi_square_p_value", "q_value")
UNFIT = ("states_of_other_facts", "states_incomplete", "periods_repeated")
#: what a result has but for its numbers of rows
MEASURED = (*DISTANCES, *TESTS, "n_new_values", "n_vanished_values", "new_values", "vanished_values")


def data(seed: int, rows: int, day: str, values: str) -> Rows:
    """Rows with NULL, quotes and rare values; of some the metric of the state cannot use the label."""
    draw = random.Random(seed)
    return [
        {
            "day": day,
            "g": draw.choice(["u", "v", None]),
            "c": draw.choice([*values, 'it\'s "x"', None]),
            "k": draw.choice([1, 1, 1, 2, 30]),
            "y": draw.choice([0, 1, 1, None]),
            "p": round(draw.random(), 1),
        }
        for _ in range(rows)
    ]


THEN, NOW = data(1, 205, "may", "aabz"), data(2, 160, "june", "aaby") + data(3, 1, "june", "q")
OTHERS = data(4, 40, "july", "new")
BOTH = [*THEN, *NOW, *OTHERS]


def made(engine: Engine, rows: Rows, by: Any = ("g", "c", "k"), **further: Any) -> Rows:
    """The state of rows."""
    facts = {"period": "day", "by": list(by), **FACTS, **further}
    return engine.query(str(macros(engine.dialect).state("given", "brier", **facts)), {"given": rows})


def asked(engine: Engine, relation: str, tables: dict[str, Rows], **arguments: Any) -> Rows:
    shown = engine.query(str(macros(engine.dialect).drift(relation, **arguments)), tables)
    return [{name.lower(): value for name, value in row.items()} for row in shown]


def check(got: Rows, now: Rows, then: Rows, slices: list[str | None]) -> None:
    """Every column of every slice, and of all of them, by formulas over the rows."""
    assert [(row.get("g"), row.get("is_total", 1), row["column_name"]) for row in got] == [
        (slice_, total, column) for slice_, total in [*((s, 0) for s in slices), (None, 1)] for column in ("c", "k")
    ]  # fmt: skip
    for row in got:
        sides = [
            [each[row["column_name"]] for each in side if row.get("is_total", 1) or each["g"] == row["g"]]
            for side in (now, then)
        ]
        assert [row["n_current"], row["n_reference"]] == list(map(len, sides))
        assert [row["n_null_current"], row["n_null_reference"]] == [side.count(None) for side in sides]
        expected = oracle.of_column(*sides)
        for measure in DISTANCES:
            close(row[measure], expected[measure])
        shown = [{*map(named, side)} for side in sides]
        lacked = [shown[0] - shown[1], shown[1] - shown[0]]
        assert [row["n_new_values"], row["n_vanished_values"]] == list(map(len, lacked))
        assert [row[name] for name in UNFIT] == [0, 0, 0]


def named(value: Any) -> str:
    return "(null)" if value is None else str(value)


def same(got: Rows, of_rows: Rows) -> None:
    """The results of a state and of its rows, but for the counts of what makes a state unfit."""
    for one, other in zip(got, of_rows, strict=True):
        assert {name: value for name, value in one.items() if name not in UNFIT} == {
            name: value if not isinstance(value, float) else pytest.approx(value, rel=1e-12, abs=1e-12)
            for name, value in other.items()
        }


@pytest.mark.slow
@pytest.mark.sample
def test_two_periods_of_a_state(engine: Engine) -> None:
    """Slices that are neither compared nor named are rolled up. Rows without a label are rows, too."""
    tables = {"states": made(engine, BOTH), "given": BOTH}
    got = asked(engine, "states", tables, by="g", **STATES, **PERIODS)
    nulls_first = got[0]["g"] is None
    check(got, NOW, THEN, [None, "u", "v"] if nulls_first else ["u", "v", None])
    same(got, asked(engine, "given", tables, columns=["c", "k"], by="g", **PERIODS))


@pytest.mark.slow
@pytest.mark.sample
def test_two_states(engine: Engine) -> None:
    """All periods of each, and the slices that where= leaves."""
    tables = {"now": made(engine, NOW), "earlier": made(engine, [*THEN, *OTHERS]), "now_rows": NOW,
              "then_rows": [*THEN, *OTHERS]}  # fmt: skip
    got = asked(engine, "now", tables, reference="earlier", made_period="day", **STATES)
    check(got, NOW, [*THEN, *OTHERS], [])
    same(got, asked(engine, "now_rows", tables, columns=["c", "k"], reference="then_rows"))
    got = asked(engine, "now", tables, reference="earlier", made_period="day", where="k < 30", **STATES)
    rows = asked(engine, "now_rows", tables, columns=["c", "k"], reference="then_rows", where="k < 30")
    same(got, rows)
    query = "select * from earlier"  # is stored, so that it is read once
    same(asked(engine, "now", tables, reference=query, made_period="day", where="k < 30", **STATES), rows)


@pytest.mark.slow
def test_periods_are_told_by_an_expression(engine: Engine) -> None:
    late = {"period": "case when day = 'may' then 0 else 1 end", "before": 0, "after": 1}
    tables = {"states": made(engine, BOTH), "given": BOTH}
    got = asked(engine, "states", tables, made_period="day", **late, **STATES)
    check(got, [*NOW, *OTHERS], THEN, [])
    same(got, asked(engine, "given", tables, columns=["c", "k"], **late))
    # without made_period= the state is one of another period
    unsaid = asked(engine, "states", tables, **late, **STATES)
    assert {row["states_of_other_facts"] for row in unsaid} == {
        sum(row["sm_grain"] == "rows" for row in tables["states"])
    }
    assert {row[name] for row in unsaid for name in MEASURED} == {None}


@pytest.mark.slow
def test_states_of_a_condition(engine: Engine) -> None:
    """A state of a part of the data is compared if the call says which; in each of the two it is the same part."""
    where = "p < 0.5 and c <> ' \"quoted\\'"
    state = made(engine, BOTH, where="p < 0.5 and c <> 'a'")
    got = asked(engine, "states", {"states": state}, made_where="p < 0.5 and c <> 'a'", **STATES, **PERIODS)
    kept = [[row for row in side if row["p"] < 0.5 and row["c"] not in (None, "a")] for side in (NOW, THEN)]
    check(got, *kept, [])
    for unsaid in (None, where.replace("\\", ""), "p < 0.5"):
        got = asked(engine, "states", {"states": state}, made_where=unsaid, **STATES, **PERIODS)
        assert {row[name] for row in got for name in MEASURED} == {None}
        assert got[0]["states_of_other_facts"] > 0
    got = asked(engine, "states", {"states": made(engine, BOTH)}, made_where="p < 0.5", **STATES, **PERIODS)
    assert got[0]["states_of_other_facts"] > 0


@pytest.mark.slow
def test_names_with_quotes(engine: Engine) -> None:
    """In a name of a slice, and in that of the period, which the state records."""
    renamed = {"day": 'the "day"', "c": "it's c"}
    rows = [{renamed.get(name, name): value for name, value in row.items()} for row in BOTH]
    quote = macros(engine.dialect)["sql_quote"]
    day, c = ({"sql": str(quote(name)), "alias": str(quote(name)), "name": name} for name in renamed.values())
    state = made(engine, rows, by=[c, "k"], period=day)
    period = {**PERIODS, "period": day["sql"], "made_period": day}
    got = asked(engine, "states", {"states": state}, of_state=True, columns=[c, "k"], **period)
    same(
        [{**row, "column_name": {"it's c": "c"}.get(row["column_name"], row["column_name"])} for row in got],
        asked(engine, "given", {"given": BOTH}, columns=["c", "k"], **PERIODS),
    )


def with_facts(state: Rows, **facts: Any) -> Rows:
    """The state with other facts."""

    def text(said: str | None) -> str | None:
        return None if said is None else json.dumps({**json.loads(said), **facts})

    return [{**row, "sm_facts": text(row["sm_facts"])} for row in state]


def first(state: Rows, **values: Any) -> Rows:
    """The state with other values in its first row of June."""
    number = next(i for i, row in enumerate(state) if row["day"] == "june" and row["sm_grain"] == "rows")
    return [*state[:number], {**state[number], **values}, *state[number + 1 :]]


@pytest.mark.slow
def test_unfit_states_have_no_distances(engine: Engine) -> None:
    """But numbers of rows, and a count of the reason. A period that is not compared may be unfit."""
    state = made(engine, BOTH)
    june = [row for row in state if row["day"] == "june"]
    slices = sum(row["sm_grain"] == "rows" for row in state if row["day"] != "july")
    cases: dict[str, tuple[Rows, str, int]] = {
        "made twice": ([*state, *june], "periods_repeated", 1),
        "later": (with_facts(state, version=3), "states_of_other_facts", slices),
        "models": (with_facts(state, models=True), "states_of_other_facts", slices),
        "another period": (with_facts(state, period="week"), "states_of_other_facts", slices),
        "of a name": (with_facts(state, label='", "models": false, "', models=True), "states_of_other_facts", slices),
        "no facts": (first(state, sm_facts=None), "states_of_other_facts", 1),
        "no number": (first(state, sm_n_rows=None), "states_incomplete", 1),
        "a number below 0": (first(state, sm_n_rows=-1.0), "states_incomplete", 1),
    }  # fmt: skip
    for case, (unfit, reason, count) in cases.items():
        got = asked(engine, "states", {"states": unfit}, **STATES, **PERIODS)
        assert {row[name] for row in got for name in MEASURED} == {None}, case
        assert [{row[name] for row in got} for name in UNFIT] == [
            {count * (name == reason)} for name in UNFIT
        ], case
        assert all(row["n_current"] > 0 for row in got), case
    july = [row for row in state if row["day"] == "july"]
    check(asked(engine, "states", {"states": [*state, *july]}, **STATES, **PERIODS), NOW, THEN, [])


@pytest.mark.slow
def test_states_of_the_first_version(engine: Engine) -> None:
    """They name no roles and have no rows of periods."""
    state = [row for row in made(engine, BOTH) if row["sm_grain"] != "periods"]
    for row in state:
        facts = json.loads(row["sm_facts"])
        del facts["version"]
        row["sm_facts"] = json.dumps({**facts, "label": True, "score": True, **dict.fromkeys(
            ("group", "item", "weight", "prediction"), False)})  # fmt: skip
    check(asked(engine, "states", {"states": state}, **STATES, **PERIODS), NOW, THEN, [])


@pytest.mark.slow
def test_a_slice_of_no_rows_is_none(engine: Engine) -> None:
    """A table of states may have one whose number of rows is 0."""
    state = made(engine, BOTH)
    empty = {
        **next(row for row in state if row["day"] == "june" and row["sm_grain"] == "rows"),
        "c": "none",
        "g": "w",
    }
    got = asked(
        engine, "states", {"states": [*state, {**empty, "sm_n_rows": 0.0}]}, by="g", **STATES, **PERIODS
    )
    assert {row["g"] for row in got} == {"u", "v", None}
    check([row for row in got if row["is_total"]], NOW, THEN, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"period": None},
            "drift of a state needs period=, its column of periods, or reference=, another state",
        ),
        ({"after": None}, "drift of a state needs before= and after=, two of its periods, such as"),
        ({"before": None, "after": None, "period": None}, "drift of a state needs before= and after="),
        ({"reference": "s"}, "drift of a state takes reference=, another state, or before= and after=, two"),
        (
            {"reference": "s", "before": None, "after": None, "period": None},
            "reference= of a state needs made_period=, the column of periods of both states",
        ),
        ({"after": "may"}, "before= and after= are both may; a period is compared with another one"),
        (
            {"numeric": "k"},
            "numeric= is not of a state, whose slices are compared as categories; leave it out",
        ),
        ({"of_state": "yes"}, 'of_state must be true or false, got the text "yes"'),
        (
            {"of_state": False, "made_period": "day"},
            "made_period= and made_where= are of a state; leave them out, or pass",
        ),
        (
            {"of_state": False, "made_where": "p < 1"},
            "made_period= and made_where= are of a state; leave them out, or",
        ),
        ({"made_where": 3}, "made_where= takes the where= of `state`, a text, got 3"),
        (
            {"by": {"states_incomplete": "g"}},
            "Two result columns would be named 'states_incomplete'",
        ),
    ],
)
def test_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SqlMetricsError) as refused:
        macros("duckdb").drift("t", **{**STATES, **PERIODS, **arguments})
    assert message in str(refused.value)
