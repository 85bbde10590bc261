"""`compare`: is the difference of a metric between two models real?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from sqlmetrics.api.evaluate import Metrics, notations
from sqlmetrics.columns import as_list
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.facts import opened
from sqlmetrics.options import (
    Names,
    OnBadRows,
    OnDuplicate,
    OnExtra,
    Options,
    Ties,
    Unjudged,
    with_options,
)
from sqlmetrics.results.checks import checked_points
from sqlmetrics.results.report import Comparison
from sqlmetrics.templates import macros

Test = Literal["t", "wilcoxon", "sign", "randomisation", "bootstrap"]
Correction = Literal["holm", "bh"]
OnUnpaired = Literal["error", "intersection"]


@with_options
def compare(
    options: Options,
    data: Any,
    metrics: Metrics,
    *,
    baseline: str,
    candidate: str | Iterable[str] | Mapping[str, str],
    other: Any = None,
    paired: bool = True,
    label: str | None = None,
    group: str | None = None,
    item: str | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    truth: Any = None,
    subtopic: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    convention: str | None = None,
    on_extra: OnExtra = "drop",
    on_duplicate: OnDuplicate = "error",
    unjudged: Unjudged | None = None,
    interval: float = 0.95,
    test: Test | None = None,
    correction: Correction | None = None,
    power: float = 0.8,
    n_resamples: int = 1000,
    on_unpaired: OnUnpaired = "error",
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Comparison:
    """Compares models: is the difference of a metric between a baseline and a candidate real?

    A metric of lists (`ndcg@10`, `gauc`) is compared list by list; one of sums over rows (`brier`, `rmse`, `precision`)
    and AUC by what the rows of each `group` add to it, or, without one, row by row; any other by the bootstrap
    (`test="bootstrap"`). The arguments that are not explained here are those of `evaluate`.

    Args:
        data: as for `evaluate`, and so are `metrics`.
        baseline: the column of the score that others are compared with.
        candidate: the column of another score, a list of columns, or a mapping of names to columns.
        other: second data in which the candidates stand, such as the predictions of another run, with the same columns
            of `label` (unless there is a `truth`), `group`, `item`, `weight` and `by`. The groups of both are paired
            by their key.
        paired: False where `other` holds other data: other users, another week, the other arm of an experiment. Both
            are then independent samples, whose units (lists; rows, or the groups that rows belong to) vary each for
            themselves, by Welch's t test, or DeLong's of AUC.
        interval: the confidence level of the interval of the difference.
        test: `t` (Student's, by default, or for AUC that of DeLong), `wilcoxon` (signed ranks), `sign` (of accuracy
            row by row: McNemar's exact test) or `randomisation` (Fisher's), the last three of the differences of the
            groups' own values, whatever the groups weigh; or `bootstrap`, for every metric: both models in replicates
            of the data with the same groups, or rows, drawn.
        correction: of the p-values of several candidates, for a metric and slice: `holm` or `bh` (Benjamini and
            Hochberg); adds `p_adjusted`.
        power: with which chance a difference of `minimum_detectable` is found, from 0.5 to 1.
        n_resamples: how often the randomisation test and the bootstrap draw; the latter costs about that many times
            what its metrics do.
        on_unpaired: what becomes of a group that has a value for one of two models alone: `error`, or `intersection`:
            both models are taken over the groups that have both values, if the metric is a ratio of sums over them.

    Returns:
        A `Comparison`, one row a slice, metric and candidate: the columns of `by`, `is_total`, `metric`, `candidate`
        (its name), `baseline_value`, `candidate_value`, `difference` (the candidate less the baseline),
        `relative_difference` (as a share of the baseline's size), `low` and `high` (the interval of the difference),
        `test` (`delong` for AUC), `statistic`, `p_value` (two-sided), `p_adjusted`, `wins`, `ties` and `losses`
        (groups, or without `group` rows, in which the candidate's own value is higher, the same, lower; null for a
        metric of which a group has none, such as `rmse`, and of a bootstrap), `n_pairs` (the groups that count),
        `n_unpaired` (groups with a value for one of the two alone; of a bootstrap those that a model lacks) and
        `minimum_detectable`, the least difference that would be found with this power on as many groups. Interval,
        statistic and p-value are null where fewer than two pairs are there, or all differ by the same. With
        `paired=False`, `test` is `welch` or `delong`, and in place of `wins` to `n_unpaired` there are `n_baseline` and
        `n_candidate`, the units of each.

    Raises:
        SqlMetricsError: a metric whose spread is not known, but for `test="bootstrap"`; one column as baseline and
            candidate; groups with a value for one model alone; a column that `other` lacks; whatever `evaluate`
            refuses.

    >>> lists = [(1, 0.9, 0.2), (0, 0.8, 0.1)], [(1, 0.3, 0.6), (0, 0.4, 0.5)], [(0, 0.9, 0.1), (1, 0.2, 0.7)]
    >>> rows = [{"u": u, "y": y, "old": a, "new": b} for u, rows in enumerate(lists) for y, a, b in rows]
    >>> compared = compare(rows, "mrr", baseline="old", candidate="new", label="y", group="u").to_dicts()[0]
    >>> compared["candidate_value"], compared["wins"], compared["ties"], round(compared["p_value"], 4)
    (1.0, 2, 1, 0.1835)

    Two arms of an experiment, with a user in one of them:

    >>> day = [{"arm": "ab"[u % 2], "clicked": u % 3 == 0, "p": (u % 5 + 1) / 6} for u in range(60)]
    >>> arms = [[row for row in day if row["arm"] == arm] for arm in "ab"]
    >>> compared = compare(arms[0], "brier", baseline="p", other=arms[1], candidate="p", paired=False, label="clicked")
    >>> [compared.to_dicts()[0][name] for name in ("test", "n_baseline", "n_candidate")]
    ['welch', 30, 30]
    """
    models = _models(baseline, candidate, two_tables=other is not None)
    with opened(data, replace(options, score=models), other=other) as given:
        plan = given.plan(
            "compare_plan",
            metrics=notations(metrics),
            paired=paired,
            test=test,
            correction=correction,
            power=power,
            on_unpaired=on_unpaired,
        )
        table, statement = given.run(plan)
    compared = Comparison(*checked_points(table, given.by, statement, options.drops_bad_rows))
    if paired:
        drawn = "rows" if group is None else "groups"
        whole = {name for name, units in statement.units.items() if units not in ("lists", "groups")}
        _refuse_unpaired(compared, None if other is not None else baseline, on_unpaired, drawn, whole)
    return compared


def _models(
    baseline: str, candidate: str | Iterable[str] | Mapping[str, str], two_tables: bool
) -> dict[str, str]:
    """The columns of the models by their names, the baseline first."""
    if not isinstance(baseline, str):
        raise SqlMetricsError(f"baseline= takes a column name or sm.sql(...), got {baseline!r}")
    candidates = candidate if isinstance(candidate, Mapping) else as_list(candidate, "candidate")
    return dict(macros("duckdb")["compared_models"](baseline, candidates, two_tables))


def _refuse_unpaired(
    compared: Comparison, baseline: str | None, on_unpaired: str, units: str, whole: set[str]
) -> None:
    """Groups, or rows, that one of two models lacks have left no value, unless both could be taken over the others.

    Those of `whole` are metrics that cannot be taken over a part of the data.
    """
    lacking = [row for row in compared.to_dicts() if row["n_unpaired"] and row["difference"] is None]
    for row in sorted(lacking, key=lambda row: row["metric"] in whole)[-1:]:
        rest = f"; pass on_unpaired='intersection' to take both over the {units} that have both values"
        if on_unpaired == "intersection" and not row["n_pairs"]:
            continue  # there is no such group
        if on_unpaired == "intersection" or row["metric"] in whole:
            rest = f", which cannot be taken over a part of the {units}; leave those rows out of the data"
        one = f"for one of '{baseline}' and '{row['candidate']}'" if baseline else "in one of the two tables"
        raise SqlMetricsError(
            f"{row['n_unpaired']:,} of {row['n_unpaired'] + row['n_pairs']:,} {units} have a value of {row['metric']}"
            f" {one} alone{rest}"
        )
