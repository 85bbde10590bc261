"""The catalog of metrics. Names, parameters and documentation are read from `sql/metrics/`."""

from __future__ import annotations

import contextlib
import functools
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sqlmetrics.book.cache import kept
from sqlmetrics.book.headers import (
    Alias,
    Better,
    Range,
    Unit,
    lines_of,
    parse_aliases,
    parse_better,
    parse_formula,
    parse_range,
    parse_unit,
    part,
)
from sqlmetrics.book.notation import parsed
from sqlmetrics.book.signatures import parameters, signature
from sqlmetrics.book.templates import macro_files, macros, sql_files
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.table.frame import Frame

COMMA = re.compile(r",(?![^()]*\))")  # a comma between metrics, not one inside brackets
# a quoted value of a notation, which may hold any character; sql/plan/notation.sql reads it in the same way
QUOTED = re.compile(r"""(?<==)\s*(['"]).*?\1(?=\s*[,)])""", re.DOTALL)

NUMBER = re.compile(r"\d+(?:\.\d+)?")
WITH_NUMBER = re.compile(rf"(\w+)\.{NUMBER.pattern}")

# The grains of metrics in the order of display.
GRAINS = ("rows", "score levels", "bins of scores", "subsets of rows", "classes", "lists", "items")
# Facts for the plan of an example: those that most metrics take, then further ones that some metrics need.
FACTS = {"label": "y", "score": "s", "group": "g", "item": "i", "max_grade": 1, "positive": 1}
FURTHER_FACTS: tuple[dict[str, str], ...] = (
    {},
    {"prediction": "p", "catalog": "c", "history": "h", "category": "t"},
    {"truth": "j", "subtopic": "a"},
)


@dataclass(frozen=True)
class Metric:
    """One metric or one curve."""

    name: str  #: the name in notations
    macro: str  #: the macro that writes it
    parameters: Mapping[str, Any]  #: defaults by name; `...` if a value is required
    own: tuple[str, ...]  #: the parameters that it does not share with all metrics of its kind
    doc: str  #: the comment above the macro, without its formula
    chosen: str | None = None  #: the better direction, if a notation has it as `better=`

    @property
    def summary(self) -> str:
        """The first sentence of the documentation."""
        paragraph = " ".join(line.strip() for line in self.doc.split("\n\n")[0].splitlines())
        return paragraph.split(". ")[0].rstrip(".")

    @property
    def title(self) -> str:
        """The full name, written as in a notation: `mean_squared_error`."""
        return re.split("[:,;]", self.summary)[0].lower().replace(" ", "_")

    @property
    def needs_cutoff(self) -> bool:
        """Whether the metric exists only with a cutoff, as `recall@10` does beside `recall`."""
        return self.parameters.get("k", None) is ...

    @property
    def notation(self) -> str:
        """The notation of the metric, with `@k` if it takes a cutoff."""
        if self.needs_cutoff:
            return f"{self.name}@k"
        return f"{self.name}[@k]" if "k" in self.parameters else self.name

    @property
    def example(self) -> str:
        """A notation that runs."""
        return part(self.doc, "Example", self.macro)

    @property
    def better(self) -> Better:
        """The direction in which it improves. Curves have no direction, range or unit."""
        return parse_better(self.chosen or part(self.doc, "Better", self.macro))

    @property
    def range(self) -> Range:
        """The interval of its values."""
        return parse_range(part(self.doc, "Range", self.macro))

    @property
    def chance(self) -> float | None:
        """The value of a random score, for metrics whose header has it: one far below may be a reversed score."""
        found = lines_of(self.doc, "Chance")
        return float(found) if found else None

    @property
    def unit(self) -> Unit:
        """The unit of its values."""
        return parse_unit(part(self.doc, "Unit", self.macro))

    @property
    def task(self) -> str:
        """What it is for: regression, search and ranking ... Curves have none."""
        return part(self.doc, "Task", self.macro)

    @property
    def formula(self) -> list[str]:
        """Its equations in LaTeX. Curves have none."""
        return parse_formula(signature(self.macro).formula)

    @property
    def aliases(self) -> list[Alias]:
        """Its names in other libraries, which a notation may have."""
        own = self.namesakes
        return [alias for alias in parse_aliases(self.doc, self.macro) if alias not in own]

    @property
    def namesakes(self) -> list[Alias]:
        """Names in other libraries that differ from its own by case alone: in a notation they are its own."""
        return [a for a in parse_aliases(self.doc, self.macro) if a.keys[0].partition("@")[0] == self.name]

    @property
    def options(self) -> dict[str, Any]:
        """Its own parameters and their defaults, without the cutoff and the `shared` parameters."""
        return {name: self.parameters[name] for name in self.own if name != "k"}

    @property
    def shared(self) -> dict[str, Any]:
        """The parameters and defaults that it shares with all metrics of its kind."""
        return {name: default for name, default in self.parameters.items() if name not in self.own}

    @functools.cached_property
    def plan(self) -> dict[str, Any]:
        """The plan of the metric's example."""
        return _plan(self.example)

    @property
    def interval(self) -> str | None:
        """The kind of its default interval, over rows without groups: mean (Wilson's or Student's t), share ..."""
        plain = f"{self.name}@10" if self.needs_cutoff else self.name
        for notation, facts in ((plain, {"group": None}), (plain, {}), (self.example, {})):
            with contextlib.suppress(SqlMetricsError):
                results = _plan(notation, interval=0.95, **facts)["result"]["columns"]
                kind: str = next(result["kind"] for result in results if "end_of" in result)
                return kind
        return None

    @property
    def grain(self) -> str:
        """What it is computed over: rows, score levels, lists ..."""
        return _grains().get(self.macro, "rows")


