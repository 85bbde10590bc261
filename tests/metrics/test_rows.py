"""Metrics of rows: what must not change a number, ranges, several models, digits, and what is refused."""

from __future__ import annotations

import math
import random
import sqlite3
from contextlib import closing
from typing import Any

import numpy
import pandas
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlmetrics as sm
from conformance.cases.rows import (
    ABOVE_MINUS_ONE,
    AMOUNTS,
    COUNTS,
    DECISIONS,
    ERRORS,
    POSITIVE,
    PROBABILITIES,
    UNWEIGHTED,
)
from oracles import value
from support.engines import Engine
from support.errors import assert_told, told
from support.evaluated import evaluated, evaluated_each
from support.properties import some, tables

Rows = list[dict[str, Any]]
FACTS = {"label": "label", "score": "score"}
TOTALS = ("tp", "fp", "fn", "tn")
OF_NUMBERS = [notation for notation in ERRORS if "zero_target" not in notation]
rows_of_decisions = st.lists(
    st.fixed_dictionaries(
        {"label": st.sampled_from([0, 0, 1]), "score": st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])}
    ),
    min_size=1,
    max_size=25,
)
rows_of_numbers = st.lists(
    st.fixed_dictionaries({name: st.sampled_from([-3.5, -0.1, 0.0, 0.1, 0.3, 2.0, 7.0]) for name in FACTS}),
    min_size=1,
    max_size=25,
)


def same(one: dict[str, float | None], other: dict[str, float | None]) -> None:
    assert one == {
        notation: number if number is None else pytest.approx(number, rel=1e-10, abs=1e-12)
        for notation, number in other.items()
    }


