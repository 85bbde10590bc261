"""A note where rows repeat a key, which `group=` would make the unit of intervals and tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sqlmetrics.given.columns import texts_in
from sqlmetrics.options import Options

#: Names of keys: user_id, userId, id, session, task.
KEY = re.compile(
    r"(?:^|[_ .-])(?:id|key)$|[a-z](?:Id|ID)$"
    r"|^(?:user|session|query|customer|patient|task|problem|question|prompt)(?:id)?$"
)
ROWS = 1000  # of so many first rows, since a note is not worth a pass over all
FEWEST = 10  # values of a key; fewer are those of a category


def repeated_key(data: Any, options: Options, what: str) -> list[str]:
    """The note about the first column that looks like a key and repeats; none if a call names `group`.

    It looks at tables that Python holds: lists of dicts, mappings of arrays, and frames.

    >>> rows = [{"user_id": i // 2, "y": i % 2} for i in range(40)]
    >>> repeated_key(rows, Options(label="y"), "an interval")[0][:50]
    "20 values of 'user_id' in 40 rows: an interval tak"

    Args:
        data: as for `evaluate`.
        options: the options of the call.
        what: what takes rows as independent, such as `an interval`.
    """
    if options.group is not None or options.class_scores is not None:
        return []
    models = options.models
    model = models if models is None or isinstance(models, str) else next(iter(models))
    # an item= without lists names what was tried, several times
    used = {*texts_in([value for name, value in vars(options).items() if name != "item"])}
    for name in _names(data):
        if isinstance(name, str) and KEY.search(name) and name not in used:
            values, rows = _first(data, name, model)
            if values >= FEWEST and rows > 1.2 * values:
                part = "the first " if rows == ROWS else ""
                of = f"{name!r}" if model is None else f"{name!r} and {model!r}"
                told = f"{values:,} values of {of} in {part}{rows:,} rows: {what} takes rows as independent"
                return [f"{told}; group={name!r} takes the rows of a value together"]
    return []


def _names(data: Any) -> Iterable[Any]:
    """The columns of a table that Python holds; none of others."""
    if isinstance(data, list):
        return data[0] if data and isinstance(data[0], dict) else ()
    if isinstance(data, dict):
        return data
    if type(data).__module__.split(".")[0] not in ("pandas", "polars", "pyarrow"):
        return ()
    return list(data.column_names if hasattr(data, "column_names") else getattr(data, "columns", ()))


def _first(data: Any, name: str, model: str | None) -> tuple[int, int]:
    """How many values the first rows have, and how many rows these are, without those that lack a value.

    Of models in long form each has rows of a value, so a value counts for each of them.
    """
    try:
        first = _values(data, name)
        models = first if model is None else _values(data, model)
        given = [pair for pair in zip(first, models, strict=True) if pair[0] is not None]
        return len({*given}), len(given)
    except TypeError:  # lists are no keys, and what is read once has no first rows
        return 0, 0


def _values(data: Any, name: str) -> list[Any]:
    """A column of the first rows."""
    if isinstance(data, list):
        return [row.get(name) for row in data[:ROWS]]
    return list(data[name][:ROWS])
