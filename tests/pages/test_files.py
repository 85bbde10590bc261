"""A page over files that other calls read with care or refuse."""

import math
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from support.broken_rows import PREDICTED, rows
from support.errors import told
from support.text_files import LATE, written


@pytest.mark.slow
def test_scores_that_become_fractions_late(tmp_path: Path) -> None:
    page = sm.report(written(tmp_path, LATE), "auc", label="y", score="s").html
    found = re.search(r">auc<.*?<td>([\d.]+)", page)
    assert found is not None
    assert float(found[1]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("column", ["s", "y"])
@pytest.mark.parametrize("value", [math.nan, math.inf, None], ids=str)
def test_a_broken_value_is_refused(value: float | None, column: str, tmp_path: Path) -> None:
    pq.write_table(rows(**{column: value}), tmp_path / "a.parquet")
    message = told(sm.report, tmp_path / "a.parquet", "auc", **PREDICTED, curves=[], progress=False)
    assert "have a NULL" in message
