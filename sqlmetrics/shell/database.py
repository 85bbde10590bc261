"""The macros for a DuckDB shell as a database file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import sqlmetrics
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.files import replaced
from sqlmetrics.shell.install import shell_macros


def write_database(path: str | os.PathLike[str], schema: str | None = None) -> None:
    """Writes a DuckDB database file that holds the macros.

    A shell attaches the file in place of reading the statements, which takes seconds. DuckDB 1.4 and later open it.

    Args:
        path: the file to write. A library of another version is replaced; no other file is.
        schema: the schema of the macros, by default `main`.

    Raises:
        SqlMetricsError: the file exists and is not such a library; it cannot be written.

    >>> import duckdb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_database(f"{folder}/sqlmetrics.duckdb")
    ...     connection = duckdb.connect()
    ...     _ = connection.execute(f"attach '{folder}/sqlmetrics.duckdb' as m (read_only)")
    ...     connection.sql("select m.auc(y, p) from (values (1, 0.9), (0, 0.4)) as rows (y, p)").fetchall()
    ...     connection.close()
    [(1.0,)]
    """
    import duckdb

    from sqlmetrics.engines.duckdb_connection import heard, interruptible

    sql = macros("duckdb")
    _refuse_other(Path(path))
    with replaced(path) as file, tempfile.TemporaryDirectory() as folder:
        statements = sql["shell_database"](shell_macros(schema), sqlmetrics.__version__)
        built = Path(folder, "sqlmetrics.duckdb")
        try:
            with duckdb.connect() as connection, heard(connection) as pressed, interruptible(pressed):
                connection.execute(sql["duckdb__sql_attach"](str(built), written=True))
                connection.execute(sql["duckdb__sql_progress_bar"](False))
                connection.execute(statements).fetchall()
        except duckdb.Error as error:
            raise SqlMetricsError(f"DuckDB cannot make the macros: {str(error).splitlines()[0]}") from error
        file.write(built.read_bytes())


def _refuse_other(path: Path) -> None:
    """Refuses to replace a file that is neither empty nor a library that holds nothing else."""
    import duckdb

    from sqlmetrics.engines.files import as_utf8

    try:
        if not path.is_file() or not path.stat().st_size:
            return
        sql = macros("duckdb")
        with duckdb.connect() as connection:
            connection.execute(sql["duckdb__sql_attach"](as_utf8(str(path)), written=False))
            [[library]] = connection.execute(sql["shell_is_library"]()).fetchall()
        # DuckDB would apply the changes to the new file
        log = path.with_name(f"{path.name}.wal")
        if library and not log.exists():
            return
        reason = f"'{log}' has further changes" if library else "it is or holds something else"
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
    except (OSError, ValueError) as error:
        reason = str(error)
    raise SqlMetricsError(
        f"'{path}' is not replaced, since it is not a library that `sqlmetrics macros` wrote"
        f" ({reason}); write to another file"
    )
