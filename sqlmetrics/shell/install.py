"""The macros for a DuckDB shell: `shell_macros` writes them, `install` creates them on a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.book.catalog import Metric, catalog, curves
from sqlmetrics.book.headers import part
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError, public

if TYPE_CHECKING:
    import duckdb


@public
def install(
    connection: duckdb.DuckDBPyConnection, schema: str | None = None, temporary: bool = False
) -> None:
    """Creates the metrics as macros of a DuckDB database.

    A query can then say `select country, auc(clicked, score) from p group by country`. The command
    `sqlmetrics macros` prints the same macros with their documentation.

    Args:
        connection: a DuckDB connection; macros of the same names are replaced. All macros are made, or none
            after an error; within an open transaction of yours that is up to your commit or rollback.
        schema: the schema of the macros, as in `metrics.auc(...)`, created if needed; by default the current
            schema of the connection.
        temporary: True creates macros that last as long as the connection. A read-only database needs this.

    Raises:
        SqlMetricsError: not a DuckDB connection; a schema with temporary macros, which have none; an error of
            DuckDB.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> install(connection)
    >>> rows = "(values (1, 0.9), (0, 0.4), (1, 0.4)) as rows (y, p)"
    >>> connection.sql(f"select auc(y, p), brier(y, p) from {rows}").fetchall()
    [(0.75, 0.17666666666666667)]
    """
    import duckdb

    from sqlmetrics.engines.duckdb_connection import (
        alone,
        heard,
        interruptible,
        refuse_open_result,
        transaction,
    )

    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise SqlMetricsError(f"install takes a DuckDB connection, got {type(connection).__name__}")
    statements = shell_macros(schema, temporary)
    refuse_open_result(connection)
    try:
        with alone(connection), transaction(connection), heard(connection) as pressed, interruptible(pressed):
            # fetched, since an open result would keep the connection busy
            connection.execute(statements).fetchall()
    except duckdb.Error as error:
        reason = str(error).split("\n")[0]
        hint = "; temporary=True makes them for this connection alone" if "read-only" in reason else ""
        raise SqlMetricsError(f"DuckDB cannot make the macros: {reason}{hint}") from error


def shell_macros(schema: str | None = None, temporary: bool = False) -> str:
    """The statements that create the macros, each below a comment that explains it.

    Args:
        schema, temporary: as for `install`.

    Raises:
        SqlMetricsError: a schema with temporary macros, which have none; a schema that is not a name.
    """
    if schema is not None and not (isinstance(schema, str) and schema.strip() and schema.isprintable()):
        raise SqlMetricsError(f"schema= takes the name of a schema, got {schema!r}")
    return str(
        macros("duckdb")["shell_library"](
            metrics=[_metric(metric) for metric in _sorted(catalog())],
            curves=[_entry(curve) for curve in _sorted(curves())],
            schema=schema,
            temporary=temporary,
        )
    )


def _sorted(entries: dict[str, Metric]) -> list[Metric]:
    return sorted(entries.values(), key=lambda entry: entry.notation)


def _entry(metric: Metric) -> dict[str, Any]:
    """A metric or curve as data for the macros, which cannot read documentation and parameters themselves."""
    return {
        "macro": metric.macro,
        "name": metric.name,
        "summary": metric.summary,
        "parameters": metric.parameters,
        "doc": metric.doc,
        "grains": [],
    }


def _metric(metric: Metric) -> dict[str, Any]:
    """A metric as data for the macros, with the grains of its plan."""
    plan = metric.plan
    grains = [grain for grain, needs in plan["needs"].items() if needs]
    further = [name for name in ("over_items", "cumulative_gains") if plan[name]]
    return _entry(metric) | {
        "grains": [*grains, *further],
        "range": part(metric.doc, "Range", metric.macro),
        "unit": metric.unit,
    }
