"""What a page is made of: the parts that the template writes."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field

from markupsafe import Markup

from sqlmetrics.options import Options
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.definitions import Definition
from sqlmetrics.pages.figures import Figure
from sqlmetrics.pages.results import LEVEL
from sqlmetrics.pages.tables import Table
from sqlmetrics.pages.verdicts import Verdict


@dataclass(frozen=True)
class Subject:
    """What a page is about, besides the results."""

    title: str
    data: str  #: the data, as a reader knows them
    made: datetime.datetime  #: in UTC
    version: str  #: of sqlmetrics
    options: Options
    asked: list[Asked]
    baseline: str | None  #: the model with which the others are compared
    candidates: list[str]  #: the other models
    spelled: Callable[[str], str] = (
        str  #: a sentence as the caller writes options, who may be on the command line
    )

    @property
    def level(self) -> float:
        """The confidence level of what the page says."""
        return self.options.interval or LEVEL


@dataclass(frozen=True)
class Fact:
    """A fact about what was measured."""

    name: str
    text: str


@dataclass(frozen=True)
class Answer:
    """A question of every reader, answered in a line."""

    question: str
    text: str
    mark: str = ""  #: better or worse


@dataclass(frozen=True)
class Statement:
    """A statement that ran."""

    title: str
    hash: str
    sql: Markup


@dataclass
class Section:
    """A section. The template writes the parts that it has, in this order."""

    id: str
    title: str
    facts: list[Fact] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    reading: list[str] = field(default_factory=list)  #: how to read the section, folded
    notes: list[str] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    further: list[Figure] = field(default_factory=list)  #: charts that are folded
    folded: list[Table] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)


@dataclass(frozen=True)
class Content:
    """A page."""

    title: str
    answers: list[Answer]  #: the page in four lines
    sections: list[Section]
