"""Table names and queries that a user passes as data."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlmetrics.engines.protocol import Relation
from sqlmetrics.errors import SqlMetricsError

# A plain or quoted name, alone or after a schema, a database and a server.
PART = r'("([^"]|"")+"|`([^`]|``)+`|\[[^\]]+\]|[\w$-]+)'
NAME = re.compile(rf"{PART}(\.{PART}){{0,3}}")
# Text literals, quoted names and comments: words and semicolons in them do not count.
QUOTED = re.compile(r"""'([^']|'')*'|"([^"]|"")*"|`[^`]*`|--[^\n]*|/\*.*?\*/""", re.DOTALL)
QUERY = re.compile(r"[\s(]*(select|with|from|values)\b", re.IGNORECASE)


def relation_of(
    text: str,
    quote: Callable[[str], str],
    check: Callable[[Relation], object],
    fold: Callable[[str], str] = str,
) -> Relation:
    """The relation of a table name or a single select.

    Args:
        text: the text that the user wrote. A name is tried unchanged, then as one quoted name (`my table`).
        quote: quotes a name for the engine.
        check: raises SqlMetricsError if the engine cannot read a relation.
        fold: changes the case of a name as the engine does for names without quotes.

    Raises:
        SqlMetricsError: neither a table name nor a single select.
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
