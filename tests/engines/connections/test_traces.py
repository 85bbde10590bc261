"""What becomes of the connection: no row is pulled, nothing is committed, no transaction is broken."""

import contextlib
import sqlite3
from contextlib import closing

import pytest

import sqlmetrics as sm
from support.connections.calls import refusal
from support.connections.kinds import KINDS, adbc_postgres
from support.connections.tables import ROLES, ROWS, fill
from support.engines.sqlite import add_mathematics


class CountingCursor(sqlite3.Cursor):
    def fetchall(self):
        rows = super().fetchall()
        self.connection.fetched.append(len(rows))
        return rows

    def close(self):
        self.connection.closed += 1
        super().close()


class Counting(sqlite3.Connection):
    """Knows how many rows were fetched of it, and how many cursors there were."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.fetched, self.opened, self.closed = [], 0, 0

    def cursor(self):
        self.opened += 1
        return super().cursor(CountingCursor)


def test_no_row_is_pulled_and_cursors_are_closed():
    with closing(sqlite3.connect(":memory:", factory=Counting)) as connection:
        add_mathematics(connection)
        fill(connection)
        connection.fetched, connection.opened, connection.closed = [], 0, 0
        facts = ROLES | {"score": "p", "by": "day", "connection": connection}
        report = sm.evaluate("preds", ["auc", "ndcg@3", "median_absolute_error"], **facts)
        assert connection.fetched == [0, 1, len(report)]  # names, types, result
        with pytest.raises(sm.SqlMetricsError):
            sm.evaluate("nothing", "auc", **facts)
        assert connection.opened == connection.closed > 3


def test_no_row_is_pulled_from_postgres(postgres):
    psycopg = pytest.importorskip("psycopg")
    fetched = []

    class Cursor(psycopg.Cursor):
        def fetchall(self):
            rows = super().fetchall()
            fetched.append(len(rows))
            return rows

    with closing(psycopg.connect(postgres, cursor_factory=Cursor)) as connection:
        facts = ROLES | {"score": "p", "connection": connection}
        sm.evaluate("preds", ["auc", "ndcg@3"], **facts)
        assert fetched == [0, 1]  # names and types, result


def count(connection) -> int:
    with closing(connection.cursor()) as cursor:
        cursor.execute("select count(*) from preds")
        return cursor.fetchall()[0][0]


def insert(connection) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("insert into preds (y, p) values (1, 0.5)")


@pytest.mark.parametrize("kind", ["sqlite3", "psycopg", "psycopg2", "PyMySQL"])
@pytest.mark.parametrize("data", ["preds", "nothing", "order"])
@pytest.mark.parametrize("score", ["p", "nope", sm.sql("nonsense(p)"), sm.sql("1 / (y - y)")], ids=str)
def test_a_transaction_stays_open_and_whole(kind, data, score, request):
    with closing(KINDS[kind](request.getfixturevalue)) as connection:
        insert(connection)
        with contextlib.suppress(sm.SqlMetricsError):
            sm.evaluate(data, "auc", label="yes", score=score, connection=connection, on_bad_rows="drop")
        assert count(connection) == len(ROWS) + 1
        connection.rollback()
        assert count(connection) == len(ROWS)


def test_a_broken_transaction_is_told(psycopg):
    with contextlib.suppress(Exception), closing(psycopg.cursor()) as cursor:
        cursor.execute("select * from nothing")
    refusal("current transaction is aborted", connection=psycopg)
    psycopg.rollback()
    assert sm.evaluate("preds", "count", label="y", connection=psycopg).to_dicts()[0]["count"] == len(ROWS)


def test_autocommit(psycopg):
    psycopg.autocommit = True
    refusal("does not exist", data="nothing", connection=psycopg)
    assert sm.evaluate("preds", "count", label="y", connection=psycopg).to_dicts()[0]["count"] == len(ROWS)
    assert psycopg.info.transaction_status == psycopg.info.transaction_status.IDLE


def test_adbc_is_not_rolled_back(postgres):
    """It takes nothing but a rollback after an error, which is the user's to decide."""
    with closing(adbc_postgres(postgres, autocommit=False)) as connection:
        insert(connection)
        refusal("does not exist", data="nothing", connection=connection)
        refusal("error state", connection=connection)
        connection.rollback()
        assert sm.evaluate("preds", "auc", label="yes", score="p", connection=connection)
