"""`curve` and `render_curve`: a curve of a score as a table of points, by slice and in total."""

from __future__ import annotations

from typing import Any

from sqlmetrics import catalog
from sqlmetrics.facts import named_facts, opened
from sqlmetrics.options import Names, OnBadRows, Options, Score, with_options
from sqlmetrics.plan import planned, written
from sqlmetrics.results.checks import checked_points
from sqlmetrics.results.report import Curve


@with_options
def curve(
    options: Options,
    kind: str,
    data: Any,
    *,
    label: str | None = None,
    score: Score = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    positive: float | str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Curve:
    """The points of a curve, by slice and in total, in one statement.

    Args:
        kind: `roc`, `precision_recall`, `calibration` or `gain`, with parameters as a metric has them:
            `roc(points=corners)`, `calibration(bins=20, equal=count)`, `gain(quantiles=100)`.
        data: as for `evaluate`, as are all further arguments.
        label: 0/1 or a boolean, or anything else together with `positive`.
        score: what the model said; `{"a": "score_a", "b": "score_b"}` gives a curve a model.
        weight: the weight of a row, >= 0.
        by: columns whose values are the slices.
        total: whether the curve over all slices together comes too (`is_total`).
        positive: from which label on a row is positive; for a text label, the positive text.
        on_bad_rows: `error`, or `drop` to leave out and count rows with a NULL, NaN or infinite label, score or weight.
        connection: where the data is, as for `evaluate`.
        dialect: what the connection speaks, where that does not follow from its driver.

    Returns:
        A `Curve`: the columns of `by`, `is_total`, `model`, and the columns of the curve, a row a point.

    Raises:
        SqlMetricsError: something cannot be read or done; the message says what is allowed.

    >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
    >>> [(point["fpr"], point["tpr"]) for point in curve("roc", rows, label="y", score="p").to_dicts()]
    [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]
    """
    catalog.check_curve(kind)
    with opened(data, options) as given:
        plan = given.plan("curve_plan", kind=kind)
        table, statement = given.run(plan)
    return Curve(*checked_points(table, given.by, statement, options.drops_bad_rows))


@with_options
def render_curve(
    options: Options,
    kind: str,
    relation: str,
    *,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    positive: float | str | None = None,
) -> str:
    """The statement that `curve` would run, for any dialect, over a relation that need not be at hand.

    Args:
        kind: as for `curve`, as are the arguments that `render` does not have.
        relation: a table name or a query, as SQL.
        dialect: an engine of `sql/dialects/`.

    Raises:
        SqlMetricsError: an unknown curve, parameter or dialect; a label or score that was not given.

    >>> render_curve("roc", "predictions", label="y", score="p").splitlines()[-1]
    'order by sm_points.sm_through asc'
    """
    catalog.check_curve(kind)
    facts = named_facts(relation, options)
    return written(planned(dialect, "curve_plan", kind=kind, **facts)).text
