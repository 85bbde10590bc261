"""The conventions of other libraries, read from `sql/plan/conventions.sql`."""

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
    """Returns a convention's name, or None, if it is known. `further` names are known too.

    Raises:
        SqlMetricsError: an unknown convention; the message lists the known ones.
    """
    known = [*further, *convention_names()]
    if convention is None or (isinstance(convention, str) and convention in known):
        return convention
    raise SqlMetricsError(
        f"Unknown convention {convention!r}.{did_you_mean(convention, known)} Known: {counted(known)}"
    )


def ties_of(convention: str | None) -> str:
    """The rank of tied scores under a convention."""
    return str(macros("duckdb")["convention"](convention)["ties"])


def options_of(convention: str, macro: str) -> dict[str, Any] | None:
    """The options of a metric (by its macro) under a convention; None if the library lacks the metric.

    >>> options_of("trec_eval", "metric_map")["denominator"]
    'relevant'
    """
    of_metric = macros("duckdb")["conventional"](macros("duckdb")["convention"](convention), macro)
    return None if of_metric is None else dict(of_metric)
