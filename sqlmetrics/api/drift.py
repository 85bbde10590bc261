"""`drift` and `render_drift`: whether the columns of a table have moved since a reference, or between two periods."""

from __future__ import annotations

import datetime
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlmetrics.api.drift_of_states import conditions_of_states, facts_of_states, slices_compared
from sqlmetrics.api.states import one_table
from sqlmetrics.book.plan import Statement, builtin, planned, written
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError, counted
from sqlmetrics.given.columns import AnyColumns, Columns, as_list, named_columns
from sqlmetrics.given.conditions import check_condition
from sqlmetrics.given.facts import named_table, opened
from sqlmetrics.given.facts_of_state import is_state, period_of
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.periods import refuse_no_period
from sqlmetrics.given.reads import reads_of
from sqlmetrics.given.zones import expressions_in, note_of, zone_of
from sqlmetrics.options import Names, Options, with_options
from sqlmetrics.results.drift import Drift

if TYPE_CHECKING:
    import pyarrow as pa

Period = str | float | bool | datetime.date | None

#: kinds of columns that are compared if none is named; a kind is empty where an engine does not tell the type
COMPARED = ("a number", "text", "a boolean", "")


@with_options
def drift(
    options: Options,
    data: Any,
    reference: Any = None,
    *,
    columns: Names = None,
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    period: str | None = None,
    before: Period = None,
    after: Period = None,
    numeric: Names = None,
    bins: int = 10,
    where: str | None = None,
    connection: Any = None,
    dialect: str | None = None,
) -> Drift:
    """Compares each column of the data with the same column of a reference, or of two periods of the data.

    A number is divided into bins at the quantiles of the reference, which all slices share. If it has few values, such
    as a flag or a rating, each is a bin. The values of other columns are categories. NULL is a bin, or a category, of
    its own; of a number so are NaN and infinity. The
    Kolmogorov-Smirnov and Wasserstein distances take each number as it is.

    Args:
        data: the current rows, as for `evaluate`, as are `total`, `total_name`, `connection` and `dialect`; or a state,
            as for `finish`, whose numbers of rows by slice and period are compared. No data are read again.
        reference: a second table: the rows to compare with, such as those a model was trained on; of a state another
            state.
        columns: the columns to compare. By default these are all columns of numbers, text and booleans that both
            tables have, besides `by` and `period`; a note names the others. Of a state they are its slices.
        by: the slices, each of which is compared with the same slice of the reference.
        period: instead of `reference`, a column of the data that has the period of a row, or an expression such as
            `sm.sql("day >= '2026-06-01'")`. A state knows its own.
        before: the value of `period` whose rows are the reference.
        after: the value of `period` whose rows are the current ones.
        numeric: columns that are numbers, besides those whose type says so, such as expressions. The slices of a
            state are categories.
        bins: a number is divided into this many bins of equally many rows of the reference, from 2 to 100. A value that
            has more rows than a bin is a bin by itself. Where both tables have at most this many values of a number, or
            20, each of them is a bin.
        where: a condition on the rows of both tables.

    Returns:
        A `Drift` with one row for each column of each slice, and of all slices together. Its columns:

        - the columns of `by` and `is_total`; `column_name`; `kind`: number or category
        - `n_current`, `n_reference`, `n_null_current`, `n_null_reference`: rows, and those without a value
        - `psi`: the population stability index. A bin without rows of one side counts as half a row
        - `jensen_shannon` (the distance, with natural logarithms), `hellinger`, `total_variation`: from 0 to 0.833,
          1 and 1
        - `wasserstein`, `ks`, `ks_p_value`: of a number; null for a category
        - `chi_square`, `chi_square_p_value`: of the counts of bins or categories; the p-value allows for rare ones
        - `q_value`: Benjamini and Hochberg's over all rows of the result, of `chi_square_p_value` for a category
          and, for a number, of twice the smaller of both p-values: KS does not see values that became NULL
        - `n_new_values`, `n_vanished_values`: of a category, how many values the reference, or the current rows,
          lack; `new_values`, `vanished_values`: the five most frequent of them, with their rows

        Distances are null where one side has no row.

    Raises:
        SqlMetricsError: neither `reference` nor `period`, or both; a column that one table lacks, or that is of
            another kind there; a side without rows; something cannot be read; of a state a column that is no slice,
            `numeric`, and the errors of `finish`.

    >>> then = [{"device": "ab"[i % 2], "age": 20 + i % 30} for i in range(300)]
    >>> now = [{"device": "abc"[i % 3], "age": 25 + i % 30} for i in range(300)]
    >>> moved = drift(now, reference=then)
    >>> [(row["column_name"], round(row["psi"], 3), row["new_values"]) for row in moved]
    [('device', 1.892, 'c (100)'), ('age', 0.639, None)]
    """
    slices, asked = named_columns(by, "by"), None if columns is None else named_columns(columns, "columns")
    sides = {"before": _literal(before, "before"), "after": _literal(after, "after")}
    reads = reads_of(options, apart=[columns, period], numbers=numeric, every=columns is None)
    with opened(one_table(data), replace(options, by=None), reads=reads) as given:
        session, known = given.session, given.facts["columns"]
        second = None if reference is None else _opened_reference(given, reference, where)
        other = None if second is None else second.facts["columns"]
        of_state = is_state(known)
        if of_state:
            facts = facts_of_states(given, second, options, period, sides)
            compared = slices_compared(given, second, slices, asked)
            notes = conditions_of_states(given, second)
        else:
            macros(session.dialect)["check_sides"](reference, period, *sides.values())
            facts = {"period": None if period is None else {"sql": known.text(period, "period")}}
            left = [column for _, column in slices] + [period]
            compared, notes = _shared(known, other, left) if asked is None else (asked, [])
        if second is not None and other is not None:
            facts |= {"reference": second.relation.text, "reference_once": second.relation.read_once}
            for role, named in (("by", slices), ("columns", compared)):
                for _, column in named:
                    known.check_same(other, column, role) if column in known else known.text(column, role)
        plan = planned(
            session.dialect,
            "drift_plan",
            relation=given.relation.text,
            read_once=given.relation.read_once,
            columns=_in_sql(known, compared, "columns"),
            numeric=as_list(numeric, "numeric") if of_state else _numbers(known, other, compared, numeric),
            by=_in_sql(known, slices, "by"),
            total=total,
            total_name=total_name,
            bins=bins,
            where=where,
            known_columns=known,
            **sides,
            **facts,
        )
        booleans = [name for name, column in slices if known.kind(column) == "a boolean"]
        table, statement = replace(given, booleans=booleans).run(plan)
        _refuse_unfit(table, statement)
        zone = zone_of(session, given.relation, known, [where, period, *expressions_in([by, columns])])
        if of_state and second is None:
            rows = {"before": "n_reference", "after": "n_current"}
            asked_for = {"before": before, "after": after}
            refuse_no_period(given, table, rows, facts["period"]["sql"], asked_for, where)
    _refuse_empty(table, options, period, before, after)
    notes += [f"only rows where {' '.join(where.split())}"] if where is not None else []
    notes += [*note_of(zone), *statement.lacking]
    table = table.drop_columns(list(statement.counts))
    return Drift(table, [name for name, _ in slices], statement.text, statement, notes)


