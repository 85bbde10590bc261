"""`find_slices` from Python: kinds of columns, what is refused, and what the result shows."""

from __future__ import annotations

import datetime
import json
import random
import re
import sqlite3
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.api.slices import DatesBy
from sqlmetrics.options import choices


def rows(n: int = 900, seed: int = 1) -> list[dict[str, Any]]:
    """The model is bad for country `a` on device `x`, and nowhere else."""
    draw, found = random.Random(seed), []
    for i in range(n):
        country, device, y = draw.choice("aabc"), draw.choice("xy"), int(draw.random() < 0.5)
        p = draw.random() if (country, device) == ("a", "x") else 0.15 + 0.7 * y
        day = datetime.date(2026, 6, 1) + datetime.timedelta(days=i % 40)
        found.append(
            {
                "c": country,
                "d": device,
                "y": y,
                "p": p,
                "q": 0.15 + 0.7 * y,
                "day": day,
                "age": i % 7,
                "height": i % 40,
                "g": i // 3,
            }
        )
    return found


FACTS: dict[str, Any] = {"label": "y", "score": "p", "min_units": 30}


@pytest.fixture(scope="module")
def found() -> sm.Slices:
    return sm.find_slices(rows(), "log_loss", by=["c", "d"], **FACTS)


def test_the_planted_slice_is_found(found: sm.Slices) -> None:
    names = [row["slice"] for row in found if row["confirmed"] and row["difference"] > 0]
    assert "c = a and d = x" in names
    assert "c = b and d = y" not in found["slice"]  # which adds nothing to c = b
    row = found.to_dicts()[found["slice"].index("c = a and d = x")]
    assert (row["c"], row["d"]) == ("a", "x")
    assert found.to_dicts()[found["slice"].index("c = b")]["d"] is None


@pytest.mark.slow
def test_columns(found: sm.Slices) -> None:
    confirmed = [f"confirmed_{name}" for name in ("difference", "low", "high", "p_value")]
    tested = ["value", "rest", "difference", "low", "high", "p_value", "q_value"]
    before = ["slice", "c", "d", "metric", "n_rows", "n_units"]
    assert found.columns == [*before, *tested, *confirmed, "confirmed", "impact", "largest_share"]
    two = {"label": "y", "baseline": "q", "candidate": "p", "min_units": 30}
    compared = sm.find_slices(rows(), "log_loss", by="c", **two)
    models = ["baseline_value", "candidate_value"]
    assert compared.columns == [
        *["slice", "c", "metric", "n_rows", "n_units"], *models, *tested, *confirmed, "confirmed", "impact",
        "largest_share",
    ]  # fmt: skip
    for row in compared:
        assert row["value"] == pytest.approx(row["candidate_value"] - row["baseline_value"])
    assert {type(row["confirmed"]) for row in compared} == {bool}


def test_shown(found: sm.Slices) -> None:
    lines = repr(found).splitlines()
    assert re.split(" {2,}", lines[0]) == [
        *["slice", "metric", "n_units (whole)", "value (half)", "rest (half)", "difference", "q_value"],
        *["confirmed_difference", "confirmed_p_value", "confirmed", "impact"],
    ]
    looked = found.audit.to_dicts()[0]
    assert lines[-2].startswith(f"slices looked at: {looked['slices_looked_at']}; confirmed: ")
    assert looked["slices_looked_at"] - looked["slices_folded"] == len(found)
    assert looked["n_rows"] == 900
    assert json.loads(found.to_json())["rows"][0]["slices_looked_at"] == looked["slices_looked_at"]
    assert len(found.to_csv().splitlines()) == len(found) + 1
    assert "<table>" in found._repr_html_()


@pytest.mark.slow
def test_the_order_of_rows_does_not_matter(found: sm.Slices) -> None:
    """Nor do rows that are alike: their scores repeat."""
    for data in (rows(), [dict(row, p=round(row["p"], 1)) for row in rows()]):
        mixed = random.Random(2).sample(data, len(data))
        asked = {"by": ["c", "d"], **FACTS}
        first, second = (sm.find_slices(each, "brier", **asked).to_dicts() for each in (data, mixed))
        for one, other in zip(first, second, strict=True):
            assert one == pytest.approx(other, nan_ok=True)


