"""Table names and queries, as a user writes them where the data is."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlmetrics.engines.protocol import Relation
from sqlmetrics.errors import SqlMetricsError

# A name as it is or quoted, alone or behind a schema, a database and a server.
PART = r'("([^"]|"")+"|`([^`]|``)+`|\[[^\]]+\]|[\w$-]+)'
NAME = re.compile(rf"{PART}(\.{PART}){{0,3}}")
# What a semicolon or a word in it does not count: texts, quoted names, comments.
QUOTED = re.compile(r"""'([^']|'')*'|"([^"]|"")*"|`[^`]*`|--[^\n]*|/\*.*?\*/""", re.DOTALL)
QUERY = re.compile(r"[\s(]*(select|with|from|values)\b", re.IGNORECASE)


def relation_of(text: str, quote: Callable[[str], str], check: Callable[[Relation], object]) -> Relation:
    """The relation of a table name or a single select.

    Args:
        text: what the user wrote.
        quote: how the engine quotes a name.
        check: raises SqlMetricsError where the engine cannot read a relation.

    Raises:
        SqlMetricsError: neither; a name is tried as it is and then as one quoted name, such as that of `my table`.
    """
    written = text.strip().rstrip(";").rstrip()
    bare = QUOTED.sub(" ", written)
    if QUERY.match(bare):
        if ";" in bare:
            raise SqlMetricsError(f"'{text}' is several statements; data is a table name or a single select")
        relation = Relation(f"({written}\n)", "the query", read_once=True)
        check(relation)
        return relation
    as_written = [Relation(written, written)] if NAME.fullmatch(written) else []
    refusals = []
    for relation in [*as_written, Relation(quote(written), written)]:
        try:
            check(relation)
        except SqlMetricsError as error:
            refusals.append(error)
        else:
            return relation
    if as_written:
        raise refusals[0]
    raise SqlMetricsError(
        f"'{text:.100}' is no table of the connection and no query; data is a table name or a single select"
    ) from refusals[0]
