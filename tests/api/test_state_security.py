"""A state is data: no text in it becomes SQL, and one that is broken is refused in one sentence."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from sqlmetrics.book.signatures import parameters
from sqlmetrics.given.facts_of_state import ROLES
from support.errors import assert_told, told

ROWS = [
    {"day": day, "country": country, "user": user, "clicked": (user + item) % 3 == 0, "p": item / 7}
    for day in ("mon", "tue")
    for country in ("de", "fr")
    for user in range(3)
    for item in range(1, 6)
]
METRICS = ["auc", "ndcg@3"]
MADE = {"label": "clicked", "score": "p", "group": "user", "period": "day", "by": "country"}
# A text that writes a file where it is run as part of a statement.
RUNS = "range(1)) select 1; copy (select 42) to '{0}'; select * from (range(1)"


def a_state(**more: Any) -> pa.Table:
    return sm.state(ROWS, METRICS, **{**MADE, **more}).to_arrow()


@cache
def plain_state() -> pa.Table:
    return a_state()


def with_column(table: pa.Table, name: str, value: Any) -> pa.Table:
    """The table with one value in every row of a column that has one there."""
    old = table.column(name).to_pylist()
    values = pa.array([None if each is None else value for each in old])
    return table.set_column(table.column_names.index(name), name, values)


def with_facts(table: pa.Table, **facts: Any) -> pa.Table:
    [said] = {text for text in table.column("sm_facts").to_pylist() if text is not None}
    return with_column(table, "sm_facts", json.dumps({**json.loads(said), **facts}))


def every_way(table: pa.Table, folder: Path) -> list[tuple[Any, dict[str, Any]]]:
    """The arguments by which a state is read: a table, a file, a glob, a list of files, a table of a connection."""
    file = folder / "state.parquet"
    pq.write_table(table, file)
    connection = duckdb.connect()
    connection.register("given", table)
    connection.execute("create table daily as from given")
    own = {"connection": connection}
    return [
        (table, {}), (str(file), {}), (str(folder / "*.parquet"), {}), ([file], {}), ("daily", own),
        ("select * from daily", own),
    ]  # fmt: skip


def plan_arguments() -> list[str]:
    """The arguments that the macro `facts` takes, and some that the macros above it do."""
    return [*parameters("facts"), "metrics", "kind", "nonsense", "sm_facts", ""]


@pytest.mark.slow
@pytest.mark.parametrize("name", plan_arguments())
def test_facts_are_arguments_of_no_macro(name: str, tmp_path: Path) -> None:
    """Each argument of the plan as a text that writes a file, and as other values that JSON has."""
    written = tmp_path / "written.csv"
    text = RUNS.format(written)
    hostile = [text, [text], {"sql": text, "name": "x", "alias": text}, {text: text}, 10**400, float("nan")]
    # texts that are compared, and are part of no statement but as a text
    roles = {role: [text] for role in (*ROLES, "where")}
    for value in hostile:
        table = with_facts(plain_state(), **{name: value})
        # the other ways read the same facts
        for state, more in every_way(table, tmp_path) if value is text else [(table, {})]:
            calls = (
                lambda state=state, more=more: sm.finish(state, METRICS, **more),
                lambda state=state, more=more: sm.finish(state, METRICS, by="country", where="day = 'mon'", **more),
                lambda state=state, more=more: sm.finish_curve(state, "roc", **more),
            )  # fmt: skip
            for call in calls if value is text else calls[:1]:
                if value in {"positive": [text], "zone": [text], **roles}.get(name, []):
                    with suppress(sm.SqlMetricsError):  # of a role that the state was made without
                        call()
                    continue
                with pytest.raises(sm.SqlMetricsError) as raised:
                    call()
                assert "is no state" in str(raised.value), raised.value
                assert "sm.state(...)" in str(raised.value)
                assert len(str(raised.value)) < 400
    assert not written.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"label": True}, "label is True, which has to be a text or null"),
        ({"models": "y or true"}, "models is 'y or true', which has to be true or false"),
        ({"period": 1}, "period is 1, which has to be a text"),
        ({"period": None}, "period is None, which has to be a text"),
        ({"period": "hour"}, "it lacks the period column 'hour'"),
        ({"max_grade": True}, "max_grade is True, which has to be a number or null"),
        ({"max_grade": "4"}, "max_grade is '4', which has to be a number or null"),
        ({"positive": False}, "positive is False, which has to be a text, a number or null"),
        ({"ties": None}, "ties is None, which has to be a text"),
        ({"ties": "random"}, "ties: 'random' is not known. Allowed: average"),
        ({"convention": "mine"}, "Unknown convention 'mine'"),
        ({"on_duplicate": "last"}, "on_duplicate: 'last' is not known"),
        ({"unjudged": "maybe"}, "unjudged: 'maybe' is not known"),
        ({"max_grade": 0}, "max_grade must be a number >= 1"),
        ({"relation": "clicks"}, "has 'relation', which is no fact of a state"),
    ],
    ids=str,
)
def test_each_fact_has_its_kind(facts: dict[str, Any], words: str, tmp_path: Path) -> None:
    for state, more in every_way(with_facts(plain_state(), **facts), tmp_path):
        message = told(sm.finish, state, METRICS, **more)
        assert_told(message, words)


@pytest.mark.parametrize(
    "text",
    [
        "", "nothing", "[]", "1", "null", '"text"', "{}", '{"period": "day"}', '{"models": false, "period": "day"}',
        "[" * 100_000, "9" * 10_000, '{"period": "day"',
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_facts_that_are_none(text: str, tmp_path: Path) -> None:
    for state, more in every_way(with_column(plain_state(), "sm_facts", text), tmp_path):
        assert_told(told(sm.finish, state, METRICS, **more), "is no state: its column sm_facts")


@pytest.mark.parametrize("column", ["sm_facts", "sm_by", "sm_holds", "sm_grain"])
@pytest.mark.parametrize("value", [7, 0.5, True, b"bytes", {"a": 1}, ["a"]], ids=str)
def test_columns_of_another_type(column: str, value: Any, tmp_path: Path) -> None:
    for state, more in every_way(with_column(plain_state(), column, value), tmp_path):
        message = told(sm.finish, state, METRICS, by="country", **more)
        assert "state" in message, message


@pytest.mark.parametrize("column", ["sm_facts", "sm_by", "sm_holds", "sm_grain", "model"])
def test_columns_without_a_value(column: str) -> None:
    table = a_state(score={"a": "p", "b": sm.sql("1 - p")})
    place = table.column_names.index(column)
    empty = table.set_column(place, column, pa.nulls(len(table), pa.string()))
    message = told(sm.finish, empty, METRICS, by="country")
    assert "state" in message, message
    if column == "sm_grain":  # a row of no grain is as one that is not there
        return
    half = [value if row % 2 else None for row, value in enumerate(table.column(column).to_pylist())]
    message = told(sm.finish, table.set_column(place, column, pa.array(half)), METRICS, by="country")
    assert "state" in message, message


def test_a_state_of_models_without_their_column() -> None:
    table = a_state(score={"a": "p"}).drop_columns(["model"])
    assert_told(told(sm.finish, table, METRICS), "is no state: it lacks the column 'model'")


@pytest.mark.slow
@pytest.mark.parametrize("column", ["sm_by", "sm_holds", "sm_grain", "country"])
def test_texts_of_a_state_are_not_run(column: str, tmp_path: Path) -> None:
    """Whatever a column says is compared, not run: the call ends, and nothing is written."""
    written = tmp_path / "written.csv"
    texts = (f"'; copy (select 1) to '{written}'; --", "' or true --", "\\' or true --", "{{ 7 * 7 }}", "%")
    for text in (RUNS.format(written), *texts):
        # the file and the table of a connection
        for state, more in every_way(with_column(plain_state(), column, text), tmp_path)[1::3]:
            for by in (None, ["day", "country"]):
                try:
                    sm.finish(state, METRICS, by=by, **more)
                except sm.SqlMetricsError as error:
                    assert "rror:" not in str(error), error  # noqa: PT017 - an engine's own error
    assert not written.exists()


@pytest.mark.slow
def test_names_of_a_state_are_not_run(tmp_path: Path) -> None:
    """The names of period, slices, models and the text of a positive label are anybody's."""
    written = tmp_path / "written.csv"
    for name in (
        RUNS.format(written),
        '"; select 1 --',
        "a' or '1' = '1",
        "line\nfeed",
        "tab\t",
        "\\",
        "{{ 1 }}",
        "é",
    ):
        rows = [{**row, name: row["day"], f"{name} 2": row["country"], "class": name} for row in ROWS]
        rows += [{**row, "class": "another"} for row in rows]
        facts = {"label": "class", "positive": name, "score": {name: "p", "b": "p"}, "group": "user"}
        table = sm.state(rows, METRICS, period=name, by=f"{name} 2", **facts).to_arrow()
        for state, more in every_way(table, tmp_path):
            finished = sm.finish(state, METRICS, by=f"{name} 2", **more).to_dicts()
            evaluated = sm.evaluate(rows, "auc", by=f"{name} 2", **facts).to_dicts()
            assert [row["auc"] for row in finished] == pytest.approx([row["auc"] for row in evaluated])
    assert not written.exists()


@pytest.mark.slow
def test_drift_of_a_state_runs_no_text(tmp_path: Path) -> None:
    """A condition that a state records and its slices are compared as texts; a period that it names is looked up."""
    written = tmp_path / "written.csv"
    for text in (RUNS.format(written), "\\' or true --", "{{ 7 * 7 }}", "%s", '", "where": "'):
        tables = {
            "where": with_facts(plain_state(), where=text),
            "label": with_facts(plain_state(), label=text),
            "country": with_column(plain_state(), "country", text),
            "period": with_facts(plain_state(), period=text),
        }
        for fact, table in tables.items():
            for state, more in every_way(table, tmp_path)[1::3]:
                sides: list[dict[str, Any]] = [{"before": "mon", "after": "tue"}]
                sides += [{"reference": state}] if fact != "country" else []
                for side in sides:
                    if fact == "period":
                        assert_told(told(sm.drift, state, **side, **more), "it lacks the period column")
                        continue
                    if fact == "country":  # which stands twice in each period now
                        assert_told(
                            told(sm.drift, state, **side, **more), "slices of periods are more than once"
                        )
                        continue
                    [row] = sm.drift(state, **side, **more).to_dicts()
                    assert row["psi"] == 0
    assert not written.exists()
