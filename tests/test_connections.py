"""Where the data is: the numbers are those of DuckDB, only SQL goes there, and the connection is left as it was."""

import contextlib
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from engines import NoEngineError
from engines.sqlite import add_mathematics
from postgres_server import postgres_server
from sqlmetrics.engines.drivers import dialect_of

ROWS = [
    {
        "y": i * 7 // 3 % 3,
        "yes": i % 4 == 0,
        "word": ["click", "view", "it's"][i % 3],
        "guess": ["click", "view"][i % 2],
        "p": (i * 37 % 20) / 20,  # with ties
        "q": (i * 53 % 101) / 101,
        "g": f"u{i % 7}",
        "i": i,
        "w": 0.5 + i % 7,
        "day": i % 2,
        "country": ["de", None, "fr"][i % 3],
        "weekend": i % 2 == 0,
    }
    for i in range(60)
]
TRUTH = [{"g": f"u{g}", "i": i, "y": (g + i) % 3} for g in range(9) for i in range(g, 70, 7)]
TABLES = {
    "preds": ROWS,
    "truth": TRUTH,
    "items": [{"i": i, "kind": "even" if i % 2 == 0 else "odd"} for i in range(80)],
    "past": [{"g": f"u{i % 5}", "i": i % 40} for i in range(90)],
    "My Table": ROWS,
    "order": ROWS,
    'qu"ote': [{'x"; drop table preds; --': row["y"] > 0, "P Q": row["p"], "p'": row["g"]} for row in ROWS],
    "broken": [{"y": 1, "p": 0.5, "word": "a"}, {"y": 0, "p": None, "word": "b"}],
}
TYPES = {bool: "boolean", int: "bigint", float: "double precision", str: "text"}

ROLES = {"label": "y", "group": "g", "item": "i", "weight": "w", "positive": 1, "max_grade": 2}
METRICS = [
    *("auc", "gauc", "ndcg@3", "ndcg", "map@10", "mrr", "err@5", "recall@5", "log_loss", "rmse", "r2", "f1"),
    *("average_precision", "ks", "ece", "median_absolute_error"),
]


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "null" if value is None else str(value)


def fill(connection) -> None:
    """Makes the tables."""
    with closing(connection.cursor()) as cursor:
        for name, rows in TABLES.items():
            kinds = {
                column: TYPES[next(type(row[column]) for row in rows if row[column] is not None)]
                for column in rows[0]
            }
            listed = ", ".join(f"{identifier(column)} {kind}" for column, kind in kinds.items())
            cursor.execute(f"create table {identifier(name)} ({listed})")
            values = ", ".join(f"({', '.join(map(literal, row.values()))})" for row in rows)
            cursor.execute(f"insert into {identifier(name)} values {values}")


