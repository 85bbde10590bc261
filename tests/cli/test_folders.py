"""Folders on the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from support.command_line import printed, refused
from support.doors import DAYS, PARTS, ROWS, measured, write, write_parts

ASKED = ("--metrics", "mae,auc", "--label", "y", "--score", "s")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.slow
def test_a_folder(run, tmp_path):
    folder = write_parts(tmp_path / "scores")
    asked = ("--by", "country", "--where", f"day = date '{DAYS[1]}'", "--format", "csv")
    found = {
        row["country"] or None: {name: float(row[name]) for name in ("n_rows", "mae", "auc")}
        for row in rows_of(printed(run, "evaluate", f"{folder}/", *ASKED, *asked))
    }
    expected = {country: PARTS[DAYS[1], country] for country in ("DE", "FR")}
    expected[None] = [*expected["DE"], *expected["FR"]]
    assert found == {name: pytest.approx(measured(rows)) for name, rows in expected.items()}


def test_an_empty_folder(run, tmp_path):
    (tmp_path / "_SUCCESS").touch()
    err = refused(run, "evaluate", str(tmp_path), *ASKED, status=3)
    assert err.startswith(f"Error: Folder '{tmp_path}' has no file of data")


@pytest.mark.slow
def test_a_folder_of_a_table_with_a_log(run, tmp_path):
    write(ROWS, tmp_path / "scores" / "a.parquet")
    (tmp_path / "scores" / "_delta_log").mkdir()
    for data in (f"{tmp_path}/scores/*.parquet", f"{tmp_path}/scores/a.parquet", str(tmp_path)):
        assert "the Delta table" in refused(run, "evaluate", data, *ASKED, status=3)


def test_a_result_does_not_replace_a_file_of_the_folder(run, tmp_path):
    folder = write_parts(Path(tmp_path, "scores"))
    file = folder / f"day={DAYS[0]}" / "country=DE" / "part-0.parquet"
    before = file.read_bytes()
    assert "is a file that is read" in refused(run, "evaluate", str(folder), *ASKED, "--output", str(file))
    assert file.read_bytes() == before
