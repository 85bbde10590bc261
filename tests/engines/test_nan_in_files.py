"""NaN and infinity in Parquet files whose statistics leave them out: no check may be answered from statistics."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from support.errors import told

NAN = float("nan")
N = 400
#: The place of the broken value, in the second of two row groups.
PLACE = 250
Write = Callable[[pa.Table, Path], None]


def with_duckdb(table: pa.Table, path: Path) -> None:
    with duckdb.connect() as connection:
        connection.register("given", table)
        connection.execute(f"copy given to '{path}' (row_group_size 2048)")


def with_pandas(table: pa.Table, path: Path) -> None:
    pytest.importorskip("pandas")
    table.to_pandas().to_parquet(path)


def with_polars(statistics: Any) -> Write:
    def write(table: pa.Table, path: Path) -> None:
        polars = pytest.importorskip("polars")
        polars.from_arrow(table).write_parquet(path, statistics=statistics, row_group_size=200)

    return write


def with_pyarrow(**options: Any) -> Write:
    return lambda table, path: pq.write_table(table, path, row_group_size=200, **options)


WRITERS: dict[str, Write] = {
    "pyarrow": with_pyarrow(),
    "pyarrow without statistics": with_pyarrow(write_statistics=False),
    "pyarrow with pages": with_pyarrow(write_page_index=True, version="2.6", data_page_version="2.0"),
    "pyarrow without dictionary": with_pyarrow(use_dictionary=False),
    "polars": with_polars(True),
    "polars with all statistics": with_polars("full"),
    "polars without statistics": with_polars(False),
    "pandas": with_pandas,
    "duckdb": with_duckdb,
}


def rows(**broken: Any) -> pa.Table:
    """Rows of lists that are in order but for one value of each column that is named."""
    columns: dict[str, list[Any]] = {
        "user": [row // 10 for row in range(N)], "item": [row % 10 for row in range(N)],
        "day": [row // 200 for row in range(N)], "y": [float(row % 3 == 0) for row in range(N)],
        "s": [(row * 37 % 101) / 101 for row in range(N)], "t": [(row * 17 % 103) / 103 for row in range(N)],
        "w": [1.0 + row % 4 for row in range(N)], "c": [float(row % 4) for row in range(N)],
    }  # fmt: skip
    for name, value in broken.items():
        columns[name][PLACE] = value
    return pa.table(columns)


PREDICTED = {"label": "y", "score": "s"}
LISTED = {**PREDICTED, "group": "user"}
CLASSES = {"label": "c", "prediction": "y"}
#: Entry points: name -> call on data.
CALLS: dict[str, Callable[[Any], Any]] = {
    "auc": lambda data: sm.evaluate(data, "auc", **PREDICTED),
    "auc of weights": lambda data: sm.evaluate(data, "auc", **PREDICTED, weight="w"),
    "by slice": lambda data: sm.evaluate(data, ["mae", "auc(bins=10)"], **PREDICTED, weight="w", by="day"),
    "lists": lambda data: sm.evaluate(data, ["ndcg@5", "gauc"], **LISTED, weight="w", by="day"),
    "per_group": lambda data: sm.per_group(data, "ndcg@5", **LISTED),
    "curve": lambda data: sm.curve("roc", data, **PREDICTED),
    "calibration": lambda data: sm.curve("calibration", data, **PREDICTED),
    "state": lambda data: sm.state(data, ["auc", "ndcg@5"], **LISTED, period="day"),
    "interval": lambda data: sm.evaluate(data, "mae", **PREDICTED, interval=0.95),
    "bootstrap": lambda data: sm.evaluate(
        data, "auc", **PREDICTED, interval=0.95, interval_method="bootstrap", n_resamples=20
    ),
    "models": lambda data: sm.evaluate(data, "auc", label="y", score={"a": "s", "b": "t"}),
    "compare": lambda data: sm.compare(data, "auc", label="y", baseline="s", candidate="t"),
    "compare lists": lambda data: sm.compare(
        data, "ndcg@5", label="y", baseline="t", candidate="s", group="user"
    ),
    "truth": lambda data: sm.evaluate(data, "ndcg@5", **LISTED, item="item", truth=data),
    "classes": lambda data: sm.evaluate(data, "accuracy", **CLASSES, weight="w"),
    "confusion_matrix": lambda data: sm.confusion_matrix(data, **CLASSES),
    "class_report": lambda data: sm.class_report(data, **CLASSES),
    "find_slices": lambda data: sm.find_slices(data, "mae", **PREDICTED, by="day"),
    "explain_change": lambda data: sm.explain_change(
        data, "mae", **PREDICTED, by="c", period="day", before=0, after=1
    ),
    "report": lambda data: sm.report(data, "auc", **PREDICTED, curves=[], progress=False),
    "class_scores": lambda data: sm.evaluate(
        data, "multiclass_brier", label="y", class_scores={0.0: "s", 1.0: "t"}
    ),
    "columns": lambda data: sm.evaluate(data, "coverage(lower=s, upper=t)", label="y"),
    "mcnemar": lambda data: sm.mcnemar(data, label="c", baseline="y", candidate="y"),
}
LABELLED = {name for name in CALLS if name not in ("classes", "confusion_matrix", "class_report", "mcnemar")}
#: What a call reads: column -> the calls that are to refuse it.
READ = {
    "s": LABELLED, "y": set(CALLS), "c": set(CALLS) - LABELLED,
    "w": {"auc of weights", "by slice", "lists", "classes"},
    "t": {"models", "compare", "compare lists", "class_scores", "columns"},
}  # fmt: skip


def refused(data: Any, column: str) -> None:
    for name in sorted(READ[column]):
        message = told(CALLS[name], data)
        assert "have a NULL" in message or "without a usable" in message, (name, message)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_score_that_is_nan(writer: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    WRITERS[writer](rows(s=NAN), path)
    refused(path, "s")
    report = sm.evaluate(path, ["auc", "mae"], **PREDICTED, on_bad_rows="drop")
    [row], [expected] = (
        sm.evaluate(data, ["auc", "mae"], **PREDICTED, on_bad_rows="drop").to_dicts()
        for data in (path, rows(s=None))
    )
    assert row == pytest.approx(expected)
    assert report.to_dicts()[0]["rows_bad_score"] == 1


@pytest.mark.parametrize("column", ["y", "w", "c", "t"])
@pytest.mark.parametrize("writer", ["pyarrow", "polars", "duckdb"])
def test_other_roles(writer: str, column: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    WRITERS[writer](rows(**{column: NAN}), path)
    refused(path, column)


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), None], ids=str)
def test_other_values(value: float | None, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    WRITERS["pyarrow"](rows(s=value), path)
    refused(path, "s")


@pytest.mark.parametrize("kind", [pa.float32(), pa.float16(), pa.float64()], ids=str)
def test_floats_of_each_size(kind: pa.DataType, tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    path = tmp_path / "a.parquet"
    table = rows(s=NAN)
    if kind == pa.float16() and duckdb.__version__.startswith("1."):
        pytest.skip("DuckDB 1.4 reads no float16 of Parquet")
    values = pa.array(table["s"].to_numpy().astype(kind.to_pandas_dtype()), kind)
    pq.write_table(table.set_column(table.column_names.index("s"), "s", values), path)
    refused(path, "s")


@pytest.mark.parametrize("writer", ["pyarrow", "polars"])
def test_folders_globs_and_lists(writer: str, tmp_path: Path) -> None:
    for day in (0, 1):
        folder = tmp_path / f"part={day}"
        folder.mkdir()
        WRITERS[writer](rows(s=NAN) if day else rows(), folder / "a.parquet")
    files = [str(tmp_path / f"part={day}" / "a.parquet") for day in (0, 1)]
    for data in (files, files[::-1], str(tmp_path / "*" / "*.parquet"), str(tmp_path / "**" / "*.parquet")):
        refused(data, "s")
    message = told(sm.evaluate, files, "auc", **PREDICTED, by="part")
    assert message.startswith("1 of 800 rows have a NULL, NaN or infinite score")


def test_views_and_tables_of_a_connection(tmp_path: Path) -> None:
    WRITERS["polars"](rows(s=NAN), tmp_path / "a.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"create view v as from '{tmp_path / 'a.parquet'}'")
        connection.execute("create table t as from v")
        for data in ("v", "t", "select * from v where user < 1000"):
            message = told(sm.evaluate, data, "auc", **PREDICTED, connection=connection)
            assert "1 of 400 rows have a NULL, NaN or infinite score" in message


def test_a_file_whose_least_and_greatest_value_are_equal(tmp_path: Path) -> None:
    """A constant column is answered from statistics with more reason still."""
    table = rows()
    for value in (0.5, NAN):
        scores = [0.5] * N
        scores[PLACE] = NAN
        broken = table.set_column(
            table.column_names.index("s"), "s", pa.array([value] * N if value != 0.5 else scores)
        )
        pq.write_table(broken, tmp_path / "a.parquet")
        refused(tmp_path / "a.parquet", "s")
