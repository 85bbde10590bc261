"""What where= says and refuses; that it leaves rows out of every function is in engines/connections/test_options.py."""

from __future__ import annotations

import random
import re
import sqlite3
import time
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from sqlmetrics.book.signatures import parameters
from sqlmetrics.book.templates import macro_files, macros
from support.calls import CALLS, STAMP
from support.errors import assert_told, told

DRAW = random.Random(5)
ROWS = [
    {"day": day, "country": country, "user": f"{day} {country} {user}", "item": item, "y": DRAW.randrange(2),
     "p": DRAW.randrange(12) / 12, "q": DRAW.random(), "guess": DRAW.randrange(2)}
    for day in ("mon", "tues") for country in ("de", "fr", None) for user in range(4) for item in range(1, 5)
]  # fmt: skip
WHERE = "country = 'de'"
LEFT = [row for row in ROWS if row["country"] == "de"]  # and none of no country
ROLES = {"label": "y", "score": "p"}
LISTS = {**ROLES, "group": "user"}


def test_a_curve() -> None:
    left = sm.curve(ROWS, "roc", where=WHERE, **ROLES)
    assert left.to_dicts() == sm.curve(LEFT, "roc", **ROLES).to_dicts()
    assert left.notes() == ["only rows where country = 'de'"]


@pytest.mark.slow
def test_two_tables_are_both_filtered() -> None:
    facts = {"metrics": "brier", "baseline": "p", "candidate": "q", "label": "y", "paired": False}
    fewer = LEFT[:17]
    other = [*fewer, *(row for row in ROWS if row["country"] != "de")]
    got = sm.compare(ROWS, other=other, where=WHERE, **facts).to_dicts()
    assert got == sm.compare(LEFT, other=fewer, **facts).to_dicts()
    lacking = [{name: cell for name, cell in row.items() if name != "country"} for row in other]
    assert_told(
        told(sm.compare, ROWS, other=lacking, where=WHERE, **facts),
        "where=\"country = 'de'\" of other=|country",
    )


def test_rows_that_are_left_out_are_not_checked() -> None:
    bad = [*ROWS, {**ROWS[0], "country": "xx", "p": None}, {**ROWS[0], "country": "xx", "y": 7}]
    assert_told(told(sm.evaluate, bad, "auc", **ROLES), "NULL, NaN or infinite score")
    row = sm.evaluate(bad, "auc", where="country <> 'xx'", **ROLES).to_dicts()[0]
    assert (row["n_rows"], row["rows_dropped"]) == (64, 0)


@pytest.mark.slow
def test_the_result_says_so() -> None:
    note = "only rows where country = 'de'"
    assert str(sm.evaluate(ROWS, "auc", where=" country =\n 'de' ", **ROLES)).splitlines()[-1] == note
    assert note in sm.per_group(ROWS, "mrr", where=WHERE, **LISTS).notes()
    state = sm.state(ROWS, "auc", period="day", where=WHERE, **ROLES)
    assert note in state.notes()
    assert sm.finish(state, "auc", where="day = 'mon'").notes() == [note, "only rows where day = 'mon'"]


def test_a_column_whose_name_is_a_word_of_sql_is_quoted() -> None:
    rows = [{**row, "when": 1} for row in ROWS]
    message = told(sm.evaluate, rows, "auc", where="when is not null", **ROLES)
    assert message.endswith('A column whose name is a word of SQL is written in double quotes: "when"')
    assert sm.evaluate(rows, "auc", where='"when" is not null', **ROLES).value("auc")


@pytest.mark.slow
def test_states_of_different_conditions_are_not_finished_together() -> None:
    facts = {"metrics": "auc", "period": "day", **ROLES}
    monday, tuesday = ([row for row in ROWS if row["day"] == day] for day in ("mon", "tues"))
    german = [sm.state(day, where=WHERE, **facts) for day in (monday, tuesday)]
    assert sm.finish(german, "auc")["auc"] == sm.evaluate(LEFT, "auc", **ROLES)["auc"]
    for mixed in (
        [german[0], sm.state(tuesday, **facts)],
        [sm.state(monday, where="y < 2", **facts), german[1]],
    ):
        assert_told(told(sm.finish, mixed, "auc"), "made with different facts|where (|period= keeps the days")


