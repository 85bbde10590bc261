"""Reads a suite: what to compute, and the limits. Paths in a suite are relative to its file."""

from __future__ import annotations

import glob
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlmetrics.api.evals import are_logs
from sqlmetrics.api.states import finish
from sqlmetrics.book import catalog
from sqlmetrics.book.notation import column_name
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.gates import Gate, column_of, parsed
from sqlmetrics.given import texts
from sqlmetrics.inputs import refuse_input
from sqlmetrics.options import OPTIONS
from sqlmetrics.suites.document import Key, Lines, beside, document
from sqlmetrics.suites.schema import schema


@dataclass(frozen=True)
class Limits:
    """Gates with their places in the suite."""

    gates: dict[Key, Gate] = field(default_factory=dict)

    def metrics(self, named: Mapping[str, str], lines: Lines) -> dict[str, str]:
        """The metrics that the gates limit: notations by column.

        Raises:
            SqlMetricsError: a gate of a metric that the suite lacks.
        """
        found = {}
        for key, gate in self.gates.items():
            with lines.at(*key):
                column = column_of(gate, named)
                found[column] = named[column]
        return found


@dataclass(frozen=True)
class Suite:
    """A suite of metrics and limits."""

    path: Path
    lines: Lines
    data: list[str] | dict[str, str]  #: the files, or those of each model; those of a state
    of_state: bool  #: whether the data are a state
    facts: dict[str, Any]  #: arguments of `evaluate`, of a state those of `finish`
    metrics: dict[str, str]  #: notations by column
    slices: list[str] | dict[str, str]  #: as `by=` of `evaluate`
    gates: Limits
    fail_null: bool
    baseline: dict[str, Any]  #: arguments of `compare`, and `model`; empty without a baseline
    of_baseline: Limits
    reference: dict[str, Any]  #: the files of `report`, or of `state` and `where`; empty without a reference
    of_reference: Limits
    outputs: dict[str, Path]


def suite_of(path: Path) -> Suite:
    """Reads a suite.

    Raises:
        SqlMetricsError: the file cannot be read, or is no suite; the message has file and line.
    """
    said, lines = document(path)
    facts = {}
    for name, value in said.get("facts", {}).items():
        with lines.at("facts", name):
            facts[name] = _fact(name, value, lines.of_facts)
    for kind in ("baseline", "reference"):
        said.setdefault(kind, {})
    data = said.get("state", said.get("data"))
    suite = Suite(
        path=path,
        lines=lines,
        data=(
            {str(model): file for model, files in data.items() for file in _paths(files, path)}
            if isinstance(data, dict)
            else _paths(data, path)
        ),
        of_state="state" in said,
        facts=facts,
        metrics=_metrics(said["metrics"], lines),
        slices=texts.columns(_list(said.get("slices", []))),
        gates=_limits(said, lines),
        fail_null=said.get("fail_null", False),
        baseline={name: value for name, value in said["baseline"].items() if name != "gates"},
        of_baseline=_limits(said["baseline"], lines, "baseline"),
        reference={
            name: value if name == "where" else _paths(value, path)
            for name, value in said["reference"].items()
            if name != "gates"
        },
        of_reference=_limits(said["reference"], lines, "reference"),
        outputs={
            name: Path(beside(file, str(path.parent))) for name, file in said.get("outputs", {}).items()
        },
    )
    if not (suite.gates.gates or suite.fail_null or suite.baseline or suite.reference):
        raise lines.error("the suite has no limit; add gates, fail_null, baseline or reference", ())
    _check_facts_of_state(suite)
    _check_models(suite)
    _check_margins(suite)
    _check_outputs(suite)
    return suite


def facts_of(said: dict[str, Any], lines: Lines, place: Key, connected: bool) -> dict[str, Any]:
    """The facts of a file, a suite or a file of facts alone, as arguments of `evaluate`.

    Args:
        said: the facts; lines and place are as of `facts_document`.
        connected: whether tables are those of a connection, rather than files beside this one.

    Raises:
        SqlMetricsError: a fact is wrong; the message has file and line.
    """
    facts = {}
    for name, value in said.items():
        with lines.at(*place, name):
            is_table = OPTIONS[name].written == "FILE" and connected
            facts[name] = value if is_table else _fact(name, value, Path(lines.file))
    return facts


