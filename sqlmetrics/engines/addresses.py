"""Connections by the address of a database, as the command line takes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import DataError, SqlMetricsError

if TYPE_CHECKING:
    import duckdb

FORM = "such as postgresql+psycopg://user@host/database, sqlite:///file.db or duckdb:///file.duckdb"
#: databases in files; their drivers would make a file that is not there
FILE = re.compile(r"(?:sqlite(?:\+\w+)?|duckdb):///(.*)", re.DOTALL)


@contextmanager
def connected(address: str, settings: Mapping[str, str]) -> Iterator[Any]:
    """A connection to a database, closed at the end. DuckDB opens its own files, SQLAlchemy all else.

    Args:
        address: the database, as SQLAlchemy writes it. Messages leave it out, since it may hold a password.
        settings: settings of DuckDB.

    Raises:
        SqlMetricsError: not an address, a library is missing, or settings for another engine.
        DataError: the database cannot be reached.
    """
    file = file_of(address)
    if settings and not address.startswith("duckdb:///"):
        raise SqlMetricsError(
            f"{_options(settings)} sets DuckDB, and --connection is to another engine; leave it out, or set that engine"
        )
    if file and not Path(file).is_file():
        raise DataError(f"No database is at '{file}'")
    opened = duckdb_with(settings, file) if address.startswith("duckdb:///") else _of_sqlalchemy(address)
    try:
        yield opened
    finally:
        opened.close()


def file_of(address: str) -> str:
    """The file of a database; empty for a server and for a database in memory.

    >>> file_of("duckdb:///data/a.duckdb"), file_of("postgresql://host/db")
    ('data/a.duckdb', '')
    """
    found = FILE.fullmatch(address)
    return found[1] if found else ""


def duckdb_with(settings: Mapping[str, str], file: str = "") -> duckdb.DuckDBPyConnection:
    """DuckDB with settings, on a file to read or else in memory.

    Raises:
        DataError: a file that DuckDB cannot open, or too little memory.
    """
    import duckdb

    from sqlmetrics.engines.duckdb import in_utc
    from sqlmetrics.engines.files import as_utf8

    try:
        opened = duckdb.connect(
            as_utf8(file),
            read_only=bool(file),
            config={name: as_utf8(value) for name, value in settings.items()},
        )
        return in_utc(opened)
    except duckdb.Error as error:
        what = f"open '{file}'" if file else f"start with {_options(settings)}"
        raise DataError(f"DuckDB cannot {what}: {str(error).splitlines()[0]}") from error


def _options(settings: Mapping[str, str]) -> str:
    """Settings as they are typed."""
    return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in settings.items())


def _of_sqlalchemy(address: str) -> Any:
    if "://" not in address:
        raise SqlMetricsError(f"--connection is no address of a database, {FORM}")
    try:
        import sqlalchemy
    except ImportError as error:
        raise SqlMetricsError(
            "--connection needs SQLAlchemy and the engine's driver: pip install 'sqlmetrics[connection]'"
        ) from error
    try:
        return sqlalchemy.create_engine(address).raw_connection()
    except ImportError as error:
        raise SqlMetricsError(f"The driver that --connection names is not installed: {error}") from error
    except sqlalchemy.exc.NoSuchModuleError as error:
        engine = address.partition(":")[0]
        raise SqlMetricsError(
            f"SQLAlchemy has no dialect for '{engine}'; install the package that has it, or write --connection {FORM}"
        ) from error
    except (sqlalchemy.exc.ArgumentError, ValueError) as error:
        raise SqlMetricsError(f"--connection is no address of a database, {FORM}") from error
    except Exception as error:  # each driver has its own error classes
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DataError(f"The database of --connection cannot be reached: {reason}") from error
