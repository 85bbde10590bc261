"""The choice between the two plans of lists follows from the columns that sums read."""

import pytest

from sqlmetrics.book.plan import planned
from sqlmetrics.book.templates import macros


@pytest.mark.parametrize(
    ("template", "by_rank"),
    [("{judged_through} - {n}", True), ("{judged_above}", False), ("{n_listed}", False)],
)
def test_a_column_that_only_the_general_plan_makes(template: str, by_rank: bool) -> None:
    known = macros("duckdb")
    plan = planned("duckdb", "plan", metrics=["ndcg@10"], relation="t", label="y", score="s", group="g").raw
    assert known["lists_are_by_rank"](plan)
    known["grade_sum"](plan, "further", template)
    assert known["lists_are_by_rank"](plan) is by_rank
