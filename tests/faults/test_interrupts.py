"""A long run that is interrupted, as in a notebook: the connection stays usable and as it was."""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.engines import duckdb as engine
from sqlmetrics.engines import text_files
from sqlmetrics.engines.duckdb_connection import interruptible
from support.errors import assert_told, told
from support.processes import surroundings
from support.traces import traces

LONG = """
select i * 7919 % 10 < 3 as y, hash(i) % 1000003 / 1000003.0 as p, i // 10 as g from range(100000) as r (i)
"""
CALL = {
    "metrics": ["auc", "ndcg@10", "gauc"], "label": "y", "score": "p", "group": "g",
    "interval": 0.9, "interval_method": "bootstrap",
}  # fmt: skip

#: A notebook: each cell starts the same long call, and gets a Ctrl-C after a while.
CELLS = f"""
import os, signal, sys, threading, time
import duckdb
import sqlmetrics as sm
from support.traces import traces

CALL = {CALL!r}
connection = duckdb.connect()
connection.execute("create table t as " + {LONG!r})
table = connection.sql("from t").to_arrow_table()
before = traces(connection)

def ctrl_c(delay):
    started.wait()
    time.sleep(delay)
    os.kill(os.getpid(), signal.SIGINT)

for delay in map(float, sys.argv[1:]):
    for data, given in (("t", connection), (table, connection), (table, None)):
        started = threading.Event()
        thread = threading.Thread(target=ctrl_c, args=[delay])
        thread.start()
        try:
            started.set()
            sm.evaluate(data, connection=given, **CALL)
            thread.join()
            time.sleep(0.1)
            print("finished", delay)
        except KeyboardInterrupt:
            pass
        thread.join()
        assert traces(connection) == before, delay
        assert connection.sql("select count(*) from t").fetchall() == [(100000,)]
print(sm.evaluate(table, "count", connection=connection).to_dicts()[0]["count"])
"""


@pytest.mark.slow
def test_ctrl_c_in_a_notebook() -> None:
    """Whenever it comes, also while DuckDB plans: a KeyboardInterrupt, and nothing is left."""
    draw = random.Random(4)
    delays = [str(round(draw.uniform(0.02, 0.6), 3)) for _ in range(3)]
    done = subprocess.run(
        [sys.executable, "-c", CELLS, *delays], capture_output=True, text=True, timeout=120, check=False,
        env=surroundings(),
    )  # fmt: skip
    assert (done.stdout, done.stderr, done.returncode) == ("100000.0\n", "", 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "lost", ["before all", "while data are opened", "before a statement", "in a statement"]
)
def test_a_ctrl_c_that_a_library_forgets(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB does while it asks about a registered table, and pyarrow while it imports pandas."""

    def pressed(*given: Any, **named: Any) -> Any:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return true(*given, **named)

    place = {
        "before all": "refuse_open_result",
        "while data are opened": "as_scannable",
        "before a statement": "Columns",
        "in a statement": "_fetched",
    }
    true = getattr(engine, place[lost])
    monkeypatch.setattr(engine, place[lost], pressed)
    before = signal.getsignal(signal.SIGINT)
    with duckdb.connect() as connection:
        left = traces(connection)
        with pytest.raises(KeyboardInterrupt):
            sm.evaluate([{"y": 1, "p": 0.5}], "brier", label="y", score="p", connection=connection)
        assert signal.getsignal(signal.SIGINT) is before
        assert traces(connection) == left


def test_a_ctrl_c_before_all_that_duckdb_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    def reported(_: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(engine, "refuse_open_result", reported)
    with duckdb.connect() as connection, pytest.raises(KeyboardInterrupt):
        sm.evaluate([{"y": 1, "p": 0.5}], "brier", label="y", score="p", connection=connection)


@pytest.mark.slow
def test_an_import_that_a_ctrl_c_stopped() -> None:
    """Python keeps modules that were imported, and forgets to name them in the package above."""
    code = "import jinja2; del jinja2.compiler, jinja2.runtime; import sqlmetrics.book.jinja"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=surroundings()
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_ctrl_c_that_the_caller_ignores(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler of the caller decides; one that raises nothing stops nothing."""
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda *_: told.append(1))
    true = engine._fetched
    monkeypatch.setattr(engine, "_fetched", lambda *given: signal.raise_signal(signal.SIGINT) or true(*given))
    try:
        assert sm.evaluate([{"y": 1, "p": 0.5}], "brier", label="y", score="p")["brier"] == [0.25]
    finally:
        signal.signal(signal.SIGINT, before)
    assert told


@pytest.mark.parametrize(
    "raised",
    [
        RuntimeError("Query interrupted"),
        duckdb.InvalidInputException("counting the rows of 'sm_data' failed: KeyboardInterrupt: "),
    ],
)
def test_how_duckdb_reports_a_ctrl_c(raised: Exception) -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise raised


@pytest.mark.parametrize(
    "raised", [RuntimeError("std::bad_cast"), duckdb.ConversionException("'KeyboardInterrupt' is no number")]
)
def test_other_errors_are_no_ctrl_c(raised: Exception) -> None:
    with pytest.raises(type(raised)), interruptible():
        raise raised


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "arrow"])
def test_an_interrupt_from_another_thread(form: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"create table t as {LONG}")
        data = "t" if form == "table" else connection.sql("from t").to_arrow_table()
        before = traces(connection)
        over = threading.Event()
        thread = threading.Thread(target=repeated, args=[connection.interrupt, over])
        thread.start()
        try:
            message = told(sm.evaluate, data, connection=connection, **CALL)
        finally:
            over.set()
            thread.join()
        assert_told(message, "DuckDB cannot read |Interrupted!")
        assert traces(connection) == before
        assert sm.evaluate(data, "count", connection=connection).to_dicts()[0]["count"] == 100_000


def repeated(call: Callable[[], None], over: threading.Event) -> None:
    """Calls again and again: an interrupt before a statement begins has no effect."""
    while not over.wait(0.2):
        call()


@pytest.mark.slow
def test_a_ctrl_c_while_a_text_file_is_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("k,y,p\n3.1,1,0.5\n3.10,1,0.5\n")  # stored as texts, then with the types of all of them
    true = text_files.TextFile._of_all

    def pressed(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return true(*given)

    monkeypatch.setattr(text_files.TextFile, "_of_all", pressed)
    with duckdb.connect() as connection:
        left = traces(connection)
        with pytest.raises(KeyboardInterrupt):
            sm.evaluate(path, "brier", label="y", score="p", by="k", connection=connection)
        assert traces(connection) == left
        assert connection.sql("select count(*) from duckdb_tables()").fetchall() == [(0,)]
