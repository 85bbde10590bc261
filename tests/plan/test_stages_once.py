"""A statement has each stage once: an engine may take either of two stages of one name, and say nothing."""

from __future__ import annotations

from typing import Any

import pytest

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError

WORDS = macros("duckdb")


def plan(**question: Any) -> dict[str, Any]:
    made = dict(WORDS.plan(["auc"], relation="t", label="y", score="s"))
    return {**made, "question": {**made["question"], **question}}


@pytest.mark.parametrize(
    "stage", ["sm_levels as (\n    select 1\n)", "-- again\nsm_levels as materialized (\n)"]
)
def test_a_stage_that_is_written_twice(stage: str) -> None:
    with pytest.raises(SqlMetricsError) as refused:
        WORDS.query(plan(stages=lambda _: [stage]))
    assert str(refused.value) == "the stage sm_levels is written twice; add it to the statement once"


def test_a_further_stage_is_taken() -> None:
    assert "sm_levels_again as (" in WORDS.query(
        plan(stages=lambda _: ["sm_levels_again as (\n    select 1\n)"])
    )
