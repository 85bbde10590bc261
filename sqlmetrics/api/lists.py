"""`per_group`: the metrics of lists, list by list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.facts import opened
from sqlmetrics.options import (
    Names,
    OnBadRows,
    OnDuplicate,
    OnExtra,
    Options,
    Score,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.results.checks import checked_lists
from sqlmetrics.results.report import ListReport


@with_options
def per_group(
    options: Options,
    data: Any,
    metrics: Metrics,
    *,
    label: str | None = None,
    score: Score = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    truth: Any = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    on_bad_rows: OnBadRows = "error",
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
    with opened(data, replace(options, total=False)) as given:
        name = {"alias": given.facts["columns"].alias(str(group)), "name": str(group)}
        plan = given.plan("plan_per_group", metrics=notations(metrics), group_as=name)
        table, statement = given.run(plan)
    return checked_lists(table, given.by, statement, options.drops_bad_rows)
