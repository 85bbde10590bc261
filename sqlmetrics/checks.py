"""From the counts of a result to a report, or to the error that they call for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.report import ListReport, Report, State

if TYPE_CHECKING:
    import pyarrow as pa

WRONG = {
    "weight": "NULL, NaN, infinite or negative weight",
    "group": "NULL group",
    "item": "NULL item",
    "prediction": "NULL or NaN prediction",
    "subtopic": "NULL subtopic",
    "period": "NULL period",
}


def checked(table: pa.Table, plan: dict[str, Any], by: list[str], statement: str, drop: bool) -> Report:
    """The report.

    Raises:
        SqlMetricsError: no row; unusable rows, unless they are to be dropped; data that a metric cannot take.
    """
    table, examples = _without_examples(table, plan)
    ends = [result["name"] for result in plan["results"] if "end_of" in result]
    metrics = [result["name"] for result in plan["results"] if result["name"] not in ends]
    asked = plan["compared"]["metrics"] if plan["compared"] else plan["results"]
    unknown = [metric["notation"] for metric in asked if not metric.get("conventional", True)]
    notes = [f"not in {plan['convention']}, by our defaults: {', '.join(unknown)}"] if unknown else []
    report = Report(table, by, list(plan["counts"]), metrics, statement, notes, ends)
    _refuse_broken(report, plan, examples, drop)
    _refuse_slices_without_truth(report, plan)
    _refuse_split_groups(report, plan)
    return report


def checked_points(
    table: pa.Table, plan: dict[str, Any], by: list[str], statement: str, drop: bool
) -> tuple[pa.Table, Report]:
    """A table with several rows a slice, and the report of its counts: each row has them, the first will do.

    Raises:
        SqlMetricsError: as `checked`.
    """
    audited = checked(_first_of_slices(table, plan), plan, by, statement, drop)
    return table.select([*audited.keys, *(result["name"] for result in plan["results"])]), audited


def _first_of_slices(table: pa.Table, plan: dict[str, Any]) -> pa.Table:
    """The first row of each slice and model."""
    names = [*(column["name"] for column in plan["by"]), "is_total", "model"]
    columns = [table.column(name).to_pylist() for name in names if name in table.column_names]
    first: dict[str, int] = {}
    for row, key in enumerate(zip(*columns, strict=True) if columns else [()]):
        first.setdefault(repr(key), row)
    return table.take(list(first.values()))


def checked_lists(
    table: pa.Table, plan: dict[str, Any], by: list[str], statement: str, drop: bool
) -> ListReport:
    """The report of `per_group`.

    Raises:
        SqlMetricsError: as `checked`.
    """
    import pyarrow.compute as pc

    table, examples = _without_examples(table, plan)
    models = ["model"] if "sm_model" in plan["keys"] else []
    audit = table.group_by(models, use_threads=False).aggregate([(name, "max") for name in plan["counts"]])
    audit = audit.rename_columns([name.removesuffix("_max") for name in audit.column_names])
    table = table.select([*by, *models, *plan["lists"], *(result["name"] for result in plan["results"])])
    # the counts come with one row more where there is no list
    report = ListReport(
        table.filter(pc.is_valid(table.column(plan["per_list"]["name"]))), by, audit, statement
    )
    _refuse_broken(report, plan, examples, drop)
    _refuse_lists_of_one_run(report, plan)
    return report


def checked_state(table: pa.Table, plan: dict[str, Any], statement: str, drop: bool) -> State:
    """The state.

    Raises:
        SqlMetricsError: as `checked`.
    """
    table, examples = _without_examples(table, plan)
    state = State(table, statement)
    _refuse_broken(state, plan, examples, drop)
    return state


def _refuse_broken(
    report: Report | ListReport | State, plan: dict[str, Any], examples: dict[str, Any], drop: bool
) -> None:
    rows = report.count("n_rows")
    if rows == 0:
        raise SqlMetricsError("The data has no row")
    if not drop:
        _refuse_bad_rows(report, plan, rows)
    for name, check in plan["checks"].items():
        if count := report.count(check["name"]):
            message = str(check["message"])
            if check["value"] is None:  # there is no example to show
                message = re.sub(r",? such as \{value\}", "", message)
            message = message.replace("{value}", f"{examples.get(name, 0):.15g}")
            raise SqlMetricsError(f"{count:,} {message}")


def _without_examples(table: pa.Table, plan: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """A table without the columns of offending values, and one such value for each check that found any."""
    columns = {name: check["value"] for name, check in plan["checks"].items() if check["value"]}
    kept = {name: table.column(column).drop_null() for name, column in columns.items()}
    examples = {name: values[0].as_py() for name, values in kept.items() if len(values)}
    return table.drop_columns(list(columns.values())), examples


def _refuse_bad_rows(report: Report | ListReport | State, plan: dict[str, Any], rows: int) -> None:
    for name, role in plan["bad_rows"].items():
        if count := report.count(name):
            # with a truth the count is over both tables, the number of rows is not
            mixed = plan["truth"] is not None and role != "score"
            whole = "rows of the truth or the data" if mixed else f"of {rows:,} rows"
            raise SqlMetricsError(
                f"{count:,} {whole} have a {WRONG.get(role, f'NULL, NaN or infinite {role}')};"
                " pass on_bad_rows='drop' to leave them out (they are counted in rows_dropped)"
            )


def _refuse_slices_without_truth(report: Report, plan: dict[str, Any]) -> None:
    """Slices that the truth lacks are runs over all its groups, unless each group is in one of them alone."""
    if not (plan["runs"] and "is_total" in report.columns):
        return
    present, runs = {True: 0, False: 0}, set()
    for row in report.to_dicts():
        present[row["is_total"]] += row["n_groups"] - row["groups_missing"]
        if not row["is_total"]:
            runs.add(tuple(row[run["name"]] for run in plan["runs"]))
    if len(runs) > 1 and 0 < present[True] == present[False]:
        raise SqlMetricsError(_undivided(plan))


def _refuse_split_groups(report: Report, plan: dict[str, Any]) -> None:
    """The slices of a state cannot be rolled up; the total, whose lists are whole, is right nevertheless."""
    check = plan["checks"].get("sm_groups_split")
    split = max((row["groups_split"] for row in report.to_dicts()), default=0) if check else 0
    if check and split:
        raise SqlMetricsError(f"{split:,} {check['message']}")


def _refuse_lists_of_one_run(report: ListReport, plan: dict[str, Any]) -> None:
    """The same of lists: those of the data are of one run each, and stand as missing in the others."""
    if not plan["runs"]:
        return
    import pyarrow.compute as pc

    table = report.to_arrow()
    models = ["model"] if "sm_model" in plan["keys"] else []
    listed = table.filter(pc.greater(table.column("n_items"), 0))
    runs = (
        listed.group_by([plan["per_list"]["name"], *models])
        .aggregate([([], "count_all")])
        .column("count_all")
    )
    slices = listed.group_by([run["name"] for run in plan["runs"]]).aggregate([])
    if len(slices) > 1 and pc.max(runs).as_py() == 1:
        raise SqlMetricsError(_undivided(plan))


def _undivided(plan: dict[str, Any]) -> str:
    names = ", ".join(f"'{run['name']}'" for run in plan["runs"])
    return (
        f"Every group of the data has one value of {names} (by=), by which the groups of the truth cannot be told"
        " apart; add the column to the truth"
    )
