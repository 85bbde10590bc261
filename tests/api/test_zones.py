"""Instants become days in one time zone, whatever the zone of the machine: UTC here, on a user's connection its own."""

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import told

UTC = datetime.timezone.utc
ROWS = [
    {"time": datetime.datetime(2026, 3, 28, hour, 30, tzinfo=UTC), "y": hour % 2, "s": hour / 32}
    for hour in (1, 20, 21, 22, 23)
] * 50
DAY = {"day": sm.sql("cast(time as date)")}
FACTS = {"label": "y", "score": "s"}

#: what a process of another zone prints: the days of each function, in Python and on the command line
PRINTED = """
import json, sys
import sqlmetrics as sm
from sqlmetrics.cli.program import main
from api.test_zones import DAY, FACTS, ROWS

def days(result, name):
    return sorted({str(row[name]) for row in result if row[name] is not None})

far = [{**row, "time": row["time"].replace(month=4)} for row in ROWS]
found = sm.find_slices(ROWS + far, "mse", by="time", dates_by="day", min_units=20, **FACTS)
print(json.dumps([
    days(sm.evaluate(ROWS, "mse", by=DAY, **FACTS), "day"),
    days(sm.state(ROWS, "mse", period=DAY, **FACTS), "day"),
    days(sm.evaluate("times.csv", "mse", by=DAY, **FACTS), "day"),
    days(sm.evaluate("times.parquet", "mse", where="time < '2026-03-28 22:00'", **FACTS), "n_rows"),
    days(found, "slice"),
    sm.evaluate("times.parquet", "mse", by="time", **FACTS).to_csv(),
]))
for settings in ([], ["--threads", "1"], ["--connection", "duckdb:///times.duckdb"]):
    data = "times" if "--connection" in settings else "times.csv"
    sys.argv = ["sqlmetrics", "evaluate", data, "-m", "mse", "--label", "y", "--score", "s"]
    sys.argv += ["--by", "day=sql:cast(time as date)", *settings]
    try:
        main()
    except SystemExit as end:
        assert not end.code, end
"""


@pytest.mark.slow
def test_the_zone_of_the_machine_changes_nothing(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "times.duckdb")) as connection:
        connection.execute("create table times (time timestamptz, y integer, s double)")
        connection.executemany("insert into times values (?, ?, ?)", [tuple(row.values()) for row in ROWS])
        for form in ("csv", "parquet"):
            connection.execute(f"copy times to '{tmp_path}/times.{form}'")
    printed = []
    for zone in ("UTC", "America/New_York", "Asia/Tokyo"):
        run = subprocess.run(
            [sys.executable, "-c", PRINTED],
            cwd=tmp_path,
            env={**os.environ, "TZ": zone, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        printed.append(run.stdout)
    assert printed[0] == printed[1] == printed[2]
    *days, found, times = json.loads(printed[0].splitlines()[0])
    assert days == [["2026-03-28"], ["2026-03-28"], ["2026-03-28"], [str(3 * 50)]]
    assert found == ["time = 2026-04-28"]  # of two values one is a slice
    assert "2026-03-28 23:30:00+00:00" in times
    assert printed[0].count("days and times are those of UTC") == 3


@pytest.mark.slow
def test_the_zone_is_named_where_days_depend_on_it() -> None:
    named = "days and times are those of UTC"
    before = sm.sql("cast(time as date) < '2026-03-29'")
    for result in (
        sm.evaluate(ROWS, "mse", by=DAY, **FACTS),
        sm.evaluate(ROWS, "mse", where="time > '2026-03-28 12:00'", **FACTS),
        sm.state(ROWS, "mse", period=DAY, **FACTS),
        sm.find_slices(ROWS, "mse", by="time", min_units=20, **FACTS),
        sm.drift(ROWS, columns="s", period=sm.sql("hour(time) < 22"), before=True, after=False),
        sm.explain_change(
            ROWS, "mse", by="y", period=sm.sql("hour(time) < 22"), before=True, after=False, **FACTS
        ),
        sm.curve(ROWS, "roc", by={"early": before}, **FACTS),
    ):
        assert named in result.notes(), result
    for result in (
        sm.evaluate(ROWS, "mse", **FACTS),
        sm.evaluate(ROWS, "mse", by="time", **FACTS),
        sm.evaluate([{**row, "time": "x"} for row in ROWS], "mse", by={"t": sm.sql("upper(time)")}, **FACTS),
    ):
        assert named not in result.notes(), result


@pytest.mark.slow
def test_a_users_connection_keeps_its_zone_which_a_state_records() -> None:
    with duckdb.connect() as tokyo, duckdb.connect() as utc:
        tokyo.execute("set TimeZone = 'Asia/Tokyo'")
        utc.execute("set TimeZone = 'Etc/UTC'")
        there, same, here = (
            sm.state(ROWS, "mse", period=DAY, connection=connection, **FACTS)
            for connection in (tokyo, utc, None)
        )
        assert tokyo.execute("select current_setting('TimeZone')").fetchall() == [("Asia/Tokyo",)]
    days = [{str(row["day"]) for row in state} for state in (there, same, here)]
    assert days == [{"2026-03-28", "2026-03-29"}, {"2026-03-28"}, {"2026-03-28"}]
    assert "days and times are those of Asia/Tokyo" in there.notes()
    assert "days and times are those of Asia/Tokyo" in sm.finish(there, "mse").notes()
    assert json.loads(there["sm_facts"][0])["zone"] == "Asia/Tokyo"
    assert "zone" not in json.loads(here["sm_facts"][0])
    assert here["sm_facts"] == same["sm_facts"]
    wanted = sum((row["y"] - row["s"]) ** 2 for row in ROWS) / len(ROWS)
    assert sm.finish(there, "mse").value("mse") == pytest.approx(wanted)
    assert "different facts" in (message := told(sm.finish, [there, here], "mse"))
    assert "zone ('Asia/Tokyo', 'UTC')" in message


@pytest.mark.slow
def test_a_zone_that_is_written_needs_no_note():
    """Its days are the same in every session, so that a state of them goes with those of other sessions."""
    rome = {"day": sm.sql("cast(time at time zone 'Europe/Rome' as date)")}
    assert sorted(str(day) for day in sm.evaluate(ROWS, "mse", by=rome, total=False, **FACTS)["day"]) == [
        "2026-03-28",
        "2026-03-29",
    ]
    assert "days and times" not in repr(sm.evaluate(ROWS, "mse", by=rome, **FACTS))
    for back in (
        "time at time zone 'UTC' at time zone 'Europe/Rome'",
        "coalesce(time, now()) at time zone 'Europe/Rome'",
    ):
        by = {"day": sm.sql(f"cast({back} as date)")}
        assert "days and times are those of UTC" in repr(sm.evaluate(ROWS, "mse", by=by, **FACTS))
    april = [{**row, "time": row["time"].replace(month=4)} for row in ROWS]
    states = []
    for zone, rows in (("UTC", ROWS), ("America/New_York", april)):
        with duckdb.connect() as connection:
            connection.execute(f"set TimeZone = '{zone}'")
            states.append(sm.state(rows, "mse", period=rome, connection=connection, **FACTS))
    assert sm.finish(states, "mse").value("mse") == sm.evaluate(ROWS, "mse", **FACTS).value("mse")
