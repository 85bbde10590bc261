"""The generic tests for models of dbt, as SQL on every engine: what they let pass, and what they say of what fails."""

from __future__ import annotations

from typing import Any

import pytest

from oracles import anytime
from oracles.ends import of_share
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.engines import Engine, Rows


def pair(day: int, country: str, positive: float | None, negative: float | None) -> Rows:
    """A positive and a negative row of a day and country, of a list of that name."""
    key = {"day": day, "country": country, "query": f"{day}{country}"}
    return [{**key, "item": 1, "y": 1, "s": positive}, {**key, "item": 2, "y": 0, "s": negative}]


# AUC: 1, then 0.5 and 1, then 0 and none.
ROWS = [*pair(1, "a", 0.9, 0.1), *pair(1, "b", 0.9, 0.1), *pair(2, "a", 0.5, 0.5), *pair(2, "b", 0.75, 0.25),
        *pair(3, "a", 0.1, 0.9), *pair(3, "b", 0.5, None)]  # fmt: skip
SCORED = {"label": "y", "score": "s"}
NO_METRIC = {"metric": None, "label": None, "score": None}
LIMITS = ("metric", "value", "lower_limit", "upper_limit")


def failing(engine: Engine, test: str, *columns: str, rows: Rows = ROWS, **arguments: Any) -> list[tuple]:
    """What a test shows of the columns of its rows; they come in no order."""
    model = {"model": "tested", **arguments}
    shown = engine.query(macros(engine.dialect)[f"test_{test}"](**model), {"tested": rows})
    lowered = [{name.lower(): value for name, value in row.items()} for row in shown]
    return sorted((tuple(row[column] for column in columns) for row in lowered), key=repr)


def test_at_least_of_slices(engine: Engine) -> None:
    """A slice without a value fails as one below does; the total is not asked."""
    shown = failing(
        engine, "metric_at_least", "country", "day", "is_total", "n_rows", "rows_bad_score", *LIMITS,
        metric="auc", value=0.75, by=["country", "day"], **SCORED,
    )  # fmt: skip
    assert shown == [
        ("a", 2, 0, 2, 0, "auc", 0.5, 0.75, None),
        ("a", 3, 0, 2, 0, "auc", 0.0, 0.75, None),
        ("b", 3, 0, 2, 1, "auc", None, 0.75, None),
    ]


def test_limits_are_kept_by_their_own_value(engine: Engine) -> None:
    asked = {"metric": "auc", "by": "day", "rows": ROWS[:8], **SCORED}
    # both days: 1 and (0.5 + 1 + 1 + 1) / 4
    assert failing(engine, "metric_at_least", "day", value=0.875, **asked) == []
    assert failing(engine, "metric_at_most", "day", "upper_limit", value=0.875, **asked) == [(1, 0.875)]


@pytest.mark.slow
def test_a_whole_interval_is_beyond_its_limit(engine: Engine) -> None:
    """Of 40 rows half are right; one row alone has an interval of its share, and none of its error."""
    rows = [{"day": 1, "y": i % 2, "s": 0.9} for i in range(40)] + [{"day": 2, "y": 1, "s": 0.9}]
    asked = {
        "metric": "accuracy",
        "by": "day",
        "rows": rows,
        "interval": 0.95,
        "interval_method": "anytime",
        **SCORED,
    }
    z = anytime.reach(40, 0.05)
    ends = of_share(0.5, 0.25 / 40, None, 40, z, z, (0.0, 1.0), less=0.5)
    for test, near, far in (("metric_at_least", 0.7, 0.9), ("metric_at_most", 0.3, 0.1)):
        assert failing(engine, test, "day", value=near, **asked) == []
        [(day, *both)] = failing(engine, test, "day", "value_low", "value_high", value=far, **asked)
        assert (day, both) == (1, pytest.approx(ends))
    within = {**asked, "tolerance": 0.3}
    assert failing(engine, "metric_within", "day", reference=0.9, **within) == []
    assert failing(engine, "metric_within", "day", reference=1.1, **within) == [(1,)]
    assert failing(engine, "metric_at_most", "day", value=9, **{**asked, "metric": "mae"}) == [(2,)]


