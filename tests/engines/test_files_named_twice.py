"""A file counts once: naming it twice, by whatever name, is refused, and two files are two whatever they are called."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told

TABLE = pa.table({"y": [1.0, 0, 0, 0, 1], "s": [0.9, 0.2, 0.1, 0.4, 0.5]})
FACTS = {"label": "y", "score": "s"}


def rows_of(data: object) -> int:
    return sm.evaluate(data, "auc", **FACTS).to_dicts()[0]["n_rows"]


@pytest.mark.parametrize("name", ["a.parquet", "a b.parquet", "a[1].parquet", "é.parquet"])
def test_a_file_twice(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pq.write_table(TABLE, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    Path("link.dat").symlink_to(name)
    for names in (
        [name, name],
        [name, f"./{name}"],
        [name, tmp_path / name],
        [name, "*.parquet"],
        [name, "link.dat"],
    ):
        assert_told(told(sm.evaluate, names, "auc", **FACTS), f"{name}'|is named twice|name it once")
    Path("z.parquet").symlink_to(name)
    assert_told(told(sm.evaluate, "*.parquet", "auc", **FACTS), f"'z.parquet'|'{name}'|is named twice (as")
    state = sm.state({"y": [1, 0], "s": [0.5, 0.4], "d": [1, 1]}, "auc", period="d", **FACTS)
    state.write("state.pq")
    assert_told(told(sm.finish, ["state.pq", "state.pq"], "auc"), "File 'state.pq' is named twice")


def test_files_of_the_same_content_are_two(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet"):
        pq.write_table(TABLE, tmp_path / name)
    assert rows_of(str(tmp_path / "*.parquet")) == 10
    assert rows_of([tmp_path / "a.parquet", tmp_path / "b.parquet"]) == 10


@pytest.mark.slow
def test_names_that_look_the_same(tmp_path: Path) -> None:
    """One accent composed, one decomposed: to most file systems two files."""
    names = [tmp_path / unicodedata.normalize(form, "é.parquet") for form in ("NFC", "NFD")]
    for name in names:
        pq.write_table(TABLE, name)
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("one file to this file system")
    assert rows_of(names) == rows_of(names[::-1]) == rows_of(str(tmp_path / "*.parquet")) == 10
    assert [rows_of(name) for name in names] == [5, 5]
