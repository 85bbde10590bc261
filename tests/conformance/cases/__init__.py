"""The edges that every metric meets on every engine; a module holds the cases of a family."""

from conformance.cases import (
    classes,
    columns,
    diversity,
    exposure,
    general,
    item_weights,
    items,
    levels,
    lists,
    rows,
    subsets,
)
from conformance.cases.tables import Case, Rows

CASES: list[Case] = [
    *general.CASES,
    *rows.CASES,
    *levels.CASES,
    *lists.CASES,
    *item_weights.CASES,
    *exposure.CASES,
    *items.CASES,
    *diversity.CASES,
    *classes.CASES,
    *columns.CASES,
    *subsets.CASES,
]

__all__ = ["CASES", "Case", "Rows"]
