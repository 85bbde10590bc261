"""Random notations. Metrics come from the catalogue, values of their parameters from the cases of conformance."""

from __future__ import annotations

import json
import zlib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

import oracles
import sqlmetrics as sm
from conformance.cases import CASES
from sqlmetrics.book.catalog import Metric, catalog, find
from sqlmetrics.book.templates import macros

CUTOFFS = (1, 2, 3, 5, 50)
#: The column of a weight that the cases call w: of a list or row, and of an item.
COLUMNS = {"weight": "w", "item_weight": "v"}
#: The parameters that name a column of a row, which has the name that the metric's example gives it, or a condition.
NAMED = (
    "column",
    "where",
    "lower",
    "upper",
    "quantiles",
    "naive",
    "naive_error",
    "propensity",
    "predicted",
    "expected",
    "against",
    "treatment",
)
#: Metrics that are fitted in 12 steps, which find no value for some scores of 0 and 1 that the formula has.
FITTED = ("calibration_slope", "calibration_intercept")
#: The column of a slice, for parameters that name one.
SLICES = {"sensitive": "part"}
#: The functions that look for what moved, whose results have no column for a metric.
SEARCHES = ("find_slices", "explain_change", "drift")
#: The options that only these have.
OF_SEARCHES = ("before", "after", "base", "reference", "depth", "min_units", "numeric", "bins", "max_values")
#: What no metric is refused for, so that a plan of it need not be made again.
NEVER_REFUSED = ("by", "total", "on_bad_rows", "on_unpaired", "n_resamples", "ties")


@dataclass(frozen=True)
class Asked:
    """What a call is asked of: notations have to fit."""

    function: str
    facts: dict[str, Any]
    broken: tuple[str, ...] = ()  #: how the counts begin that may not be 0 in the data
    text: bool = False  #: whether label and prediction are texts


@dataclass(frozen=True)
class Reads:
    """What a metric asks of the data."""

    checks: tuple[str, ...]  #: the counts that have to be 0
    number: bool  #: whether the label is read as a number
    order: bool  #: whether classes are read as places in an order
    classes: tuple[str, ...]  #: the kinds of the classes that it names


@cache
def tried() -> dict[tuple[str, Any], list[Any]]:
    """The values that cases give a parameter, by its name and default, which tell apart parameters of one name."""
    found: dict[tuple[str, Any], set[Any]] = defaultdict(set)
    for notation in {notation for case in CASES for notation in case.metrics}:
        name, parameters = oracles.parse(notation)
        metric = find(name, "k" in parameters)
        for parameter, value in parameters.items():
            found[parameter, metric.parameters[parameter]].add(value)
    return {key: sorted(values, key=str) for key, values in found.items()}


def reads(notation: str, asked: Asked) -> Reads | None:
    """What a notation asks of data; None if the call refuses it."""
    left = () if asked.function in SEARCHES else NEVER_REFUSED
    facts = {name: value for name, value in asked.facts.items() if name not in left}
    facts |= {"score": "score"} if "score" in facts else {}
    return read(notation, asked.function, json.dumps(facts))


@cache
def read(notation: str, function: str, written: str) -> Reads | None:
    """The same, of facts as JSON, which can be a key."""
    facts = json.loads(written)
    try:
        plan = macros("duckdb")["plan"]([notation], relation="t", **given_to_macros(facts))
        if function != "evaluate":
            rendered(function, {"m": notation}, facts)
    except sm.SqlMetricsError:
        return None
    return Reads(
        checks=tuple(name.removeprefix("sm_") for name in plan["result"]["checks"]),
        number="label" in plan["reads"]["roles"],
        order=bool(plan["orders_classes"]),
        classes=tuple(plan["named_classes"]),
    )


def given_to_macros(facts: dict[str, Any]) -> dict[str, Any]:
    """The arguments that the macro `plan` has."""
    python_only = (
        "on_bad_rows",
        "period",
        "test",
        "correction",
        "on_unpaired",
        "baseline",
        "candidate",
        *OF_SEARCHES,
    )
    given = {name: value for name, value in facts.items() if name not in python_only}
    return given if "baseline" not in facts else {**given, "score": facts["baseline"], "interval": None}


def rendered(function: str, metrics: Any, facts: dict[str, Any], dialect: str = "duckdb") -> str:
    """The statement of a call, of a state the one that needs no state."""
    given = {name: value for name, value in facts.items() if name != "on_bad_rows"}
    if function == "curve":
        return sm.render_curve("predictions", metrics["m0"], dialect=dialect, **given)
    if function == "state" and "m" in metrics:
        return sm.render_state("predictions", metrics, dialect=dialect, **given)
    if function == "explain_change":
        return sm.render_explain_change("predictions", *metrics.values(), dialect=dialect, **given)
    if not metrics:
        return getattr(sm, f"render_{function}")("predictions", dialect=dialect, **given)
    if function == "find_slices":
        return sm.render_find_slices("predictions", metrics, dialect=dialect, **given)
    given = {name: value for name, value in given.items() if name != "period"}
    render = {"per_group": sm.render_per_group, "compare": sm.render_compare}.get(function, sm.render)
    return render("predictions", metrics, dialect=dialect, **given)


def fits(notation: str, asked: Asked) -> bool:
    """Whether a notation can be asked."""
    needs = reads(notation, asked)
    if needs is None or any(check.startswith(asked.broken) for check in needs.checks if asked.broken):
        return False
    if asked.text and "positive" not in asked.facts and (needs.number or needs.order):
        return False
    return all((kind == "text") is asked.text for kind in needs.classes)


@st.composite
def options(draw: st.DrawFn, metric: Metric) -> str:
    """A notation of a metric with some of its options."""
    example = oracles.parse(metric.example)[1]
    written = [f"{name}={example[name]}" for name in NAMED if name in metric.parameters]
    cutoff = ""
    for name, default in metric.parameters.items():
        if name == "k":
            if default is ... or draw(st.booleans()):
                cutoff = f"@{draw(st.sampled_from(CUTOFFS))}"
            continue
        if name in NAMED:
            continue  # written already
        if name in SLICES:
            written.append(f"{name}={SLICES[name]}")
            continue
        values = tried().get((name, default), [])
        if values and (default is ... or draw(st.integers(0, 3)) == 0):
            value = draw(st.sampled_from(values))
            written.append(f"{name}={COLUMNS.get(name, text_of(value)) if value == 'w' else text_of(value)}")
    return metric.name + (f"({', '.join(written)})" if written else "") + cutoff


def text_of(value: Any) -> str:
    """A value as written in a notation."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


@st.composite
def notations(draw: st.DrawFn, asked: Asked, most: int) -> list[str]:
    """Notations that can be asked, each of them once."""
    found: dict[str, None] = {}
    for _ in range(draw(st.integers(1, most))):
        # a metric that cannot be asked is replaced by the next in an order of no meaning, so that few plans are made
        order = draw(st.integers(0, 2**16))
        shuffled = sorted(
            (one for one in catalog().values() if one.name not in FITTED),
            key=lambda metric: zlib.crc32(f"{order} {metric.macro}".encode()),
        )
        metric = next((one for one in shuffled if fits(one.example, asked)), None)
        if metric is None:
            reject()
        notation = draw(options(metric))
        found[notation if fits(notation, asked) or SLICES.keys() & metric.parameters else metric.example] = (
            None
        )
    return list(found)
