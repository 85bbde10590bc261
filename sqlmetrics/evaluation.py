"""`evaluate` and `render`: from what the user says to a plan, its statement and, where data is at hand, its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmetrics import catalog
from sqlmetrics.columns import AnyColumns, Columns, as_list
from sqlmetrics.engines import duckdb as engine
from sqlmetrics.errors import SqlMetricsError, did_you_mean
from sqlmetrics.report import Report
from sqlmetrics.templates import macros

Metrics = str | Iterable[str] | Mapping[str, str]
Score = str | Mapping[str, str] | None


def evaluate(
    data: Any,
    metrics: Metrics,
    *,
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: str | Iterable[str] | None = None,
    total: bool = True,
    truth: Any = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: str = "average",
    on_bad_rows: str = "error",
    connection: Any = None,
) -> Report:
    """Computes any number of metrics over data, by slice and in total, in one statement.

    A column is named (it is looked up and quoted) or written as an expression, `sm.sql("clicks > 0")`.

    Args:
        data: a path, glob or list of paths (Parquet, CSV, JSON), an Arrow table, dataset or reader, a pandas or polars
            frame (lazy ones too), a DuckDB relation, a list of dicts; or a table name or query together with `connection`.
        metrics: notations such as `["auc", "ndcg@10", "precision(threshold=0.3)"]`, or a mapping of result columns to them.
        label: the truth of a row: 0/1, a boolean, a grade, a number to predict, or a text (see `positive`).
        score: what the model said; higher is more relevant. `{"a": "score_a", "b": "score_b"}` gives a row a model.
        group: the list (query, user, session) that a row belongs to; list metrics need it.
        item: what is listed; with it an item twice in a list is an error, and it joins `truth`.
        weight: the weight of a row, >= 0; for list metrics the weight of the list, the same in all its rows.
        by: columns whose values are the slices.
        total: whether a row for all slices together comes too (`is_total`).
        truth: a second table of group, item and label: what was relevant, listed or not. `data` then has no label.
        max_grade: the highest grade of the scale; `err` needs it.
        positive: from which label on a row is positive and an item relevant; for a text label, the positive text.
        ties: how tied scores rank in a list: `average` (the expectation), `worst`, `best`, `item` or `item desc`.
        on_bad_rows: `error`, or `drop` to leave out and count rows with a NULL, NaN or infinite label, score or weight,
            or a NULL group or item.
        connection: a DuckDB connection whose tables `data` and `truth` may name.

    Returns:
        A `Report`: the columns of `by`, `is_total`, `model`, the counts, and a float or null for each metric.

    Raises:
        SqlMetricsError: something cannot be read or done; the message says what is allowed.

    >>> rows = [{"y": 1, "p": 0.9}, {"y": 0, "p": 0.4}, {"y": 1, "p": 0.4}]
    >>> evaluate(rows, "auc", label="y", score="p").to_dicts()[0]["auc"]
    0.75
    """
    if on_bad_rows not in ("error", "drop"):
        raise SqlMetricsError(f"on_bad_rows must be 'error' or 'drop', got {on_bad_rows!r}")
    with engine.session(connection) as session:
        relation = session.open(data, "data")
        columns = session.columns(relation, _name_of(data, "the data"))
        facts = _facts(metrics, columns, score=score, group=group, item=item, by=by)
        facts |= {"total": total, "max_grade": max_grade, "positive": positive, "ties": ties}
        known = columns
        if truth is not None:
            facts["truth"] = session.open(truth, "truth")
            known = session.columns(facts["truth"], _name_of(truth, "the truth"))
            facts["truth_by"] = [known.text(name, "by") for name in as_list(by) if name in known]
            for role, name in (("group", group), ("item", item)):
                if name is not None:
                    known.text(name, role)
        facts |= _labels(known, label, weight, max_grade, positive)
        plan = macros(engine.DIALECT)["plan"](relation=relation, **facts)
        if plan["levels"] and all(session.repeats(relation, model["score"]) for model in plan["models"]):
            plan["score_levels"] = "counted"
        statement = macros(engine.DIALECT)["statement"](plan)
        _check_names(plan, as_list(by))
        table = session.query(statement)
    return _checked(table, plan, as_list(by), statement, on_bad_rows)


def render(
    metrics: Metrics,
    relation: str,
    *,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: str | Iterable[str] | None = None,
    total: bool = True,
    truth: str | None = None,
    truth_by: str | Iterable[str] | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: str = "average",
    score_levels: str = "sorted",
) -> str:
    """The statement that `evaluate` would run, for any dialect, over a relation that need not be at hand.

    Broken data do not raise here: a metric that they would make wrong is null, and the result counts why.

    Args:
        metrics: as for `evaluate`.
        relation: a table name or a query, as SQL.
        dialect: an engine of `sql/dialects/`.
        truth: a table name or a query, as SQL; `truth_by`: those of `by` that it has.
        score_levels: `counted` where scores take few values, `sorted` otherwise; the numbers are the same.

    The other arguments are those of `evaluate`; names are quoted and not looked up.

    Raises:
        SqlMetricsError: an unknown metric, parameter or dialect; a role that a metric needs and was not given.

    >>> print(render("rmse", "predictions", label="y", score="p").splitlines()[-2])
        cast(sqrt((cast(sm_squared_error as double) / nullif(cast(sm_weights as double), 0))) as double) as "rmse"
    """
    columns = AnyColumns(macros(dialect)["sm_quote"])
    facts = _facts(metrics, columns, score=score, group=group, item=item, by=by)
    facts["columns"] = None
    facts |= {
        "label": None if label is None else columns.text(label, "label"),
        "weight": None if weight is None else columns.text(weight, "weight"),
        "truth": truth,
        "truth_by": [columns.text(name, "by") for name in as_list(truth_by)],
    }
    facts |= {
        "total": total,
        "max_grade": max_grade,
        "positive": positive,
        "ties": ties,
        "score_levels": score_levels,
    }
    return str(macros(dialect)["evaluate"](relation, **facts))


def _facts(
    metrics: Metrics, columns: Columns, *, score: Score, group: Any, item: Any, by: Any
) -> dict[str, Any]:
    """What macros take: checked notations, and columns as SQL."""
    asked = dict(metrics) if isinstance(metrics, Mapping) else as_list(metrics)
    for notation in asked.values() if isinstance(asked, dict) else asked:
        catalog.check(notation)
    if isinstance(score, Mapping):
        if not score:
            raise SqlMetricsError('score={} names no model; write score={"model a": "score_a"}')
        scores: Any = {str(model): columns.text(column, "score") for model, column in score.items()}
    else:
        scores = None if score is None else columns.text(score, "score")
    return {
        "metrics": asked,
        "score": scores,
        "group": None if group is None else columns.text(group, "group"),
        "item": None if item is None else columns.text(item, "item"),
        "by": [{"sql": columns.text(name, "by"), "alias": _alias(columns, name)} for name in as_list(by)],
    }


def _alias(columns: Columns, name: str) -> str:
    return columns.quote(str(name))


def _labels(columns: Columns, label: Any, weight: Any, max_grade: Any, positive: Any) -> dict[str, Any]:
    """The label and weight as SQL, after a look at the label's type."""
    kind = columns.types.get(label, "")
    textual = kind.startswith(("VARCHAR", "STRING", "ENUM", "UUID"))
    if textual and not isinstance(positive, str):
        raise SqlMetricsError(
            f"Label column '{label}' is text; pass positive='...', the text of a positive row"
        )
    if isinstance(positive, str) and kind and not textual:
        raise SqlMetricsError(
            f"positive={positive!r} is text, but label column '{label}' is {kind}; pass a number"
        )
    return {
        "label": None if label is None else columns.text(label, "label"),
        "weight": None if weight is None else columns.text(weight, "weight"),
        "max_grade": 1 if max_grade is None and (kind.startswith("BOOL") or textual) else max_grade,
        "columns": columns.quoted(),
    }


