"""What the files of all semantic layers say of a state: dimensions, measures and metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlmetrics.book import catalog
from sqlmetrics.book.plan import Plan
from sqlmetrics.book.templates import Macros, macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.opened import Opened

Kind = Literal["date", "time", "number", "boolean", "text"]
#: the names of spans of time, which MetricFlow keeps for itself
RESERVED = (
    *("nanosecond", "microsecond", "millisecond", "second", "minute", "hour", "day", "week", "month"),
    *("quarter", "year", "metric_time", "mf_internal_uuid"),
)


@dataclass(frozen=True)
class Dimension:
    """A column of the state by which a tool groups and selects."""

    name: str
    title: str  #: the name of the column
    sql: str
    kind: Kind


@dataclass(frozen=True)
class Measure:
    """An aggregate of the rows of the state."""

    name: str
    aggregate: Literal["sum", "min", "max", "count_distinct"]
    sql: str  #: over a row
    counts: bool  #: whether it is a number of rows or lists, which a reader may want to see


@dataclass(frozen=True)
class Metric:
    """A number that is made of measures."""

    name: str
    title: str  #: its column in `finish`
    description: str
    template: str  #: SQL with a hole for each measure

    @property
    def holes(self) -> list[str]:
        """The measures that it reads, each once."""
        return list(dict.fromkeys(re.findall(r"\{(\w+)\}", self.template)))


@dataclass(frozen=True)
class Layer:
    """A state as a semantic layer sees it."""

    name: str
    table: str
    period: Dimension
    slices: tuple[Dimension, ...]  #: the model among them
    measures: tuple[Measure, ...]
    metrics: tuple[Metric, ...]
    words: Macros  #: the macros of the dialect

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The period and the slices."""
        return (self.period, *self.slices)

    @property
    def description(self) -> str:
        """What the layer is."""
        return f"Metrics of the state {self.table}, made by sqlmetrics: sums by period and slice."

    @property
    def query(self) -> str:
        """The rows of the state that have measures, with a column for each dimension and measure."""
        columns = {one.name: one.sql for one in self.dimensions}
        columns |= {one.name: one.sql for one in self.measures}
        return str(self.words["rows_with_measures"](self.table, columns))

    def sums(self, prefix: str = "") -> dict[str, str]:
        """Each measure as an aggregate of its column of `query`."""
        aggregate = self.words["aggregate_of_measure"]
        return {one.name: str(aggregate(one.aggregate, f"{prefix}{one.name}")) for one in self.measures}

    def filled(self, metric: Metric, texts: Mapping[str, str]) -> str:
        """The SQL of a metric, with a text in place of each measure."""
        return str(self.words["with_holes"](metric.template, {name: texts[name] for name in metric.holes}))


def layer(given: Opened, plan: Plan, table: str) -> Layer:
    """The measures and metrics of a plan of `semantic_plan`.

    Raises:
        SqlMetricsError: a name that a file cannot hold, or two that become one.
    """
    words = macros(given.session.dialect)
    made = words["measured"](plan.raw)
    name = identifier(table.strip('"`').split(".")[-1], "state")
    columns = given.session.columns(given.relation)

    def dimension(title: str) -> Dimension:
        kind = _kind(columns.type_of(title), columns.kind(title))
        return Dimension(identifier(title, name), title, columns[title], kind)

    slices = [dimension(title) for title in made["slices"]]
    if isinstance(given.facts["score"], dict):
        slices.append(Dimension("model", "model", "model", "text"))
    result = Layer(
        name,
        table,
        dimension(made["period"]),
        tuple(slices),
        tuple(
            Measure(measure, of["aggregate"], of["sql"], of.get("counts", False))
            for measure, of in made["measures"].items()
        ),
        tuple(_metric(metric, name) for metric in made["metrics"]),
        words,
    )
    _check_names(result)
    return result


def identifier(text: str, prefix: str) -> str:
    """A name that every semantic layer takes: small letters, digits and single underscores.

    >>> identifier("Country of origin", "daily"), identifier("day", "daily")
    ('country_of_origin', 'daily_day')
    """
    name = re.sub("[^a-z0-9]+", "_", text.lower()).strip("_")
    free = len(name) > 1 and name[0].isalpha() and name not in RESERVED
    return name if free else f"{prefix}_{name}".strip("_")


def _metric(result: Mapping[str, Any], prefix: str) -> Metric:
    of = catalog.of_notation(result["notation"])
    said = "" if result["notation"] == result["name"] else f" ({result['notation']})"
    better = "" if of.better.direction == "none" else f" Better: {of.better}."
    return Metric(
        identifier(result["name"], prefix), result["name"], f"{of.summary}{said}.{better}", result["measured"]
    )


def _kind(of: str, kind: str) -> Kind:
    """The kind of a column, from its type in the engine and its kind in messages."""
    if of.startswith("DATE") and not of.startswith("DATETIME"):
        return "date"
    if of.startswith(("TIMESTAMP", "DATETIME")):
        return "time"
    return {"a number": "number", "a boolean": "boolean"}.get(kind, "text")  # type: ignore[return-value]


def _check_names(layer: Layer) -> None:
    """Checks that names differ, and that no text of the caller reads as a place for a value.

    Raises:
        SqlMetricsError: two names that become one; a brace, which dbt and Cube replace by something else.
    """
    named: dict[str, str] = {}
    entries: Iterable[Dimension | Metric] = (*layer.dimensions, *layer.metrics)
    for entry in entries:
        if other := named.get(entry.name):
            raise SqlMetricsError(
                f"'{other}' and '{entry.title}' would both be named {entry.name}; pass a mapping of other names to"
                " metrics, or rename the column"
            )
        named[entry.name] = entry.title
    for text in (layer.table, *named.values(), *(metric.description for metric in layer.metrics)):
        if "{" in text or "}" in text:
            raise SqlMetricsError(
                f"{text!r:.80} has a brace, which a semantic layer takes for a place to fill in; use a name without"
            )
