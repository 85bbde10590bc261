"""Soft labels: a row whose label is the chance p of a positive one counts as two rows, of the weights p and 1 - p."""

from __future__ import annotations

from typing import Any

Rows = list[dict[str, Any]]


def outcomes(rows: Rows, label: str, weight: str | None = None, own: str | None = None) -> Rows:
    """The two outcomes of each row, with `label` and `weight`; `unit` is the row that both belong to.

    Args:
        label: the column of the chance.
        weight: the column of the weights, and `own` the one that the outcomes have instead.
    """
    return [
        {
            **row,
            "label": outcome,
            own or "weight": (row[label] if outcome else 1 - row[label]) * (row[weight] if weight else 1),
            "unit": number,
        }
        for number, row in enumerate(rows)
        for outcome in (1, 0)
    ]
