"""Labels of examples and gaps: what is refused, what is left out and counted, intervals."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlmetrics as sm
from support.errors import assert_told, told

ROWS = [
    {"g": g, "i": i, "y": (g + j) % 2, "p": 0.4 + 0.1 * j, "w": 1.0, "sex": "fm"[g % 2], "home country": i}
    for g in range(4)
    for j, i in enumerate("abc")
]
FACTS: dict[str, Any] = {"label": "y", "score": "p", "group": "g", "item": "i"}
GAP = "demographic_parity_difference"

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("multilabel_f1", {}, "average must be one of macro, weighted, samples, micro, got None"),
    ("multilabel_f1(average=macro)", {"item": None}, "needs item="),
    ("multilabel_f1(average=macro)", {"group": None}, "needs group="),
    ("multilabel_f1(average=macro)", {"score": None}, "needs score="),
    ("multilabel_f1(average=macro, zero_division=2)", {}, "zero_division must be a number >= 0 and <= 1"),
    ("subset_accuracy(threshold=high)", {}, "threshold must be a number, got high"),
    ("subset_accuracy", {"item": "sex"}, "4 groups have several rows of one item"),
    ("multilabel_f1(average=samples)", {"weight": "p"}, "4 groups have a weight that is not the same"),
    (GAP, {}, "needs sensitive=, a column whose values are compared|sensitive=sex"),
    (f"{GAP}(sensitive=sx)", {}, "Column 'sx' (sensitive=) is not in|Did you mean 'sex'"),
    (f"{GAP}(sensitive=sex)", {"truth": [{"g": 1, "i": "a", "y": 1}]}, "does not go with truth="),
    (f"{GAP}(by=sex)", {}, "Unknown parameter 'by'|sensitive"),
]


@pytest.mark.parametrize(("metric", "facts", "words"), REFUSED)
def test_refused(metric: str, facts: dict[str, Any], words: str) -> None:
    assert_told(told(sm.evaluate, ROWS, metric, **(FACTS | facts)), words)


def test_a_state_of_periods_is_refused() -> None:
    message = told(sm.state, ROWS, f"{GAP}(sensitive=sex)", label="y", score="p", period="i")
    assert_told(message, "no state of periods makes it|subsets")


def test_a_column_in_quotes_and_several_columns() -> None:
    asked = {"sex": f"{GAP}(sensitive=sex)", "home": f"{GAP}(sensitive='home country')"}
    row = sm.evaluate(ROWS, asked, label="y", score="p").flat()
    assert (row["sex"], row["home"]) == (0, 1)  # by sex 2 of 3 are selected; by home none, all, all


def test_values_without_the_rows_of_a_rate_are_counted() -> None:
    rows = [*ROWS, {**ROWS[0], "y": 0, "sex": None}]
    report = sm.evaluate(
        rows, [f"{GAP}(sensitive=sex)", "equal_opportunity_difference(sensitive=sex)"], label="y", score="p"
    )
    assert report.count("subsets_left_out") == 1  # the NULL has no positive row
    assert (
        "groups of the sensitive column left out, they have no positive (or negative) rows: 1"
        in report.notes()
    )
    alone = sm.evaluate(rows, f"{GAP}(sensitive=sex)", label="y", score="p")
    assert alone.count("subsets_left_out") == 0


@pytest.mark.slow
def test_an_interval_of_a_gap_of_equal_rates_reaches_down_to_0() -> None:
    """The greatest difference of rates is above 0 even so, and no replicate is below 0."""
    draw = random.Random(5)
    rows = [
        {"y": 0, "p": draw.random(), "sex": draw.choice("fm"), "run": run}
        for run in range(30)
        for _ in range(60)
    ]
    gaps = {"gap": f"{GAP}(sensitive=sex)", "ratio": "demographic_parity_ratio(sensitive=sex)"}
    report = sm.evaluate(
        rows, gaps, label="y", score="p", by="run", total=False, interval=0.9, n_resamples=60
    )
    found = report.to_dicts()
    assert sum(row["gap"] > 0 for row in found) >= 25
    assert sum(row["gap_low"] == 0 for row in found) >= 24
    assert sum(row["ratio_high"] == 1 for row in found) >= 24


def test_a_predicted_text_is_read_by_a_gap_alone() -> None:
    rows = [{**row, "y": "ny"[row["y"]], "d": "ny"[row["p"] >= 0.5]} for row in ROWS]
    roles = {"label": "y", "prediction": "d", "positive": "y"}
    report = sm.evaluate(rows, {"gap": "equal_opportunity_difference(sensitive=i)"}, interval=0.9, **roles)
    assert report.value("gap") == 1


@pytest.mark.slow
def test_a_gap_is_compared_and_gated() -> None:
    rows = [{**row, "q": 0.45} for row in ROWS * 5]
    compared = sm.compare(
        rows, f"{GAP}(sensitive=i)", label="y", baseline="p", candidate="q", test="bootstrap", n_resamples=50
    )
    assert compared.to_dicts()[0]["difference"] == -1
    report = sm.evaluate(rows, {"gap": f"{GAP}(sensitive=i)"}, label="y", score="p")
    assert_told(told(sm.check, report, "gap <= 0.1"), "gap")
