"""`agreement` and `render_agreement`: how far raters agree, from a table with a row for each rating or each item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlmetrics.book.plan import planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import AnyColumns, Columns, as_list, named_columns
from sqlmetrics.given.facts import in_numbers, named_facts, opened
from sqlmetrics.given.reads import Reads, reads_of
from sqlmetrics.options import Names, OnBadRows, Options, with_options
from sqlmetrics.results.agreement import Agreement
from sqlmetrics.results.checks import checked_points

CALLED = {"label": "value", "prediction": "rater"}
Facts = dict[str, Any]


@with_options
def agreement(
    options: Options,
    data: Any,
    measures: str | Iterable[str],
    *,
    item: str | None = None,
    rater: str | None = None,
    value: str | None = None,
    raters: Names = None,
    interval: float = 0.95,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Agreement:
    """Measures how far raters agree: people, models or both, any number of them, with ratings missing or not.

    Args:
        data: as for `evaluate`, as are `by`, `total`, `total_name`, `where`, `on_bad_rows`, `connection` and `dialect`.
        measures: one or more of `krippendorff` (Krippendorff's alpha; `level=nominal`, `ordinal`, `interval` or
            `ratio`), `fleiss` (Fleiss' kappa), `gwet` (AC1; AC2 with `weights=ordinal`, `linear` or `quadratic`),
            `cohen` (Cohen's kappa of each pair of raters, and their mean), `percent` (observed agreement), such as
            `"krippendorff(level=ordinal)"`.
        item: the column of what was rated.
        rater: the column of who rated it. A row is a rating.
        value: the column of the rating: a text, a number or a boolean; numbers for a level or weights with an order.
        raters: instead of `rater` and `value` the columns of a wide table, one for each rater. A row is then an item,
            unless `item` names it, and NULL is a rating that is missing.
        interval: the confidence level of the intervals.

    Returns:
        One row for each slice and measure: the columns of `by`, `is_total`, `measure`, `value`, `low` and `high` (its
        interval over items), `n_items`, `n_raters` and `n_ratings` (of items with two ratings or more). With `cohen`
        there are `rater_a` and `rater_b`, a row for each pair of raters, and one of the mean, without raters. An item
        with a single rating has no agreement: `audit` counts them in `items_rated_once`. If all ratings have one
        value, agreement beyond chance is null.

    Raises:
        SqlMetricsError: a rater who rated an item twice; text for a level or weights with an order; an unknown
            measure; something that cannot be read or computed.

    >>> votes = [("a", "x", 1), ("a", "y", 1), ("b", "x", 0), ("b", "y", 0), ("c", "x", 1), ("c", "y", 0)]
    >>> rows = [{"text": text, "who": who, "label": label} for text, who, label in votes]
    >>> for row in agreement(rows, ["krippendorff", "percent"], item="text", rater="who", value="label"):
    ...     print(row["measure"], round(row["value"], 4), row["n_items"], row["n_raters"])
    krippendorff 0.4444 3 2
    percent 0.6667 3 2
    """
    asked = as_list(measures, "measures")
    numeric = macros("duckdb")["measure_of_numbers"](asked)
    by_rater = named_columns(raters, "raters")
    ratings = [column for _, column in by_rater] if value is None else [value]
    said = replace(options, label=value, prediction=rater)
    with opened(data, said, reads=_reads(said, ratings, numeric), called=CALLED) as given:
        columns = given.labels.columns
        facts = _roles(given.facts, columns, by_rater)
        _check_kinds(columns, ratings, numeric, "raters" if value is None else "value")
        plan = replace(given, facts=facts).plan("agreement_plan", measures=asked)
        table, statement = given.run(plan)
    roles = {"group": item, "label": value, "prediction": rater}
    wrong = {role: f"value of column '{column}'" if column else "rating" for role, column in roles.items()}
    return Agreement(*checked_points(table, given.by, statement, options.drops_bad_rows, wrong))


@with_options
def render_agreement(
    options: Options,
    relation: str,
    measures: str | Iterable[str],
    *,
    dialect: str = "duckdb",
    item: str | None = None,
    rater: str | None = None,
    value: str | None = None,
    raters: Names = None,
    interval: float = 0.95,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    where: str | None = None,
) -> str:
    """Returns the statement that `agreement` would run, in any dialect. The relation need not exist yet.

    The arguments are those of `agreement` and `render`.

    >>> render_agreement("labels", "percent", item="text", rater="who", value="label").splitlines()[-1]
    'order by sm_points.sm_number asc'
    """
    facts = named_facts(relation, replace(options, label=value, prediction=rater))
    facts = _roles(facts, AnyColumns(macros(dialect)), named_columns(raters, "raters"))
    asked = as_list(measures, "measures")
    return written(planned(dialect, "agreement_plan", measures=asked, **facts)).text


def _roles(facts: Facts, columns: Columns, raters: list[tuple[str, str]]) -> Facts:
    """The facts with the roles of ratings in place of those of labels and lists."""
    roles = {"label": "value", "prediction": "rater"}
    given = {roles.get(role, role): fact for role, fact in facts.items() if role != "group"}
    named = [(name, column, columns.text(column, "raters")) for name, column in raters]
    kinds = {name: columns.kind(column) for name, column, _ in named}
    texts = in_numbers(columns, kinds, {name: text for name, _, text in named})
    return {**given, "raters": [{"name": name, "sql": text} for name, text in texts.items()]}


def _reads(options: Options, ratings: list[str], numeric: str | None) -> Reads:
    """What is read: values as classes, or as numbers if a measure computes with them."""
    if numeric is None:
        return reads_of(options, classes=ratings)
    return reads_of(replace(options, label=None, prediction=None), apart=options.prediction, numbers=ratings)


def _check_kinds(columns: Columns, ratings: list[str], numeric: str | None, role: str) -> None:
    """Rejects text for a measure of numbers, and columns of raters whose values are never equal."""
    if numeric is not None:
        for column in ratings:
            if columns.kind(column) == "text":
                raise SqlMetricsError(
                    f"Column '{column}' ({role}=) is text, and {numeric} computes with numbers; pass numbers in the"
                    f" order of the scale, such as sm.sql(\"case {column} when 'low' then 1 else 2 end\"), or"
                    " a nominal measure"
                )
            columns.number(column, role)
    kinds = {columns.kind(column): column for column in ratings if columns.kind(column)}
    if len(kinds) > 1 and {*kinds} != {"a number", "a boolean"}:
        (first, one), (second, other), *_ = kinds.items()
        raise SqlMetricsError(
            f"Column '{one}' ({role}=) is {first} and column '{other}' is {second}; raters rate on one scale"
        )
