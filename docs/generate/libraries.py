"""What other libraries call a metric, from the tables of `docs/coming-from/`."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sqlmetrics.book.catalog import Metric, find

PAGES = Path(__file__).parents[1] / "coming-from"
#: The head of such a table: the library, with its convention in brackets if it has one.
HEAD = re.compile(
    r"^\| (?P<library>[^|(]+?)(?: \(`(?P<convention>\w+)`\))? \| here \| what differs by default \|$"
)
CODE = re.compile(r"`([^`]+)`")


class Name(NamedTuple):
    """A row of a table."""

    library: str  #: the convention if there is one, else the name of the library
    theirs: str  #: a call or a name of theirs
    ours: str  #: a notation of ours
    differs: str  #: what differs by default, if anything does
    page: str  #: the file of the table in docs/coming-from/


@functools.cache
def names() -> tuple[Name, ...]:
    """The rows of all tables of names."""
    return tuple(
        row
        for page in sorted(PAGES.glob("*.md"))
        for row in _rows(page.name, page.read_text(encoding="utf-8"))
    )


def _rows(page: str, text: str) -> Iterator[Name]:
    library = None
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            library = head["convention"] or head["library"]
        elif not line.startswith("|"):
            library = None
        elif library and not line.startswith("|---"):
            theirs, ours, differs = (column.strip() for column in line[1:-1].split(" | "))
            if CODE.match(ours):
                yield Name(library, CODE.findall(theirs)[0], CODE.findall(ours)[0], differs, page)


def names_of(metric: Metric) -> list[Name]:
    """What other libraries call a metric."""
    found = []
    for row in names():
        name, at, _ = re.sub(r"\(.*\)", "", row.ours).partition("@")
        if name == metric.name and find(name, bool(at)).macro == metric.macro:
            found.append(row)
    return found
