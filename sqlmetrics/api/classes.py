"""`confusion_matrix` and `class_report`: tables of predicted classes against labels, and their statements."""

from __future__ import annotations

from typing import Any

from sqlmetrics.book.plan import planned, written
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import Names, OnBadRows, Options, Score, with_options
from sqlmetrics.results.audited import ClassTable
from sqlmetrics.results.checks import checked_points


@with_options
def confusion_matrix(
    options: Options,
    data: Any,
    *,
    label: str,
    prediction: str | None = None,
    score: Score = None,
    threshold: float | None = None,
    positive: float | str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> ClassTable:
    """Counts how often each class was predicted for each label.

    Args:
        data: as for `evaluate`, as are `weight`, `by`, `total`, `total_name`,
            `where`, `on_bad_rows`, `connection` and `dialect`.
        label: the class of a row: a text, a whole number or a boolean.
        prediction: the predicted class, of the same type, or a boolean beside 0 and 1. A score is no class:
            `prediction=sm.sql("p >= 0.5")` decides by it, or `score=`.
        score: instead of `prediction` a score, or several as of `evaluate`: it decides 1 from `threshold` on (0.5 by
            default), else 0. The label is then 1 or 0, too. Beside a prediction it is not read.
        positive: of a score, the least label of a positive row, or the text of one.

    Returns:
        A row for each slice, label and prediction that occur together: the columns of `by`, `is_total`,
        `label`, `prediction`, `n` (rows, or their weight) and `share` (of the rows of that label). At a threshold
        all four are there.

    Raises:
        SqlMetricsError: something cannot be read or computed; the message says what is allowed.

    >>> rows = [{"y": "cat", "p": "cat"}, {"y": "cat", "p": "dog"}, {"y": "dog", "p": "dog"}]
    >>> print(confusion_matrix(rows, label="y", prediction="p"))
    label   prediction   n    share
    ───────────────────────────────
    cat     cat          1   0.5000
    cat     dog          1   0.5000
    dog     dog          1   1.0000
    >>> rows = [{"y": 1, "p": 0.9}, {"y": 1, "p": 0.4}, {"y": 0, "p": 0.4}]
    >>> confusion_matrix(rows, label="y", score="p", threshold=0.7)["n"]
    [1, 0, 1, 1]
    """
    return _table("confusion_matrix", data, options, threshold=threshold)


@with_options
def render_confusion_matrix(
    options: Options,
    relation: str,
    *,
    dialect: str = "duckdb",
    label: str,
    prediction: str | None = None,
    score: Score = None,
    threshold: float | None = None,
    positive: float | str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
) -> str:
    """Returns the statement that `confusion_matrix` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `confusion_matrix` and `render`.

    >>> render_confusion_matrix("predictions", label="y", prediction="p").splitlines()[-1]
    'order by sm_points.sm_class asc, sm_points.sm_predicted asc'
    """
    return _rendered("confusion_matrix", relation, options, threshold=threshold)


@with_options
def class_report(
    options: Options,
    data: Any,
    *,
    label: str,
    prediction: str,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> ClassTable:
    """Computes precision, recall and F1 of every class.

    Args:
        data: as for `evaluate`, as are `weight`, `by`, `total`, `total_name`,
            `where`, `on_bad_rows`, `connection` and `dialect`.
        label: the class of a row: a text, a whole number or a boolean.
        prediction: the predicted class, of the same type, or a boolean beside 0 and 1. A score is no class:
            `prediction=sm.sql("p >= 0.5")` decides by it.

    Returns:
        A row for each slice and each class that occurs as label or prediction: the columns of `by`,
        `is_total`, `class`, `support` (rows with this label, or their weight), `predicted`, `correct` (both),
        `precision` (null if the class is never predicted), `recall` (null if no row has the label) and `f1`.

    Raises:
        SqlMetricsError: something cannot be read or computed; the message says what is allowed.

    >>> rows = [{"y": "cat", "p": "cat"}, {"y": "cat", "p": "dog"}, {"y": "dog", "p": "dog"}]
    >>> print(class_report(rows, label="y", prediction="p"))
    class   support   predicted   correct   precision   recall       f1
    ───────────────────────────────────────────────────────────────────
    cat           2           1         1      1.0000   0.5000   0.6667
    dog           1           2         1      0.5000   1.0000   0.6667
    """
    return _table("class_report", data, options)


@with_options
def render_class_report(
    options: Options,
    relation: str,
    *,
    dialect: str = "duckdb",
    label: str,
    prediction: str,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
) -> str:
    """Returns the statement that `class_report` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `class_report` and `render`.

    >>> render_class_report("predictions", label="y", prediction="p").splitlines()[-1]
    'order by sm_class asc'
    """
    return _rendered("class_report", relation, options)


def _table(name: str, data: Any, options: Options, **asked: Any) -> ClassTable:
    import pyarrow.compute as pc

    with opened(data, options, reads=reads_of(options)) as given:
        table, statement = given.run(given.plan("class_table_plan", table=name, **asked))
    classes, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    # a slice without usable rows has one row, with counts but no class
    return ClassTable(classes.filter(pc.is_valid(classes.column(statement.results[0].name))), audited)


def _rendered(name: str, relation: str, options: Options, **asked: Any) -> str:
    plan = planned(
        str(options.dialect), "class_table_plan", table=name, **asked, **named_facts(relation, options)
    )
    return written(plan).text
