"""Settings of the user's connection: they change no number, and no call changes them or leaves an object."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.traces import traces

DRAW = random.Random(3)
TABLE = pa.Table.from_pylist(
    [
        {
            "y": DRAW.random() < 0.4, "grade": DRAW.randrange(4), "p": DRAW.randrange(20) / 20,
            "q": DRAW.randrange(20) / 20, "u": f"{'Aab'[row // 36]}{row // 12}", "i": row % 12, "w": row % 3 + 1,
            "country": DRAW.choice(["DE", "de", None]), "n": DRAW.randrange(1, 9), "guess": DRAW.choice("xXy"),
            "kind": DRAW.choice("xXy"), "day": row % 3, "treated": row // 3 % 2, "r": row % 7 / 7,
            "low": row % 3 / 9, "high": 0.5 + row % 4 / 9, "side": "xX"[row // 12 % 2],
            "human": DRAW.random() < 0.4 if row % 4 else None,
        }
        for row in range(108)
    ]
)  # fmt: skip
TRUTH = [
    {"u": f"{'Aab'[u // 3]}{u}", "i": i, "grade": (u + i) % 3} for u in range(9) for i in range(0, 15, 2)
]
CATALOG = [{"i": i} for i in range(15)]
LISTS: dict[str, Any] = {"score": "p", "group": "u", "item": "i"}
YES: dict[str, Any] = {"label": "y", "score": "p", "group": "u"}
SEVERAL: dict[str, Any] = {"label": "y", "baseline": "p", "candidate": "q", "group": "u"}
#: A call of every public function that takes a connection, and of every stage.
CALLS: dict[str, Callable[..., Any]] = {
    "rows and levels": lambda **c: sm.evaluate(
        TABLE, ["auc", "ks", "ece", "average_precision", "f1"], label="y", score="p", weight="w", by="country", **c
    ),
    "numbers": lambda **c: sm.evaluate(
        TABLE, ["mae", "spearman", "median_absolute_error", "mape"], label="n", score="w", by="kind", **c
    ),
    "lists": lambda **c: sm.evaluate(
        TABLE, ["ndcg@5", "gauc"], label="grade", positive=2, by="country", ties="text desc", **LISTS, **c
    ),
    "truth": lambda **c: sm.evaluate(TABLE, ["ndcg@5", "map"], truth=TRUTH, label="grade", **LISTS, **c),
    "items": lambda **c: sm.evaluate(TABLE, "exposure_gini@3", catalog=CATALOG, **LISTS, **c),
    "bootstrap": lambda **c: sm.evaluate(
        TABLE, ["ks", "mrr"], interval=0.9, interval_method="bootstrap", n_resamples=20, **YES, **c
    ),
    "classes": lambda **c: sm.class_report(TABLE, label="kind", prediction="guess", **c),
    "cells": lambda **c: sm.confusion_matrix(TABLE, label="kind", prediction="guess", by="country", **c),
    "compare": lambda **c: sm.compare(TABLE, ["auc", "mrr"], **SEVERAL, **c),
    "wilcoxon": lambda **c: sm.compare(TABLE, "mrr", test="wilcoxon", **SEVERAL, **c),
    "per group": lambda **c: sm.per_group(TABLE, ["ndcg@3", "mrr"], **YES, **c),
    "roc": lambda **c: sm.curve(TABLE, "roc", label="y", score="p", by="country", **c),
    "bins": lambda **c: sm.curve(TABLE, "calibration(bins=5, equal=count)", label="y", score="p", **c),
    "chi square": lambda **c: sm.chi_square(TABLE, column="kind", other="guess", **c),
    "state": lambda **c: sm.finish(
        sm.state(TABLE, ["auc", "mrr"], period="day", by="country", **YES, **c), ["auc", "mrr"], by="country", **c
    ),
    "curve of a state": lambda **c: sm.finish_curve(
        sm.state(TABLE, "auc", period="day", label="y", score="p", **c), "roc", **c
    ),
    "subsets": lambda **c: sm.evaluate(
        TABLE, ["demographic_parity_difference(sensitive=country)", "equalized_odds_ratio(sensitive=country)"],
        label="y", score="p", **c
    ),
    "arms": lambda **c: sm.evaluate(
        TABLE, ["qini(treatment=treated)", "uplift(treatment=treated)"], label="y", score="p", by="kind", **c
    ),
    "further columns": lambda **c: sm.evaluate(
        TABLE, ["coverage(lower=low, upper=high)", "mse"], label="p", score="q", **c
    ),
    "class scores": lambda **c: sm.evaluate(
        TABLE, ["multiclass_log_loss", "multiclass_auc(method=ovr)"], label="guess",
        class_scores={"x": "p", "X": "q", "y": "r"}, **c
    ),
    "slices": lambda **c: sm.find_slices(
        TABLE, "brier", by=["country", "kind", "guess", "q"], depth=2, min_units=3, label="y", score="p", **c
    ),
    "sample size": lambda **c: sm.sample_size(TABLE, "mrr", difference=0.1, **SEVERAL, **c),
    "slices of lists": lambda **c: sm.find_slices(
        TABLE, "mrr", by="side", min_units=2, label="y", baseline="p", candidate="q", group="u", **c
    ),
    "change": lambda **c: sm.explain_change(
        TABLE, "brier", by=["country", "guess"], period="day", before=0, after=2, label="y", score="p", **c
    ),
    "drift": lambda **c: sm.drift(TABLE, columns=["p", "guess", "u"], by="side", period="day", before=0, after=1, **c),
    "drift of a state": lambda **c: sm.drift(
        sm.state(TABLE, "brier", period="day", by=["country", "guess"], label="y", score="p", **c),
        columns=["country", "guess"], before=0, after=1, **c,
    ),
    "conventions": lambda **c: sm.explain_difference(
        TABLE, "ndcg@5", "default", "trec_eval", label="grade", **LISTS, **c
    ),
    "two proportions": lambda **c: sm.two_proportions(TABLE, label="y", category="treated", **c),
    "leaderboard": lambda **c: sm.leaderboard(TABLE, ["brier", "auc"], score=["p", "q"], label="y", **c),
    "agreement": lambda **c: sm.agreement(
        TABLE, ["fleiss", "cohen", "krippendorff(level=ordinal)"], raters=["w", "grade"], **c
    ),
    "battles": lambda **c: sm.bradley_terry(
        TABLE, model_a=sm.sql("'a'"), model_b=sm.sql("'b'"),
        winner=sm.sql("case when p > q then 'model_a' when p < q then 'model_b' else 'tie' end"), **c
    ),
    "labels": lambda **c: sm.plan_labels(
        TABLE, "brier", label="y", gold="human", score="p", by="country", budget=20, **c
    ),
    "mcnemar": lambda **c: sm.mcnemar(TABLE, label="kind", baseline="guess", candidate="kind", **c),
}  # fmt: skip
ONE_BY_ONE = [
    "default_order='desc'", "default_null_order='nulls_first'", "integer_division=true", "threads=1",
    "default_null_order='nulls_last_on_asc_first_on_desc'", "default_collation='nocase'", "threads=8",
    "TimeZone='Pacific/Auckland'", "preserve_insertion_order=false", "max_expression_depth=300",
    "order_by_non_integer_literal=true", "python_enable_replacements=false", "errors_as_json=true",
    "produce_arrow_string_view=true", "arrow_large_buffer_size=true", "enable_external_access=false",
    "disabled_optimizers='filter_pushdown,join_order,statistics_propagation'", "lock_configuration=true",
]  # fmt: skip
TOGETHER = [
    "default_order='desc'", "default_null_order='nulls_first'", "integer_division=true", "threads=8",
    "default_collation='nocase'", "TimeZone='Pacific/Auckland'", "preserve_insertion_order=false",
    "python_enable_replacements=false", "enable_external_access=false", "lock_configuration=true",
]  # fmt: skip


def rows(call: Callable[..., Any], connection: duckdb.DuckDBPyConnection) -> list[list[Any]]:
    """The rows of a result. Settings may change the order of slices, as of any query, and the last digit of a sum."""
    return sorted(
        [list(row.values()) for row in call(connection=connection).to_dicts()],
        key=lambda row: [f"{cell + 0.0:.6g}" if isinstance(cell, float) else str(cell) for cell in row],
    )


def same(found: list[list[Any]], expected: list[list[Any]]) -> bool:
    """Whether rows are the same but for the last digits, and of a float near 0 its sign."""
    return len(found) == len(expected) and all(
        a == b if not isinstance(a, float) else a == pytest.approx(b, rel=1e-10, abs=1e-12)
        for one, other in zip(found, expected, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def test_every_function_with_a_connection_is_called() -> None:
    """A page makes the calls of others, and a file of a semantic layer reads the columns of a state alone."""
    called = {name for call in CALLS.values() for name in call.__code__.co_names}
    public = {name: getattr(sm, name) for name in sm.__all__ if inspect.isfunction(getattr(sm, name))}
    taking = {
        name for name, function in public.items() if "connection" in inspect.signature(function).parameters
    }
    assert taking - called == {"install", "report", "semantic"}


@pytest.fixture(scope="module")
def expected() -> dict[str, list[list[Any]]]:
    with duckdb.connect() as plain:
        return {name: rows(call, plain) for name, call in CALLS.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(TOGETHER, id="all"),
        *(pytest.param([one], marks=pytest.mark.long, id=one) for one in ONE_BY_ONE),
    ],
)
def test_settings_of_a_connection(settings: list[str], expected: dict[str, list[list[Any]]]) -> None:
    with duckdb.connect() as connection:
        for setting in settings:
            connection.execute(f"set {setting}")
        before = traces(connection)
        for name, call in CALLS.items():
            assert same(rows(call, connection), expected[name]), name
            assert traces(connection) == before, name


@pytest.mark.slow
@pytest.mark.parametrize("form", ["frame", "table"])
def test_nothing_is_left_after_an_error(form: str) -> None:
    """Before the statement, by the statement, and by what is counted in its result."""
    broken = pa.table({"y": [1, 0], "p": [0.5, None], "u": ["a", "a"]})
    with duckdb.connect() as connection:
        connection.execute("create table t as from broken")
        data: Any = broken if form == "frame" else "t"
        before = traces(connection)
        for facts in (
            {"label": "nope"},
            {"label": "y", "truth": [{"u": "a", "i": 1}]},
            {"label": sm.sql("y / nope")},
            {"label": sm.sql("error('told')")},
            {"label": "y"},
        ):
            with pytest.raises(sm.SqlMetricsError):
                sm.evaluate(data, "mrr", score="p", group="u", connection=connection, **facts)
            assert traces(connection) == before, facts


def test_an_open_transaction_stays_open() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table t as from (values (1, 0.9), (0, 0.4)) as rows (y, p)")
        connection.begin()
        connection.execute("insert into t values (0, 0.95)")
        assert (
            sm.evaluate("t", "auc", label="y", score="p", connection=connection).to_dicts()[0]["auc"] == 0.5
        )
        connection.rollback()
        assert sm.evaluate("t", "auc", label="y", score="p", connection=connection).to_dicts()[0]["auc"] == 1


@pytest.mark.slow
def test_an_open_result_of_the_user() -> None:
    """A connection holds one result. That of a cursor stays; DuckDB 2 refuses a call beside one of its own."""
    call: dict[str, Any] = {"label": "y", "score": "p"}
    with duckdb.connect() as connection:
        open_result = connection.cursor().execute("from range(500000)")
        open_result.fetchone()
        assert sm.evaluate(TABLE, "count", connection=connection, **call)["count"] == [108]
        assert len(open_result.fetchall()) == 499_999
        if duckdb.__version__ < "2":
            return  # DuckDB 1.4 drops it, as docs/howto/data.md says
        connection.execute("from range(500000)").fetchone()
        assert_told(
            told(sm.evaluate, TABLE, "count", connection=connection, **call), "rows that are not fetched"
        )
        assert len(connection.fetchall()) == 499_999
        assert sm.evaluate(TABLE, "count", connection=connection, **call)["count"] == [108]


@pytest.mark.slow
def test_facts_of_states_differ_by_case() -> None:
    """A collation that takes A for a does not mix states of two columns."""
    days = [{"day": 1, "A": 1, "p": 0.9}, {"day": 1, "A": 0, "p": 0.4}], [{"day": 2, "a": 1, "p": 0.9}]
    with duckdb.connect() as connection:
        connection.execute("set default_collation = 'nocase'")
        states = [
            sm.state(rows, "auc", period="day", label=name, score="p", connection=connection)
            for rows, name in zip(days, "Aa", strict=True)
        ]
        message = told(sm.finish, states, "auc", connection=connection)
        assert_told(message, "made with different facts|together: label ('A', 'a')")
