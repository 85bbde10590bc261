"""What metrics there are, read out of `sql/metrics/`: names, parameters and documentation stand there alone."""

from __future__ import annotations

import contextlib
import functools
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmetrics.cache import kept
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.frame import Frame
from sqlmetrics.headers import Better, Range, Unit, parse_better, parse_range, parse_unit, part
from sqlmetrics.signatures import parameters, signature
from sqlmetrics.templates import macro_files, macros, sql_files

COMMA = re.compile(r",(?![^()]*\))")  # between metrics; not one between brackets

# What a metric is computed over, in the order in which they are shown: what its plan then has, which others lack.
GRAINS = {
    "rows": (),
    "score levels": ("levels", "peaks"),
    "bins of scores": ("bins",),
    "classes": ("classes", "cells", "examples", "class_areas"),
    "lists": ("list_sums",),
    "items": ("over_items",),
}
# Facts for the plan of an example: what most metrics take, and what some ask for besides.
FACTS = {"label": "y", "score": "s", "group": "g", "item": "i", "max_grade": 1, "positive": 1}
FURTHER_FACTS: tuple[dict[str, str], ...] = (
    {},
    {"prediction": "p", "catalog": "c", "history": "h", "category": "t"},
    {"truth": "j", "subtopic": "a"},
)


@dataclass(frozen=True)
class Metric:
    """One metric of the book, or one curve."""

    name: str  #: as in the notation
    macro: str  #: the macro that writes it
    parameters: Mapping[str, Any]  #: defaults by name; `...` where a value is required
    own: tuple[str, ...]  #: those of the parameters that are not shared with all metrics of its kind
    doc: str  #: the comment above the macro

    @property
    def summary(self) -> str:
        """The first sentence of the documentation."""
        paragraph = " ".join(line.strip() for line in self.doc.split("\n\n")[0].splitlines())
        return paragraph.split(". ")[0].rstrip(".")

    @property
    def title(self) -> str:
        """What it is called in full, as a notation would write it: `mean_squared_error`."""
        return re.split("[:,;]", self.summary)[0].lower().replace(" ", "_")

    @property
    def needs_cutoff(self) -> bool:
        """Whether the metric exists only with a cutoff, as `recall@10` does beside `recall`."""
        return self.parameters.get("k", None) is ...

    @property
    def notation(self) -> str:
        """How the metric is written, with the cutoff that it takes."""
        return (
            f"{self.name}@k"
            if self.needs_cutoff
            else f"{self.name}[@k]"
            if "k" in self.parameters
            else self.name
        )

    @property
    def example(self) -> str:
        """A notation that runs."""
        return next(
            line.split(":", 1)[1].strip() for line in self.doc.splitlines() if line.startswith("Example:")
        )

    @property
    def better(self) -> Better:
        """The direction in which it improves; curves have none of these three."""
        return parse_better(part(self.doc, "Better", self.macro))

    @property
    def range(self) -> Range:
        """The interval of its values."""
        return parse_range(part(self.doc, "Range", self.macro))

    @property
    def unit(self) -> Unit:
        """The unit of its values."""
        return parse_unit(part(self.doc, "Unit", self.macro))

    @property
    def options(self) -> dict[str, Any]:
        """Its own parameters and their defaults, without the cutoff; those that metrics share are `shared`."""
        return {name: self.parameters[name] for name in self.own if name != "k"}

    @property
    def shared(self) -> dict[str, Any]:
        """The parameters and defaults that it has in common with all metrics of its kind."""
        return {name: default for name, default in self.parameters.items() if name not in self.own}

    @functools.cached_property
    def plan(self) -> dict[str, Any]:
        """The plan of its example."""
        return _plan(self.example)

    @property
    def interval(self) -> str | None:
        """The interval that it has by default, of rows drawn one by one: mean (Student's t), share, bootstrap ..."""
        plain = f"{self.name}@10" if self.needs_cutoff else self.name
        for notation, facts in ((plain, {"group": None}), (plain, {}), (self.example, {})):
            with contextlib.suppress(SqlMetricsError):
                results = _plan(notation, interval=0.95, **facts)["results"]
                kind: str = next(result["kind"] for result in results if "end_of" in result)
                return kind
        return None

    @property
    def grain(self) -> str:
        """What it is computed over, as its example needs it: rows, score levels, lists ..."""
        return _grains()[self.macro]


@functools.cache
def _grains() -> dict[str, str]:
    """The grain of each metric, by macro; kept, since it takes a plan of each example."""
    return kept(
        "grains", lambda: {m: _grain(metric.plan) for m, metric in catalog().items()}, *sql_files().values()
    )


def _grain(plan: dict[str, Any]) -> str:
    """The grain of a plan."""
    return next(
        (
            grain
            for grain, keys in reversed(GRAINS.items())
            if any(plan["needs"].get(key) or plan.get(key) for key in keys)
        ),
        "rows",
    )


def _plan(notation: str, **facts: Any) -> dict[str, Any]:
    """The plan of a notation with what it asks for."""
    make = macros("duckdb")["plan"]
    for further in FURTHER_FACTS:
        with contextlib.suppress(SqlMetricsError):
            return dict(make([notation], **{**FACTS, **further, **facts}))
    return dict(make([notation], **{**FACTS, **facts}))  # which says what is missing


