"""`drift` from Python: what is compared by default, periods, what is refused, and what the result shows."""

from __future__ import annotations

import datetime
import json
import sqlite3
from typing import Any

import pyarrow as pa
import pytest

import sqlmetrics as sm

DAYS = [datetime.date(2026, 5, 1), datetime.date(2026, 6, 1)]


def rows(day: datetime.date, values: str, shift: int, n: int = 120) -> list[dict[str, Any]]:
    return [
        {
            "c": values[i % len(values)],
            "x": float(i % 20 + shift),
            "ok": i % 3 == 0,
            "g": "uv"[i // 6 % 2],
            "day": day,
        }
        for i in range(n)
    ]


THEN = rows(DAYS[0], "ab", 0)
NOW = [{**row, "extra": 1} for row in rows(DAYS[1], "abc", 5)]


@pytest.fixture(scope="module")
def moved() -> sm.Drift:
    return sm.drift(NOW, reference=THEN, by="g")


def test_columns_by_default(moved: sm.Drift) -> None:
    assert moved["column_name"] == ["c", "x", "ok"] * 3
    assert moved["kind"] == ["category", "number", "category"] * 3
    assert moved["g"] == ["u"] * 3 + ["v"] * 3 + [None] * 3
    assert moved.notes() == [
        "columns not compared, which the reference lacks: extra",
        "columns not compared, which are neither numbers nor text nor booleans; columns= compares them as text: day",
    ]
    assert moved.columns == [
        *[
            "g",
            "is_total",
            "column_name",
            "kind",
            "n_current",
            "n_reference",
            "n_null_current",
            "n_null_reference",
        ],
        *[
            "psi",
            "jensen_shannon",
            "hellinger",
            "total_variation",
            "wasserstein",
            "ks",
            "ks_p_value",
            "chi_square",
        ],
        *[
            "chi_square_p_value",
            "q_value",
            "n_new_values",
            "n_vanished_values",
            "new_values",
            "vanished_values",
        ],
    ]


@pytest.mark.slow
def test_columns_that_cannot_be_read_are_noted() -> None:
    rows = pa.Table.from_arrays(
        [pa.array([1.0, 2.0])] * 3 + [pa.array([[1], [2]], pa.list_(pa.int8()))], ["x", "y", "Y", "z"]
    )
    said = "columns not compared, which cannot be read or are named twice: y, Y"
    assert said in sm.drift(rows, reference=rows).notes()
    found = sm.drift(rows, reference=rows.drop_columns(["Y"])).notes()
    assert said in found
    assert not any("lack" in note for note in found)
    assert said not in sm.drift(rows, reference=rows, columns="x").notes()


def test_shown(moved: sm.Drift) -> None:
    lines = repr(moved).splitlines()
    assert lines[0].split() == [
        *[
            "g",
            "column_name",
            "kind",
            "n_current",
            "n_reference",
            "psi",
            "jensen_shannon",
            "wasserstein",
            "ks",
        ],
        *["q_value", "new_values", "vanished_values"],
    ]
    assert lines[-3].split()[:3] == ["all", "ok", "category"]
    written = json.loads(moved.to_json())
    assert written["rows"][0]["new_values"] == "c (20)"
    assert len(moved.to_csv().splitlines()) == len(moved) + 1


@pytest.mark.slow
def test_periods_are_the_tables(moved: sm.Drift) -> None:
    both = [*THEN, *NOW, {**NOW[0], "day": None}]
    asked: dict[str, Any] = {"columns": ["c", "x", "ok"], "by": "g"}
    for period in (
        {"period": "day", "before": DAYS[0], "after": "2026-06-01"},
        {"period": sm.sql("day > '2026-05-01'"), "before": False, "after": True},
        {"period": sm.sql("month(day)"), "before": 5, "after": 6},
    ):
        for row, same in zip(sm.drift(both, **asked, **period), moved, strict=True):
            assert row == pytest.approx(same)


@pytest.mark.slow
def test_a_table_and_itself() -> None:
    """Nothing moved: every distance is exactly 0, and every p-value 1."""
    for row in sm.drift(THEN, THEN, by="g"):
        assert {
            row[name] for name in ("psi", "jensen_shannon", "hellinger", "total_variation", "chi_square")
        } == {0.0}
        assert row["chi_square_p_value"] == row["q_value"] == 1.0
        assert (row["ks"], row["ks_p_value"]) == ((0.0, 1.0) if row["kind"] == "number" else (None, None))


@pytest.mark.slow
def test_numbers_that_cannot_be_ordered_are_null() -> None:
    now = [{"x": x} for x in (1.0, 2.0, float("nan"), float("inf"), None)]
    [row] = sm.drift(now, [{"x": 1.0}, {"x": 2.0}])
    assert (row["n_current"], row["n_null_current"], row["n_null_reference"]) == (5, 3, 0)
    assert (row["ks"], row["wasserstein"]) == (0.0, 0.0)
    assert row["total_variation"] == pytest.approx(0.6)


@pytest.mark.slow
def test_a_condition_holds_for_both_tables() -> None:
    found = sm.drift(NOW, THEN, columns="c", where="c <> 'c' and x < 12")
    assert (found["n_new_values"], found.notes()) == ([0], ["only rows where c <> 'c' and x < 12"])


@pytest.mark.slow
def test_slices_that_one_side_lacks() -> None:
    found = sm.drift([*NOW, {**NOW[0], "g": "w"}], [*THEN, {**THEN[0], "g": "z"}], columns=["c", "x"], by="g")
    assert found.notes() == [
        "slices without a row of the reference: 1",
        "slices without a current row: 1",
    ]
    assert found["psi"][4:8] == [None] * 4


@pytest.mark.slow
def test_expressions_and_a_connection() -> None:
    asked: dict[str, Any] = {"columns": {"half": sm.sql("x / 2"), "c": "c"}, "numeric": sm.sql("x / 2")}
    here = sm.drift(NOW, THEN, **asked)
    assert sm.drift(NOW, THEN, **{**asked, "numeric": "half"}).to_dicts() == here.to_dicts()
    assert here["kind"] == ["number", "category"]
    connection = sqlite3.connect(":memory:")
    for name, table in (("now_rows", NOW), ("then_rows", THEN)):
        connection.execute(f"create table {name} (c text, x real)")
        connection.executemany(f"insert into {name} values (?, ?)", [(row["c"], row["x"]) for row in table])
    for one, other in zip(
        sm.drift("now_rows", "then_rows", connection=connection, **asked), here, strict=True
    ):
        assert one == pytest.approx(other)


@pytest.mark.slow
def test_periods_may_be_numbers_of_numpy() -> None:
    import numpy

    rows = [{"day": 7 + i % 2, "x": i % 5} for i in range(40)]
    plain = sm.drift(rows, columns="x", period="day", before=7, after=8)
    of_numpy = sm.drift(rows, columns="x", period="day", before=numpy.int64(7), after=numpy.int32(8))
    assert of_numpy.to_dicts() == plain.to_dicts()


@pytest.mark.slow
def test_chart(moved: sm.Drift) -> None:
    chart = sm.drift(NOW, THEN, columns=["c", "x", "ok"]).plot()
    assert chart.description.startswith("psi of 3 columns: from ")
    rules = [layer["data"]["values"][0]["value"] for layer in chart.spec["layer"] if "data" in layer]
    assert rules == [0.1, 0.25]
    assert [row["slice"] for row in chart.spec["data"]["values"]][-1] == "ok"
    by_slice = moved.plot("ks")
    assert by_slice.title == "ks of 3 columns by g"
    assert [cell["text"] for cell in by_slice.spec["layer"][1]["data"]["values"]] == ["0.27", "0.27"]
    assert moved.plot(slices=False).spec["data"]["values"][0]["slice"] == "c"
    with pytest.raises(sm.SqlMetricsError, match=r"measure= names no distance: 'psy'. Did you mean 'psi'"):
        moved.plot("psy")


def test_a_column_far_beyond_the_others_does_not_shrink_the_axis() -> None:
    then = [{"near": i % 10, "far": i % 10, "still": i % 10} for i in range(400)]
    now = [{"near": i % 8, "far": 1000 + i % 10, "still": i % 10} for i in range(400)]
    found = sm.drift(now, then, columns=["near", "far", "still"])
    spec = found.plot().spec
    moved = dict(zip(found["column_name"], found["psi"], strict=True))
    assert [row["slice"] for row in spec["data"]["values"]] == ["near", "still"]
    [_, _, triangles, *_] = spec["layer"]
    end = 1.25 * max(moved["near"], 0.25)
    assert [(row["slice"], row["value"]) for row in triangles["data"]["values"]] == [("far", end)]
    assert float(triangles["data"]["values"][0]["text"]) == pytest.approx(moved["far"], abs=1e-4)
    assert triangles["encoding"]["x"]["scale"]["domain"] == [0, end]
    assert spec["title"]["subtitle"] == "triangles lie beyond the axis"
    assert len(found.plot("ks").spec["data"]["values"]) == 3


BOTH = {"reference": THEN}
PERIOD = {"period": "day", "before": DAYS[0], "after": DAYS[1]}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing to compare with": (
        {},
        "drift takes reference=, a second table, or period= with before= and after=",
    ),
    "both": (
        {**BOTH, **PERIOD},
        "drift takes reference=, a second table, or period= with before= and after=",
    ),
    "before alone": ({"period": "day", "before": DAYS[0]}, "period= needs before= and after="),
    "values without a period": (
        {**BOTH, "before": 1},
        "before= and after= are values of period=, which is missing",
    ),
    "one period": ({**PERIOD, "after": DAYS[0]}, "before= and after= are both 2026-05-01"),
    "several values": (
        {**PERIOD, "after": [1, 2]},
        "after= takes one value of period=: a text, a number, a boolean",
    ),
    "period without rows": ({**PERIOD, "after": "2027-01-01"}, "no row where period='day' is '2027-01-01'"),
    "unknown period": (
        {**PERIOD, "period": "dya"},
        "Column 'dya' (period=) is not in the data. Did you mean 'day'?",
    ),
    "missing in both": (
        {**BOTH, "columns": "cc"},
        "Column 'cc' (columns=) is not in the data. Did you mean 'c'?",
    ),
    "missing in the reference": (
        {**BOTH, "columns": "extra"},
        "Column 'extra' (columns=) is not in reference=.",
    ),
    "slice that the reference lacks": ({**BOTH, "by": "extra"}, "Column 'extra' (by=) is not in reference=."),
    "types that differ": (
        {"reference": [{"c": 1}], "columns": "c"},
        "Column 'c' (columns=) is text in the data and a number in reference=; in both tables it has to be of one kind",
    ),
    "types that differ by default": (
        {"reference": [{"x": "a"}]},
        "Column 'x' (columns=) is a number in the data and",
    ),
    "no common column": (
        {"reference": [{"z": 1}]},
        "There is no column to compare: c, x, ok, g, day, extra of the data, z of reference=; pass columns=",
    ),
    "columns is empty": ({**BOTH, "columns": []}, "drift needs columns=, the columns to compare"),
    "twice": ({**BOTH, "columns": ["c", "c"]}, "columns= names the column 'c' twice"),
    "not a name": ({**BOTH, "columns": 3}, "columns= takes a name or a list of names, got 3"),
    "numeric elsewhere": (
        {**BOTH, "columns": "c", "numeric": "x"},
        "numeric= names columns of columns=, got 'x'.",
    ),
    "text as numbers": (
        {**BOTH, "numeric": "c"},
        "Column 'c' (numeric=) of the data is text and has to be numbers",
    ),
    "bins": ({**BOTH, "bins": 1}, "bins must be an integer from 2 to 100, got 1"),
    "bins as text": ({**BOTH, "bins": "10"}, 'bins must be an integer from 2 to 100, got the text "10"'),
    "total": ({**BOTH, "total": 1}, "total must be true or false, got 1"),
    "empty reference": ({"reference": []}, "The reference has no row"),
    "nothing left": ({**BOTH, "where": "x > 99"}, "The data has no row with where='x > 99'"),
    "not a condition": (
        {**BOTH, "where": "x"},
        "where='x' is a number and has to be true or false of each row",
    ),
    "a name of the result": ({**BOTH, "by": {"psi": "g"}}, "Two result columns would be named 'psi'"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    asked, message = REFUSED[case]
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.drift(NOW, **asked)
    assert message in str(refused.value)


def test_render() -> None:
    asked: dict[str, Any] = {"columns": ["c", "x"], "numeric": "x"}
    assert sm.render_drift("june;", "may", **asked) == sm.render_drift("june", "may", **asked)
    period = sm.render_drift(
        "t", columns="c", period="day", before=DAYS[0], after=DAYS[1], dialect="snowflake"
    )
    assert (
        "case when \"DAY\" = '2026-05-01' then 1 when \"DAY\" = '2026-06-01' then 2 end as sm_side" in period
    )
    with pytest.raises(sm.SqlMetricsError, match="relation takes a table name or a query, got 3"):
        sm.render_drift(3, "may", **asked)  # type: ignore[arg-type]
