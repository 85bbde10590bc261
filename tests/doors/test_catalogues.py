"""Tables of catalogues that a connection of DuckDB has attached."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.doors import FACTS, ROWS, is_of, write
from support.engines import NoEngineError
from support.errors import told
from support.postgres_server import postgres_server

#: names as they are written, and the rows there: the last is a number of its own
NAMES = {
    "other.main.scores": 5, "other.scores": 5, '"other"."main"."scores"': 5, "OTHER.MAIN.SCORES": 5,
    'other.deep."my scores"': 7, '"other"."deep"."my scores"': 7, 'other."a.b"."select"': 9, 'other.main."qu""ote"': 11,
    '"other one".main.scores': 13, "scores": 15, "main.scores": 15, "here.main.scores": 15,
}  # fmt: skip


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with two attached files, whose tables have different numbers of rows."""
    given = pa.Table.from_pylist(ROWS)
    with duckdb.connect(tmp_path / "here.duckdb") as opened:
        opened.register("given", given)
        opened.execute(
            f"attach '{tmp_path}/1.duckdb' as other; attach '{tmp_path}/2.duckdb' as \"other one\""
        )
        opened.execute('create schema other.deep; create schema other."a.b"')
        for name, rows in NAMES.items():
            opened.execute(f"create table if not exists {name} as from given order by id limit {rows}")
        opened.unregister("given")
        yield opened


def first(rows: int) -> list[dict]:
    return sorted(ROWS, key=lambda row: row["id"])[:rows]


@pytest.mark.slow
def test_names(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, rows in NAMES.items():
        is_of(name, first(rows), connection=connection)
    write(ROWS, Path("other.main.scores") / "a.parquet")  # a folder of that name changes nothing
    is_of("other.main.scores", first(5), connection=connection)
    is_of("./other.main.scores", ROWS, connection=connection)


def test_a_catalogue_that_is_attached_later_or_no_more(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("detach other")
    assert told(sm.evaluate, "other.main.scores", "auc", **FACTS, connection=connection).startswith(
        "'other.main.scores' is no table of the connection, no file and no query"
    )
    connection.execute('use "other one"')
    is_of("scores", first(13), connection=connection)


def test_tables_of_two_catalogues_in_one_call(connection: duckdb.DuckDBPyConnection) -> None:
    query = 'select * from other.main.scores union all by name select * from "other one".main.scores'
    is_of(query, [*first(5), *first(13)], connection=connection)
    facts = {**FACTS, "group": "id", "item": "id", "connection": connection}
    [row] = sm.evaluate("other.main.scores", "recall@1", truth='"other one".main.scores', **facts).to_dicts()
    assert (row["n_rows"], row["n_groups"]) == (5, 13)


def test_sqlite(extensions: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "file.db")) as file:
        file.execute('create table "my scores" (id integer, y integer, s real)')
        file.executemany('insert into "my scores" values (:id, :y, :s)', ROWS)
        file.commit()
    with duckdb.connect() as connection:
        connection.execute(f"attach '{tmp_path}/file.db' as lite (type sqlite)")
        is_of('lite."my scores"', ROWS, connection=connection)
        is_of('lite.main."my scores"', ROWS, connection=connection)


def test_postgres(extensions: Path) -> None:
    psycopg = pytest.importorskip("psycopg")
    try:
        with postgres_server() as conninfo:
            with psycopg.connect(conninfo) as server:
                server.execute("create schema deep")
                server.execute("create table deep.scores (id int, y int, s double precision)")
                server.cursor().executemany("insert into deep.scores values (%(id)s, %(y)s, %(s)s)", ROWS)
            with duckdb.connect() as connection:
                connection.execute(f"attach '{conninfo}' as pg (type postgres, read_only)")
                is_of("pg.deep.scores", ROWS, connection=connection)
    except NoEngineError as missing:
        pytest.skip(str(missing))
