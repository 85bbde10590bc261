"""The connections under test, and how each is opened."""

import sqlite3
from urllib.parse import quote

import duckdb
import pytest

from sqlmetrics.engines.drivers import dialect_of
from support.connections.tables import fill
from support.engines.sqlite import add_mathematics


def mariadb_connection(socket: str):
    return pytest.importorskip("pymysql").connect(unix_socket=socket, user="root", database="tests")


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
    "PyMySQL": lambda ask: mariadb_connection(ask("mariadb")),
    "snowflake.connector": lambda ask: ask("snowflake"),
    "ADBC, SQLite": lambda ask: adbc_connection("adbc_driver_sqlite"),
    "ADBC, PostgreSQL": lambda ask: adbc_postgres(ask("postgres")),
    "ADBC, DuckDB": lambda ask: adbc_connection("adbc_driver_duckdb"),
}


def speaks(connection, dialect: str) -> bool:
    return not isinstance(connection, duckdb.DuckDBPyConnection) and dialect_of(connection) == dialect
