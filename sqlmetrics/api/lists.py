"""`per_group` and `render_per_group`: the metrics of lists, list by list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.book.plan import planned, written
from sqlmetrics.given.columns import is_key, named_column
from sqlmetrics.given.facts import named_facts, opened
from sqlmetrics.given.facts_of_state import refuse_state
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import (
    Convention,
    Key,
    Models,
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
    models: Models = None,
    group: Key | Mapping[str, str] = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    truth: Any = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> ListReport:
    """Computes any number of metrics of lists, such as `ndcg@10` and `gauc`, for each list, in one statement.

    The arguments are those of `evaluate`, but for `total`: no row stands for several lists. `group` may give an
    expression a name in the result: `{"user": sm.sql("lower(user_id)")}`. The key of several columns,
    `group=["day", "query"]`, is one text, `2026-06-01 / 17`, in the column `day / query`.

    Each value is the metric of one list alone, under the rules of `on_empty` (null by default) and
    `on_missing`. With `average=micro` it is the list's own ratio. The mean of the values, weighted by the
    metric's weight of each list, is the value of `evaluate`. A list that lies in several slices has a row in
    each of them, for its part there.

    Returns:
        A `ListReport`, sorted by its keys: the columns of `by`, `model` and the group; `n_items` (listed
        items), `n_relevant` (relevant items, listed or not) and, with `ties="average"`, `n_tied` (listed
        items that share their score with another item of the list); a float or null for each metric. `audit`
        has the counts over all lists.

    Raises:
        SqlMetricsError: a metric that is not over lists; the errors of `evaluate`.

    >>> rows = [{"u": 1, "y": 1, "p": 0.9}, {"u": 1, "y": 0, "p": 0.4}, {"u": 2, "y": 1, "p": 0.4}]
    >>> per_group(rows, "mrr", label="y", score="p", group="u").to_dicts()[0]
    {'u': 1, 'n_items': 2, 'n_relevant': 1, 'n_tied': 0, 'mrr': 1.0}
    """
    name, options = _with_named_group(options)
    with opened(data, options, reads=reads_of(options, notations=metrics)) as given:
        refuse_state(given)
        named = _named(given.facts, name)
        plan = given.plan("plan_per_group", metrics=notations(metrics), group_as=named)
        table, statement = given.run(plan)
    return checked_lists(table, given.by, statement, options.drops_bad_rows)


@with_options
def render_per_group(
    options: Options,
    relation: str | Mapping[str, str],
    metrics: Metrics,
    *,
    dialect: str = "duckdb",
    label: str | None = None,
    score: Score = None,
    models: Models = None,
    group: Key | Mapping[str, str] = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    where: str | None = None,
    truth: str | None = None,
    truth_by: Names = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: Convention | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
) -> str:
    """Returns the statement that `per_group` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `per_group` and `render`. Each row has the counts over all lists besides.

    >>> render_per_group("predictions", "mrr", label="y", score="p", group="u").splitlines()[-1]
    'order by sm_lists.sm_group asc'
    """
    name, options = _with_named_group(options)
    facts = named_facts(relation, options)
    asked = {"metrics": notations(metrics), "group_as": _named(facts, name)}
    return written(planned(dialect, "plan_per_group", **asked, **facts)).text


def _with_named_group(options: Options) -> tuple[str, Options]:
    """The name of the column of lists in the result, and the options with the column itself."""
    group: Any = options.group
    name, column = named_column(group, "group") if isinstance(group, Mapping) else (group, group)
    name = " / ".join(map(str, name)) if is_key(name) else name
    return str(name), replace(options, group=column, total=False)


def _named(facts: dict[str, Any], name: str) -> dict[str, str]:
    """The name of the column of lists in the result."""
    return {"alias": facts["columns"].alias(name), "name": name}
