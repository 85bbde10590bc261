"""Intervals from states are those of `evaluate` over the rows: the moments of days add up."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases.tables import GRADED, GRADES, WEIGHTS, Rows, drawn
from support.engines import Engine
from support.states import BINARY_DRAWN, DAYS, same, spread, state_of

# the labels of a day lie 300 from those of the next, and a million from 0
FAR = [
    {**row, "label": 1e6 + 300 * DAYS.index(row["day"]) + i % 5 / 4, "score": 1e6 + i % 7 / 8}
    for i, row in enumerate(spread(BINARY_DRAWN))
]
ROWS = ["log_loss", "brier", "rmse", "accuracy", "fnr", "f_beta(beta=2)", "f1", "precision", "count"]
TABLES: dict[str, tuple[Rows, list[str], dict[str, Any]]] = {
    "rows": (spread(BINARY_DRAWN), ROWS, {}),
    "far from 0": (FAR, ["mae", "mse", "mape", "smape", "total(column=label)"], {}),
    "weighted rows": (
        [{**row, "w": WEIGHTS[i % 5]} for i, row in enumerate(spread(BINARY_DRAWN))],
        ["brier", "accuracy", "fnr", "f_beta(beta=2)"],
        {"weight": "w"},
    ),
    "lists": (
        spread([*GRADED, *drawn(3, 4)]),
        ["ndcg@3", "dcg@2", "gauc", "recall(average=micro)@3", "hit_rate(weight=pairs)@2"],
        GRADES,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_intervals(table: str, engine: Engine) -> None:
    """By part, of the three days of each, and in total, of parts and days."""
    rows, metrics, facts = TABLES[table]
    state = state_of(engine, rows, metrics, DAYS, by="part", intervals=True, **facts)
    daily = {**facts, "group": "daily"} if "group" in facts else facts
    asked: dict[str, Any] = {
        "label": "label", "score": "score", "by": "part", "interval": 0.95, "dialect": engine.dialect,
    }  # fmt: skip
    finish = sm.render_finish("state", metrics, period="day", **{**asked, **facts})
    evaluate = sm.render("predictions", metrics, **{**asked, **daily})
    got, expected = engine.query(finish, {"state": state}), engine.query(evaluate, {"predictions": rows})
    assert len(got) == len(expected)
    wrong = {
        (row["part"], name): (row[name], other[name])
        for row, other in zip(got, expected, strict=True)
        for name in other
        if name.endswith(("_low", "_high")) and not same(row[name], other[name], 1e-9)
    }
    assert wrong == {}
    ends = [row[name] for row in expected for name in row if name.endswith("_low")]
    assert sum(end is not None for end in ends) > len(ends) / 2


@pytest.mark.slow
def test_a_day_without_moments_has_no_interval(engine: Engine) -> None:
    """As after a table was altered: its old days have NULL in the columns of moments."""
    rows, facts = spread(BINARY_DRAWN), {"by": "part"}
    state = state_of(engine, rows, ["log_loss", "accuracy"], DAYS[:1], intervals=True, **facts)
    old = state_of(engine, rows, ["log_loss", "accuracy"], DAYS[1:], **facts)
    state = [{**dict.fromkeys(state[0]), **row} for row in [*state, *old]]
    finish = sm.render_finish(
        "state", ["log_loss", "accuracy"], dialect=engine.dialect, period="day", by="day", label="label",
        score="score", interval=0.95,
    )  # fmt: skip
    for row in engine.query(finish, {"state": state}):
        first = str(row["day"]) == DAYS[0]
        assert (row["log_loss_low"] is None) == (not first)
        assert (row["states_incomplete"] == 0) == first
        assert row["accuracy_low"] is not None


# a second model, which differs from the first in some rows
PAIRED = {
    table: [
        {**row, "other": round(1 - row["score"], 3) if i % 3 == 0 else row["score"]}
        for i, row in enumerate(TABLES[table][0])
    ]
    for table in ("rows", "lists")
}


@pytest.mark.slow
@pytest.mark.parametrize("table", PAIRED)
def test_models_are_compared(table: str, engine: Engine) -> None:
    """The pairs of days and parts add up, also where baseline and candidate change places."""
    rows, facts = PAIRED[table], {"score": {"new": "score", "old": "other"}}
    metrics = ["log_loss", "accuracy", "precision", "rmse"] if table == "rows" else ["ndcg@3", "gauc"]
    facts |= GRADES if table == "lists" else {}
    by = "part" if table == "rows" else "day"
    state = state_of(engine, rows, metrics, DAYS, by="part", intervals=True, **facts)
    asked = {
        **facts,
        "label": "label",
        "by": by,
        "baseline": "old",
        "candidate": "new",
        "dialect": engine.dialect,
    }
    daily = {"group": "daily"} if table == "lists" else {}
    got = engine.query(
        sm.render_compare("state", metrics, of_state=True, period="day", **asked), {"state": state}
    )
    expected = engine.query(sm.render_compare("given", metrics, **{**asked, **daily}), {"given": rows})
    assert len(got) == len(expected) == len(metrics) * 4
    for row, other in zip(got, expected, strict=True):
        wrong = {name for name in other if name in row and not same(row[name], other[name], 1e-9)}
        assert wrong == set(), (row["metric"], {name: (row[name], other[name]) for name in wrong})
        assert other["p_value"] is not None or other["n_pairs"] < 9


@pytest.mark.slow
@pytest.mark.parametrize("table", PAIRED)
def test_models_in_long_form(table: str, engine: Engine) -> None:
    """A row for each model gives what a column for each gives; only lists have pairs then."""
    wide, of_lists = PAIRED[table], table == "lists"
    columns = {"new": "score", "old": "other"}
    long = [{**row, "run": name, "p": row[score]} for name, score in columns.items() for row in wide]
    metrics = ["ndcg@3", "gauc"] if of_lists else ["log_loss", "accuracy", "precision", "auc"]
    facts: dict[str, Any] = {"by": "part", **(GRADES if of_lists else {})}
    forms = {
        "wide": (wide, {"score": columns}),
        "long": (long, {"score": "p", "models": {"run": [*columns]}}),
    }
    asked = {**facts, "label": "label", "period": "day", "dialect": engine.dialect}
    found: dict[str, list[Rows]] = {}
    for form, (rows, models) in forms.items():
        ends = {"interval": 0.95} if of_lists else {}
        state = state_of(engine, rows, metrics, DAYS, intervals=of_lists, **facts, **models)
        statements = [sm.render_finish("state", metrics, **asked, **models, **ends)]
        if of_lists:
            compare = {"of_state": True, "baseline": "old", **asked, **models}
            statements.append(sm.render_compare("state", metrics, **compare))
        found[form] = [engine.query(statement, {"state": state}) for statement in statements]
    for one, other in zip(*found.values(), strict=True):
        assert len(one) == len(other) > 3
        for row, expected in zip(one, other, strict=True):
            assert {name for name in expected if not same(row[name], expected[name])} == set()
            assert not row.get("states_of_other_facts")
