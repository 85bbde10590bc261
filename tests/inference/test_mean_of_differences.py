"""`total_of="slices"` in `compare` and `leaderboard`: the mean of the differences of slices, beside plain Python."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import Any, NamedTuple

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.compared import close
from support.engines import Engine
from support.errors import assert_told, told

Rows = list[dict[str, Any]]
Moves = dict[Any, float]
FACTS: dict[str, Any] = {"label": "y", "by": "part", "total_of": "slices"}


def drawn(seed: int = 4) -> Rows:
    """Rows of users who have some in several of three slices of unlike sizes."""
    draw = random.Random(seed)
    rows = [
        {
            "part": part, "person": f"u{draw.randrange(9)}", "y": int(draw.random() < chance),
            "a": round(draw.random(), 2), "b": round(draw.random(), 2), "c": round(draw.random(), 2),
        }
        for part, n, chance in (("x", 9, 0.4), ("y", 31, 0.7), (None, 20, 0.5))
        for _ in range(n)
    ]  # fmt: skip
    return [{**row, "i": i} for i, row in enumerate(rows)]


def mean_error(rows: Rows, score: str, unit: str) -> tuple[float, Moves]:
    """The mean absolute error, and how far each unit moves it."""
    errors = [abs(row[score] - row["y"]) for row in rows]
    value = math.fsum(errors) / len(rows)
    moves: Moves = defaultdict(float)
    for row, error in zip(rows, errors, strict=True):
        moves[row[unit]] += (error - value) / len(rows)
    return value, moves


def accuracy(rows: Rows, score: str, unit: str) -> tuple[float, Moves]:
    """The share of rows on the right side of 0.5, and how far each unit moves it."""
    value, moves = mean_error(
        [{**row, "y": 1, score: int((row[score] >= 0.5) == (row["y"] == 1))} for row in rows], score, unit
    )
    return 1 - value, {key: -move for key, move in moves.items()}


def auc(rows: Rows, score: str, unit: str) -> tuple[float, Moves]:
    """The area, and by DeLong et al. (1988) how far each unit moves it: the placements of its rows."""
    ones, zeros = ([row for row in rows if row["y"] == y] for y in (1, 0))

    def above(one: dict[str, Any], zero: dict[str, Any]) -> float:
        return 0.5 * ((one[score] > zero[score]) + (one[score] >= zero[score]))

    value = math.fsum(above(one, zero) for one in ones for zero in zeros) / (len(ones) * len(zeros))
    moves: Moves = defaultdict(float)
    for one in ones:
        moves[one[unit]] += (math.fsum(above(one, zero) for zero in zeros) / len(zeros) - value) / len(ones)
    for zero in zeros:
        moves[zero[unit]] += (math.fsum(above(one, zero) for one in ones) / len(ones) - value) / len(zeros)
    return value, moves


class Mean(NamedTuple):
    """The mean of the differences of slices, and its test."""

    baseline: float
    candidate: float
    difference: float
    low: float
    high: float
    p_value: float
    units: int


def mean_of_differences(rows: Rows, metric: Any, baseline: str, candidate: str, unit: str) -> Mean:
    """Cochran (1977), 5.4: slices are strata, a unit of several one unit; Satterthwaite (1946) for what is free."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    slices = defaultdict(list)
    for row in rows:
        slices[row["part"]].append(row)
    values, strata, moves = [], [], defaultdict(float)
    for of_slice in slices.values():
        first, second = (metric(of_slice, score, unit) for score in (baseline, candidate))
        m = len(first[1])
        own = {key: (second[1][key] - first[1][key]) * math.sqrt(m / (m - 1)) for key in first[1]}
        for key, move in own.items():
            moves[key] += move / len(slices)
        values.append((first[0], second[0]))
        strata.append((math.fsum(move**2 for move in own.values()), m - 1))
    one, other = (math.fsum(side) / len(slices) for side in zip(*values, strict=True))
    free = math.fsum(v for v, _ in strata) ** 2 / math.fsum(v * v / of for v, of in strata)
    free = min(free, len(moves) - 1)
    error = math.sqrt(math.fsum(move**2 for move in moves.values()))
    reach = stats.t.ppf(0.975, free) * error
    difference = other - one
    p = 2 * stats.t.sf(abs(difference / error), free)
    return Mean(one, other, difference, difference - reach, difference + reach, p, len(moves))


