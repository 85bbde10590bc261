"""`check`: limits of reports, comparisons and finished states."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm
from support.errors import told

ROWS = [
    {
        "day": row // 20,
        "y": int(row % 3 == 0),
        "new": (row * 7 % 20 + 9 * (row % 3 == 0)) / 40,
        "old": (row * 11 % 20) / 40,
    }
    for row in range(60)
]
FACTS: dict[str, Any] = {"label": "y", "score": {"new": "new", "old": "old"}, "by": "day"}


@pytest.fixture(scope="module")
def report() -> sm.Report:
    return sm.evaluate(ROWS, ["auc", "brier", "precision(threshold=0.3)"], interval=0.9, **FACTS)


@pytest.fixture(scope="module")
def comparison() -> sm.Comparison:
    return sm.compare(ROWS, ["auc", "brier"], baseline="old", candidate="new", label="y", by="day")


def failed(result: Any, *gates: str, **more: Any) -> list[str]:
    with pytest.raises(sm.GateError) as refused:
        sm.check(result, *gates, **more)
    return str(refused.value).splitlines()


def test_limits_that_are_kept_return_a_table(report: sm.Report) -> None:
    table = sm.check(
        report, "auc >= 0", "brier < 1", "n_rows > 19", "auc_low <= 1", "precision(threshold=0.3)>=0"
    )
    assert len(table) == 5 * len(report)
    assert {row["holds"] for row in table} == {True}
    first = table.to_dicts()[0]
    assert first == {
        "slice": "day=0", "model": "new", "metric": "auc", "value": report.value("auc", day=0, model="new"),
        "rule": ">=", "limit": 0.0, "holds": True,
    }  # fmt: skip


@pytest.mark.parametrize(("rule", "holds"), [(">=", True), ("<=", True), (">", False), ("<", False)])
def test_the_limit_itself(rule: str, holds: bool) -> None:
    report = sm.evaluate([{"y": 1, "p": 0.5}, {"y": 0, "p": 0.5}], "auc", label="y", score="p")
    if holds:
        assert sm.check(report, f"auc {rule} 0.5").to_dicts() == [
            {"metric": "auc", "value": 0.5, "rule": rule, "limit": 0.5, "holds": True}
        ]
    else:
        assert failed(report, f"auc {rule} 0.5")[0] == f"auc is 0.5000; it has to be {rule} 0.5"


def test_every_row_that_misses_a_limit_is_a_line(report: sm.Report) -> None:
    expected = [
        f"{'all' if row['is_total'] else 'day=' + str(row['day'])}, model {row['model']}: auc is {row['auc']:.4f};"
        " it has to be >= 0.7"
        for row in report
        if row["auc"] < 0.7
    ]
    assert len(expected) > 1
    assert failed(report, "auc >= 0.7", "brier <= 1") == expected
    assert failed(report, "auc >= 0.7", slices=False) == [line for line in expected if line.startswith("all")]


def test_a_value_next_to_its_limit_has_digits_enough() -> None:
    rows = [{"y": 1, "p": 1}] * 70_000 + [{"y": 0, "p": 1}] * 30_001
    report = sm.evaluate(rows, "base_rate", label="y")
    [line] = failed(report, "base_rate >= 0.7")
    value = float(re.search(r"is (\S+);", line)[1])  # type: ignore[index]
    assert value < 0.7


def test_a_missing_value_keeps_no_limit() -> None:
    report = sm.evaluate([{"y": 1, "p": 0.5}], ["auc", "brier"], label="y", score="p")
    assert failed(report, "auc >= 0") == ["auc has no value; it has to be >= 0"]
    assert failed(report, "brier <= 1", fail_null=True) == ["auc has no value"]
    assert failed(report, "auc >= 0", fail_null=True) == ["auc has no value; it has to be >= 0"]


def test_differences_are_held_by_their_interval(comparison: sm.Comparison) -> None:
    [total] = [row for row in comparison if row["is_total"] and row["metric"] == "auc"]
    assert total["low"] < total["difference"]
    below, above = total["low"] - 1e-6, total["low"] + 1e-6
    table = sm.check(comparison, f"auc >= {below!r}", slices=False)
    assert [row["value"] for row in table] == [total["low"]]
    [line, few] = failed(comparison, f"auc >= {above!r}", slices=False)
    assert few.endswith("below 30 a test is rough")
    assert line.startswith(f"all, model new: auc differs from the baseline by {total['difference']:.4f} [")
    assert "the low end counts" in line
    assert "the high end counts" in failed(comparison, f"auc <= {total['difference']!r}", slices=False)[0]


@pytest.mark.slow
def test_a_difference_without_an_interval_keeps_no_limit() -> None:
    one = sm.compare(ROWS[:1], "brier", baseline="old", candidate="new", label="y")
    assert "which has no interval, since there are fewer than two pairs" in failed(one, "brier <= 9")[0]


@pytest.mark.slow
def test_finished_states() -> None:
    state = sm.state(ROWS, "auc", period="day", label="y", score="new")
    auc = sm.finish(state, "auc").value("auc")
    assert sm.check(sm.finish(state, "auc"), "auc > 0.1").to_dicts()[0]["value"] == auc


def test_a_limit_on_the_good_side_is_noted(report: sm.Report, comparison: sm.Comparison) -> None:
    [note] = sm.check(report, "brier >= 0").notes()
    assert note == "a lower brier is better, so 'brier >= 0' fails good models; 'brier <= 0' fails bad ones"
    assert "a higher auc is better, so 'auc < 1.5'" in sm.check(report, "auc < 1.5").notes()[0]
    assert "fails good models" in sm.check(comparison, "auc <= 1").notes()[0]
    assert failed(report, "auc < 0")[-1].endswith("'auc > 0' fails bad ones")
    # limits on both sides are meant: an AUC above 0.99 shows a feature that knows the label
    for gates in (["auc >= 0", "auc <= 1"], ["n_rows >= 1"]):
        assert sm.check(report, *gates).notes() == []


def test_names_of_columns_and_notations(report: sm.Report) -> None:
    named = sm.evaluate(ROWS, {"best": "auc"}, label="y", score="new")
    sm.check(named, "best >= 0.1")
    assert sm.check(named, "best <= 2").notes()
    for name in ("precision(threshold=0.3)", "precision_threshold_0_3"):
        sm.check(report, f"{name} >= 0")


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        ("auc", "a metric, one of >=, <=, >, < and a number, such as 'auc >= 0.7'; got 'auc'"),
        (
            "auc is good",
            "or of a comparison with margin= a verdict: 'auc is better', 'auc is equivalent', 'auc is not",
        ),
        (
            "auc is better",
            "The gate 'auc is better' needs the verdict of a comparison; pass margin= to compare",
        ),
        ("auc == 1", "got 'auc == 1'"),
        ("auc => 1", "got 'auc => 1'"),
        ("auc != 1", "got 'auc != 1'"),
        (">= 1", "got '>= 1'"),
        ("", "got ''"),
        (["auc >= 1"], "got ['auc >= 1']"),
        ("auc >= high", "got 'high' in 'auc >= high'"),
        ("auc >= nan", "got 'nan'"),
        ("auc >= 70%", "70% is written 0.7"),
        ("acu >= 0.7", "no 'acu' for the gate 'acu >= 0.7'. Did you mean 'auc'?"),
        ("day >= 1", "no 'day'"),
        ("model >= 1", "no 'model'"),
    ],
)
def test_texts_that_are_no_gate(report: sm.Report, gate: Any, words: str) -> None:
    said = told(sm.check, report, gate)
    assert words in said


@pytest.mark.slow
def test_results_that_have_no_gates(report: sm.Report) -> None:
    curve = sm.curve(ROWS, "roc", label="y", score="new")
    assert "takes the result of evaluate()" in told(sm.check, curve, "auc >= 1")
    assert "at least one gate" in told(sm.check, report)
    assert "slices must be True or False, got 'day'" in told(sm.check, report, "auc >= 0", slices="day")
    no_total = sm.evaluate(ROWS, "auc", **FACTS, total=False)
    assert "has no total" in told(sm.check, no_total, "auc >= 0", slices=False)


def test_the_error_is_a_failure_and_an_error_of_the_package(report: sm.Report) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.check(report, "auc >= 2")
    assert isinstance(refused.value, AssertionError)
    assert len(refused.value.gates) == len(report)  # type: ignore[attr-defined]


def test_many_failures_are_cut() -> None:
    rows = [{"y": row % 2, "p": 0.5, "slice": row // 2} for row in range(300)]
    lines = failed(sm.evaluate(rows, "auc", label="y", score="p", by="slice"), "auc > 0.5")
    assert (len(lines), lines[-1]) == (101, "... 51 more")


def test_a_gate_on_an_end_that_is_null_fails() -> None:
    rows = [{"y": 1, "p": 0.5}] * 3
    report = sm.evaluate(rows, "mae", label="y", score="p", interval=0.95)
    with pytest.raises(
        sm.GateError, match=r"mae_high has no value, since the rows or lists are too few or too alike"
    ):
        sm.check(report, "mae_high <= 0.9")


@pytest.mark.slow
def test_a_gate_on_few_units_says_so() -> None:
    rows = [{"y": i % 2, "p": (i % 2) / 2 + i / 100, "q": (i % 3) / 3} for i in range(24)]
    said = ["rows of the rarer class: 12; below 30 an interval is rough"]
    report = sm.evaluate(rows, "auc", label="y", score="p", interval=0.95)
    assert sm.check(report, "auc_low >= 0.5").notes() == said
    assert sm.check(report, "auc >= 0.5").notes() == []
    compared = sm.compare(rows, "auc", label="y", baseline="q", candidate="p")
    assert "below 30 a test is rough" in sm.check(compared, "auc >= 0").notes()[-1]
