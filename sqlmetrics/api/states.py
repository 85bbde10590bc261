"""`state` and `finish`: metrics over many periods that read the data of each period once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.book import catalog
from sqlmetrics.book.plan import Plan, planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError
from sqlmetrics.given.columns import named_columns, sql
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.facts_of_state import (
    TEXTS,
    distinct,
    facts_of,
    held,
    is_state,
    no_state,
    period_of,
    refuse_state,
    said,
)
from sqlmetrics.given.models import refuse_tables
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.given.zones import expressions_in
from sqlmetrics.options import (
    OPTIONS,
    Convention,
    CurveKind,
    IntervalMethod,
    Key,
    Models,
    Names,
    OnBadRows,
    OnDuplicate,
    Options,
    Score,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.results.audited import Curve
from sqlmetrics.results.checks import checked, checked_points, checked_state
from sqlmetrics.results.report import Report, State


@with_options
def state(
    options: Options,
    data: Any,
    metrics: Metrics,
    *,
    period: str | Mapping[str, str],
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    prediction: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    intervals: bool = False,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> State:
    """Reduces data to a state: for each period and slice, the sums from which `finish` computes the metrics.

    States of different periods can be kept in one table or in several files. `finish` computes from them what
    `evaluate` would compute from all their rows. A list belongs to its period: the same group in two periods
    is two lists. Make each period by one call: one that is made again takes the place of the old one.

    A state records the columns of its roles as they are named here, its options and the version of its layout.
    `finish` refuses states in which these differ.

    For AUC and other metrics of score levels, a state has a row for each distinct score of a period and slice
    (with `weight`, one for each class). It is small if scores are rounded. `auc(bins=1000)` keeps one row for
    each bin instead, and adds an error bound to the metric.

    Args:
        data: as for `evaluate`, as are the arguments that are not explained here.
        metrics: the metrics to finish. Metrics that cannot be computed from sums, such as medians, are
            rejected, and so are metrics of classes and items.
        period: the column of the period, such as a day, or an expression with a name:
            `{"day": sm.sql("cast(time as date)")}`. `finish` computes metrics of one period or of many. The day of a
            timestamp with time zone is that in UTC, on a connection of yours that in the zone of its session, which
            the state then records.
        by: the columns whose values are the slices; `finish` reports the slices or combines them.
        models: as for `evaluate`. With `intervals`, metrics of lists keep pairs of the lists of a `group`; rows have
            no pairs, since nothing says which rows of two models belong together.
        where: as for `evaluate`. A state records it, and `finish` refuses states in which it differs.
        intervals: True keeps moments of rows and lists, too, from which `finish` makes the intervals of means, shares
            and other ratios of sums, and `compare` compares several models. A metric whose interval is made of more is
            refused: one of score levels such as `auc`, one of rows with `group`, a bootstrap.

    Returns:
        A `State`: a table with `write(path)` for a Parquet file, and the conversions of a report.

    Raises:
        SqlMetricsError: a metric that cannot be computed from a state, or whose interval cannot; the errors of
            `evaluate`.

    >>> monday = [{"day": "mon", "y": 1, "p": 0.9}, {"day": "mon", "y": 0, "p": 0.4}]
    >>> tuesday = [{"day": "tue", "y": 1, "p": 0.4}]
    >>> states = [state(day, "auc", period="day", label="y", score="p") for day in (monday, tuesday)]
    >>> finish(states, "auc").to_dicts()[0]["auc"]
    0.75
    """
    refuse_tables("state", data)
    with opened(data, options, reads=reads_of(options, notations=metrics, apart=period)) as given:
        refuse_state(given)
        given.facts["period"] = period_of(given.facts["columns"], period)
        given.note_zone(*expressions_in([period]))
        plan = given.plan("state_plan", metrics=notations(metrics), said=said(options), intervals=intervals)
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
    total_name: str | None = None,
    where: str | None = None,
    interval: float | None = None,
    interval_method: IntervalMethod | None = None,
    tightest_at: int | None = None,
    connection: Any = None,
    dialect: str | None = None,
) -> Report:
    """Computes metrics from a state, over all its periods or some of them, without reading the data again.

    The values are those of `evaluate` over the rows behind the state, with a separate list for each group and
    period.

    Args:
        state: one or several results of `state`; a table that holds them; Parquet files by path, glob or list
            of paths; or, with `connection`, a table name or a query.
        metrics: metrics of the state, or others that read the same sums.
        by: the columns of the state whose values are the slices: its period, some or all of its slices, or
            expressions of them such as `{"week": sm.sql("date_trunc('week', day)")}`. Slices of the state cannot be
            combined if a list lies in several of them.
        total: True adds a row for all slices together (`is_total`).
        where: an SQL condition on columns of the state, such as `"day between '2026-06-01' and
            '2026-06-30'"`. For metrics of lists it must select whole periods, unless `by` has all slices of
            the state and `total` is False.
        interval: as for `evaluate`, of a state that was made with `intervals=True`.
        interval_method, tightest_at: as for `evaluate`; a state that is finished every day takes
            `interval_method="anytime"`. A bootstrap draws rows, which a state does not hold.
        connection, dialect: as for `evaluate`.

    Returns:
        A `Report`, as from `evaluate`.

    Raises:
        SqlMetricsError: not a state; metrics that it does not hold, or not for all periods; states made with
            different columns or options, or by a later version; a period that is there twice. States of the
            first version do not say which columns they were made of, so this is not checked.

    >>> rows = [{"day": 1, "y": 1, "p": 0.8}, {"day": 1, "y": 0, "p": 0.2}, {"day": 2, "y": 0, "p": 0.2}]
    >>> daily = state(rows, ["brier", "base_rate"], period="day", label="y", score="p")
    >>> [(row["day"], row["base_rate"]) for row in finish(daily, "base_rate", by="day", where="day < 2").to_dicts()]
    [(1, 0.5), (None, 0.5)]
    """
    asked = notations(metrics)
    with reading(state, options) as given:
        plan = given.plan("finish_plan", metrics=asked)
        check_held(given, plan, asked.values() if isinstance(asked, dict) else asked, interval)
        table, statement = given.run(plan)
    return checked(table, given.by, statement, drop=True)


@with_options
def finish_curve(
    options: Options,
    state: Any,
    kind: CurveKind,
    *,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    connection: Any = None,
    dialect: str | None = None,
) -> Curve:
    """Computes a curve from a state, over all its periods or some of them, without reading the data again.

    Args:
        state: as for `finish`, as are all further arguments.
        kind: as for `curve`. A state that was made for `auc` holds `roc` and `precision_recall`; for `auc` and
            `base_rate` it holds `gain`; for `auc` and `brier`, `net_benefit`; for `ece` with the same bins, of rows
            without weights, `calibration`.

    Returns:
        A `Curve`, as from `curve`.

    Raises:
        SqlMetricsError: not a state; a curve that it does not hold.

    >>> rows = [{"day": 1, "y": 1, "p": 0.8}, {"day": 1, "y": 0, "p": 0.2}, {"day": 2, "y": 0, "p": 0.2}]
    >>> daily = state(rows, "ece(bins=2)", period="day", label="y", score="p")
    >>> [(bin["bin_rows"], bin["positive_rate"]) for bin in finish_curve(daily, "calibration(bins=2)").to_dicts()]
    [(2, 0.0), (1, 1.0)]
    """
    catalog.check_curve(kind)
    with reading(state, options) as given:
        plan = given.plan("finish_curve_plan", kind=kind)
        if _lacks(given, plan):
            lacks = macros(given.session.dialect)["lacks_for_curve"](plan.raw, given.relation.name, kind)
            raise SqlMetricsError(str(lacks))
        _refuse_no_numbers(given, plan)
        table, statement = given.run(plan)
    return Curve(*checked_points(table, given.by, statement, drop=True), kind)


@with_options
def render_state(
    options: Options,
    relation: str,
    metrics: Metrics,
    *,
    period: str | Mapping[str, str],
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    prediction: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    intervals: bool = False,
) -> str:
    """Returns the statement that `state` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `state` and `render`.

    >>> render_state("predictions", "rmse", period="day", label="y", score="p").splitlines()[-1]
    'from sm_row_sums'
    """
    facts = named_facts(relation, options)
    facts["period"] = period_of(facts["columns"], period)
    return written(
        planned(
            dialect,
            "state_plan",
            metrics=notations(metrics),
            said=said(options),
            intervals=intervals,
            **facts,
        )
    ).text


@with_options
def render_finish(
    options: Options,
    relation: str,
    metrics: Metrics,
    *,
    period: str,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    made_where: str | None = None,
    interval: float | None = None,
    interval_method: IntervalMethod | None = None,
    tightest_at: int | None = None,
    prediction: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """Returns the statement that `finish` would run, in any dialect. The state need not exist yet.

    The facts must be those with which the state was made, with columns named as for `render_state`; `made_where`
    is the `where` of that call. For a state made with other facts, or with a period that was made twice, the
    metrics are null, and a count says so.

    >>> render_finish("daily", "rmse", period="day", label="y", score="p").splitlines()[-2]
    '    from sm_row_sums'
    """
    facts = named_facts(relation, options)
    facts["period"] = period_of(facts["columns"], period)
    asked = {"metrics": notations(metrics), "made_where": made_where, "said": said(options)}
    return written(planned(dialect, "finish_plan", **asked, **facts)).text


def one_table(state: Any) -> Any:
    """The state itself, or one table that holds several states."""
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
def reading(state: Any, options: Options) -> Iterator[Opened]:
    """Opens a state as data, with the facts with which it was made."""
    with opened(one_table(state), options, reads=reads_of(options, every=True)) as given:
        read_facts(given, options)
        yield given


def opens_state(data: Any, options: Options) -> bool:
    """Whether data that can be read several times are a state."""
    asked = Options(connection=options.connection, dialect=options.dialect)
    with opened(data, asked, reads=reads_of(asked)) as given:
        return is_state(given.session.columns(given.relation))


def refuse_settled(options: Options, own: Iterable[str]) -> None:
    """Refuses an option that a state already holds; `own` are those of the call."""
    settled = Options()
    given = [name for name in OPTIONS if name not in own and getattr(options, name) != getattr(settled, name)]
    if given:
        raise SqlMetricsError(f"The data are {held(given)}")


def read_facts(given: Opened, options: Options) -> None:
    """Takes the facts of open data from the state that they are.

    Raises:
        SqlMetricsError: not a state; slices that it lacks; nothing selected; a slice of a period that is there twice.
    """
    given.facts.update(facts_of(given))
    check_slices(given, named_columns(options.by, "by"), "by", given.facts["period"]["name"])
    _refuse_where(given, options.where)
    _refuse_repeated(given, options.where)


def slices_of(given: Opened) -> list[str]:
    """The slices of an open state, if several are in it those that all have, in the order of its columns."""
    every = distinct(given, "sm_by")
    columns = given.session.columns(given.relation).types
    return [name for name in columns if all(_is_among(name, slices) for slices in every)]


def check_slices(given: Opened, columns: list[tuple[str, str]], role: str, *beside: str) -> None:
    """Refuses columns that are no slices of every state, and do not stand `beside` them, as the period does."""
    for slices in distinct(given, "sm_by") if columns else ():
        for _, name in columns:
            if not isinstance(name, sql) and not _is_among(name, ", ".join([*beside, slices])):
                known = ", ".join([*beside, *filter(None, [slices])]) or "none, since it has no slices"
                raise SqlMetricsError(
                    f"Column '{name}' ({role}=) is no slice of {given.relation.name}, or not of all states in it;"
                    f" {role}= takes {known}"
                )


def _is_among(name: str, names: str) -> bool:
    """Whether a column is in a list of names, as a state records its slices."""
    return f", {name}, ".lower() in f", {names}, ".lower()


def check_period(made: str, period: str | None) -> None:
    """Refuses periods to compare that are not those of the state."""
    if period is not None and not isinstance(period, sql) and period != made:
        raise SqlMetricsError(
            f"period= of a state is its period '{made}' or an expression of it, got {period!r}"
        )


def _refuse_where(given: Opened, where: str | None) -> None:
    """Refuses a condition that selects nothing."""
    if where is None:
        return
    query = str(macros(given.session.dialect)["left_of_state"](given.relation.text, where))
    if not number(given, query):
        raise DataError(f"where={where!r} leaves no row of {given.relation.name}")


def _refuse_repeated(given: Opened, where: str | None) -> None:
    """Refuses a slice of a period that is there twice.

    The statement counts periods that were made twice, by rows that a state of version 1 lacks.
    """
    slices = _columns_of_slices(given)
    if slices is None:
        return
    others = [*(["model"] if isinstance(given.facts["score"], dict) else []), *slices]
    columns, macro = given.session.columns(given.relation), macros(given.session.dialect)
    names = [columns.text(name, "by") for name in others]
    query = macro["repeated_in_state"](given.relation.text, where, given.facts["period"]["sql"], names)
    if repeated := number(given, str(query)):
        raise DataError(
            f"{repeated:,} slices of periods are more than once in {given.relation.name}, and would count as often;"
            " keep one state of each period"
        )


def _columns_of_slices(given: Opened) -> list[str] | None:
    """The columns of the slices of a state; None if the name of one has a comma."""
    columns = given.session.columns(given.relation)
    names = sorted({name for slices in distinct(given, "sm_by") for name in slices.split(", ") if name})
    return names if all(name in columns for name in names) else None


def refuse_lacking_models(given: Opened, models: Collection[str], where: str | None) -> None:
    """Refuses to compare models of which one lacks slices of periods that another has."""
    slices = _columns_of_slices(given) or []
    columns, macro = given.session.columns(given.relation), macros(given.session.dialect)
    names = [columns.text(name, "by") for name in slices]
    asked = [given.relation.text, where, given.facts["period"]["sql"], names, [*models]]
    if lacking := number(given, str(macro["parts_without_a_model"](*asked))):
        raise DataError(
            f"{lacking:,} periods, or slices of them, in {given.relation.name} lack one of the models"
            f" {', '.join(models)}; compare models that all of them have, or leave these periods out with where="
        )


def number(given: Opened, query: str) -> int:
    """The number that a query over the data counts."""
    return int(given.session.query(query, given.relation.name).column(0)[0].as_py() or 0)


def check_held(given: Opened, plan: Plan, metrics: Collection[str], interval: float | None = None) -> None:
    """Checks that the state holds the sums that a plan of metrics reads, with those of their intervals.

    Raises:
        SqlMetricsError: it lacks sums, and the message names the metrics; a sum is no number.
    """
    if _lacks(given, plan):
        lacking = [
            one
            for one in metrics
            if len(metrics) == 1 or _lacks(given, given.plan("finish_plan", metrics=[one]))
        ]
        if interval is not None and not _lacks(given, _without_interval(given, lacking)):
            raise SqlMetricsError(
                f"{given.relation.name} does not hold what the interval of {', '.join(lacking)} is made of; make it"
                " again by sm.state(...) with intervals=True, or leave out interval="
            )
        raise SqlMetricsError(
            f"{given.relation.name} does not hold what is needed for {', '.join(lacking)};"
            " make the state for it, too: sm.state(...)"
        )
    _refuse_no_numbers(given, plan)


def check_pairs_held(given: Opened, plan: Plan, metrics: list[str] | dict[str, str]) -> None:
    """Checks that the state holds the sums that a comparison of its models reads.

    Raises:
        SqlMetricsError: it lacks the pairs of models, or sums of a metric; a sum is no number.
    """
    known = {name.lower() for name in given.session.columns(given.relation).types}
    if not known.issuperset(macros(given.session.dialect)["columns_read_of_pairs"](plan.raw)):
        raise SqlMetricsError(
            f"{given.relation.name} does not hold what comparisons of its models are made of; make it again by"
            " sm.state(...) with intervals=True; in long form (models=) metrics of lists alone keep pairs"
        )
    check_held(given, plan, metrics.values() if isinstance(metrics, dict) else metrics)


def _without_interval(given: Opened, metrics: list[str]) -> Plan:
    """The plan of the values alone."""
    facts = {**given.facts, "interval": None, "interval_method": None, "tightest_at": None}
    return planned(given.session.dialect, "finish_plan", metrics=metrics, **facts)


def _lacks(given: Opened, plan: Plan) -> bool:
    """Whether the state lacks a column that a plan reads."""
    known = {name.lower() for name in given.session.columns(given.relation).types}
    return not known.issuperset(_read(given, plan))


def _refuse_no_numbers(given: Opened, plan: Plan) -> None:
    """Refuses sums that a plan reads and that are no numbers."""
    columns = given.session.columns(given.relation)
    for name in _read(given, plan):
        kind = columns.kind(name)
        if name not in TEXTS and kind not in ("", "a number"):
            raise no_state(columns.where, f"its column {name} is {kind} and has to be numbers")


def _read(given: Opened, plan: Plan) -> list[str]:
    """The columns of the state that a plan reads."""
    return list(macros(given.session.dialect)["columns_read_of_state"](plan.raw))
