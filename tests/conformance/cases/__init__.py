"""The edges that every metric meets on every engine; a module holds the cases of a family."""

from conformance.cases import general, item_weights, lists
from conformance.cases.tables import Case, Rows

CASES: list[Case] = [*general.CASES, *item_weights.CASES, *lists.CASES]

__all__ = ["CASES", "Case", "Rows"]
