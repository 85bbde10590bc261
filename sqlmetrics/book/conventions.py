"""The conventions of other libraries, read from `sql/plan/conventions.sql`."""

from __future__ import annotations

import re
from typing import Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.notation import parsed
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean


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


def of_other_case(notation: str, convention: str | None) -> str | None:
    """A note on a name that is written as another library writes it, and is ours by case, if the two differ.

    >>> of_other_case("nDCG@5", None)
    'here nDCG@5 is ndcg@5; that of ir_measures is ndcg(gain=linear, on_empty=zero)@5'
    >>> of_other_case("ndcg@5", None), of_other_case("nDCG@5", "trec_eval")
    (None, None)
    """
    metric, (_, params) = of_notation(notation), parsed(notation)
    stated = {} if convention is None else options_of(convention, metric.macro) or {}
    ours = {**metric.parameters, **stated}
    written, cutoff = re.split(r"[(@]", notation)[0].strip(), f"@{params['k']}" if "k" in params else ""
    for alias in metric.namesakes:
        theirs = re.sub(r"\[?@k\]?$", "", alias.notation or metric.name)
        options = {o: value for o, value in parsed(theirs)[1].items() if o not in params}
        if re.split(r"\[?@", alias.name)[0] == written and any(ours[o] != options[o] for o in options):
            return f"here {notation} is {metric.name}{cutoff}; that of {alias.library} is {theirs}{cutoff}"
    return None
