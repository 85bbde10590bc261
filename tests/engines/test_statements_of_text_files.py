"""Statements over text files run by themselves, and leave the connection as it was."""

import duckdb
import pytest

import sqlmetrics as sm
from support.text_files import EARLY, written

OF_LISTS = {"score": "s", "group": "q", "item": "i"}
RUN_ALONE = {
    "two files": lambda data, truth: sm.evaluate(data, "ndcg@3", truth=truth, label="y", **OF_LISTS),
    "bootstrap": lambda data, truth: sm.evaluate(
        data, "average_precision", label="y", score="s", interval=0.9, n_resamples=20
    ),
    "drift": lambda data, truth: sm.drift(data, reference=truth, columns="y"),
    "state": lambda data, truth: sm.state(data, "mse", period="q", label="y", score="s", where="q = 1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("asked", RUN_ALONE)
def test_a_statement_runs_by_itself(asked, tmp_path):
    rows = [{"q": n % 5, "i": n, "y": int(n % 3 == 0), "s": n * 37 % 100 / 100} for n in range(100)]
    files = written(tmp_path, rows), written(tmp_path, [row | {"s": 0} for row in rows], "rows.tsv")
    report = RUN_ALONE[asked](*files)
    with duckdb.connect() as connection:
        alone = connection.sql(report.sql)
        found = [dict(zip(alone.columns, row, strict=True)) for row in alone.fetchall()]
    for row, reported in zip(found, report.to_dicts(), strict=True):
        assert row == {
            name: pytest.approx(cell, rel=1e-12) if isinstance(cell, float) else cell
            for name, cell in {**row, **reported}.items()
        }


def test_a_statement_that_fails_does_so_by_itself(tmp_path):
    path = written(tmp_path, [{"d": "a", "y": 1}] * 3)
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.evaluate(path, "mse", label="y", score=sm.sql("cast(d as double)"))
    with duckdb.connect() as alone, pytest.raises(duckdb.ConversionException, match="string 'a'"):
        alone.sql(refused.value.sql).fetchall()


@pytest.mark.slow
def test_a_statement_is_the_same_on_every_connection(tmp_path):
    path = written(tmp_path, [{"y": 1, "s": 0.5}] * 3)
    asked = {"label": "y", "score": "s"}
    connections = [None, duckdb.connect(), duckdb.connect()]
    for data in (path, [{"y": 1, "s": 0.5}] * 3):
        assert len({sm.evaluate(data, "mse", **asked, connection=one).sql for one in connections}) == 1
    connections[1].execute("create table sm_data_rows as select 1 as a")
    assert sm.evaluate(path, "mse", **asked, connection=connections[1]).value("mse") == 0.25
    assert connections[1].execute("from sm_data_rows").fetchall() == [(1,)]


@pytest.mark.slow
def test_a_connection_is_left_as_it_was(tmp_path):
    connection = duckdb.connect()
    connection.execute("begin")
    connection.execute("create table mine as select 1 as a")
    path = written(tmp_path, [{"k": "1", "y": 1, "s": 1}] * EARLY + [{"k": "x", "y": 1, "s": 0.5}])
    report = sm.evaluate(path, "mse", label="y", score="s", by="k", connection=connection)
    assert connection.execute(report.sql).fetchall()  # which reads the file with the same types
    assert connection.execute("select table_name from duckdb_tables()").fetchall() == [("mine",)]
    connection.execute("commit")
    assert connection.execute("from mine").fetchall() == [(1,)]
