"""The border between macros and Python: what Python reads of a plan, as frozen dataclasses.

A macro plans a call as one mutable dict, which writing the statement fills further. Nothing else in Python looks into
that dict: it goes back to macros as it came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlmetrics.book import catalog
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError


@dataclass(frozen=True)
class Plan:
    """What is asked, before its statement is written."""

    dialect: str
    raw: Any  #: the dict of the macros, for macros alone
    total: bool  #: whether a row for all slices together comes too
    over_lists: bool  #: whether a metric of lists is asked
    over_levels: bool  #: whether a metric reads score levels
    numeric_label: bool  #: whether the label has to be a number
    numeric_prediction: bool  #: the same of the prediction
    reads_positive: bool  #: whether a metric distinguishes positive rows, or relevant items, by positive=
    unlike_classes: bool  #: whether label and prediction may be of different kinds
    class_places: bool  #: whether classes are read as places in an order
    named_classes: tuple[str, ...]  #: the kinds of the classes that notations name: text, a number, a boolean
    conditions: tuple[str, ...]  #: those of metrics that the rows of the data are asked for


@dataclass(frozen=True)
class Column:
    """A column of the result: a metric, an end of its interval, or a column of a curve or table."""

    name: str
    kind: Literal["float", "integer", "boolean", "any"]  #: any: the type that the data have
    of: Literal["label", "prediction"] | None  #: whose values it holds, where it holds such
    is_end: bool  #: whether it is an end of an interval
    interval: str | None  #: the kind of that interval; none if the metric never has one
    counts: bool  #: whether it holds a number of rows, or their weight


@dataclass(frozen=True)
class Check:
    """A count of rows, lists or items that a metric cannot take."""

    name: str  #: the column of the count in the result
    message: str  #: the message about them, after the count; {value} stands for one of them
    example: str | None  #: the column of one of them in the result
    #: for a note alone, not an error: which of their values the example is
    extreme: Literal["max", "min"] | None = None
    is_text: bool = False  #: whether the example is a text


@dataclass(frozen=True)
class Statement:
    """A statement, and what its result holds."""

    text: str  #: as a user runs it
    asked: str  #: as it runs: over the tables in which text files are stored
    by: tuple[str, ...]  #: the columns of the slices
    where: str | None  #: the condition on the rows that are read
    made_where: str | None  #: the condition on the rows of the data from which a state was made
    total: bool
    total_name: str | None  #: what the total is called in the columns of the slices, which are text then
    models: bool  #: whether rows belong to models
    truth: bool  #: whether there is a second table
    runs: tuple[str, ...]  #: slices that the truth lacks
    group: str | None  #: of a row a list: the column of the group
    counts_of_list: tuple[str, ...]  #: of a row a list: the counts of the list
    results: tuple[Column, ...]
    names: tuple[str, ...]  #: all columns of the result
    counts: tuple[str, ...]
    checks: tuple[Check, ...]
    bad_rows: Mapping[str, str]  #: counts of unusable rows -> the role whose values they lack
    positive: float | str | None  #: the least positive label, or its text
    soft: bool  #: whether a label is the chance of a positive row
    reads_scores: str | None
    """A metric that reads the value of scores, beside one of lists, which reads their order."""
    convention: str | None
    without_convention: tuple[str, ...]  #: notations of which the convention says nothing
    interval_method: str | None
    without_method: tuple[str, ...]  #: notations that have no interval by this method
    units: Mapping[str, str]  #: metrics that are compared -> lists, groups or what else is compared of them
    notations: Mapping[str, str]  #: metrics by result column, or by name where they are compared
    scored: tuple[str, ...]  #: the names of the models, of a comparison the baseline first
    interval: float | None  #: the confidence level of intervals
    corrected: tuple[str, str] | None  #: of a comparison: the correction of p-values, and the family of tests
    period: str | None  #: of a state: the column of its periods
    weighted: bool  #: whether rows have weights
    expected: bool  #: whether a score is its own soft label
    zone: str | None  #: the time zone in which instants became days
    lacking: tuple[str, ...]  #: notes on columns that some of the files lack

    @property
    def given(self) -> tuple[str, ...]:
        """The columns of the result whose values are those of the data."""
        keys = [name for name in (*self.by, self.period, self.group) if name is not None]
        return (*keys, *(column.name for column in self.results if column.kind == "any"))

    @property
    def whole(self) -> tuple[str, ...]:
        """The columns of the result that hold counts of rows."""
        return tuple(column.name for column in self.results if column.counts)


def builtin(value: Any) -> Any:
    """A number of numpy, a `Decimal` or a `Fraction` as Python's own; any other value as it is.

    Raises:
        SqlMetricsError: a complex number.

    >>> from fractions import Fraction
    >>> builtin(Fraction(1, 2)), builtin(20), builtin("y")
    (0.5, 20, 'y')
    """
    if getattr(value, "ndim", None) == 0 and hasattr(value, "dtype"):
        value = value.item()
    if isinstance(value, complex):
        raise SqlMetricsError(f"{value} is a complex number; arguments take real ones")
    # recognised by what it can do, since to import its module takes longer than to read an option
    return (
        float(value) if hasattr(value, "as_integer_ratio") and not isinstance(value, (int, float)) else value
    )


def planned(dialect: str, macro: str, **arguments: Any) -> Plan:
    """The plan that a macro makes.

    Raises:
        SqlMetricsError: whatever the macro refuses.
    """
    words = macros(dialect)
    raw = words[macro](**{name: builtin(value) for name, value in arguments.items()})
    return Plan(
        dialect=dialect,
        raw=raw,
        total=raw["facts"]["total"],
        over_lists=bool(raw["needs"]["list_sums"]),
        over_levels=bool(raw["needs"]["levels"]),
        numeric_label="label" in raw["reads"]["roles"],
        numeric_prediction=words["rows_read"](raw, "decision"),
        reads_positive=not raw["facts"]["soft"]
        and (
            bool(raw["needs"]["list_sums"])
            or any(
                check["name"] in ("rows_positive", "rows_not_binary")
                for check in raw["result"]["checks"].values()
            )
        ),
        unlike_classes=raw["facts"]["unlike_classes"],
        class_places=raw["orders_classes"],
        named_classes=tuple(raw["named_classes"]),
        conditions=tuple(
            column["said"]
            for column in raw["row_columns"].values()
            if column["condition"] and raw["question"]["reads"] == "rows"
        ),
    )


def whole_text(text: str) -> str:
    """A text with names of the call in it.

    Raises:
        SqlMetricsError: it has no encoding.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise SqlMetricsError(
            f"A name or text in the call holds {text[error.start : error.end]}, which is half a character;"
            " SQL text is made of whole ones"
        ) from None
    return text