# two models over three days: by day, by group, a label, and a score of each
LOGGED = [
    {
        "day": i % 3,
        "g": "uv"[i % 2],
        "y": (i * 7 + i // 4) % 3 % 2,
        "a": (i * 7 % 11 + 1) / 13,
        "b": (i * 5 % 17 + 1) / 19,
    }
    for i in range(90)
]
OF_STATE: dict[str, Any] = {"label": "y", "by": "g"}


def of_days(engine: Engine, metric: str, **models: Any) -> Rows:
    """A state of them with intervals."""
    asked = {**OF_STATE, **models, "period": "day", "intervals": True}
    return engine.query(str(macros(engine.dialect).state("given", metric, **asked)), {"given": LOGGED})


@pytest.mark.slow
def test_ends_of_intervals_of_a_state(engine: Engine) -> None:
    """The state and its rows pass and fail alike: beyond a limit, and with whole_interval= near it."""
    kept = of_days(engine, "mse", score="a")
    ends = {}
    for rows, more in ((LOGGED, {}), (kept, {"of_state": True, "made_period": "day"})):
        asked = {"metric": "mse", "rows": rows, "interval": 0.9, "score": "a", **OF_STATE, **more}
        shown = failing(engine, "metric_at_most", "g", "value", "value_low", "value_high", value=0, **asked)
        ends[len(more)] = shown
        (_, mean, low, high) = shown[0]
        assert low < mean < high
        for limit, whole, fails in (
            (mean, False, 0),
            (mean, True, 1),
            (high, True, 0),
            (low * 0.999, False, 1),
        ):
            found = failing(
                engine, "metric_at_most", "g", value=limit * (1 + 1e-9), whole_interval=whole, **asked
            )
            assert (shown[0][0],) in found if fails else (shown[0][0],) not in found, (limit, whole)
        lowest = min(row[2] for row in shown)
        at_least = {**asked, "whole_interval": True}
        assert failing(engine, "metric_at_least", "g", value=lowest * (1 - 1e-9), **at_least) == []
        assert len(failing(engine, "metric_at_least", "g", value=lowest * (1 + 1e-9), **at_least)) == 1
        within = {"reference": mean, "tolerance": high - mean - 1e-6, **asked}
        assert ("u",) not in failing(engine, "metric_within", "g", **within)
        assert ("u",) in failing(engine, "metric_within", "g", whole_interval=True, **within)
    for one, other in zip(*ends.values(), strict=True):
        assert (one[0], one[1:]) == (other[0], pytest.approx(other[1:], rel=1e-9))
    daily = {"metric": "mse", "rows": kept, "score": "a", **OF_STATE, "of_state": True, "made_period": "day"}
    shown = failing(engine, "metric_within", "g", "day", tolerance=0, period="day", **daily)
    assert shown == [(g, day) for g in "uv" for day in (1, 2)]


@pytest.mark.slow
def test_differences_of_models(engine: Engine) -> None:
    """The whole interval has to keep the limit, of rows and of a state."""
    scores = {"score": {"old": "a", "new": "b"}}
    for rows, more in (
        (LOGGED, {}),
        (of_days(engine, "mse", **scores), {"of_state": True, "made_period": "day"}),
    ):
        asked = {
            "metric": "mse",
            "rows": rows,
            "baseline": "old",
            "interval": 0.9,
            **scores,
            **OF_STATE,
            **more,
        }
        columns = ("g", "candidate", "metric", "difference", "low", "high", "n_pairs")
        shown = failing(engine, "difference_at_least", *columns, value=9, **asked)
        direct = macros(engine.dialect).compare(
            "given", "mse", baseline="old", interval=0.9, **scores, **OF_STATE
        )
        compared = sorted(
            (
                tuple(row[name] for name in columns)
                for row in engine.query(str(direct), {"given": LOGGED})
                if row["g"]
            ),
            key=repr,
        )
        for row, other in zip(shown, compared, strict=True):
            assert (row[:3], row[3:]) == (other[:3], pytest.approx(other[3:], rel=1e-9))
        lows, highs = min(row[4] for row in shown), max(row[5] for row in shown)
        assert failing(engine, "difference_at_least", "g", value=lows - 1e-6, **asked) == []
        assert len(failing(engine, "difference_at_least", "g", value=lows + 1e-6, **asked)) == 1
        assert failing(engine, "difference_at_most", "g", value=highs + 1e-6, **asked) == []
        [(_, limit)] = failing(engine, "difference_at_most", "g", "upper_limit", value=highs - 1e-6, **asked)
        assert limit == pytest.approx(highs - 1e-6)
        assert len(failing(engine, "difference_at_least", "g", value=9, total=True, **asked)) == 3
    none = "(select * from tested where 1 = 0)"
    asked = {"metric": "mse", "baseline": "old", "rows": LOGGED, **scores, "label": "y"}
    assert len(failing(engine, "difference_at_least", "n_pairs", model=none, value=-9, **asked)) == 1


@pytest.mark.parametrize(
    ("test", "arguments", "said"),
    [
        ("metric_at_least", {"made_period": "day"}, "are of a state; leave them out, or pass of_state=true"),
        ("metric_at_least", {"of_state": True}, "needs made_period=, the periods of the state"),
        ("metric_at_least", {"of_state": "yes"}, "of_state must be true or false"),
        ("metric_at_most", {"whole_interval": True}, "pass its level, interval=0.95"),
        ("metric_at_least", {"of_state": True, "made_period": "day", "gold": "h"}, "finish takes no gold="),
        ("difference_at_least", {"baseline": "a", "candidate": "b", "paired": False}, "takes no paired="),
        ("difference_at_least", {"baseline": "a", "candidate": "b", "value": "x"}, "value must be a number"),
        (
            "difference_at_most",
            {"baseline": "a", "candidate": "b", "metric": ["mse"]},
            "metric= takes one notation",
        ),
    ],
)
def test_tests_of_states_and_differences_that_cannot_be(
    test: str, arguments: dict[str, Any], said: str
) -> None:
    asked = {"model": "t", "metric": "mse", "value": 1, "label": "y", "score": "a", **arguments}
    if "baseline" in asked:
        asked.pop("score")
    with pytest.raises(SqlMetricsError, match=said):
        macros("duckdb")[f"test_{test}"](**asked)


def test_total_is_tested_where_it_is_asked_for(engine: Engine) -> None:
    # a: 0.5; b: 1; all: 17.5 of 25 pairs
    asked = {"metric": "auc", "by": "country", "value": 0.6, "rows": ROWS[:10], **SCORED}
    assert failing(engine, "metric_at_most", "country", "is_total", **asked) == [("b", 0)]
    assert failing(engine, "metric_at_most", "country", "is_total", total=True, **asked) == [
        ("b", 0),
        (None, 1),
    ]


def test_models_apart(engine: Engine) -> None:
    shown = failing(
        engine, "metric_at_least", "model", "value", rows=ROWS[:4],
        metric="auc", value=0.5, label="y", score={"new": "s", "old": "1 - s"},
    )  # fmt: skip
    assert shown == [("old", 0.0)]


def test_near_a_reference(engine: Engine) -> None:
    asked = {"metric": "base_rate", "label": "y"}
    assert failing(engine, "metric_within", *LIMITS, reference=0.625, tolerance=0.125, **asked) == []
    assert failing(engine, "metric_within", *LIMITS, reference=0.75, tolerance=0.125, **asked) == [
        ("base_rate", 0.5, 0.625, 0.875)
    ]


def test_near_the_period_before(engine: Engine) -> None:
    """The first period has none before; a value that is missing fails."""
    shown = failing(
        engine, "metric_within", "country", "day", *LIMITS,
        metric="auc", tolerance=0.25, period="day", by="country", **SCORED,
    )  # fmt: skip
    assert shown == [
        ("a", 2, "auc", 0.5, 0.75, 1.25),
        ("a", 3, "auc", 0.0, 0.25, 0.75),
        ("b", 3, "auc", None, 0.75, 1.25),
    ]


def test_a_row_without_a_period_fails(engine: Engine) -> None:
    rows = [*pair(1, "a", 0.9, 0.1), *({**row, "day": None} for row in pair(2, "a", 0.9, 0.1))]
    shown = failing(
        engine, "metric_within", "day", "value", rows=rows,
        metric="auc", tolerance=1, period="day", **SCORED,
    )  # fmt: skip
    assert shown == [(None, 1.0)]


@pytest.mark.parametrize("by", [[], ["day", "country"]])
def test_nothing_passes_without_rows(engine: Engine, by: list[str]) -> None:
    none = "(select * from tested where 1 = 0)"
    for test, limit in (
        ("metric_at_most", {"value": 1}),
        ("metric_within", {"reference": 0.5, "tolerance": 1}),
    ):
        shown = failing(engine, test, "n_rows", "value", model=none, metric="auc", by=by, **limit, **SCORED)
        assert shown == [(0, None)]


def test_bad_rows(engine: Engine) -> None:
    assert (
        failing(engine, "no_bad_rows", "n_rows", rows=ROWS[:10], group="query", item="item", **SCORED) == []
    )
    counts = ("day", "n_rows", "rows_dropped", "rows_bad_label", "rows_bad_score", "rows_bad_group")
    rows = [*ROWS, {**ROWS[0], "query": None}, {**ROWS[0], "y": None}]
    assert failing(engine, "no_bad_rows", *counts, rows=rows, by="day", group="query", **SCORED) == [
        (1, 6, 2, 1, 0, 1),
        (3, 4, 1, 0, 1, 0),
    ]


def test_demands_of_metrics(engine: Engine) -> None:
    rows = [*ROWS[:4], {**ROWS[0], "y": 2}]
    asked = {"rows": rows, "group": "query", "item": "item", "max_grade": 1, **SCORED}
    assert failing(engine, "no_bad_rows", "n_rows", **asked) == []
    counts = ("rows_not_binary", "rows_duplicate", "rows_above_max_grade")
    assert failing(engine, "no_bad_rows", *counts, metrics=["auc", "err@10"], **asked) == [(1, 1, 1)]


def test_items_of_lists(engine: Engine) -> None:
    rows = [*ROWS, ROWS[0], {**ROWS[1], "day": 9}, {**ROWS[0], "item": None}, {**ROWS[0], "item": None}]
    asked = {"rows": rows, "group": "query", "item": "item"}
    shown = failing(engine, "unique_list_items", "query", "item", "n_rows", **asked)
    assert shown == [("1a", 1, 2), ("1a", 2, 2)]
    shown = failing(engine, "unique_list_items", "day", "query", "item", "n_rows", by="day", **asked)
    assert shown == [(1, "1a", 1, 2)]


@pytest.mark.parametrize(
    ("test", "arguments", "message"),
    [
        ("metric_at_least", {"value": "high"}, "sqlmetrics.metric_at_least: value must be a number, got high"),
        ("metric_at_most", {"value": None}, "sqlmetrics.metric_at_most: value must be a number, got None"),
        ("metric_at_least", {"value": 1, "metric": ["auc"]}, "metric= takes one notation such as 'auc', got ['auc']"),
        ("metric_at_least", {"value": 1, "metric": "aux"}, "Unknown metric 'aux'. Did you mean 'auc'? Names like it: "),
        ("metric_at_least", {"value": 1, "most": 2}, "metric_at_least takes no most=; leave it out. It takes: label,"),
        ("metric_at_least", {"value": 1, "by": "metric"}, "Two result columns would be named 'metric'"),
        ("metric_within", {"tolerance": -1}, "sqlmetrics.metric_within: tolerance must be a number >= 0, got -1"),
        ("metric_within", {"tolerance": 1}, "pass either reference=, a value, or period=, a column"),
        ("metric_within", {"tolerance": 1, "reference": 1, "period": "day"}, "pass either reference=, a value, or"),
        ("metric_within", {"tolerance": 1, "period": "day", "total": True}, "leave it out with period="),
        ("metric_within", {"tolerance": 1, "period": "day", "interval": 0.9}, "so leave interval= out with period="),
        ("metric_at_least", {"value": 1, "interval_method": "anytime"}, "interval_method= needs interval="),
        ("unique_list_items", {**NO_METRIC, "group": "query", "item": []}, "list_items: item= takes a column"),
        ("unique_list_items", {**NO_METRIC, "group": ["a", "b"], "item": "i"}, "list_items: group= takes a column"),
        ("no_bad_rows", NO_METRIC, "sqlmetrics.no_bad_rows: needs label=, score="),
    ],
)  # fmt: skip
def test_mistakes(test: str, arguments: dict[str, Any], message: str) -> None:
    asked = {"metric": "auc", "model": "tested", **SCORED, **arguments}
    with pytest.raises(SqlMetricsError) as refused:
        macros("duckdb")[f"test_{test}"](
            **{name: value for name, value in asked.items() if value is not None or name == "value"}
        )
    assert message in str(refused.value)
