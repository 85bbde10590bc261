"""What drivers tell of themselves."""

import re
import subprocess
import sys

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from sqlmetrics.engines.drivers import dialect_of, type_name
from sqlmetrics.given.columns import Columns

REGEX = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$"


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("psycopg", "postgres"),
        ("psycopg2.extensions", "postgres"),
        ("pg8000.legacy", "postgres"),
        ("sqlite3", "sqlite"),
        ("pymysql.connections", "mysql"),
        ("mysql.connector.connection_cext", "mysql"),
        ("snowflake.connector.connection", "snowflake"),
        ("trino.dbapi", "trino"),
        ("databricks.sql.client", "databricks"),
        ("google.cloud.bigquery.dbapi.connection", "bigquery"),
        ("redshift_connector.core", "redshift"),
    ],
)
def test_dialects_of_drivers(module, expected):
    assert dialect_of(type("Connection", (), {"__module__": module})()) == expected


@pytest.mark.parametrize(
    ("dialect", "codes", "kinds"),
    [
        # as PyMySQL, snowflake.connector, redshift_connector, trino, clickhouse_connect and pyodbc say it
        ("mysql", [246, 252, 1, 12, 16], ["a number", "text", "a number", "TIME", ""]),
        ("snowflake", [0, 1, 2, 13, 3, 5], ["a number", "a number", "text", "a boolean", "DATE", ""]),
        ("redshift", [701, 1043, 16, 1114, 0], ["a number", "text", "a boolean", "TIMESTAMP", ""]),
        ("postgres", [1184, 1009], ["TIMESTAMPTZ", "ARRAY"]),
        (
            "trino",
            ["double", "varchar(5)", "boolean", "array(bigint)"],
            ["a number", "text", "a boolean", "ARRAY(BIGINT)"],
        ),
        ("clickhouse", ["Nullable(Float64)", "LowCardinality(Nullable(String))"], ["a number", "text"]),
        ("sqlserver", [float, str, bool, bytes], ["a number", "text", "a boolean", ""]),
    ],
)
def test_types_as_drivers_name_them(dialect, codes, kinds):
    types = {str(code): type_name(code, dialect) for code in codes}
    columns = Columns(types, macros("duckdb"), "t")
    assert [columns.kind(name) for name in types] == kinds


@pytest.mark.parametrize(
    ("dialect", "number", "text"),
    [
        ("duckdb", """'try_cast("b" as double)'""", """'cast("a" as varchar)'"""),
        (
            "postgres",
            f'''"""(case when "b" ~ '{REGEX}' then cast("b" as double precision) end)"""''',
            """'cast("a" as varchar)'""",
        ),
        (
            "mysql",
            f'''"(case when `b` regexp '{REGEX}' then cast(`b` as double) end)"''',
            "'cast(`a` as char)'",
        ),
        ("bigquery", "'safe_cast(`b` as float64)'", "'cast(`a` as string)'"),
        ("databricks", "'try_cast(`b` as double)'", "'cast(`a` as string)'"),
        ("snowflake", """'try_cast("b" as double precision)'""", """'cast("a" as varchar)'"""),
        ("clickhouse", "'toFloat64OrNull(\"b\")'", "'toString(\"a\")'"),
    ],
)
def test_what_is_proposed_is_of_the_dialect(dialect, number, text):
    one, other = (
        Columns(types, macros(dialect), "t") for types in ({"a": "INT", "b": "TEXT"}, {"a": "TEXT"})
    )
    with pytest.raises(sm.SqlMetricsError, match=re.escape(f"written sm.sql({number})")):
        one.number("b", "score")
    with pytest.raises(sm.SqlMetricsError, match=re.escape(f"write item=sm.sql({text})")):
        one.check_joins(other, "a", "item")


@pytest.mark.parametrize("module", ["sqlite", "google.cloud.spanner_dbapi", "mysql_of_mine", "pymssql"])
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
            sm.SqlMetricsError, match=f"of {f'of to {vendor}' if vendor else 'of'} is unknown"
        ):
            dialect_of(Connection())


@pytest.mark.slow
def test_no_driver_is_imported():
    known = "psycopg psycopg2 pymysql snowflake pyspark chdb adbc_driver_manager sqlite3"
    code = f"import sys, sqlmetrics.engines.dbapi; print(*(name for name in {known.split()} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
