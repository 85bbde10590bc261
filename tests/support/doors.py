"""Rows behind the doors of data, and what they have to measure."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm

Rows = list[dict[str, Any]]
FACTS = {"label": "y", "score": "s"}
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
COUNTRIES = ("DE", "FR")
#: rows by partition
PARTS: dict[tuple[str, str], Rows] = {
    (day, country): [
        {"id": 10 * d + 100 * c + i, "y": (i + d) % 3 % 2, "s": (i * 37 + d * 11 + c * 5) % 101 / 101}
        for i in range(5 + d + c)
    ]
    for d, day in enumerate(DAYS)
    for c, country in enumerate(COUNTRIES)
}
ROWS = [row for rows in PARTS.values() for row in rows]


def measured(rows: Rows) -> dict[str, float]:
    """The number of rows, the mean absolute error and the AUC, by their definitions."""
    positive = [row["s"] for row in rows if row["y"]]
    negative = [row["s"] for row in rows if not row["y"]]
    wins = [1.0 if p > n else 0.5 if p == n else 0.0 for p in positive for n in negative]
    errors = [abs(row["y"] - row["s"]) for row in rows]
    return {
        "n_rows": len(rows),
        "mae": math.fsum(errors) / len(errors),
        "auc": math.fsum(wins) / len(wins),
    }


def asked(data: Any, **options: Any) -> dict[Any, dict[str, float]]:
    """The same of some data, by the slice, or by None for the total."""
    report = sm.evaluate(data, ["mae", "auc"], **FACTS, **options)
    by = options.get("by")
    return {
        str(row[by]) if by and not row.get("is_total") else None: {
            name: row[name] for name in ("n_rows", "mae", "auc")
        }
        for row in report.to_dicts()
    }


def is_of(data: Any, rows: Rows, **options: Any) -> None:
    """Checks that data measure as some rows do."""
    assert asked(data, **options) == {None: pytest.approx(measured(rows), rel=1e-12)}


def write(rows: Rows, path: Path) -> Path:
    """Writes rows as the suffix of the path says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows)
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with duckdb.connect() as connection:
            connection.register("given", table)
            connection.execute(f"copy given to '{path}'")
    return path


def write_parts(folder: Path, suffix: str = ".parquet") -> Path:
    """Writes a folder of partitions, with what Spark leaves beside the rows."""
    for (day, country), rows in PARTS.items():
        part = write(rows, folder / f"day={day}" / f"country={country}" / f"part-0{suffix}")
        part.with_name(f".{part.name}.crc").write_bytes(b"crc")
    (folder / "_SUCCESS").touch()
    (folder / "_temporary").mkdir()
    write(ROWS, folder / "_temporary" / "0" / f"part-9{suffix}")
    return folder
