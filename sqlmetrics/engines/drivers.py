"""Drivers: the dialect of a connection and the types of its columns."""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.templates import dialects
from sqlmetrics.engines import libraries
from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    import pyarrow as pa

# The dialect by the module of a DB-API driver.
DIALECTS = {
    "MySQLdb": "mysql",
    "databricks.sql": "databricks",
    "fakesnow": "snowflake",
    "google.cloud.bigquery": "bigquery",
    "mariadb": "mysql",
    "mysql.connector": "mysql",
    "pg8000": "postgres",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pyathena": "trino",
    "pymysql": "mysql",
    "redshift_connector": "redshift",
    "snowflake.connector": "snowflake",
    "sqlite3": "sqlite",
    "trino": "trino",
}
# The dialect by engine, if they have different names.
VENDORS = {"mariadb": "mysql"}
DBMS_NAME = 17  # SQL_DBMS_NAME, the code with which ODBC asks for the name of the engine

# The types of columns by the type codes of drivers: Python types (ODBC), or numbers of the engine.
PYTHON_TYPES = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    decimal.Decimal: "DECIMAL",
    str: "VARCHAR",
    datetime.date: "DATE",
    datetime.datetime: "TIMESTAMP",
}
POSTGRES = {
    "BOOLEAN": (16,),
    "BIGINT": (20, 21, 23, 26),
    "DOUBLE": (700, 701),
    "DECIMAL": (1700,),
    "VARCHAR": (18, 19, 25, 1042, 1043, 2950),
    "DATE": (1082,),
    "TIME": (1083, 1266),
    "TIMESTAMP": (1114,),
    "TIMESTAMPTZ": (1184,),
    "INTERVAL": (1186,),
    "BYTEA": (17,),
    "ARRAY": (1000, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1231),
}
CODES = {
    "postgres": POSTGRES,
    "redshift": POSTGRES,
    # MySQL stores booleans as integers, and its drivers give text columns the codes of BLOBs.
    "mysql": {
        "BIGINT": (1, 2, 3, 8, 9, 13),
        "DOUBLE": (4, 5),
        "DECIMAL": (0, 246),
        "VARCHAR": (15, 247, 249, 250, 251, 252, 253, 254),
        "DATE": (10,),
        "TIME": (7, 11, 12),
    },
    "snowflake": {
        "BOOLEAN": (13,),
        "NUMBER": (0,),
        "DOUBLE": (1,),
        "VARCHAR": (2,),
        "DATE": (3,),
        "TIME": (4, 6, 7, 8, 12),
        "STRUCT": (9,),
        "ARRAY": (10,),
        "BINARY": (11,),
    },
}
# ClickHouse wraps type names in these.
WRAPPED = re.compile(r"^((NULLABLE|LOWCARDINALITY)\()+")


def dialect_of(connection: Any) -> str:
    """The dialect of a connection, from its driver. Drivers of many engines report the engine's name.

    Raises:
        SqlMetricsError: an unknown dialect.
    """
    try:
        vendor = _vendor(connection)
    except Exception as error:  # each driver has its own error classes
        raise SqlMetricsError(
            f"A connection of {driver_of(connection)} does not say what it is connected to: {error}; pass dialect="
        ) from error
    word = vendor.lower().replace(" ", "")
    found = [dialect for dialect in dialects() if dialect in word]
    found += [dialect for name, dialect in VENDORS.items() if name in word]
    for module in libraries(connection):
        found += [dialect for name, dialect in DIALECTS.items() if f"{module}.".startswith(f"{name}.")]
    if not found:
        of = f"{driver_of(connection)} to {vendor}" if vendor else driver_of(connection)
        raise SqlMetricsError(
            f"The dialect of a connection of {of} is unknown; pass dialect=, one of {', '.join(dialects())}"
        )
    return found[0]


def _vendor(connection: Any) -> str:
    """The engine's name from a driver that serves many engines; empty for other drivers."""
    if hasattr(connection, "adbc_get_info"):
        return str(connection.adbc_get_info().get("vendor_name") or "")
    return str(connection.getinfo(DBMS_NAME)) if hasattr(connection, "getinfo") else ""


def driver_of(connection: Any) -> str:
    """The library of a connection."""
    return libraries(connection)[0].split(".")[0]


def in_transaction(connection: Any) -> bool | None:
    """Whether a transaction is open; None if the driver does not say."""
    status = getattr(getattr(connection, "info", None), "transaction_status", None)  # psycopg
    if status is not None:
        return int(status) != 0
    if hasattr(connection, "server_status"):  # PyMySQL
        return bool(connection.server_status & 1)
    found = getattr(connection, "in_transaction", None)  # sqlite3, mysql.connector
    return found if isinstance(found, bool) else None


def has_open_result(connection: Any) -> bool:
    """Whether the next statement would drop rows of the user's that are not fetched, as PyMySQL does."""
    return bool(getattr(getattr(connection, "_result", None), "unbuffered_active", False))


def type_name(code: Any, dialect: str) -> str:
    """The name of a column's type from the driver's type code; empty if the code is unknown.

    >>> [type_name(code, "postgres") for code in ("varchar(10)", float, 701, 0, None)]
    ['VARCHAR(10)', 'DOUBLE', 'DOUBLE', '', '']
    """
    if isinstance(code, str):
        return WRAPPED.sub("", code.upper())
    named = CODES.get(dialect, {}).items()
    return PYTHON_TYPES.get(code) or next((kind for kind, codes in named if code in codes), "")


def arrow_type(kind: pa.DataType) -> str:
    """The name of an Arrow type.

    >>> import pyarrow as pa
    >>> [arrow_type(kind) for kind in (pa.int64(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()))]
    ['INT64', 'STRING', 'STRING']
    """
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    # ADBC returns types without an Arrow type as text, under the engine's name of the type
    return str(getattr(kind, "type_name", kind)).upper().removeprefix("LARGE_")


def table_of(rows: Sequence[Sequence[Any]], names: list[str]) -> pa.Table:
    """A table of rows. A column is text if Arrow has no type for all of its values."""
    import pyarrow as pa

    def array(values: list[Any]) -> pa.Array:
        try:
            return pa.array(values)
        except (pa.ArrowException, OverflowError):
            return pa.array([None if value is None else str(value) for value in values])

    return pa.table([array([row[index] for row in rows]) for index in range(len(names))], names)


def plain(table: pa.Table) -> pa.Table:
    """A table in which types that Arrow lacks, such as PostgreSQL's numeric, become decimals or text."""
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
