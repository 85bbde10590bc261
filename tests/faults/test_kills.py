"""Writers that are killed at random moments: what they replace is whole, old or new."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from sqlmetrics.book import cache
from sqlmetrics.shell import install as shell
from support.errors import assert_told, told
from support.processes import surroundings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
ROWS = [{"day": row % 7, "y": row % 3 == 0, "s": row / 4_000} for row in range(4_000)]
STATUS = {"SIGKILL": -9, "SIGTERM": 143, "SIGINT": 130}

#: Runs a command again and again, each time in a fork that has imported everything, and kills it after a while.
KILLER = """
import json, os, random, signal, sys, time
import duckdb, jinja2, pyarrow.compute, pyarrow.parquet
from sqlmetrics.cli.program import main

words, number, rounds, folder, seed = json.loads(sys.argv[1])
draw = random.Random(seed)

def run(delay=None):
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        if folder:
            os.environ["XDG_CACHE_HOME"] = f"{folder}/{os.getpid()}"
        sys.argv = ["sqlmetrics", *words]
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
        os._exit(code)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, number)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return status, time.monotonic() - started

status, took = run()
found = []
# on a busy machine the first run may take much longer than the others, and a signal come too late
while len(found) < rounds or (not any(found) and len(found) < rounds + 10):
    found.append(run(draw.uniform(0.05, 0.95) * took)[0])
    took *= 1 if found[-1] else 0.7
print(json.dumps([status, *found]))
"""


def killed(words: list[object], name: str, rounds: int, cold: Path | None = None) -> list[int]:
    """The statuses of a command: of a run in peace, then of runs that got a signal.

    With `cold`, each run has an empty cache in this folder.
    """
    asked = json.dumps([[*map(str, words)], getattr(signal, name), rounds, str(cold or ""), 5])
    done = subprocess.run(
        [sys.executable, "-c", KILLER, asked],
        capture_output=True, text=True, check=False, timeout=120, env=surroundings(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    found: list[int] = json.loads(done.stdout)
    assert found[0] == 0
    assert set(found) <= {0, STATUS[name]}
    assert STATUS[name] in found
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", STATUS)
def test_an_output_of_a_killed_command_is_whole(name: str, tmp_path: Path) -> None:
    data, folder = tmp_path / "data.parquet", tmp_path / "out"
    folder.mkdir()
    pq.write_table(pa.Table.from_pylist(ROWS), data)
    output = folder / "state.parquet"
    words = ["state", data, "-m", "auc", "--label", "y", "--score", "s", "--period", "day"]
    killed([*words, "--output", output], name, rounds=3)
    assert sm.finish(output, "auc").to_dicts()[0]["n_rows"] == len(ROWS)
    beside = [path.name for path in folder.iterdir() if path != output]
    assert all(left.startswith(".sqlmetrics-") for left in beside)
    assert name == "SIGKILL" or beside == []
    # what a kill may leave beside it is no input of the next day
    assert sm.finish(str(folder / "*"), "auc").to_dicts()[0]["n_rows"] == len(ROWS)


# A signal comes while Python runs a callback, as it does often where it imports.
CALLBACK = """
import os, signal, sys, time, weakref
from sqlmetrics.cli import program

class Anything:
    pass

def interrupted(_):
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    for _ in range(1000):
        pass

def run():
    anything = Anything()
    reference = weakref.ref(anything, interrupted)
    del anything
    time.sleep(1)
    print("went on")

program._run = run
program.main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_in_a_callback_is_not_lost(name: str) -> None:
    """Python ignores what a callback raises."""
    done = subprocess.run(
        [sys.executable, "-c", CALLBACK, name],
        capture_output=True, text=True, check=False, timeout=60, env=surroundings(),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (STATUS[name], "", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_copy_of_standard_input_is_not_left(name: str, tmp_path: Path) -> None:
    """It waits for the end of its input, with a part of it already written."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "sqlmetrics", "evaluate", "-", "-m", "auc", "--label", "y", "--score", "p"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=surroundings(TMPDIR=str(folder)),
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(b"y,p\n" + b"1,0.5\n" * 20_000)
    process.stdin.flush()
    while sum(copy.stat().st_size for copy in folder.rglob("input.csv")) < 1_000:
        assert process.poll() is None
    time.sleep(0.3)  # a signal just before a read would wait for the end of it
    process.send_signal(getattr(signal, name))
    assert process.wait(60) == STATUS[name]
    assert process.stderr
    assert process.stderr.read() == b""
    assert list(folder.iterdir()) == []
    for stream in (process.stdin, process.stdout, process.stderr):
        assert stream
        stream.close()


@pytest.mark.slow
def test_a_cache_of_killed_processes_is_whole(tmp_path: Path) -> None:
    """Each fills a cache of its own until it is killed; what has the name of a value is one."""
    words = ["sql", "-m", "brier", "--relation", "t", "--label", "y", "--score", "s"]
    killed(words, "SIGKILL", rounds=5, cold=tmp_path)
    caches = list(tmp_path.glob("*/sqlmetrics"))
    assert len(caches) > 2
    files = [path for folder in caches for path in folder.iterdir() if not path.name.startswith("new-")]
    assert len(files) > 20
    for path in files:
        assert cache._read(path) is not None


SMALL = "create or replace macro one() as 1; create or replace macro two() as 2;"


@pytest.mark.parametrize("broken", ["select 1 / 'x'", "create macro one() as 1"])
def test_macros_are_all_made_or_none(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "shell_macros", lambda *_: f"{SMALL} {broken};")
    made = "select count(*) from duckdb_functions() where function_name in ('one', 'two')"
    with duckdb.connect() as connection:
        assert_told(told(sm.install, connection), "DuckDB cannot make the macros: ")
        assert connection.sql(made).fetchall() == [(0,)]
        connection.begin()
        connection.execute("create table mine as select 1")
        assert_told(told(sm.install, connection), "DuckDB cannot make the macros: ")
        connection.rollback()
        monkeypatch.setattr(shell, "shell_macros", lambda *_: SMALL)
        connection.begin()
        sm.install(connection)
        connection.rollback()
        assert connection.sql(made).fetchall() == [(0,)]
        sm.install(connection)
        assert connection.sql("select one() + two()").fetchall() == [(3,)]
