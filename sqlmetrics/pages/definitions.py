"""What a page says of its definitions: the options of the call, and the documentation of each metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlmetrics.book.catalog import written
from sqlmetrics.book.conventions import ties_of
from sqlmetrics.book.headers import UNITS, lines_of
from sqlmetrics.options import OPTIONS, Options
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.tables import text_of

#: options whose values are no definitions: where the data are, and how many draws a bootstrap takes
ELSEWHERE = ("connection", "dialect", "by", "total", "score_levels", "n_resamples", "truth_by")
#: policies, and the option without which they change no number
ABOUT = {"on_extra": "truth", "on_duplicate": "item"}
#: options that are tables; a page says that they were given
TABLES = ("truth", "catalog", "history", "distances")


@dataclass(frozen=True)
class Definition:
    """A metric as a page defines it."""

    name: str
    summary: str
    facts: list[tuple[str, str]]  #: direction, range, unit ... with their names
    options: list[tuple[str, str]]  #: the parameters in force
    source: str


def definition(one: Asked, convention: str | None) -> Definition:
    """The definition of a metric."""
    doc = one.metric.doc
    facts = [("better", str(one.better)), ("range", str(one.metric.range)), ("unit", UNITS[one.metric.unit])]
    facts += [("undefined", undefined)] if (undefined := lines_of(doc, "Undefined")) else []
    options = [(name, written(value)) for name, value in one.options(convention).items()]
    title = one.name if one.name == one.notation else f"{one.name} = {one.notation}"
    return Definition(title, f"{one.metric.summary}.", facts, options, lines_of(doc, "Source"))


def settings(options: Options, over_lists: bool) -> Iterator[tuple[str, str, str]]:
    """The options of the call that change a number: name, value and meaning."""
    for name, option in OPTIONS.items():
        value: Any = getattr(options, name)
        if name == "ties" and value is None and over_lists:
            value = ties_of(options.convention) if options.convention else "average"
        if name in ELSEWHERE or value is None:
            continue
        if name in ABOUT and getattr(options, ABOUT[name]) is None:
            continue
        yield name, "a second table" if name in TABLES else text_of(value), option.sentence
