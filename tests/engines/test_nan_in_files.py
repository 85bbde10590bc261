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
from support.broken_rows import CALLS, PLACE, PREDICTED, READ, N, refused, rows
from support.errors import told

NAN = float("nan")
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("column", ["y", "w", "c", "t"])
@pytest.mark.parametrize("writer", ["pyarrow", "polars", "duckdb"])
def test_other_roles(writer: str, column: str, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    WRITERS[writer](rows(**{column: NAN}), path)
    refused(path, column)


@pytest.mark.slow
@pytest.mark.parametrize("value", [float("inf"), None], ids=str)
def test_other_values(value: float | None, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    WRITERS["pyarrow"](rows(s=value), path)
    refused(path, "s")


#: the calls of `READ["s"]` that read only the order of scores, but for those of lists, whose weights differ in a list
ORDERED = {
    "auc", "auc of weights", "bootstrap", "compare", "compare lists", "models", "per_group", "truth",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS)
def test_minus_infinity(writer: str, tmp_path: Path) -> None:
    """It ranks last, as any number below all others, and is refused where its value is read."""
    path = tmp_path / "a.parquet"
    WRITERS[writer](rows(s=float("-inf")), path)
    for name in sorted(READ["s"] - ORDERED - {"lists"}):
        assert "1 of 400 rows have a NULL" in told(CALLS[name], path), name
    for name in sorted(ORDERED - {"bootstrap"}):
        [found], [expected] = (CALLS[name](data).to_dicts()[:1] for data in (path, rows(s=-1.0)))
        assert found == pytest.approx(expected, nan_ok=True), name
    given = rows(s=float("-inf")).to_pylist()
    pairs = [(one["s"], other["s"]) for one in given if one["y"] for other in given if not other["y"]]
    auc = sum((p > n) + (p == n) / 2 for p, n in pairs) / len(pairs)
    # resamples number a row without a finite score last, so the interval is not that of any other score
    for name in ("auc", "bootstrap"):
        assert CALLS[name](path).value("auc") == pytest.approx(auc, rel=1e-12)


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("writer", ["pyarrow", "polars"])
def test_folders_globs_and_lists(writer: str, tmp_path: Path) -> None:
    for day in (0, 1):
        folder = tmp_path / f"part={day}"
        folder.mkdir()
        WRITERS[writer](rows(s=NAN) if day else rows(), folder / "a.parquet")
    files = [str(tmp_path / f"part={day}" / "a.parquet") for day in (0, 1)]
    globs = [str(tmp_path / "*" / "*.parquet"), str(tmp_path / "**" / "*.parquet")]
    for data in (files, files[::-1], *globs, tmp_path):
        refused(data, "s")
    message = told(sm.evaluate, files, "auc", **PREDICTED, by="part")
    assert message.startswith("1 of 800 rows have a NULL, NaN or infinite score")


@pytest.mark.slow
@pytest.mark.parametrize("writer", WRITERS)
def test_drift_counts_it(writer: str, tmp_path: Path) -> None:
    """Drift takes rows as they are: a NaN, which no file knows of, is a bin of its own, as in memory."""
    path, table = tmp_path / "a.parquet", rows(s=NAN)
    WRITERS[writer](table, path)
    for given in ({"reference": rows()}, {"period": "day", "before": 0, "after": 1}):
        [found], [expected] = (sm.drift(data, columns="s", **given).to_dicts() for data in (path, table))
        assert found == pytest.approx(expected, nan_ok=True)
        assert found["n_null_current"] == 1


@pytest.mark.slow
def test_views_and_tables_of_a_connection(tmp_path: Path) -> None:
    WRITERS["polars"](rows(s=NAN), tmp_path / "a.parquet")
    with duckdb.connect() as connection:
        connection.execute(f"create view v as from '{tmp_path / 'a.parquet'}'")
        connection.execute("create table t as from v")
        for data in ("v", "t", "select * from v where user < 1000"):
            message = told(sm.evaluate, data, "auc", **PREDICTED, connection=connection)
            assert "1 of 400 rows have a NULL, NaN or infinite score" in message


@pytest.mark.slow
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
