"""A folder is the rows of the files below it, and its partitions are columns."""

from __future__ import annotations

import errno
import math
import os
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from support.doors import DAYS, FACTS, PARTS, ROWS, asked, is_of, measured, write, write_parts
from support.errors import assert_told, told

SUFFIXES = (".parquet", ".csv", ".json", ".csv.gz")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_partitions_are_columns(suffix: str, tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "scores", suffix)
    for data in (folder, str(folder), f"{folder}/", [folder]):
        is_of(data, ROWS)
    of_days = {day: [row for (of, _), rows in PARTS.items() if of == day for row in rows] for day in DAYS} | {
        None: ROWS
    }
    assert asked(folder, by="day") == {
        day: pytest.approx(measured(rows), rel=1e-12) for day, rows in of_days.items()
    }
    is_of(folder, PARTS[DAYS[1], "FR"], where=f"country = 'FR' and day = date '{DAYS[1]}'")


@pytest.mark.slow
def test_relative_paths_home_and_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parts(tmp_path / "scores [1]")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for data in ("scores [1]", "./scores [1]/", "~/scores [1]", "."):
        is_of(data, ROWS)
    monkeypatch.chdir("scores [1]")
    is_of(".", ROWS)


def test_a_partition_and_a_list_of_folders(tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "scores")
    day = [*PARTS[DAYS[0], "DE"], *PARTS[DAYS[0], "FR"]]
    is_of(folder / f"day={DAYS[0]}", day)
    is_of([folder / f"day={DAYS[0]}" / "country=DE", folder / f"day={DAYS[0]}" / "country=FR"], day)
    assert_told(
        told(sm.evaluate, [folder, folder / f"day={DAYS[0]}"], "auc", **FACTS), "named twice|name it once"
    )


def test_values_of_partitions(tmp_path: Path) -> None:
    """NULL by Hive's name for it, an escaped text, and a text that only looks like a number."""
    rows = list(PARTS.values())
    for name, part in zip(("__HIVE_DEFAULT_PARTITION__", "S%C3%A3o%20Paulo", "007"), rows, strict=False):
        write(part, tmp_path / f"city={name}" / "a.parquet")
    found = asked(tmp_path, by="city", total=False)
    null = "__HIVE_DEFAULT_PARTITION__" if duckdb.__version__.startswith("1.4.") else "None"
    assert {city: values["n_rows"] for city, values in found.items()} == {
        null: len(rows[0]), "São Paulo": len(rows[1]), "007": len(rows[2]),
    }  # fmt: skip


def test_columns_that_some_files_lack(tmp_path: Path) -> None:
    write(PARTS[DAYS[0], "DE"], tmp_path / "day=1" / "a.parquet")
    write([{**row, "w": 1.0} for row in PARTS[DAYS[0], "FR"]], tmp_path / "day=2" / "a.parquet")
    is_of(tmp_path, [*PARTS[DAYS[0], "DE"], *PARTS[DAYS[0], "FR"]])
    assert told(sm.evaluate, tmp_path, "mae", weight="w", **FACTS).startswith("5 of 11 rows have a NULL")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_broken_score_is_found(suffix: str, tmp_path: Path) -> None:
    folder = write_parts(tmp_path / "scores", suffix)
    broken = [dict(row) for row in PARTS[DAYS[2], "DE"]]
    broken[3]["s"] = None if suffix == ".json" else float("nan")
    write(broken, folder / f"day={DAYS[2]}" / "country=DE" / f"part-0{suffix}")
    message = told(sm.evaluate, folder, "auc", by="country", **FACTS)
    assert message.startswith(f"1 of {len(ROWS)} rows have a NULL, NaN or infinite score")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [suffix for suffix in SUFFIXES if suffix != ".json"])
def test_a_score_of_minus_infinity_ranks_last(suffix: str, tmp_path: Path) -> None:
    """It is found where its value is read, and no file's statistics hide it."""
    folder = write_parts(tmp_path / "scores", suffix)
    day = DAYS[2]
    masked = [dict(row) for row in PARTS[day, "DE"]]
    masked[3]["s"] = -math.inf
    write(masked, folder / f"day={day}" / "country=DE" / f"part-0{suffix}")
    rows = [row for of, part in PARTS.items() for row in (masked if of == (day, "DE") else part)]
    assert sm.evaluate(folder, "auc", **FACTS).value("auc") == pytest.approx(measured(rows)["auc"], rel=1e-12)
    for metrics in ("mae", ["auc", "mae"], "brier"):
        message = told(sm.evaluate, folder, metrics, by="country", **FACTS)
        assert message.startswith(f"1 of {len(ROWS)} rows have a NULL, NaN or infinite score")


