"""The results behind a page: which public functions are called, each once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from sqlmetrics.api.classes import confusion_matrix
from sqlmetrics.api.compare import compare, compared_models
from sqlmetrics.api.curve import curve
from sqlmetrics.api.evaluate import evaluate
from sqlmetrics.api.lists import per_group
from sqlmetrics.api.states import finish, finish_curve
from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.notation import parsed
from sqlmetrics.charts.reports import time_of
from sqlmetrics.errors import SqlMetricsError, counted
from sqlmetrics.given.columns import named_columns
from sqlmetrics.given.facts import opened
from sqlmetrics.given.models import chosen
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import OPTIONS, Options
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.results import LEVEL, POWER, Results

DRAWS = 1000  #: of a comparison whose test draws, the default of `compare`
#: of a curve: no point is farther than sqrt(2) / (POINTS - 2) from its line, 0.85 pixels of a picture of 300
POINTS = 500
#: curves that a page draws where they are asked for: roc upside down, and a table
ASKED = ("det", "thresholds")
OF_NUMBERS = ("residuals",)  #: curves of labels that are numbers to predict
#: the grains whose metrics read the scores of all rows, as curves do
OF_CURVES = ("score levels", "bins of scores")


@dataclass(frozen=True)
class Call:
    """A call of `report`: its data, its options, and how it reports progress."""

    data: Any
    metrics: list[str] | dict[str, str]
    asked: list[Asked]
    options: Options
    curves: list[str] | None  #: None for those that fit the metrics
    margin: float | Mapping[str, float] | None  #: of the comparison of models
    progress: Callable[[str], None]

    def result(self, function: Callable[..., Any], *first: Any, **own: Any) -> Any:
        """The result of a public function, which gets those options of this call that it takes."""
        taken = {
            name: getattr(self.options, name)
            for name in inspect.signature(function).parameters
            if name in OPTIONS
        }
        return function(*first, **{**taken, **own})

    def named(self, asked: list[Asked]) -> list[str] | dict[str, str]:
        """Some of the metrics, in the form that public functions take."""
        if isinstance(self.metrics, dict):
            return {one.column: one.notation for one in asked}
        return [one.notation for one in asked]

    def kinds(self) -> list[str]:
        """The curves to draw."""
        asked = self.curves
        if asked is None:
            names = {one.metric.name for one in self.asked}
            named = {metric.name for metric in catalog().values()}
            reads_scores = any(one.metric.grain in OF_CURVES for one in self.asked)
            in_numbers = any(one.metric.unit.startswith("label") for one in self.asked)
            # a curve that bears the name of a metric is drawn with that metric alone
            asked = [
                kind
                for kind in curves()
                if (kind in names if kind in named else in_numbers if kind in OF_NUMBERS else reads_scores)
                and kind not in ASKED
            ]
        return [_thinned(kind) for kind in asked]


def _thinned(kind: str) -> str:
    """A curve with as many points as can be seen, unless the notation says how many."""
    name, given = parsed(kind)
    if "points" not in curves()[name].parameters or "points" in given:
        return kind
    options = ", ".join(f"{option}={value}" for option, value in {**given, "points": POINTS}.items())
    return f"{name}({options})"


def from_data(call: Call, baseline: str | None) -> Results:
    """The results of a page over data.

    Args:
        call: the call of `report`.
        baseline: the model with which the others are compared, or None for one model.
    """
    call.progress("metrics")
    found = Results(call.result(evaluate, call.data, call.metrics))
    if (place := time_of(found.report)) is not None:
        if len(found.report.by) > 1:
            date = found.report.by[place]
            call.progress(f"metrics by {date}")
            column = dict(named_columns(call.options.by, "by"))[date]
            found.trend = call.result(evaluate, call.data, call.metrics, by={date: column})
        else:
            found.trend = found.report
    if baseline is not None:
        call.progress("comparison of models")
        _compare(call, found, baseline)
    if call.options.gold is not None:
        found.left_out.append(
            "Curves, lists and classes are left out: they would be those of the judge alone."
        )
        return found
    if (first := next((one for one in call.asked if one.metric.grain == "lists"), None)) is not None:
        call.progress(f"{first.name} of each list")
        part = f"{first.name} list by list"
        found.lists = _tried(found, part, call.result, per_group, call.data, call.named([first]), by=None)
    if call.options.prediction is not None:
        call.progress("confusion matrix")
        found.classes = _tried(
            found, "The confusion matrix", call.result, confusion_matrix, call.data, by=None
        )
    _draw_curves(call, found, curve)
    return found


def from_state(call: Call, period: str, baseline: str | None) -> tuple[Results, Options]:
    """The results of a page over a state, and the options of the page: without intervals where the state holds none.

    Args:
        call: the call of `report`, with a state as its data.
        period: the column of the state's period.
        baseline: the model with which the others are compared, or None for one model.
    """
    call.progress("metrics")
    why = for_intervals = ""
    try:
        report = call.result(finish, call.data, call.metrics)
    except SqlMetricsError as error:
        if error.sql is not None or call.options.interval is None:
            raise
        why, for_intervals = str(error), "Make the page of the rows, not of a state"
        if "intervals=True" in why:  # the state can be made again so
            for_intervals = "Make the state again by sm.state(...) with intervals=True"
            why = "the state does not hold what they are made of; make it again by sm.state(...) with intervals=True"
        plain = replace(call.options, interval=None, interval_method=None, tightest_at=None)
        call = replace(call, options=plain)
        report = call.result(finish, call.data, call.metrics)
    found = Results(report, for_intervals=for_intervals)
    found.left_out.append("Lists are left out: the page is made of a state, which keeps sums and not rows.")
    if why:
        found.left_out.append(f"Intervals and comparisons are left out: {why}.")
    elif baseline is not None:
        call.progress("comparison of models")
        _test_models(call, found, baseline, call.asked)
    if found.report.by == [period]:
        found.trend = found.report
    else:
        call.progress(f"metrics by {period}")
        found.trend = _tried(
            found, f"The trend over {period}", call.result, finish, call.data, call.metrics, by=period
        )
    _draw_curves(call, found, finish_curve)
    return found, call.options


def _draw_curves(call: Call, found: Results, function: Callable[..., Any]) -> None:
    """Adds the curves of all data."""
    plain = {"by": None} | ({"interval": None} if function is curve else {})
    for kind in call.kinds():
        call.progress(f"curve {kind}")
        part = f"The curve {kind}"
        if (points := _tried(found, part, call.result, function, call.data, kind, **plain)) is not None:
            found.curves[kind] = points


def _compare(call: Call, found: Results, baseline: str) -> None:
    """Adds the comparison of those metrics that can be compared."""
    if call.options.prediction is not None:
        found.left_out.append("Models are not compared: prediction= is one column, the same for all of them.")
        return
    comparable, others = _comparable(call, baseline)
    if others:
        found.left_out.append(f"Not compared: {counted(others)}. How these metrics spread is not known.")
    if comparable:
        _test_models(call, found, baseline, comparable)


def _test_models(call: Call, found: Results, baseline: str, comparable: list[Asked]) -> None:
    """Adds the comparison of metrics that can be compared."""
    found.comparison = _tried(
        found,
        "The comparison of models",
        call.result,
        compare,
        call.data,
        call.named(comparable),
        baseline=baseline,
        interval=call.options.interval or LEVEL,
        test=_test(call.options),
        n_resamples=DRAWS,
        correction="holm",
        family="all",
        power=POWER,
        margin=_margin_of(call.margin, comparable),
    )


def _test(options: Options) -> Literal["anytime"] | None:
    """The test of a page's comparison: a page that is looked at every day has intervals of every look."""
    return "anytime" if options.interval_method == "anytime" else None


