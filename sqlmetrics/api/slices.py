"""`find_slices` and `render_find_slices`: the slices of the data in which a metric differs from the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.book.plan import planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import as_list, got
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.facts_of_state import refuse_state
from sqlmetrics.given.models import Choose, tables_in
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.given.repeats import repeated_key
from sqlmetrics.options import (
    Convention,
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
from sqlmetrics.results.checks import checked_slices
from sqlmetrics.results.slices import Slices

DatesBy = Literal["day", "week", "month"]


@with_options
def find_slices(
    options: Options,
    data: Any,
    metrics: Metrics,
    *,
    by: Names,
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    baseline: str | None = None,
    candidate: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    prediction: str | None = None,
    where: str | None = None,
    depth: int = 2,
    min_units: int = 200,
    numeric: Names = None,
    bins: int = 10,
    dates: Names = None,
    dates_by: DatesBy = "week",
    max_values: int = 50,
    interval: float = 0.95,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Slices:
    """Finds the slices of the data in which a model is worse or better than in the rest.

    A slice is a value of a column, such as one country, or the values of several columns together. Every slice
    of up to `depth` columns is looked at, over all rows, and compared with the rest of the data. Of a column with two
    values one is a slice, since the other is its rest: the greater number, or the rarer text. Given `baseline` and
    `candidate`, the difference of the two models in the slice is compared with that in the rest.

    Half of the units (rows; lists, with `group`) find slices and the other half confirms them, because an effect
    that was picked for its size is smaller on data that did not pick it. A hash splits the units, so the halves
    are the same on every engine and in any order of the rows. A slice that adds nothing to a slice of fewer
    columns is left out. The arguments not explained here are those of `evaluate`.

    Args:
        data: as for `evaluate`, a table for each model included.
        metrics: as for `evaluate`, but only ratios of sums over rows or lists (`log_loss`, `precision`,
            `ndcg@10`, `gauc`), roots of these (`rmse`), and `auc` and `gini` without `weight`.
        by: the columns whose values make the slices. NULL is a value.
        score: the score of one model; of two, as for `evaluate`, with the name of one of them as `baseline`.
        baseline: instead of `score`, the score of the model with which another is compared.
        candidate: the score of this other model, or its name in `score`. A row without the score of one model counts
            for neither.
        models: the column that names the model of a row, as for `evaluate`; `score` is then one column. One model is
            searched (`models={"run": ["new"]}`). Of several, as of tables, `baseline` and `candidate` name the two
            that are compared, and `group` pairs them as in `compare`.
        group: the list that a row belongs to. All rows of a list have the same value of a column of `by`.
        depth: the most columns that make a slice, 1 to 3.
        min_units: the fewest units of a slice, and of the rest.
        numeric: columns of `by` that are numbers, besides those whose type says so, such as expressions.
        bins: a number is divided into at most this many bins of equally many units, from 2 to 100. A number with at
            most 20 different values, or `bins` if that is more, is not divided: each value is a slice (`stars = 3`).
        dates: columns of `by` that are dates, besides those whose type says so.
        dates_by: the slices of a date: `day`, `week` (as `week of` its Monday) or `month`. A timestamp with time zone
            has its day in UTC, on a connection of yours in the zone of its session; a note names the zone.
        max_values: a column with more values keeps this many, the most frequent. All others are one value,
            `(other)`.
        interval: the confidence level of the intervals; 1 - `interval` is the level of the tests.

    Returns:
        A `Slices` with one row for each slice and metric: the confirmed slices first, then by the size of
        `impact`. Its columns:

        - `slice`: what it is, as text; the columns of `by`: the value as text, `(null)` for NULL, and null if the
          slice leaves the column open; `metric`
        - `n_rows`, `n_units`: the size of the slice: its rows (if rows are the units, those that can be used; those of
          both models, if each has rows of its own), and its units that count for the metric
        - `baseline_value`, `candidate_value`: with two models, their values
        - `value`, `rest`, `difference`: the metric in the slice and in the rest, and the first less the second.
          With two models, `value` and `rest` are the candidate's less the baseline's
        - `low`, `high`: the interval of the difference; `p_value`: its p-value by Welch's t, two-sided, with the
          larger of its standard error and that of units drawn from slice and rest alike; `q_value`: Benjamini and
          Hochberg's, over all slices that were looked at and all metrics. All these are of the half that finds
        - `confirmed_difference`, `confirmed_low`, `confirmed_high`, `confirmed_p_value`: the same of the other half
        - `confirmed`: whether `q_value` and `confirmed_p_value` are at most 1 - `interval`, and both differences
          have one sign
        - `impact`: `confirmed_difference` times the share of the slice, which is how far the slice moves the metric
          of the whole
        - `largest_share`: the share of the largest unit in what all units of the slice, of both halves, add to the
          metric, without signs. Above 0.1 a single unit decides much of the value; a note counts such slices

        For AUC the value of a slice is the mean of the AUC of its positive rows against all negative rows and that
        of its negative rows against all positive ones. It says how much the slice adds to the AUC of the whole, and
        is not the AUC within the slice.

    Raises:
        SqlMetricsError: a metric of another kind; groups with several values of a column of `by`; the errors
            of `evaluate`.

    >>> rows = [{"c": "ab"[i % 2], "d": i % 3, "y": i % 5 == 0, "p": 0.2 + 0.7 * (i % 2)} for i in range(900)]
    >>> found = find_slices(rows, "log_loss", by=["c", "d"], label="y", score="p")
    >>> [(row["slice"], row["n_rows"], row["confirmed"]) for row in found][:1]
    [('c = b', 450, True)]
    """
    choose = partial(_apart, baseline, candidate)
    if options.models is None and not tables_in(data):
        options = replace(options, score=_models(options.score, baseline, candidate))
    reads = reads_of(options, notations=metrics, numbers=numeric)
    with opened(data, options, reads=reads, choose=choose) as given:
        refuse_state(given)
        for name in as_list(numeric, "numeric"):
            given.labels.columns.number(name, "numeric")
        days = [*as_list(dates, "dates"), *_typed(given, ("DATE", "TIMESTAMP"))]
        given.note_zone(*days)
        plan = given.plan(
            "find_slices_plan",
            metrics=notations(metrics),
            depth=depth,
            min_units=min_units,
            numeric=[*as_list(numeric, "numeric"), *_typed(given, ("a number",))],
            bins=bins,
            dates=days,
            dates_by=dates_by,
            max_values=max_values,
        )
        table, statement = given.run(plan)
    further = repeated_key(data, options, "a test")
    return checked_slices(table, given.by, statement, options.drops_bad_rows, further)


@with_options
def render_find_slices(
    options: Options,
    relation: str | Mapping[str, str],
    metrics: Metrics,
    *,
    by: Names,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    baseline: str | None = None,
    candidate: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    prediction: str | None = None,
    where: str | None = None,
    depth: int = 2,
    min_units: int = 200,
    numeric: Names = None,
    bins: int = 10,
    dates: Names = None,
    dates_by: DatesBy = "week",
    max_values: int = 50,
    interval: float = 0.95,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """Returns the statement that `find_slices` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `find_slices` and `render`. The types of the columns are unknown, so `numeric` and
    `dates` name all numbers and dates of `by`; other columns are taken for categories.

    >>> asked = {"label": "y", "score": "p", "by": ["country", "age"], "numeric": "age"}
    >>> render_find_slices("predictions", "brier", **asked).splitlines()[-1]
    '    sm_slices_found.sm_slice asc'
    """
    choose: Choose | None = partial(_apart, baseline, candidate)
    if options.models is None and not isinstance(relation, Mapping):
        options, choose = replace(options, score=_models(options.score, baseline, candidate)), None
    facts = named_facts(relation, options, choose)
    plan = planned(
        dialect,
        "find_slices_plan",
        metrics=notations(metrics),
        depth=depth,
        min_units=min_units,
        numeric=as_list(numeric, "numeric"),
        bins=bins,
        dates=as_list(dates, "dates"),
        dates_by=dates_by,
        max_values=max_values,
        **facts,
    )
    return written(plan).text


def _models(score: Any, baseline: Any, candidate: Any) -> Any:
    """The score column, or both by the name of the argument."""
    models = isinstance(score, Mapping) and baseline is not None
    one = {} if models else {"score": score}
    for role, column in {**one, "baseline": baseline, "candidate": candidate}.items():
        if column is not None and not isinstance(column, str):
            raise SqlMetricsError(
                f"{role}= of find_slices takes one column name or sm.sql(...), got {got(column)};"
                " two models are written baseline= and candidate="
            )
    found = macros("duckdb")["searched_models"](score, baseline, candidate)
    return {name: column for name, column in found.items() if column is not None} or None


def _apart(baseline: str | None, candidate: str | None, score: Any) -> dict[str, Any]:
    """The score of the one model that has rows of its own, or those of the two that are named."""
    return dict(macros("duckdb")["searched_apart"](baseline, candidate, score))


def _typed(given: Opened, kinds: tuple[str, ...]) -> list[str]:
    """The columns of `by` whose type is of a kind."""
    return [name for name in given.by if given.labels.columns.kind(name).startswith(kinds)]
