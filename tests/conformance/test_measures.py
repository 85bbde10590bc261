"""What a tool makes of the measures of a state is what `evaluate` gives, for every metric that adds up."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases import CASES
from conformance.cases.tables import BINARY, Rows
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.engines import Engine
from support.states import BINARY_DRAWN, DAYS, TABLES, same, spread, state_of, whole


def measured(dialect: str, metrics: Any, by: list[str], **facts: Any) -> dict[str, Any]:
    """The measures and metrics of a state of `by`."""
    words = macros(dialect)
    named = {"label": "label", "score": "score", **facts}
    made: dict[str, Any] = words["measured"](
        words["semantic_plan"](metrics, relation="state", period="day", by=by, **named)
    )
    return made


NOTATIONS = sorted({notation for case in CASES for notation in case.metrics})


@cache
def adds_up(table: str, notation: str) -> bool:
    try:
        measured("duckdb", [notation], ["part"], **TABLES[table][1])
    except SqlMetricsError:
        return False
    return True


def asked(table: str, chunk: slice) -> list[str]:
    """The notations of the cases that add up over a table, of a chunk of all of them."""
    return [notation for notation in NOTATIONS[chunk] if adds_up(table, notation)]


def of_tool(
    engine: Engine, state: Rows, metrics: dict[str, str], slices: list[str], by: list[str], **facts: Any
) -> Rows:
    """What a tool makes of a file: measures of each row, aggregates of them by some columns, metrics of these."""
    made, words = measured(engine.dialect, metrics, slices, **facts), macros(engine.dialect)
    of_row = ", ".join(f"{measure['sql']} as {name}" for name, measure in made["measures"].items())
    sums = {
        name: str(words["aggregate_of_measure"](measure["aggregate"], f"sm_fields.{name}"))
        for name, measure in made["measures"].items()
    }
    values = [
        f"{words['with_holes'](metric['measured'], sums)} as {metric['name']}" for metric in made["metrics"]
    ]
    keys = ", ".join(by)
    statement = (
        f"select {', '.join([*by, *values])} from (select {', '.join([*by, of_row])}"
        f" from ({words['rows_with_measures']('state')}) as sm_state) as sm_fields"
        + (f" group by {keys} order by {keys}" if by else "")
    )
    return engine.query(statement, {"state": state})


def direct(engine: Engine, rows: Rows, metrics: dict[str, str], by: list[str], **facts: Any) -> Rows:
    """The metrics of the rows, with a list of its own for each day."""
    facts = {**facts, "group": "daily"} if "group" in facts else facts
    statement = sm.render(
        "predictions", metrics, dialect=engine.dialect, by=by, total=False,
        **{"label": "label", "score": "score", **facts},
    )  # fmt: skip
    return engine.query(statement, {"predictions": rows})


CHUNKS = [
    pytest.param(table, slice(start, None, step), id=f"{table} {start}")
    for table, step in {"binary": 8, "graded": 24, "weights": 24, "bad rows": 24}.items()
    for start in range(8 if table == "binary" else 1)
]


def test_most_metrics_add_up() -> None:
    for notation in ("ndcg@3", "log_loss", "gauc", "map", "rmse", "mcc", "max_error"):
        assert adds_up("binary", notation)
    for notation in ("auc", "r2", "pearson", "ece"):
        assert not adds_up("binary", notation)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize(("table", "chunk"), CHUNKS)
def test_every_metric_that_adds_up(table: str, chunk: slice, engine: Engine) -> None:
    notations = asked(table, chunk)
    rows, facts = TABLES[table]
    placed = whole(spread(rows))
    metrics = {f"m{i}": notation for i, notation in enumerate(notations)}
    state = state_of(engine, placed, metrics, DAYS, by=["part"], **facts)
    for by in ([], ["part"]) if table == "binary" else (["day", "part"],):
        got = of_tool(engine, state, metrics, ["part"], by, **facts)
        expected = direct(engine, placed, metrics, by, **facts)
        assert len(got) == len(expected) > 0
        wrong = [
            f"{metrics[name]} by {by}, row {number}: {row[name]!r}, and direct {other[name]!r}"
            for number, (row, other) in enumerate(zip(got, expected, strict=True))
            for name in metrics
            if not same(row[name], other[name])
        ]
        assert not wrong, "\n".join(wrong)


METRICS = {"ndcg": "ndcg@3", "brier": "brier"}


def total(engine: Engine, state: Rows, **facts: Any) -> tuple[bool, bool]:
    """Whether ndcg and brier are null in the total of a state of parts."""
    (row,) = of_tool(engine, state, METRICS, ["part"], [], **{**BINARY, **facts})
    return row["ndcg"] is None, row["brier"] is None


@pytest.mark.slow
def test_a_state_that_is_not_fit_gives_null(engine: Engine) -> None:
    """What `finish` makes null or refuses."""
    rows = whole(spread(BINARY_DRAWN))
    state = state_of(engine, rows, METRICS, DAYS, by=["part"], **BINARY)
    assert total(engine, state) == (False, False)
    again = state_of(engine, rows, METRICS, DAYS[:1], by=["part"], **BINARY)
    assert total(engine, [*state, *again]) == (True, True)
    assert total(engine, [row for row in state if row["day"] != DAYS[0]] + again) == (False, False)
    otherwise = state_of(engine, rows, METRICS, DAYS[:1], by=["part"], **BINARY, positive=0.5)
    assert total(engine, [row for row in state if row["day"] != DAYS[0]] + otherwise) == (True, True)
    ndcg, brier = "sm_ndcg_3_total", "sm_brier"
    for column, null in ((ndcg, (True, False)), (brier, (False, True))):
        assert column in state[0]
        grain = "lists" if column == ndcg else "rows"
        lacking = next(i for i, row in enumerate(state) if row["sm_grain"] == grain)
        broken = [{**row, column: None} if i == lacking else row for i, row in enumerate(state)]
        assert total(engine, broken) == null
    bad = [{**row, "label": 2} if i == 3 else row for i, row in enumerate(rows)]
    assert total(engine, state_of(engine, bad, METRICS, DAYS, by=["part"], **BINARY)) == (False, True)


def test_slices_are_told_apart_by_all_of_their_values(engine: Engine) -> None:
    """A null, an empty text, and texts that join to the same are different slices."""
    parts = [None, "", "/-", "a/,b", "a", "b/,/-", "a/"]
    rows = [
        {**row, "part": parts[i % 7], "kind": parts[i // 7 % 7]} for i, row in enumerate(BINARY_DRAWN * 2)
    ]
    rows = [{**row, "day": DAYS[0]} for row in rows]
    metrics = {"brier": "brier"}
    state = state_of(engine, rows, metrics, DAYS[:1], by=["part", "kind"])
    (row,) = of_tool(engine, state, metrics, ["part", "kind"], [])
    (expected,) = direct(engine, rows, metrics, [])
    assert same(row["brier"], expected["brier"])


@pytest.mark.slow
def test_models_are_not_added_up(engine: Engine) -> None:
    rows = [{**row, "other": 1 - row["score"] / 2} for row in whole(spread(BINARY_DRAWN))]
    facts = {**BINARY, "score": {"new": "score", "old": "other"}}
    state = state_of(engine, rows, METRICS, DAYS, by=["part"], **facts)
    assert total(engine, state, **facts) == (True, True)
    got = {row["model"]: row for row in of_tool(engine, state, METRICS, ["part"], ["model"], **facts)}
    for expected in direct(engine, rows, METRICS, [], **facts):
        for name in METRICS:
            assert same(got[expected["model"]][name], expected[name])
