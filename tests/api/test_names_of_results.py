"""A slice with the name of a column of the result is refused by every function, with the same words."""

from __future__ import annotations

import inspect

import pytest

import sqlmetrics as sm
from support.asked import CALLS
from support.errors import assert_told, told

#: a page shows the errors of its parts, and `finish` takes the slices that a state has
SLICED = [
    name
    for name, call in CALLS.items()
    if "by" in inspect.signature(getattr(sm, call.of)).parameters
    and call.of not in ("report", "finish", "finish_curve")
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SLICED)
def test_a_slice_named_as_a_column(name: str) -> None:
    call = CALLS[name]
    tables = dict(call.tables)
    *_, last = call.result(call.rows, **tables)[0]
    for column in (last, last.upper()):
        by = {column: sm.sql("kind")}
        assert_told(told(call.result, call.rows, **{**tables, "by": by}), "Two result columns would be named")


@pytest.mark.parametrize("name", ["n_rows", "auc", "is_total", "rows_dropped", "sm_grain"])
@pytest.mark.parametrize("role", ["by", "period"])
def test_a_state_is_made_only_of_what_can_be_finished(name: str, role: str) -> None:
    rows = [{name: "ab"[i % 2], "d": i % 3, "y": i % 2, "s": i / 9} for i in range(9)]
    facts = {"period": "d", "label": "y", "score": "s", role: name}
    found = told(sm.state, rows, "auc", **facts)
    assert_told(found, f"Two result columns would be named '{name}'")
