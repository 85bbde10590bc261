"""Values come as they are, in whatever form a driver gives them."""

import sqlite3
from contextlib import closing
from decimal import Decimal
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.connections.calls import compared, refusal
from support.connections.kinds import KINDS


@pytest.mark.slow
@pytest.mark.parametrize("number", ["1.50", None])
def test_decimals_are_kept(number, postgres):
    """PostgreSQL's numeric has no Arrow type of its own in ADBC."""
    query = f"select *, cast({number or 'null'} as numeric(10, 2)) as price from preds"
    facts = {"label": "yes", "score": "p", "by": "price", "total": False}
    for kind in ("psycopg", "ADBC, PostgreSQL"):
        with closing(KINDS[kind](lambda name: postgres)) as connection:
            [row] = sm.evaluate(query, "auc", connection=connection, **facts).to_dicts()
        assert row["price"] == (number and Decimal(number))


@pytest.mark.parametrize("factory", ["dict_row", "namedtuple_row"])
def test_rows_as_the_connection_gives_them(factory, psycopg, here):
    psycopg.row_factory = getattr(pytest.importorskip("psycopg.rows"), factory)
    reports = [sm.evaluate("preds", "auc", label="yes", score="p", connection=at) for at in (here, psycopg)]
    compared(*reports, [])


@pytest.mark.parametrize(
    "factory",
    [sqlite3.Row, lambda cursor, row: dict(zip([c[0] for c in cursor.description], row, strict=True))],
)
def test_rows_of_sqlite_as_the_connection_gives_them(factory, sqlite, here):
    sqlite.row_factory = factory
    facts = {"label": "yes", "score": "p", "by": "day"}
    compared(
        *(sm.evaluate("preds", "auc", connection=at, **facts) for at in (here, sqlite)), ["is_total", "day"]
    )


@pytest.mark.parametrize("of", ["sqlite", "here"])
def test_sqlalchemy_wraps_the_connection(of, here, request):
    class Pooled:
        """What `engine.raw_connection()` gives, as far as it is looked at."""

        driver_connection = request.getfixturevalue(of)

    reports = [sm.evaluate("preds", "auc", label="yes", score="p", connection=at) for at in (here, Pooled())]
    compared(*reports, [])


class Folding(sqlite3.Cursor):
    """A cursor of an engine that folds names up and has whole numbers as decimals, as Snowflake and Oracle do."""

    @property
    def description(self):
        return [(column[0].upper(), *column[1:]) for column in super().description or ()]

    def fetchall(self):
        return [
            [Decimal(cell) if isinstance(cell, int) else cell for cell in row] for row in super().fetchall()
        ]


@pytest.mark.slow
def test_names_are_folded_and_numbers_widened(sqlite, here):
    class Connection:
        def cursor(self):
            return sqlite.cursor(Folding)

    facts = {"label": "YES", "score": {"new": "P"}, "group": "G", "weight": "W", "by": "WORD"}
    kept = {role: name.lower() for role, name in facts.items() if isinstance(name, str)} | {
        "score": {"new": "p"}
    }
    metrics = ["auc", "ndcg@3", "rmse"]
    found = sm.evaluate("preds", metrics, connection=Connection(), dialect="sqlite", **facts)
    expected = sm.evaluate("preds", metrics, connection=here, **kept)
    assert found.columns == ["WORD", *expected.columns[1:]]
    assert found.to_arrow().schema.types == expected.to_arrow().schema.types
    for one, other in zip(found.to_dicts(), expected.to_dicts(), strict=True):
        assert list(one.values()) == [pytest.approx(c) if isinstance(c, float) else c for c in other.values()]


def test_values_of_several_types_become_text(sqlite):
    query = "select *, case i % 2 when 0 then i % 3 else 'odd' end as mixed from preds"
    facts = {"label": "yes", "score": "p", "by": "mixed", "total": False}
    report = sm.evaluate(query, "count", connection=sqlite, **facts)
    assert sorted(row["mixed"] for row in report.to_dicts()) == ["0", "1", "2", "odd"]


def test_bytes_among_numbers_are_no_zero():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table mixed (y, p)")
        connection.executemany("insert into mixed values (?, ?)", [(1, 0.9), (0, 0.4), (b"x", 0.5)])
        with pytest.raises(sm.SqlMetricsError, match="Label column 'y' is BLOB and has to be numbers"):
            sm.evaluate("mixed", "auc", label="y", score="p", connection=connection)


def test_a_text_among_numbers_is_no_zero(sqlite):
    # SQLite would cast it to 0.
    query = "select *, case when i = 59 then 'n/a' else p end as some from preds"
    refusal("Column 'some' .*is text and has to be numbers", data=query, score="some", connection=sqlite)


def test_values_that_arrow_does_not_know(psycopg):
    query = "select *, cast('00000000-0000-0000-0000-00000000000' || day as uuid) as code from preds"
    facts = {"label": "yes", "score": "p", "by": "code", "total": False}
    rows = sm.evaluate(query, "count", connection=psycopg, **facts).to_dicts()
    assert [str(row["code"])[-2:] for row in rows] == ["00", "01"]


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_single_precision_score_meets_its_threshold(threshold, psycopg, here):
    """0.7 as real is below 0.7 as double precision."""
    query = f"select 1 as y, cast({threshold} as real) as p union all select 1, 0 union all select 0, 1"
    for at in (psycopg, here):
        asked = {"recall": f"recall(threshold={threshold})", "fp": f"fp(threshold={threshold})"}
        [row] = sm.evaluate(query, asked, label="y", score="p", connection=at).to_dicts()
        assert (row["recall"], row["fp"]) == (0.5, 1)


COUNTRIES = [("DE", 1, 0.9), ("DE", 0, 0.2), ("de", 0, 0.8), ("de", 1, 0.3), ("de", 1, 0.4), ("FR", 1, 0.5)]


def nocase(kind: str) -> Any:
    """A connection on which 'DE' equals 'de': by the column, or by a setting of the session."""
    connection = sqlite3.connect(":memory:") if kind == "sqlite" else duckdb.connect()
    collation = "" if kind == "duckdb, session" else "collate nocase"
    connection.execute(f"create table t (country varchar {collation}, y integer, p double)")
    connection.executemany("insert into t values (?, ?, ?)", COUNTRIES)
    if kind == "duckdb, session":
        connection.execute("set default_collation = 'nocase'")
    return closing(connection)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "duckdb, session"])
def test_slices_and_groups_that_differ_in_case_are_two(kind):
    with nocase(kind) as connection:
        facts = {"label": "y", "score": "p", "connection": connection}
        slices = sm.evaluate("t", "auc", by="country", **facts).to_dicts()
        [lists] = sm.evaluate("t", "mrr", group="country", **facts).to_dicts()
        [texts] = sm.evaluate("t", "base_rate", **{**facts, "label": "country"}, positive="DE").to_dicts()
    assert {(row["country"], row["n_rows"]) for row in slices} == {("DE", 2), ("FR", 1), ("de", 3), (None, 6)}
    assert (lists["n_groups"], lists["mrr"]) == (3, pytest.approx(2.5 / 3))
    assert texts["base_rate"] == pytest.approx(2 / 6)
