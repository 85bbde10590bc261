"""The conventions of other libraries, read out of `sql/conventions.sql`."""

from __future__ import annotations

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.templates import macros


def conventions() -> list[str]:
    """The names that `convention=` takes.

    >>> "trec_eval" in conventions()
    True
    """
    return list(macros("duckdb")["conventions"]())


def check(convention: object) -> str | None:
    """A convention's name, or None.

    Raises:
        SqlMetricsError: no convention of that name, with those that there are.
    """
    names = conventions()
    if convention is None or (isinstance(convention, str) and convention in names):
        return convention
    raise SqlMetricsError(
        f"Unknown convention {convention!r}.{did_you_mean(convention, names)} Known: {counted(names)}"
    )
