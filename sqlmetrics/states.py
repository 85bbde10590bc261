"""`state` and `finish`: metrics over many periods, each of which is read once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlmetrics import catalog
from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.columns import sql
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.facts import Opened, named_facts, opened
from sqlmetrics.facts_of_state import distinct, facts_of, period_of
from sqlmetrics.options import Names, OnBadRows, OnDuplicate, Options, Score, Ties, Unjudged, with_options
from sqlmetrics.plan import Plan, planned, written
from sqlmetrics.results.checks import checked, checked_points, checked_state
from sqlmetrics.results.report import Curve, Report, State
from sqlmetrics.templates import macros


@with_options
def state(
    options: Options,
    data: Any,
    metrics: Metrics,
    *,
    period: str,
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    prediction: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> State:
    """Reduces data to what `finish` needs of it: for each period and slice the sums that the metrics are made of.

    States of different periods lie beside each other, in one table or in files, and `finish` makes of them what
    `evaluate` would give of all their rows. For AUC and other metrics of score levels a state has a row for each
    distinct score of a period and slice, which is small where scores are rounded; `auc(bins=1000)` keeps a row a bin
    instead, and gives an error bound beside the metric. A list is one of its period: the same group in two periods
    is two lists.

    Args:
        data: as for `evaluate`, as are the arguments that are not explained here.
        metrics: the metrics that shall be finished. Those that sums do not make, such as medians, and those of classes
            and items are refused.
        period: the column (or `sm.sql("cast(time as date)")`) whose values, such as days, are finished together or
            apart.
        by: columns whose values are slices, to be finished as they are or rolled up.

    Returns:
        A `State`: a table with `write(path)` for a Parquet file, and the conversions of a report.

    Raises:
        SqlMetricsError: a metric that no state makes; whatever `evaluate` refuses.

    >>> monday = [{"day": "mon", "y": 1, "p": 0.9}, {"day": "mon", "y": 0, "p": 0.4}]
    >>> tuesday = [{"day": "tue", "y": 1, "p": 0.4}]
    >>> states = [state(day, "auc", period="day", label="y", score="p") for day in (monday, tuesday)]
    >>> finish(states, "auc").to_dicts()[0]["auc"]
    0.75
    """
    with opened(data, options) as given:
        plan = given.plan(
            "state_plan", metrics=notations(metrics), period=period_of(given.facts["columns"], period)
        )
        table, statement = given.run(plan)
    return checked_state(table, statement, options.drops_bad_rows)


@with_options
def finish(
    options: Options,
    state: Any,
    metrics: Metrics,
    *,
    by: Names = None,
    total: bool = True,
    where: str | None = None,
    connection: Any = None,
    dialect: str | None = None,
) -> Report:
    """Makes metrics of a state, over whatever periods it has, without reading the data again.

    The numbers are those of `evaluate` over the rows that the state was made of, where each list is one of its period.

    Args:
        state: what `state` gave, or several of it; a table of it, or Parquet files by path, glob or list of paths; or a
            table name or query together with `connection`.
        metrics: those of the state, or some of them, or others that read the same sums.
        by: columns of the state whose values are the slices: its period, some or all of its slices, or expressions of
            them such as `sm.sql("date_trunc('week', day)")`. Lists that lie in several slices of the state cannot be
            rolled up.
        total: whether a row for all slices together comes too (`is_total`).
        where: an SQL condition on columns of the state, such as `"day between '2026-06-01' and '2026-06-30'"`. For
            metrics of lists it takes periods whole, unless `by` has all slices of the state and `total` is False.
        connection, dialect: as for `evaluate`.

    Returns:
        A `Report`, as of `evaluate`.

    Raises:
        SqlMetricsError: no state; metrics that it does not hold; states of different facts together.

    >>> rows = [{"day": 1, "y": 1, "p": 0.8}, {"day": 1, "y": 0, "p": 0.2}, {"day": 2, "y": 0, "p": 0.2}]
    >>> daily = state(rows, ["brier", "base_rate"], period="day", label="y", score="p")
    >>> [(row["day"], row["base_rate"]) for row in finish(daily, "base_rate", by="day", where="day < 2").to_dicts()]
    [(1, 0.5), (None, 0.5)]
    """
    asked = notations(metrics)
    with _reading(state, options) as given:
        _refuse_lacking(given, asked)
        plan = given.plan("finish_plan", metrics=asked, where=where)
        _refuse_where(given, plan, where)
        table, statement = given.run(plan)
    return checked(table, given.by, statement, drop=True)


@with_options
def finish_curve(
    options: Options,
    kind: str,
    state: Any,
    *,
    by: Names = None,
    total: bool = True,
    where: str | None = None,
    connection: Any = None,
    dialect: str | None = None,
) -> Curve:
    """Makes a curve of a state, over whatever periods it has, without reading the data again.

    Args:
        kind: as for `curve`. `roc`, `precision_recall`, `gain` and bins of equal count read the score levels of a
            state, which `auc` has it hold; `calibration` reads bins of its own number, which `ece(bins=...)` has it
            hold.
        state: as for `finish`, as are all further arguments.

    Returns:
        A `Curve`, as of `curve`.

    Raises:
        SqlMetricsError: no state; a curve that it does not hold.

    >>> rows = [{"day": 1, "y": 1, "p": 0.8}, {"day": 1, "y": 0, "p": 0.2}, {"day": 2, "y": 0, "p": 0.2}]
    >>> daily = state(rows, "ece(bins=2)", period="day", label="y", score="p")
    >>> [(bin["bin_rows"], bin["positive_rate"]) for bin in finish_curve("calibration(bins=2)", daily).to_dicts()]
    [(2, 0.0), (1, 1.0)]
    """
    catalog.check_curve(kind)
    with _reading(state, options) as given:
        plan = given.plan("finish_curve_plan", kind=kind, where=where)
        if _lacks(given, plan):
            raise SqlMetricsError(
                f"{given.relation.name} does not hold the score levels or bins of {kind}; make the state for"
                " auc, or for ece with as many bins, too: sm.state(...)"
            )
        _refuse_where(given, plan, where)
        table, statement = given.run(plan)
    return Curve(*checked_points(table, given.by, statement, drop=True))


@with_options
def render_state(
    options: Options,
    metrics: Metrics,
    relation: str,
    *,
    period: str,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    prediction: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """The statement that `state` would run, for any dialect, over a relation that need not be at hand.

    The arguments are those of `state` and `render`.

    >>> render_state("rmse", "predictions", period="day", label="y", score="p").splitlines()[-1]
    'from sm_row_sums'
    """
    facts = named_facts(relation, options)
    facts["period"] = period_of(facts["columns"], period)
    return written(planned(dialect, "state_plan", metrics=notations(metrics), **facts)).text


@with_options
def render_finish(
    options: Options,
    metrics: Metrics,
    relation: str,
    *,
    period: str,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    where: str | None = None,
    prediction: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """The statement that `finish` would run, for any dialect, over a state that need not be at hand.

    The facts are those that the state was made with. A state of other facts gives null metrics, and a count.

    >>> render_finish("rmse", "daily", period="day", label="y", score="p").splitlines()[-1]
    'from sm_row_sums'
    """
    facts = named_facts(relation, options)
    facts["period"] = period_of(facts["columns"], period)
    return written(planned(dialect, "finish_plan", metrics=notations(metrics), where=where, **facts)).text


def _one_table(state: Any) -> Any:
    """The state, or the table of several."""
    states = [state] if isinstance(state, State) else state
    if not (isinstance(states, (list, tuple)) and any(isinstance(each, State) for each in states)):
        return state
    for each in states:
        if not isinstance(each, State):
            raise SqlMetricsError(f"A list of states holds nothing else, got {type(each).__name__}")
    import pyarrow as pa

    try:
        return pa.concat_tables([each.to_arrow() for each in states], promote_options="permissive")
    except pa.ArrowException as error:
        raise SqlMetricsError(f"The states have columns of different types: {error}") from error


@contextmanager
def _reading(state: Any, options: Options) -> Iterator[Opened]:
    """Opens a state, with the facts that it was made with in place of those of data."""
    with opened(_one_table(state), options) as given:
        given.facts.update(facts_of(given))
        _refuse_no_slices(given)
        yield given


def _refuse_no_slices(given: Opened) -> None:
    """Refuses columns of by= that are neither the period nor a slice of every state at hand.

    Raises:
        SqlMetricsError: see there.
    """
    period = given.facts["period"]["name"]
    for slices in distinct(given, "sm_by"):
        for name in given.by:
            if not isinstance(name, sql) and f", {name}, ".lower() not in f", {period}, {slices}, ".lower():
                raise SqlMetricsError(
                    f"Column '{name}' (by=) is no slice of {given.relation.name}, or not of all states in it; by= takes"
                    f" {', '.join([period, *filter(None, [slices])])}"
                )


def _refuse_where(given: Opened, plan: Plan, where: str | None) -> None:
    """Refuses a condition that leaves nothing, or parts of periods whose lists cannot be told apart.

    Raises:
        SqlMetricsError: see there; no condition.
    """
    if where is None:
        return
    if not isinstance(where, str) or not where.strip():
        raise SqlMetricsError(f"where= takes an SQL condition such as \"day >= '2026-06-01'\", got {where!r}")
    macro = macros(given.session.dialect)
    period, models = given.facts["period"], isinstance(given.facts["score"], dict)
    query = str(macro["left_of_state"](given.relation.text, where, period["sql"], models))
    left, divided = (column[0].as_py() for column in given.session.query(query, given.relation.name).columns)
    if not left:
        raise SqlMetricsError(f"where={where!r} leaves no row of {given.relation.name}")
    as_they_are = distinct(given, "sm_by") == [str(macro["slices_of_state"](plan.raw))] and not plan.total
    if divided and plan.over_lists and not as_they_are:
        raise SqlMetricsError(
            f"where={where!r} leaves out slices, and metrics of lists are made of whole periods; write a condition on"
            f" '{period['name']}' alone, or all slices of the state as by= with total=False"
        )


def _refuse_lacking(given: Opened, asked: Any) -> None:
    """Refuses metrics of which the state lacks sums, by name.

    Raises:
        SqlMetricsError: see there.
    """

    def lacks(metrics: Any) -> bool:
        return _lacks(given, given.plan("finish_plan", metrics=metrics))

    if lacks(asked):
        lacking = [one for one in (asked.values() if isinstance(asked, dict) else asked) if lacks(one)]
        raise SqlMetricsError(
            f"{given.relation.name} does not hold what is needed for {', '.join(lacking)};"
            " make the state for it, too: sm.state(...)"
        )


def _lacks(given: Opened, plan: Plan) -> bool:
    """Whether the state lacks a column that a plan reads."""
    known = {name.lower() for name in given.session.columns(given.relation).types}
    return not known.issuperset(macros(given.session.dialect)["columns_of_state"](plan.raw))
