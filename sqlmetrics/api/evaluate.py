"""`evaluate` and `render`: from what the user says to a plan, its statement and, where data is at hand, its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmetrics import catalog
from sqlmetrics.columns import as_list
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.facts import named_facts, opened
from sqlmetrics.options import (
    IntervalMethod,
    Names,
    OnBadRows,
    OnDuplicate,
    OnExtra,
    Options,
    Score,
    ScoreLevels,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.plan import count_levels, planned, written
from sqlmetrics.results.checks import checked
from sqlmetrics.results.report import Report

Metrics = str | Iterable[str] | Mapping[str, str]


@with_options
def evaluate(
    options: Options,
    data: Any,
    metrics: Metrics,
    *,
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    truth: Any = None,
    subtopic: str | None = None,
    prediction: str | None = None,
    catalog: Any = None,
    history: Any = None,
    distances: Any = None,
    category: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float | None = None,
    interval_method: IntervalMethod | None = None,
    n_resamples: int = 200,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Report:
    """Computes any number of metrics over data, by slice and in total, in one statement.

    A column is named (it is looked up and quoted) or written as an expression, `sm.sql("clicks > 0")`.

    Args:
        data: a path, glob or list of paths (Parquet, CSV, JSON), an Arrow table, dataset or reader, a pandas or
            polars frame (lazy ones too), a DuckDB relation, a list of dicts, a Spark DataFrame; together with
            `connection`, the name of a table there or a query.
        metrics: notations such as `["auc", "ndcg@10", "precision(threshold=0.3)"]`, or a mapping of result
            columns to them.
        label: the truth of a row: 0/1, a boolean, a grade, a number to predict, or a text (see `positive`).
        score: what the model said; higher is more relevant. `{"a": "score_a", "b": "score_b"}` gives a row a model.
        group: the list (query, user, session) that a row belongs to; list metrics need it.
        item: what is listed; with it an item twice in a list is an error, and it joins `truth`.
        weight: the weight of a row, >= 0; for list metrics the weight of the list, the same in all its rows.
        by: columns whose values are the slices.
        total: whether a row for all slices together comes too (`is_total`).
        truth: a second table of group, item and label: what was relevant, listed or not. `data` then has no label.
            A column of `by` is taken from the truth if it is there, where it must be the same for a whole group;
            otherwise every group of the truth is due in each of its values (days, models).
        subtopic: for metrics of diversity such as `alpha_ndcg@10`: a column of `truth`, which then has a row for each
            group, item and subtopic. For other metrics an item is relevant if it is for any subtopic.
        prediction: the predicted class, of the label's type. It decides in place of a score at a threshold, unless a
            metric names one, and opens averages over classes: `accuracy`, `f1(average=macro)`, `recall(class=cat)`.
        catalog: for metrics of items: a table of the items that could be recommended, in the column of `item`.
        history: for metrics of items: a table of past (training) interactions, with the columns of `group` and `item`.
        distances: for `diversity`: a table of `item_a`, `item_b` and `distance`, a pair in either order.
        category: for `diversity`: the column of `catalog` with an item's category.
        max_grade: the highest grade of the scale; `err` needs it.
        positive: from which label on a row is positive and an item relevant; for a text label, the positive text.
        ties: how tied scores rank in a list: `average` (the expectation; the default), `worst`, `best`, `item` or
            `item desc`.
        convention: the library whose definitions are the defaults, such as `trec_eval` (see `conventions`); what a
            notation says, and `ties`, beat it. A metric that the library lacks keeps our defaults, and a note says so.
        on_extra: what becomes of a list of the data that the truth lacks: `drop` (left out and counted) or `error`.
        on_duplicate: what becomes of an item that a list has twice: `error`, or `first` to keep its best-ranked row
            (highest score, then highest label) and count the others in `rows_duplicate`; metrics over rows take all.
        unjudged: what an item is that nobody judged: `not_relevant` or `drop` (left out of its list and counted in
            `rows_unjudged`). With `truth` those are listed items that it lacks, by default not relevant; without,
            rows that have no label, which are bad rows unless this is given.
        interval: a confidence level such as 0.95: adds `<metric>_low` and `<metric>_high`, null where data are too few.
        interval_method: `exact` for Clopper-Pearson's interval of shares, `logit` for an interval of AUC that stays in
            [0, 1], `bootstrap` for all metrics; without it each metric has the interval that suits it.
        n_resamples: how often the bootstrap draws lists (where there is a `group`) or rows, for the metrics without a
            formula for their interval and with `interval_method="bootstrap"`. The draws are the same in every run, on
            every engine and for every model; they cost about that many times what the metrics do. There is none, and so
            no interval, with `subtopic`, of counts (`count`, `tp` ...) and `max_error`, and of `user_coverage` with a
            history.
        on_bad_rows: `error`, or `drop` to leave out and count rows with a NULL, NaN or infinite label, score or weight,
            or a NULL group or item.
        connection: where the data is: an open connection of DuckDB, of the DB-API 2.0 (psycopg, sqlite3, PyMySQL,
            snowflake.connector ...) or of ADBC, a SparkSession, a session of chdb or a client of ClickHouse, or a
            SessionContext of DataFusion. `data`, `truth`, `catalog`, `history` and `distances` then are names of tables
            there, or queries (Spark and DataFusion take their DataFrames, DuckDB anything else, too). One statement
            goes there and its result comes back; nothing is committed.
        dialect: what the connection speaks, where that does not follow from its driver: `redshift` through psycopg.

    Returns:
        A `Report`: the columns of `by`, `is_total`, `model`, the counts, and a float or null for each metric.

    Raises:
        SqlMetricsError: something cannot be read or done; the message says what is allowed.

    >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
    >>> evaluate(rows, "auc", label="y", score="p").to_dicts()[0]["auc"]
    0.75
    """
    with opened(data, options) as given:
        plan = given.plan("plan", metrics=notations(metrics))
        if plan.over_levels and given.scores_repeat():
            count_levels(plan)
        table, statement = given.run(plan)
    return checked(table, given.by, statement, options.drops_bad_rows)


@with_options
def render(
    options: Options,
    metrics: Metrics,
    relation: str,
    *,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    truth: str | None = None,
    truth_by: Names = None,
    subtopic: str | None = None,
    prediction: str | None = None,
    catalog: str | None = None,
    history: str | None = None,
    distances: str | None = None,
    category: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float | None = None,
    interval_method: IntervalMethod | None = None,
    n_resamples: int = 200,
    score_levels: ScoreLevels = "sorted",
) -> str:
    """The statement that `evaluate` would run, for any dialect, over a relation that need not be at hand.

    Broken data do not raise here: a metric that they would make wrong is null, and the result counts why.

    Args:
        metrics: as for `evaluate`.
        relation: a table name or a query, as SQL.
        dialect: an engine of `sql/dialects/`.
        truth: a table name or a query, as SQL; `truth_by`: those of `by` that it has.
        catalog, history, distances: table names or queries, as SQL.
        score_levels: `counted` where scores take few values, `sorted` otherwise; the numbers are the same.

    The other arguments are those of `evaluate`; names are quoted and not looked up.

    Raises:
        SqlMetricsError: an unknown metric, parameter or dialect; a role that a metric needs and was not given.

    >>> print(render("rmse", "predictions", label="y", score="p").splitlines()[-2])
        cast(sqrt((cast(sm_squared_error as double) / nullif(cast(sm_weights as double), 0))) as double) as "rmse"
    """
    facts = named_facts(relation, options)
    return written(planned(dialect, "plan", metrics=notations(metrics), **facts)).text


def notations(metrics: Metrics) -> list[str] | dict[str, str]:
    """The metrics as macros take them, each of them known."""
    asked: Any = dict(metrics) if isinstance(metrics, Mapping) else as_list(metrics, "metrics")
    for notation in asked.values() if isinstance(asked, dict) else asked:
        catalog.check(notation)
    for name in asked if isinstance(asked, dict) else ():
        if not isinstance(name, str) or not name.strip():
            raise SqlMetricsError(f"A mapping of metrics names result columns by text, got {name!r}")
    return asked  # type: ignore[no-any-return]
