"""The tables for metrics of items: catalog, past interactions (history), distances of items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlmetrics.engines.protocol import Session
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.given.columns import Columns, is_key
from sqlmetrics.given.reads import OF_DISTANCES, Reads
from sqlmetrics.options import Options


def tables_of_items(
    session: Session, data: Columns, options: Options, reads: Reads
) -> tuple[Options, dict[str, str | None]]:
    """Opens the tables of items that the call names.

    Returns the options with the columns that join them, and the relations of the tables with the category as SQL.

    Raises:
        SqlMetricsError: a table that cannot be read, or one that lacks a column; a category without a
            catalog.
    """
    if options.category is not None and options.catalog is None:
        raise SqlMetricsError("category= needs catalog=, the table of items that has the column")
    found: dict[str, str | None] = dict.fromkeys(("catalog", "history", "distances", "category"))
    if options.catalog is not None:
        columns, found["catalog"] = _opened(session, options.catalog, "catalog", reads)
        options = joined(options, data, columns, "item")
        found["category"] = None if options.category is None else columns.text(options.category, "category")
    if options.history is not None:
        columns, found["history"] = _opened(session, options.history, "history", reads)
        options = joined(options, data, columns, "group", "item")
    if options.distances is not None:
        columns, found["distances"] = _opened(session, options.distances, "distances", OF_DISTANCES)
        for name in ("item_a", "item_b"):
            columns.text(name, "distances")
            _check_items(data, options.item, columns, name)
        columns.number("distance", "distances")
    return options, found


def _check_items(data: Columns, item: str | None, distances: Columns, name: str) -> None:
    """Checks that items of data and distances are of one kind: an engine would compare 7 and '007' as numbers."""
    if item is None or item not in data:
        return
    kinds = [data.kind(item), distances.kind(name)]
    if all(kinds) and kinds[0] != kinds[1]:
        way = data.cast(item, "sql_string" if kinds[1] == "text" else "sql_integer")
        raise SqlMetricsError(
            f"Column '{item}' (item=) of {data.where} is {kinds[0]} and column '{name}' of {distances.where} is"
            f" {kinds[1]}, which cannot be compared; write item={way}"
        )


def _opened(session: Session, table: Any, role: str, reads: Reads) -> tuple[Columns, str]:
    """A table's columns and relation."""
    relation = session.open(table, role, reads)
    return session.columns(relation), relation.text


def joined(options: Options, data: Columns, columns: Columns, *roles: str) -> Options:
    """The options, with the columns of `roles` as they join a table to the data.

    Raises:
        SqlMetricsError: the table lacks such a column, or has it with another kind.
    """
    named = {role: getattr(options, role) for role in roles if getattr(options, role) is not None}
    keys: dict[str, Any] = {
        role: [data.joined(columns, one, role) for one in name]
        if is_key(name)
        else data.joined(columns, name, role)
        for role, name in named.items()
    }
    return replace(options, **keys)
