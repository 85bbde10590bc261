"""What a state says that it was made with. A state comes from a file or a shared table, so none of it is trusted."""

from __future__ import annotations

import json
from typing import Any

from sqlmetrics.columns import AnyColumns, Columns
from sqlmetrics.conventions import check_convention
from sqlmetrics.errors import SqlMetricsError, counted
from sqlmetrics.facts import Opened
from sqlmetrics.templates import macros

# The columns that every state has.
COLUMNS = ("sm_grain", "sm_facts", "sm_by", "sm_holds")
# The keys of sm_facts, exactly those that the macro `facts_of_state` writes, and how a message calls their kinds.
ROLES = ("label", "score", "group", "item", "weight", "prediction")
NUMBER, TEXT, NOTHING = "a number", "a text", "null"
KINDS = {
    **dict.fromkeys((*ROLES, "models"), ("true or false",)),
    **dict.fromkeys(("period", "ties", "on_duplicate"), (TEXT,)),
    **dict.fromkeys(("convention", "unjudged"), (TEXT, NOTHING)),
    "positive": (TEXT, NUMBER, NOTHING),
    "max_grade": (NUMBER, NOTHING),
}
KIND_OF = {bool: "true or false", int: NUMBER, float: NUMBER, str: TEXT, type(None): NOTHING}


def facts_of(given: Opened) -> dict[str, Any]:
    """The facts that a state was made with, as the macro `facts` takes them; its columns stand for those of the data.

    Raises:
        SqlMetricsError: no state, or a broken one; an empty state; one that was made with different facts.
    """
    columns = given.session.columns(given.relation)
    if not all(name in columns for name in COLUMNS):
        raise SqlMetricsError(f"{columns.where} is no state; sm.state(...) makes one")
    said = [_facts_in(text, columns.where) for text in distinct(given, "sm_facts")]
    if not said:
        raise SqlMetricsError(f"{columns.where} has no row of a state")
    facts, *others = said
    if others:
        names = [name for name in facts if any(other[name] != facts[name] for other in others)]
        raise SqlMetricsError(
            f"{columns.where} was made with different facts, which cannot be finished together: {', '.join(names)}"
        )
    for name in ("sm_by", "sm_holds"):
        distinct(given, name)
    for name in (facts["period"], *(["model"] if facts["models"] else [])):
        if name not in columns:
            what = "period " if name == facts["period"] else ""
            raise _no_state(columns.where, f"it lacks the {what}column {name!r:.50}")
    models = dict.fromkeys(distinct(given, "model"), "sm_score") if facts["models"] else None
    roles = {name: f"sm_{name}" if facts[name] else None for name in ROLES}
    taken = {
        **{name: facts[name] for name in ("positive", "max_grade", "ties", "on_duplicate", "unjudged")},
        **roles,
        "score": models or roles["score"],
        "period": period_of(columns, facts["period"]),
        "columns": AnyColumns(columns.words),
        "examples": False,
    }
    try:
        taken["convention"] = check_convention(facts["convention"])
        macros(given.session.dialect)["facts"](**taken, state="read")
    except SqlMetricsError as error:
        raise _no_state(columns.where, f"its column sm_facts says what no state does, {error}") from error
    return taken


def period_of(columns: Columns, period: str) -> dict[str, str]:
    """The period as SQL, under the name that it has in the state."""
    return {
        "sql": columns.text(period, "period"),
        "name": str(period),
        "alias": columns.alias(str(period)),
    }


def distinct(given: Opened, column: str) -> list[str]:
    """The distinct values of a column of a state, sorted.

    Raises:
        SqlMetricsError: a value that is no text.
    """
    query = str(macros(given.session.dialect)["distinct_in_state"](given.relation.text, column))
    where = given.relation.name
    try:
        values = given.session.query(query, where).column(0).to_pylist()
    except SqlMetricsError as error:
        raise _no_state(where, f"its columns sm_grain and {column} are not those of a state") from error
    if not all(isinstance(value, str) for value in values):
        raise _no_state(where, f"its column {column} has a value that is no text")
    return sorted(values)


def _facts_in(text: str, where: str) -> dict[str, Any]:
    """The facts in one text of sm_facts: exactly the keys that a state has, each of its kind."""
    try:
        # a name may have a line feed in it, which the macro writes as it is
        facts = json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise _no_state(where, "its column sm_facts is not the JSON of one") from error
    if not isinstance(facts, dict):
        raise _no_state(where, "its column sm_facts is not the JSON of one")
    unknown = [f"{name!r:.50}" for name in facts if name not in KINDS]
    if unknown:
        raise _no_state(where, f"its column sm_facts has {counted(unknown, 3)}, which is no fact of a state")
    lacking = [name for name in KINDS if name not in facts]
    if lacking:
        raise _no_state(where, f"its column sm_facts lacks {counted(lacking)}")
    for name, allowed in KINDS.items():
        if KIND_OF.get(type(facts[name])) not in allowed:
            *most, last = allowed
            kinds = f"{', '.join(most)} or {last}" if most else last
            raise _no_state(
                where, f"its column sm_facts says {name} is {facts[name]!r:.50}, which has to be {kinds}"
            )
    return facts


def _no_state(where: str, reason: str) -> SqlMetricsError:
    return SqlMetricsError(f"{where:.150} is no state: {reason:.250}; make it again by sm.state(...)")