# --- connections


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The connection string of a PostgreSQL that has the tables."""
    psycopg = pytest.importorskip("psycopg")
    try:
        with postgres_server() as conninfo:
            with psycopg.connect(conninfo) as connection:
                fill(connection)
            yield conninfo
    except NoEngineError as missing:
        pytest.skip(str(missing))


def sqlite_connection():
    connection = sqlite3.connect(":memory:")
    add_mathematics(connection)
    fill(connection)
    connection.commit()
    return connection


def adbc_connection(library: str):
    connection = pytest.importorskip(f"{library}.dbapi").connect(autocommit=True)
    fill(connection)
    return connection


def adbc_postgres(conninfo: str, autocommit: bool = True):
    folder = quote(conninfo.split()[0].removeprefix("host="), safe="")
    address = f"postgresql://postgres@/postgres?host={folder}"
    return pytest.importorskip("adbc_driver_postgresql.dbapi").connect(address, autocommit=autocommit)


def duckdb_connection():
    connection = duckdb.connect()
    fill(connection)
    return connection


KINDS = {
    "DuckDB": lambda ask: duckdb_connection(),
    "sqlite3": lambda ask: sqlite_connection(),
    "psycopg": lambda ask: pytest.importorskip("psycopg").connect(ask("postgres")),
    "psycopg2": lambda ask: pytest.importorskip("psycopg2").connect(ask("postgres")),
    "ADBC, SQLite": lambda ask: adbc_connection("adbc_driver_sqlite"),
    "ADBC, PostgreSQL": lambda ask: adbc_postgres(ask("postgres")),
    "ADBC, DuckDB": lambda ask: adbc_connection("adbc_driver_duckdb"),
}


@pytest.fixture(scope="module", params=KINDS)
def connection(request):
    with closing(KINDS[request.param](request.getfixturevalue)) as opened:
        yield opened


@pytest.fixture
def sqlite():
    with closing(sqlite_connection()) as opened:
        yield opened


@pytest.fixture
def psycopg(postgres):
    with closing(pytest.importorskip("psycopg").connect(postgres)) as opened:
        yield opened


def compared(here: sm.Report, there: sm.Report, keys: list[str]) -> None:
    """That two results are the same but for the order of their rows: engines sort texts and NULL as they do."""

    def by_key(report: sm.Report) -> dict:
        return {tuple(map(str, map(row.get, keys))): row for row in report.to_dicts()}

    expected, found = by_key(here), by_key(there)
    assert len(found) == len(there)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        assert found[key] == {
            name: pytest.approx(cell, rel=1e-9, abs=1e-12) if isinstance(cell, float) else cell
            for name, cell in row.items()
        }
    for field in here.to_arrow().schema:
        if field.name not in keys:
            assert there.to_arrow().schema.field(field.name) == field


# --- the same numbers

ASKED = {
    "everything at once": (METRICS, ROLES | {"score": {"new": "p", "old": "q"}, "by": ["country", "day"]}),
    "in total": (METRICS, ROLES | {"score": "p"}),
    "the row for all left out": ("ndcg@3", ROLES | {"score": "p", "by": "day", "total": False}),
    "text labels": (["auc", "f1", "mrr"], {"label": "word", "positive": "it's", "score": "p", "group": "g"}),
    "booleans": (["auc", "err@3", "brier"], {"label": "yes", "score": "p", "group": "g", "by": "weekend"}),
    "an expression": ("auc", {"label": sm.sql("y > 1"), "score": sm.sql("p + q")}),
    "classes": (
        ["accuracy", "f1(average=macro)", "kappa"],
        {"label": "word", "prediction": "guess", "by": "day"},
    ),
    "a truth": (
        ["ndcg@5", "recall@3", "mrr"],
        {"score": "p", "group": "g", "item": "i", "label": "y", "truth": "truth"},
    ),
    "items": (
        ["catalog_coverage@3", "exposure_gini@3", "novelty@3", "personalization@3"],
        {"score": "p", "group": "g", "item": "i", "catalog": "items", "history": "past"},
    ),
}


@pytest.fixture(scope="module")
def here():
    """DuckDB with the tables, whose numbers the conformance tests prove."""
    with closing(duckdb_connection()) as opened:
        yield opened


@pytest.mark.parametrize("asked", ASKED)
def test_evaluate(asked, connection, here):
    metrics, facts = ASKED[asked]
    reports = [sm.evaluate("preds", metrics, connection=at, **facts) for at in (here, connection)]
    by = facts.get("by", [])
    compared(*reports, ["is_total", "model", *([by] if isinstance(by, str) else by)])


def test_per_group(connection, here):
    facts = ROLES | {"score": {"new": "p", "old": "q"}, "by": "day"}
    reports = [sm.per_group("preds", ["ndcg@3", "gauc"], connection=at, **facts) for at in (here, connection)]
    compared(*reports, ["model", "day", "g"])
    assert [report.audit.to_dicts() for report in reports[:1]] == [reports[1].audit.to_dicts()]


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "calibration(bins=5)", "gain(quantiles=4)"])
def test_curve(kind, connection, here):
    facts = {"label": "yes", "score": "p", "weight": "w", "by": "day"}
    curves = [sm.curve(kind, "preds", connection=at, **facts) for at in (here, connection)]
    of_points = curves[0].columns[:4] if kind == "roc" else curves[0].columns[:3]
    compared(*curves, of_points)


@pytest.mark.parametrize("table", [sm.confusion_matrix, sm.class_report])
@pytest.mark.parametrize(
    "facts", [{"label": "word", "prediction": "guess"}, {"label": "yes", "prediction": "weekend"}]
)
@pytest.mark.parametrize("weight", [None, "w"])
def test_tables_of_classes(table, facts, weight, connection, here):
    facts = {**facts, "weight": weight, "by": "day"}
    tables = [table("preds", connection=at, **facts) for at in (here, connection)]
    compared(*tables, ["is_total", "day", "label", "prediction", "class"])


def test_explain_difference(connection, here):
    facts = {"label": "y", "score": "p", "group": "g", "item": "i"}
    one, other = (
        sm.explain_difference("preds", "ndcg@3", "trec_eval", "lightgbm", connection=at, **facts).to_dicts()
        for at in (here, connection)
    )
    assert [row["value"] for row in other] == pytest.approx([row["value"] for row in one])


def test_types_of_slices(connection):
    facts = {"label": "yes", "score": "p", "total": False, "connection": connection}
    for by, kind in {"country": pa.string(), "day": pa.int64(), "weekend": pa.bool_()}.items():
        table = sm.evaluate("preds", "auc", by=by, **facts).to_arrow()
        assert table.schema.field(by).type == kind


@pytest.mark.parametrize("number", ["1.50", None])
def test_decimals_are_kept(number, postgres):
    """PostgreSQL's numeric has no Arrow type of its own in ADBC."""
    query = f"select *, cast({number or 'null'} as numeric(10, 2)) as price from preds"
    facts = {"label": "yes", "score": "p", "by": "price", "total": False}
    for kind in ("psycopg", "ADBC, PostgreSQL"):
        with closing(KINDS[kind](lambda name: postgres)) as connection:
            [row] = sm.evaluate(query, "auc", connection=connection, **facts).to_dicts()
        assert row["price"] == (number and Decimal(number))


