"""The tables beside recommendations: catalog, past interactions, distances of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    from sqlmetrics.columns import Columns
    from sqlmetrics.engines.duckdb import Session


def tables_of_items(
    session: Session, *, catalog: Any, history: Any, distances: Any, category: Any, group: Any, item: Any
) -> dict[str, str | None]:
    """Opens the tables that were given: their relations and the category, as SQL.

    Raises:
        SqlMetricsError: a table that cannot be read, or one without a column that is read of it.
    """
    if category is not None and catalog is None:
        raise SqlMetricsError("category= needs catalog=, the table of items that has the column")
    found: dict[str, str | None] = dict.fromkeys(("catalog", "history", "distances", "category"))
    if catalog is not None:
        columns, found["catalog"] = _opened(session, catalog, "catalog", item=item)
        found["category"] = None if category is None else columns.text(category, "category")
    if history is not None:
        _, found["history"] = _opened(session, history, "history", group=group, item=item)
    if distances is not None:
        columns, found["distances"] = _opened(session, distances, "distances")
        for name in ("item_a", "item_b"):
            columns.text(name, "distances")
        columns.number("distance", "distances")
    return found


def _opened(session: Session, data: Any, table: str, **roles: Any) -> tuple[Columns, str]:
    """A table's columns and relation; the columns of `roles` have to be there."""
    relation = session.open(data, table)
    columns = session.columns(relation)
    for role, name in roles.items():
        if name is not None:
            columns.text(name, role)
    return columns, relation.text
