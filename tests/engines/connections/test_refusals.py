"""What is refused of a connection, in one sentence that says what to write."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.connections.calls import compared, refusal
from support.connections.kinds import adbc_connection
from support.connections.tables import ROWS, fill

REFUSED = [
    ("nothing", {}, "nothing"),
    ("My Tables", {}, "'My Tables' is no table of the connection"),
    ("", {}, "no query|not one query"),
    (
        "delete from preds",
        {},
        "'delete from preds' is (no table of the connection and no query|not one query)",
    ),
    ("select 1 as y; delete from preds", {}, "several statements|not one query"),
    ("select * from preds where", {}, "cannot read the query|is no table of the connection"),
    ("preds", {"label": "yess"}, "Column 'yess' .*Did you mean '(yes|YES)'"),
    ("preds", {"label": "word"}, "Label column 'word' is text; pass positive="),
    ("preds", {"score": "word"}, "Column 'word' .*is text and has to be numbers"),
    ("preds", {"weight": "g"}, "Column 'g' .*is text and has to be numbers"),
    ("preds", {"positive": "yes"}, "positive='yes' is text, but label column"),
    ("preds", {"label": "word", "positive": "it's", "prediction": "p"}, "which cannot be compared"),
    ("preds", {"score": sm.sql("nonsense(p)")}, "cannot read preds"),
    ("broken", {"label": "y"}, "1 of 2 rows have a NULL, NaN or infinite score"),
    ("preds", {"label": "y"}, "neither 0 nor 1"),
    ("preds", {"group": "g", "item": "i", "truth": "past"}, "Column 'yes' .*is not in past"),
    ("preds", {"group": "g", "item": "i", "truth": "nowhere"}, "nowhere"),
]


@pytest.mark.parametrize(("data", "changes", "words"), REFUSED, ids=str)
def test_refused(data, changes, words, connection):
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.evaluate(data, "auc", **{"label": "yes", "score": "p", "connection": connection, **changes})
    assert re.search(words, str(refused.value), re.DOTALL)
    assert "\nLINE" not in str(refused.value)


@pytest.mark.parametrize(
    ("data", "kind"),
    [(pa.table({"y": [1]}), "Table"), (ROWS, "list"), (Path("preds.parquet"), "PosixPath")],
)
@pytest.mark.parametrize("role", ["data", "truth"])
def test_only_sql_goes_there(role, data, kind, sqlite):
    facts = {"group": "g", "item": "i", role: data, "connection": sqlite}
    refusal(f"With a connection of sqlite3 the {role} is the name of a table .* got {kind}; leave", **facts)


def test_a_file_is_read_here(tmp_path, sqlite):
    path = tmp_path / "preds.csv"
    path.write_text("yes,p")
    refusal("To read the file, leave connection= out", data=str(path), connection=sqlite)


def unknown_connection():
    """A connection of a driver that nobody here has heard of."""

    class Connection:
        __module__ = "frobnicate.connections"

        def cursor(self):
            raise RuntimeError("the line is dead")

    return Connection()


class Engine:
    """SQLAlchemy's engine, as far as it is looked at."""

    dialect = None


class AsyncConnection:
    """A connection whose cursors are awaited."""

    async def __aenter__(self): ...

    def cursor(self): ...


@pytest.mark.parametrize(
    ("connection", "dialect", "words"),
    [
        ("postgresql://localhost", None, r"takes an open connection .*psycopg.connect.*got str$"),
        (Engine(), None, r"got Engine; of an SQLAlchemy engine pass engine.raw_connection"),
        (
            unknown_connection(),
            None,
            r"a connection of frobnicate .* pass dialect=, one of .*duckdb.*postgres",
        ),
        (unknown_connection(), "postgre", "Unknown dialect 'postgre'. Did you mean 'postgres'"),
        (
            unknown_connection(),
            "postgres",
            r"The connection \(postgres\) cannot read preds: the line is dead",
        ),
        (duckdb.connect(), "postgres", "dialect='postgres' is not what DuckDB speaks"),
        (None, "postgres", "dialect='postgres' is not what DuckDB speaks"),
    ],
    ids=lambda value: (
        value if isinstance(value, str) else type(value).__name__
    ),  # no addresses: workers compare ids
)
def test_connections_that_do_not_do(connection, dialect, words):
    refusal(words, connection=connection, dialect=dialect)


@pytest.mark.parametrize("connection", [duckdb, sqlite3, sqlite3.Connection])
@pytest.mark.parametrize("dialect", [None, "sqlite"])
def test_modules_and_classes_are_no_connections(connection, dialect):
    refusal("connection= takes an open connection", connection=connection, dialect=dialect)


def test_no_name_is_no_dialect():
    with closing(sqlite3.connect(":memory:")) as connection:
        refusal("Unknown dialect ''", connection=connection, dialect="")


@pytest.mark.slow
def test_the_dialect_that_is_given_wins():
    facts = {"label": "yes", "score": "p"}
    with closing(adbc_connection("adbc_driver_duckdb")) as connection:
        reports = [
            sm.evaluate("preds", "auc", connection=connection, dialect=dialect, **facts)
            for dialect in (None, "postgres")
        ]
    compared(*reports, [])
    # as only PostgreSQL needs it
    assert ['cast("yes" as text)' in report.sql for report in reports] == [False, True]


def test_the_statement_goes_with_the_error(connection):
    nonsense = sm.sql("nonsense(p)")
    refused = refusal("cannot read preds", score=nonsense, connection=connection, metrics="rmse")
    assert "nonsense(p)" in refused.sql
    assert refused.__context__ is not None
    assert "sm_given" in refused.sql
    assert "sm_given" not in str(refused)
    assert refusal("Column 'nope'", label="nope", connection=connection).sql is None


def test_sqlite_without_mathematics():
    class Poor(sqlite3.Connection):
        """A build of SQLite without logarithms."""

        def cursor(self):
            return PoorCursor(self)

    class PoorCursor(sqlite3.Cursor):
        def execute(self, statement):
            if "ln(" in statement:
                raise sqlite3.OperationalError("no such function: ln")
            return super().execute(statement)

    with closing(sqlite3.connect(":memory:", factory=Poor)) as connection:
        fill(connection)
        assert sm.evaluate("preds", "auc", label="yes", score="p", connection=connection).to_dicts()[0]["auc"]
        refusal(
            "no such function: ln; this build of SQLite lacks it.*create_function",
            metrics="ndcg@3",
            group="g",
            connection=connection,
        )
