"""Gates: limits of metrics, such as `auc >= 0.7`, and whether the rows of a result keep them."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlmetrics.book.catalog import of_notation
from sqlmetrics.book.notation import column_name
from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean
from sqlmetrics.results.audited import Comparison
from sqlmetrics.results.report import Report
from sqlmetrics.results.undefined import no_interval
from sqlmetrics.table.cells import named, shown
from sqlmetrics.table.frame import Frame

RULES: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
ENDS = ("_low", "_high")  #: of columns of intervals
MOST = 100  #: lines of failed gates that are printed
#: the verdicts of a comparison with a margin that keep a gate, by the word of the gate
VERDICTS = {
    "better": ("better",),
    "equivalent": ("equivalent",),
    "not worse": ("better", "equivalent", "not worse"),
}
OF_VERDICT = re.compile(rf"(?P<metric>.*\S)\s+is\s+(?P<verdict>{'|'.join(VERDICTS)})", re.DOTALL)
WRITTEN = re.compile(r"(?P<metric>.*\S)\s*(?P<rule>>=|<=|>|<)\s*(?P<limit>[^\s<>=]+)", re.DOTALL)


@dataclass(frozen=True)
class Gate:
    """A limit of a metric."""

    metric: str  #: the notation or the column of a metric
    rule: str  #: one of `RULES`, or `is` and one of `VERDICTS`
    limit: float  #: NaN beside a verdict
    slices: bool = True  #: False if the limit holds for the total alone

    def __str__(self) -> str:
        return f"{self.metric} {self.words}"

    @property
    def verdict(self) -> str | None:
        """The verdict that a difference needs, instead of a number."""
        return self.rule.removeprefix("is ") if self.rule.startswith("is ") else None

    @property
    def reads_margin(self) -> bool:
        """Whether its verdict says how far a difference is from a margin; `better` is beside 0."""
        return self.verdict in ("equivalent", "not worse")

    def without_margin(self, name: str, advice: str) -> str:
        """The message where its metric has no margin."""
        return f"The gate '{self}' needs a margin of {name}, the smallest difference that matters; {advice}"

    @property
    def words(self) -> str:
        """What a value has to be."""
        return self.rule if self.verdict else f"{self.rule} {self.limit:.15g}"

    def holds(self, value: float | None) -> bool:
        """Whether a value keeps the limit; a missing value does not."""
        return value is not None and RULES[self.rule](value, self.limit)


@dataclass(frozen=True)
class Outcome:
    """What a gate says of one row of a result."""

    gate: Gate | None  #: None where a value has to be there, whatever it is
    slice: str  #: such as `country=DE`; `all` for the total, empty where there are no slices
    model: str
    metric: str
    of: str  #: what is limited: value, difference (an end of its interval), verdict or change
    value: float | None  #: what is held against the limit
    holds: bool
    said: str  #: the value in words

    @property
    def of_interval(self) -> bool:
        """Whether an interval decides."""
        return self.of in ("difference", "verdict") or self.metric.endswith(ENDS)

    def __str__(self) -> str:
        place = ", ".join(filter(None, [self.slice, self.model and f"model {self.model}"]))
        limit = "" if self.gate is None else f"; it has to be {self.gate.words.removeprefix('is ')}"
        return f"{place}{': ' if place else ''}{self.said}{limit}"


def parsed(text: object, slices: bool = True) -> Gate:
    """The gate in a text.

    >>> parsed("precision(threshold=0.3) >= 0.5")
    Gate(metric='precision(threshold=0.3)', rule='>=', limit=0.5, slices=True)
    >>> str(parsed("auc is not worse"))
    'auc is not worse'

    Raises:
        SqlMetricsError: not a metric, a rule and a number, and not a metric and a verdict.
    """
    of_verdict = OF_VERDICT.fullmatch(text.strip()) if isinstance(text, str) else None
    if of_verdict is not None:
        return Gate(of_verdict["metric"], f"is {of_verdict['verdict']}", math.nan, slices)
    found = WRITTEN.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or found["metric"].rstrip()[-1] in "<>=!":
        verdicts = ", ".join(f"'auc is {word}'" for word in VERDICTS)
        beside = f", or of a comparison with margin= a verdict: {verdicts}" if " is " in str(text) else ""
        raise SqlMetricsError(
            f"A gate is a metric, one of {', '.join(RULES)} and a number, such as 'auc >= 0.7'{beside}; got {text!r}"
        )
    return Gate(found["metric"], found["rule"], number(found["limit"], text), slices)


def number(written: str, text: object) -> float:
    """The limit of a gate.

    Raises:
        SqlMetricsError: not a number; the message names the text of the gate.
    """
    try:
        limit = float(written)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        is_percentage = re.fullmatch(r"-?\d+(\.\d+)?%", written)
        share = f"; {written} is written {float(written[:-1]) / 100:g}" if is_percentage else ""
        raise SqlMetricsError(
            f"The limit of a gate is a number such as 0.7, got '{written}' in {text!r}{share}"
        )
    return limit


def outcomes(result: Report | Comparison, gates: Iterable[Gate], fail_null: bool = False) -> list[Outcome]:
    """What gates say of the rows of a result, gate by gate.

    A gate of a comparison holds if the whole interval of the difference keeps the limit.

    Args:
        result: a report or a comparison.
        gates: the limits.
        fail_null: True fails every metric without a value, too.

    Raises:
        SqlMetricsError: the result has no such metric, lacks the total to which a gate is limited, or has no verdict
            or no margin that a gate needs.
    """
    gates = list(gates)
    for gate in gates:
        if gate.verdict and "verdict" not in result.columns:
            raise SqlMetricsError(
                f"The gate '{gate}' needs the verdict of a comparison; pass margin= to compare"
            )
    if isinstance(result, Comparison):
        cells = [(row["metric"], row, row["difference"]) for row in result]
        metrics, outcome_of = {name for name, _, _ in cells}, _of_difference
    else:
        numbers = [name for name in result.columns if name not in result.keys]
        cells = [(name, row, row[name]) for row in result for name in numbers]
        metrics, outcome_of = {*result.metrics}, _of_value
    known = dict.fromkeys(name for name, _, _ in cells)
    found: list[Outcome] = []
    held: set[int] = set()
    for gate in gates:
        limited = column_of(gate, known)
        cells_of_gate = [
            (place, row)
            for place, (name, row, _) in enumerate(cells)
            if name == limited and (gate.slices or not result.by or row.get("is_total", False))
        ]
        if not cells_of_gate:
            raise SqlMetricsError(f"The result has no total for the gate '{gate}'; leave out total=False")
        if gate.reads_margin and any(row["margin"] is None for _, row in cells_of_gate):
            raise SqlMetricsError(gate.without_margin(limited, "add it to margin="))
        held.update(place for place, _ in cells_of_gate)
        found.extend(outcome_of(gate, row, result.by, limited) for _, row in cells_of_gate)
    if fail_null:
        found.extend(
            outcome_of(None, row, result.by, name)
            for place, (name, row, value) in enumerate(cells)
            if value is None and name in metrics and place not in held
        )
    return found


def lines_of(found: list[Outcome]) -> list[str]:
    """The outcomes of gates that fail, a line each; of very many, the first."""
    failed = [str(one) for one in found if not one.holds]
    more = len(failed) - MOST
    return [*failed[:MOST], *([f"... {more:,} more"] if more > 0 else [])]


def column_of(gate: Gate, known: Iterable[str]) -> str:
    """The column that a gate limits.

    Raises:
        SqlMetricsError: the result has no such metric.
    """
    for name in (gate.metric, column_name(gate.metric)):
        if name in known:
            return name
    near = did_you_mean(gate.metric, known)
    raise SqlMetricsError(
        f"The result has no '{gate.metric}' for the gate '{gate}'.{near} It has {counted(known)}"
    )


def slice_of(row: Mapping[str, Any], by: Iterable[str]) -> str:
    """The slice of a row: `country=DE`, `all` for the total, empty without slices."""
    if row.get("is_total"):
        return "all"
    return ", ".join(f"{name}={named(row[name])}" for name in by)


def _of_value(gate: Gate | None, row: Mapping[str, Any], by: Iterable[str], name: str) -> Outcome:
    value = row[name]
    said = f"{name} has no value" if value is None else f"{name} is {distinct(value, gate)}"
    if value is None and name.endswith(ENDS):
        said += ", since the rows or lists are too few or too alike"
    holds = gate is not None and gate.holds(value)
    return Outcome(gate, slice_of(row, by), str(row.get("model", "")), name, "value", value, holds, said)


def _of_difference(gate: Gate | None, row: Mapping[str, Any], by: Iterable[str], name: str) -> Outcome:
    if gate is not None and gate.verdict:
        return _of_verdict(gate, row, by, name)
    end = "low" if gate is None or gate.rule in (">=", ">") else "high"
    value = row[end]
    if row["difference"] is None:
        said = f"{name} has no difference to the baseline"
    elif value is None:
        said = f"{name} differs from the baseline by {shown(row['difference'])}, which has no interval"
        said += f", since {no_interval(row)}"
    else:
        interval = ", ".join(
            distinct(row[one], gate) if one == end else shown(row[one]) for one in ("low", "high")
        )
        said = f"{name} differs from the baseline by {shown(row['difference'])} [{interval}]"
        said += f", and the {end} end counts"
    holds = gate is not None and gate.holds(value)
    return Outcome(gate, slice_of(row, by), _models_of(row), name, "difference", value, holds, said)


def _of_verdict(gate: Gate, row: Mapping[str, Any], by: Iterable[str], name: str) -> Outcome:
    found = row["verdict"]
    said = f"{name} is {found}"
    if found is None:
        none = row["difference"] is None
        said = f"{name} has no verdict, since {'one model has no value' if none else no_interval(row)}"
    if row["low"] is not None and row["high"] is not None:
        ends, margin = f"[{shown(row['low'])}, {shown(row['high'])}]", row["margin"]
        said += f" by its difference of {shown(row['difference'])} {ends}"
        said += "" if margin is None else f" and the margin of {shown(margin)}"
    holds = found in VERDICTS[str(gate.verdict)]
    return Outcome(gate, slice_of(row, by), _models_of(row), name, "verdict", row["difference"], holds, said)


def _models_of(row: Mapping[str, Any]) -> str:
    """The candidate of a row, and its baseline where each model is compared with each."""
    return f"{row['candidate']} against {row['baseline']}" if "baseline" in row else str(row["candidate"])


def distinct(value: float, gate: Gate | None) -> str:
    """A value with so many digits that it lies on its side of the limit.

    >>> distinct(0.69999, parsed("auc >= 0.7"))
    '0.69999'
    """
    text = shown(value)
    if gate is None or not isinstance(value, float):
        return text
    digits = 4
    while gate.holds(float(text.replace(",", ""))) != gate.holds(value):
        digits += 1
        text = f"{value:.{digits}g}"
    return text


def table_of(found: list[Outcome], notes: list[str]) -> Gates:
    """The table of outcomes."""
    import pyarrow as pa

    columns = {
        "slice": pa.array([one.slice for one in found], pa.string()),
        "model": pa.array([one.model for one in found], pa.string()),
        "metric": pa.array([one.metric for one in found], pa.string()),
        "of": pa.array([one.of for one in found], pa.string()),
        "value": pa.array([one.value for one in found], pa.float64()),
        "rule": pa.array([one.gate.rule if one.gate else "is not null" for one in found], pa.string()),
        "limit": pa.array(
            [one.gate.limit if one.gate and not one.gate.verdict else None for one in found], pa.float64()
        ),
        "holds": pa.array([one.holds for one in found], pa.bool_()),
    }
    for name, least in (("slice", 1), ("model", 1), ("of", 2)):
        if len({*columns[name].to_pylist()} - {""}) < least:
            del columns[name]
    return Gates(pa.table(columns), notes)


class Gates(Frame):
    """The result of `check`: a row for each gate, slice and model."""

    def __init__(self, table: Any, notes: list[str]) -> None:
        super().__init__(table)
        self._notes = notes

    def notes(self) -> list[str]:
        """Gates that are probably meant the other way round, and intervals of few units, one line each."""
        return self._notes


def against_direction(
    gates: Iterable[Gate], notations: Mapping[str, str]
) -> Iterator[tuple[Gate, Gate, str]]:
    """Gates on the good side of a metric alone: they fail good models.

    A gate on either side is meant, as where an AUC above 0.99 shows that a feature knows the label.

    Args:
        gates: the limits.
        notations: the notations of metrics by column.

    Returns:
        Each such gate, the same turned round, and the direction in which the metric improves.
    """
    of_metrics: dict[str, dict[str, Gate]] = {}
    for gate in gates:
        if gate.verdict:
            continue
        name = gate.metric if gate.metric in notations else column_name(gate.metric)
        of_metrics.setdefault(name, {})[gate.rule[0]] = gate
    for name, sides in of_metrics.items():
        better = of_notation(notations[name]).better.direction if name in notations else "none"
        good = {"higher": "<", "lower": ">"}.get(better)
        if good in sides and len(sides) == 1:
            gate = sides[good]
            yield gate, replace(gate, rule={"<": ">", ">": "<"}[good] + gate.rule[1:]), better


def notes_of(gates: Iterable[Gate], notations: Mapping[str, str]) -> list[str]:
    """Notes about gates that are probably meant the other way round."""
    return [
        f"a {better} {gate.metric} is better, so '{gate}' fails good models; '{turned}' fails bad ones"
        for gate, turned, better in against_direction(gates, notations)
    ]
