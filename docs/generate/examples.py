"""The example of each metric: data of `docs/assets/`, a call that takes them, and its result."""

from __future__ import annotations

import contextlib
import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import sqlmetrics as sm
from sqlmetrics.book.catalog import Metric, catalog, curves
from sqlmetrics.book.conventions import convention_names, options_of
from sqlmetrics.book.templates import macros
from sqlmetrics.shell.install import shell_macros

ASSETS = Path(__file__).parents[1] / "assets"
DATA = "predictions.csv"
LISTS = {"score": "score", "group": "user_id", "item": "item"}
#: Facts that an example may need, from the least to the most. A metric takes the first of them that it can.
FACTS: tuple[dict[str, str | int], ...] = (
    {"data": "answers.csv", "label": "solved", "group": "problem"},
    {"label": "rating", "score": "score"},
    {"label": "clicked", "score": "score"},
    {"label": "grade", "score": "score", "group": "user_id"},
    {"label": "clicked", "score": "score", "group": "user_id"},
    {"label": "grade", "score": "score", "group": "user_id", "max_grade": 4},
    LISTS,
    LISTS | {"catalog": "catalog.csv"},
    LISTS | {"catalog": "catalog.csv", "category": "category"},
    LISTS | {"history": "history.csv"},
    LISTS | {"catalog": "catalog.csv", "history": "history.csv"},
    LISTS | {"label": "grade", "truth": "relevant.csv"},
    LISTS | {"label": "grade", "truth": "relevant.csv", "catalog": "catalog.csv", "history": "history.csv"},
    LISTS | {"label": "grade", "truth": "relevant.csv", "subtopic": "subtopic"},
    {"data": "demand.csv", "label": "sold", "score": "forecast"},
    {"data": "campaign.csv", "label": "bought", "score": "score"},
    {"data": "actions.csv", "label": "reward", "score": "policy"},
    {"data": "answers.csv", "label": "solved", "score": "rating"},
    {"data": "runs.csv", "label": "correct"},
    {"data": "clicks.csv", "label": "clicked", "score": "score", "group": "query"},
    {"data": "photos.csv", "label": "is_it", "score": "probability", "group": "photo", "item": "animal"},
)
#: The example in the comment above a shell macro, and the macro's name.
SHELL_EXAMPLE = re.compile(r"^-- Example: (.*)\ncreate or replace macro (\w+)\(", re.MULTILINE)
#: A curve and a metric of rows have no lists.
OVER_LISTS = ("lists", "items", "classes")


@dataclass(frozen=True)
class Example:
    """A call of `evaluate` or `curve`."""

    call: str  #: evaluate or curve
    notation: str
    data: str
    facts: dict[str, str | int]

    @property
    def asked(self) -> str | list[str]:
        """The second argument of `evaluate`, the first of `curve`."""
        return [self.notation] if self.call == "evaluate" else self.notation

    @property
    def python(self) -> str:
        """The call in Python."""
        asked, data = json.dumps(self.asked), json.dumps(self.data)
        first, second = (data, asked) if self.call == "evaluate" else (asked, data)
        given = ", ".join(f"{name}={json.dumps(value)}" for name, value in self.facts.items())
        line = f"print(sm.{self.call}({first}, {second}, {given}))"
        if len(line) > 80:
            line = f"report = sm.{self.call}(\n    {first}, {second},\n    {given}\n)\nprint(report)"
        return f"import sqlmetrics as sm\n\n{line}"

    @property
    def command(self) -> str:
        """The call on the command line."""
        asked = f'-m "{self.notation}"' if self.call == "evaluate" else ""
        first = f'"{self.notation}" {self.data}' if self.call == "curve" else self.data
        given = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in self.facts.items())
        return f"sqlmetrics {self.call} {first} {asked} {given}".replace("  ", " ")

    @property
    def dbt(self) -> str:
        """The call in a dbt model; data of the example are models."""

        def written(value: str | int) -> str:
            return f"ref('{value.removesuffix('.csv')}')" if str(value).endswith(".csv") else repr(value)

        given = ", ".join(f"{name}={written(value)}" for name, value in self.facts.items())
        return f"{{{{ sqlmetrics.{self.call}({written(self.data)}, {self.asked!r}, {given}) }}}}"

    @functools.cached_property
    def result(self) -> sm.Report | sm.Curve:
        """What the call returns."""
        if self.call == "curve":
            return sm.curve(ASSETS / self.data, self.notation, **self.given)
        return sm.evaluate(ASSETS / self.data, [self.notation], **self.given)

    def statement(self, dialect: str) -> str:
        """The SQL of the call."""
        facts = {name: str(value).removesuffix(".csv") for name, value in self.facts.items()}
        facts = {name: int(value) if value.isdigit() else value for name, value in facts.items()}
        render = sm.render if self.call == "evaluate" else sm.render_curve
        return render(self.data.removesuffix(".csv"), self.asked, dialect=dialect, **facts)

    @property
    def given(self) -> dict[str, str | int | Path]:
        """The facts, with the places of files."""
        return {
            name: ASSETS / value if str(value).endswith(".csv") else value
            for name, value in self.facts.items()
        }


