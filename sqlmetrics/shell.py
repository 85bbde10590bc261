"""The macros for people in a DuckDB shell: `macros_for_shell` writes them, `install` makes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlmetrics.catalog import Metric, catalog, curves
from sqlmetrics.templates import macros

DIALECT = "duckdb"


def shell_macros(schema: str | None = None, temporary: bool = False) -> str:
    return str(
        macros(DIALECT)["shell_library"](
            metrics=_entries(catalog().values()), curves=_entries(curves().values()), schema=schema, temporary=temporary
        )
    )


def _entries(metrics: Iterable[Metric]) -> list[dict[str, Any]]:
    return [
        {
            "macro": metric.macro,
            "name": metric.name,
            "notation": metric.notation,
            "summary": metric.summary,
            "parameters": metric.parameters,
            "grains": [grain for grain in metric.plan["grains"] if metric.plan[grain]],
            "flags": list(metric.plan["flags"]),
            "doc": metric.doc,
        }
        for metric in sorted(metrics, key=lambda metric: metric.notation)
    ]
