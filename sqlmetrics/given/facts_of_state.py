"""The facts of a state. A state may come from a file or a shared table, so nothing in it is trusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from sqlmetrics.book.conventions import check_convention
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import DataError, SqlMetricsError, counted
from sqlmetrics.given.columns import AnyColumns, Columns, named_column, sql
from sqlmetrics.given.opened import Opened
from sqlmetrics.given.zones import UTC
from sqlmetrics.options import Options

# The columns of every state.
COLUMNS = ("sm_grain", "sm_facts", "sm_by", "sm_holds")
TEXTS = (*COLUMNS, "sm_pair_metric", "sm_pair_baseline")  #: the columns that are no sums
# The kinds of the keys in sm_facts, worded for messages. The macro `facts_of_state` writes these keys only.
ROLES = ("label", "score", "group", "item", "weight", "prediction")
NUMBER, TEXT, NOTHING = "a number", "a text", "null"
KINDS = {
    **dict.fromkeys(ROLES, (TEXT, NOTHING)),
    "models": ("true or false",),
    **dict.fromkeys(("period", "ties", "on_duplicate"), (TEXT,)),
    **dict.fromkeys(("convention", "unjudged"), (TEXT, NOTHING)),
    "positive": (TEXT, NUMBER, NOTHING),
    "max_grade": (NUMBER, NOTHING),
    "where": (TEXT, NOTHING),
    "zone": (TEXT,),
    "soft": ("true or false",),
}
# Of version 1, which has no `version`: a role is true or false, whether it was given.
KINDS_OF_VERSION_1 = {**KINDS, **dict.fromkeys(ROLES, ("true or false",))}
VERSION = 2  #: the version that `state` writes; `finish` reads it and the older ones
KIND_OF = {bool: "true or false", int: NUMBER, float: NUMBER, str: TEXT, type(None): NOTHING}


def is_state(columns: Columns) -> bool:
    """Whether columns are those of a state."""
    return all(name in columns for name in COLUMNS)


def held(names: Iterable[str]) -> str:
    """The words for a state whose call names columns or options.

    >>> held(["label", "score"])
    'a state, which holds its columns and options; leave out label=, score='
    """
    return (
        f"a state, which holds its columns and options; leave out {', '.join(f'{name}=' for name in names)}"
    )


def refuse_roles(columns: Columns, options: Options) -> None:
    """Refuses the columns of rows beside a state, which has sums of them."""
    roles = [name for name in ROLES if getattr(options, name) is not None]
    if roles and is_state(columns):
        raise SqlMetricsError(f"The data are {held(roles)}; its metrics are computed by sqlmetrics.finish")


def refuse_state(given: Opened) -> None:
    """Refuses a state where metrics are asked of rows."""
    if is_state(given.labels.columns):
        raise SqlMetricsError("The data are a state; its metrics are computed by sqlmetrics.finish")


def facts_of(given: Opened) -> dict[str, Any]:
    """The facts of a state, as arguments of the macro `facts`. The columns are those of the state.

    Raises:
        SqlMetricsError: not a state, or a broken one; an empty state; a state made with different facts.
    """
    columns = given.session.columns(given.relation)
    if not all(name in columns for name in COLUMNS):
        raise DataError(f"{columns.where} is no state; sm.state(...) makes one")
    every = [_facts_in(text, columns.where) for text in distinct(given, "sm_facts")]
    if not every:
        raise DataError(f"{columns.where} has no row of a state")
    # with several models each row names the score of its own model
    one = not any(facts["models"] for facts in every)
    _refuse_different(every if one else [{**facts, "score": None} for facts in every], columns.where)
    facts = max(every, key=_version)
    for name in ("sm_by", "sm_holds"):
        distinct(given, name)
    for name in (facts["period"], *(["model"] if facts["models"] else [])):
        if name not in columns:
            what = "period " if name == facts["period"] else ""
            raise no_state(columns.where, f"it lacks the {what}column {name!r:.50}")
    roles: dict[str, Any] = {name: None if facts[name] in (None, False) else f"sm_{name}" for name in ROLES}
    said = {name: facts[name] for name in ROLES}
    if facts["models"]:
        said["score"] = _scores(given, columns.where)
        roles["score"] = {name: "sm_score" if score else None for name, score in said["score"].items()}
    taken = {
        **{
            name: facts[name]
            for name in ("positive", "soft", "max_grade", "ties", "on_duplicate", "unjudged")
        },
        **roles,
        "period": period_of(columns, facts["period"]),
        "columns": AnyColumns(columns.words),
        "examples": False,
        "said": said if _version(facts) > 1 else None,
        "made_where": facts["where"],
        "zone": None if facts["zone"] == UTC else facts["zone"],
    }
    try:
        taken["convention"] = check_convention(facts["convention"])
        words = macros(given.session.dialect)
        words["facts"](words["question_over_state"](), **taken)
    except SqlMetricsError as error:
        raise no_state(columns.where, f"its column sm_facts has an invalid fact, {error}") from error
    return taken


def period_of(columns: Columns, period: str | Mapping[str, str]) -> dict[str, str]:
    """The period as SQL, with its name in the state."""
    name, column = named_column(period, "period")
    return {"sql": columns.text(column, "period"), "name": str(name), "alias": columns.alias(str(name))}


def said(options: Options) -> dict[str, Any]:
    """The columns of the roles as the caller named them, which a state records: an expression is in brackets."""

    def text(column: Any) -> Any:
        if isinstance(column, Mapping):
            return {str(name): text(of_model) for name, of_model in column.items()}
        return f"({column})" if isinstance(column, sql) else column

    if not isinstance(options.group, str | None):
        raise SqlMetricsError(
            f"group= of a state takes one column, got {options.group!r}; make the key of several a column of the data"
        )
    return {role: text(getattr(options, role)) for role in ROLES}


def distinct(given: Opened, column: str) -> list[str]:
    """The distinct values of a column of a state, sorted.

    Raises:
        SqlMetricsError: a value that is not text; columns that are not those of a state.
    """
    return [value for (value,) in _distinct(given, column)]


def _distinct(given: Opened, *columns: str) -> list[tuple[str, ...]]:
    names, where = ", ".join(columns), given.relation.name
    known = given.session.columns(given.relation)
    # "A" and "a" are two values, also under a collation that takes them for one
    exact = ", ".join(known.text(name, "state") if name in known else name for name in columns)
    query = str(macros(given.session.dialect)["distinct_in_state"](given.relation.text, exact))
    try:
        found = [column.to_pylist() for column in given.session.query(query, where).columns]
    except SqlMetricsError as error:
        raise no_state(where, f"its columns sm_grain and {names} are not those of a state") from error
    for column, values in zip(columns, found, strict=True):
        if not all(isinstance(value, str) for value in values):
            raise no_state(where, f"its column {column} has a value that is no text")
    return sorted(zip(*found, strict=True))


def _scores(given: Opened, where: str) -> dict[str, Any]:
    """The score of each model."""
    scores: dict[str, Any] = {}
    of_models: dict[str, list[dict[str, Any]]] = {}
    for model, text in _distinct(given, "model", "sm_facts"):
        of_models.setdefault(model, []).append(_facts_in(text, where))
    for model, every in of_models.items():
        _refuse_different(every, where)
        scores[model] = max(every, key=_version)["score"]
    return scores


def _version(facts: dict[str, Any]) -> int:
    return int(facts.get("version", 1))


def _refuse_different(every: list[dict[str, Any]], where: str) -> None:
    """Checks that states were made with the same facts. Those of version 1 do not say which columns they read."""
    newer = [facts for facts in every if _version(facts) > 1]
    given = [{**facts, **{role: facts[role] not in (None, False) for role in ROLES}} for facts in every]
    different = []
    for name in KINDS:
        for group in (newer, given):
            values = sorted({f"{facts[name]!r:.40}" for facts in group})
            if len(values) > 1:
                different.append(f"{name} ({counted(values, 3)})")
                break
    if different:
        apart = any(name.startswith("where ") for name in different)
        rest = (
            "; period= keeps the days of one state apart, so make it without the where= of a day"
            if apart
            else ""
        )
        raise DataError(
            f"{where:.150} was made with different facts, which cannot be finished together:"
            f" {counted(different, 3)}{rest}"
        )


def _facts_in(text: str, where: str) -> dict[str, Any]:
    """Parses and checks one value of sm_facts."""
    facts: dict[str, Any] | None = None
    with suppress(ValueError, RecursionError):
        # not strict, since version 1 has a line feed in a name as it is
        facts = json.loads(text, strict=False)
    if not isinstance(facts, dict):
        raise no_state(where, "its column sm_facts is not the JSON of one")
    version = facts.get("version", 1)
    if type(version) is int and version > VERSION:
        raise DataError(
            f"{where:.150} was made by a later sqlmetrics: its layout has version {version}, and this sqlmetrics reads"
            f" versions 1 to {VERSION}; update sqlmetrics"
        )
    if "version" in facts and (type(version) is not int or version < 2):
        raise _no_fact(where, "version", version, str(VERSION))
    # written only of a part of the data, of days that are not those of UTC, and of soft labels
    facts = {"where": None, "zone": UTC, "soft": False, **facts}
    known = KINDS if "version" in facts else KINDS_OF_VERSION_1
    unknown = [f"{name!r:.50}" for name in facts if name not in known and name != "version"]
    if unknown:
        raise no_state(where, f"its column sm_facts has {counted(unknown, 3)}, which is no fact of a state")
    lacking = [name for name in known if name not in facts]
    if lacking:
        raise no_state(where, f"its column sm_facts lacks {counted(lacking)}")
    for name, allowed in known.items():
        if KIND_OF.get(type(facts[name])) not in allowed:
            *most, last = allowed
            kinds = f"{', '.join(most)} or {last}" if most else last
            raise _no_fact(where, name, facts[name], kinds)
    return facts


def _no_fact(where: str, name: str, value: Any, allowed: str) -> DataError:
    return no_state(where, f"its column sm_facts says {name} is {value!r:.50}, which has to be {allowed}")


def no_state(where: str, reason: str) -> DataError:
    """The error for a broken state."""
    return DataError(f"{where:.150} is no state: {reason:.250}; make it again by sm.state(...)")