#: conditions and what their errors say
WRONG: list[tuple[Any, str]] = [
    ("cuontry = 'de'", 'where="cuontry = \'de\'" of the data|"country"'),
    ("country", "where='country' is text and has to be true or false"),
    ("item + 1", "where='item + 1' is a number and has to be true or false"),
    ("current_date", "is DATE and has to be true or false"),
    ("sum(p) > 1", "where='sum(p) > 1' of the data|aggregates"),
    ("row_number() over () > 1", "where='row_number() over () > 1' of the data|window"),
    ("country = 'xx'", "where=\"country = 'xx'\" leaves no row of the data"),
    ("null", "where='null' leaves no row of the data"),
    ("", "where= takes an SQL condition such as|got the text"),
    ("  ", "where= takes an SQL condition such as"),
    (3, "where= takes an SQL condition such as|got 3"),
    (True, "where= takes an SQL condition such as|got True"),
    (["y = 1"], "where= takes an SQL condition such as"),
    ({"country": "de"}, "where= takes an SQL condition such as"),
    ("y = 1) or (1 = 1", "it has a ')' that closes nothing"),
    ("y in (1, 2", "it has a ')' that is missing at its end"),
    ("y in [1, 2)", "it has a ')' that closes nothing"),
    ("y = 1; drop table t", "it has ';'"),
    ("country = 'de", "it has a ' that is missing at its end"),
    ('"y = 1', 'it has a " that is missing at its end'),
    ("y = 1 /* one", "it has a */ that is missing at its end"),
    ("country = $$de$$", "it has '$$'"),
    (r"country = '\' or y = '' --'", "it has a quote after a backslash"),
    ("y = 1 -- one\n) union all select 1", "it has a ')' that closes nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("where", "words"), WRONG, ids=[str(where) for where, _ in WRONG])
def test_what_is_no_condition_is_one_error(where: Any, words: str) -> None:
    assert_told(told(sm.evaluate, ROWS, "auc", where=where, **ROLES), words)


@pytest.mark.slow
def test_what_may_stand_in_a_condition() -> None:
    german = len(LEFT)
    for where, left in {
        "country = 'de' -- ) ; '": german,
        "country = 'de' /* ) ; ' */": german,
        "country = 'de' or country = '); drop table t; --'": german,
        "country in ('de', '{y}', '{{ y }}')": german,
        "\"country\" = 'de' and (([1, 2])[1] = 1)": german,
        "country = 'it''s' or country = 'de'": german,
        "p >= (select 0)": len(ROWS),
    }.items():
        assert sm.evaluate(ROWS, "auc", where=where, **ROLES).to_dicts()[0]["n_rows"] == left, where


def test_a_connection_says_what_a_condition_lacks() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (country text, y integer, p real)")
    connection.executemany("insert into t values (?, ?, ?)", [(r["country"], r["y"], r["p"]) for r in ROWS])
    asked = {"connection": connection, **ROLES}
    assert sm.evaluate("t", "auc", where=WHERE, **asked)["auc"] == sm.evaluate(LEFT, "auc", **ROLES)["auc"]
    assert_told(
        told(sm.evaluate, "t", "auc", where="cuontry = 'de'", **asked), "of t|no such column: cuontry"
    )
    assert_told(
        told(sm.evaluate, "t", "auc", where="country", **asked), "is text and has to be true or false"
    )


def test_statements_are_checked_where_nothing_is_looked_up() -> None:
    assert_told(told(sm.render, "t", "auc", where="y) or (y", **ROLES), "a ')' that closes nothing")
    assert_told(
        told(sm.render_curve, "t", "roc", where=" ", **ROLES), "where= takes an SQL condition such as"
    )
    statement = sm.render("t", "auc", where="day > current_date", **ROLES)
    assert statement.count("where (\n        day > current_date\n    )") == 1


@pytest.mark.parametrize("call", CALLS)
def test_every_read_of_the_rows_has_the_condition(call: str) -> None:
    """In every macro that dbt calls, on a dialect that stores nothing and on one that reads the rows once."""
    macro, facts = CALLS[call]
    if facts.get("of_state") or macro.startswith(("finish", "rows_with")):  # a state counts its periods whole
        return
    for dialect in ("duckdb", "bigquery"):
        text = str(macros(dialect)[macro](**{**facts, "where": "kept = 1"}))
        if "raters" in facts:  # around the query that makes a row of each rating
            assert text.count("kept = 1\n    )") == text.count("from (select * from ratings)") > 0
            continue
        # other= of chi_square is a column
        further = () if macro == "chi_square" else ("other", "reference")
        relations = facts["relation"].values() if isinstance(facts["relation"], dict) else [facts["relation"]]
        for table in (*relations, *(facts[role] for role in further if role in facts)):
            reads = re.split(rf"from \(?{re.escape(table)}\n", text)[1:]
            assert reads
            for read in reads:
                assert re.match(r"( *\) as sm_relation\n)? *where \(\n        kept = 1\n    \)", read), read[
                    :99
                ]


def test_every_macro_with_a_condition_is_tried() -> None:
    files = macro_files()
    takers = {name for name in files if files[name] == f"api/{name}.sql" and "where" in parameters(name)}
    assert takers - {macro for macro, _ in CALLS.values()} == set()


def test_a_lazy_table_is_filtered_once() -> None:
    """What is read once is stored without the rows that are left out."""
    table = pa.Table.from_pylist(ROWS)
    report = sm.evaluate(table, ["auc", "ks"], where=WHERE, **ROLES)
    assert STAMP.sub("", report.sql).count("country = 'de'") == 1
    statement = sm.render("select * from t", "auc", where=WHERE, **ROLES)
    source, _, rest = statement.partition("sm_given as")
    assert ("country" in source, "country" in rest) == (True, False)


def test_a_long_condition_is_checked_at_once() -> None:
    start = time.process_time()
    macros("duckdb")["check_condition"](f"y in ({','.join(['12345678'] * 200_000)}) -- {'x' * 8_000_000}")
    assert time.process_time() - start < 4  # a sign at a time it took 36 s


@pytest.mark.parametrize(
    ("where", "text"),
    [("c = DE", "DE"), ('c = "DE"', "DE"), ("c = “DE”", "DE"), ('c <> "O\'Brien"', "O''Brien")],
)
def test_a_text_in_other_quotes(where: str, text: str) -> None:
    """The hint is a sentence of its own, whatever ends that of the engine, and works as it is written."""
    rows = [{"y": i % 2, "p": i / 9, "c": "DE"} for i in range(9)]
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.evaluate(rows, "auc", label="y", score="p", where=where)
    before, hint = str(refused.value).split(" A text is written in single quotes: ")
    assert re.search(r"[^.?!][.?!]$", before)
    assert hint == f"'{text}'"
    assert duckdb.sql(f"select {hint}").fetchall() == [(text.replace("''", "'"),)]
