"""The time zone in which timestamps with a zone become days and texts: the zone of the session."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sqlmetrics.book.templates import macros
from sqlmetrics.engines.protocol import Relation, Session
from sqlmetrics.given.columns import Columns, sql, texts_in

#: the types of instants: an engine shows them in the zone of the session, and takes their days there
ZONED = re.compile(r"WITH TIME ZONE|TIMESTAMPTZ|, TZ=|TIMESTAMP_L?TZ")

#: an instant as the time of a zone that the caller writes, which is the same in every session; a second zone makes it
#: an instant again
WRITTEN = re.compile(r"[\w\".]+\s+at\s+time\s+zone\s+'[^']*'(?!\s+at\s+time\s+zone)")

UTC = "UTC"
NAMES_OF_UTC = ("UTC", "UCT", "GMT", "Universal", "Zulu", "Z", "+00:00")


def zone_of(session: Session, relation: Relation, columns: Columns, said: Iterable[Any]) -> str | None:
    """The time zone of the session, if a condition or an expression reads a timestamp with a zone.

    Args:
        session, relation, columns: the data.
        said: what the caller wrote: conditions, names of columns, expressions, and lists and mappings of them. A name
            counts, too: it is that of a date, whose days are taken.
    """
    zoned = [name for name, kind in columns.types.items() if ZONED.search(kind)]
    text = WRITTEN.sub("", "\n".join(texts_in(said)).lower())
    if not any(re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text) for name in zoned):
        return None
    query = str(macros(session.dialect)["zone_of_session"]())
    if not query:
        return None
    zone = str(session.query(query, relation.name).column(0)[0].as_py())
    return UTC if zone.removeprefix("Etc/") in NAMES_OF_UTC else zone


def note_of(zone: str | None) -> list[str]:
    """The note of a time zone, if there is one."""
    return [] if zone is None else [f"days and times are those of {zone}"]


def expressions_in(said: Iterable[Any]) -> list[str]:
    """The expressions among columns, which may be in lists and mappings."""
    return [text for text in texts_in(said) if isinstance(text, sql)]