# --- tables and queries

RELATIONS = [
    *["preds", " preds ", '"preds"', "My Table", '"My Table"', "order", '"order"'],
    *["select * from preds", "SELECT * FROM preds;", "(select * from preds)", "select * from preds ; "],
    *["with a as (select * from preds where 1 = 1) select * from a", "select\t*\nfrom preds -- all; of them"],
    *["-- all of them\nselect * from preds", "/* a; b */ select * from preds where 'x;y' <> 'z'"],
]


@pytest.mark.parametrize("relation", RELATIONS)
def test_relations(relation, connection, here):
    expected, found = (
        sm.evaluate(relation, ["auc", "ndcg@3"], **ROLES, score="p", connection=at).to_dicts()
        for at in ("preds" and here, connection)
    )
    assert found == [pytest.approx(expected[0])]


@pytest.mark.parametrize(
    ("kind", "name"),
    [("sqlite3", "main.preds"), ("psycopg", "public.preds"), ("psycopg", 'postgres.public."order"')],
)
def test_names_behind_a_schema(kind, name, request):
    with closing(KINDS[kind](request.getfixturevalue)) as connection:
        assert (
            sm.evaluate(name, "auc", label="yes", score="p", connection=connection).to_dicts()[0]["n_rows"]
            == 60
        )


