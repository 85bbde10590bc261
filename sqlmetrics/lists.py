"""`per_group`: the metrics of lists, list by list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlmetrics.checks import checked_lists
from sqlmetrics.evaluation import Metrics, notations
from sqlmetrics.facts import Score, opened
from sqlmetrics.report import ListReport


def per_group(
    data: Any,
    metrics: Metrics,
    *,
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: str | Iterable[str] | None = None,
    truth: Any = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: str | None = None,
    convention: str | None = None,
    on_extra: str = "drop",
    on_duplicate: str = "error",
    unjudged: str | None = None,
    on_bad_rows: str = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> ListReport:
    """Computes any number of metrics of lists, such as `ndcg@10` and `gauc`, for each list, in one statement.

    The arguments are those of `evaluate`, but for `total`: no row stands for several lists.

    A metric's value is that of the list alone, by the rules of `on_empty` (null by default) and `on_missing`; with
    `average=micro` the list's own ratio. The mean of the values, each times the metric's weight of the list, is what
    `evaluate` gives. A list that lies in several slices is a list in each of them, its part there.

    Returns:
        A `ListReport`, sorted by its keys: the columns of `by`, `model` and the group; `n_items` (listed items),
        `n_relevant` (relevant ones, listed or not) and, with `ties="average"`, `n_tied` (listed items that share their
        score with another of the list); a float or null for each metric. `audit` has the counts over all lists.

    Raises:
        SqlMetricsError: a metric that is not over lists; whatever `evaluate` refuses.

    >>> rows = [{"u": 1, "y": 1, "p": 0.9}, {"u": 1, "y": 0, "p": 0.4}, {"u": 2, "y": 1, "p": 0.4}]
    >>> per_group(rows, "mrr", label="y", score="p", group="u").to_dicts()[0]
    {'u': 1, 'n_items': 2, 'n_relevant': 1, 'n_tied': 0, 'mrr': 1.0}
    """
    with opened(
        data,
        label=label,
        score=score,
        group=group,
        item=item,
        weight=weight,
        by=by,
        total=False,
        truth=truth,
        subtopic=subtopic,
        max_grade=max_grade,
        positive=positive,
        ties=ties,
        convention=convention,
        on_extra=on_extra,
        on_duplicate=on_duplicate,
        unjudged=unjudged,
        on_bad_rows=on_bad_rows,
        connection=connection,
        dialect=dialect,
    ) as given:
        name = {"alias": given.facts["columns"].quote(str(group)), "name": str(group)}
        plan = given.plan("plan_per_group", metrics=notations(metrics), group_as=name)
        table, statement = given.run(plan)
    return checked_lists(table, plan, given.by, statement, drop=on_bad_rows == "drop")
