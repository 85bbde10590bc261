"""`chi_square`, `two_proportions` and `mcnemar`: tests of counts, from raw or counted rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlmetrics.book.plan import Plan
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.facts import in_numbers, opened
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import Reads, reads_of
from sqlmetrics.options import Names, OnBadRows, Options, with_options
from sqlmetrics.results.audited import CountTest
from sqlmetrics.results.checks import checked_points


@with_options
def chi_square(
    options: Options,
    data: Any,
    column: str,
    other: str | None = None,
    *,
    expected: Mapping[Any, float] | None = None,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> CountTest:
    """Runs Pearson's chi-square test: that two columns are independent, or that one has the expected shares.

    Args:
        data: as for `evaluate`, as are `by`, `total`, `total_name`,
            `where`, `on_bad_rows`, `connection` and `dialect`.
        column: the column of categories: texts, integers or booleans.
        other: a second column of categories, to test its independence of the first.
        expected: without `other`, the expected share or count of every category; only their ratios matter. By
            default the categories that occur have equal shares.
        weight: the column of counts, if a row stands for several.

    Returns:
        One row for each slice: the columns of `by`, `is_total`, `statistic`, `df` (degrees of freedom),
        `p_value` (null if `df` is 0), `cramers_v` (the strength of the dependence, from 0 to 1; null without
        `other`), `n` (the rows counted) and `least_expected` (the smallest expected count; below 5 the
        p-value is rough).

    Raises:
        SqlMetricsError: something cannot be read or computed; the message says what is allowed.

    >>> throws = [{"side": "heads", "n": 3}, {"side": "tails", "n": 7}]
    >>> print(chi_square(throws, "side", weight="n"))
    statistic   df   p_value   cramers_v    n   least_expected
    ──────────────────────────────────────────────────────────
       1.6000    1    0.2059           -   10           5.0000
    """
    return _tested(
        "chi_square_plan",
        data,
        replace(options, label=column, prediction=column if other is None else other),
        reads_of(options, apart=[column, other]),
        {"label": "column", "prediction": "other"},
        shares=other is None,
        expected=expected,
    )


@with_options
def two_proportions(
    options: Options,
    data: Any,
    label: str,
    category: str,
    *,
    interval: float = 0.95,
    weight: str | None = None,
    positive: float | str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> CountTest:
    """Compares two proportions: the shares of positive rows in two categories.

    Args:
        data: as for `evaluate`, as are `positive`, `by`, `total`, `total_name`,
            `where`, `on_bad_rows`, `connection` and `dialect`.
        label: the column that says if a row is positive.
        category: a column with two values; the lesser value is the first category.
        interval: the confidence level of the interval of the difference.
        weight: the column of counts, if a row stands for several.

    Returns:
        One row for each slice: the columns of `by`, `is_total`, `n_categories`, `first` and `second` (the
        categories), `n_first`, `n_second` (their rows), `rate_first`, `rate_second`, `difference` (the second
        less the first), `low` and `high` (its interval, Newcombe's), `z` and `p_value` (two-sided, pooled).
        If only one category occurs, all are null. If no row or every row is positive, `z` and `p_value` are
        null.

    Raises:
        SqlMetricsError: more than two categories; something cannot be read or computed.

    >>> visits = [{"bought": 1, "page": "a", "n": 30}, {"bought": 0, "page": "a", "n": 270}]
    >>> visits += [{"bought": 1, "page": "b", "n": 45}, {"bought": 0, "page": "b", "n": 255}]
    >>> result = two_proportions(visits, "bought", "page", weight="n").to_dicts()[0]
    >>> round(result["difference"], 4), round(result["p_value"], 4)
    (0.05, 0.0641)
    """
    tested = _tested(
        "two_proportions_plan",
        data,
        replace(options, label=label, prediction=category),
        reads_of(replace(options, label=label), apart=category),
        {"label": "label", "prediction": "category"},
    )
    categories = max((row["n_categories"] or 0 for row in tested.to_dicts()), default=0)
    if categories > 2:
        raise SqlMetricsError(
            f"Column '{category}' has {categories} categories and two are compared; leave rows out, or write"
            f" category=sm.sql({str(category) + ' = ...'!r}) to compare one with all others"
        )
    return tested


@with_options
def mcnemar(
    options: Options,
    data: Any,
    label: str,
    baseline: str,
    candidate: str,
    *,
    interval: float = 0.95,
    weight: str | None = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> CountTest:
    """Runs McNemar's test: compares the accuracy of two classifiers on the same rows.

    Args:
        data: as for `evaluate`, as are `by`, `total`, `total_name`,
            `where`, `on_bad_rows`, `connection` and `dialect`.
        label: the class of a row.
        baseline: the class predicted by one classifier, of the label's type, or a boolean beside 0 and 1.
        candidate: the class predicted by the other classifier.
        interval: the confidence level of the interval of the difference.
        weight: the column of counts, if a row stands for several.

    Returns:
        One row for each slice: the columns of `by`, `is_total`, `n_both_right`, `n_only_baseline` (only the
        baseline is right), `n_only_candidate`, `n_both_wrong` (rows), `accuracy_baseline`,
        `accuracy_candidate`, `difference` (the second less the first), `low` and `high` (its interval,
        Newcombe's for paired shares), `statistic` and `p_value` (chi-square without continuity correction)
        and `p_exact` (binomial; preferable if the classifiers disagree on few rows). If both are right on the
        same rows, the last three are null.

    Raises:
        SqlMetricsError: something cannot be read or computed; the message says what is allowed.

    >>> votes = [{"y": 1, "a": 1, "b": 1, "n": 794}, {"y": 1, "a": 1, "b": 0, "n": 86}]
    >>> votes += [{"y": 1, "a": 0, "b": 1, "n": 150}, {"y": 1, "a": 0, "b": 0, "n": 570}]
    >>> result = mcnemar(votes, "y", "a", "b", weight="n").to_dicts()[0]
    >>> round(result["difference"], 4), round(result["statistic"], 4)
    (0.04, 17.3559)
    """
    called = {"label": "label", "prediction": "candidate"}
    _refuse_none(label=label, candidate=candidate, baseline=baseline)
    options = replace(options, label=label, prediction=candidate)
    with opened(data, options, reads=reads_of(options, classes=baseline), called=called) as given:
        labels, columns = given.labels, given.labels.columns
        texts = {**given.facts, "baseline": columns.text(baseline, "baseline")}
        kinds = {"label": labels.kind, "prediction": labels.predicted, "baseline": columns.kind(baseline)}
        texts = in_numbers(columns, kinds, {role: texts[role] for role in kinds})
        given = replace(given, facts={**given.facts, **texts})
        plan = given.plan("mcnemar_plan")
        of_baseline = called | {"prediction": "baseline"}
        replace(labels, prediction=baseline, predicted=kinds["baseline"], called=of_baseline).check(plan)
        wrong = {
            "label": f"value of column '{label}' or '{baseline}'",
            "prediction": f"value of column '{candidate}'",
        }
        return _counted(given, plan, wrong, options)


def _refuse_none(**columns: str | None) -> None:
    """Rejects an argument without a column."""
    for name, column in columns.items():
        if column is None:
            raise SqlMetricsError(f"{name}= takes a column name or sm.sql(...), got None")


def _tested(
    macro: str, data: Any, options: Options, reads: Reads, called: Mapping[str, str], **asked: Any
) -> CountTest:
    """Runs the test that a macro plans. `called` has the names of the caller's arguments by role."""
    roles = {"label": options.label, "prediction": options.prediction}
    _refuse_none(**{called[role]: column for role, column in roles.items()})
    wrong = {role: f"value of column '{column}'" for role, column in roles.items()}
    with opened(data, options, reads=reads, called=called) as given:
        return _counted(given, given.plan(macro, **asked), wrong, options)


def _counted(given: Opened, plan: Plan, wrong: Mapping[str, str], options: Options) -> CountTest:
    """The result of a test. `wrong` describes the values of bad rows by role, for the error message."""
    table, statement = given.run(plan)
    return CountTest(*checked_points(table, given.by, statement, options.drops_bad_rows, wrong))
