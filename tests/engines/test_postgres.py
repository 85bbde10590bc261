"""PostgreSQL: what is an error there and NULL elsewhere."""

from __future__ import annotations

import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.postgres_server import postgres_server

psycopg = pytest.importorskip("psycopg")


def test_numbers_that_leave_the_floats_are_an_error() -> None:
    """docs/engines.md says so, and that smaller units of the columns help."""
    asked = {"label": "y", "score": "s"}
    with postgres_server() as server, psycopg.connect(server) as connection:
        connection.execute(
            "create table t as select 1e160 * i as y, 1e100::float8 * i as s from generate_series(1, 3) i"
        )
        assert_told(
            told(sm.evaluate, "t", "rmse", connection=connection, **asked),
            "value out of range: overflow|cannot read t",
        )
        small = {"label": sm.sql("y / 1e150"), "score": sm.sql("s / 1e150")}
        (row,) = sm.evaluate("t", "rmse", connection=connection, **small).to_dicts()
        assert row["rmse"] == pytest.approx((14 / 3) ** 0.5 * 1e10)
