"""`sqlmetrics macros` prints what a DuckDB shell reads."""

import duckdb

from support.command_line import printed, refused


def test_macros_are_statements(run):
    with duckdb.connect() as connection:
        connection.execute(printed(run, "macros")).fetchall()
        assert connection.sql("select brier(1, 0.5)").fetchall() == [(0.25,)]
        connection.execute(printed(run, "macros", "--schema", "two words")).fetchall()
        assert connection.sql('select "two words".brier(1, 0.5)').fetchall() == [(0.25,)]
    out = printed(run, "macros", "--temporary")
    assert "create or replace temporary macro auc(label, score)" in out
    assert "create or replace macro" not in out


def test_temporary_macros_have_no_schema(run):
    assert "temporary macros lie in no schema" in refused(run, "macros", "--schema", "m", "--temporary")