@with_options
def render_drift(
    options: Options,
    relation: str,
    reference: str | None = None,
    *,
    columns: Names,
    dialect: str = "duckdb",
    by: Names = None,
    total: bool = True,
    total_name: str | None = None,
    period: str | None = None,
    before: Period = None,
    after: Period = None,
    numeric: Names = None,
    bins: int = 10,
    where: str | None = None,
    of_state: bool = False,
    made_period: str | None = None,
    made_where: str | None = None,
) -> str:
    """Returns the statement that `drift` would run, in any dialect. The relations need not exist yet.

    The arguments are those of `drift` and `render`. The columns and their types are unknown, so `columns` names all
    columns to compare and `numeric` those that are numbers; others are taken for categories.

    Args:
        of_state: True if the relation, and the reference if there is one, are states. `period` is then the column of
            their periods or an expression of it.
        made_period: of states, the column of their periods, if `period` is an expression of it, or missing.
        made_where: of states, the `where` of the calls that made them.

    >>> render_drift("june", "may", columns=["country", "age"], numeric="age").splitlines()[-1]
    '    sm_results.sm_column asc'
    """
    named = named_table(relation, "relation")
    second = None if reference is None else named_table(reference, "reference")
    known = AnyColumns(macros(str(dialect)))
    compared = named_columns(columns, "columns")
    made = period if of_state and made_period is None else made_period
    plan = planned(
        dialect,
        "drift_plan",
        relation=named,
        reference=second,
        period=None if period is None else {"sql": known.text(period, "period")},
        before=_literal(before, "before"),
        after=_literal(after, "after"),
        columns=_in_sql(known, compared, "columns"),
        numeric=_numeric(numeric, compared, known),
        by=_in_sql(known, named_columns(by, "by"), "by"),
        total=total,
        total_name=total_name,
        bins=bins,
        where=where,
        of_state=of_state,
        made_period=None if made is None else period_of(known, made),
        made_where=made_where,
        known_columns=known,
    )
    return written(plan).text


