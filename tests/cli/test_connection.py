"""`--connection`: tables of a database, by its address."""

import sqlite3
from pathlib import Path

import duckdb
import pytest

from support.command_line import SEARCH, printed, refused
from support.engines import NoEngineError
from support.postgres_server import postgres_server

ASKED = (
    *("--metrics", "auc,ndcg@10", "--label", "grade", "--score", "score", "--group", "query_id"),
    *("--positive", "1", "--by", "country"),
)


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    """Addresses of databases that hold the example as the table `search`."""
    folder = tmp_path_factory.mktemp("databases")
    columns = "query_id, product_id, grade, score, country"
    rows = duckdb.sql(f"select {columns} from read_parquet('{SEARCH}')").fetchall()
    with sqlite3.connect(folder / "file.db") as file:
        file.execute(f"create table search ({columns})")
        file.executemany("insert into search values (?, ?, ?, ?, ?)", rows)
    file.close()
    with duckdb.connect(folder / "file.duckdb") as file:
        file.execute(f"create table search as from read_parquet('{SEARCH}')")
    return {"sqlite": f"sqlite:///{folder}/file.db", "duckdb": f"duckdb:///{folder}/file.duckdb"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
@pytest.mark.parametrize("data", ["search", "select * from search where 1 = 1"])
def test_a_table_or_query_has_the_numbers_of_the_file(run, databases, name, data):
    if name == "sqlite":
        pytest.importorskip("sqlalchemy")
    asked = ("--connection", databases[name], *ASKED)
    assert printed(run, "evaluate", data, *asked) == printed(run, "evaluate", SEARCH, *asked[2:])


@pytest.mark.slow
def test_postgres(run):
    pytest.importorskip("sqlalchemy")
    psycopg = pytest.importorskip("psycopg")
    try:
        with postgres_server() as conninfo:
            with psycopg.connect(conninfo) as connection:
                connection.execute("create table scored as select 1 as y, 0.5 as p union all select 0, 0.25")
            address = (
                f"postgresql+psycopg://postgres@/postgres?host={conninfo.split()[0].removeprefix('host=')}"
            )
            asked = ("--metrics", "auc", "--label", "y", "--score", "p", "--format", "csv")
            done = printed(run, "evaluate", "scored", *asked, "--connection", address)
    except NoEngineError as missing:
        pytest.skip(str(missing))
    assert [line.split(",")[-1] for line in done.splitlines()] == ["auc", "1.0"]


def test_the_address_may_come_from_the_environment(run, databases, monkeypatch):
    monkeypatch.setenv("SQLMETRICS_CONNECTION", databases["duckdb"])
    assert "0.7488" in printed(run, "evaluate", "search", *ASKED)


@pytest.mark.slow
def test_a_page_reads_the_database(run, databases, tmp_path):
    page = tmp_path / "page.html"
    asked = ("report", "search", *ASKED, "--curves", "none", "--output", str(page))
    assert run(*asked, "--connection", databases["duckdb"]).status == 0
    assert "0.7488" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("nonsense", 2, "--connection is no address of a database, such as postgresql+psycopg://"),
        ("nonsense://host/db", 2, "SQLAlchemy has no dialect for 'nonsense'"),
        ("postgresql+psycopg://me:secret@localhost:port/db", 2, "--connection is no address of a database"),
        ("postgresql+psycopg://me:secret@localhost:1/db", 3, "cannot be reached: connection failed"),
        ("oracle+cx_oracle://me:secret@localhost/db", 2, "is not installed"),
        ("sqlite:///none.db", 3, "No database is at 'none.db'"),
        (f"duckdb:///{SEARCH}", 3, f"DuckDB cannot open '{SEARCH}'"),
    ],
)
def test_an_address_that_leads_nowhere(run, address, status, said):
    pytest.importorskip("sqlalchemy")
    err = refused(run, "evaluate", "search", *ASKED, "--connection", address, status=status)
    assert said in err
    assert "secret" not in err


def test_a_file_is_no_table(run, databases):
    err = refused(run, "evaluate", "none.parquet", "--connection", databases["duckdb"], *ASKED, status=2)
    assert "none.parquet" in err


def test_two_tables_are_refused(run, databases):
    err = refused(run, "evaluate", "search", "other", "--connection", databases["duckdb"], *ASKED)
    assert "one table or query, got 2" in err


@pytest.mark.parametrize("name", ["sqlite", "duckdb"])
def test_a_result_does_not_replace_the_database(run, databases, name, tmp_path):
    """Neither the file of the address nor one that DuckDB reads beside it."""
    before = (path := Path(databases[name].split("///")[1])).read_bytes()
    asked = ("--connection", databases[name], *ASKED, "--format", "csv", "--output")
    assert "is a file that is read" in refused(run, "evaluate", "search", *asked, str(path))
    assert path.read_bytes() == before
    (copy := tmp_path / "copy.parquet").write_bytes(Path(SEARCH).read_bytes())
    assert "is a file that is read" in refused(run, "evaluate", str(copy), *asked, str(copy))
    assert copy.read_bytes() == Path(SEARCH).read_bytes()
