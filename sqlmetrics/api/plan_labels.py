"""`plan_labels`: how many labels by people each slice should get, from a pilot; and the statement that draws them."""

from __future__ import annotations

from typing import Any

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.book.plan import planned, written
from sqlmetrics.errors import DataError
from sqlmetrics.given.columns import as_list
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import (
    Convention,
    Key,
    Names,
    OnBadRows,
    OnDuplicate,
    Options,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.results.checks import checked_points
from sqlmetrics.results.labels import LabelPlan


@with_options
def plan_labels(
    options: Options,
    data: Any,
    metrics: Metrics = (),
    *,
    budget: int,
    label: str | None = None,
    gold: str | None = None,
    score: str | None = None,
    prediction: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float = 0.95,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> LabelPlan:
    """Divides labels by people among slices so that the interval of a metric that they correct (`gold`) is narrowest.

    The labels that people gave so far are a pilot: those of rows drawn at random. A slice gets more labels, the larger
    it is and the more people and the machine disagree in it. Rows are labelled one by one; for a metric of lists whole
    lists. The arguments not explained here are those of `evaluate`.

    Args:
        metrics: one metric, with a formula for its standard error.
        budget: how many rows, or lists, people shall label besides the pilot.
        gold: the label by people, NULL in rows where they gave none.
        by: the columns whose values are the slices.
        interval: the confidence level of the interval whose width is expected.

    Returns:
        A `LabelPlan` with one row for each slice, and one for all of them: the columns of `by`, `is_total`, `units`
        (rows, or lists), `labelled` (those that people labelled), `open_sd` (the standard deviation of what the machine
        leaves open of a unit), `labels` (how many more units people should label), `half_width` (half the expected
        width of the interval of `evaluate` with `gold` and `gold_weight` then), `uniform_labels` and
        `uniform_half_width` (the same if the budget is drawn from all unlabelled units alike). `open_sd` and
        `half_width` are null in a slice with fewer than two labels, which is planned as all slices are on average.

    Raises:
        SqlMetricsError: no `by` or `gold`; a budget below 1; several metrics or models; `group` with a metric of rows;
            lists with rows in several slices; the errors of `evaluate`.

    >>> rows = [{"c": "en" if i % 5 else "de", "judge": i % 2, "says": int(i % 3 > 0)} for i in range(2000)]
    >>> for i, row in enumerate(rows):
    ...     right = i % 20 > 0 if row["c"] == "en" else i % 15 > 5
    ...     row["human"] = (row["judge"] if right else 1 - row["judge"]) if i % 14 == 0 else None
    >>> asked = {"label": "judge", "gold": "human", "prediction": "says", "by": "c", "budget": 300}
    >>> for row in plan_labels(rows, "accuracy", **asked):
    ...     print(row["c"], row["units"], row["labelled"], row["labels"], round(row["uniform_labels"]))
    de 400 29 160 60
    en 1600 114 140 240
    None 2000 143 300 300
    """
    with opened(data, options, reads=reads_of(options, notations=metrics)) as given:
        plan = given.plan("plan_of_labels", metrics=notations(metrics), budget=budget)
        table, statement = given.run(plan)
    table, audited = checked_points(table, given.by, statement, options.drops_bad_rows)
    # the plan has its own notes about them
    audited.further = [note for note in audited.further if "labels by people" not in note]
    result = LabelPlan(table, audited)
    refuse_divided(result)
    return result


@with_options
def render_plan_labels(
    options: Options,
    relation: str,
    metrics: Metrics,
    *,
    budget: int,
    dialect: str = "duckdb",
    label: str | None = None,
    gold: str | None = None,
    score: str | None = None,
    prediction: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float = 0.95,
) -> str:
    """Returns the statement that `plan_labels` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `plan_labels` and `render`.

    >>> asked = {"label": "judge", "gold": "human", "score": "p", "by": "language", "budget": 300}
    >>> render_plan_labels("answers", "accuracy", **asked).splitlines()[-1]
    'order by case when sm_counts.sm_slice = 0 then 1 else 0 end asc, sm_counts.sm_slice asc'
    """
    facts = named_facts(relation, options)
    return written(
        planned(dialect, "plan_of_labels", metrics=notations(metrics), budget=budget, **facts)
    ).text


@with_options
def render_draw_labels(
    options: Options,
    relation: str,
    metrics: Metrics,
    *,
    budget: int,
    key: Key = None,
    seed: int = 0,
    dialect: str = "duckdb",
    label: str | None = None,
    gold: str | None = None,
    score: str | None = None,
    prediction: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float = 0.95,
) -> str:
    """Returns a statement that draws the rows, or lists, which `plan_labels` would have labelled, in any dialect.

    Its result has a row for each of them, and for those of the pilot: the key, the columns of `by`, `to_label` (1, or 0
    in the pilot) and `gold_weight`, the inverse of the chance of its label, for `evaluate`. The same data give the same
    rows on every engine. The other arguments are those of `plan_labels` and `render`.

    Args:
        key: the column that identifies a row, or several; with a metric of lists it is `group`.
        seed: an integer from 0 to 1e6; another one draws other rows.

    Raises:
        SqlMetricsError: no key; the errors of `plan_labels` that need no data.

    >>> asked = {"label": "judge", "gold": "human", "score": "p", "by": "language", "budget": 300, "key": "id"}
    >>> render_draw_labels("answers", "accuracy", **asked).splitlines()[-1]
    'order by sm_number asc'
    """
    facts = named_facts(relation, options)
    keys = None if key is None else [facts["columns"].text(name, "key") for name in as_list(key, "key")]
    asked = {"metrics": notations(metrics), "budget": budget, "key": keys, "seed": seed}
    return written(planned(dialect, "plan_of_draw", **asked, **facts)).text


def refuse_divided(result: LabelPlan) -> None:
    """Rejects lists with rows in several slices: each of them would be labelled for one slice and counted in others."""
    rows = result.to_dicts()
    more = sum(row["units"] for row in rows if not row["is_total"]) - sum(
        row["units"] for row in rows if row["is_total"]
    )
    if more > 0:
        raise DataError(
            f"lists with rows in several slices of {', '.join(result.by)}: at least {more:,}; a list is labelled as a"
            " whole, so pass columns of by= that are the same in all its rows"
        )