def same_each(found: list[dict[str, float | None]]) -> None:
    """The first half is what the second half is."""
    for one, other in zip(found[: len(found) // 2], found[len(found) // 2 :], strict=True):
        same(one, other)


CASES = [
    (rows_of_decisions, [*DECISIONS, *PROBABILITIES]),
    (rows_of_numbers, OF_NUMBERS),
]


@pytest.mark.slow
@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_the_order_of_rows_changes_nothing(rows: Any, metrics: list[str], data: Any) -> None:
    drawn = data.draw(tables(rows))
    shuffled = [data.draw(st.permutations(table)) for table in drawn]
    same_each(evaluated_each([*metrics, *UNWEIGHTED], [*shuffled, *drawn]))


@pytest.mark.slow
@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_a_weight_is_a_number_of_copies(rows: Any, metrics: list[str], data: Any) -> None:
    """A weight of 0 is the row left out, as long as something is left."""
    weighed = [
        [{**row, "w": (i + 1) % 3} for i, row in enumerate(table)] for table in data.draw(tables(rows))
    ]
    copies = [[row for row in table for _ in range(row["w"])] for table in weighed]
    metrics = [notation for notation in metrics if not notation.startswith("adjusted")]
    same_each([*evaluated_each(metrics, weighed, weight="w"), *evaluated_each(metrics, copies)])


@pytest.mark.slow
@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_rows_counted_twice_keep_what_is_no_total(rows: Any, metrics: list[str], data: Any) -> None:
    once = data.draw(tables(rows))
    of_many = ("adjusted", "debiased_calibration_error", "spiegelhalter_z", *TOTALS)
    metrics = [n for n in [*metrics, *UNWEIGHTED] if not n.startswith(of_many)]
    metrics = [*metrics, "tpr", "fpr", "fnr", "tnr"] if rows is rows_of_decisions else metrics
    same_each(evaluated_each(list(dict.fromkeys(metrics)), [*(table * 2 for table in once), *once]))


def least_and_most(notation: str) -> tuple[float, float]:
    name = notation.partition("(")[0]
    if name in (
        "mcc",
        "kappa",
        "informedness",
        "markedness",
        "pearson",
        "spearman",
        "kendall_tau",
        "concordance",
    ):
        return -1, 1
    if notation.startswith("balanced_accuracy(adjusted"):
        return -1, 1
    if name in ("adjusted_r2", "explained_variance", "rig", "brier_skill") or name.startswith("d2_"):
        return -math.inf, 1
    if name in ("spiegelhalter_z", "calibration_slope", "calibration_intercept"):
        return -math.inf, math.inf
    if name == "smape":
        return 0, 2
    if name == "base_log_loss":
        return 0, math.log(2)
    unbounded = (*TOTALS, "hinge", "positive_likelihood_ratio", "negative_likelihood_ratio")
    bounded = notation in DECISIONS and name not in unbounded
    return 0, 1 if bounded else math.inf


@pytest.mark.slow
@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_ranges(rows: Any, metrics: list[str], data: Any) -> None:
    for found in evaluated_each([*metrics, *UNWEIGHTED], data.draw(tables(rows))):
        for notation, number in found.items():
            least, most = least_and_most(notation)
            assert number is None or least - 1e-12 <= number <= most + 1e-12, notation


@some
@given(tables(rows_of_numbers))
def test_rank_correlations_read_only_the_order(tables: list[Rows]) -> None:
    mapped = [
        [{"label": math.exp(row["label"]), "score": row["score"] ** 3} for row in rows] for rows in tables
    ]
    same_each(evaluated_each(UNWEIGHTED, [*mapped, *tables]))


@pytest.mark.slow
@pytest.mark.parametrize("total", [True, False])
@pytest.mark.parametrize("weight", [None, "w"])
def test_models_and_slices(weight: str | None, total: bool) -> None:
    """What sorts the rows sorts them for each model and slice, and for all slices."""
    draw = random.Random(3)
    rows = [
        {
            "label": round(draw.lognormvariate(0, 1), 1) + 0.1,
            "a": round(draw.lognormvariate(0, 1), 1) + 0.1,
            "b": round(draw.lognormvariate(0, 2), 1) + 0.1,
            "part": draw.choice(["x", "y", None]),
            "w": draw.choice([0.0, 0.5, 1.0, 3.0]),
        }
        for _ in range(90)
    ]
    metrics = [*POSITIVE, *(UNWEIGHTED if weight is None else [])]
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    scores = {"first": "a", "second": "b"}
    report = sm.evaluate(rows, named, label="label", score=scores, by="part", weight=weight, total=total)
    assert len(report) == 2 * (4 if total else 3)
    for row in report.to_dicts():
        part = [r for r in rows if row.get("is_total") or r["part"] == row["part"]]
        for name, notation in named.items():
            expected = value(notation, part, label="label", score=scores[row["model"]], weight=weight)
            assert row[name] == pytest.approx(expected, rel=1e-9, abs=1e-12), notation


def test_huge_counts_keep_their_digits() -> None:
    """Products of four sums near 1e9 leave the integers."""
    cells = [(1, 1, 9e8), (1, 0, 1e8), (0, 1, 2e8), (0, 0, 8e8)]
    rows = [{"label": y, "score": s, "w": w} for y, s, w in cells]
    computed = evaluated(["mcc", "kappa", "balanced_accuracy"], rows, weight="w")
    expected = {"mcc": (72 - 2) / math.sqrt(11 * 10 * 10 * 9), "kappa": 0.7, "balanced_accuracy": 0.85}
    same(computed, expected)


def test_a_label_far_from_0_keeps_its_digits() -> None:
    """The difference of two large sums would lose all of them."""
    near = [
        {"label": y, "score": s} for y, s in [(-2.0, -1.0), (-1.0, -2.0), (0.0, 1.0), (1.0, 0.0), (2.0, 4.0)]
    ]
    far = [{name: number + 1e9 for name, number in row.items()} for row in near]
    metrics = [
        "pearson",
        "concordance",
        "explained_variance",
        "adjusted_r2(features=1)",
        "d2_tweedie",
        *UNWEIGHTED,
    ]
    for notation, number in evaluated(metrics, far).items():
        assert number == pytest.approx(value(notation, near), rel=1e-9), notation


def test_a_score_that_is_almost_right_keeps_its_digits() -> None:
    """Near the label a deviance is about the squared relative error, far below what the logarithm rounds off."""
    rows = [{"label": 1e6, "score": 1e6 * (1 + 1e-7)}]
    assert evaluated(["poisson_deviance"], rows)["poisson_deviance"] == pytest.approx(1e-14 * 1e6, rel=1e-6)
    assert evaluated(["gamma_deviance"], rows)["gamma_deviance"] == pytest.approx(1e-14, rel=1e-6)
    close = [{"label": 1e-12, "score": 2e-12}]
    assert evaluated(["rmsle"], close)["rmsle"] == pytest.approx(1e-12, rel=1e-9)


@pytest.mark.parametrize("error", [1e-9, 1e-5, 0.0099, 0.0101, 0.7, 19.9, 20.1, 1e4])
def test_log_cosh_keeps_its_digits(error: float) -> None:
    rows = [{"label": 0.0, "score": error}]
    assert evaluated(["log_cosh"], rows)["log_cosh"] == pytest.approx(
        value("log_cosh", rows), rel=3e-12, abs=0
    )


def test_rows_of_label_0_are_told() -> None:
    rows = [{"y": y, "s": 1.0} for y in (0, 0, 2)]
    report = sm.evaluate(rows, "mape", label="y", score="s")
    assert report.to_dicts()[0]["rows_zero_target"] == 2
    assert report.to_dicts()[0]["mape"] == 0.5
    assert "rows of label 0, left out of percentage errors: 2" in report.notes()


REFUSED = [
    ("adjusted_r2", {}, "adjusted_r2: features must be an integer >= 0, got None"),
    ("adjusted_r2(features=1.5)", {}, "features must be an integer >= 0, got 1.5"),
    ("pinball(quantile=2)", {}, "quantile must be a number >= 0 and <= 1, got 2"),
    ("d2_pinball(quantile=0)", {}, "quantile must be a number|got 0"),
    ("huber(delta=0)", {}, "delta must be a number|got 0"),
    ("mape(zero_target=no)", {}, "zero_target must be skip, error or a number > 0, got no"),
    ("mape(zero_target=-1)", {}, "zero_target must be a number|got -1"),
    ("tweedie_deviance(power=0.5)", {}, "power must be 0 or >= 1, got 0.5"),
    ("d2_tweedie(power=-1)", {}, "power must be 0 or >= 1, got -1"),
    ("tpr(zero_division=2)", {}, "zero_division must be a number|got 2"),
    ("mcc(threshold=high)", {}, "threshold must be a number, got high"),
    ("spearman", {"weight": "s"}, "spearman: takes no weight=|pearson"),
    ("kendall_tau", {"weight": "s"}, "kendall_tau: takes no weight=|pearson"),
    ("mape(zero_target=error)", {}, "1 rows have label 0|mape(zero_target=error)"),
    ("gamma_deviance", {}, "1 rows have a label such as 0, but gamma_deviance takes labels > 0"),
    ("rig", {"label": "s", "score": "y"}, "neither 0 nor 1"),
    ("copc", {"score": "big"}, "2 rows have a score outside [0, 1], such as|copc takes probabilities"),
]


@pytest.mark.parametrize(("notation", "facts", "words"), REFUSED, ids=[case[0] for case in REFUSED])
def test_refused(notation: str, facts: dict[str, str], words: str) -> None:
    rows = [{"y": 1, "s": 0.5, "big": 2.0}, {"y": 0, "s": 0.25, "big": 3.0}]
    assert_told(told(sm.evaluate, rows, notation, **{"label": "y", "score": "s", **facts}), words)


BROKEN = [
    *((notation, {"label": -1.0}, "labels >= 0") for notation in COUNTS),
    *((notation, {"label": 0.0}, "labels > 0") for notation in AMOUNTS),
    *((notation, {"score": 0.0}, "takes scores > 0") for notation in [*COUNTS, *AMOUNTS]),
    *((notation, {role: -1.0}, "<= -1, such as -1") for notation in ABOVE_MINUS_ONE for role in FACTS),
]


@pytest.mark.parametrize(("notation", "broken", "words"), BROKEN)
def test_numbers_that_cannot_be(notation: str, broken: dict[str, float], words: str) -> None:
    rows = [{"label": 1.0, "score": 2.0}, {"label": 3.0, "score": 2.0, **broken}]
    assert_told(told(sm.evaluate, rows, notation, **FACTS), f"1 rows have|{words}")


# --- single precision ---

TENTHS = [number / 10 for number in range(1, 10)]


def singles(make: str, column: str) -> Any:
    """A table whose named column has the tenths in single precision; the other column is 1."""
    other = "label" if column == "score" else "score"
    frame = pandas.DataFrame({column: numpy.array(TENTHS, numpy.float32), other: 1})
    return pyarrow.Table.from_pandas(frame) if make == "arrow" else frame


@pytest.mark.parametrize("make", ["pandas", "arrow"])
@pytest.mark.parametrize("threshold", [*TENTHS, 1 / 3, 0.35])
def test_a_single_precision_score_meets_its_threshold(make: str, threshold: float) -> None:
    expected = int((numpy.array(TENTHS, numpy.float32) >= numpy.float32(threshold)).sum())
    cells = {cell: f"{cell}(threshold={threshold})" for cell in ("tp", "fn")}
    (row,) = sm.evaluate(singles(make, "score"), cells, **FACTS).to_dicts()
    assert (row["tp"], row["fn"]) == (expected, len(TENTHS) - expected)


@pytest.mark.parametrize("limit", TENTHS)
def test_a_single_precision_label_meets_its_limit(limit: float) -> None:
    expected = int((numpy.array(TENTHS, numpy.float32) >= numpy.float32(limit)).sum())
    (row,) = sm.evaluate(singles("arrow", "label"), "base_rate", positive=limit, **FACTS).to_dicts()
    assert row["base_rate"] == pytest.approx(expected / len(TENTHS))


def test_other_scores_are_compared_in_double_precision() -> None:
    around = [
        math.nextafter(0.7, 0),
        0.7,
        math.nextafter(0.7, 1),
        0.69999999,
        float(numpy.float32(0.7)) + 1e-15,
    ]
    rows = [{"label": 1, "score": score} for score in around]
    assert evaluated(["tp(threshold=0.7)"], rows) == {"tp(threshold=0.7)": 2}


# --- numbers that leave the floats ---

LARGE = [
    {"label": 1e155, "score": 3e155, "weight": 1.0},
    {"label": -3e154, "score": 1.0, "weight": 1e300},
    {"label": 2e200, "score": -2e200, "weight": 1e-300},
    {"label": 5e307, "score": -1e308, "weight": 1e300},
]
TINY = [
    {"label": label, "score": score, "weight": weight}
    for label, score, weight in (
        (1, 1e-310, 1e300),
        (0, 0.1, 1e300),
        (1, 0.6, 1e-300),
        (0, 0.9, 1.0),
        (1, 0.0, 1e200),
    )
]


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize(
    ("metrics", "rows"),
    [(OF_NUMBERS, LARGE), ([*DECISIONS, *PROBABILITIES], TINY)],
    ids=["large numbers", "tiny scores"],
)
def test_no_result_is_nan_or_infinite(metrics: list[str], rows: Rows, weight: str | None) -> None:
    metrics = [metric for metric in metrics if weight is None or metric not in UNWEIGHTED]
    table = pyarrow.Table.from_pylist(rows)
    (row,) = sm.evaluate(table, metrics, weight=weight, interval=0.95, n_resamples=20, **FACTS).to_dicts()
    assert len(row) > len(metrics)
    assert not [name for name, value in row.items() if value is not None and not math.isfinite(value)]


def values(engine: Engine, metrics: list[str], rows: Rows, **roles: str) -> dict[str, float | None]:
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    statement = sm.render("predictions", named, dialect=engine.dialect, **FACTS, **roles)
    (row,) = engine.query(statement, {"predictions": rows})
    return {notation: row[name] for name, notation in named.items()}


@pytest.mark.parametrize("role", FACTS)
def test_a_row_of_weight_0_whose_square_leaves_the_floats_counts_for_nothing(
    role: str, engine: Engine
) -> None:
    rows = [{"label": y, "score": s, "weight": 1.5} for y, s in [(0.0, 0.25), (1.0, 0.5), (3.0, 2.0)]]
    beside = {"label": 1.0, "score": 1.0, role: 1e160, "weight": 0.0}
    metrics = [metric for metric in OF_NUMBERS if metric not in UNWEIGHTED]
    alone = values(engine, metrics, rows, weight="weight")
    same(values(engine, metrics, [*rows, beside], weight="weight"), alone)


@pytest.mark.parametrize("weight", [None, "weight"])
def test_a_square_below_the_floats_is_0(weight: str | None, engine: Engine) -> None:
    scored = [(0, 1e-200), (0, 5e-324), (1, 0.25), (1, 1e-170), (0, 0.0), (1, 1.0)]
    rows = [{"label": float(y), "score": s, "weight": 1.0} for y, s in scored]
    metrics = ["brier", "brier_skill", "mse", "rmse", "r2", "explained_variance", "pearson", "concordance"]
    metrics += ["huber", "log_cosh", "tweedie_deviance", "d2_tweedie"]
    expected = {notation: value(notation, rows) for notation in metrics}
    same(values(engine, metrics, rows, **({"weight": weight} if weight else {})), expected)


def test_a_correlation_of_a_variance_beyond_the_floats_is_null() -> None:
    """Divided by infinity, any products would give 0, and any loss a share of 0."""
    rows = [{"label": y, "score": s} for y, s in [(0.0, 0.0), (1.0, 0.5), (3.0, 1e160)]]
    swapped = [{"label": row["score"], "score": row["label"]} for row in rows]
    assert evaluated(["pearson"], rows) == {"pearson": None}
    assert evaluated(["pearson", "r2"], swapped) == {"pearson": None, "r2": None}
    near = [{"label": y, "score": s} for y, s in [(0.0, 0.0), (0.0, 0.0), (2e154, 1e154)]]
    assert evaluated(["r2"], near) == {"r2": None}


def test_no_result_of_sqlite_is_infinite() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table t (label, score)")
        connection.executemany("insert into t values (?, ?)", [(row["label"], row["score"]) for row in LARGE])
        (row,) = sm.evaluate("t", ["mse", "rmse", "mae"], connection=connection, **FACTS).to_dicts()
    assert (row["mse"], row["rmse"]) == (None, None)
    assert row["mae"] == pytest.approx(3.75e307)
