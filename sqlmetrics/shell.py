"""The macros for people in a DuckDB shell: `shell_macros` writes them, `install` makes them on a connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.catalog import Metric, catalog, curves
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.templates import macros

if TYPE_CHECKING:
    import duckdb


def install(
    connection: duckdb.DuckDBPyConnection, schema: str | None = None, temporary: bool = False
) -> None:
    """Makes the metrics macros of a DuckDB database: `select country, auc(clicked, score) from p group by country`.

    `sqlmetrics macros` writes the same macros to a file, with what each of them is.

    Args:
        connection: a DuckDB connection; macros of the same names are replaced.
        schema: where the macros are made, `metrics.auc(...)`; the schema is made too. By default where the
            connection is.
        temporary: whether they last no longer than the connection, as they must over a database that is read only.

    Raises:
        SqlMetricsError: no DuckDB connection; a schema for temporary macros, which have none; what DuckDB refuses.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> install(connection)
    >>> rows = "(values (1, 0.9), (0, 0.4), (1, 0.4)) as rows (y, p)"
    >>> connection.sql(f"select auc(y, p), brier(y, p) from {rows}").fetchall()
    [(0.75, 0.17666666666666667)]
    """
    import duckdb

    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise SqlMetricsError(f"install takes a DuckDB connection, got {type(connection).__name__}")
    try:
        # fetched, since a result that is not would keep the connection busy
        connection.execute(shell_macros(schema, temporary)).fetchall()
    except duckdb.Error as error:
        reason = str(error).split("\n")[0]
        hint = "; temporary=True makes them for this connection alone" if "read-only" in reason else ""
        raise SqlMetricsError(f"DuckDB cannot make the macros: {reason}{hint}") from error


def shell_macros(schema: str | None = None, temporary: bool = False) -> str:
    """The statements that make the macros, each below a comment that says what it is.

    Args:
        schema, temporary: as for `install`.

    Raises:
        SqlMetricsError: a schema for temporary macros, which have none; a schema that is no name.
    """
    if schema is not None and not (isinstance(schema, str) and schema.strip()):
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
    """What a macro file cannot know of a metric or curve: its documentation and parameters."""
    return {
        "macro": metric.macro,
        "name": metric.name,
        "summary": metric.summary,
        "parameters": metric.parameters,
        "doc": metric.doc,
        "grains": [],
    }


def _metric(metric: Metric) -> dict[str, Any]:
    """The same, and the grains that its plan has."""
    plan = metric.plan
    grains = [grain for grain, needs in plan["needs"].items() if needs]
    further = [name for name in ("over_items", "cumulative_gains") if plan[name]]
    return _entry(metric) | {"grains": [*grains, *further]}
