"""Checks the counts of a result. Returns a report for sound data, and raises an error for broken data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.conventions import of_other_case
from sqlmetrics.errors import DataError, SqlMetricsError
from sqlmetrics.given.zones import note_of
from sqlmetrics.results.change import Change
from sqlmetrics.results.few import few_units, spanning_groups
from sqlmetrics.results.mistakes import are_swapped, mistakes, not_shown, reversed_scores
from sqlmetrics.results.report import ListReport, Report, State
from sqlmetrics.results.slices import Slices

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.book.plan import Statement

WRONG = {
    **{
        weight: f"NULL, NaN, infinite or negative {weight}"
        for weight in ("weight", "gold_weight", "product of weight and gold_weight")
    },
    "group": "NULL group",
    "item": "NULL item",
    "prediction": "NULL, NaN or infinite prediction",
    "subtopic": "NULL subtopic",
    "period": "NULL period",
}

EXPECTED = (
    "label= is the score itself: its numbers are expected ones, and hold only as far as the score is calibrated;"
    " if labels come to depend otherwise on the features (concept drift), they do not show it"
)


def checked(table: pa.Table, by: list[str], statement: Statement, drop: bool) -> Report:
    """The report of `evaluate`, after all checks.

    Args:
        table: the result of the statement.
        by: the columns of the slices.
        statement: the statement that ran.
        drop: True accepts bad rows, which the statement has left out.

    Raises:
        SqlMetricsError: no rows; bad rows, unless `drop`; data that a metric cannot use.
    """
    table, examples = _without_examples(table, statement)
    ends = [column.name for column in statement.results if column.is_end]
    metrics = [column.name for column in statement.results if not column.is_end]
    ours = ", ".join(statement.without_convention)
    notes = _said(statement)
    notes += [f"not in {statement.convention}, by our defaults: {ours}"] if ours else []
    if statement.without_method:
        beside = statement.interval_method not in ("bootstrap", "anytime")
        how = "by its default method" if beside else "without an interval"
        notes.append(
            f"interval_method={statement.interval_method} does not serve, {how}: {', '.join(statement.without_method)}"
        )
    report = Report(table, by, list(statement.counts), metrics, statement, notes, ends)
    _refuse_broken(report, statement, examples, drop)
    _refuse_slices_without_truth(report, statement)
    _refuse_split_groups(report, statement)
    report.further += mistakes(report.count, examples, statement) + reversed_scores(report, statement)
    report.further += spanning_groups(report) + few_units(report, statement)
    report.hide(not_shown(statement))
    return report


def checked_points(
    table: pa.Table, by: list[str], statement: Statement, drop: bool, wrong: Mapping[str, str] | None = None
) -> tuple[pa.Table, Report]:
    """A result with several rows for each slice, and the report of its counts.

    All rows of a slice repeat its counts, so the first row is checked. `wrong` has the caller's words for what bad rows
    lack, by role.

    Raises:
        SqlMetricsError: as for `checked`.
    """
    if wrong:
        lack = {count: wrong.get(role, role) for count, role in statement.bad_rows.items()}
        statement = replace(statement, bad_rows=lack)
    audited = checked(_first_of_slices(table, statement), by, statement, drop)
    return table.select([*audited.keys, *(column.name for column in statement.results)]), audited


def _first_of_slices(table: pa.Table, statement: Statement) -> pa.Table:
    import pyarrow as pa

    # the models of a leaderboard are in its rows, and share their counts
    names = {*statement.by, "is_total", "model"} - {column.name for column in statement.results}
    columns = [table.column(name).to_pylist() for name in table.column_names if name in names]
    first: dict[str, int] = {}
    for row, key in enumerate(zip(*columns, strict=True) if columns else [()]):
        first.setdefault(repr(key), row)
    return table.take(pa.array(first.values(), pa.int64()))


def checked_lists(table: pa.Table, by: list[str], statement: Statement, drop: bool) -> ListReport:
    """The report of `per_group`, after all checks.

    Raises:
        SqlMetricsError: as for `checked`.
    """
    import pyarrow.compute as pc

    table, examples = _without_examples(table, statement)
    models = ["model"] if statement.models else []
    audit = table.group_by(models, use_threads=False).aggregate([(name, "max") for name in statement.counts])
    audit = audit.rename_columns([name.removesuffix("_max") for name in audit.column_names])
    table = table.select(
        [
            *by,
            *models,
            statement.group,
            *statement.counts_of_list,
            *(column.name for column in statement.results),
        ]
    )
    # without a list there is one row that holds only the counts
    lists = table.filter(pc.is_valid(table.column(statement.group)))
    report = ListReport(lists, by, audit, statement, _said(statement))
    _refuse_broken(report, statement, examples, drop)
    _refuse_lists_of_one_run(report, statement)
    report.further += mistakes(report.count, examples, statement)
    report.hide(not_shown(statement))
    return report


def checked_slices(
    table: pa.Table, by: list[str], statement: Statement, drop: bool, further: list[str]
) -> Slices:
    """The slices of a search, after all checks, with further notes.

    Every row has the counts, the number of all rows under a name of its own. Without a slice there is one row.

    Raises:
        SqlMetricsError: as for `checked`.
    """
    import pyarrow.compute as pc

    table, examples = _without_examples(table, statement)
    counts = ["n_rows" if name == "n_rows_of_data" else name for name in statement.counts]
    audit = table.slice(0, 1).select(list(statement.counts)).rename_columns(counts)
    report = Report(audit, by, counts, [], statement, _said(statement))
    _refuse_broken(report, statement, examples, drop)
    report.further += further
    slices = table.filter(pc.is_valid(table.column("slice")))
    return Slices(slices.select([column.name for column in statement.results]), report)


def checked_change(table: pa.Table, by: list[str], statement: Statement, drop: bool) -> Change:
    """The change that is explained, after all checks. The last row, of all slices, has the counts of all data.

    Raises:
        SqlMetricsError: as for `checked`.
    """
    table, examples = _without_examples(table, statement)
    audit = table.slice(max(len(table) - 1, 0)).select(list(statement.counts))
    report = Report(audit, by, list(statement.counts), [], statement, _said(statement))
    _refuse_broken(report, statement, examples, drop)
    return Change(table.select([*by, "is_total", *(column.name for column in statement.results)]), report)


def checked_state(table: pa.Table, statement: Statement, drop: bool) -> State:
    """The state, after all checks.

    Raises:
        SqlMetricsError: as for `checked`.
    """
    table, examples = _without_examples(table, statement)
    state = State(table, statement, _said(statement))
    _refuse_broken(state, statement, examples, drop)
    return state


def _said(statement: Statement) -> list[str]:
    """The notes of the conditions on rows, and of metrics that another library writes in another case."""
    conditions = dict.fromkeys(filter(None, (statement.made_where, statement.where)))
    names = [of_other_case(notation, statement.convention) for notation in statement.notations.values()]
    return [
        *(f"only rows where {' '.join(condition.split())}" for condition in conditions),
        *filter(None, dict.fromkeys(names)),
        *note_of(statement.zone),
        *([EXPECTED] if statement.expected else []),
        *statement.lacking,
    ]


def _refuse_broken(
    report: Report | ListReport | State, statement: Statement, examples: dict[str, Any], drop: bool
) -> None:
    rows = report.count("n_rows")
    if rows == 0 and statement.where is not None:
        raise DataError(f"where={statement.where!r} leaves no row of the data")
    if rows == 0:
        raise DataError("The data has no row")
    if not drop:
        _refuse_bad_rows(report, statement, rows)
    for check in statement.checks:
        if check.extreme is None and (count := report.count(check.name)):
            message = check.message
            if check.example is None:
                message = re.sub(r",? such as \{value\}", "", message)
            message = message.replace("{value}", _told(float(examples.get(check.name, 0))))
            swapped = "; label= and score= may be swapped" if are_swapped(report.count, statement) else ""
            raise DataError(f"{count:,} {message}{swapped}")


def _told(value: float) -> str:
    """An offending value, with all of its digits if fewer would make it another; a whole number as one is written."""
    if value.is_integer() and abs(value) < 2**64:
        return f"{int(value)}"
    short = f"{value:.15g}"
    return short if float(short) == value else repr(value)


def _without_examples(table: pa.Table, statement: Statement) -> tuple[pa.Table, dict[str, Any]]:
    """The table without its columns of example values, and one example for each check that found rows."""
    examples = {}
    checks = [(check, check.example) for check in statement.checks if check.example]
    for check, column in checks:
        values = [value for value in table.column(column).to_pylist() if value is not None]
        if values:
            extremes = {"max": max(values), "min": min(values)}
            examples[check.name] = extremes.get(check.extreme or "", values[0])
    return table.drop_columns([column for _, column in checks]), examples


def _refuse_bad_rows(report: Report | ListReport | State, statement: Statement, rows: int) -> None:
    for name, role in statement.bad_rows.items():
        if count := report.count(name):
            # with a truth the count covers both tables, but the number of rows only one
            mixed = statement.truth and role != "score"
            whole = "rows of the truth or the data" if mixed else f"of {rows:,} rows"
            masked = ""
            if role == "score" and statement.reads_scores is not None:
                masked = f" (or -inf, which ranks last in a call without {statement.reads_scores})"
            raise DataError(
                f"{count:,} {whole} have a {WRONG.get(role, f'NULL, NaN or infinite {role}')}{masked}"
                f"{''.join(f'; {note}' for note in statement.lacking)};"
                " pass on_bad_rows='drop' to leave them out (they are counted in rows_dropped)"
            )


def _refuse_slices_without_truth(report: Report, statement: Statement) -> None:
    """Rejects slices that divide the groups of the data, if the truth lacks the columns of these slices.

    The statement takes such slices for runs, in each of which every list of the truth is due. If each group
    of the data lies in one slice only, the slices are not runs, and most lists would count as missing.
    """
    if not (statement.runs and "is_total" in report.columns):
        return
    present, runs = {True: 0, False: 0}, set()
    for row in report.to_dicts():
        present[row["is_total"]] += row["n_groups"] - row["groups_missing"]
        if not row["is_total"]:
            runs.add(tuple(row[run] for run in statement.runs))
    if len(runs) > 1 and 0 < present[True] == present[False]:
        raise SqlMetricsError(_undivided(statement))


def _refuse_split_groups(report: Report, statement: Statement) -> None:
    """Rejects slices of a state that cannot be combined, since a list lies in several of them.

    The total is not affected: its lists are whole.
    """
    for check in statement.checks:
        if check.name == "groups_split" and (split := max(report["groups_split"], default=0)):
            raise SqlMetricsError(f"{split:,} {check.message}")


def _refuse_lists_of_one_run(report: ListReport, statement: Statement) -> None:
    """Rejects slices as `_refuse_slices_without_truth` does, for `per_group`.

    A list that is in one run only would be missing in all others.
    """
    if not statement.runs:
        return
    import pyarrow.compute as pc

    table = report.to_arrow()
    models = ["model"] if statement.models else []
    listed = table.filter(pc.greater(table.column("n_items"), 0))
    runs = listed.group_by([statement.group, *models]).aggregate([([], "count_all")]).column("count_all")
    slices = listed.group_by(list(statement.runs)).aggregate([])
    if len(slices) > 1 and pc.max(runs).as_py() == 1:
        raise SqlMetricsError(_undivided(statement))


def _undivided(statement: Statement) -> str:
    names = ", ".join(f"'{run}'" for run in statement.runs)
    return (
        f"Every group of the data has one value of {names} (by=), which the truth lacks;"
        " add the column to the truth"
    )
