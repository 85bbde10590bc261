"""`sqlmetrics macros` prints what a DuckDB shell reads."""

import os
import sys
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from support.command_line import printed, refused


@pytest.mark.slow
def test_macros_are_statements(run):
    with duckdb.connect() as connection:
        connection.execute(printed(run, "macros")).fetchall()
        assert connection.sql("select brier(1, 0.5)").fetchall() == [(0.25,)]
        connection.execute(printed(run, "macros", "--schema", "two words")).fetchall()
        assert connection.sql('select "two words".brier(1, 0.5)').fetchall() == [(0.25,)]
    out = printed(run, "macros", "--temporary")
    assert "create or replace temporary macro auc(label, score)" in out
    assert "create or replace macro" not in out


@pytest.mark.slow
def test_the_first_line_has_the_version(run):
    first = printed(run, "macros").split("\n")[0]
    assert first.startswith("-- sqlmetrics")
    assert first.endswith(f" Written by `sqlmetrics macros` of version {sm.__version__}.")


def test_temporary_macros_have_no_schema(run):
    assert "temporary macros lie in no schema" in refused(run, "macros", "--schema", "m", "--temporary")


@pytest.mark.slow
def test_macros_of_a_database_file(run, tmp_path):
    path = tmp_path / "sqlmetrics.duckdb"
    assert printed(run, "macros", "--database", str(path)) == ""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{path}' as m (read_only)")
        assert connection.sql("select m.brier(1, 0.5)").fetchall() == [(0.25,)]


def test_no_database_file(run, tmp_path):
    path = tmp_path / "sqlmetrics.duckdb"
    assert "holds no temporary macros" in refused(run, "macros", "--database", str(path), "--temporary")
    assert "No such file or directory" in refused(run, "macros", "--database", str(tmp_path / "no" / "file"))
    folder = os.fsencode(tmp_path)
    if sys.platform == "linux":  # others refuse such a name
        Path(os.fsdecode(folder + b"/caf\xe9")).write_text("a file of somebody")
        assert "the name is not UTF-8" in refused(
            run, "macros", "--database", os.fsdecode(folder + b"/caf\xe9")
        )
    path.write_text("a file of somebody")
    assert "is not replaced" in refused(run, "macros", "--database", str(path))
    assert path.read_text() == "a file of somebody"
