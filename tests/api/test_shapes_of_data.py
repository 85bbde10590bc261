"""Shapes of data of a first call that no other test has: each works, or one sentence says what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import sqlmetrics as sm

ROWS = {"y": [1, 0, 1, 0], "p": [0.9, 0.2, 0.4, 0.6], "c": ["a", "a", "b", "b"]}
ASKED = {"label": "y", "score": "p"}


def told(data: Any, **more: Any) -> str:
    with pytest.raises(sm.SqlMetricsError) as error:
        sm.evaluate(data, "auc", **ASKED | more)
    return str(error.value)


def test_a_reader_is_read_once() -> None:
    reader = pa.table(ROWS).to_reader()
    assert sm.evaluate(reader, "auc", **ASKED).value("auc") == 0.75
    assert "a RecordBatchReader is read once" in told(reader)
    assert "reader.read_all()" in told(reader)


@pytest.mark.parametrize("role", ["by", "group", "label"])
def test_a_column_with_its_values_is_named(role: str) -> None:
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    assert "4 values (Series); write 'c', its name" in told(frame, **{role: frame["c"]})


def test_files_of_different_types_are_named(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pa.table(ROWS), tmp_path / "a.parquet")
    pyarrow.parquet.write_table(pa.table(ROWS | {"y": ["1", "0", "1", "0"]}), tmp_path / "b.parquet")
    said = told(str(tmp_path / "*.parquet"))
    assert "the files differ: it is VARCHAR in" in said
    assert said.count(".parquet") == 2


def test_how_far_lists_differ_is_no_reversed_score() -> None:
    """The spread of a good score is below the value of a random one, and a comparison names no test that is refused."""
    rows = [{"q": q, "y": i % 2, "p": i % 2 + i / 9 + (q == i)} for q in range(40) for i in range(6)]
    report = sm.evaluate(rows, "gauc(average=std)", group="q", **ASKED)
    assert not any("reversed" in note for note in report.notes())
    with pytest.raises(sm.SqlMetricsError, match="take another metric"):
        sm.compare(rows, "gauc(average=std)", group="q", label="y", score=["p", "y"], baseline="p")
