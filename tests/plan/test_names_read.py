"""A stage that asks for a column which its grain lacks is refused: nothing would read it, and nobody would know."""

from __future__ import annotations

from typing import Any

import pytest

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError

WORDS = macros("duckdb")
ROLES: dict[str, Any] = {"relation": "t", "label": "y", "score": "s", "group": "g"}


def plan(*metrics: str) -> dict[str, Any]:
    return dict(WORDS.plan(list(metrics), **ROLES))


def refusal(macro: str, *args: Any) -> str:
    with pytest.raises(SqlMetricsError) as refused:
        WORDS[macro](plan("ndcg@10", "auc"), *args)
    return str(refused.value)


@pytest.mark.parametrize(
    ("macro", "args"),
    [
        ("reads", ["grade_sums", "n_unjudgd"]),
        ("reads", ["grade_sums", ["n", "n_unjudgd"]]),
        ("note_reads", ["grade_sums", ["n_unjudgd"]]),
        ("reads_ideal", ["juged"]),
        ("reads", ["points", "treated"]),
        ("note_reads", ["arm_points", ["place"]]),
        ("levels_read", ["abov"]),
        ("levels_or_bins_read", ["abov"]),
        ("arms_read", ["tread"]),
        ("rows_read", ["scor"]),
        ("reads", ["list_sums", "n_unjudged"]),
    ],
)
def test_a_name_that_the_grain_lacks(macro: str, args: list[Any]) -> None:
    assert " is no column of the grain " in refusal(macro, *args)


def test_the_sentence_names_what_there_is() -> None:
    said = refusal("reads", "item_sums", "unjudged_trough")
    assert said.startswith(
        "'unjudged_trough' is no column of the grain item_sums. Columns: label, tie_first, "
    )
    assert said.endswith(", through.sm_original; sums of grade_sums")


@pytest.mark.parametrize(
    ("macro", "args", "said"),
    [
        ("reads", ["grade_sum", "n"], "'grade_sum' is no grain. Grains: rows, second_pass, "),
        ("reads", ["bins_width_7", "bin"], "'bins_width_7' is no grain. "),
        ("note_reads", ["values", ["n_rws"]], "'n_rws' is no sum that values can read"),
        ("sums_of_stage", ["{n_rws} + 1"], "'n_rws' is no sum that stages can read"),
        ("reads", ["roles", "lable"], "'lable' is no role that roles can read"),
        ("reads_sums", ["exposed", "top"], "'top' is no parent of the grain 'exposed'"),
        ("reads_sums", ["expose", "tops"], "'tops' is no parent of the grain 'expose'"),
    ],
)
def test_a_reader_or_a_sum_that_is_none(macro: str, args: list[Any], said: str) -> None:
    assert refusal(macro, *args).startswith(said)


def test_what_a_grain_can_read_is_answered() -> None:
    asked = plan("ndcg@10", "ece(bins=7)")
    assert WORDS.reads(asked, "bins_width_7", "level_scores")
    assert not WORDS.reads(asked, "bins_width_7", ["least", "greatest"])
    for name in asked["sums"]:
        WORDS.note_reads(asked, "values", [name])
    # a sum of a parent, and a column that an option declares
    listed = next(need["name"] for need in asked["needs"]["grade_sums"].values())
    assert WORDS.reads(asked, "list_sums", listed) in (True, False)
    WORDS.declare(asked, "item_sums", "gain_of_7")
    assert not WORDS.reads(asked, "item_sums", "gain_of_7")