def test_names_are_quoted(connection):
    facts = {"label": 'x"; drop table preds; --', "score": "P Q", "by": "p'"}
    report = sm.evaluate('qu"ote', {'a"b; --': "auc"}, connection=connection, **facts)
    assert report.columns[-1] == 'a"b; --'
    assert len(report) == 8
    with pytest.raises(sm.SqlMetricsError, match=r"Column 'p q' .*Did you mean 'P Q'"):
        sm.evaluate('qu"ote', "auc", connection=connection, **facts | {"score": "p q"})
    assert sm.evaluate("preds", "count", label="y", connection=connection).to_dicts()[0]["count"] == 60


# --- what is refused

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
    ("preds", {"label": "yess"}, "Column 'yess' .*Did you mean 'yes'"),
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


def without_tables(words: str, **facts):
    """What is refused of a connection, whatever it would hold."""
    with pytest.raises(sm.SqlMetricsError, match=words) as refused:
        sm.evaluate(**{"data": "preds", "metrics": "auc", "label": "yes", "score": "p", **facts})
    return refused.value


class Frame:
    """A table of a library."""


@pytest.mark.parametrize(
    ("data", "kind"),
    [(pa.table({"y": [1]}), "Table"), (ROWS, "list"), (Path("preds.parquet"), "PosixPath")],
)
@pytest.mark.parametrize("role", ["data", "truth"])
def test_only_sql_goes_there(role, data, kind, sqlite):
    facts = {"group": "g", "item": "i", role: data, "connection": sqlite}
    without_tables(
        f"With a connection of sqlite3 the {role} is the name of a table .* got {kind}; leave", **facts
    )


def test_a_file_is_read_here(tmp_path, sqlite):
    path = tmp_path / "preds.csv"
    path.write_text("yes,p")
    without_tables("To read the file, leave connection= out", data=str(path), connection=sqlite)


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
    ids=str,
)
def test_connections_that_do_not_do(connection, dialect, words):
    without_tables(words, connection=connection, dialect=dialect)


def test_the_statement_goes_with_the_error(connection):
    nonsense = sm.sql("nonsense(p)")
    refused = without_tables("cannot read preds", score=nonsense, connection=connection, metrics="rmse")
    assert "nonsense(p)" in refused.sql
    assert refused.__cause__ is not None
    assert "sm_given" in refused.sql
    assert "sm_given" not in str(refused)
    assert without_tables("Column 'nope'", label="nope", connection=connection).sql is None


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
        without_tables(
            "no such function: ln; this build of SQLite lacks it.*create_function",
            metrics="ndcg@3",
            group="g",
            connection=connection,
        )


# --- what becomes of the connection


class CountingCursor(sqlite3.Cursor):
    fetched: list[int]

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


def test_no_row_is_pulled_from_postgres(postgres, monkeypatch):
    psycopg = pytest.importorskip("psycopg")
    fetched = []

    class Cursor(psycopg.Cursor):
        def fetchall(self):
            rows = super().fetchall()
            fetched.append(len(rows))
            return rows

    with closing(psycopg.connect(postgres, cursor_factory=Cursor)) as connection:
        facts = ROLES | {"score": "p", "connection": connection}
        sm.evaluate("preds", ["auc", "ndcg@3"], **facts, truth=None)
        assert fetched == [0, 1, 1]


def count(connection) -> int:
    with closing(connection.cursor()) as cursor:
        cursor.execute("select count(*) from preds")
        return cursor.fetchall()[0][0]


def insert(connection) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("insert into preds (y, p) values (1, 0.5)")


@pytest.mark.parametrize("kind", ["sqlite3", "psycopg", "psycopg2"])
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
    without_tables("current transaction is aborted", connection=psycopg)
    psycopg.rollback()
    assert sm.evaluate("preds", "count", label="y", connection=psycopg).to_dicts()[0]["count"] == len(ROWS)


def test_autocommit(psycopg):
    psycopg.autocommit = True
    without_tables("does not exist", data="nothing", connection=psycopg)
    assert sm.evaluate("preds", "count", label="y", connection=psycopg).to_dicts()[0]["count"] == len(ROWS)
    assert psycopg.info.transaction_status == psycopg.info.transaction_status.IDLE


