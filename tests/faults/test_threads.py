"""Threads and processes that share what a first call opened."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.processes import surroundings
from support.traces import traces

ROWS = """
select i * 7919 % 10 < 3 as y, hash(i) % 103 / 103.0 as p, i // 10 as g from range(2000) as r (i)
"""
CALL: dict[str, Any] = {"label": "y", "score": "p", "group": "g"}
METRICS = ["auc", "brier", "ndcg@3", "count"]


def value(data: Any, metric: str, connection: duckdb.DuckDBPyConnection | None) -> float:
    [row] = sm.evaluate(data, metric, connection=connection, **CALL).to_dicts()
    return float(list(row.values())[-1])


@pytest.mark.slow
@pytest.mark.parametrize("each", ["connection", "cursor", "own"])
def test_eight_threads(each: str) -> None:
    """Half of the calls register a table; threads on one connection wait for each other."""
    with duckdb.connect() as connection:
        connection.execute(f"create table t as {ROWS}")
        table = connection.sql("from t").to_arrow_table()
        before = traces(connection)
        alone = {metric: value(table, metric, None) for metric in METRICS}

        def call(place: int) -> Any:
            metric, data = METRICS[place % 4], table if each == "own" or place % 8 < 4 else "t"
            given = {"connection": lambda: connection, "cursor": connection.cursor, "own": lambda: None}[
                each
            ]()
            try:
                return value(data, metric, given) == pytest.approx(alone[metric], rel=1e-12)
            except Exception as error:
                return f"{type(error).__name__}: {error}"

        with ThreadPoolExecutor(8) as pool:
            assert Counter(pool.map(call, range(32))) == {True: 32}
        assert traces(connection) == before


@pytest.mark.slow
@pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.4 waits for the other thread")
def test_a_thread_of_the_users_own() -> None:
    """Its statement is in the way of ours, which says so and leaves nothing."""
    with duckdb.connect() as connection:
        connection.execute(f"create table t as {ROWS}")
        table = connection.sql("from t").to_arrow_table()
        started, end = threading.Event(), threading.Event()

        def asked() -> int:
            started.set()
            return int(end.wait(60))

        connection.create_function("asked", asked, [], int, side_effects=True)
        before = traces(connection)
        thread = threading.Thread(target=lambda: connection.execute("select asked()"))
        thread.start()
        started.wait()
        try:
            assert_told(told(sm.evaluate, table, "auc", connection=connection, **CALL), "another thread")
        finally:
            end.set()
            thread.join()
        assert traces(connection) == before
        assert value(table, "count", connection) == 2000


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 8])
def test_threads_of_duckdb(threads: int) -> None:
    with duckdb.connect(config={"threads": threads}) as connection:
        connection.execute(f"create table t as {ROWS.replace('2000', '300000')}")
        found = [value("t", metric, connection) for metric in METRICS]
        expected = [value(connection.sql("from t").to_arrow_table(), metric, None) for metric in METRICS]
        assert found == pytest.approx(expected, rel=1e-12)


#: A first call, then the same call in other processes.
PROCESSES = """
import multiprocessing, sys
import pyarrow as pa
import sqlmetrics as sm

rows = range(30_000)
table = pa.table({"y": [i * 7919 % 10 < 3 for i in rows], "p": [i * 7907 % 1009 / 1009 for i in rows]})

def called(answers):
    answers.put(sm.evaluate(table, "auc", label="y", score="p").to_dicts()[0]["auc"])

if __name__ == "__main__":
    method = multiprocessing.get_context(sys.argv[1])
    answers = method.Queue()
    called(answers)
    processes = [method.Process(target=called, args=[answers]) for _ in range(2)]
    for process in processes:
        process.start()
    print(len({round(answers.get(timeout=60), 12) for _ in range(3)}))
    for process in processes:
        process.join(60)
        print(process.exitcode)
    called(answers)
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_after_a_first_call(method: str, tmp_path: Any) -> None:
    (script := tmp_path / "script.py").write_text(PROCESSES)
    call = [sys.executable, "-W", "ignore", str(script), method]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=120, env=surroundings())
    assert (done.stdout, done.stderr, done.returncode) == ("1\n0\n0\n", "", 0)
