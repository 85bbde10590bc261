"""PostgreSQL: what is an error there and NULL elsewhere, and slices by each of its kinds of values."""

from __future__ import annotations

import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.postgres_server import postgres_server

psycopg = pytest.importorskip("psycopg")


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "equal", "other"),
    [
        ("float8", ["0", "-0"], "1"),
        ("numeric", ["1.0", "1.00"], "2"),
        ("interval", ["1 month", "30 days"], "1 day"),
        ("char(4)", ["a", "a "], "b"),
        ("text", ["", ""], " "),
        ("date", ["2026-01-01", "20260101"], "2026-01-02"),
        ("boolean", ["true", "yes"], "false"),
        ("uuid", ["A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "a0eebc999c0b4ef8bb6d6bb9bd380a11"],
         "b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ("jsonb", ['{"a": 1.0}', '{"a":1.0}'], "2"),
        ("int[]", ["{1,2}", "{1, 2}"], "{}"),
        ("varbit", ["10", "10"], "1"),
    ],
)  # fmt: skip
def test_slices_of_equal_values(kind: str, equal: list[str], other: str) -> None:
    """Values that are equal are one slice, however they are written; NULL is another."""
    with postgres_server() as server, psycopg.connect(server) as connection:
        connection.execute(f"create table t (v {kind}, y int, s float8)")
        for value in [*equal * 2, other, other, None]:
            connection.execute(f"insert into t values (cast(%s as {kind}), 1, 0.5), (null, 0, 0.25)", [value])
        found = sm.evaluate("t", ["count", "auc"], connection=connection, by="v", label="y", score="s")
        counts = [(row["count"], row["v"] is None) for row in found if not row["is_total"]]
        assert sorted(counts) == [(2, False), (4, False), (8, True)]
        [total] = [row for row in found if row["is_total"]]
        assert total["count"] == 14
