"""Reads the counts of a result: a report where the data are sound, an error that names what is broken otherwise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.results.report import ListReport, Report, State

if TYPE_CHECKING:
    import pyarrow as pa

    from sqlmetrics.plan import Statement

WRONG = {
    "weight": "NULL, NaN, infinite or negative weight",
    "group": "NULL group",
    "item": "NULL item",
    "prediction": "NULL or NaN prediction",
    "subtopic": "NULL subtopic",
    "period": "NULL period",
}


def checked(table: pa.Table, by: list[str], statement: Statement, drop: bool) -> Report:
    """The report.

    Raises:
        SqlMetricsError: no row; unusable rows, unless they are to be dropped; data that a metric cannot take.
    """
    table, examples = _without_examples(table, statement)
    ends = [column.name for column in statement.results if column.is_end]
    metrics = [column.name for column in statement.results if not column.is_end]
    ours = ", ".join(statement.without_convention)
    notes = [f"not in {statement.convention}, by our defaults: {ours}"] if ours else []
    report = Report(table, by, list(statement.counts), metrics, statement.text, notes, ends)
    _refuse_broken(report, statement, examples, drop)
    _refuse_slices_without_truth(report, statement)
    _refuse_split_groups(report, statement)
    return report


def checked_points(
    table: pa.Table, by: list[str], statement: Statement, drop: bool
) -> tuple[pa.Table, Report]:
    """A table with several rows a slice, and the report of its counts: each row has them, the first will do.

    Raises:
        SqlMetricsError: as `checked`.
    """
    audited = checked(_first_of_slices(table, statement), by, statement, drop)
    return table.select([*audited.keys, *(column.name for column in statement.results)]), audited


def _first_of_slices(table: pa.Table, statement: Statement) -> pa.Table:
    """The first row of each slice and model."""
    names = [*statement.by, "is_total", "model"]
    columns = [table.column(name).to_pylist() for name in names if name in table.column_names]
    first: dict[str, int] = {}
    for row, key in enumerate(zip(*columns, strict=True) if columns else [()]):
        first.setdefault(repr(key), row)
    return table.take(list(first.values()))


def checked_lists(table: pa.Table, by: list[str], statement: Statement, drop: bool) -> ListReport:
    """The report of `per_group`.

    Raises:
        SqlMetricsError: as `checked`.
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
    # the counts come with one row more where there is no list
    lists = table.filter(pc.is_valid(table.column(statement.group)))
    report = ListReport(lists, by, audit, statement.text)
    _refuse_broken(report, statement, examples, drop)
    _refuse_lists_of_one_run(report, statement)
    return report


def checked_state(table: pa.Table, statement: Statement, drop: bool) -> State:
    """The state.

    Raises:
        SqlMetricsError: as `checked`.
    """
    table, examples = _without_examples(table, statement)
    state = State(table, statement.text)
    _refuse_broken(state, statement, examples, drop)
    return state


def _refuse_broken(
    report: Report | ListReport | State, statement: Statement, examples: dict[str, Any], drop: bool
) -> None:
    rows = report.count("n_rows")
    if rows == 0:
        raise SqlMetricsError("The data has no row")
    if not drop:
        _refuse_bad_rows(report, statement, rows)
    for check in statement.checks:
        if count := report.count(check.name):
            message = check.message
            if check.example is None:
                message = re.sub(r",? such as \{value\}", "", message)
            message = message.replace("{value}", f"{examples.get(check.name, 0):.15g}")
            raise SqlMetricsError(f"{count:,} {message}")


def _without_examples(table: pa.Table, statement: Statement) -> tuple[pa.Table, dict[str, Any]]:
    """A table without the columns of offending values, and one such value for each check that found any."""
    columns = {check.name: check.example for check in statement.checks if check.example}
    kept = {name: table.column(column).drop_null() for name, column in columns.items()}
    examples = {name: values[0].as_py() for name, values in kept.items() if len(values)}
    return table.drop_columns(list(columns.values())), examples


def _refuse_bad_rows(report: Report | ListReport | State, statement: Statement, rows: int) -> None:
    for name, role in statement.bad_rows.items():
        if count := report.count(name):
            # with a truth the count is over both tables, the number of rows is not
            mixed = statement.truth and role != "score"
            whole = "rows of the truth or the data" if mixed else f"of {rows:,} rows"
            raise SqlMetricsError(
                f"{count:,} {whole} have a {WRONG.get(role, f'NULL, NaN or infinite {role}')};"
                " pass on_bad_rows='drop' to leave them out (they are counted in rows_dropped)"
            )


def _refuse_slices_without_truth(report: Report, statement: Statement) -> None:
    """Slices that the truth lacks are runs over all its groups, unless each group is in one of them alone."""
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
    """The slices of a state cannot be rolled up; the total, whose lists are whole, is right nevertheless."""
    for check in statement.checks:
        if check.name == "groups_split":
            split = max((row["groups_split"] for row in report.to_dicts()), default=0)
            if split:
                raise SqlMetricsError(f"{split:,} {check.message}")


def _refuse_lists_of_one_run(report: ListReport, statement: Statement) -> None:
    """The same of lists: those of the data are of one run each, and stand as missing in the others."""
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
        f"Every group of the data has one value of {names} (by=), by which the groups of the truth cannot be told"
        " apart; add the column to the truth"
    )
