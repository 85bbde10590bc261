"""Each engine takes the values tests send and gives back what its SQL says, so that a difference is ours."""

import math

import pytest

from sqlmetrics.book.templates import macros

ROWS = [
    {"whole": 1, "amount": 0.5, "yes": True, "word": "a'b", "nothing": None},
    {"whole": None, "amount": math.inf, "yes": False, "word": "ü", "nothing": None},
    {"whole": 3, "amount": None, "yes": None, "word": None},
]


def test_values_come_back_as_they_went_in(engine):
    sent = [{**row, "nothing": None} for row in ROWS]
    rows = engine.query("select * from sent order by coalesce(whole, 2)", {"sent": ROWS})
    if engine.name == "mysql":
        sent[1]["amount"] = None  # MySQL has no infinity
    assert rows == sent


def test_nan(engine):
    [row] = engine.query("select amount as nan from sent", {"sent": [{"amount": math.nan}]})
    if engine.name in ("sqlite", "mysql"):
        assert row["nan"] is None  # they have no NaN
    else:
        assert math.isnan(row["nan"])


def test_sums_are_plain_numbers(engine):
    rows = engine.query("select sum(sent.whole) as whole, avg(sent.whole) as mean from sent", {"sent": ROWS})
    assert rows == [{"whole": 4, "mean": 2.0}]
    assert type(rows[0]["whole"]) is int


def test_mathematics(engine):
    [row] = engine.query("select ln(exp(x)) as x, power(x, 2) as y, sqrt(x) as z from t", {"t": [{"x": 4.0}]})
    assert row == {"x": pytest.approx(4), "y": pytest.approx(16), "z": pytest.approx(2)}


def test_tables_do_not_outlive_their_statement(engine):
    odd = macros(engine.dialect)["sql_quote"]('odd "name')
    for whole in (1, 2):
        rows = engine.query(f"select {odd} as x from t", {"t": [{'odd "name': whole}]})
        assert rows == [{"x": whole}]
    with pytest.raises(
        Exception,
        match=r"no such table|does not exist|doesn't exist|not found|Unknown table|cannot be found",
    ):
        engine.query("select * from t", {})
    assert engine.query("select 1 as one", {}) == [{"one": 1}]


def test_table_without_rows_is_refused(engine):
    with pytest.raises(ValueError, match="needs a row"):
        engine.query("select 1", {"t": []})
