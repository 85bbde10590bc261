"""Shapes of data of a first call that no other test has: each works, or one sentence says what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
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


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_column_that_one_of_several_files_lacks_is_named(tmp_path: Path, form: str) -> None:
    """Its rows have NULL there, which is no value of the data: a slice of its own, or a bad row."""
    frame = pytest.importorskip("pandas").DataFrame(ROWS)
    frame["s"] = [{"c": 1}] * 4 if form == "parquet" else 1  # a column within another one is none of the file
    for name, part in {"a": frame, "b": frame.drop(columns="c"), "d": frame.drop(columns="y")}.items():
        if form == "csv":
            part.to_csv(tmp_path / f"{name}.csv", index=False)
        elif form == "jsonl":
            part.to_json(tmp_path / f"{name}.jsonl", orient="records", lines=True)
        else:
            part.to_parquet(tmp_path / f"{name}.parquet")
    a, b, d = (str(tmp_path / f"{name}.{form}") for name in "abd")
    note = f"column 'c' is NULL in the rows of {b}, which has no such column"
    assert note in sm.evaluate([a, b], "auc", by="c", **ASKED).notes()
    assert note in sm.evaluate([b, a], "auc", where="c is null or c <> 'a'", **ASKED).notes()
    assert not any(
        "no such column" in said for said in sm.evaluate([a, b], "auc", **ASKED).notes()
    )  # nobody asked for it
    assert f"4 of 8 rows have a NULL, NaN or infinite label; column 'y' is NULL in the rows of {d}" in told(
        [a, d]
    )


@pytest.mark.parametrize("missing", [float("nan"), None])
def test_nan_is_the_missing_value_of_lists_and_arrays(missing: float | None) -> None:
    """As in a frame of pandas; it was a list, a slice and a model of its own."""
    columns: dict[str, Any] = {
        "g": [1.0, 1.0, missing, missing],
        "y": [1, 0, 0, 1],
        "s": [0.9, 0.1, 0.8, 0.2],
    }
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    arrays = {**columns, "g": np.array(columns["g"], float)}
    for data in (columns, rows, arrays):
        with pytest.raises(sm.SqlMetricsError, match="2 of 4 rows have a NULL group"):
            sm.evaluate(data, "mrr", label="y", score="s", group="g")
        assert sm.evaluate(data, "auc", label="y", score="s", by="g")["g"] == [1, None, None]
        with pytest.raises(sm.SqlMetricsError, match="NULL in 2 rows, which belong to no model"):
            sm.evaluate(data, "auc", label="y", score="s", models="g")


def test_hashes_are_keys() -> None:
    rows = [{"u": 2**63 + i // 2, "y": i % 2, "s": i / 4} for i in range(4)]
    assert sm.evaluate(rows, "mrr", label="y", score="s", group="u")["n_groups"] == [2]
