"""Connections as fixtures: `connection` is each kind in turn, `here` DuckDB with the same tables."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from support.connections.kinds import KINDS, duckdb_connection, sqlite_connection
from support.connections.tables import fill
from support.engines import NoEngineError
from support.engines.snowflake import folded
from support.engines.tables import quoted
from support.mariadb_server import mariadb_server
from support.postgres_server import postgres_server


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def mariadb() -> Iterator[str]:
    """The socket of a MariaDB that has the tables in the database `tests`."""
    pymysql = pytest.importorskip("pymysql")
    try:
        with mariadb_server() as socket:
            with closing(pymysql.connect(unix_socket=socket, user="root")) as connection:
                with closing(connection.cursor()) as cursor:
                    cursor.execute("create database tests")
                    cursor.execute("set session sql_mode = 'ansi_quotes'")
                connection.select_db("tests")
                fill(connection)
                connection.commit()
            yield socket
    except NoEngineError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def snowflake():
    """A connection of Snowflake's connector to no Snowflake, which has the tables; clicked is CLICKED there."""
    stand_in = pytest.importorskip("fakesnow.instance").FakeSnow()
    with closing(stand_in.connect(database="tests", schema="tests")) as connection:
        fill(connection, lambda name: quoted(folded(name)))
        yield connection


@pytest.fixture(scope="session", params=KINDS)
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


@pytest.fixture(scope="session")
def here():
    """DuckDB with the tables, whose numbers the conformance tests prove."""
    with closing(duckdb_connection()) as opened:
        yield opened
