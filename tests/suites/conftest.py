"""A folder with data, and suites in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROWS: list[dict[str, Any]] = [
    {
        "day": row // 30,
        "country": "DE" if row % 2 else "FR",
        "y": int(row % 3 == 0),
        "new": (row * 7 % 20 + 9 * (row % 3 == 0)) / 40,
        "old": row * 11 % 20 / 40,
    }
    for row in range(120)
]
SUITE: dict[str, Any] = {
    "data": "rows.parquet",
    "facts": {"label": "y", "score": {"new": "new", "old": "old"}},
    "metrics": ["auc", "brier"],
    "slices": ["country"],
    "gates": ["auc >= 0.1", {"gate": "brier <= 0.9", "slices": False}],
}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("suites")
    pq.write_table(pa.Table.from_pylist(ROWS), made / "rows.parquet")
    return made


@pytest.fixture(scope="session")
def write(folder: Path) -> Callable[..., Path]:
    """Writes a suite: SUITE with other values for some keys, as JSON, which YAML contains; or a text."""

    def written(text: str | None = None, **other: Any) -> Path:
        said = {name: value for name, value in (SUITE | other).items() if value is not None}
        path = folder / "suite.yml"
        path.write_text(json.dumps(said) if text is None else text, encoding="utf-8")
        return path

    return written