def _fact(name: str, value: Any, path: Path) -> Any:
    """A fact as an argument of `evaluate`."""
    match OPTIONS[name].written:
        case "COLUMN":
            return texts.column(value)
        case "[NAME=]COLUMN" if isinstance(value, dict):
            return {str(model): texts.column(column) for model, column in value.items()}
        case "[NAME=]COLUMN":
            return texts.scores(_list(value), "facts.score")
        case "KEY":
            found = [texts.column(column) for column in _list(value)]
            return found if isinstance(value, list) else found[0]
        case "COLUMN[=NAMES]" if isinstance(value, dict):
            return {texts.column(column): _list(names) for column, names in value.items()}
        case "COLUMN[=NAMES]":
            return texts.column(value)
        case "CLASS=COLUMN" if isinstance(value, str):
            return texts.column(value)
        case "CLASS=COLUMN":
            return {name: texts.column(column) for name, column in value.items()}
        case "FILE":
            [value] = _paths(value, path)
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _paths(value: Any, path: Path) -> list[str]:
    """The paths and globs of inputs."""
    return [beside(file, glob.escape(str(path.parent))) for file in _list(value)]


def _metrics(said: Any, lines: Lines) -> dict[str, str]:
    """The notations by column."""
    named = said if isinstance(said, dict) else {}
    found: dict[str, str] = {}
    for place, notation in named.items() if named else enumerate(said):
        with lines.at("metrics", place):
            catalog.check(notation)
            name = str(place) if named else column_name(notation)
            if name in found:
                raise SqlMetricsError(
                    f"Two metrics would be named '{name}'; write a mapping of names to metrics"
                )
            found[name] = notation
    return found


def _limits(said: Any, lines: Lines, *within: str) -> Limits:
    """The gates of a part of the suite."""
    found: dict[Key, Gate] = {}
    for place, gate in enumerate(_list(said.get("gates", []))):
        key: Key = (*within, "gates", place)
        with lines.at(*key):
            found[key] = (
                parsed(gate) if isinstance(gate, str) else parsed(gate["gate"], gate.get("slices", True))
            )
            if found[key].verdict and "baseline" not in within:
                raise SqlMetricsError(
                    f"The gate '{found[key]}' is one of a comparison; write it below baseline"
                )
    return Limits(found)


def _check_facts_of_state(suite: Suite) -> None:
    """Checks that a suite of a state has no fact that the state holds."""
    taken = inspect.signature(finish).parameters
    for name in suite.facts if suite.of_state else ():
        if name not in taken:
            known = [fact for fact in schema()["properties"]["facts"]["properties"] if fact in taken]
            raise suite.lines.error(
                f"a state holds its columns and options; leave {name} out. Facts of a state: {', '.join(known)}",
                ("facts", name),
            )


def _check_models(suite: Suite) -> None:
    """Checks that the baseline is one of several models, unless a state has their names."""
    if not suite.baseline or suite.of_state:
        return
    named = isinstance(suite.data, dict)
    models, model = suite.data if named else suite.facts.get("score"), suite.baseline["model"]
    files = [*suite.data.values()] if isinstance(suite.data, dict) else suite.data
    if "models" in suite.facts or are_logs(files):  # whose names are in the data
        return
    if not isinstance(models, dict) or len(models) < 2:
        raise suite.lines.error(
            "baseline needs two models: facts.score is a mapping of names to columns, or data one of names to files",
            ("baseline",),
        )
    if model not in models:
        near = did_you_mean(model, models)
        raise suite.lines.error(
            f"'{model}' is no model.{near} Models: {counted(models)}", ("baseline", "model")
        )


def _check_margins(suite: Suite) -> None:
    """Checks that the metric of each verdict has a margin."""
    margin = suite.baseline.get("margin")
    for key, gate in suite.of_baseline.gates.items():
        if gate.verdict is None:
            continue
        with suite.lines.at(*key):
            name = column_of(gate, suite.metrics)
            of_others = isinstance(margin, dict) and not {name, suite.metrics[name]} & {*margin}
            if margin is None or (of_others and gate.reads_margin):
                raise SqlMetricsError(
                    gate.without_margin(name, f"write below baseline: margin: {{{name}: NUMBER}}")
                )


def _check_outputs(suite: Suite) -> None:
    """Checks that outputs can be written, and replace no input."""
    tables = [value for name, value in suite.facts.items() if OPTIONS[name].written == "FILE"]
    earlier = [*suite.reference.get("report", []), *suite.reference.get("state", [])]
    data = suite.data.values() if isinstance(suite.data, dict) else suite.data
    own = [glob.escape(str(path)) for path in (suite.path, suite.lines.of_facts)]
    inputs = [*own, *data, *tables, *earlier]
    for name, output in suite.outputs.items():
        with suite.lines.at("outputs", name):
            if output.is_dir() or not output.parent.is_dir():
                raise SqlMetricsError(
                    f"Cannot write '{output}': it is a folder, or its folder does not exist"
                )
            if list(suite.outputs.values()).count(output) > 1:
                raise SqlMetricsError(f"Two outputs would be written to '{output}'")
            refuse_input(output, inputs, f"outputs.{name}")
