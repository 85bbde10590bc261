"""`report`: the metrics of data or of a state, as a page to forward."""

from __future__ import annotations

import datetime
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import sqlmetrics
from sqlmetrics.api.curve import render_curve
from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.api.states import one_table, refuse_settled
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.given.columns import as_list
from sqlmetrics.given.facts import opened
from sqlmetrics.given.facts_of_state import facts_of, is_state
from sqlmetrics.given.models import tables_in
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import (
    ClassScores,
    Convention,
    IntervalMethod,
    Key,
    Models,
    Names,
    OnBadRows,
    OnDuplicate,
    OnExtra,
    Options,
    Score,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.results.page import SPELLED, Page
from sqlmetrics.results.report import State

#: the options that a page of a state takes
OF_STATES = ("by", "where", "interval", "interval_method", "tightest_at", "connection", "dialect")


@with_options
def report(
    options: Options,
    data: Any = None,
    metrics: Metrics = (),
    *,
    y_true: Any = None,
    y_score: Any = None,
    y_pred: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    baseline: str | None = None,
    curves: Names = None,
    title: str | None = None,
    margin: float | Mapping[str, float] | None = None,
    label: str | None = None,
    gold: str | None = None,
    gold_weight: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    truth: Any = None,
    subtopic: str | None = None,
    prediction: str | None = None,
    class_scores: ClassScores = None,
    catalog: Any = None,
    history: Any = None,
    distances: Any = None,
    category: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float | None = 0.95,
    interval_method: IntervalMethod | None = None,
    tightest_at: int | None = None,
    n_resamples: int = 200,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
    progress: bool = False,
) -> Page:
    """Makes a page of metrics, with their intervals, slices, comparisons of models and curves.

    The page is one static HTML file: it runs no script, loads nothing and can be sent by mail. Four lines on top say
    which model is better, where it is not, since when a metric fell or rose, and what to do next. Below, the page says
    what was measured, what was left out and why, how each metric is defined, and which SQL ran. Its charts need
    `pip install 'sqlmetrics[report]'`.

    The page is made of the results of `evaluate`, `compare`, `per_group` and `curve`, each of which reads the data
    once. A state is not read again: `finish`, `compare` and `finish_curve` make its page, which has no lists, and has
    intervals and comparisons if the state was made with `intervals=True`. The arguments that are not explained here are
    those of `evaluate`.

    Args:
        data: as for `evaluate`; or a state, as for `finish`, which already holds its columns and options.
        y_true, y_score, y_pred, groups, sample_weight: arrays in place of `data`, as for `evaluate`.
        baseline: the model with which the others are compared; by default the first of `score`, of a state the first in
            the order of their names.
        gold: the label by people, as for `evaluate`; beside each value stand those by the judge alone and by people
            alone. Curves, lists and classes are left out, since they would be those of the judge.
        curves: the curves to draw, written as for `curve`; none by `[]`. By default those of
            calibration, gain, precision and recall, and ROC, if a metric reads the scores of all rows, as `auc` does;
            and those that bear the name of one of the metrics, as `net_benefit` does.
        title: the title of the page.
        margin: the smallest difference of models that matters, as for `compare`; the verdicts then say which models
            are equivalent, or not worse.
        interval: the confidence level of the intervals; None for a page without intervals of metrics. A page that is
            made every day takes `interval_method="anytime"`, which is then the test of the models, too.
        progress: True shows on standard error what is being computed.

    Returns:
        A `Page` with `html` and `save(path)`. A notebook shows it.

    Raises:
        SqlMetricsError: vl-convert is not installed; an unknown baseline or curve; an option that a state does not
            take; the errors of `evaluate`. A comparison, curve or list that the data do not allow is no error: the
            page says why it is missing.

    >>> rows = [{"y": i % 2, "p": (i % 7) / 7, "q": (i % 5) / 5, "day": i % 3} for i in range(60)]
    >>> page = report(rows, "auc", label="y", score={"old": "q", "new": "p"}, by="day", curves="roc")
    >>> "<h1" in page.html, "<script" in page.html
    (True, False)
    """
    from sqlmetrics.api.gather import Call, from_data, from_state
    from sqlmetrics.pages.asked import asked_metrics
    from sqlmetrics.pages.content import Subject
    from sqlmetrics.pages.page import as_html

    if importlib.util.find_spec("vl_convert") is None:
        raise SqlMetricsError("The charts of a page need vl-convert: pip install 'sqlmetrics[report]'")
    if title is not None and not isinstance(title, str):
        raise SqlMetricsError(f"title= takes a text, got {title!r}")
    asked = notations(metrics)
    kinds = None if curves is None else as_list(curves, "curves")
    for kind in kinds or []:
        render_curve("t", kind, label="label", score="score")  # which refuses a wrong notation
    of_interest = asked_metrics(asked)
    named, data = _named(data), _reusable(data)
    options = _with_names(data, options)
    period, scored = _period_and_models(data, options)
    if baseline is not None and baseline not in scored:
        raise SqlMetricsError(
            f"baseline={baseline!r} is no model.{did_you_mean(baseline, scored)}"
            f" Models: {counted(scored) or 'one, without a name'}"
        )
    if margin is not None:
        if len(scored) < 2:
            raise SqlMetricsError(
                "margin= is of the difference of models; pass two of them as score=, or leave it out"
            )
        named_metrics = [{"name": one.column, "notation": one.notation} for one in of_interest]
        macros("duckdb")["margins_of"](
            {"compared_metrics": named_metrics}, margin
        )  # which refuses a wrong one
    if period is not None:
        refuse_settled(options, OF_STATES)
    compared = baseline or scored[0] if len(scored) > 1 else None
    with _progress(progress) as show:
        call = Call(data, asked, of_interest, options, kinds, margin, show)
        if period is None:
            found = from_data(call, compared)
        else:
            found, options = from_state(call, period, compared)
        show("the page")
        subject = Subject(
            title=title or f"Metrics of {PurePath(named).name[:100] or named}",
            data=named,
            made=datetime.datetime.now(datetime.timezone.utc),
            version=sqlmetrics.__version__,
            options=options,
            asked=of_interest,
            baseline=compared,
            candidates=[model for model in scored if compared is not None and model != compared],
            spelled=SPELLED.get(),
        )
        return Page(as_html(subject, found))


def _reusable(data: Any) -> Any:
    """The data, or a table of each model, in a form that can be read several times."""
    from sqlmetrics.engines.tables import reusable

    tables = tables_in(data)
    return {name: reusable(table) for name, table in tables.items()} if tables else reusable(data)


def _with_names(data: Any, options: Options) -> Options:
    """The options with the names of models that a column holds, which are then asked for once."""
    if options.models is None or isinstance(options.models, Mapping):
        return options
    asked = Options(
        models=options.models, where=options.where, connection=options.connection, dialect=options.dialect
    )
    with opened(data, asked, reads=reads_of(asked)) as given:
        [names] = given.facts["models"].values()
    return replace(options, models={options.models: names})


def _models(data: Any, options: Options) -> list[str]:
    """The names of several models; empty for one score."""
    named = macros("duckdb")["named_scores"](options.score, options.models, tables_in(data) or None)
    return [str(name) for name in named] if isinstance(named, Mapping) else []


def _named(data: Any) -> str:
    """What a reader knows the data by: files, the name of a table, a query."""
    paths = data if isinstance(data, (list, tuple)) else [data]
    if isinstance(paths[0] if paths else None, State):
        return "a state"
    if paths and all(isinstance(path, (str, PurePath)) for path in paths):
        text = ", ".join(map(str, paths))
        return text if len(text) <= 300 else f"{text[:300]} …"
    return "a table in memory"


def _period_and_models(data: Any, options: Options) -> tuple[str | None, list[str]]:
    """The column of the period if the data are a state, else None, and the names of several models."""
    if tables_in(data):
        return None, _models(data, options)
    asked = Options(connection=options.connection, dialect=options.dialect)
    with opened(one_table(data), asked, reads=reads_of(asked)) as given:
        if not is_state(given.session.columns(given.relation)):
            return None, _models(data, options)
        facts = facts_of(given)
        return str(facts["period"]["name"]), [*facts["score"]] if isinstance(facts["score"], dict) else []


@contextmanager
def _progress(show: bool) -> Iterator[Callable[[str], None]]:
    """A line on standard error that says what is being computed, and for how long."""
    if not show:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as line:
        task = line.add_task("the data")
        yield lambda doing: line.update(task, description=doing)
