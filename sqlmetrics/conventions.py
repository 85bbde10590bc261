"""The conventions of other libraries, read out of `sql/conventions.sql`."""

from __future__ import annotations

from typing import Any

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.templates import macros


def convention_names() -> list[str]:
    """The names that `convention=` takes.

    >>> "trec_eval" in convention_names()
    True
    """
    return list(macros("duckdb")["conventions"]())


def check_convention(convention: object, further: tuple[str, ...] = ()) -> str | None:
    """A convention's name, or None.

    Raises:
        SqlMetricsError: no convention of that name, with those that there are.
    """
    known = [*further, *convention_names()]
    if convention is None or (isinstance(convention, str) and convention in known):
        return convention
    raise SqlMetricsError(
        f"Unknown convention {convention!r}.{did_you_mean(convention, known)} Known: {counted(known)}"
    )


def ties_of(convention: str | None) -> str:
    """How tied scores rank under a convention."""
    return str(macros("duckdb")["convention"](convention)["ties"])


def options_of(convention: str, macro: str) -> dict[str, Any] | None:
    """What a convention says of a metric, by its macro; None where the library has no such metric.

    >>> options_of("trec_eval", "metric_map")["denominator"]
    'relevant'
    """
    of_metric = macros("duckdb")["conventional"](macros("duckdb")["convention"](convention), macro)
    return None if of_metric is None else dict(of_metric)
