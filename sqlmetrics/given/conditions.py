"""The condition of where=, tried before the rows are read."""

from __future__ import annotations

import re

from sqlmetrics.book.templates import macros
from sqlmetrics.engines.protocol import Relation, Session
from sqlmetrics.errors import SqlMetricsError

#: what a column is compared with: a name in other quotes than those of texts, or in none
COMPARED = re.compile(r"""[=<>]\s*(?:["`‘’“”]([^"`‘’“”]+)["`‘’“”]|([^\W\d]\w*)\b(?!\s*[.("']))""")
#: where an engine stops reading
STOPPED = re.compile(r'at or near "(\w+)"')
#: such names of SQL itself
OWN_WORDS = {"true", "false", "null", "any", "all", "cast", "case", "not", "date", "timestamp", "interval"}


def check_condition(session: Session, relation: Relation, where: str | None) -> None:
    """Checks that a condition can select rows of a relation.

    Raises:
        SqlMetricsError: it is not a condition, or names something that the relation lacks.
    """
    if where is None:
        return
    if hasattr(where, "dtype"):  # the mask of a frame, which is shown at length
        got = f"values ({type(where).__name__})"
        raise SqlMetricsError(f"where= takes an SQL condition such as \"day >= '2026-06-01'\", got {got}")
    words = macros(session.dialect)
    words["check_condition"](where)
    tried = str(words["tried_condition"](relation.text, where))
    try:
        found = session.columns(Relation(tried, f"where={where!r} of {relation.name}"))
    except SqlMetricsError as error:
        known = {name.lower() for name in session.columns(relation).types}
        words_compared = (quoted or plain for quoted, plain in COMPARED.findall(where))
        texts = [word for word in words_compared if word.lower() not in known | OWN_WORDS]
        told = str(error) if str(error)[-1] in ".?!" else f"{error}."
        stopped = STOPPED.search(told)
        if stopped and stopped[1].lower() in known:
            told += f' A column whose name is a word of SQL is written in double quotes: "{stopped[1]}"'
            raise type(error)(told, sql=error.sql) from None
        if not texts:
            raise
        text = texts[0].replace("'", "''")
        raise type(error)(f"{told} A text is written in single quotes: '{text}'", sql=error.sql) from None
    kind = found.kind("sm_condition")
    if kind and kind != found.kind("sm_comparison"):
        raise SqlMetricsError(
            f"where={where!r} is {kind} and has to be true or false of each row, such as \"day >= '2026-06-01'\""
        )
