"""Computes what a suite asks for, and holds it against the limits."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlmetrics.api.compare import OF_PLAN, compare, compared_models
from sqlmetrics.api.evals import or_logs
from sqlmetrics.api.evaluate import evaluate, plan_over
from sqlmetrics.api.states import finish
from sqlmetrics.book.plan import written
from sqlmetrics.gates import Outcome, notes_of, outcomes
from sqlmetrics.given import texts
from sqlmetrics.given.evals import is_evals, known
from sqlmetrics.given.facts import opened
from sqlmetrics.given.models import chosen
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import OPTIONS, Options
from sqlmetrics.results.audited import Comparison
from sqlmetrics.results.report import Report
from sqlmetrics.results.stored import stored
from sqlmetrics.suites.changes import changes
from sqlmetrics.suites.read import Limits, Suite


@dataclass(frozen=True)
class Checked:
    """The results of a suite, and what its gates say of them."""

    name: str  #: the file of the suite
    report: Report
    comparison: Comparison | None
    parts: dict[str, list[Outcome]]  #: by the part of the suite: gates, baseline, reference
    notes: list[str]

    @property
    def outcomes(self) -> list[Outcome]:
        """What all gates say."""
        return [one for part in self.parts.values() for one in part]


def checked(suite: Suite, settings: Mapping[str, str] | None = None) -> Checked:
    """Runs a suite, with settings of DuckDB.

    Raises:
        SqlMetricsError: something cannot be read or computed; the message has file and line.
    """
    lines, notations = suite.lines, suite.metrics
    connection = texts.connection(settings=settings)
    with lines.at(_place(suite)):
        report = _report(suite, connection)
    parts = {"gates": _held(suite, report, suite.gates)}
    notes: list[str] = []
    comparison = None
    if suite.baseline:
        with lines.at("baseline"):
            comparison = compare(connection=connection, **_comparison(suite))
        parts["baseline"] = _held(suite, comparison, suite.of_baseline)
    if suite.reference:
        with lines.at("reference"):
            files = suite.reference.get("report") or suite.reference["state"]
            named = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"
            of_report = "report" in suite.reference
            earlier = stored(files[0])[0] if of_report else _finished(suite, connection).to_dicts()
            gates = suite.of_reference.gates.values()
            suite.of_reference.metrics(notations, lines)
            found, notes = changes(report, earlier, gates, named)
            parts["reference"] = [one for one in found if one.model != suite.baseline.get("model")]
    for limits in (suite.gates, suite.of_baseline, suite.of_reference):
        notes.extend(notes_of(limits.gates.values(), notations))
    return Checked(str(suite.path), report, comparison, parts, notes)


def statements(suite: Suite, settings: Mapping[str, str] | None = None) -> Iterator[tuple[str, str]]:
    """The statements that a suite runs over the data, each with its name. Only columns are read, text files and states.

    Raises:
        SqlMetricsError: a column or a metric that cannot be computed; the message has file and line.
    """
    lines, connection = suite.lines, texts.connection(settings=settings)
    with lines.at(_place(suite)):
        yield "metrics", _sql_of_report(suite, connection)
    if suite.baseline:
        with lines.at("baseline"):
            yield "baseline", _sql_of_comparison(_comparison(suite), connection, suite.of_state)
    if "state" in suite.reference:
        with lines.at("reference"):
            yield "reference", _finished(suite, connection).sql


def _sql_of_report(suite: Suite, connection: Any) -> str:
    """The statement of the metrics."""
    if suite.of_state:  # which is read for the models and facts that it holds
        return _report(suite, connection).sql
    data = _data(suite)
    options, _ = _bound(
        evaluate, data, suite.metrics, by=suite.slices or None, connection=connection, **_facts(suite)
    )
    with opened(data, options, reads=reads_of(options, notations=suite.metrics)) as given:
        return written(plan_over(given, suite.metrics), given.session.files).text


def _sql_of_comparison(said: dict[str, Any], connection: Any, of_state: bool) -> str:
    """The statement of a call of `compare`."""
    if of_state:
        return compare(connection=connection, **said).sql
    options, asked = _bound(compare, connection=connection, **said)
    choose = partial(compared_models, said["baseline"], None, False)
    options = chosen(said["data"], options, choose)
    reads = reads_of(options, notations=said["metrics"])
    with opened(said["data"], options, reads=reads, choose=choose) as given:
        asked = {name: asked[name] for name in OF_PLAN}
        plan = given.plan("compare_plan", metrics=said["metrics"], **asked)
        return written(plan, given.session.files).text


def _bound(function: Any, *args: Any, **said: Any) -> tuple[Options, dict[str, Any]]:
    """The options of a call with their defaults, and its other arguments."""
    call = inspect.signature(function).bind(*args, **said)
    if is_evals(call.arguments["data"]):
        defaults = {name: parameter.default for name, parameter in call.signature.parameters.items()}
        call.arguments.update(known(call.arguments["data"], call.arguments, defaults))
    call.apply_defaults()
    options = {name: value for name, value in call.arguments.items() if name in OPTIONS}
    return Options(**options), {name: value for name, value in call.arguments.items() if name not in OPTIONS}


def _place(suite: Suite) -> str:
    """The key of the data."""
    return "state" if suite.of_state else "data"


def _report(suite: Suite, connection: Any) -> Report:
    """The metrics of the suite."""
    asked = {"by": suite.slices or None, "connection": connection, **_facts(suite)}
    return (finish if suite.of_state else evaluate)(_data(suite), suite.metrics, **asked)


def _data(suite: Suite) -> Any:
    """The files, or those of each model; all have to be there."""
    if not isinstance(suite.data, dict):
        files = texts.data(suite.data)
        return files if suite.of_state else or_logs(files)
    found = {}
    for model, file in suite.data.items():
        with suite.lines.at("data", model):
            found[model] = texts.table(file)
    return or_logs(found)


def _facts(suite: Suite) -> dict[str, Any]:
    """The arguments of `evaluate`; the paths of tables have to match files."""
    facts = {}
    for name, value in suite.facts.items():
        with suite.lines.at("facts", name):
            facts[name] = texts.table(value) if OPTIONS[name].written == "FILE" else value
    return facts


def _comparison(suite: Suite) -> dict[str, Any]:
    """The arguments of `compare`: the facts that it takes, and those of the baseline."""
    if "prediction" in suite.facts:
        raise suite.lines.error("baseline compares scores, and takes no prediction", ("facts", "prediction"))
    taken = inspect.signature(compare).parameters
    of_reports = ("interval", "tightest_at", "n_resamples")
    facts = {name: value for name, value in _facts(suite).items() if name in taken and name not in of_reports}
    baseline = dict(suite.baseline)
    return {
        "data": _data(suite),
        "metrics": suite.of_baseline.metrics(suite.metrics, suite.lines),
        "baseline": baseline.pop("model"),
        "by": suite.slices or None,
        **facts,
        **baseline,
    }


def _held(suite: Suite, result: Report | Comparison, limits: Limits) -> list[Outcome]:
    """What the gates of one part say. The baseline is a yardstick, and has no limits itself."""
    for key, gate in limits.gates.items():
        with suite.lines.at(*key):
            outcomes(result, [gate])
    found = outcomes(result, limits.gates.values(), suite.fail_null)
    return [one for one in found if one.model != suite.baseline.get("model")]


def _finished(suite: Suite, connection: Any) -> Report:
    """The report of the reference's state."""
    return finish(
        texts.data(suite.reference["state"]),
        suite.of_reference.metrics(suite.metrics, suite.lines),
        by=suite.slices,
        total=suite.facts.get("total", True),
        where=suite.reference.get("where"),
        connection=connection,
    )