@functools.cache
def _grains() -> dict[str, str]:
    """The grain of each metric that is not over rows, by macro; cached on disk, since Jinja2 takes long to import."""
    name = "grains_of_metrics"
    return kept("grains", lambda: dict(macros("duckdb")[name]()), sql_files()[macro_files()[name]])


def _plan(notation: str, **facts: Any) -> dict[str, Any]:
    """The plan of a notation, with the first set of facts that is enough for it."""
    make = macros("duckdb")["plan"]
    for further in FURTHER_FACTS:
        with contextlib.suppress(SqlMetricsError):
            return dict(make([notation], **{**FACTS, **further, **facts}))
    return dict(make([notation], **{**FACTS, **facts}))  # raises the error that names the missing fact


def needed(make: str, **asked: Any) -> list[str] | None:
    """The facts without which a macro makes no plan of what is asked; a predicted class is tried before a score.

    >>> needed("plan", metrics=["ndcg@10"]), needed("plan", metrics=["accuracy"]), needed("curve_plan", kind="rok")
    (['label', 'score', 'group'], ['label', 'prediction'], None)
    """

    def plans(facts: Mapping[str, Any]) -> bool:
        with contextlib.suppress(SqlMetricsError):
            return bool(macros("duckdb")[make](**asked, **facts))
        return False

    tried: list[dict[str, Any]] = [
        {"label": "y", "prediction": "p"},
        *(FACTS | further for further in FURTHER_FACTS),
    ]
    facts = next(filter(plans, tried), None)
    if facts is None:
        return None
    for fact in reversed([*facts]):
        rest = {name: value for name, value in facts.items() if name != fact}
        facts = rest if plans(rest) else facts
    return [*facts]


