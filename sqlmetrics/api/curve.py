"""`curve` and `render_curve`: a curve of a score as a table of points, by slice and in total."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from sqlmetrics.book import catalog
from sqlmetrics.book.plan import planned, written
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.given.repeats import repeated_key
from sqlmetrics.options import CurveKind, Models, Names, OnBadRows, Options, Score, with_options
from sqlmetrics.results.audited import Curve
from sqlmetrics.results.checks import checked_points

Band = Literal["pointwise", "simultaneous"]


@with_options
def curve(
    options: Options,
    data: Any = None,
    kind: CurveKind = "",
    *,
    y_true: Any = None,
    y_score: Any = None,
    sample_weight: Any = None,
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    interval: float | None = None,
    band: Band | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Curve:
    """Computes the points of a curve, by slice and in total, in one statement.

    Args:
        data: as for `evaluate`, as are all further arguments.
        kind: `roc`, `det`, `precision_recall`, `calibration`, `gain`, `net_benefit`, `qini`, `thresholds` (the table
            of what each threshold decides: `thresholds(at='0.3, 0.5', cost_fn=5)`) or `residuals` (labels and errors
            of a regression, in bins of its predictions), with parameters written as for metrics:
            `roc(points=corners)`, `calibration(bins=20, equal=count)`, `gain(quantiles=100)`,
            `net_benefit(steps=50)`, `qini(treatment=treated)`. For a picture of many rows write `roc(points=500)`,
            `precision_recall(points=500)` or `qini(treatment=treated, points=500)`.
        y_true, y_score, sample_weight: arrays in place of `data`, as for `evaluate`.
        label: 0/1 or a boolean; with `positive`, any label.
        score: the score of a model; `{"a": "score_a", "b": "score_b"}` gives one curve for each model.
        models: the column that names the model of a row, as for `evaluate`.
        weight: the weight of a row, >= 0.
        by: the columns whose values are the slices.
        total: True adds the curve of all slices together (`is_total`).
        positive: the least label of a positive row; for a text label, the positive text.
        soft: True takes a label from 0 to 1 as the chance of a positive row, as for `evaluate`; there is no band.
        interval: the confidence level, such as 0.95, of a band about the curve, for `roc`, `precision_recall` and
            `calibration`: columns such as `tpr_low` and `tpr_high`.
        band: `pointwise` (the default) holds the true curve in one point that was chosen beforehand, `simultaneous`
            in all points at once.
        on_bad_rows: `error`, or `drop` to leave out and count rows with a NULL, NaN or infinite label, score
            or weight.
        connection: the engine that holds the data, as for `evaluate`.
        dialect: the SQL dialect of the connection, if the driver does not tell.

    Returns:
        A `Curve`: the columns of `by`, `is_total`, `model`, and the columns of the curve, one row for each
        point.

    Raises:
        SqlMetricsError: something cannot be read or computed; the message says what is allowed.

    >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
    >>> [(point["fpr"], point["tpr"]) for point in curve(rows, "roc", label="y", score="p").to_dicts()]
    [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]
    >>> curve(kind="roc", y_true=[1, 0, 1], y_score=[0.9, 0.4, 0.4])["tpr"]
    [0.0, 0.5, 1.0]
    """
    catalog.check_curve(kind)
    with opened(data, options, reads=reads_of(options, notations=kind)) as given:
        plan = given.plan("curve_plan", kind=kind, band=band)
        table, statement = given.run(plan)
    said = "" if interval is None else f"{100 * interval:.4g} % band, {band or 'pointwise'}"
    points, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    audited.further += [] if interval is None else repeated_key(data, options, "a band")
    return Curve(points, audited, kind, said)


@with_options
def render_curve(
    options: Options,
    relation: str | Mapping[str, str],
    kind: CurveKind,
    *,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    positive: float | str | None = None,
    soft: bool = False,
    interval: float | None = None,
    band: Band | None = None,
) -> str:
    """Returns the statement that `curve` would run, in any dialect. The relation need not exist yet.

    Args:
        kind: as for `curve`, as are all other arguments that are not explained here.
        relation: a table name or a query, as SQL.
        dialect: an engine of `sql/dialects/`.

    Raises:
        SqlMetricsError: an unknown curve, parameter or dialect; a missing label or score.

    >>> render_curve("predictions", "roc", label="y", score="p").splitlines()[-1]
    'order by sm_points.sm_through asc'
    """
    catalog.check_curve(kind)
    facts = named_facts(relation, options)
    return written(planned(dialect, "curve_plan", kind=kind, band=band, **facts)).text
