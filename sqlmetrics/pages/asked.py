"""The metrics of a page: each with its column in the results and its documentation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmetrics.book.catalog import Metric, of_notation
from sqlmetrics.book.conventions import options_of
from sqlmetrics.book.headers import Better
from sqlmetrics.book.notation import column_name, parsed


@dataclass(frozen=True)
class Asked:
    """A metric that a page shows."""

    column: str  #: its column in the results
    notation: str
    metric: Metric
    given: Mapping[str, Any]  #: the parameters that the notation gives

    @property
    def name(self) -> str:
        """The name that a reader sees: the notation, or the name that the caller gave."""
        return self.notation if self.column == column_name(self.notation) else self.column

    @property
    def better(self) -> Better:
        """The direction in which it improves."""
        return self.metric.better

    def options(self, convention: str | None) -> dict[str, Any]:
        """The parameters in force: the defaults, those of the convention, those that the notation gives."""
        of_library = (convention and options_of(convention, self.metric.macro)) or {}
        return {**self.metric.parameters, **of_library, **self.given}


def asked_metrics(notations: list[str] | dict[str, str]) -> list[Asked]:
    """The metrics of a call, in the order of the results."""
    pairs = (
        notations.items()
        if isinstance(notations, dict)
        else [(column_name(notation), notation) for notation in notations]
    )
    return [Asked(column, notation, of_notation(notation), parsed(notation)[1]) for column, notation in pairs]