@pytest.mark.slow
def test_tables_beside_the_data_may_be_folders(tmp_path: Path) -> None:
    lists = [{**row, "g": row["id"] % 5} for row in ROWS]
    one = write(lists, tmp_path / "one.parquet")
    for place in (0, 1):
        write(lists[place::2], tmp_path / "truth" / f"{place}.csv")
    facts = {**FACTS, "group": "g", "item": "id"}
    of_folder, of_file = (
        sm.evaluate(one, ["recall@3", "map"], truth=truth, **facts).to_dicts()
        for truth in (tmp_path / "truth", one)
    )
    assert of_folder == [pytest.approx(row) for row in of_file]


def test_files_of_one_format(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "mixed" / "a.parquet")
    write(ROWS, tmp_path / "mixed" / "b.csv")
    for data in (tmp_path / "mixed", tmp_path / "mixed" / "*", [*(tmp_path / "mixed").iterdir()]):
        assert_told(told(sm.evaluate, data, "auc", **FACTS), "a.parquet' |b.csv' |one format|write a glob")
    is_of(tmp_path / "mixed" / "*.parquet", ROWS)
    (tmp_path / "mixed" / "b.csv").rename(tmp_path / "mixed" / "notes.md")
    message = told(sm.evaluate, tmp_path / "mixed", "auc", **FACTS)
    assert_told(message, "mixed' has '|notes.md', whose suffix is of no known format|mixed/**/*.parquet")


def test_names_without_a_suffix_are_parquet(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "a.parquet").rename(tmp_path / "000000_0")
    is_of(tmp_path, ROWS)


def test_partitions_of_some_files_alone(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "scores" / "a.parquet")
    write(ROWS, tmp_path / "scores" / "day=1" / "b.parquet")
    message = told(sm.evaluate, tmp_path / "scores", "auc", **FACTS)
    assert_told(message, "different partition columns|a.parquet' has none|b.parquet' has day|write a glob")


@pytest.mark.parametrize("left", [(), ("_SUCCESS", ".a.parquet.crc", "_metadata")])
def test_an_empty_folder(left: tuple[str, ...], tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    (folder / "day=1").mkdir(parents=True)
    for name in left:
        (folder / name).write_bytes(b"PAR1")
    assert_told(
        told(sm.evaluate, folder, "auc", **FACTS), "Folder '|empty' has no file of data|begin with . or _"
    )
    with pytest.raises(sm.DataError):
        sm.evaluate([folder, folder], "auc", **FACTS)


def test_links(tmp_path: Path) -> None:
    write_parts(tmp_path / "elsewhere")
    (tmp_path / "scores").symlink_to("elsewhere")
    is_of(tmp_path / "scores", ROWS)
    assert_told(told(sm.evaluate, tmp_path, "auc", **FACTS), "was reached before by another name|count twice")
    (tmp_path / "scores").unlink()
    (tmp_path / "elsewhere" / "loop").symlink_to("..")
    assert_told(told(sm.evaluate, tmp_path / "elsewhere", "auc", **FACTS), "was reached before")


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's refusal is made here, since it lets root read every folder."""
    folder = write_parts(tmp_path / "scores")
    scandir = os.scandir

    def closed(path: str) -> object:
        if os.fspath(path).endswith(DAYS[0]):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    assert_told(told(sm.evaluate, folder, "auc", **FACTS), f"Cannot read '|{DAYS[0]}'|Permission denied")


@pytest.mark.slow
def test_a_table_of_the_connection_comes_before_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_parts(Path("scores"))
    with duckdb.connect() as connection:
        is_of("scores", ROWS, connection=connection)
        table = pa.Table.from_pylist(ROWS[:9])
        connection.register("given", table)
        connection.execute("create table scores as from given")
        is_of("scores", ROWS[:9], connection=connection)
        is_of("scores/", ROWS, connection=connection)


def test_one_broken_file_is_told(tmp_path: Path) -> None:
    write(ROWS, tmp_path / "a.parquet")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "b.parquet")
    (tmp_path / "b.parquet").write_bytes(b"")
    assert "Parquet file" in told(sm.evaluate, tmp_path, "auc", **FACTS)
