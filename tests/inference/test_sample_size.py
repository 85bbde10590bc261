"""Sizes of studies: the formula in plain Python and statsmodels, which solves for the exact power, on every engine."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest

import sqlmetrics as sm
from oracles.sizes import arm_needed, detected, pairs_needed
from sqlmetrics.book.templates import macros
from support.compared import Rows, close, drawn
from support.engines import Engine
from support.errors import told


def ran(engine: Engine, rows: Rows, metrics: Any, candidate: Any = "b", **facts: Any) -> Rows:
    sql = macros(engine.dialect).sample_size("given", metrics, "a", candidate, **{"label": "y", **facts})
    return engine.query(str(sql), {"given": rows})


def errors(rows: Rows, model: str) -> list[float]:
    return [abs(row["y"] - row[model]) for row in rows]


def deviation_of_pairs(rows: Rows) -> float:
    return statistics.stdev(b - a for a, b in zip(errors(rows, "a"), errors(rows, "b"), strict=True))


@pytest.mark.sample
@pytest.mark.parametrize("difference", [0.001, 0.01, 0.1, 3.0])
@pytest.mark.parametrize(("power", "interval"), [(0.8, 0.95), (0.9, 0.99), (0.5, 0.9)])
def test_pairs_of_rows(difference: float, power: float, interval: float, engine: Engine) -> None:
    power_of = pytest.importorskip("statsmodels.stats.power")
    rows = drawn(1)
    deviation = deviation_of_pairs(rows)
    [row] = ran(engine, rows, "mae", difference=difference, power=power, interval=interval)
    assert row["n"] == row["rows"] == pairs_needed(deviation, difference, power, interval)
    assert (row["difference"], row["n_pilot"], row["n_unpaired"]) == (difference, len(rows), 0)
    if row["n"] > 8:
        solved = power_of.TTestPower().solve_power(
            deviation and difference / deviation, None, 1 - interval, power
        )
        assert abs(row["n"] - solved) <= 1 + 0.002 * solved


@pytest.mark.parametrize("difference", [0.01, 0.1])
def test_arms_of_rows(difference: float, engine: Engine) -> None:
    """Without a candidate the metric varies in each arm as in the pilot."""
    power_of = pytest.importorskip("statsmodels.stats.power")
    rows = drawn(2)
    deviation = statistics.stdev(errors(rows, "a"))
    [row] = ran(engine, rows, "mae", None, difference=difference)
    assert row["n"] == row["rows"] == arm_needed(deviation, difference)
    assert abs(row["n"] - power_of.TTestIndPower().solve_power(difference / deviation, None, 0.05, 0.8)) <= 2
    close(row["baseline_value"], statistics.fmean(errors(rows, "a")))
    assert {"candidate", "candidate_value"} & {*row} == set()


def test_rows_of_groups(engine: Engine) -> None:
    """Groups are units: the variance of a mean over their rows, and their number, which rows follow."""
    rows = drawn(3)
    a, b = (statistics.fmean(errors(rows, x)) for x in "ab")
    pulls: dict[int, float] = {}
    for row, old, new in zip(rows, errors(rows, "a"), errors(rows, "b"), strict=True):
        pulls[row["u"]] = pulls.get(row["u"], 0.0) + (new - b - (old - a)) / len(rows)
    n = len(pulls)
    deviation = n * math.sqrt(sum(pull**2 for pull in pulls.values()) / (n - 1))
    [row] = ran(engine, rows, "mae", group="u", difference=0.01)
    assert row["n"] == pairs_needed(deviation, 0.01)
    assert row["rows"] == math.ceil(row["n"] * len(rows) / n)
    assert row["n_pilot"] == n


@pytest.mark.sample
@pytest.mark.slow
def test_lists_by_slice(engine: Engine) -> None:
    rows = drawn(4)
    got = ran(engine, rows, "mrr", group="u", difference=0.05, by=["part"])
    for row in got:
        part = [one for one in rows if row["part"] in (None, one["part"])]
        values: dict[int, list[float]] = {}
        for one in sm.per_group(part, "mrr", label="y", group="u", score={x: x for x in "ab"}).to_dicts():
            if one["mrr"] is not None:
                values.setdefault(one["u"], []).append(one["mrr"])
        assert row["n"] == pairs_needed(statistics.stdev(new - old for old, new in values.values()), 0.05)
        assert row["rows"] == math.ceil(row["n"] * len(part) / len(values))


@pytest.mark.slow
def test_a_number_of_units_detects_a_difference(engine: Engine) -> None:
    rows = drawn(5)
    deviation = deviation_of_pairs(rows)
    for n in (3, 50, 10_000):
        [row] = ran(engine, rows, "mae", n=n)
        assert row["n"] == row["rows"] == n
        close(row["difference"], detected(deviation, n))
        [back] = ran(engine, rows, "mae", difference=row["difference"] * (1 + 1e-9))
        assert back["n"] == n
    [few] = ran(engine, rows, "mae", n=2)
    close(few["difference"], detected(deviation, 2))


@pytest.mark.slow
def test_the_pilot_detects_what_compare_says() -> None:
    """By Student's t, beside which the formula is less than a hundredth off."""
    rows, asked = drawn(6), {"baseline": "a", "candidate": ["b", "c"], "label": "y"}
    metrics = ["mae", "auc", "precision"]
    for more in ({}, {"group": "u"}):
        compared = sm.compare(rows, metrics, **asked, **more)
        sized = sm.sample_size(rows, metrics, n=compared["n_pairs"][0], **asked, **more)
        assert sized["candidate"] == compared["candidate"]
        assert sized["n_pilot"] == compared["n_pairs"]
        for row, other in zip(sized, compared, strict=True):
            close(row["minimum_detectable"], other["minimum_detectable"])
            if row["n_pilot"] == row["n"] and (row["metric"] != "auc" or not more):
                assert row["difference"] == pytest.approx(row["minimum_detectable"], rel=0.01)


