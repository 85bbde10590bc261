"""Little memory, a full disk to spill to, and many calls in one process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.processes import surroundings
from support.traces import traces

METRICS = ["auc", "ndcg@10", "spearman"]
CALL: dict[str, Any] = {"label": "y", "score": "p", "group": "g"}
LONG = pytest.mark.long


def made(connection: duckdb.DuckDBPyConnection, rows: int) -> None:
    """Rows whose scores are all different, in lists of ten."""
    connection.execute(
        "create table t as select (i * 7919 % 10 < 3)::int as y, hash(i) / 18446744073709551616.0 as p,"
        f" i % {rows // 10} as g from range({rows}) as r (i)"
    )


def numbers(connection: duckdb.DuckDBPyConnection) -> list[float]:
    [row] = sm.evaluate("t", METRICS, connection=connection, **CALL).to_dicts()
    return [row[metric.replace("@", "_")] for metric in METRICS]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "limits"),
    [(400_000, ["64MB"]), pytest.param(4_000_000, ["300MB", "1GB", "4GB"], marks=LONG)],
)
def test_little_memory(rows: int, limits: list[str], tmp_path: Path) -> None:
    """A statement spills to disk, and its numbers are those of a database with memory enough."""
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        made(connection, rows)
        expected = numbers(connection)
        before = traces(connection)["views"]
        for limit in limits:
            connection.execute(f"set memory_limit = '{limit}'")
            assert numbers(connection) == pytest.approx(expected, rel=1e-10), limit
            assert traces(connection)["views"] == before


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["max_temp_directory_size = '1MB'", "temp_directory = ''"])
def test_no_room_to_spill(setting: str, tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "data.duckdb")) as connection:
        made(connection, 400_000)
        table = connection.sql("from t").to_arrow_table()
        connection.execute(f"set {setting}")
        connection.execute("set memory_limit = '40MB'")
        before = traces(connection)
        for data in ("t", table):
            message = told(sm.evaluate, data, METRICS, connection=connection, **CALL)
            assert_told(message, "DuckDB cannot read |Out of Memory Error")
            assert traces(connection) == before
            assert (
                sm.evaluate(data, "count", connection=connection, **CALL).to_dicts()[0]["n_rows"] == 400_000
            )


#: The memory of a process, in MB, after some calls and after many more.
CALLS = """
import resource, sys
import duckdb, pyarrow as pa
import sqlmetrics as sm
from support.traces import traces

rows = pa.table({"y": [1, 0, 1, 0], "p": [0.9, 0.4, 0.3, 0.2], "g": [1, 1, 2, 2]})
connection = duckdb.connect()
before = traces(connection)

def call(number):
    facts = {"label": "y", "score": "p", "group": "g", "connection": connection if number % 2 else None}
    sm.evaluate(rows, "mrr" if number % 10 == 0 else "brier", **facts)
    if number % 10 == 0:
        try:
            sm.evaluate(rows, "brier", **{**facts, "label": "nope"})
        except sm.SqlMetricsError:
            pass

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

times = int(sys.argv[1])
for number in range(times // 4):
    call(number)
first = memory()
for number in range(times):
    call(number)
assert traces(connection) == before
print(memory() - first)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("times", [100, pytest.param(2_000, marks=LONG)])
def test_many_calls(times: int) -> None:
    """Their memory does not grow with their number, and no table stays registered."""
    call = [sys.executable, "-c", CALLS, str(times)]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300, env=surroundings())
    assert (done.stderr, done.returncode) == ("", 0)
    assert float(done.stdout) < 15