def test_adbc_is_not_rolled_back(postgres):
    """It takes nothing but a rollback after an error, which is the user's to decide."""
    with closing(adbc_postgres(postgres, autocommit=False)) as connection:
        insert(connection)
        without_tables("does not exist", data="nothing", connection=connection)
        without_tables("error state", connection=connection)
        connection.rollback()
        assert sm.evaluate("preds", "auc", label="yes", score="p", connection=connection)


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


def test_sqlalchemy_wraps_the_connection(sqlite, here):
    class Pooled:
        """What `engine.raw_connection()` gives, as far as it is looked at."""

        driver_connection = sqlite

    reports = [sm.evaluate("preds", "auc", label="yes", score="p", connection=at) for at in (here, Pooled())]
    compared(*reports, [])


# --- values of no Arrow type, and columns of several


def test_values_of_several_types_become_text(sqlite):
    query = "select *, case i % 2 when 0 then i % 3 else 'odd' end as mixed from preds"
    facts = {"label": "yes", "score": "p", "by": "mixed", "total": False}
    report = sm.evaluate(query, "count", connection=sqlite, **facts)
    assert sorted(row["mixed"] for row in report.to_dicts()) == ["0", "1", "2", "odd"]


def test_a_text_among_numbers_is_no_zero(sqlite):
    # SQLite would cast it to 0.
    query = "select *, case when i = 59 then 'n/a' else p end as some from preds"
    without_tables(
        "Column 'some' .*is text and has to be numbers", data=query, score="some", connection=sqlite
    )


def test_values_that_arrow_does_not_know(psycopg):
    query = "select *, cast('00000000-0000-0000-0000-00000000000' || day as uuid) as code from preds"
    facts = {"label": "yes", "score": "p", "by": "code", "total": False}
    rows = sm.evaluate(query, "count", connection=psycopg, **facts).to_dicts()
    assert [str(row["code"])[-2:] for row in rows] == ["00", "01"]


# --- drivers


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("psycopg", "postgres"),
        ("psycopg2.extensions", "postgres"),
        ("pg8000.legacy", "postgres"),
        ("sqlite3", "sqlite"),
    ],
)
def test_dialects_of_drivers(module, expected):
    assert dialect_of(type("Connection", (), {"__module__": module})()) == expected


@pytest.mark.parametrize("module", ["sqlite", "google.cloud.spanner_dbapi", "mysql_of_mine"])
def test_dialects_of_others(module):
    with pytest.raises(sm.SqlMetricsError, match="pass dialect="):
        dialect_of(type("Connection", (), {"__module__": module})())


@pytest.mark.parametrize(
    ("vendor", "expected"),
    [
        ("PostgreSQL", "postgres"),
        ("SQLite", "sqlite"),
        ("duckdb", "duckdb"),
        ("Microsoft Access", None),
        (None, None),
    ],
)
@pytest.mark.parametrize("how", ["ADBC", "ODBC"])
def test_dialects_of_vendors(how, vendor, expected):
    class Connection:
        __module__ = "of.many.engines"

    if how == "ADBC":
        Connection.adbc_get_info = lambda self: {} if vendor is None else {"vendor_name": vendor}
    else:
        Connection.getinfo = lambda self, number: {17: vendor or ""}[number]
    if expected:
        assert dialect_of(Connection()) == expected
    else:
        with pytest.raises(
            sm.SqlMetricsError, match=f"of {f'of to {vendor}' if vendor else 'of'} speaks is not known"
        ):
            dialect_of(Connection())


def test_no_driver_is_imported():
    known = "psycopg psycopg2 pymysql snowflake pyspark chdb adbc_driver_manager sqlite3"
    code = f"import sys, sqlmetrics.engines.dbapi; print(*(name for name in {known.split()} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