def test_differences_of_some_metrics(engine: Engine) -> None:
    got = ran(engine, drawn(7), ["mae", "brier"], difference={"mae": 0.05})
    assert [row["difference"] for row in got] == [0.05, None]
    assert [row["n"] is None for row in got] == [False, True]


def test_no_size_where_nothing_varies(engine: Engine) -> None:
    alike = [{**row, "b": row["a"]} for row in drawn(8)]
    for asked in ({"difference": 0.1}, {"n": 50}):
        [row] = ran(engine, alike, "mae", **asked)
        assert (row["minimum_detectable"], row["n"], row["rows"]) == (None, None, None)
    sized = sm.sample_size(alike, "mae", baseline="a", candidate="b", label="y", n=9)
    assert sized.notes() == ["no size from a pilot of fewer than two units, or whose units are alike: mae"]


@pytest.mark.slow
def test_notes_say_what_a_size_is_worth() -> None:
    rows = [{"y": i % 2, "a": (i % 2 + i % 5 // 4) % 2, "u": i // 10} for i in range(100)]
    asked = {"baseline": "a", "label": "y"}

    def notes(metric: str, **more: Any) -> list[str]:
        return sm.sample_size(rows, metric, **asked, **more).notes()

    room = "the range leaves no room for so large an improvement on the pilot"
    # 0.8 are right; a loss of 0.2 has room for 0.2
    assert notes("accuracy", difference=0.2) == notes("error_rate", difference=0.2) == []
    assert notes("accuracy", difference=0.3) == [f"{room}: accuracy"]
    assert notes("error_rate", difference=0.3) == [f"{room}: error_rate"]
    assert notes("mae", n=2) == [f"{room}: mae"]
    assert notes("accuracy", difference=1e-9) == ["no size up to 1e15 units: accuracy"]
    assert "groups: 10; below 30 a size is rough" in notes("mae", group="u", difference=0.1)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {},
            "sample_size takes a difference to detect, such as difference=0.01, or the number of units, such as n=500",
        ),
        ({"difference": 0.1, "n": 5}, "such as n=500, and not both"),
        ({"difference": 0}, "difference= takes a number above 0, the difference to detect, or a mapping"),
        (
            {"difference": {"auc": 0.1}},
            "difference= has 'auc', which is no metric of this call. Metrics: mae",
        ),
        (
            {"metrics": "accuracy", "difference": 5},
            "difference=5 is more than 'accuracy' can differ, whose range is from 0 to 1; 1 % is written 0.01",
        ),
        ({"n": 1}, "n must be an integer from 2 to 1e15, got 1"),
        ({"n": 2.5}, "n must be an integer from 2 to 1e15, got 2.5"),
        ({"n": True}, "n must be an integer from 2 to 1e15"),
        ({"n": 5, "power": 1}, "power must be a number from 0.5 to 0.999999"),
        ({"n": 5, "candidate": "a"}, "candidate 'a' is the column of the baseline"),
        ({"n": 5, "baseline": 3}, "baseline= takes a column name"),
        (
            {"n": 5, "metrics": "ks"},
            "sqlmetrics.sample_size: 'ks' has no formula for its standard error, from which a size follows; take",
        ),
        ({"n": 5, "metrics": "ks", "candidate": None}, "sqlmetrics.sample_size: 'ks' cannot be compared"),
    ],
)
def test_refusals(more: dict[str, Any], message: str) -> None:
    asked = {"baseline": "a", "candidate": "b", "label": "y", "metrics": "mae"} | more
    assert message in told(sm.sample_size, drawn(9), **asked)


def test_lists_that_one_model_lacks() -> None:
    rows = drawn(8)
    lacking = next(row["u"] for row in rows if row["y"])
    rows = [{**row, "b": None if row["u"] == lacking else row["b"]} for row in rows]
    asked = {"baseline": "a", "candidate": "b", "label": "y", "group": "u", "on_bad_rows": "drop", "n": 50}
    assert "have a value of mrr for one of 'a' and 'b' alone; leave those groups out of the data" in told(
        sm.sample_size, rows, "mrr", **asked
    )
