"""Each engine takes the values tests send and gives back what its SQL says, so that a difference is ours."""

import math

import pytest

from sqlmetrics.templates import macros

ROWS = [
    {"whole": 1, "real": 0.5, "yes": True, "word": "a'b", "nothing": None},
    {"whole": None, "real": math.inf, "yes": False, "word": "ü", "nothing": None},
    {"whole": 3, "real": None, "yes": None, "word": None},
]


def test_values_come_back_as_they_went_in(engine):
    rows = engine.query("select * from sent order by coalesce(whole, 2)", {"sent": ROWS})
    assert rows == [{**row, "nothing": None} for row in ROWS]


def test_nan(engine):
    [row] = engine.query("select real as nan from sent", {"sent": [{"real": math.nan}]})
    if engine.name == "sqlite":
        assert row["nan"] is None  # SQLite has no NaN
    else:
        assert math.isnan(row["nan"])


def test_sums_are_plain_numbers(engine):
    rows = engine.query("select sum(whole) as whole, avg(whole) as mean from sent", {"sent": ROWS})
    assert rows == [{"whole": 4, "mean": 2.0}]
    assert type(rows[0]["whole"]) is int


def test_mathematics(engine):
    [row] = engine.query("select ln(exp(x)) as x, power(x, 2) as y, sqrt(x) as z from t", {"t": [{"x": 4.0}]})
    assert row == {"x": pytest.approx(4), "y": pytest.approx(16), "z": pytest.approx(2)}


def test_tables_do_not_outlive_their_statement(engine):
    odd = macros(engine.dialect)["sm_quote"]('odd "name')
    for whole in (1, 2):
        rows = engine.query(f"select {odd} as x from t", {"t": [{'odd "name': whole}]})
        assert rows == [{"x": whole}]
    with pytest.raises(Exception, match=r"no such table|does not exist|cannot be found"):
        engine.query("select * from t", {})
    assert engine.query("select 1 as one", {}) == [{"one": 1}]


def test_table_without_rows_is_refused(engine):
    with pytest.raises(ValueError, match="needs a row"):
        engine.query("select 1", {"t": []})
