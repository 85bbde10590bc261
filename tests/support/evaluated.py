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


def evaluated_each(
    notations: list[str], tables: list[list[dict]], **facts: Any
) -> list[dict[str, float | None]]:
    """The values over each of several tables, which are the slices of one evaluation.

    A statement of a hundred metrics takes a second however few its rows, so random tables share one.
    """
    named = {f"value_{number}": notation for number, notation in enumerate(notations)}
    rows = [{**row, "table": number} for number, table in enumerate(tables) for row in table]
    facts = {"label": "label", "score": "score", **facts}
    report = sqlmetrics.evaluate(
        pyarrow.Table.from_pylist(rows), named, by="table", total=False, **facts
    ).to_dicts()
    assert [row["table"] for row in report] == [number for number, table in enumerate(tables) if table]
    return [{notation: row[name] for name, notation in named.items()} for row in report]
