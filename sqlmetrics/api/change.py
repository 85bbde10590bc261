"""`explain_change` and `render_explain_change`: why a metric moved from one period to another."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from sqlmetrics.api.states import check_held, check_period, one_table, read_facts
from sqlmetrics.book import catalog
from sqlmetrics.book.plan import planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError
from sqlmetrics.given.columns import got, named_columns
from sqlmetrics.given.conditions import check_condition
from sqlmetrics.given.facts import named_facts, named_table, opened
from sqlmetrics.given.facts_of_state import is_state, period_of, said
from sqlmetrics.given.models import tables_in
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.periods import refuse_no_period
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import (
    Convention,
    Key,
    Models,
    Names,
    OnBadRows,
    OnDuplicate,
    Options,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.results.change import Change
from sqlmetrics.results.checks import checked_change

Base = Literal["midpoint", "before"]
Period = str | float | bool | datetime.date | None  #: a value of the column of periods
#: the columns of the result that count the rows of the periods
ROWS = {"before": "n_rows_before", "after": "n_rows_after"}


@with_options
def explain_change(
    options: Options,
    data: Any,
    metric: str,
    *,
    by: Names,
    period: str | None = None,
    before: Period = None,
    after: Period = None,
    reference: Any = None,
    base: Base = "midpoint",
    label: str | None = None,
    score: str | None = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    prediction: str | None = None,
    total_name: str | None = None,
    where: str | None = None,
    interval: float = 0.95,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Change:
    """Explains why a metric moved from one period to another: by slices, and by mix and rate.

    A metric is a sum over units (rows; lists, for metrics of lists) divided by another one. The share of a slice
    is its share of the divisor, its value is the metric in the slice. So the metric is the sum of share times
    value over slices, and its change is exactly the sum of the effects of slices:

    - mix: the change of the share, times how far the slice's value lies above the metric of all slices
    - rate: the change of the value, times the share

    A slice that exists in one period only counts in the other one with the same value: its whole effect is mix. The
    whole effect of a slice whose divisor is 0 is mix, too, such as `wape` where all labels are 0; it has no value.
    The arguments not explained here are those of `evaluate`.

    Args:
        data: as for `evaluate`; or a state, as for `finish`, which is not read again and needs no columns but
            those of `by`.
        metric: a ratio of sums over rows or lists (`log_loss`, `precision`, `ndcg@10`, `gauc`). Of a root take what
            is under it: `mse` instead of `rmse`.
        by: the columns whose values are the slices. Several columns are crossed. NULL is a value.
        period: the column of the period, or an expression such as `sm.sql("date_trunc('month', day)")`. A state
            knows its own.
        before: the value of `period` in the earlier period, as text, number, boolean or date.
        after: its value in the later period.
        reference: instead of `period`, `before` and `after`: other data with the same columns, which are the period
            before.
        models: of rows of several models, the column that names the model of a row, with the one whose change is
            explained: `{"run": ["new"]}`.
        base: what shares and values are weighed by. `midpoint` is the mean of both periods. `before` is the earlier
            period; then a third part, `interaction`, is the change of the share times the change of the value.
        interval: the confidence level of the intervals. The units of the two periods, and those of each, are taken
            to be independent.

    Returns:
        A `Change` with one row for each slice, the largest effect first, and one for all slices (`is_total`). Its
        columns:

        - the columns of `by`, `is_total`
        - `n_rows_before`, `n_rows_after`; `n_units_before`, `n_units_after`: the units that count for the metric,
          not of a state
        - `share_before`, `share_after`; `value_before`, `value_after`, null without units
        - `mix`, `rate`, `interaction` (with `base="before"`); `effect`, their sum. Those of all slices add up to the
          change of the metric
        - `low`, `high`: the interval of `effect`; `mix_low`, `mix_high`, `rate_low`, `rate_high`: those of its
          parts. A state holds no sums of squares, and has no intervals

        A note says if all slices moved against the total (Simpson's paradox).

    Raises:
        SqlMetricsError: a metric that is no such ratio, such as `auc`; a period without rows; groups with several
            values of a column of `by`; the errors of `evaluate` and `finish`.

    >>> day = {1: [("a", 1)] * 6 + [("a", 0)] * 2 + [("b", 0)] * 2, 2: [("a", 1)] * 4 + [("b", 0)] * 6}
    >>> rows = [{"day": d, "shop": shop, "y": y} for d in day for shop, y in day[d]]
    >>> why = explain_change(rows, "base_rate", by="shop", period="day", before=1, after=2, label="y")
    >>> [(row["shop"], round(row["mix"], 3), round(row["rate"], 3), round(row["effect"], 3)) for row in why]
    [('b', -0.2, 0.0, -0.2), ('a', -0.15, 0.15, 0.0), (None, -0.35, 0.15, -0.2)]
    """
    _check(metric, score)
    periods = {"before": _text(before), "after": _text(after)}
    reads = reads_of(options, notations=metric, apart=period)
    with opened(one_table(data), options, reads=reads, choose=_one_model) as given:
        if options.models is not None or tables_in(data):
            (given.facts["score"],) = given.facts["score"].values()
        asked = {"metric": metric, "period": None, **periods, "base": base}
        if is_state(given.facts["columns"]):
            read_facts(given, options)
            made = given.facts.pop("period")
            if isinstance(given.facts["score"], dict):
                raise SqlMetricsError(
                    f"{given.relation.name} is a state of several models; explain one model at a time, by a state of"
                    " its score"
                )
            check_period(made["name"], period)
            asked |= {"of_state": True, "made_period": made, "period": made["sql"]}
        columns = given.session.columns(given.relation)
        if period is not None:
            asked["period"] = columns.text(period, "period")
            given.note_zone(period)
        if reference is not None:
            _open_reference(given, reference, score, options)
            asked["two_tables"] = True
        plan = given.plan("explain_change_plan", **asked)
        if "of_state" in asked:
            check_held(given, plan, [metric])
        table, statement = given.run(plan)
        if reference is None:
            refuse_no_period(given, table, ROWS, asked["period"], periods, options.where)
        for side, name in (("before", "reference="), ("after", "the data")):
            if not any(table.column(ROWS[side]).to_pylist()):
                raise DataError(f"There is no row in {name}, and so no change to explain")
    return checked_change(table, given.by, statement, options.drops_bad_rows or "of_state" in asked)


@with_options
def render_explain_change(
    options: Options,
    relation: str | Mapping[str, str],
    metric: str,
    *,
    by: Names,
    period: str | None = None,
    before: Period = None,
    after: Period = None,
    reference: str | None = None,
    base: Base = "midpoint",
    of_state: bool = False,
    made_period: str | None = None,
    dialect: str = "duckdb",
    label: str | None = None,
    score: str | None = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    prediction: str | None = None,
    total_name: str | None = None,
    where: str | None = None,
    made_where: str | None = None,
    interval: float = 0.95,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """Returns the statement that `explain_change` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `explain_change` and `render`; `reference` is a table name or a query, as SQL.

    Args:
        of_state: True for a state. The facts must then be those with which it was made, as for `render_finish`.
        made_period: of a state, the column of its periods, if `period` is an expression of it.
        made_where: of a state, the `where` of the call that made it.

    >>> asked = {"label": "y", "score": "p", "by": "country", "period": "day", "before": 1, "after": 2}
    >>> render_explain_change("predictions", "brier", **asked).splitlines()[-1]
    '    sm_counted_in asc'
    """
    _check(metric, score)
    apart = options.models is not None or (isinstance(relation, Mapping) and bool(relation))
    facts = named_facts(relation, options, _one_model if apart else None)
    if apart:
        (facts["score"],) = facts["score"].values()
    columns = facts["columns"]
    if reference is not None:
        text = facts["score"]
        earlier = {"sql": text, "relation": named_table(reference, "reference")}
        facts["score"] = {"before": earlier, "after": text}
    asked: dict[str, Any] = {"before": _text(before), "after": _text(after), "base": base}
    asked["period"] = None if period is None else columns.text(period, "period")
    if of_state:
        made = period if made_period is None else made_period
        asked |= {"said": said(options), "made_where": made_where}
        asked["made_period"] = None if made is None else period_of(columns, made)
    elif made_period is not None or made_where is not None:
        raise SqlMetricsError(
            "made_period= and made_where= are of a state; leave them out, or pass of_state=True"
        )
    plan = planned(
        dialect,
        "explain_change_plan",
        metric=metric,
        two_tables=reference is not None,
        of_state=of_state,
        **asked,
        **facts,
    )
    return written(plan).text


def _check(metric: Any, score: Any) -> None:
    """Refuses what is not one known metric of one model."""
    if not isinstance(metric, str):
        raise SqlMetricsError(f"explain_change takes one metric, such as 'log_loss', got {metric!r}")
    if len(catalog.split_notations(metric)) > 1:
        raise SqlMetricsError(
            f"explain_change takes one metric, got '{metric}'; ask for each in a call of its own"
        )
    catalog.check(metric)
    if score is not None and not isinstance(score, str):
        raise SqlMetricsError(
            f"score= of explain_change takes one column name or sm.sql(...), got {got(score)};"
            " explain one model at a time"
        )


def _one_model(score: Any) -> dict[str, Any]:
    """The score of the one model that has rows of its own."""
    return dict(macros("duckdb")["explained_model"](score))


def _text(period: Period) -> Any:
    """A period for a macro, which takes texts and numbers."""
    return str(period).removesuffix(" 00:00:00") if isinstance(period, datetime.date) else period


def _open_reference(given: Opened, reference: Any, score: str | None, options: Options) -> None:
    """Makes a second table with the columns that are read the period before."""
    relation = replace(given.session.open(reference, "reference", given.reads), name="reference=")
    columns, others = given.session.columns(given.relation), given.session.columns(relation)
    check_condition(given.session, relation, options.where)
    roles = ("label", "group", "item", "weight", "prediction", "score")
    read = [(role, getattr(options, role)) for role in roles]
    for role, name in [*read, *(("by", column) for _, column in named_columns(options.by, "by"))]:
        if name is not None:
            columns.check_same(others, name, role)
    earlier = None if score is None else others.number(score, "score")
    own = {"sql": earlier, "relation": relation.text, "read_once": relation.read_once}
    given.facts["score"] = {"before": own, "after": given.facts["score"]}
    given.facts["columns"] = columns.shared(others)
