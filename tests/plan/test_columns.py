"""Columns that nobody reads, and columns that are not there, are found in a statement (support/columns.py)."""

from __future__ import annotations

import pytest

from sqlmetrics.book.templates import dialects
from sqlmetrics.errors import SqlMetricsError
from support.calls import CALLS, statement
from support.columns import spare, undefined, unread


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("with a as (select x, y from t) select x from a", {("a", "y")}),
        ("with a as (select x, y from t) select x from a order by y", set()),
        ("with a as (select x, y from t) select count(*) from a where x > 0 group by y", set()),
        ("with a as (select x, y from t), b as (select a.*, 1 as z from a) select x from b", {("a", "y"), ("b", "z")}),
        ("with a as (select x, y from t) select d.x from (select x, y from a) as d", {("d", "y")}),
        ("with a as (select x, y from t union all select u as x, v as y from s) select x from a", {("a", "y")}),
        ("with a as (select distinct x, y from t) select x from a", set()),
        ("with a as (select x, y from t), b as (select x from s) select a.x from a join b on a.x = b.x", {("a", "y")}),
        ("with a as (select x, y from t) select 1 from a where exists (select 1 from a b where b.y = 1)", {("a", "x")}),
        ("with a as (select 1 as x) select count(*) from a", set()),
    ],
)  # fmt: skip
def test_what_nobody_reads(text: str, found: set[tuple[str, str]]) -> None:
    assert unread(text, "duckdb") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("with sm_a as (select x as sm_x from t) select sm_y from sm_a", {("", "sm_y")}),
        ("with sm_a as (select x as sm_x from t) select sm_a.sm_y, sm_x from sm_a", {("sm_a", "sm_y")}),
        ("with sm_a as (select sm_t.*, 1 as sm_x from sm_t) select sm_y from sm_a", set()),
        ("with sm_a as (select x as sm_x from t), sm_b as (select * from sm_a) select sm_z from sm_b", {("", "sm_z")}),
        ("with sm_a as (select x as sm_x from t) select max(sm_y) as sm_y from sm_a", {("", "sm_y")}),
        ("with sm_a as (select x as sm_x from t union all select y from s) select sm_x from sm_a", set()),
        ("with sm_a as (select x as sm_x from t) select sm_x + 1 as sm_y from sm_a order by sm_y", set()),
        ('with sm_a as (select x as "SM_X" from t) select sm_x from sm_a', set()),
    ],
)  # fmt: skip
def test_what_is_not_there(text: str, found: set[tuple[str, str]]) -> None:
    assert undefined(text, "duckdb") == found


@pytest.mark.slow
@pytest.mark.parametrize("dialect", dialects())
def test_stages_have_what_is_read_and_no_more(dialect: str) -> None:
    """Of each call; `make statements` looks at each metric alone, too."""
    for call in CALLS:
        try:
            text = statement(call, dialect)
        except SqlMetricsError:  # the dialect cannot say it
            continue
        assert not spare(text, dialect), call
        assert not undefined(text, dialect), call