def written(value: Any) -> str:
    """A default as a notation has it; three dots where there is none.

    >>> written(None), written(0.5), written(...)
    ('none', '0.5', '...')
    """
    return {None: "none", ...: "..."}.get(value, str(value))


@functools.cache
def catalog() -> dict[str, Metric]:
    """All metrics by macro."""
    return _entries("metrics/", "metric_")


@functools.cache
def curves() -> dict[str, Metric]:
    """All curves by name."""
    return {curve.name: curve for curve in _entries("curves/", "curve_of_").values()}


def _entries(folder: str, prefix: str) -> dict[str, Metric]:
    found = {}
    for macro, path in macro_files().items():
        if path.startswith(folder) and macro.startswith(prefix):
            taken = {k: v for k, v in parameters(macro).items() if k != "plan"}
            name = macro.removeprefix(prefix).removesuffix("_at" if taken.get("k") is ... else "")
            own, doc, _ = signature(macro)
            found[macro] = Metric(name, macro, taken, tuple(k for k in own if k != "plan"), doc)
    return found


def check(notation: object) -> None:
    """Refuses a notation whose metric or parameter is not known, with what is.

    Raises:
        SqlMetricsError: see there.
    """
    if not isinstance(notation, str):
        raise SqlMetricsError(f"A metric is text such as 'auc' or 'ndcg@10', got {notation!r}")
    several = [part.strip() for part in COMMA.split(notation)]
    if len(several) > 1:
        raise SqlMetricsError(f"'{notation}' is several metrics; write them as a list, {several}")
    parsed = macros("duckdb")["parse_notation"](notation)
    _check_parameters(find(parsed["name"], "k" in parsed["params"]), parsed)


def check_curve(notation: object) -> None:
    """Refuses the notation of a curve whose kind or parameter is not known, with what is.

    Raises:
        SqlMetricsError: see there.
    """
    if not isinstance(notation, str):
        raise SqlMetricsError(f"A curve is text such as 'roc' or 'calibration(bins=20)', got {notation!r}")
    parsed = macros("duckdb")["parse_notation"](notation)
    name = parsed["name"]
    if name not in curves():
        raise SqlMetricsError(
            f"Unknown curve '{name}'.{did_you_mean(name, curves())} Known: {counted(curves())}"
        )
    _check_parameters(curves()[name], parsed)


def _check_parameters(metric: Metric, parsed: dict[str, Any]) -> None:
    for parameter in parsed["params"]:
        if parameter == "k" and "k" not in metric.parameters:
            raise SqlMetricsError(
                f"sqlmetrics.{metric.name}: takes no cutoff; write '{metric.name}' without @"
            )
        if parameter not in metric.parameters:
            raise SqlMetricsError(
                f"Unknown parameter '{parameter}' of {metric.name}.{did_you_mean(parameter, metric.parameters)}"
                f" Parameters: {counted(metric.parameters) or 'none'}"
            )


def find(name: str, with_cutoff: bool = False) -> Metric:
    """The metric of a name; with a cutoff, the list metric where both exist.

    Raises:
        SqlMetricsError: no metric of that name.
    """
    same = [metric for metric in catalog().values() if metric.name == name]
    if not same:
        names = sorted({metric.name for metric in catalog().values()})
        titled = [metric.name for metric in catalog().values() if metric.title == name]
        meant = f" Did you mean '{titled[0]}'?" if titled else did_you_mean(name, names)
        raise SqlMetricsError(
            f"Unknown metric '{name}'.{meant} Known: {counted(names, 20)};"
            " sm.metrics() and 'sqlmetrics list' show them"
        )
    fitting = [metric for metric in same if metric.needs_cutoff == with_cutoff]
    chosen = (fitting or same)[0]
    if chosen.needs_cutoff and not with_cutoff:
        raise SqlMetricsError(f"sqlmetrics.{name}: needs a cutoff; write '{name}@10'")
    return chosen


class Catalog(Frame):
    """The metrics, a row each; shown with the names of their parameters and the start of what they are."""

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        header, rows = super()._cells()
        return header, [
            [metric, grain, re.sub(r"=[^,]*", "", parameters), shortened(description, 60)]
            for metric, grain, parameters, description in rows
        ]


def shortened(text: str, width: int) -> str:
    """A text cut between two words, where it is longer than a width.

    >>> shortened("the share of rows", 12)
    'the share …'
    """
    return textwrap.shorten(text, width, placeholder=" …")


def by_grain() -> dict[str, list[Metric]]:
    """The metrics, sorted, under what they are computed over."""
    known = sorted(catalog().values(), key=lambda metric: metric.notation)
    found = {grain: [metric for metric in known if metric.grain == grain] for grain in GRAINS}
    return {grain: metrics for grain, metrics in found.items() if metrics}


def metrics() -> Catalog:
    """The catalog: one row a metric with its notation, grain, parameters and what it is.

    >>> metrics().to_dicts()[0]["metric"]
    'accuracy'
    """
    rows = [
        {
            "metric": metric.notation,
            "grain": metric.grain,
            "parameters": ", ".join(f"{name}={written(value)}" for name, value in metric.options.items()),
            "description": metric.summary,
        }
        for metric in sorted(catalog().values(), key=lambda metric: metric.notation)
    ]
    return Catalog(Frame.from_dicts(rows).to_arrow())