def count_levels(plan: Plan) -> None:
    """Has the statement of a plan count score levels instead of sorting rows: the scores take few values."""
    plan.raw["facts"] = {**plan.raw["facts"], "score_levels": "counted"}


def written(plan: Plan, files: Mapping[str, str] | None = None, lacking: Iterable[str] = ()) -> Statement:
    """The statement of a plan. What its result holds is known only when it is written.

    Args:
        plan: what is asked.
        files: the queries of text files that are stored, by the names of their tables.
        lacking: notes on columns that some of the files lack.

    Raises:
        SqlMetricsError: two result columns of one name; a text that has no encoding.
    """
    made = macros(plan.dialect)["statement_over_files"](plan.raw, dict(files or {}))
    facts, result, compared = plan.raw["facts"], plan.raw["result"], plan.raw["compared_metrics"]
    question = plan.raw["question"]
    return Statement(
        text=whole_text(str(made["text"])),
        asked=str(made["asked"]),
        by=tuple(column["name"] for column in facts["by"]),
        where=facts["where"],
        made_where=facts["made_where"],
        total=facts["total"] or question["has_total"],
        total_name=facts["total_name"],
        models="sm_model" in facts["keys"] and question["names_models"] and not question["model_is_period"],
        truth=facts["truth"] is not None,
        runs=tuple(run["name"] for run in facts["runs"]),
        group=question["own"]["name"] if question["keeps"] == "lists" else None,
        counts_of_list=tuple(name for name, column in result["lists"].items() if column != "sm_group"),
        results=tuple(
            Column(
                name=column["name"],
                kind="any"
                if column.get("any_type")
                else "boolean"
                if column.get("boolean")
                else "integer"
                if column.get("integer")
                else "float",
                of=column.get("of"),
                is_end="end_of" in column,
                interval=column.get("kind"),
                counts=column.get("counts", False) or _counts_rows(column),
            )
            for column in result["columns"]
        ),
        names=tuple(result["names"]),
        counts=tuple(result["counts"]),
        checks=tuple(
            Check(one["name"], str(one["message"]), one["value"], one.get("hint"), one.get("text", False))
            for one in result["checks"].values()
        ),
        bad_rows=dict(result["bad_rows"]),
        positive=facts["positive"],
        soft=facts["soft"],
        reads_scores=plan.raw["reads_scores"]
        if any("lists" in column.get("over", ()) for column in result["columns"])
        else None,
        convention=facts["convention"],
        without_convention=tuple(
            column["notation"]
            for column in compared or result["columns"]
            if not column.get("conventional", True)
        ),
        interval_method=facts["interval_method"],
        without_method=tuple(result["without_method"]),
        units={metric["name"]: metric.get("units", "") for metric in compared},
        notations={
            column["name"]: column["notation"] for column in compared or result["columns"] if "over" in column
        },
        scored=tuple(dict.fromkeys(model["name"] for model in facts["models"])),
        interval=facts["interval"],
        corrected=(question["own"]["correction"], question["own"]["family"])
        if compared and question["own"].get("correction")
        else None,
        period=facts["period"]["name"] if facts["period"] else None,
        weighted=facts["weight"] is not None and not facts["soft"],
        expected=facts["soft"] and facts["label"] in [model["score"] for model in facts["models"]],
        zone=facts["zone"],
        lacking=tuple(dict.fromkeys(lacking)),
    )


def _counts_rows(column: dict[str, Any]) -> bool:
    """Whether a column of the result is a metric, and the metric a number of rows."""
    return "over" in column and catalog.of_notation(column["notation"]).unit == "rows"
