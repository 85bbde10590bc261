"""A mapping as by=, period= or group of per_group gives columns and expressions their names in the result."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from support.errors import assert_told, told

ROWS = [
    {"day": f"2026-0{month}-0{day}", "user": f"u{user}", "y": (month + user + day) % 2, "p": (user + day) / 9}
    for month in (1, 2) for day in (1, 2) for user in range(4)
]  # fmt: skip
ROLES = {"label": "y", "score": "p"}
MONTH = sm.sql("substr(day, 1, 7)")
WITH_MONTH = [{**row, "month": row["day"][:7]} for row in ROWS]


def test_slices_have_their_names() -> None:
    named = sm.evaluate(ROWS, ["auc", "rmse"], by={"month": MONTH, "customer": "user"}, **ROLES)
    plain = sm.evaluate(WITH_MONTH, ["auc", "rmse"], by=["month", "user"], **ROLES)
    assert [name for name in plain.columns if name != "user"] == [n for n in named.columns if n != "customer"]
    assert named.by == ["month", "customer"]
    assert [[*row.values()] for row in named] == [[*row.values()] for row in plain]
    assert named.value("auc", month="2026-01", customer="u1") == plain.value(
        "auc", month="2026-01", user="u1"
    )


@pytest.mark.slow
def test_booleans_and_a_truth_keep_their_places() -> None:
    rows = [{**row, "item": i, "new": i % 2 == 0} for i, row in enumerate(ROWS)]
    truth = [{"user": row["user"], "item": row["item"], "y": 1, "land": row["user"] < "u2"} for row in rows]
    facts = {"score": "p", "group": "user", "item": "item", "truth": truth, "label": "y"}
    named = sm.evaluate(rows, "ndcg@2", by={"at home": "land"}, **facts)
    assert named["at home"] == [False, True, None]
    assert named["ndcg_2"] == sm.evaluate(rows, "ndcg@2", by="land", **facts)["ndcg_2"]
    assert sm.evaluate(rows, "auc", by={"fresh": "new"}, **ROLES)["fresh"] == [False, True, None]


@pytest.mark.slow
def test_names_that_sql_keeps_for_itself() -> None:
    for name in ("order", "select", "a b", 'q"uote', "it's", "Größe", "sql", "alias", "{x}"):
        assert sm.evaluate(ROWS, "auc", by={name: MONTH}, **ROLES)[name] == ["2026-01", "2026-02", None]


@pytest.mark.slow
def test_a_list_and_a_period() -> None:
    facts = {"group": {"customer": sm.sql("upper(user)")}, **ROLES}
    lists = sm.per_group(ROWS, "mrr", **facts)
    assert lists["customer"] == ["U0", "U1", "U2", "U3"]
    assert lists["mrr"] == sm.per_group(ROWS, "mrr", group="user", **ROLES)["mrr"]
    state = sm.state(ROWS, "auc", period={"month": MONTH}, by={"customer": "user"}, **ROLES)
    assert state.columns[:2] == ["month", "customer"]
    monthly = sm.finish(state, "auc", by="month")
    assert monthly["auc"] == sm.evaluate(WITH_MONTH, "auc", by="month", **ROLES)["auc"]
    yearly = sm.finish(
        state, "auc", by={"year": sm.sql("substr(month, 1, 4)"), "who": "customer"}, where="month > ''"
    )
    by_hand = sm.evaluate(ROWS, "auc", by={"year": sm.sql("substr(day, 1, 4)"), "who": "user"}, **ROLES)
    assert [yearly[name] for name in ("year", "who", "auc")] == [
        by_hand[name] for name in ("year", "who", "auc")
    ]


@pytest.mark.slow
def test_lists_of_a_state_by_a_slice_of_another_name() -> None:
    facts = {"group": "user", **ROLES}
    state = sm.state(ROWS, "mrr", period={"month": MONTH}, by={"half": sm.sql("user < 'u2'")}, **facts)
    named = sm.finish(state, "mrr", by={"part": "half"}, total=False)
    assert named["mrr"] == sm.finish(state, "mrr", by="half", total=False)["mrr"]


WRONG: list[tuple[Any, dict[str, Any], str]] = [
    (sm.evaluate, {"by": {"auc": MONTH}}, "Two result columns would be named 'auc'"),
    (sm.evaluate, {"by": {"is_total": MONTH}}, "Two result columns would be named 'is_total'"),
    (sm.evaluate, {"by": {"n_rows": MONTH}}, "Two result columns would be named 'n_rows'"),
    (sm.evaluate, {"by": {"model": MONTH}, "score": {"a": "p"}}, "Two result columns would be named 'model'"),
    (sm.evaluate, {"by": {"a": MONTH, "A": "user"}}, "Two result columns would be named 'A'"),
    (sm.evaluate, {"by": {"": MONTH}}, "A mapping as by= names columns of the result by text|got ''"),
    (sm.evaluate, {"by": {1: MONTH}}, "A mapping as by= names columns of the result by text|got 1"),
    (sm.evaluate, {"by": {"a\0b": MONTH}}, "A mapping as by= names columns of the result by text"),
    (sm.evaluate, {"by": {"month": "mnth"}}, "Column 'mnth' (by=) is not in the data"),
    (sm.evaluate, {"by": {"month": 3}}, "by= takes a column name or sm.sql(...), got 3"),
    (sm.evaluate, {"by": {"month": None}}, "by= takes a column name or sm.sql(...), got None"),
    (sm.evaluate, {"by": {"month": sm.sql("nope(day)")}}, "nope"),
    (sm.evaluate, {"group": {"a": "user"}}, "group= takes a column name or sm.sql(...), got {'a': 'user'}"),
    (
        sm.per_group,
        {"group": {"a": "user", "b": "day"}},
        "group= takes one column; a mapping gives it a name",
    ),
    (sm.per_group, {"group": {}}, "group= takes one column; a mapping gives it a name, got {}"),
    (sm.per_group, {"group": {"n_items": "user"}}, "Two result columns would be named 'n_items'"),
    (sm.per_group, {"group": {"": "user"}}, "A mapping as group= names columns"),
    (sm.state, {"period": {"a": "day", "b": "user"}}, "period= takes one column; a mapping gives it a name"),
    (sm.state, {"period": {"sm_by": "day"}}, "Two result columns would be named 'sm_by'"),
]


@pytest.mark.parametrize(("call", "facts", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_what_is_no_name_is_one_error(call: Any, facts: dict[str, Any], words: str) -> None:
    metric = "mrr" if call is sm.per_group else "auc"
    assert_told(told(call, ROWS, metric, **{**ROLES, **facts}), words)


def test_rendered_slices_of_a_truth() -> None:
    facts = {"truth": "j", "label": "y", "score": "p", "group": "u", "item": "i", "by": {"Land": "country"}}
    statement = sm.render("t", "mrr", truth_by="Land", **facts)
    assert 'sm_slices.sm_by_1 as "Land"' in statement
    assert_told(told(sm.render, "t", "mrr", truth_by="country", **facts), "truth_by= names those of by=")


@pytest.mark.slow
def test_a_window_as_score() -> None:
    """A score may be a place: DuckDB looks at a sample of the scores, and no aggregate holds a window."""
    place = sm.sql("row_number() over (order by p asc, day asc) / 100.0")
    placed = sorted(ROWS, key=lambda row: (row["p"], row["day"]))
    rows = [{**row, "p": place / 100} for place, row in enumerate(placed, 1)]
    metrics = ["auc", "ks", "rmse"]
    windowed = sm.evaluate(ROWS, metrics, label="y", score=place)
    assert [windowed[name] for name in metrics] == [
        sm.evaluate(rows, metrics, **ROLES)[name] for name in metrics
    ]
    several = sm.sql("unnest([p, 1 - p])")
    assert_told(told(sm.evaluate, ROWS, "auc", label="y", score=several), "UNNEST not supported here")
