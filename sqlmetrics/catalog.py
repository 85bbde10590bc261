"""What metrics there are, read out of `sql/metrics/`: names, parameters and documentation stand there alone."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from jinja2 import nodes

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.frame import Frame
from sqlmetrics.templates import macros, sql_files

GRAINS = {"areas": "classes", "averages": "lists", "levels": "score levels", "rows": "rows"}


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
    def grain(self) -> str:
        """Where it is summed up: rows, score levels or lists."""
        plan = macros("duckdb")["plan"](
            [self.example], label="y", score="s", group="g", item="i", max_grade=1, positive=1
        )
        return next((grain for key, grain in GRAINS.items() if plan[key]), "rows")


def _macros_of(text: str) -> dict[str, tuple[nodes.Macro, str]]:
    """The macros of a file, each with the comment above it."""
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])
    docs: dict[str, str] = {}
    comment, tokens = "", [token for token in environment.lex(text) if token[1] != "whitespace"]
    for (_, kind, value), following, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if kind == "comment":
            comment = "\n".join(line.removeprefix("  ") for line in value.strip("\n").splitlines()).strip()
        elif kind == "block_begin" and following[2] == "macro":
            docs[name[2]], comment = comment, ""
    return {macro.name: (macro, docs[macro.name]) for macro in environment.parse(text).find_all(nodes.Macro)}


@functools.cache
def _all_macros() -> dict[str, tuple[nodes.Macro, str]]:
    return {name: macro for text in sql_files().values() for name, macro in _macros_of(text).items()}


def _parameters(macro: nodes.Macro) -> dict[str, Any]:
    """A macro's parameters and defaults, and those of the macro that it hands its further ones (`**kwargs`) to."""
    names = [argument.name for argument in macro.args]
    required = len(names) - len(macro.defaults)
    found: dict[str, Any] = dict.fromkeys(names[:required], ...)
    found |= {
        name: default.as_const() for name, default in zip(names[required:], macro.defaults, strict=True)
    }
    for call in macro.find_all(nodes.Call):
        if isinstance(call.dyn_kwargs, nodes.Name) and isinstance(call.node, nodes.Getattr):
            further = _parameters(_all_macros()[call.node.attr][0])
            given = [*list(further)[: len(call.args)], *(keyword.key for keyword in call.kwargs)]
            found |= {name: default for name, default in further.items() if name not in (*given, *found)}
    return found


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
    for path, text in sql_files().items():
        if not path.startswith(folder):
            continue
        for macro, (node, doc) in _macros_of(text).items():
            if macro.startswith(prefix):
                parameters = {k: v for k, v in _parameters(node).items() if k != "plan"}
                name = macro.removeprefix(prefix).removesuffix("_at" if parameters.get("k") is ... else "")
                own = tuple(argument.name for argument in node.args if argument.name != "plan")
                found[macro] = Metric(name, macro, parameters, own, doc)
    return found


def check(notation: object) -> None:
    """Refuses a notation whose metric or parameter is not known, with what is.

    Raises:
        SqlMetricsError: see there.
    """
    if not isinstance(notation, str):
        raise SqlMetricsError(f"A metric is text such as 'auc' or 'ndcg@10', got {notation!r}")
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
        raise SqlMetricsError(
            f"Unknown metric '{name}'.{did_you_mean(name, names)} Known: {counted(names, 20)};"
            " sm.metrics() and 'sqlmetrics list' show them"
        )
    fitting = [metric for metric in same if metric.needs_cutoff == with_cutoff]
    chosen = (fitting or same)[0]
    if chosen.needs_cutoff and not with_cutoff:
        raise SqlMetricsError(f"sqlmetrics.{name}: needs a cutoff; write '{name}@10'")
    return chosen


def metrics() -> Frame:
    """The catalog: one row a metric with its notation, grain, parameters and what it is.

    >>> metrics().to_dicts()[0]["metric"]
    'accuracy'
    """
    rows = [
        {
            "metric": metric.notation,
            "grain": metric.grain,
            "parameters": ", ".join(
                f"{name}={'none' if metric.parameters[name] is None else metric.parameters[name]}"
                for name in metric.own
                if name != "k"
            ),
            "description": metric.summary,
        }
        for metric in sorted(catalog().values(), key=lambda metric: metric.notation)
    ]
    return Frame.from_dicts(rows)


def describe(name: str) -> str:
    """The documentation of a metric or a curve: what it is, arguments, range, when it is undefined, errors, source.

    Args:
        name: a metric such as `ndcg`; `recall@10` or `recall@k` for the list metric beside `recall`; or a
            curve such as `roc`.

    Raises:
        SqlMetricsError: no metric of that name.

    >>> print(describe("brier").splitlines()[0])
    brier
    """
    if not isinstance(name, str):
        raise SqlMetricsError(f"A metric is text such as 'auc' or 'ndcg@10', got {name!r}")
    plain, at, _ = name.lower().replace("[", "").replace("]", "").partition("@")  # as the catalog writes it
    if at:
        found = [find(plain.split("(")[0].strip(), with_cutoff=True)]
    else:
        entries = [*catalog().values(), *curves().values()]
        found = [entry for entry in entries if entry.name == plain.split("(")[0].strip()] or [find(plain)]
    return "\n\n".join(f"{metric.notation}\n\n{_documentation(metric)}" for metric in found)


def _documentation(metric: Metric) -> str:
    shared = [name for name in metric.parameters if name not in metric.own]
    texts = [doc for _, doc in _all_macros().values() if all(f"\n  {name}: " in doc for name in shared)]
    explained = ""
    if shared:
        about = "\n".join(
            re.findall(rf"^  (?:{'|'.join(shared)}): .*(?:\n    .*)*", texts[0], flags=re.MULTILINE)
        )
        explained = f"\n\nOptions of every metric over lists:\n{about}"
    defaults = "\n".join(
        f"  {name}" + ("" if default is ... else f" = {'none' if default is None else default}")
        for name, default in metric.parameters.items()
    )
    return metric.doc + explained + (f"\n\nParameters and defaults:\n{defaults}" if defaults else "")
