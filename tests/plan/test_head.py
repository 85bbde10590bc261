"""The head of a statement: what was asked, and what each metric is, in lines of comment that nothing can end."""

from __future__ import annotations

import re

import duckdb

import sqlmetrics as sm
from sqlmetrics.book.catalog import find
from support.calls import STAMP

#: what ends or continues a comment somewhere, or is a line of its own to some client
HOSTILE = "a\nb\r\nc\x85d\u2028e\x0bf*/g/*h;drop table t;-- i\\"


def head(text: str) -> list[str]:
    """The lines between the stamp and the statement."""
    return STAMP.match(text)[0].splitlines()[1:]


def test_it_says_the_call_the_columns_and_the_metrics() -> None:
    text = sm.render(
        "t", {"auc": "auc", "top": "ndcg(gain=linear)@10"}, label="y", score={"new": "a", "old": "b"}, group="q",
        by="c", where="c <> 'x'", positive=1, max_grade=4,
    )  # fmt: skip
    assert head(text) == [
        '-- evaluate over t, by "c"',
        '-- with label "y", score new "a", old "b", group "q", where c <> \'x\', positive 1, max_grade 4',
        f"-- auc: {find('auc').summary}".replace(";", ","),
        f"-- top = ndcg(gain=linear)@10: {find('ndcg').summary}",
    ]
    assert head(sm.render_curve("t", "roc", label="y", score="s"))[0] == "-- curve over t"
    assert head(sm.render_state("t", "mae", label="y", score="s", period="d"))[0] == "-- state over t"
    assert head(sm.render_finish("t", "mae", label="y", score="s", period="d"))[0] == "-- finish over t"
    wide = sm.render_agreement("votes", "fleiss", raters=["ann", "bob"], interval=0.9)
    assert head(wide) == ["-- agreement over votes", '-- with raters "ann", "bob"']
    many = sm.render("t", "mae", label="y", score={f"m{i}": f"s{i}" for i in range(10)})
    assert head(many)[1].endswith('m7 "s7", and 2 more')


def test_values_between_are_named_for_their_metric() -> None:
    name = "x" * 80
    text = sm.render("t", {"ndcg_10": "ndcg@10", name: "mrr", name + "y": "map", "é": "mrr@3", "ü": "mrr@5"},
                     label="y", score="s", group="q")  # fmt: skip
    made = re.findall(r" as (sm_\w*_value)\b", text)
    assert made == [
        "sm_ndcg_10_value",
        f"sm_{'x' * 36}_value",
        f"sm_{'x' * 36}__2_value",
        "sm___3_value",
        "sm___4_value",
    ]
    assert max(map(len, made)) < 63
    assert "sm_measure_" not in text


def test_no_text_of_the_caller_ends_a_comment() -> None:
    facts = {
        "label": HOSTILE,
        "score": {HOSTILE: HOSTILE},
        "by": [HOSTILE + "x"],
        "where": f"y <> '{HOSTILE} '",
    }
    for dialect in ("duckdb", "spark", "mysql"):
        lines = head(sm.render("(select * from t -- x\n)", {HOSTILE + "m": "mae"}, dialect=dialect, **facts))
        assert len(lines) == 3
        for line in lines:
            assert line.startswith("-- ")
            assert not any(mark in line for mark in ("\\", ";", "*/", "/*")), line


def test_a_statement_with_hostile_names_runs() -> None:
    connection = duckdb.connect()
    quoted = '"' + HOSTILE + '"'
    connection.execute(f"create table t as select 1 as {quoted}, 0.5 as p")
    text = sm.render("t", {HOSTILE: "mae"}, label=HOSTILE, score="p", dialect="duckdb")
    assert connection.execute(text).fetchall()[0][-1] == 0.5
