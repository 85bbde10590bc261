"""A call leaves the user's connection as it was: its open results, transaction, names and settings."""

import contextlib

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.connections.tables import ROWS
from support.errors import told

FACTS = {"label": "yes", "score": "p"}
# DuckDB 1.4 drops the rest of a result without a word.
TOLD = hasattr(duckdb, "ResourceInUseException")
STATE = """
select name, value from duckdb_settings() where name not in ('profiling_output') order by name
"""


def found(connection) -> list:
    """What a connection of DuckDB has, but for a result."""
    views = connection.execute(
        "select view_name from duckdb_views() where not internal order by 1"
    ).fetchall()
    return [
        views,
        connection.execute(STATE).fetchall(),
        connection.execute("from duckdb_tables()").fetchall(),
    ]


@pytest.mark.slow
@pytest.mark.skipif(not TOLD, reason="DuckDB 1.4 has no way to tell an open result")
@pytest.mark.parametrize("fetched", [0, 1])
@pytest.mark.parametrize(
    "call",
    [
        lambda connection: sm.evaluate("preds", "auc", connection=connection, **FACTS),
        lambda connection: sm.evaluate(pa.Table.from_pylist(ROWS), "auc", connection=connection, **FACTS),
        lambda connection: sm.state("preds", "auc", period="day", connection=connection, **FACTS),
        lambda connection: sm.install(connection),
    ],
    ids=["table", "Arrow", "state", "install"],
)
def test_an_open_result_of_duckdb_is_kept(call, fetched, here):
    connection = here.cursor()
    connection.execute("select * from range(10)")
    kept = [connection.fetchone() for _ in range(fetched)]
    message = told(call, connection)
    assert "a result with rows that are not fetched" in message
    assert "connection.cursor()" in message
    assert len(kept + connection.fetchall()) == 10
    with here.cursor() as other:
        other.execute("select * from range(10)")
        assert sm.evaluate("preds", "auc", connection=other.cursor(), **FACTS).value("auc") is not None
        assert len(other.fetchall()) == 10


@pytest.mark.parametrize(
    "before", ["create table t (a int)", "set threads = 1", "begin", "select 1 where false"]
)
def test_a_statement_without_rows_is_no_open_result(before):
    with duckdb.connect() as connection:
        connection.execute(before)
        assert sm.evaluate(ROWS, "auc", connection=connection, **FACTS).value("auc") is not None


@pytest.mark.parametrize("score", ["p", "nope", sm.sql("nonsense(p)")], ids=str)
def test_names_settings_and_transaction_of_duckdb_stay(score):
    with duckdb.connect() as connection:
        connection.execute("set TimeZone = 'Asia/Tokyo'")
        connection.execute("set threads = 1")
        connection.register("mine", pa.Table.from_pylist(ROWS))
        connection.begin()
        connection.execute("create temp table half as select * from mine")
        before = found(connection)
        for data in ("half", "mine", ROWS):
            try:
                sm.evaluate(data, "auc", label="yes", score=score, connection=connection)
            except sm.SqlMetricsError:
                if isinstance(score, sm.sql):  # a failed statement ends a transaction of DuckDB
                    connection.rollback()
                    return
        assert found(connection) == before
        connection.rollback()
        with pytest.raises(duckdb.CatalogException):
            connection.execute("from half")


@pytest.mark.parametrize("score", ["p", "nope", sm.sql("nonsense(p)")], ids=str)
def test_no_transaction_stays_open_in_postgres(score, psycopg):
    status = psycopg.info.transaction_status
    with contextlib.suppress(sm.SqlMetricsError):
        sm.evaluate("preds", "auc", label="yes", score=score, connection=psycopg)
    assert psycopg.info.transaction_status == status == 0
    with psycopg.cursor(name="theirs") as cursor:  # a cursor of the server lives in its transaction
        cursor.execute("select * from preds")
        cursor.fetchone()
        sm.evaluate("preds", "auc", connection=psycopg, **FACTS)
        assert psycopg.info.transaction_status != 0
        assert len(cursor.fetchall()) == len(ROWS) - 1


def test_an_open_result_of_sqlite_is_kept(sqlite):
    rows = sqlite.execute("select * from preds")
    rows.fetchone()
    sm.evaluate("preds", "auc", connection=sqlite, **FACTS)
    assert len(rows.fetchall()) == len(ROWS) - 1
    assert not sqlite.in_transaction


def test_an_open_result_of_pymysql_is_kept(mariadb):
    pymysql = pytest.importorskip("pymysql")
    with pymysql.connect(unix_socket=mariadb, user="root", database="tests") as connection:
        with connection.cursor(pymysql.cursors.SSCursor) as cursor:
            cursor.execute("select * from preds")
            cursor.fetchone()
            assert "rows that are not fetched" in told(
                sm.evaluate, "preds", "auc", connection=connection, **FACTS
            )
            assert len(cursor.fetchall()) == len(ROWS) - 1
        connection.commit()
        assert sm.evaluate("preds", "auc", connection=connection, **FACTS).value("auc") is not None
        assert not connection.server_status & 1
