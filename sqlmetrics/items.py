"""The tables beside recommendations: catalog, past interactions, distances of items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import SqlMetricsError

if TYPE_CHECKING:
    from sqlmetrics.columns import Columns
    from sqlmetrics.engines.protocol import Session


def tables_of_items(
    session: Session,
    data: Columns,
    *,
    catalog: Any,
    history: Any,
    distances: Any,
    category: Any,
    group: Any,
    item: Any,
) -> dict[str, str | None]:
    """Opens the tables that were given: their relations and the category, as SQL.

    Raises:
        SqlMetricsError: a table that cannot be read, or one without a column that is read of it.
    """
    if category is not None and catalog is None:
        raise SqlMetricsError("category= needs catalog=, the table of items that has the column")
    found: dict[str, str | None] = dict.fromkeys(("catalog", "history", "distances", "category"))
    if catalog is not None:
        columns, found["catalog"] = _opened(session, catalog, "catalog")
        _check_joins(data, columns, item=item)
        found["category"] = None if category is None else columns.text(category, "category")
    if history is not None:
        columns, found["history"] = _opened(session, history, "history")
        _check_joins(data, columns, group=group, item=item)
    if distances is not None:
        columns, found["distances"] = _opened(session, distances, "distances")
        for name in ("item_a", "item_b"):
            columns.text(name, "distances")
        columns.number("distance", "distances")
    return found


def _opened(session: Session, table: Any, role: str) -> tuple[Columns, str]:
    """A table's columns and relation."""
    relation = session.open(table, role)
    return session.columns(relation), relation.text


def _check_joins(data: Columns, columns: Columns, **roles: Any) -> None:
    """Refuses a table that lacks the columns of roles, or has them of another kind than the data."""
    for role, name in roles.items():
        if name is not None:
            data.check_joins(columns, name, role)