def check(row: dict[str, Any], expected: Mean) -> None:
    close(row["baseline_value"], expected.baseline)
    close(row["candidate_value"], expected.candidate)
    close(row["difference"], expected.difference)
    close(row["low"], expected.low, 1e-7)
    close(row["high"], expected.high, 1e-7)
    close(row["p_value"], expected.p_value, 1e-7)
    assert row["test"] == "t"
    assert row["wins"] is row["ties"] is row["losses"] is None
    assert (row["n_pairs"], row["n_unpaired"]) == (expected.units, 0)


@pytest.mark.parametrize("unit", ["i", "person"])
def test_the_mean_of_differences(unit: str, engine: Engine) -> None:
    """Rows are strata; users lie in several slices. A share is tested by t, too."""
    rows = drawn()
    asked = {**FACTS, "group": unit if unit == "person" else None, "total_name": "all"}
    metrics = {"mae": mean_error, "accuracy": accuracy}
    statement = macros(engine.dialect).compare("given", [*metrics], baseline="a", candidate="b", **asked)
    *slices, first, second = engine.query(str(statement), {"given": rows})
    assert len(slices) == 6
    for row, (name, metric) in zip((first, second), metrics.items(), strict=True):
        assert (row["part"], row["is_total"], row["metric"], row["n_rows"]) == ("all", 1, name, 60)
        check(row, mean_of_differences(rows, metric, "a", "b", unit))


@pytest.mark.parametrize("unit", ["i", "person"])
def test_the_mean_of_areas(unit: str) -> None:
    rows = drawn(6)
    asked = {**FACTS, "group": unit if unit == "person" else None}
    *_, row = sm.compare(rows, "auc", baseline="a", candidate="b", **asked).to_dicts()
    check(row, mean_of_differences(rows, auc, "a", "b", unit))


def test_a_board_of_the_mean(engine: Engine) -> None:
    """Its values are those of `evaluate`, its tests those of `compare`, by Holm for all pairs."""
    rows = drawn(5)
    words = macros(engine.dialect)
    got = engine.query(
        str(words.leaderboard("given", "mae", score=["a", "b", "c"], group="person", **FACTS)),
        {"given": rows},
    )
    board = [row for row in got if row["is_total"] == 1]
    values = sm.evaluate(
        rows, "mae", score=["a", "b", "c"], group="person", interval=0.95, **FACTS
    ).to_dicts()
    pairs = {
        pair: mean_of_differences(rows, mean_error, *pair, "person")
        for pair in (("a", "b"), ("a", "c"), ("b", "c"))
    }
    assert [row["model"] for row in board] == sorted("abc", key=lambda m: board_value(pairs, m))
    for row in board:
        [value] = [one for one in values if one["is_total"] and one["model"] == row["model"]]
        close(row["value"], value["mae"])
        close(row["low"], value["mae_low"])
        close(row["high"], value["mae_high"])
        assert row["n_units"] == len({row["person"] for row in rows})
    chances, highest = {}, 0.0
    for place, (pair, of) in enumerate(sorted(pairs.items(), key=lambda item: item[1].p_value)):
        highest = max(highest, (3 - place) * of.p_value)
        chances[pair] = min(highest, 1.0)
    first = board[0]["model"]
    for row in board[1:]:
        pair = tuple(sorted((first, row["model"])))
        close(row["p_adjusted"], chances[pair], 1e-7)
        close(abs(row["difference"]), abs(pairs[pair].difference))


def board_value(pairs: dict[tuple[str, str], Mean], model: str) -> float:
    """The value of a model, from a pair that it is in."""
    for (one, other), mean in pairs.items():
        if model in (one, other):
            return mean.baseline if model == one else mean.candidate
    raise KeyError(model)


