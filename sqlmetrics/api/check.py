"""`check`: holds the metrics of a result against limits."""

from __future__ import annotations

from sqlmetrics.errors import GateError, SqlMetricsError, public
from sqlmetrics.gates import Gates, lines_of, notes_of, outcomes, parsed, table_of
from sqlmetrics.results.audited import Comparison
from sqlmetrics.results.few import said_rough
from sqlmetrics.results.report import Report, State


@public
def check(result: Report | Comparison, *gates: str, slices: bool = True, fail_null: bool = False) -> Gates:
    """Holds the metrics of a report or a comparison against limits. Returns a table if all are kept.

    A limit is kept by every row of the result: each slice, each model, and the total. A limit of a metric
    without a value fails.

    A limit of a comparison is one of the difference to the baseline, and the whole interval of the difference has
    to keep it: `auc >= -0.002` says that the AUC of the candidate is not worse by more than 0.002.
    With `margin=` a comparison has verdicts, which a gate may name: `auc is not worse`, `auc is equivalent` and
    `auc is better`. An equivalent model is not worse, and so is a better one.

    Args:
        result: what `evaluate`, `finish`, `trec` or `compare` returned.
        gates: limits such as `"auc >= 0.7"`: a metric, one of >=, >, <= and <, and a number. The metric may also
            be a count of the report (`"rows_dropped <= 0"`) or an end of an interval (`"auc_low >= 0.7"`). Or a
            verdict of a comparison: `"auc is not worse"`.
        slices: False holds the total alone against the limits.
        fail_null: True also fails if any metric has no value, with or without a limit.

    Returns:
        A table with a row for each limit, slice and model: `slice`, `model`, `metric`, `value`, `rule`, `limit`,
        `holds`. The value of a comparison is the end of the interval that counts, beside a verdict the difference.

    Raises:
        GateError: limits that are not kept, a line for each. It is an AssertionError and a SqlMetricsError.
        SqlMetricsError: a text that is no gate; a metric that the result lacks.

    >>> import sqlmetrics as sm
    >>> rows = [{"y": i % 2, "p": i / 8, "day": i // 4} for i in range(8)]
    >>> report = sm.evaluate(rows, ["auc", "brier"], label="y", score="p", by="day")
    >>> check(report, "auc >= 0.6", "brier <= 0.5").to_dicts()[-1]["value"]
    0.2734375
    >>> check(report, "auc >= 0.7")
    Traceback (most recent call last):
    sqlmetrics.errors.GateError: all: auc is 0.6250; it has to be >= 0.7
    """
    if not isinstance(result, (Report, Comparison)):
        raise SqlMetricsError(
            f"check() takes the result of evaluate(), finish(), trec() or compare(), got {type(result).__name__}"
            + ("; finish(state, metrics) has its values" if type(result).__name__ == State.__name__ else "")
        )
    for name, value in (("slices", slices), ("fail_null", fail_null)):
        if not isinstance(value, bool):
            raise SqlMetricsError(f"{name} must be True or False, got {value!r:.50}")
    if not gates and not fail_null:
        raise SqlMetricsError("check() takes at least one gate, such as 'auc >= 0.7', or fail_null=True")
    asked = [parsed(gate, slices) for gate in gates]
    found = outcomes(result, asked, fail_null)
    notes = notes_of(asked, result.statement.notations)
    if any(one.of_interval for one in found):
        notes += said_rough(result.notes())
    table = table_of(found, notes)
    if failed := lines_of(found):
        raise GateError([*failed, *table.notes()], table)
    return table
