"""Asks sqlmetrics, over rows given as dicts."""

from typing import Any

import pyarrow

import sqlmetrics


def evaluated(notations: list[str], rows: list[dict], truth: list[dict] | None = None, **facts: Any) -> dict:
    """The value of each notation over `rows`, all in one evaluation; `facts` are arguments of `evaluate`."""
    named = {f"value_{number}": notation for number, notation in enumerate(notations)}
    tables = {} if truth is None else {"truth": pyarrow.Table.from_pylist(truth)}
    report = sqlmetrics.evaluate(
        pyarrow.Table.from_pylist(rows), named, label="label", score="score", **tables, **facts
    )
    (row,) = report.to_dicts()
    return {notation: row[name] for name, notation in named.items()}