def _name_of(data: Any, otherwise: str) -> str:
    return str(data) if isinstance(data, str) and "\n" not in data and len(data) < 200 else otherwise


def _check_names(plan: dict[str, Any], by: list[str]) -> None:
    """Refuses result columns of the same name."""
    names = [*(str(name) for name in by), *plan["names"]]
    for name in names:
        if [other.lower() for other in names].count(name.lower()) > 1:
            raise SqlMetricsError(
                f"Two result columns would be named '{name}'; pass a mapping of other names to metrics"
            )


def _checked(table: Any, plan: dict[str, Any], by: list[str], statement: str, on_bad_rows: str) -> Report:
    """The report, or the error that its counts call for."""
    import pyarrow as pa

    values = {check["name"]: check["value"] for check in plan["checks"].values() if check["value"]}
    examples = {
        name: next((v for v in table.column(c).to_pylist() if v is not None), None)
        for name, c in values.items()
    }
    table = table.drop_columns(list(values.values()))
    if "is_total" in table.column_names:
        index = table.column_names.index("is_total")
        table = table.set_column(index, "is_total", table.column("is_total").cast(pa.bool_()))
    report = Report(
        table, by, list(plan["counts"]), [result["name"] for result in plan["results"]], statement
    )
    rows = report.count("n_rows")
    if rows == 0:
        raise SqlMetricsError("The data has no row")
    if on_bad_rows == "error":
        for name, role in plan["bad_rows"].items():
            if count := report.count(name):
                what = f"NULL {role}" if role in ("group", "item") else f"NULL, NaN or infinite {role}"
                what = "NULL, NaN, infinite or negative weight" if role == "weight" else what
                raise SqlMetricsError(
                    f"{count:,} of {rows:,} rows have a {what}; pass on_bad_rows='drop' to leave them out"
                    " (they are counted in rows_dropped)"
                )
    for check in plan["checks"].values():
        if count := report.count(check["name"]):
            example = examples.get(check["name"])
            raise SqlMetricsError(f"{count:,} {check['message'].replace('{value}', f'{example or 0:g}')}")
    return report
