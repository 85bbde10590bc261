"""The edges that every metric meets on every engine; a module holds the cases of a family."""

from conformance.cases import classes, general, levels, rows
from conformance.cases.tables import Case, Rows

CASES: list[Case] = [*general.CASES, *rows.CASES, *levels.CASES, *classes.CASES]

__all__ = ["CASES", "Case", "Rows"]
