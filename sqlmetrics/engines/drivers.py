"""What drivers tell of themselves: which engine they speak to, and what their columns hold."""

from __future__ import annotations

import datetime
import decimal
import sys
from typing import TYPE_CHECKING, Any

from sqlmetrics.engines import libraries
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.templates import dialects

if TYPE_CHECKING:
    import pyarrow as pa

# The module of a driver -> its dialect.
DIALECTS = {
    "MySQLdb": "mysql",
    "chdb": "clickhouse",
    "clickhouse_connect": "clickhouse",
    "clickhouse_driver": "clickhouse",
    "databricks.sql": "databricks",
    "google.cloud.bigquery": "bigquery",
    "mariadb": "mysql",
    "mysql.connector": "mysql",
    "pg8000": "postgres",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pyathena": "trino",
    "pymssql": "sqlserver",
    "pymysql": "mysql",
    "redshift_connector": "redshift",
    "snowflake.connector": "snowflake",
    "sqlite3": "sqlite",
    "trino": "trino",
}
# An engine that is called otherwise than the dialect it speaks.
VENDORS = {"mariadb": "mysql"}
DBMS_NAME = 17  # what ODBC calls the name of the engine (SQL_DBMS_NAME)

# Types as drivers of ODBC give them.
PYTHON_TYPES = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    decimal.Decimal: "DECIMAL",
    str: "VARCHAR",
    datetime.date: "DATE",
    datetime.datetime: "TIMESTAMP",
}
# The type objects of the DB-API and what they hold. BINARY is left out: MySQL's text says that it is.
TYPE_OBJECTS = {"NUMBER": "NUMBER", "STRING": "VARCHAR", "DATETIME": "TIMESTAMP"}


def dialect_of(connection: Any) -> str:
    """The dialect of a connection, by its driver or, where that serves many engines, by what the engine says.

    Raises:
        SqlMetricsError: it is not known.
    """
    try:
        vendor = _vendor(connection)
    except Exception as error:  # each driver has errors of its own
        raise SqlMetricsError(
            f"A connection of {driver_of(connection)} does not say what it is connected to: {error}; pass dialect="
        ) from error
    word = vendor.lower().replace(" ", "")
    found = [dialect for dialect in dialects() if dialect in word]
    found += [dialect for name, dialect in VENDORS.items() if name in word]
    found += [DIALECTS[name] for name in modules_of(connection) if name in DIALECTS]
    if not found:
        of = f"{driver_of(connection)} to {vendor}" if vendor else driver_of(connection)
        raise SqlMetricsError(
            f"What dialect a connection of {of} speaks is not known; pass dialect=, one of {', '.join(dialects())}"
        )
    return found[0]


def _vendor(connection: Any) -> str:
    """What a driver that serves many engines calls the one at hand."""
    if hasattr(connection, "adbc_get_info"):
        return str(connection.adbc_get_info().get("vendor_name") or "")
    return str(connection.getinfo(DBMS_NAME)) if hasattr(connection, "getinfo") else ""


def driver_of(connection: Any) -> str:
    """The library that a connection is of."""
    return libraries(connection)[0].split(".")[0]


def modules_of(connection: Any) -> list[str]:
    """The modules that a connection's class comes from, each before those that it lies in.

    >>> import sqlite3
    >>> modules_of(sqlite3.connect(":memory:"))
    ['sqlite3', 'builtins']
    """
    found = []
    for module in libraries(connection):
        parts = module.split(".")
        found += [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return found


def type_name(code: Any, connection: Any) -> str:
    """The name of a column's type from the code that a driver gives; an empty one where it does not tell.

    >>> import sqlite3
    >>> [type_name(code, sqlite3.connect(":memory:")) for code in ("varchar(10)", float, None)]
    ['VARCHAR(10)', 'DOUBLE', '']
    """
    if isinstance(code, str):
        return code.upper()
    if isinstance(code, type):
        return PYTHON_TYPES.get(code, "")
    for module in modules_of(connection):
        for name, kind in TYPE_OBJECTS.items():
            if code is not None and code == getattr(sys.modules.get(module), name, None):
                return kind
    return ""


def arrow_type(kind: pa.DataType) -> str:
    """The name of an Arrow type.

    >>> import pyarrow as pa
    >>> [arrow_type(kind) for kind in (pa.int64(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()))]
    ['INT64', 'STRING', 'STRING']
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    # what ADBC has no Arrow type for comes as text, under the engine's own name of the type
    return str(getattr(kind, "type_name", kind)).upper().removeprefix("LARGE_")


def plain(table: pa.Table) -> pa.Table:
    """A table in which what ADBC has no Arrow type for, such as PostgreSQL's numeric, is a decimal or text."""
    import pyarrow as pa

    for index, field in enumerate(table.schema):
        if isinstance(field.type, pa.BaseExtensionType):
            values = table.column(index).cast(field.type.storage_type)
            if getattr(field.type, "type_name", "") == "numeric":
                values = pa.array(
                    None if text is None else decimal.Decimal(text) for text in values.to_pylist()
                )
            table = table.set_column(index, field.name, values)
    return table