def _margin_of(
    margin: float | Mapping[str, float] | None, comparable: list[Asked]
) -> float | Mapping[str, float] | None:
    """The margin of the metrics that can be compared."""
    if not isinstance(margin, Mapping):
        return margin
    names = {name for one in comparable for name in (one.column, one.notation)}
    return {name: number for name, number in margin.items() if name in names} or None


def _comparable(call: Call, baseline: str) -> tuple[list[Asked], list[str]]:
    """The metrics that `compare` takes, and the names of the others. Nothing is read to find out."""
    settled = {"paired": True, "power": POWER, "test": _test(call.options)}
    comparable, others = [], []
    choose = partial(compared_models, baseline, None, False)
    options = replace(call.options, interval=call.options.interval or LEVEL, n_resamples=DRAWS)
    options = chosen(call.data, options, choose)
    reads = reads_of(options, notations=[one.notation for one in call.asked])
    with opened(call.data, options, reads=reads, choose=choose) as given:
        for one in call.asked:
            try:
                given.plan("compare_plan", metrics=call.named([one]), **settled)
            except SqlMetricsError:
                others.append(one.name)
            else:
                comparable.append(one)
    return comparable, others


def _tried(found: Results, part: str, ask: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A result, or None if the data do not allow it, which the page then says. A failure of the engine is an error."""
    try:
        return ask(*args, **kwargs)
    except SqlMetricsError as error:
        if error.sql is not None:
            raise
        found.left_out.append(f"{part} is left out: {error}.")
        return None
