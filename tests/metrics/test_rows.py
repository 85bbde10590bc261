"""Metrics of rows: what must not change a number, ranges, several models, digits, and what is refused."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import given, settings
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
from support.errors import assert_told, told
from support.evaluated import evaluated

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
some = settings(max_examples=15, deadline=None)


def same(one: dict[str, float | None], other: dict[str, float | None]) -> None:
    assert one == {
        notation: number if number is None else pytest.approx(number, rel=1e-10, abs=1e-12)
        for notation, number in other.items()
    }


CASES = [
    (rows_of_decisions, [*DECISIONS, *PROBABILITIES]),
    (rows_of_numbers, OF_NUMBERS),
]


@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_the_order_of_rows_changes_nothing(rows: Any, metrics: list[str], data: Any) -> None:
    given_rows = data.draw(rows)
    shuffled = data.draw(st.permutations(given_rows))
    same(evaluated([*metrics, *UNWEIGHTED], shuffled), evaluated([*metrics, *UNWEIGHTED], given_rows))


@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_a_weight_is_a_number_of_copies(rows: Any, metrics: list[str], data: Any) -> None:
    """A weight of 0 is the row left out, as long as something is left."""
    weighed = [{**row, "w": (i + 1) % 3} for i, row in enumerate(data.draw(rows))]
    copies = [row for row in weighed for _ in range(row["w"])]
    metrics = [notation for notation in metrics if not notation.startswith("adjusted")]
    same(evaluated(metrics, weighed, weight="w"), evaluated(metrics, copies))


@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_rows_counted_twice_keep_what_is_no_total(rows: Any, metrics: list[str], data: Any) -> None:
    once = data.draw(rows)
    metrics = [
        n for n in [*metrics, *UNWEIGHTED] if not n.startswith(("adjusted", *(f"{t}" for t in TOTALS)))
    ]
    metrics = [*metrics, "tpr", "fpr", "fnr", "tnr"] if rows is rows_of_decisions else metrics
    same(evaluated(list(dict.fromkeys(metrics)), once * 2), evaluated(list(dict.fromkeys(metrics)), once))


def least_and_most(notation: str) -> tuple[float, float]:
    name = notation.partition("(")[0]
    if name in ("mcc", "kappa", "informedness", "markedness", "pearson", "spearman", "concordance"):
        return -1, 1
    if name in ("adjusted_r2", "explained_variance", "rig", "brier_skill") or name.startswith("d2_"):
        return -math.inf, 1
    if name == "smape":
        return 0, 2
    if name == "base_log_loss":
        return 0, math.log(2)
    bounded = notation in DECISIONS and name not in TOTALS
    return 0, 1 if bounded else math.inf


@some
@given(st.data())
@pytest.mark.parametrize(("rows", "metrics"), CASES, ids=["decisions", "numbers"])
def test_ranges(rows: Any, metrics: list[str], data: Any) -> None:
    for notation, number in evaluated([*metrics, *UNWEIGHTED], data.draw(rows)).items():
        least, most = least_and_most(notation)
        assert number is None or least - 1e-12 <= number <= most + 1e-12, notation


@some
@given(rows_of_numbers)
def test_spearman_reads_only_the_order(rows: Rows) -> None:
    mapped = [{"label": math.exp(row["label"]), "score": row["score"] ** 3} for row in rows]
    same(evaluated(UNWEIGHTED, mapped), evaluated(UNWEIGHTED, rows))


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
        "spearman",
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
