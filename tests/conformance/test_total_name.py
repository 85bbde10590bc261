"""The name of the total on every engine: slices become text, whatever their type, and none is NULL."""

from __future__ import annotations

import pytest

import sqlmetrics as sm
from support.engines import Engine

pytestmark = pytest.mark.sample

NAME = "it's all"
ROWS = [
    {"number": n, "kind": k, "label": i % 2, "score": i / 8}
    for i, (n, k) in enumerate(
        [(1, "a"), (1, "a"), (20, "a"), (20, None), (20, None), (None, "B"), (None, "B")]
    )
]
ROLES = {"label": "label", "by": ["number", "kind"], "total_name": NAME}
KEYS = {("1", "a"), ("20", "a"), ("20", "(null)"), ("(null)", "B"), (NAME, NAME)}


def test_slices_are_text_and_the_total_has_its_name(engine: Engine) -> None:
    statement = sm.render("t", ["rmse"], dialect=engine.dialect, score="score", **ROLES)
    rows = engine.query(statement, {"t": ROWS})
    assert len(rows) == 5
    assert {(row["number"], row["kind"]) for row in rows} == KEYS
    assert [row["n_rows"] for row in rows if row["is_total"]] == [7]


def test_so_they_are_in_a_comparison(engine: Engine) -> None:
    statement = sm.render_compare(
        "t",
        "mae",
        dialect=engine.dialect,
        baseline="score",
        candidate={"other": sm.sql("score / 2")},
        **ROLES,
    )
    rows = engine.query(statement, {"t": ROWS})
    assert {(row["number"], row["kind"]) for row in rows} == KEYS
