"""A verdict follows from the interval of the difference, and its words from the verdict."""

from __future__ import annotations

from typing import Any

import pytest

from sqlmetrics.book.headers import Better
from sqlmetrics.pages.verdicts import outcome, verdict

HIGHER, LOWER, NONE, NEAR = Better("higher"), Better("lower"), Better("none"), Better("nearer", 1.0)


def row(low: float | None, high: float | None, baseline: float = 0.5) -> dict[str, Any]:
    """A row of a comparison whose difference lies in the middle of its interval."""
    difference = 0.25 if low is None or high is None else (low + high) / 2
    return {
        "metric": "m", "candidate": "new", "baseline_value": baseline, "difference": difference,
        "low": low, "high": high, "minimum_detectable": 0.03, "n_pairs": 40,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "better", "expected"),
    [
        (0.01, 0.02, HIGHER, "better"),
        (0.01, 0.02, LOWER, "worse"),
        (-0.02, -0.01, HIGHER, "worse"),
        (-0.02, -0.01, LOWER, "better"),
        (-0.01, 0.02, HIGHER, "unclear"),
        (0.0, 0.02, HIGHER, "unclear"),  # an interval that ends at 0 holds it
        (-0.02, 0.0, LOWER, "unclear"),
        (0.01, 0.02, NONE, "differs"),
        (0.1, 0.2, NEAR, "better"),  # from 0.5 towards 1
        (-0.2, -0.1, NEAR, "worse"),
        (0.4, 0.6, NEAR, "differs"),  # past 1 or not: the interval does not say which is nearer
        (None, None, HIGHER, "untested"),
    ],
)
def test_outcome(low: float | None, high: float | None, better: Better, expected: str) -> None:
    assert outcome(row(low, high), better) == expected


def test_outcome_above_the_best_value() -> None:
    assert outcome(row(-0.2, -0.1, baseline=1.5), NEAR) == "better"
    assert outcome(row(0.1, 0.2, baseline=1.5), NEAR) == "worse"


@pytest.mark.parametrize("word", ["equivalent", "not worse"])
def test_a_verdict_beside_a_margin_comes_first(word: str) -> None:
    beside = {**row(-0.01, 0.02), "margin": 0.05, "verdict": word}
    assert outcome(beside, HIGHER) == word
    found = verdict(beside, "auc", "old", HIGHER, 0.95, 0.8)
    assert (
        found.head
        == {
            "equivalent": "new is equivalent to old by auc",
            "not worse": "new is not worse than old by auc",
        }[word]
    )
    assert (
        found.text
        == "auc differs by +0.0050, 95% interval −0.0100 to +0.0200"
        + {
            "equivalent": ", all of it smaller than the margin of 0.0500.",
            "not worse": ". That it is worse by the margin of 0.0500 is excluded.",
        }[word]
    )


@pytest.mark.parametrize("word", ["better", "worse", "undecided", "differs", None])
def test_other_verdicts_are_those_of_the_interval(word: str | None) -> None:
    for low, high, better in ((0.1, 0.2, HIGHER), (0.1, 0.2, LOWER), (-0.1, 0.2, HIGHER), (0.1, 0.2, NEAR)):
        beside = {**row(low, high), "margin": 0.05, "verdict": word}
        assert outcome(beside, better) == outcome(row(low, high), better)


def said(one: dict[str, Any], better: Better) -> tuple[str, str]:
    found = verdict(one, "ndcg@10", "old", better, 0.95, 0.8)
    return found.head, found.text


def test_words_of_a_difference_that_is_shown() -> None:
    assert said(row(0.056, 0.089), HIGHER) == (
        "new is better than old by ndcg@10",
        "ndcg@10 is higher by 0.0725, 95% interval 0.0560 to 0.0890. Higher is better.",
    )
    assert said(row(-0.089, -0.056), HIGHER) == (
        "new is worse than old by ndcg@10",
        "ndcg@10 is lower by 0.0725, 95% interval 0.0560 to 0.0890. Higher is better.",
    )
    assert said(row(0.056, 0.089), NONE) == (
        "new differs from old in ndcg@10",
        "ndcg@10 is higher by 0.0725, 95% interval 0.0560 to 0.0890. This metric has no better direction.",
    )


def test_words_of_a_difference_that_is_not_shown() -> None:
    assert said(row(-0.01, 0.02), HIGHER) == (
        "No difference shown between new and old in ndcg@10",
        (
            "ndcg@10 differs by +0.0050, 95% interval −0.0100 to +0.0200."
            " A difference of 0.0300 would have been found with a probability of 80%."
        ),
    )


def test_words_where_nothing_was_tested() -> None:
    head = "new and old are not tested by ndcg@10"
    assert said(row(None, None) | {"n_pairs": 1}, HIGHER) == (
        head,
        "ndcg@10 differs by +0.2500; a test needs two lists or rows at least.",
    )
    assert said(row(None, None), HIGHER) == (
        head,
        "ndcg@10 differs by +0.2500; the difference is the same everywhere, so that nothing varies.",
    )
    assert said(row(None, None) | {"difference": None}, HIGHER) == (
        head,
        "ndcg@10 has no value for one of the two models.",
    )