def _literal(value: Any, role: str) -> Any:
    """A value of the period as macros take it; a date is its text."""
    value = builtin(value)
    if isinstance(value, (datetime.date, datetime.datetime)):
        return str(value)
    if value is not None and (not isinstance(value, (str, int, float)) or value != value):
        raise SqlMetricsError(
            f"{role}= takes one value of period=: a text, a number, a boolean or a date, got {value!r}"
        )
    return value


def _in_sql(columns: Columns, named: list[tuple[str, str]], role: str) -> list[dict[str, str]]:
    """Columns as SQL, with their names in the result."""
    return [
        {"sql": columns.text(column, role), "name": str(name), "alias": columns.alias(str(name))}
        for name, column in named
    ]


def _numeric(numeric: Names, compared: list[tuple[str, str]], columns: Columns) -> list[str]:
    """The columns that the caller says are numbers, by their names in the result."""
    found = []
    for asked in as_list(numeric, "numeric"):
        meant = [(name, column) for name, column in compared if asked in (name, column)] or [(asked, asked)]
        for name, column in meant:
            columns.number(column, "numeric")
            found.append(name)
    return found


def _numbers(
    columns: Columns, other: Columns | None, compared: list[tuple[str, str]], numeric: Names
) -> list[str]:
    """The columns that are numbers, by their type or because the caller says so."""
    of_type = [
        name
        for name, column in compared
        if "a number" in (columns.kind(column), other and other.kind(column))
    ]
    return [*of_type, *_numeric(numeric, compared, columns)]


def _shared(
    columns: Columns, other: Columns | None, left: list[str | None]
) -> tuple[list[tuple[str, str]], list[str]]:
    """The columns to compare if none is named, and notes of those that are not compared."""
    compared: list[str] = []
    alone: list[str] = []
    unlike: list[str] = []
    for name in columns.types:
        if name in left or (other is not None and name in other.unread):
            continue
        if other is not None and name not in other:
            alone.append(name)
            continue
        if other is not None:
            columns.check_same(other, name, "columns")
        kinds = [columns.kind(name), other.kind(name) if other is not None else ""]
        (compared if {*kinds} <= {*COMPARED} else unlike).append(name)
    unread = [name for name in {**columns.unread, **(other.unread if other else {})} if name not in left]
    missing = [] if other is None else [name for name in other.types if name not in columns]
    if not compared:
        raise SqlMetricsError(
            f"There is no column to compare: {counted(columns.types)} of {columns.where}"
            + (f", {counted(other.types)} of {other.where}" if other is not None else "")
            + "; pass columns=, or an expression of a column as columns=sm.sql('...')"
        )
    said = {
        "the reference lacks": alone,
        "the data lack": [name for name in missing if name not in unread],
        "cannot be read or are named twice": unread,
        "are neither numbers nor text nor booleans; columns= compares them as text": unlike,
    }
    notes = [
        f"columns not compared, which {why}: {counted(names, 10)}" for why, names in said.items() if names
    ]
    return [(name, name) for name in compared], notes


def _opened_reference(given: Opened, reference: Any, where: str | None) -> Opened:
    """The second table, open beside the data."""
    relation = replace(given.session.open(one_table(reference), "reference", given.reads), name="reference=")
    columns = given.session.columns(relation)
    if is_state(columns) and not is_state(given.facts["columns"]):
        raise SqlMetricsError(
            f"reference= is a state and {given.relation.name} is not; compare two states, or two tables"
        )
    check_condition(given.session, relation, where)
    return replace(given, relation=relation, facts={"columns": columns})


def _refuse_unfit(table: pa.Table, statement: Statement) -> None:
    """Rejects states whose rows cannot be counted: without a number, or of a period that was made twice."""
    for check in statement.checks:
        if count := table.column(check.name)[0].as_py():
            raise DataError(f"{count:,} {check.message}")


def _refuse_empty(table: pa.Table, options: Options, period: Any, before: Any, after: Any) -> None:
    """Rejects a side without rows."""
    for side, called, value in (("n_current", "The data", after), ("n_reference", "reference=", before)):
        if not any(table.column(side).to_pylist()):
            of_period = f"The data has no row where period={period!r} is {value!r}"
            missing = f"{called} has no row" if period is None else of_period
            raise DataError(missing + (f" with where={options.where!r}" if options.where is not None else ""))
