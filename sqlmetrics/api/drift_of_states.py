"""The sides of `drift` that are states: their periods, their slices, and how they were made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmetrics.api.states import check_period, check_slices, read_facts, slices_of
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError, counted
from sqlmetrics.given.opened import Opened
from sqlmetrics.options import Options


def facts_of_states(
    given: Opened, second: Opened | None, options: Options, period: str | None, sides: dict[str, Any]
) -> dict[str, Any]:
    """The arguments of the macro `drift_plan` that are of states: their periods and conditions.

    Raises:
        SqlMetricsError: no state, or a broken one; several models; nothing to compare with.
    """
    states = [given] if second is None else [given, second]
    for state in states:
        read_facts(state, replace(options, by=None))
        if isinstance(state.facts["score"], dict):
            raise SqlMetricsError(
                f"{state.relation.name} is a state of several models, and has the rows of each; compare the state of"
                " one score"
            )
    made, where = given.facts["period"], given.facts["made_where"]
    check_sides = macros(given.session.dialect)["check_sides"]
    if second is not None:
        check_sides(second.relation.text, period, *sides.values(), True)
        own = {"period": second.facts["period"], "where": second.facts["made_where"]}
        return {"of_state": True, "made_period": made, "made_where": where, "reference_made": own}
    check_sides(None, made["sql"], *sides.values(), True)
    check_period(made["name"], period)
    of = made["sql"] if period is None else given.session.columns(given.relation).text(period, "period")
    return {"of_state": True, "made_period": made, "made_where": where, "period": {"sql": of}}


def slices_compared(
    given: Opened,
    second: Opened | None,
    by: list[tuple[str, str]],
    columns: list[tuple[str, str]] | None,
) -> list[tuple[str, str]]:
    """The slices to compare, with their names in the result: those that are named, or all besides `by`.

    Raises:
        SqlMetricsError: a column that is no slice of both states; no slice is left.
    """
    states = [given] if second is None else [given, second]
    for state in states:
        check_slices(state, by, "by")
        check_slices(state, columns or [], "columns")
    if columns is not None:
        return columns
    known, cut = slices_of(given), [column for _, column in by]
    shared = known if second is None else [name for name in known if name in slices_of(second)]
    if not (left := [name for name in shared if name not in cut]):
        raise SqlMetricsError(
            f"There is no slice to compare: {' and '.join(_told(state) for state in states)}"
            + (f", and by= takes {counted(cut)}" if cut else "")
            + "; make the state by the columns to compare: sm.state(..., by=[...])"
        )
    return [(name, name) for name in left]


def _told(state: Opened) -> str:
    return f"{state.relation.name} has {counted(slices_of(state)) or 'none'}"


def conditions_of_states(given: Opened, second: Opened | None) -> list[str]:
    """The notes of the conditions under which the states were made."""
    here = given.facts["made_where"]
    there = here if second is None else second.facts["made_where"]
    said = {"": here} if here == there else {"current rows: ": here, "rows of the reference: ": there}
    return [f"{whose}only rows where {' '.join(where.split())}" for whose, where in said.items() if where]
