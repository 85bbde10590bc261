"""Changes since an earlier result, held against limits row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlmetrics.errors import DataError, counted
from sqlmetrics.gates import Gate, Outcome, column_of, distinct, slice_of
from sqlmetrics.results.report import Report
from sqlmetrics.table.cells import shown

Row = dict[str, Any]


def changes(
    report: Report, earlier: list[Row], gates: Iterable[Gate], file: str
) -> tuple[list[Outcome], list[str]]:
    """What gates say of the changes of metrics, and notes about rows that are new.

    Args:
        report: today's values.
        earlier: the rows of the earlier result.
        gates: limits of a change.
        file: the name of the earlier result, for messages.

    Raises:
        DataError: the earlier result lacks the slices, the models or a metric, or has none of the rows.
        SqlMetricsError: the report lacks a metric.
    """
    lacking = [name for name in report.keys if name not in earlier[0]]
    if lacking:
        raise DataError(
            f"'{file}' has no column {counted(lacking)}; its slices and models have to be those of the suite"
        )
    before = {_key(row, report.keys): row for row in earlier}
    found: list[Outcome] = []
    new: dict[str, None] = {}
    for gate in gates:
        name = column_of(gate, report.metrics)
        if not all(isinstance(row.get(name, ""), (int, float, type(None))) for row in earlier):
            raise DataError(f"'{file}' has no numbers of {name}")
        for row in report:
            if not gate.slices and report.by and not row.get("is_total"):
                continue
            place = slice_of(row, report.by), str(row.get("model", ""))
            old = before.get(_key(row, report.keys))
            if old is None:
                new[" ".join(filter(None, [place[0], place[1] and f"model {place[1]}"]))] = None
            else:
                found.append(_change(gate, name, row[name], old[name], *place))
    if not found:
        raise DataError(f"'{file}' has none of the rows of today's result")
    return found, [f"not in '{file}', and not held against it: {counted(new)}"] if new else []


def _key(row: Row, keys: list[str]) -> tuple[str, ...]:
    """The slice and model of a row, as text: JSON has no dates."""
    return tuple(str(row[name]) for name in keys)


def _change(gate: Gate, name: str, now: float | None, then: float | None, place: str, model: str) -> Outcome:
    if now is None or then is None:
        change = None
        said = f"{name} has no value {'now' if now is None else 'in the reference'}"
    else:
        change = float(now) - float(then)
        said = f"{name} changed by {distinct(change, gate)}, from {shown(float(then))} to {shown(float(now))}"
    return Outcome(gate, place, model, name, "change", change, gate.holds(change), said)