def entries() -> dict[str, Metric]:
    """The metrics and the curves by macro."""
    return catalog() | {curve.macro: curve for curve in curves().values()}


@functools.cache
def example(macro: str) -> Example:
    """The example of a metric or a curve: its notation over the first facts that it can take.

    Raises:
        LookupError: no facts serve it.
    """
    metric = entries()[macro]
    is_curve = macro not in catalog()
    grain = None if is_curve else metric.grain
    for facts in FACTS:
        # subsets of rows may be those of a class of several labels, whose examples are in a file of their own
        if (grain in OVER_LISTS) != ("group" in facts) and not (
            grain == "subsets of rows" and "data" in facts
        ):
            continue
        given = dict(facts)
        data = str(given.pop("data", DATA))
        tried = Example("curve" if is_curve else "evaluate", metric.example, data, given)
        with contextlib.suppress(sm.SqlMetricsError):
            result = tried.result
            if is_curve or result.long().to_dicts()[0]["value"] is not None:
                return tried
    raise LookupError(f"{macro}: add facts to FACTS of docs/generate/examples.py that serve its example")


@functools.cache
def values_by_convention() -> dict[str, dict[str, float | None]]:
    """The values of the plain notation of each metric over the data of its example, by macro and convention.

    Lists are cut at 3. The metrics of one convention over the same facts are asked in one call.
    """
    asked: dict[tuple[str, str], tuple[Example, dict[str, str]]] = {}
    for macro, metric in catalog().items():
        known = [name for name in convention_names() if options_of(name, macro) is not None]
        shown = example(macro)
        facts = shown.facts | ({"item": "item"} if metric.grain == "lists" and shown.data == DATA else {})
        for convention in ["default", *known] if known else []:
            plain = Example("evaluate", "", shown.data, facts)
            asked.setdefault((str(facts), convention), (plain, {}))[1][macro] = plain_notation(macro)
    values: dict[str, dict[str, float | None]] = {}
    for (_, convention), (plain, notations) in asked.items():
        given = plain.given | ({} if convention == "default" else {"convention": convention})
        for macro, value in _flat(plain, notations, given).items():
            values.setdefault(macro, {})[convention] = value
    return values


def _flat(plain: Example, notations: dict[str, str], given: dict[str, str | int | Path]) -> dict[str, float]:
    """The values of notations by name; one by one, without those that are refused, if the call is refused."""
    try:
        return sm.evaluate(ASSETS / plain.data, notations, **given).flat()
    except sm.SqlMetricsError:
        if len(notations) == 1:
            return {}
        each = [_flat(plain, {name: notation}, given) for name, notation in notations.items()]
        return {name: value for values in each for name, value in values.items()}


@functools.cache
def plain_notation(macro: str) -> str:
    """The notation of a metric without options, cut at 3; that of its example if an option is required."""
    metric = catalog()[macro]
    notation = metric.name + ("@3" if "k" in metric.parameters else "")
    with contextlib.suppress(sm.SqlMetricsError):
        Example("evaluate", notation, DATA, example(macro).facts).statement("duckdb")
        return notation
    return metric.example


@functools.cache
def shell_examples() -> dict[str, list[str]]:
    """The examples above the shell macros, by the name of the macro.

    They read a table `predictions`, which is predictions.csv.
    """
    found: dict[str, list[str]] = {}
    for call, name in SHELL_EXAMPLE.findall(shell_macros()):
        found.setdefault(name, []).append(call)
    return found


def shell_examples_of(metric: Metric) -> list[str]:
    """The examples of the shell macros of a metric or a curve: its aggregate, its table."""
    if metric.macro not in catalog():
        return shell_examples()[f"{metric.name}_curve"]
    aggregate = macros("duckdb")["shell_aggregate_name"]({"macro": metric.macro, "name": metric.name})
    names = dict.fromkeys([aggregate, metric.macro.removeprefix("metric_")])
    return [call for name in names for call in shell_examples().get(name, [])]
