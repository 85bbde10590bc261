"""`evaluate` and `render`: from what the user says to a plan, its statement and, where data is at hand, its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmetrics import catalog
from sqlmetrics.checks import checked
from sqlmetrics.columns import TEXT, AnyColumns, Columns, as_list
from sqlmetrics.engines import duckdb as engine
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.items import tables_of_items
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
    catalog: Any = None,
    history: Any = None,
    distances: Any = None,
    category: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: str = "average",
    on_bad_rows: str = "error",
    connection: Any = None,
) -> Report:
    """Computes any number of metrics over data, by slice and in total, in one statement.

    A column is named (it is looked up and quoted) or written as an expression, `sm.sql("clicks > 0")`.

    Args:
        data: a path, glob or list of paths (Parquet, CSV, JSON), an Arrow table, dataset or reader, a pandas or
            polars frame (lazy ones too), a DuckDB relation, a list of dicts; or a table name or query together
            with `connection`.
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
        catalog: for metrics of items: a table of the items that could be recommended, in the column of `item`.
        history: for metrics of items: a table of past (training) interactions, with the columns of `group` and `item`.
        distances: for `diversity`: a table of `item_a`, `item_b` and `distance`, a pair in either order.
        category: for `diversity`: the column of `catalog` with an item's category.
        max_grade: the highest grade of the scale; `err` needs it.
        positive: from which label on a row is positive and an item relevant; for a text label, the positive text.
        ties: how tied scores rank in a list: `average` (the expectation), `worst`, `best`, `item` or `item desc`.
        on_bad_rows: `error`, or `drop` to leave out and count rows with a NULL, NaN or infinite label, score or weight,
            or a NULL group or item.
        connection: a DuckDB connection whose tables `data`, `truth`, `catalog`, `history` and `distances` may name.

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
    names = as_list(by, "by")
    with engine.session(connection) as session:
        relation = session.open(data, "data")
        columns = known = session.columns(relation)
        judged = None
        if truth is not None:
            judged = session.open(truth, "truth")
            known = session.columns(judged)
            for role, name in (("group", group), ("item", item)):
                if name is not None:
                    known.text(name, role)
        items = tables_of_items(
            session,
            catalog=catalog,
            history=history,
            distances=distances,
            category=category,
            group=group,
            item=item,
        )
        in_truth = [name for name in names if truth is not None and name in known]
        slices = [(known if name in in_truth else columns).text(name, "by") for name in names]
        plan = macros(engine.DIALECT)["plan"](
            **_facts(metrics, columns, score=score, group=group, item=item),
            **_labels(known, label, weight, max_grade, positive),
            **items,
            relation=relation.text,
            read_once=relation.read_once,
            truth=judged and judged.text,
            truth_by=[known.text(name, "by") for name in in_truth],
            by=_slices(columns, names, slices),
            total=total,
            ties=ties,
            columns=known,
            examples=True,
        )
        if plan["levels"] and all(session.repeats(relation, model["score"]) for model in plan["models"]):
            plan["score_levels"] = "counted"
        statement = macros(engine.DIALECT)["statement"](plan)
        _check_names(plan)
        table = session.query(statement, relation.name)
    return checked(table, plan, names, statement, drop=on_bad_rows == "drop")


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
    catalog: str | None = None,
    history: str | None = None,
    distances: str | None = None,
    category: str | None = None,
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
        catalog, history, distances: table names or queries, as SQL.
        score_levels: `counted` where scores take few values, `sorted` otherwise; the numbers are the same.

    The other arguments are those of `evaluate`; names are quoted and not looked up.

    Raises:
        SqlMetricsError: an unknown metric, parameter or dialect; a role that a metric needs and was not given.

    >>> print(render("rmse", "predictions", label="y", score="p").splitlines()[-2])
        cast(sqrt((cast(sm_squared_error as double) / nullif(cast(sm_weights as double), 0))) as double) as "rmse"
    """
    if not isinstance(relation, str) or not relation.strip():
        raise SqlMetricsError(f"relation takes a table name or a query, got {relation!r}")
    columns = AnyColumns(macros(dialect)["sm_quote"])
    names = as_list(by, "by")
    for name in as_list(truth_by, "truth_by"):
        if name not in names:
            raise SqlMetricsError(f"truth_by= names those of by= that the truth has, got {name!r}")
    plan = macros(dialect)["plan"](
        **_facts(metrics, columns, score=score, group=group, item=item),
        label=None if label is None else columns.text(label, "label"),
        weight=None if weight is None else columns.text(weight, "weight"),
        relation=relation,
        truth=truth,
        truth_by=[columns.text(name, "truth_by") for name in as_list(truth_by, "truth_by")],
        catalog=catalog,
        history=history,
        distances=distances,
        category=None if category is None else columns.text(category, "category"),
        by=_slices(columns, names, [columns.text(name, "by") for name in names]),
        total=total,
        max_grade=max_grade,
        positive=positive,
        ties=ties,
        score_levels=score_levels,
        columns=columns,
    )
    statement = str(macros(dialect)["statement"](plan))
    _check_names(plan)
    return statement


def _facts(metrics: Metrics, columns: Columns, *, score: Score, group: Any, item: Any) -> dict[str, Any]:
    """What macros take: checked notations, and columns as SQL."""
    asked: Any = dict(metrics) if isinstance(metrics, Mapping) else as_list(metrics, "metrics")
    for notation in asked.values() if isinstance(asked, dict) else asked:
        catalog.check(notation)
    for name in asked if isinstance(asked, dict) else ():
        if not isinstance(name, str) or not name.strip():
            raise SqlMetricsError(f"A mapping of metrics names result columns by text, got {name!r}")
    scores: Any = None
    if isinstance(score, Mapping):
        if not score:
            raise SqlMetricsError('score={} names no model; write score={"model a": "score_a"}')
        scores = {str(model): columns.number(column, "score") for model, column in score.items()}
    elif score is not None:
        scores = columns.number(score, "score")
    return {
        "metrics": asked,
        "score": scores,
        "group": None if group is None else columns.text(group, "group"),
        "item": None if item is None else columns.text(item, "item"),
    }


def _slices(columns: Columns, names: list[str], texts: list[str]) -> list[dict[str, str]]:
    """The columns of `by` as SQL, under the names that they have in the result."""
    return [
        {"sql": text, "name": str(name), "alias": columns.quote(str(name))}
        for name, text in zip(names, texts, strict=True)
    ]


def _labels(columns: Columns, label: Any, weight: Any, max_grade: Any, positive: Any) -> dict[str, Any]:
    """The label and weight as SQL, after a look at the label's type."""
    text = None if label is None else columns.text(label, "label")
    kind = columns.types.get(label, "")
    textual = kind.startswith(TEXT)
    if textual and not isinstance(positive, str):
        raise SqlMetricsError(
            f"Label column '{label}' is text; pass positive='...', the text of a positive row"
        )
    if isinstance(positive, str) and kind and not textual:
        raise SqlMetricsError(
            f"positive={positive!r} is text, but label column '{label}' is {kind}; pass a number"
        )
    return {
        "label": text,
        "weight": None if weight is None else columns.number(weight, "weight"),
        "max_grade": 1 if max_grade is None and (kind.startswith("BOOL") or textual) else max_grade,
        "positive": positive,
    }


def _check_names(plan: dict[str, Any]) -> None:
    """Refuses result columns of the same name."""
    seen: set[str] = set()
    for name in plan["names"]:
        if name.lower() in seen:
            raise SqlMetricsError(
                f"Two result columns would be named '{name}'; pass a mapping of other names to metrics,"
                " or rename the column of by="
            )
        seen.add(name.lower())
