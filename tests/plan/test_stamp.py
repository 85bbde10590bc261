"""The first line of a statement: the version that wrote it, and its hash."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.book.signatures import signature
from sqlmetrics.book.templates import dialects, macro_files, macros
from support.calls import CALLS, STAMP

ROLES: dict[str, Any] = {"label": "y", "score": "p"}


@pytest.mark.slow
def test_every_macro_that_is_a_model_writes_it() -> None:
    calls = dict(CALLS.values())
    calls |= {"evaluate_long": calls["evaluate"], "finish_long": calls["finish"]}
    calls["finish_curve"] = {**calls["finish"], "kind": "roc"}
    del calls["finish_curve"]["metrics"]
    models = {macro for macro, path in macro_files().items() if path.startswith("api/")}
    models = {macro for macro in models if signature(macro).doc and "Example: {{" in signature(macro).doc}
    assert models - {*calls} == set()
    for macro in models:
        text = str(macros("duckdb")[macro](**calls[macro]))
        assert STAMP.match(text), macro
        assert text.count("-- sqlmetrics") == 1, macro


@pytest.mark.parametrize("dialect", dialects())
def test_a_state_has_it_in_every_dialect(dialect: str) -> None:
    text = sm.render_state("t", "mae", period="day", dialect=dialect, **ROLES)
    stamp = STAMP.match(text)[1]
    assert text.count(stamp) == 2
    assert re.search(rf"'{stamp}'\)?( as \w+\))? as sm_made_by", text)


def test_the_hash_is_that_of_the_statement_below() -> None:
    text = sm.render("t", "auc", **ROLES)
    head = STAMP.match(text)
    assert head[1].split()[-1] == hashlib.md5(text[head.end() :].encode()).hexdigest()[:12]
    assert sm.render("t", "auc", **ROLES) == text
    assert sm.render("u", "auc", **ROLES).split()[4] != text.split()[4]


@pytest.mark.slow
def test_a_statement_with_its_stamp_is_a_view_a_sub_query_and_data() -> None:
    connection = duckdb.connect()
    connection.execute("create table t as select * from (values (1, 0.9, 1), (0, 0.4, 1)) as t (y, p, g)")
    text = sm.render("t", "auc", **ROLES)
    connection.execute(f"create view v as {text}")
    for query in ("v", f"({text}) as q", f"(with c as ({text}) select * from c) as q"):
        assert connection.execute(f"select auc from {query}").fetchall() == [(1.0,)]
    lists = sm.render_per_group("t", "mrr", group="g", **ROLES)
    for of_lists in (
        sm.evaluate(lists, "mae", label="mrr", score="mrr", connection=connection),
        connection.sql(sm.render(lists, "mae", label="mrr", score="mrr")),
    ):
        assert "mae" in of_lists.columns
    assert sm.evaluate(lists, "mae", label="mrr", score="mrr", connection=connection).value("mae") == 0
