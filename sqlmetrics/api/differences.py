"""`explain_difference`: one metric under two conventions, and the change that each option makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from sqlmetrics.book import catalog
from sqlmetrics.book.catalog import Metric
from sqlmetrics.book.conventions import check_convention, options_of, ties_of
from sqlmetrics.book.notation import is_pinned, parsed
from sqlmetrics.book.plan import Plan
from sqlmetrics.errors import SqlMetricsError, counted
from sqlmetrics.given.facts import opened
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.reads import reads_of
from sqlmetrics.options import Convention, Key, OnBadRows, Options, Ties, with_options
from sqlmetrics.results.checks import checked
from sqlmetrics.results.report import Result

if TYPE_CHECKING:
    import pyarrow as pa

DEFAULT = "default"  # the convention of sqlmetrics


@dataclass(frozen=True)
class Step:
    """One step from one convention to another: the option that changed, and the metric after the change."""

    option: str
    before: str | None
    after: str | None
    notation: str
    ties: str | None  #: None for a metric that is not over lists


@with_options
def explain_difference(
    options: Options,
    data: Any,
    metric: str,
    first: Convention | Literal["default"],
    second: Convention | Literal["default"],
    *,
    label: str | None = None,
    score: str | None = None,
    group: Key = None,
    item: str | None = None,
    weight: str | None = None,
    truth: Any = None,
    where: str | None = None,
    max_grade: int | None = None,
    positive: float | str | None = None,
    ties: Ties | None = None,
    on_bad_rows: OnBadRows = "error",
    connection: Any = None,
    dialect: str | None = None,
) -> Result:
    """Computes a metric under two conventions, and the change that each differing option makes.

    The options change one at a time, from the first convention to the second. Each change is measured on top
    of the changes before it, so that all of them add up to the difference.

    Args:
        metric: a notation; an option written in it is the same under both conventions.
        first, second: names that `convention=` takes, or `default` for the defaults of sqlmetrics.
        ties: a policy for both conventions.

    The other arguments are those of `evaluate`.

    Returns:
        One row for each option: `option`, its value `before` and `after`, the metric's `value` after the
        change, and the `change` of that value. The first row is the first convention; the value of the last
        row is the value of the second convention.

    Raises:
        SqlMetricsError: an unknown convention; a convention whose library lacks the metric; the errors of
            `evaluate`.

    >>> rows = [{"q": 1, "y": 2, "p": 0.1}, {"q": 1, "y": 0, "p": 0.4}]
    >>> explained = explain_difference(rows, "dcg", "default", "sklearn", label="y", score="p", group="q")
    >>> [row["option"] for row in explained.to_dicts()]
    ['default', 'gain', 'on_empty']
    """
    if isinstance(options.score, Mapping):
        raise SqlMetricsError("explain_difference takes one score, not several models")
    names = [check_convention(name, (DEFAULT,)) or DEFAULT for name in (first, second)]
    catalog.check(metric)
    known, (_, params) = catalog.of_notation(metric), parsed(metric)
    if is_pinned(metric):
        params = {**known.parameters, **params}
    with opened(data, options, reads=reads_of(options, notations=metric)) as given:
        for name in names:
            _plan(
                given, metric, ties, None if name == DEFAULT else name
            )  # an error then names this convention
        ends = [_options(known, name, params, ties) for name in names]
        steps = _steps(given, known, names[0], *ends)
        values, statements = _values(given, steps, options.drops_bad_rows)
    rows = [
        {
            "option": step.option,
            "before": step.before,
            "after": step.after,
            "value": value,
            "change": None if value is None or earlier is None else value - earlier,
        }
        for step, value, earlier in zip(steps, values, [None, *values], strict=False)
    ]
    return Result(_table(rows), [], ";\n\n".join(statements))


def _options(known: Metric, name: str, written: dict[str, Any], ties: str | None) -> dict[str, Any]:
    """Every option of a metric under a convention, the policy of ties last."""
    convention = None if name == DEFAULT else name
    stated = {} if convention is None else options_of(convention, known.macro)
    if stated is None:
        has = [
            other.notation
            for other in catalog.catalog().values()
            if options_of(name, other.macro) is not None
        ]
        raise SqlMetricsError(f"{name} has no {known.name}; it has {counted(has)}")
    over_lists = {"ties": ties or ties_of(convention)} if known.grain == "lists" else {}
    return {**known.parameters, **stated, **written, **over_lists}


def _steps(
    given: Opened, known: Metric, name: str, first: dict[str, Any], second: dict[str, Any]
) -> list[Step]:
    """The steps from the first options to the second, one option at a time.

    An option that cannot be combined with the current ones is changed later.
    """
    now = dict(first)
    steps = [Step(name, None, None, _notation(known, now), now.get("ties"))]
    different = [option for option in first if first[option] != second[option]]
    while different:
        option = next((o for o in different if _goes(given, known, {**now, o: second[o]})), different[0])
        different.remove(option)
        before, after = (catalog.written(end[option]) for end in (first, second))
        now[option] = second[option]
        steps.append(Step(option, before, after, _notation(known, now), now.get("ties")))
    return steps


def _notation(known: Metric, options: dict[str, Any]) -> str:
    """The notation of a metric with the options that differ from its defaults."""
    other = [
        f"{name}={catalog.written(value)}"
        for name, value in options.items()
        if name not in ("k", "ties") and value != known.parameters[name]
    ]
    cutoff = "" if options.get("k") is None else f"@{options['k']}"
    return known.name + (f"({', '.join(other)})" if other else "") + cutoff


def _goes(given: Opened, known: Metric, options: dict[str, Any]) -> bool:
    try:
        _plan(given, _notation(known, options), options.get("ties"))
    except SqlMetricsError:
        return False
    return True


def _plan(given: Opened, metrics: Any, ties: str | None, convention: str | None = None) -> Plan:
    asked = replace(given, facts={**given.facts, "ties": ties, "convention": convention})
    return asked.plan("plan", metrics=metrics)


def _values(given: Opened, steps: list[Step], drop: bool) -> tuple[list[float | None], list[str]]:
    """The metric after each step, and the statements. One statement computes all steps with the same ties."""
    values, statements = [], []
    for ties, same in groupby(steps, key=lambda step: step.ties):
        asked = {f"value_{number}": step.notation for number, step in enumerate(same)}
        table, statement = given.run(_plan(given, asked, ties))
        [row] = checked(table, [], statement, drop).to_dicts()
        values += [row[name] for name in asked]
        statements.append(statement.text)
    return values, statements


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("option", "before", "after")]
    numbers = [(name, pa.float64()) for name in ("value", "change")]
    return pa.Table.from_pylist(rows, pa.schema(texts + numbers))
