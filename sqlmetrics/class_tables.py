"""`confusion_matrix` and `class_report`: predicted classes against labelled ones, as tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlmetrics.checks import checked_points
from sqlmetrics.facts import opened
from sqlmetrics.report import ClassTable


def confusion_matrix(
    data: Any,
    *,
    label: str,
    prediction: str,
    weight: str | None = None,
    by: str | Iterable[str] | None = None,
    total: bool = True,
    on_bad_rows: str = "error",
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
    return _table(
        "confusion_matrix", data, label=label, prediction=prediction, weight=weight, by=by, total=total,
        on_bad_rows=on_bad_rows, connection=connection, dialect=dialect,
    )  # fmt: skip


def class_report(
    data: Any,
    *,
    label: str,
    prediction: str,
    weight: str | None = None,
    by: str | Iterable[str] | None = None,
    total: bool = True,
    on_bad_rows: str = "error",
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
    return _table(
        "class_report", data, label=label, prediction=prediction, weight=weight, by=by, total=total,
        on_bad_rows=on_bad_rows, connection=connection, dialect=dialect,
    )  # fmt: skip


def _table(name: str, data: Any, on_bad_rows: str, **facts: Any) -> ClassTable:
    import pyarrow.compute as pc

    with opened(data, on_bad_rows=on_bad_rows, **facts) as given:
        plan = given.plan("class_table_plan", table=name)
        table, statement = given.run(plan)
    classes, audited = checked_points(table, plan, given.by, statement, drop=on_bad_rows == "drop")
    # a slice without usable rows has its counts and no class
    return ClassTable(classes.filter(pc.is_valid(classes.column(plan["results"][0]["name"]))), audited)
