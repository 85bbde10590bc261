"""The condition of where=, tried before the rows are read."""

from __future__ import annotations

from sqlmetrics.book.templates import macros
from sqlmetrics.engines.protocol import Relation, Session
from sqlmetrics.errors import SqlMetricsError


def check_condition(session: Session, relation: Relation, where: str | None) -> None:
    """Checks that a condition can select rows of a relation.

    Raises:
        SqlMetricsError: it is not a condition, or names something that the relation lacks.
    """
    if where is None:
        return
    words = macros(session.dialect)
    words["check_condition"](where)
    tried = str(words["tried_condition"](relation.text, where))
    found = session.columns(Relation(tried, f"where={where!r} of {relation.name}"))
    kind = found.kind("sm_condition")
    if kind and kind != found.kind("sm_comparison"):
        raise SqlMetricsError(
            f"where={where!r} is {kind} and has to be true or false of each row, such as \"day >= '2026-06-01'\""
        )