def written(value: Any) -> str:
    """A default as written in a notation; three dots without a default.

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


def curve_names() -> list[str]:
    """The names of all curves, without their documentation, which takes long to read once."""
    return [macro.removeprefix("curve_of_") for macro in _macros_below("curves/", "curve_of_")]


def _entries(folder: str, prefix: str) -> dict[str, Metric]:
    return {macro: _entry(macro, prefix) for macro in _macros_below(folder, prefix)}


def _macros_below(folder: str, prefix: str) -> list[str]:
    return [
        macro for macro, path in macro_files().items() if path.startswith(folder) and macro.startswith(prefix)
    ]


@functools.cache
def _entry(macro: str, prefix: str) -> Metric:
    taken = {k: v for k, v in parameters(macro).items() if k != "plan"}
    name = macro.removeprefix(prefix).removesuffix("_at" if taken.get("k") is ... else "")
    given = signature(macro)
    own = tuple(k for k in given.parameters if k != "plan")
    return Metric(name, macro, taken, own, given.doc)


def check(notation: object) -> None:
    """Checks the metric and the parameters of a notation.

    Raises:
        SqlMetricsError: an unknown metric or parameter; the message lists the known ones.
    """
    if not isinstance(notation, str):
        raise SqlMetricsError(f"A metric is text such as 'auc' or 'ndcg@10', got {notation!r:.200}")
    several = split_notations(notation)
    if len(several) > 1:
        raise SqlMetricsError(f"'{notation}' is several metrics; write them as a list, {several}")
    _check_parameters(of_notation(notation), notation)


def split_notations(text: str) -> list[str]:
    """The notations in a text with commas. trec_eval's `P.5,10` is `P.5` and `P.10`.

    >>> split_notations("auc, recall(class='a, (b'), P.5,10")
    ['auc', "recall(class='a, (b')", 'P.5', 'P.10']
    """
    unquoted = QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)
    commas = [comma.start() for comma in COMMA.finditer(unquoted)]
    found: list[str] = []
    for start, end in pairwise([-1, *commas, len(text)]):
        part = text[start + 1 : end].strip()
        before = WITH_NUMBER.fullmatch(found[-1]) if found and NUMBER.fullmatch(part) else None
        found.append(f"{before[1]}.{part}" if before else part)
    return found


def is_curve(notation: object) -> bool:
    """Whether a text names a curve, with or without parameters.

    >>> is_curve("calibration(bins=20)"), is_curve("predictions.parquet")
    (True, False)
    """
    return isinstance(notation, str) and notation.partition("(")[0].strip() in curve_names()


def is_metric(notation: str) -> bool:
    """Whether a text names a metric, with or without parameters, by its own name or an alias.

    >>> is_metric("ndcg(gain=linear)@10"), is_metric("predictions")
    (True, False)
    """
    try:
        name, params = parsed(notation)
    except SqlMetricsError:
        return False
    found = _of_name(name, "k" in params)
    return found is not None and ("k" in params or not found.needs_cutoff)


def check_curve(notation: object) -> None:
    """Checks the kind and the parameters in the notation of a curve.

    Raises:
        SqlMetricsError: an unknown curve or parameter; the message lists the known ones.
    """
    if not isinstance(notation, str):
        plain = isinstance(notation, (int, float, list, tuple, dict)) or notation is None
        got = f"{notation!r:.100}" if plain else f"a {type(notation).__name__}"
        raise SqlMetricsError(f"A curve is text such as 'roc' or 'calibration(bins=20)', got {got}")
    if not notation.strip():
        raise SqlMetricsError(f"No curve was asked for. Pass one, such as 'roc'; known: {counted(curves())}")
    name, _ = parsed(notation)
    if name not in curves():
        raise SqlMetricsError(_unknown("curve", name))
    _check_parameters(curves()[name], notation)


def _check_parameters(metric: Metric, notation: str) -> None:
    for parameter in parsed(notation)[1]:
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
    """The metric with a name. If a list metric has the same name, `with_cutoff` selects it.

    Raises:
        SqlMetricsError: an unknown metric, or one that needs a cutoff.
    """
    chosen = _of_name(name, with_cutoff)
    if chosen is None:
        titled = next((metric.name for metric in catalog().values() if metric.title == name), None)
        raise SqlMetricsError(
            f"{_unknown('metric', name, titled)}; 'sqlmetrics list' shows all, as metrics() does in Python"
        )
    if chosen.needs_cutoff and not with_cutoff:
        raise SqlMetricsError(f"sqlmetrics.{name}: needs a cutoff; write '{name}@10'")
    return chosen


def _of_name(name: str, with_cutoff: bool) -> Metric | None:
    """The metric with a name; of a metric of rows and one of lists that share it, the one that fits the cutoff."""
    macros_of_name = [macro for macro in (f"metric_{name}", f"metric_{name}_at") if macro in macro_files()]
    same = [metric for macro in macros_of_name if (metric := _entry(macro, "metric_")).name == name]
    fitting = [metric for metric in same if metric.needs_cutoff == with_cutoff]
    return next(iter(fitting or same), None)


def _unknown(kind: str, name: str, meant: str | None = None) -> str:
    """The sentence of `sql/plan/unknown.sql` about a name that is no metric or curve, as dbt has it."""
    return str(macros("duckdb")["unknown"](kind, name, meant))


def of_notation(notation: str) -> Metric:
    """The metric of a notation such as `recall@10`, which `check` has passed."""
    name, params = parsed(notation)
    metric, better = find(name, "k" in params), params.get("better")
    return replace(metric, chosen=better) if better in ("higher", "lower") else metric


class Catalog(Frame):
    """A table of the metrics. It is shown with the names of parameters and the start of each description."""

    SHOWN = 1_000  # all of them, since who asks for the metrics wants to see them

    def _text_of(self, name: str, values: list[str]) -> list[str]:
        if name == "parameters":
            return [re.sub(r"=[^,]*", "", parameters) for parameters in values]
        widths = {"description": 60, "aliases": 40}
        return [shortened(text, widths[name]) for text in values] if name in widths else values


def shortened(text: str, width: int) -> str:
    """A text, cut between two words if it is longer than a width.

    >>> shortened("the share of rows", 12)
    'the share …'
    """
    return textwrap.shorten(text, width, placeholder=" …")


def by_grain() -> dict[str, list[Metric]]:
    """The metrics by grain, sorted."""
    found = {grain: [metric for metric in _in_order() if metric.grain == grain] for grain in GRAINS}
    return {grain: metrics for grain, metrics in found.items() if metrics}


def by_task() -> dict[str, list[Metric]]:
    """The metrics by what they are for, sorted."""
    tasks = sorted({metric.task for metric in catalog().values()})
    return {task: [metric for metric in _in_order() if metric.task == task] for task in tasks}


def _in_order() -> list[Metric]:
    return sorted(catalog().values(), key=lambda metric: metric.notation)


def metrics() -> Catalog:
    """Returns the catalog: one row for each metric with its notation, grain, parameters, description and aliases.

    Aliases are the names that other libraries have for it. Notations may have these names: each is that library's
    definition, whatever `convention=` says.

    >>> metrics().to_dicts()[0]["metric"]
    'accuracy'
    """
    return table_of(_in_order())


def table_of(metrics: Iterable[Metric]) -> Catalog:
    """The rows of the catalog that are those of some metrics."""
    rows = [
        {
            "metric": metric.notation,
            "grain": metric.grain,
            "parameters": ", ".join(f"{name}={written(value)}" for name, value in metric.options.items()),
            "description": metric.summary,
            "aliases": ", ".join(alias.name for alias in metric.aliases),
        }
        for metric in metrics
    ]
    return Catalog(Frame.from_dicts(rows).to_arrow())