def test_slices_are_those_beside_a_total_of_rows() -> None:
    metrics = ["accuracy", "rmse", "precision", "average_precision", "auc", "f1"]
    asked: dict[str, Any] = {"baseline": "a", "candidate": ["b", "c"], "label": "y", "by": "part"}
    of_slices, of_rows = (
        sm.compare(drawn(5), metrics, total_of=of, margin=0.1, correction="holm", **asked)
        for of in ("slices", "rows")
    )
    means, whole = of_slices.to_dicts(), of_rows.to_dicts()
    assert of_slices.audit.to_dicts() == of_rows.audit.to_dicts()
    for one, other in zip(means, whole, strict=True):
        for name, value in one.items():
            if not one["is_total"]:
                assert value == other[name] or value == pytest.approx(other[name], rel=1e-9), name
        if one["is_total"]:
            assert one["low"] < one["difference"] < one["high"], one["metric"]


def test_a_mean_of_one_slice_is_the_slice() -> None:
    """Of the metrics that Student's t tests in a slice: lists, ratios and roots."""
    rows = [{**row, "part": "x"} for row in drawn(3)]
    asked = {**FACTS, "baseline": "a", "candidate": "b", "group": "person"}
    found = sm.compare(rows, ["mae", "rmse", "mrr", "precision"], **asked).to_dicts()
    for one, mean in zip(found[:4], found[4:], strict=True):
        for name in ("difference", "low", "high", "p_value", "n_pairs", "minimum_detectable"):
            assert mean[name] == pytest.approx(one[name], rel=1e-9), (one["metric"], name)


def test_at_every_look_it_is_wider() -> None:
    asked = {**FACTS, "baseline": "a", "candidate": "b"}
    *_, fixed = sm.compare(drawn(3), "mae", **asked).to_dicts()
    *_, anytime = sm.compare(drawn(3), "mae", test="anytime", **asked).to_dicts()
    assert anytime["test"] == "anytime"
    assert anytime["high"] - anytime["low"] > fixed["high"] - fixed["low"]
    assert anytime["p_value"] > fixed["p_value"]


def test_null_where_a_slice_does_not_tell() -> None:
    """One row says nothing of how much rows vary, and a slice of one class has no auc."""
    rows = [*drawn(2), {"part": "alone", "person": "u1", "y": 1, "a": 0.3, "b": 0.6, "c": 0.1, "i": 99}]
    *_, mae, area = sm.compare(rows, ["mae", "auc"], baseline="a", candidate="b", **FACTS).to_dicts()
    assert mae["difference"] is not None
    assert mae["low"] is mae["p_value"] is area["difference"] is area["low"] is area["p_value"] is None
    board = sm.leaderboard(rows, "mae", score=["a", "b"], **FACTS)
    assert [(row["rank_low"], row["rank_high"]) for row in board if row["is_total"]] == [(1, 2), (1, 2)]


REFUSED = [
    ({"by": None}, "total_of='slices' is the mean of the slices|pass their columns as by="),
    ({"total": False}, "leave total=False out"),
    ({"total_of": "rows of it"}, "total_of|Allowed: rows, slices"),
    ({"gold": "c"}, "gold= has no mean of slices"),
    (
        {"test": "wilcoxon", "group": "person"},
        "test='wilcoxon' has no mean of slices|leave test= or total_of= out",
    ),
    ({"test": "bootstrap"}, "test='bootstrap' has no mean of slices|leave test= or total_of= out"),
]


@pytest.mark.parametrize(("changed", "words"), REFUSED)
def test_refused(changed: dict[str, Any], words: str) -> None:
    asked = {**FACTS, "baseline": "a", "candidate": "b"}
    assert_told(told(sm.compare, drawn(2), "mae", **{**asked, **changed}), words)


def test_refused_of_a_board_of_samples_and_of_a_state() -> None:
    rows = drawn(2)
    assert_told(
        told(sm.leaderboard, rows, "mae", score=["a", "b"], **{**FACTS, "by": None}),
        "pass their columns as by=",
    )
    asked = {**FACTS, "baseline": "a", "candidate": "b", "other": rows, "paired": False}
    assert_told(told(sm.compare, rows, "mae", **asked), "compares models on the same data|leave it out")
    state = sm.state(rows, "mae", label="y", score=["a", "b"], by="part", period="i", intervals=True)
    assert_told(
        told(sm.compare, state, "mae", baseline="a", by="part", total_of="slices"),
        "total_of='slices' needs the rows|compare the rows themselves",
    )