@pytest.mark.slow
def test_a_number_is_divided_and_a_date_is_rounded() -> None:
    asked = {"by": ["height", "age", "day"], "bins": 3, "dates_by": "month", "depth": 1, **FACTS}
    found = sm.find_slices(rows(), "log_loss", **asked)
    assert {*found["height"]} == {None, "<= 13", "(13, 26]", "> 26"}
    assert {*found["age"]} == {None, *map(str, range(7))}
    assert {*found["day"]} == {None, "2026-07"}  # the other month is the rest
    assert {"age = 6", "height in (13, 26]", "day = 2026-07"} < {*found["slice"]}
    weeks = sm.find_slices(rows(), "log_loss", by="day", **FACTS)
    mondays = ("2026-06-01", "2026-06-08", "2026-06-15", "2026-06-22", "2026-06-29", "2026-07-06")
    assert {*weeks["day"]} == {f"week of {monday}" for monday in mondays}
    assert "day = week of 2026-06-01" in weeks["slice"]
    days = sm.find_slices(rows(), "log_loss", by="day", dates_by="day", label="y", score="p", min_units=2)[
        "day"
    ]
    assert "2026-06-03" in days


@pytest.mark.slow
def test_null_is_a_value_and_rare_values_are_one() -> None:
    names = {"a": "1000", "b": None}
    data = [dict(row, c=names.get(row["c"], f"rare {i}")) for i, row in enumerate(rows())]
    found = sm.find_slices(data, "brier", by="c", max_values=1, **FACTS)
    assert {*found["slice"]} == {"c is null", "c = 1000", "c = (other)"}
    assert {*found["c"]} == {"(null)", "1000", "(other)"}
    assert sum(found["n_rows"]) == 900


@pytest.mark.slow
def test_an_expression_and_what_numeric_names() -> None:
    double = sm.sql("height * 2")
    asked = {"by": [double], "bins": 3, **FACTS, "min_units": 20}
    found = sm.find_slices(rows(), "brier", numeric=[double], **asked)
    assert {*found["height * 2"]} == {"<= 26", "(26, 52]", "> 52"}
    assert len(sm.find_slices(rows(), "brier", **asked)) == 40


@pytest.mark.slow
def test_a_connection() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (c text, day text, y int, p real)")
    data = [(row["c"], str(row["day"]), row["y"], row["p"]) for row in rows()]
    connection.executemany("insert into t values (?, ?, ?, ?)", data)
    asked = {"by": ["c", "day"], "dates": "day", "dates_by": "month", "depth": 1, **FACTS}
    there = sm.find_slices("t", "log_loss", connection=connection, **asked)
    here = sm.find_slices(rows(), "log_loss", **{**asked, "dates": None})
    assert {*there["day"]} == {None, "2026-07"}
    for one, other in zip(there, here, strict=True):
        assert one == pytest.approx(other)


@pytest.mark.slow
def test_without_a_slice() -> None:
    found = sm.find_slices(rows(), "log_loss", by="c", **{**FACTS, "min_units": 800})
    assert len(found) == 0
    assert "slices looked at: 0; confirmed: 0" in repr(found)
    assert found.audit["n_rows"] == [900]


@pytest.mark.slow
def test_a_model_and_itself_differ_nowhere() -> None:
    data = [dict(row, twin=row["p"]) for row in rows()]
    found = sm.find_slices(data, "log_loss", by="c", label="y", baseline="p", candidate="twin", min_units=30)
    assert {*found["difference"]} == {0.0}
    assert {*found["p_value"], *found["q_value"], *found["low"]} == {None}
    assert not any(found["confirmed"])


