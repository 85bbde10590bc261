"""Delta, Iceberg, DuckLake and Hudi: their folders also hold deleted rows, so that none is a folder of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from support.doors import FACTS, ROWS, asked, is_of, measured, write
from support.errors import assert_told, told

#: the rows with slices; one of them is deleted from each table
GIVEN = [{**row, "half": "ab"[place % 2]} for place, row in enumerate(ROWS)]
LEFT = [row for row in GIVEN if row["id"] != 3]
HALVES = {
    half: pytest.approx(measured([row for row in LEFT if half in (None, row["half"])]), rel=1e-12)
    for half in ("a", "b", None)
}
METADATA = "metadata/00001-0a1b2c3d-0000-4000-8000-000000000001.metadata.json"
LOGS = {
    "Delta": "_delta_log/00000000000000000000.json",
    "Iceberg": METADATA,
    "Hudi": ".hoodie/hoodie.properties",
}


@pytest.fixture
def delta(tmp_path: Path) -> Path:
    """A table of which a row was deleted, and the file that held it is still there."""
    deltalake = pytest.importorskip("deltalake")
    path = tmp_path / "delta"
    deltalake.write_deltalake(path, pa.Table.from_pylist(GIVEN), partition_by=["half"])
    deltalake.DeltaTable(path).delete("id = 3")
    assert len(list(path.rglob("*.parquet"))) == 3
    return path


@pytest.fixture
def iceberg(tmp_path: Path) -> Any:
    """A table of pyiceberg of which a row was deleted."""
    pytest.importorskip("pyiceberg")
    catalog = pytest.importorskip("pyiceberg.catalog.sql").SqlCatalog(
        "tests", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}/warehouse"
    )
    catalog.create_namespace("tests")
    table = pa.Table.from_pylist(GIVEN)
    made = catalog.create_table("tests.scores", schema=table.schema)
    made.append(table)
    made.delete("id = 3")
    assert len(list((tmp_path / "warehouse/tests/scores/data").glob("*.parquet"))) == 2
    return made


def with_log(folder: Path, form: str) -> Path:
    """A folder of a Parquet file and of the log of a format."""
    write(ROWS, folder / "data" / "part=1" / "a.parquet")
    (folder / LOGS[form]).parent.mkdir(parents=True)
    (folder / LOGS[form]).write_text("{}")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("form", LOGS)
def test_files_of_a_table_are_no_data(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = with_log(tmp_path / "lake" / "scores", form)
    ways: list[Any] = [tmp_path / "lake", folder / "data", folder / "data" / "part=1"]
    ways += [
        f"{folder}/data/*/*.parquet",
        f"{tmp_path}/**/*.parquet",
        folder / "data" / "part=1" / "a.parquet",
    ]
    monkeypatch.chdir(folder / "data")
    ways += [".", "*/*.parquet", ["part=1/a.parquet"]]
    for data in ways:
        for options in ({}, {"connection": duckdb.connect()}):
            message = told(sm.evaluate, data, "auc", **FACTS, **options)
            said = "DuckDB does not read|rows that" if form == "Hudi" else "leads to files of|pass the folder"
            assert_told(message, f"{form}|{folder}|{said}")


def test_a_table_of_hudi_is_refused(tmp_path: Path) -> None:
    folder = with_log(tmp_path / "scores", "Hudi")
    assert_told(told(sm.evaluate, folder, "auc", **FACTS), "is a table of Hudi, which DuckDB does not read")


@pytest.mark.parametrize("form", ["Delta", "Iceberg"])
def test_without_the_extension_the_statement_to_run_is_told(
    form: str, bare: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    folder, name = with_log(tmp_path / "scores", form), form.lower()
    message = told(sm.evaluate, folder, "auc", **FACTS, connection=bare)
    assert_told(message, f"DuckDB's extension {name}, which|run INSTALL {name}; LOAD {name};")


def test_a_table_is_read_alone(tmp_path: Path) -> None:
    one, other = with_log(tmp_path / "one", "Delta"), write(ROWS, tmp_path / "other.parquet")
    for data in ([one, other], [other, one], [one, with_log(tmp_path / "two", "Delta")]):
        assert_told(told(sm.evaluate, data, "auc", **FACTS), "is a Delta table; pass it alone|as one query")


def test_metadata_beside_data_are_no_iceberg(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "data" / "a.parquet")
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "scores.metadata.json").write_text("{}")
    is_of(tmp_path / "data", ROWS)


def test_delta(delta: Path, extensions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(delta.parent)
    for data in (delta, str(delta), f"{delta}/", "delta", "./delta"):
        assert asked(data, by="half") == HALVES
    is_of(delta, [row for row in LEFT if row["half"] == "a"], where="half = 'a'")
    with duckdb.connect() as connection:
        assert asked("delta", by="half", connection=connection) == HALVES


def test_delta_by_its_own_library(delta: Path) -> None:
    table = __import__("deltalake").DeltaTable(delta)
    for data in (table.to_pyarrow_dataset(), table.to_pyarrow_table()):
        assert asked(data, by="half") == HALVES


def test_iceberg(iceberg: Any, extensions: Path) -> None:
    place = iceberg.metadata_location
    for data in (place, place.removeprefix("file://")):
        assert asked(data, by="half") == HALVES
    folder = Path(iceberg.location().removeprefix("file://"))
    assert_told(
        told(sm.evaluate, folder, "auc", **FACTS), "which version of the Iceberg table|file of metadata"
    )
    # as catalogs of files do
    (folder / "metadata" / "version-hint.text").write_text(Path(place).name.removesuffix(".metadata.json"))
    assert asked(folder, by="half") == HALVES


def test_iceberg_by_its_own_library(iceberg: Any) -> None:
    for data in (iceberg.scan().to_arrow(), iceberg.scan().to_arrow_batch_reader()):
        assert asked(data, by="half") == HALVES


def test_ducklake(extensions: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "lake.ducklake"
    given = pa.Table.from_pylist(GIVEN)
    with duckdb.connect() as connection:
        connection.execute(f"attach 'ducklake:{catalog}' as lake (data_inlining_row_limit 0)")
        connection.register("given", given)
        connection.execute("create table lake.scores as from given")
        connection.execute("delete from lake.scores where id = 3")
        for data in ("lake.main.scores", "lake.scores", "from lake.scores", '"lake"."main"."scores"'):
            assert asked(data, by="half", connection=connection) == HALVES
    files = list(tmp_path.rglob("ducklake-*.parquet"))
    assert len(files) == 2
    for data in (catalog, files, f"{tmp_path}/**/*.parquet", tmp_path / "lake.ducklake.files"):
        assert_told(told(sm.evaluate, data, "auc", **FACTS), "of a DuckLake|attach the catalog|connection=")


def test_a_file_of_a_ducklake(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "ducklake-019a8f21-1234-7abc-8def-0123456789ab.parquet")
    for data in (tmp_path, f"{tmp_path}/*"):
        assert_told(told(sm.evaluate, data, "auc", **FACTS), "of a DuckLake|attach the catalog")
