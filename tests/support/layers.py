"""A stored state of the data of the demo, and what a semantic layer has to make of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb

import sqlmetrics as sm
from support.paths import ROOT

DEVICE = 'Device\'s "type"'  # a name that needs quotes
#: the data of the demo on forty days
ROWS = f"""
    select *, date '2026-05-10' + cast(query_id % 40 as integer) as day, device as "{DEVICE.replace('"', '""')}"
    from '{ROOT / "examples" / "search.parquet"}'
"""
METRICS = {
    "ndcg_10": "ndcg@10",
    "gauc": "gauc",
    "log_loss": "log_loss",
    "precision": "precision(threshold=0.5)",
    "rmse": "rmse",
    "f1": "f1(threshold=0.5)",
    "Largest error": "max_error",
}
FACTS: dict[str, Any] = {
    "label": "grade",
    "score": {"new": "score", "old": "score_b"},
    "group": "query_id",
    "positive": 1,
    "max_grade": 4,
}
BY = ["country", DEVICE]


def stored(database: Path) -> sm.State:
    """A state as the table daily_state of a new database."""
    state = sm.state(duckdb.sql(ROWS), list(METRICS.values()), period="day", by=BY, **FACTS)
    made = state.to_arrow()  # noqa: F841 - the statement reads it
    with duckdb.connect(str(database)) as on:
        on.execute("create table daily_state as from made")
    return state


def expected(by: Any, where: str | None = None) -> dict[tuple[Any, ...], dict[str, float | None]]:
    """The metrics of each model and slice by `evaluate`, under their values of `by` and the model."""
    report = sm.evaluate(duckdb.sql(ROWS), METRICS, by=by, total=False, where=where, **FACTS)
    names = [*(by or []), "model"]
    return {
        tuple(row[name] for name in names): {name: row[name] for name in METRICS} for row in report.to_dicts()
    }


def compare(
    rows: Iterable[Mapping[str, Any]],
    keys: list[str],
    columns: Mapping[str, str],
    wanted: dict[tuple[Any, ...], dict[str, float | None]],
) -> None:
    """Compares rows of a tool to 1e-12.

    Args:
        rows: the rows.
        keys: the columns of the slices and the model.
        columns: the columns of the metrics.
        wanted: the values by slice and model.
    """
    got = {tuple(row[key] for key in keys): {name: row[of] for name, of in columns.items()} for row in rows}
    assert got.keys() == wanted.keys()
    assert len(got) > 1
    for key, values in wanted.items():
        for name, value in values.items():
            assert value is not None
            assert math.isclose(float(got[key][name]), value, rel_tol=1e-12), (
                key,
                name,
                got[key][name],
                value,
            )
