"""On a connection of the user's, instants have the days of its session, which a result names."""

from contextlib import closing

import pytest

import sqlmetrics as sm

DAY = {"day": sm.sql("cast(at as date)")}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("zone", "days"), [("UTC", ["2026-03-28"]), ("Asia/Tokyo", ["2026-03-28", "2026-03-29"])]
)
def test_postgres(zone, days, psycopg):
    with closing(psycopg.cursor()) as cursor:
        cursor.execute(f"set time zone '{zone}'")
        cursor.execute("create temp table instants (at timestamptz, y integer, s double precision)")
        for hour in (1, 20, 23):
            cursor.execute(f"insert into instants values ('2026-03-28 {hour}:30:00+00', {hour % 2}, 0.5)")
    state = sm.state("instants", "mse", period=DAY, label="y", score="s", connection=psycopg)
    assert sorted({str(row["day"]) for row in state}) == days
    assert f"days and times are those of {zone}" in state.notes()
    assert ('"zone"' in state["sm_facts"][0]) == (zone != "UTC")
    report = sm.evaluate("instants", "mse", by=DAY, label="y", score="s", connection=psycopg)
    assert sorted({str(row["day"]) for row in report if not row["is_total"]}) == days
    assert f"days and times are those of {zone}" in report.notes()
    found = sm.find_slices(
        "instants", "mse", by="at", dates_by="day", min_units=2, label="y", score="s", connection=psycopg
    )
    assert f"days and times are those of {zone}" in found.notes()
    with closing(psycopg.cursor()) as cursor:
        cursor.execute("show time zone")
        assert cursor.fetchall() == [(zone,)]
