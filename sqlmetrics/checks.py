"""From the counts of a result to a report, or to the error that they call for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.report import Report

if TYPE_CHECKING:
    import pyarrow as pa

WRONG = {
    "weight": "NULL, NaN, infinite or negative weight",
    "group": "NULL group",
    "item": "NULL item",
    "prediction": "NULL or NaN prediction",
}


def checked(table: pa.Table, plan: dict[str, Any], by: list[str], statement: str, drop: bool) -> Report:
    """The report.

    Raises:
        SqlMetricsError: no row; unusable rows, unless they are to be dropped; data that a metric cannot take.
    """
    examples = {name: _example(table, check["value"]) for name, check in plan["checks"].items()}
    table = table.drop_columns([check["value"] for check in plan["checks"].values() if check["value"]])
    metrics = [result["name"] for result in plan["results"]]
    report = Report(table, by, list(plan["counts"]), metrics, statement)
    rows = report.count("n_rows")
    if rows == 0:
        raise SqlMetricsError("The data has no row")
    if not drop:
        _refuse_bad_rows(report, plan, rows)
    for name, check in plan["checks"].items():
        if count := report.count(check["name"]):
            message = str(check["message"]).replace("{value}", f"{examples[name] or 0:.15g}")
            raise SqlMetricsError(f"{count:,} {message}")
    _refuse_slices_without_truth(report, plan)
    return report


def _example(table: pa.Table, column: str | None) -> float | None:
    """An offending value that the statement kept."""
    values = table.column(column).to_pylist() if column else []
    return next((value for value in values if value is not None), None)


def _refuse_bad_rows(report: Report, plan: dict[str, Any], rows: int) -> None:
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
    present = {True: 0, False: 0}
    for row in report.to_dicts():
        present[row["is_total"]] += row["n_groups"] - row["groups_missing"]
    if len(report) > 2 and present[True] == present[False]:
        names = ", ".join(f"'{run['name']}'" for run in plan["runs"])
        raise SqlMetricsError(
            f"Every group of the data has one value of {names} (by=), by which the groups of the truth cannot be told"
            " apart; add the column to the truth"
        )
