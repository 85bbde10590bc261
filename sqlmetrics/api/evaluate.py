"""`evaluate` and `render`: plan a call, write its statement and, if there is data, run it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmetrics.book import catalog
from sqlmetrics.book.plan import Plan, count_levels, planned, written
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import as_list
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.facts_of_state import refuse_state
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.given.repeats import repeated_key
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
    ScoreLevels,
    Ties,
    TotalOf,
    Unjudged,
    with_options,
)
from sqlmetrics.results.checks import checked
from sqlmetrics.results.report import Report

Metrics = str | Iterable[str] | Mapping[str, str]


@with_options
def evaluate(
    options: Options,
    data: Any = None,
    metrics: Metrics = (),
    *,
    y_true: Any = None,
    y_score: Any = None,
    y_pred: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    label: str | None = None,
    gold: str | None = None,
    gold_weight: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_of: TotalOf = "rows",
    total_name: str | None = None,
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
    interval: float | None = None,
    interval_method: IntervalMethod | None = None,
    tightest_at: int | None = None,
    n_resamples: int = 200,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Report:
    """Computes any number of metrics over data, by slice and in total, in one statement.

    A column is a name, which is looked up and quoted, or an expression: `sm.sql("clicks > 0")`.

    Args:
        data: a path, glob or list of paths (Parquet, CSV, JSON; a column of a text file has the type of its role, and
            identities keep their text); an Arrow table, dataset or reader; a pandas
            or polars frame (also a lazy one); a DuckDB relation; a list of dicts; a mapping of names to arrays or
            lists; a Spark DataFrame. With `connection`, it may be a table name or a query. Where each model has a
            table of its own, a mapping of model names to tables, `{"old": "old.parquet", "new": frame}`, all with the
            same columns.
        metrics: notations such as `["auc", "ndcg@10", "precision(threshold=0.3)"]`, or a mapping of column
            names to notations.
        y_true, y_score, y_pred, groups, sample_weight: in place of `data`, the values of label, score,
            prediction, group and weight: numpy arrays, lists, series or tensors of one length. They are matched
            by place; an index is not read. A `y_score` of two dimensions, (rows, classes), is `class_scores`: its
            columns are the classes after which a frame names them, else 0, 1, 2 ..., or else all classes of `y_true`
            in their order. A mapping of names to arrays has several models, `y_score={"lr": p, "gbm": q}`.
        label: the truth of a row: 0/1, a boolean, a grade, a number to predict, or a text (see `positive`).
        gold: the label by people, NULL in rows where they gave none. The labels of `label` are then those of a machine,
            and metrics are corrected by those of people. Adds `n_gold`, the rows with a label by people, with `group`
            `n_gold_groups`, the groups with some, and to each metric `<metric>_judge`, by the machine alone,
            `<metric>_gold`, by people alone, and `<metric>_n_effective`, the number of labels by people that the
            interval is worth. The rows that people labelled have to be drawn at random; the interval is one of 0.95 by
            default. A list is one of people if they labelled all of it.
        gold_weight: where rows that people label are drawn with unequal chances, the inverse of the chance of a row, in
            any unit: 1 / 0.2. It is read in rows that people labelled.
        score: the score of a model; higher means more relevant. A mapping of model names to columns,
            `{"a": "score_a", "b": "score_b"}`, gives one row for each model. A score of -inf ranks last, unless a
            metric of the call reads the value of scores (`log_loss`, `rmse`, `ece`): then it is a bad row. Where
            rows are ordered by it, an integer or decimal score of 2^53 or more is an error, since scores are read as
            floats, in which such neighbours tie; its rank serves, `sm.sql("dense_rank() over (order by s)")`.
        models: the column that names the model of a row, such as `"run"`, where each model has rows of its own; `score`
            is then one column for all models. A mapping takes some of them: `{"run": ["bm25", "dense"]}`. Each model
            has its own lists, and the result has one row for each. A row without a model is an error.
        group: the list (query, user, session) that a row belongs to; list metrics need it. A list of columns, where
            several make its key: `["day", "query_id"]`.
        item: the listed item; joins `truth`. With it, an item that occurs twice in a list is an error.
        weight: the weight of a row, >= 0; for list metrics the weight of the list, the same in all its rows.
        by: the columns whose values are the slices. A mapping gives names to expressions:
            `{"month": sm.sql("date_trunc('month', day)")}`.
        total: True adds a row for all slices together (`is_total`).
        total_of: `rows`, the values of all rows together; or `slices`, the mean of the values of the slices, each of
            equal weight, such as the macro average over subtasks. Its interval takes slices as strata; a list or
            group with rows in several slices is one unit. It is null if a slice has no value, its interval also if a
            slice has fewer than two units; counts are sums over the slices. A metric without a formula for its
            standard error has no such interval.
        total_name: a name for the total in the columns of `by`, such as `"all"`, which no slice has. These columns
            are then text, with `(null)` instead of NULL, and can be keys of a table.
        where: an SQL condition on the rows of `data`, such as `"country = 'DE'"`. Rows for which it is not true
            are not read: no count has them, and no check. Other tables are not filtered, so that a list of the
            `truth` without a row left counts as missing.
        truth: a second table of group, item and label: the relevant items, listed or not. `data` then has no
            label. A column of `by` that the truth has is read from the truth, and must be constant in each
            group. For any other column of `by` (days, models), every group of the truth is due in each of its
            values.
        subtopic: a column of `truth` for metrics of diversity such as `alpha_ndcg@10`. The truth then has a
            row for each group, item and subtopic. For other metrics an item is relevant if it is relevant for
            any subtopic.
        prediction: the predicted class, of the label's type, or a boolean beside 0 and 1; a number with a
            fraction is no class. It replaces the comparison of the score with a threshold, unless a metric names a
            threshold. It also allows averages over classes: `accuracy`, `f1(average=macro)`,
            `recall(class=cat)`.
        class_scores: a mapping of each class to the column of its score, `{"cat": "p_cat", "dog": "p_dog"}`, in
            place of `score`. The label is then the class. `multiclass_log_loss`, `multiclass_brier`,
            `multiclass_auc` and `top_k_accuracy` read them. Or a column of arrays: `"p"` for the classes 0, 1, 2 ...,
            `{"column": "p", "classes": ["cat", "dog"]}` for others. An array of another length is a bad row.
        catalog: a table of the items that could be recommended, in the column of `item`; for metrics of
            items.
        history: a table of past (training) interactions, with the columns of `group` and `item`; for metrics
            of items.
        distances: a table of `item_a`, `item_b` and `distance`, each pair in either order; for `diversity`.
        category: the column of `catalog` with an item's category; for `diversity`.
        max_grade: the highest grade of the scale; `err` needs it.
        positive: the least label of a positive row and of a relevant item; for a text label, the positive
            text.
        soft: True takes a label from 0 to 1 as the chance p of a positive row: votes, a censored outcome, or, with
            `label` the calibrated score itself, what is expected before labels come. The row counts as a positive one
            of weight p and a negative one of weight 1 - p. It serves metrics that are sums over weighted rows or
            levels of their scores, such as `auc`, `log_loss` and `f1`.
        ties: the rank of tied scores in a list: `average` (the expectation; the default), `worst`, `best`,
            `item`, `item desc`, or `text desc` (by item as a text, descending, as in trec_eval: 9 is above 10).
            With `class_scores`, the items are the classes.
        convention: the library whose definitions are the defaults, such as `trec_eval` (see `conventions`).
            `ties` and the options of a notation override it. A metric that the library lacks keeps the
            defaults of sqlmetrics, and a note says so. A metric under the name that another library gives it,
            such as `ndcg_cut_10`, has that library's definition under every convention, but for ties.
        on_extra: treatment of a list without truth: `drop` (left out and counted) or `error`.
        on_duplicate: treatment of an item that a list has twice: `error`, or `first` to keep its best-ranked
            row (highest score, then highest label) and count the others in `rows_duplicate`. Metrics over
            rows use all of them.
        unjudged: treatment of an unjudged item: `not_relevant` or `drop` (left out of its list and counted in
            `rows_unjudged`). With `truth`, the unjudged items are the listed items that it lacks; the default
            is `not_relevant`. Without `truth`, they are the rows without a label; by default these are bad
            rows.
        interval: a confidence level such as 0.95: adds `<metric>_low` and `<metric>_high`, which lie in the range of
            the metric; null if there are too few data, or if they are all alike and the range is open.
        interval_method: `exact` (Clopper-Pearson, for shares), `logit` (for AUC, on the scale of its odds) or
            `bootstrap` (for all metrics), instead of the metric's default. `anytime`, for metrics that have a formula
            for their standard error, is a confidence sequence: data that grow may be looked at every day, and all
            intervals together hold the value with the probability of `interval`; they are about 1.7 times as wide.
        tightest_at: the number of units (rows, with `group` lists; for AUC those of the rarer class) at which
            anytime intervals are tightest, an integer from 30; None is 400. It is chosen before the data.
        n_resamples: number of draws of the bootstrap, of lists (with `group`) or rows. The bootstrap serves
            metrics that have no formula for their interval, and `interval_method="bootstrap"`. Its draws are
            the same in every run, on every engine and for every model. It costs about this many times as much
            as its metrics. There is no bootstrap, and so no interval, with `subtopic`, for counts (`count`,
            `tp` ...) and `max_error`, and for `user_coverage` with a history.
        on_bad_rows: `error`, or `drop` to leave out and count rows with a NULL, NaN or infinite label, score
            or weight, or a NULL group or item.
        connection: the engine that holds the data: an open connection of DuckDB, of the DB-API 2.0 (psycopg,
            sqlite3, PyMySQL, snowflake.connector ...) or of ADBC, a SparkSession, a session of chdb, a client
            of ClickHouse, or a SessionContext of DataFusion. `data`, `truth`, `catalog`, `history` and
            `distances` are then table names or queries of this engine. Spark and DataFusion also accept their
            own DataFrames; DuckDB accepts data of every kind. The engine runs one statement and commits
            nothing.
        dialect: the SQL dialect of the connection, if the driver does not tell: `redshift` through psycopg.

    Returns:
        A `Report`: the columns of `by`, `is_total`, `model`, the counts, and a float or null for each metric.

    Raises:
        SqlMetricsError: something cannot be read or computed; the message says what is allowed.

    >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
    >>> evaluate(rows, "auc", label="y", score="p").to_dicts()[0]["auc"]
    0.75
    >>> evaluate(metrics="auc", y_true=[1, 0, 1], y_score=[0.9, 0.4, 0.4]).value("auc")
    0.75

    Two models, each with rows of its own:

    >>> rows = [{"run": r, "y": i % 2, "p": (i * k) % 7} for r, k in (("old", 1), ("new", 3)) for i in range(8)]
    >>> print(evaluate(rows, "auc", models="run", label="y", score="p"))
    model   n_rows      auc
    ───────────────────────
    new          8   0.2188
    old          8   0.4062
    """
    with opened(data, options, reads=reads_of(options, notations=metrics)) as given:
        table, statement = given.run(plan_over(given, metrics))
    report = checked(table, given.by, statement, options.drops_bad_rows)
    report.further += [] if interval is None else repeated_key(data, options, "an interval")
    return report


def plan_over(given: Opened, metrics: Metrics) -> Plan:
    """The plan of `evaluate` over open data."""
    refuse_state(given)
    plan = given.plan("plan_of_evaluate", metrics=notations(metrics))
    if given.facts["gold"] is None and plan.over_levels and given.scores_repeat():
        count_levels(plan)
    return plan


@with_options
def render(
    options: Options,
    relation: str | Mapping[str, str],
    metrics: Metrics,
    *,
    dialect: str = "duckdb",
    label: str | None = None,
    gold: str | None = None,
    gold_weight: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_of: TotalOf = "rows",
    total_name: str | None = None,
    where: str | None = None,
    truth: str | None = None,
    truth_by: Names = None,
    subtopic: str | None = None,
    prediction: str | None = None,
    class_scores: ClassScores = None,
    catalog: str | None = None,
    history: str | None = None,
    distances: str | None = None,
    category: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float | None = None,
    interval_method: IntervalMethod | None = None,
    tightest_at: int | None = None,
    n_resamples: int = 200,
    score_levels: ScoreLevels = "sorted",
) -> str:
    """Returns the statement that `evaluate` would run, in any dialect. The relation need not exist yet.

    The statement itself does not raise errors about broken data. It returns null for each metric that would
    be wrong, and counts the reasons.

    Args:
        metrics: as for `evaluate`.
        relation: a table name or a query, as SQL; or a mapping of model names to such.
        dialect: an engine of `sql/dialects/`.
        models: as for `evaluate`, with the names of the models: `{"run": ["bm25", "dense"]}`.
        truth: a table name or a query, as SQL; `truth_by`: the columns of `by` that it has.
        catalog, history, distances: table names or queries, as SQL.
        score_levels: `counted` for scores with few distinct values, else `sorted`; the numbers are the same.

    The other arguments are those of `evaluate`; names are quoted and not looked up.

    Raises:
        SqlMetricsError: an unknown metric, parameter or dialect; a role that a metric needs and that is
            missing.

    >>> render("predictions", "rmse", label="y", score="p").splitlines()[-2]
    '    from sm_row_sums'
    """
    facts = named_facts(relation, options)
    return written(planned(dialect, "plan_of_evaluate", metrics=notations(metrics), **facts)).text


def notations(metrics: Metrics) -> list[str] | dict[str, str]:
    """The metrics in the form that macros take.

    Raises:
        SqlMetricsError: an unknown metric or parameter, or a result column whose name is not text.
    """
    asked: Any = dict(metrics) if isinstance(metrics, Mapping) else as_list(metrics, "metrics")
    for notation in asked.values() if isinstance(asked, dict) else asked:
        catalog.check(notation)
    for name in asked if isinstance(asked, dict) else ():
        if not isinstance(name, str) or not name.strip() or "\0" in name:
            raise SqlMetricsError(
                f"A mapping of metrics names result columns by text without a NUL character, got {name!r}"
            )
    return asked  # type: ignore[no-any-return]
