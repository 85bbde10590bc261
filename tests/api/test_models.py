"""Models have one form in every call: a list of columns, or a mapping of names to columns, one of them the baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sqlmetrics as sm

ROWS = [
    {
        "y": int(i * 5 % 11 < 4),
        "a": i % 7 / 7,
        "b": i % 5 / 5,
        "c": i % 3 / 3,
        "u": i % 12,
        "d": "xy"[i % 24 > 11],
    }
    for i in range(120)
]
LISTED = ["a", "b", "c"]
NAMED = {"new": "b", "old": "a", "third": "c"}
FACTS: dict[str, Any] = {"label": "y", "group": "u"}


def same(one: Any, other: Any) -> bool:
    """Whether two results have the same rows, but for rounding."""
    return one.to_dicts() == [pytest.approx(row) for row in other]


@pytest.mark.parametrize(
    "asked",
    [
        lambda score: sm.evaluate(ROWS, ["auc", "ndcg@3"], score=score, **FACTS),
        lambda score: sm.per_group(ROWS, "ndcg@3", score=score, **FACTS),
        lambda score: sm.curve(ROWS, "roc(points=5)", label="y", score=score),
        lambda score: sm.render("auc", "rows", label="y", score=score),
        lambda score: sm.render_curve("roc", "rows", label="y", score=score),
    ],
)
def test_a_list_names_each_model_by_its_column(asked: Callable[[Any], Any]) -> None:
    found, expected = asked(LISTED), asked({"a": "a", "b": "b", "c": "c"})
    assert asked(tuple(LISTED)) == expected if isinstance(expected, str) else same(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("score", "baseline", "candidate", "columns"),
    [
        (LISTED, "a", None, {"b": "b", "c": "c"}),
        (LISTED, "b", "c", {"c": "c"}),
        (NAMED, "old", None, {"new": "b", "third": "c"}),
        (NAMED, "third", ["old", "new"], {"old": "a", "new": "b"}),
    ],
)
def test_a_comparison_names_models(
    score: Any, baseline: str, candidate: Any, columns: dict[str, str]
) -> None:
    column = score[baseline] if isinstance(score, dict) else baseline
    by_names = sm.compare(
        ROWS, ["mae", "ndcg@3"], score=score, baseline=baseline, candidate=candidate, **FACTS
    )
    by_columns = sm.compare(ROWS, ["mae", "ndcg@3"], baseline=column, candidate=columns, **FACTS)
    assert same(by_names, by_columns)
    assert [row["candidate"] for row in by_names if row["metric"] == "mae"] == [*columns]
    asked = {"score": score, "baseline": baseline, "candidate": candidate, **FACTS}
    assert f"when 1 then '{baseline}'" in sm.render_compare("mae", "rows", pairs="all", **asked)


@pytest.mark.slow
def test_all_pairs_of_named_models() -> None:
    found = sm.compare(ROWS, "mae", score=NAMED, baseline="old", pairs="all", **FACTS)
    assert [(row["baseline"], row["candidate"]) for row in found] == [
        ("old", "new"), ("old", "third"), ("new", "third")
    ]  # fmt: skip


@pytest.mark.slow
def test_sizes_and_slices_of_named_models() -> None:
    asked = {"label": "y", "by": "d"}
    by_columns = sm.sample_size(ROWS, "brier", baseline="a", candidate={"new": "b"}, n=100, **asked)
    by_names = sm.sample_size(ROWS, "brier", score=NAMED, baseline="old", candidate="new", n=100, **asked)
    assert same(by_names, by_columns)
    alone = sm.sample_size(ROWS, "brier", score=NAMED, baseline="old", n=100, **asked)
    arms = sm.sample_size(ROWS, "brier", baseline="a", n=100, **asked)
    assert same(alone, arms)
    asked |= {"min_units": 2}
    expected = sm.find_slices(ROWS, "brier", baseline="a", candidate="b", **asked)
    two = {"old": "a", "new": "b"}
    assert same(sm.find_slices(ROWS, "brier", score=two, baseline="old", **asked), expected)
    found = sm.find_slices(ROWS, "brier", score=NAMED, baseline="old", candidate="new", **asked)
    assert same(found, expected)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            {"score": NAMED, "baseline": "a"},
            "baseline= names no model of score=: 'a'. Models: new, old, third",
        ),
        ({"score": NAMED, "baseline": "old", "candidate": "b"}, "candidate= names no model of score=: 'b'"),
        ({"score": LISTED, "baseline": "a", "candidate": "a"}, "'a' is named twice"),
        (
            {"score": LISTED, "baseline": "a", "candidate": {"x": "b"}},
            "candidate= takes names of models of score=",
        ),
        ({"score": ["a"], "baseline": "a"}, "score= has no model beside the baseline, 'a'"),
        ({"score": "a", "baseline": "a"}, "score= of a comparison has several models"),
        ({"score": ["a", "b", "a"], "baseline": "a"}, "score= lists 'a' twice"),
        (
            {"score": ["a", 3], "baseline": "a"},
            "score= lists columns, such as ['score_a', 'score_b'], got ['a', 3]",
        ),
        ({"baseline": "a"}, "pass a column, or all models as score=['score_a', 'score_b']"),
        ({"score": LISTED, "baseline": "a", "other": ROWS}, "score= has models of one table; with other="),
    ],
)
def test_models_that_are_none(call: dict[str, Any], told: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.compare(ROWS, "mae", **call, **FACTS)
    assert told in str(refused.value)


def test_slices_compare_two_models() -> None:
    with pytest.raises(sm.SqlMetricsError, match="name one of new, third as candidate="):
        sm.find_slices(ROWS, "brier", score=NAMED, baseline="old", label="y", by="d", min_units=2)
