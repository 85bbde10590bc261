"""The border between macros and Python: what Python reads of a plan, as frozen dataclasses.

A macro plans a call as one mutable dict, which writing the statement fills further. Nothing else in Python looks into
that dict: it goes back to macros as it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlmetrics.templates import macros


@dataclass(frozen=True)
class Plan:
    """What is asked, before its statement is written."""

    dialect: str
    raw: Any  #: the dict of the macros, for macros alone
    total: bool  #: whether a row for all slices together comes too
    over_lists: bool  #: whether a metric of lists is asked
    over_levels: bool  #: whether a metric reads score levels
    numeric_label: bool  #: whether the label has to be a number
    unlike_classes: bool  #: whether label and prediction may be of different kinds
    class_places: bool  #: whether classes are read as places in an order
    named_classes: tuple[str, ...]  #: the kinds of the classes that notations name: text, a number, a boolean


@dataclass(frozen=True)
class Column:
    """A column of the result: a metric, an end of its interval, or a column of a curve or table."""

    name: str
    kind: Literal["float", "integer", "any"]  #: any: the type that the data have
    of: Literal["label", "prediction"] | None  #: whose values it holds, where it holds such
    is_end: bool  #: whether it is an end of an interval


@dataclass(frozen=True)
class Check:
    """A count of rows, lists or items that a metric cannot take."""

    name: str  #: the column of the count in the result
    message: str  #: what is said of them, after the count; {value} stands for one of them
    example: str | None  #: the column of one of them in the result


@dataclass(frozen=True)
class Statement:
    """A statement, and what its result holds."""

    text: str
    by: tuple[str, ...]  #: the columns of the slices
    total: bool
    models: bool  #: whether rows are told apart by model
    truth: bool  #: whether there is a second table
    runs: tuple[str, ...]  #: slices that the truth lacks
    group: str | None  #: of a row a list: the column of the group
    counts_of_list: tuple[str, ...]  #: of a row a list: the counts of the list
    results: tuple[Column, ...]
    names: tuple[str, ...]  #: all columns of the result
    counts: tuple[str, ...]
    checks: tuple[Check, ...]
    bad_rows: Mapping[str, str]  #: counts of unusable rows -> the role whose values they lack
    convention: str | None
    without_convention: tuple[str, ...]  #: notations of which the convention says nothing
    units: Mapping[str, str]  #: metrics that are compared -> lists, groups or what else is compared of them


def planned(dialect: str, macro: str, **arguments: Any) -> Plan:
    """The plan that a macro makes.

    Raises:
        SqlMetricsError: whatever the macro refuses.
    """
    raw = macros(dialect)[macro](**arguments)
    return Plan(
        dialect=dialect,
        raw=raw,
        total=raw["total"],
        over_lists=bool(raw["needs"]["list_sums"]),
        over_levels=bool(raw["needs"]["levels"]),
        numeric_label="label" in raw["reads"]["roles"],
        unlike_classes=raw["unlike_classes"],
        class_places=raw["orders_classes"],
        named_classes=tuple(raw["named_classes"]),
    )


def count_levels(plan: Plan) -> None:
    """Has the statement of a plan count score levels instead of sorting rows: the scores take few values."""
    plan.raw["score_levels"] = "counted"


def written(plan: Plan) -> Statement:
    """The statement of a plan. What its result holds is known only when it is written.

    Raises:
        SqlMetricsError: two result columns of one name.
    """
    raw = plan.raw
    text = str(macros(plan.dialect)["statement_of"](raw))
    compared = raw["compared"]["metrics"] if raw["compared"] else []
    return Statement(
        text=text,
        by=tuple(column["name"] for column in raw["by"]),
        total=raw["total"],
        models="sm_model" in raw["keys"],
        truth=raw["truth"] is not None,
        runs=tuple(run["name"] for run in raw["runs"]),
        group=raw["per_list"]["name"] if raw["per_list"] else None,
        counts_of_list=tuple(name for name, column in raw["lists"].items() if column != "sm_group"),
        results=tuple(
            Column(
                name=result["name"],
                kind="any" if result.get("any_type") else "integer" if result.get("integer") else "float",
                of=result.get("of"),
                is_end="end_of" in result,
            )
            for result in raw["results"]
        ),
        names=tuple(raw["names"]),
        counts=tuple(raw["counts"]),
        checks=tuple(
            Check(check["name"], str(check["message"]), check["value"]) for check in raw["checks"].values()
        ),
        bad_rows=dict(raw["bad_rows"]),
        convention=raw["convention"],
        without_convention=tuple(
            result["notation"]
            for result in compared or raw["results"]
            if not result.get("conventional", True)
        ),
        units={metric["name"]: metric.get("units", "") for metric in compared},
    )
