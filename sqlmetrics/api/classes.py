"""`confusion_matrix` and `class_report`: predicted classes against labelled ones, as tables."""

from __future__ import annotations

from typing import Any

from sqlmetrics.facts import opened
from sqlmetrics.options import Names, OnBadRows, Options, with_options
from sqlmetrics.results.checks import checked_points
from sqlmetrics.results.report import ClassTable


@with_options
def confusion_matrix(
    options: Options,
    data: Any,
    *,
    label: str,
    prediction: str,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> ClassTable:
    """How often which class was predicted for which label.

    Args:
        data: as for `evaluate`, and so are `weight`, `by`, `total`, `on_bad_rows`, `connection` and `dialect`.
        label: the class of a row: a text, an integer or a boolean.
        prediction: the predicted class, of the same type.

    Returns:
        One row a slice, label and prediction that occur together: the columns of `by`, `is_total`, `label`,
        `prediction`, `n` (rows, or their weight) and `share` (of the rows of that label).

    Raises:
        SqlMetricsError: something cannot be read or done; the message says what is allowed.

    >>> rows = [{"y": "cat", "p": "cat"}, {"y": "cat", "p": "dog"}, {"y": "dog", "p": "dog"}]
    >>> print(confusion_matrix(rows, label="y", prediction="p"))
    label   prediction   n    share
    ───────────────────────────────
    cat     cat          1   0.5000
    cat     dog          1   0.5000
    dog     dog          1   1.0000
    """
    return _table("confusion_matrix", data, options)


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
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> ClassTable:
    """Precision, recall and F1 of every class.

    Args:
        data: as for `evaluate`, and so are `weight`, `by`, `total`, `on_bad_rows`, `connection` and `dialect`.
        label: the class of a row: a text, an integer or a boolean.
        prediction: the predicted class, of the same type.

    Returns:
        One row a slice and class that occurs in label or prediction: the columns of `by`, `is_total`, `class`,
        `support` (rows labelled so, or their weight), `predicted`, `correct` (both), `precision` (null where the class
        is never predicted), `recall` (null where no row is labelled so) and `f1`.

    Raises:
        SqlMetricsError: something cannot be read or done; the message says what is allowed.

    >>> rows = [{"y": "cat", "p": "cat"}, {"y": "cat", "p": "dog"}, {"y": "dog", "p": "dog"}]
    >>> print(class_report(rows, label="y", prediction="p"))
    class   support   predicted   correct   precision   recall       f1
    ───────────────────────────────────────────────────────────────────
    cat           2           1         1      1.0000   0.5000   0.6667
    dog           1           2         1      0.5000   1.0000   0.6667
    """
    return _table("class_report", data, options)


def _table(name: str, data: Any, options: Options) -> ClassTable:
    import pyarrow.compute as pc

    with opened(data, options) as given:
        table, statement = given.run(given.plan("class_table_plan", table=name))
    classes, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    # a slice without usable rows has its counts and no class
    return ClassTable(classes.filter(pc.is_valid(classes.column(statement.results[0].name))), audited)