TWO = {"label": "y", "baseline": "q", "candidate": "p"}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no by": ({"by": []}, "find_slices needs by=, the columns whose values make the slices"),
    "unknown column": ({"by": "cc"}, "Column 'cc' (by=) is not in the data. Did you mean 'c'?"),
    "twice": ({"by": ["c", "c"]}, "by= names the column 'c' twice"),
    "not a name": ({"by": 3}, "by= takes a name or a list of names, got 3"),
    "depth": ({"depth": 4}, "depth must be an integer from 1 to 3, got 4"),
    "depth as text": ({"depth": "2"}, 'depth must be an integer from 1 to 3, got the text "2"'),
    "min_units": ({"min_units": 1}, "min_units must be an integer from 2 to 1000000000, got 1"),
    "bins": ({"bins": 1}, "bins must be an integer from 2 to 100, got 1"),
    "max_values": ({"max_values": 0}, "max_values must be an integer from 1 to 1000, got 0"),
    "dates_by": ({"dates_by": "year"}, "dates_by: 'year' is not known. Allowed: day, week, month"),
    "interval": (
        {"interval": 95},
        "interval must be a number from 0.000001 to 0.999999, such as 0.95, got 95",
    ),
    "numeric": ({"numeric": "p"}, "numeric= names columns of by=, got 'p'. Columns: c, d"),
    "text as numbers": ({"numeric": "c"}, "Column 'c' (numeric=) of the data is text and has to be numbers"),
    "text as dates": ({"dates": "c"}, "DuckDB cannot read the data: Conversion Error"),
    "dates": ({"dates": ["day"]}, "dates= names columns of by=, got 'day'. Columns: c, d"),
    "both kinds": (
        {"by": "age", "dates": "age"},
        "Column 'age' of by= is either numeric or of dates, not both",
    ),
    "score and baseline": (
        {"baseline": "q"},
        "find_slices takes score=, or baseline= and candidate=, not both",
    ),
    "one of two": ({"score": None, "baseline": "q"}, "pass both, or score= for one model"),
    "a mapping": ({"score": {"a": "p"}}, "score= of find_slices takes one column name or sm.sql(...)"),
    "itself": ({"score": None, **TWO, "candidate": "q"}, "candidate 'q' is the column of the baseline"),
    "no score": ({"score": None}, "needs score=, the column of the score"),
    "metric without influence": (
        {"metrics": "r2"},
        "'r2' cannot be searched. What can be searched: ",
    ),
    "bootstrap only": ({"metrics": "ks"}, "'ks' cannot be searched"),
    "list metric without group": ({"metrics": "ndcg@10"}, "needs group="),
    "divided groups": (
        {"metrics": "mrr", "group": "g"},
        "groups have several values of a column of by=; a list lies in one slice",
    ),
    "too many": (
        {"by": [sm.sql(f"age + {i}") for i in range(20)], "depth": 3},
        "makes 1350 sets of up to 3 columns",
    ),
    "not a probability": ({"score": "age"}, "rows have a score outside [0, 1], such as 6"),
    "the candidate's": (
        {"score": None, **TWO, "candidate": "age"},
        "rows have a score outside [0, 1], such as 6",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    asked, words = REFUSED[case]
    asked = {"metrics": "log_loss", "by": ["c", "d"], **FACTS, **asked}
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.find_slices(rows(60), asked.pop("metrics"), **asked)
    assert words in str(refused.value)


def test_a_column_with_the_name_of_a_result_is_refused() -> None:
    data = [dict(row, impact=row["c"]) for row in rows(60)]
    with pytest.raises(sm.SqlMetricsError, match="Two result columns would be named 'impact'"):
        sm.find_slices(data, "brier", by="impact", **FACTS)


@pytest.mark.slow
def test_squares_that_leave_the_floats_give_no_test() -> None:
    """An infinite variance would make every p-value 1."""
    found = sm.find_slices([dict(row, p=1e300 * row["p"]) for row in rows()], "mae", by="c", **FACTS)
    assert None not in found["difference"]
    assert {*found["p_value"], *found["low"]} == {None}


@pytest.mark.slow
@pytest.mark.parametrize("column", ["y", "p", "q"])
def test_bad_rows(column: str) -> None:
    data = rows()
    data[3] = dict(data[3], **{column: None})
    asked = {"by": "c", "min_units": 30, **TWO}
    role = "label" if column == "y" else "score"
    with pytest.raises(
        sm.SqlMetricsError, match=f"1 of 900 rows have a NULL, NaN or infinite {role}; pass on_bad"
    ):
        sm.find_slices(data, "brier", **asked)
    found = sm.find_slices(data, "brier", on_bad_rows="drop", **asked)
    assert sum(found["n_rows"]) == 899
    assert found.audit["rows_dropped"] == [1]
    assert "rows dropped: 1" in repr(found)


@pytest.mark.slow
def test_no_rows() -> None:
    with pytest.raises(sm.SqlMetricsError, match="The data has no row"):
        sm.find_slices("(select * from x where 1 = 0)", "brier", by="c", connection=_connection(), **FACTS)


def _connection() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table x (c text, y int, p real)")
    return connection


@pytest.mark.slow
def test_broken_data_give_counts_without_a_slice() -> None:
    """In SQL alone: a slice that was found in broken data would be taken for sound."""
    import duckdb

    sql = sm.render_find_slices("t", "log_loss", by="c", **FACTS)
    with duckdb.connect() as connection:
        connection.execute(
            "create table t as select 'ab'[1 + i % 2] as c, i % 3 as y, 0.5 as p from range(90) r(i)"
        )
        [row] = connection.sql(sql).to_arrow_table().to_pylist()
    assert row["slice"] is row["value"] is None
    assert (row["rows_not_binary"], row["n_rows_of_data"]) == (30, 90)


def test_words_of_a_choice() -> None:
    assert choices(DatesBy) == ("day", "week", "month")
    assert all(f"`{word}`" in (sm.find_slices.__doc__ or "") for word in choices(DatesBy))
