"""`drift` of states from Python: the same as of the rows behind them, and one sentence for what is refused."""

from __future__ import annotations

import datetime
import random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm

Rows = list[dict[str, Any]]
FACTS: dict[str, Any] = {"label": "y", "score": "p"}
QUOTED = "d\"; --'s"


def rows(seed: int, month: int, values: str, n: int = 150) -> Rows:
    """Rows of ten days of a month, with slices of text, of truth values and of a name with quotes."""
    draw = random.Random(seed)
    return [
        {
            "day": datetime.date(2026, month, 1 + i % 10),
            "c": draw.choice([*values, None]),
            "ok": draw.random() < 0.3,
            QUOTED: draw.choice(["it's", '"q"', "%s {x}"]),
            "y": int(draw.random() < 0.5),
            "p": round(draw.random(), 1),
        }
        for i in range(n)
    ]


THEN, NOW = rows(1, 5, "aab"), rows(2, 6, "abc")
BOTH = [*THEN, *NOW]
SLICES = ["c", "ok", QUOTED]
JUNE: dict[str, Any] = {"period": sm.sql("month(day)"), "before": 5, "after": 6}


def made(data: Rows, by: Any = SLICES, **further: Any) -> sm.State:
    return sm.state(data, "brier", **{"period": "day", "by": by, **FACTS, **further})


STATE, EARLIER, LATER = made(BOTH), made(THEN), made(NOW)


def same(got: sm.Drift, expected: sm.Drift) -> None:
    assert got.columns == expected.columns
    for one, other in zip(got, expected, strict=True):
        assert one == {
            name: pytest.approx(value, rel=1e-12, abs=1e-12) if isinstance(value, float) else value
            for name, value in other.items()
        }


@pytest.mark.slow
def test_two_periods_of_a_state() -> None:
    """Its slices are the columns, but for those of by=. What by= leaves out is rolled up."""
    same(sm.drift(STATE, **JUNE), sm.drift(BOTH, columns=SLICES, **JUNE))
    found = sm.drift(STATE, by="ok", **JUNE)
    assert found["column_name"] == ["c", QUOTED] * 3
    assert found["ok"] == [False] * 2 + [True] * 2 + [None] * 2
    same(found, sm.drift(BOTH, columns=["c", QUOTED], by="ok", **JUNE))
    same(
        sm.drift(STATE, columns=[QUOTED], by=["c", "ok"], total=False, **JUNE),
        sm.drift(BOTH, columns=[QUOTED], by=["c", "ok"], total=False, **JUNE),
    )
    named: dict[str, Any] = {
        "columns": {"first": sm.sql("substr(c, 1, 1)"), "is": "ok"},
        "by": {"of": QUOTED},
    }
    same(sm.drift(STATE, **named, **JUNE), sm.drift(BOTH, **named, **JUNE))


@pytest.mark.slow
def test_a_state_knows_its_periods() -> None:
    days = {"before": datetime.date(2026, 5, 3), "after": "2026-06-04"}
    same(sm.drift(STATE, **days), sm.drift(BOTH, columns=SLICES, period="day", **days))
    same(sm.drift(STATE, period="day", **days), sm.drift(STATE, **days))
    late = {"period": sm.sql("day >= '2026-05-08'"), "before": False, "after": True}
    same(sm.drift(STATE, **late), sm.drift(BOTH, columns=SLICES, **late))


@pytest.mark.slow
def test_two_states() -> None:
    expected = sm.drift(NOW, THEN, columns=SLICES)
    same(sm.drift(LATER, EARLIER), expected)
    parts = [made([row for row in NOW if (row["day"].day < 5) is early]) for early in (True, False)]
    same(sm.drift(parts, [EARLIER]), expected)
    # made by another period and with another label, which changes no number of rows
    monthly = made(THEN, period={"month": sm.sql("month(day)")}, label="ok")
    same(sm.drift(LATER, monthly), expected)
    # the slices that both have
    same(sm.drift(made(NOW, ["c"]), EARLIER), sm.drift(NOW, THEN, columns="c"))
    same(sm.drift(LATER, EARLIER, by="c"), sm.drift(NOW, THEN, columns=SLICES[1:], by="c"))


@pytest.mark.slow
def test_states_of_different_slices() -> None:
    """By default those that all of them have are compared."""
    same(sm.drift([made(NOW, ["c"]), EARLIER], **JUNE), sm.drift(BOTH, columns="c", **JUNE))


@pytest.mark.slow
def test_conditions() -> None:
    """That of the call is one of slices and periods; those of the states may differ, and are noted."""
    early = {"where": "day < '2026-06-05' and ok"}
    found = sm.drift(STATE, **JUNE, **early)
    same(found, sm.drift(BOTH, columns=SLICES, **JUNE, **early))
    assert found.notes() == ["only rows where day < '2026-06-05' and ok"]
    part = made(BOTH, where="p <  0.5")
    found = sm.drift(part, **JUNE)
    same(found, sm.drift([row for row in BOTH if row["p"] < 0.5], columns=SLICES, **JUNE))
    assert found.notes() == ["only rows where p < 0.5"]
    other = made(THEN, where="p >= 0.5")
    found = sm.drift(made(NOW, where="p < 0.5"), other)
    same(
        found,
        sm.drift(
            [row for row in NOW if row["p"] < 0.5], [row for row in THEN if row["p"] >= 0.5], columns=SLICES
        ),
    )
    assert found.notes() == [
        "current rows: only rows where p < 0.5",
        "rows of the reference: only rows where p >= 0.5",
    ]
    assert sm.drift(LATER, other).notes() == ["rows of the reference: only rows where p >= 0.5"]


@pytest.mark.slow
def test_unusable_rows_are_rows() -> None:
    lacking = [{**row, "y": None if i % 3 else row["y"]} for i, row in enumerate(BOTH)]
    state = made(lacking, on_bad_rows="drop")
    same(sm.drift(state, **JUNE), sm.drift(BOTH, columns=SLICES, **JUNE))


@pytest.mark.slow
def test_a_state_in_files_and_in_a_connection(tmp_path: Any) -> None:
    expected = sm.drift(LATER, EARLIER)
    for name, state in (("later", LATER), ("earlier", EARLIER)):
        state.write(tmp_path / f"{name}.parquet")
    files = {name: str(tmp_path / f"{name}.parquet") for name in ("later", "earlier")}
    same(sm.drift(files["later"], files["earlier"]), expected)
    same(sm.drift(str(tmp_path / "*.parquet"), **JUNE), sm.drift(STATE, **JUNE))
    with duckdb.connect() as connection:
        for name, file in files.items():
            connection.sql(f"create table {name} as select * from '{file}'")
        same(sm.drift("later", "earlier", connection=connection), expected)


@pytest.mark.slow
def test_many_slices_are_sums() -> None:
    """A slice of many rows counts as many: a state of 30,000 rows a side has few rows of its own."""
    many = [row for row in BOTH for _ in range(100)]
    few = made(many)
    assert sum(row["sm_grain"] == "rows" for row in few) == sum(row["sm_grain"] == "rows" for row in STATE)
    same(sm.drift(few, **JUNE), sm.drift(many, columns=SLICES, **JUNE))


def with_numbers(state: sm.State, number: Any) -> pa.Table:
    """The state with another number of rows in each slice."""
    table = state.to_arrow()
    column = pa.array(
        [None if each is None else number for each in table["sm_n_rows"].to_pylist()], pa.float64()
    )
    return table.set_column(table.column_names.index("sm_n_rows"), "sm_n_rows", column)


COUNTED = made(BOTH, []).to_arrow()
MODELS = made(BOTH, score={"m": "p", "n": "y"})
NUMBERS = made([{**row, "c": 1} for row in THEN])
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing to compare with": (
        {"before": None, "after": None, "period": None},
        "two of its periods, such as before='2026-05', after='2026-06'; or reference=, another state",
    ),
    "one period": ({"after": None}, "drift of a state needs before= and after=, two of its periods"),
    "a period alone": ({"before": None, "after": None}, "drift of a state needs before= and after="),
    "the same period": ({"after": 5}, "before= and after= are both 5; a period is compared with another one"),
    "both": ({"reference": EARLIER}, "drift of a state takes reference=, another state, or before= and after="),
    "reference and period": (
        {"reference": EARLIER, "before": None, "after": None},
        "drift of a state takes reference=, another state, or before= and after=",
    ),
    "a period it lacks": ({"after": 7}, "No row has the period 7 (after=). Periods: 5, 6"),
    "a period that is left out": (
        {"where": "day < '2026-06-01'"},
        "No row that where=\"day < '2026-06-01'\" leaves has the period 6 (after=). Periods: 5, 6",
    ),
    "no period is left": ({"where": "ok and not ok"}, "where='ok and not ok' leaves no row of the data"),
    "several values": ({"after": [6]}, "after= takes one value of period=: a text, a number, a boolean or a date"),
    "another column as period": (
        {"period": "c"},
        "period= of a state is its period 'day' or an expression of it, got 'c'",
    ),
    "a column it lacks": (
        {"columns": ["c", "country"]},
        f"Column 'country' (columns=) is no slice of the data, or not of all states in it; columns= takes c, {QUOTED},",
    ),
    "a slice it lacks": ({"by": "country"}, "Column 'country' (by=) is no slice of the data, or not of all"),
    "a sum": ({"columns": "sm_n_rows"}, "Column 'sm_n_rows' (columns=) is no slice of the data"),
    "the period as a column": ({"columns": "day"}, "Column 'day' (columns=) is no slice of the data"),
    "the period as a slice": ({"by": "day"}, "Column 'day' (by=) is no slice of the data"),
    "a column twice": ({"columns": ["c", "c"]}, "columns= names the column 'c' twice"),
    "no column": ({"columns": []}, "drift needs columns=, the columns to compare"),
    "no column is left": (
        {"by": SLICES},
        f"There is no slice to compare: the data has c, ok, {QUOTED}, and by= takes c, ok, {QUOTED}; make the state by",
    ),
    "a state without slices": (
        {"data": COUNTED},
        "There is no slice to compare: the data has none; make the state by the columns to compare",
    ),
    "a slice of no slices": (
        {"data": COUNTED, "columns": "c"},
        "is no slice of the data, or not of all states in it; columns= takes none, since it has no slices",
    ),
    "a slice of some states": (
        {"data": [made(NOW, ["c"]), EARLIER], "columns": "ok"},
        "Column 'ok' (columns=) is no slice of the data, or not of all states in it; columns= takes c",
    ),
    "numbers": ({"numeric": "c"}, "numeric= is not of a state, whose slices are compared as categories; leave it out"),
    "bins": ({"bins": 1}, "bins must be an integer from 2 to 100, got 1"),
    "several models": (
        {"data": MODELS},
        "the data is a state of several models, and has the rows of each; compare the state of one score",
    ),
    "made twice": (
        {"data": [STATE, EARLIER]},
        "slices of periods are more than once in the data, and would count as often",
    ),
    "numbers that are none": ({"data": with_numbers(STATE, None)}, "rows of the states have no number of rows; make"),
    "numbers that are not finite": (
        {"data": with_numbers(STATE, float("nan"))},
        "rows of the states have no number of rows; make",
    ),
    "numbers below 0": ({"data": with_numbers(STATE, -1)}, "rows of the states have no number of rows; make"),
    "a condition that is none": ({"where": "c"}, "where='c' is text and has to be true or false of each row"),
}  # fmt: skip
BETWEEN: dict[str, tuple[dict[str, Any], str]] = {
    "a state and a table": ({"reference": THEN}, "reference= is no state; sm.state(...) makes one"),
    "a table and a state": (
        {"data": NOW},
        "reference= is a state and the data is not; compare two states, or two tables",
    ),
    "a slice the reference lacks": (
        {"reference": made(THEN, ["c"]), "columns": "ok"},
        "Column 'ok' (columns=) is no slice of reference=, or not of all states in it; columns= takes c",
    ),
    "no common slice": (
        {"reference": made(THEN, ["c"]), "data": made(NOW, ["ok"])},
        "There is no slice to compare: the data has ok and reference= has c; make the state by the columns",
    ),
    "types that differ": (
        {"reference": NUMBERS},
        "Column 'c' (columns=) is text in the data and a number in reference=; in both tables it has to be of one kind",
    ),
    "several models": ({"reference": made(THEN, score={"m": "p"})}, "reference= is a state of several models"),
    "nothing in the reference": ({"where": "day > '2026-06-01'"}, "leaves no row of reference="),
    "not a table": ({"reference": 3}, "Cannot read data of type int"),
    "not only states": ({"reference": [EARLIER, 3]}, "A list of states holds nothing else, got int"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    asked, message = REFUSED[case]
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.drift(**{"data": STATE, **JUNE, **asked})
    assert message in str(refused.value)


@pytest.mark.parametrize("case", BETWEEN)
def test_refused_of_two(case: str) -> None:
    asked, message = BETWEEN[case]
    with pytest.raises(sm.SqlMetricsError) as refused:
        sm.drift(**{"data": LATER, "reference": EARLIER, **asked})
    assert message in str(refused.value)


@pytest.mark.slow
def test_a_number_beyond_all_is_refused() -> None:
    with pytest.raises(sm.DataError, match="cannot read the data"):
        sm.drift(with_numbers(STATE, 1e300), **JUNE)


@pytest.mark.slow
def test_what_renders_is_what_runs() -> None:
    with duckdb.connect() as connection:
        part = made(BOTH, where="p < 0.5")
        for name, state in {"s": STATE, "later": LATER, "earlier": EARLIER, "part": part}.items():
            connection.register(name, state.to_arrow())
        of_state: dict[str, Any] = {"columns": SLICES, "of_state": True}
        month = {**JUNE, "made_period": "day"}
        days = {"period": "day", "before": "2026-05-01", "after": datetime.date(2026, 6, 1)}
        calls: list[tuple[dict[str, Any], sm.Drift]] = [
            ({"relation": "s", **month, **of_state}, sm.drift(STATE, **JUNE)),
            (
                {"relation": "s;", **days, **of_state},
                sm.drift(STATE, before="2026-05-01", after="2026-06-01"),
            ),
            (
                {"relation": "later", "reference": "earlier", "made_period": "day", **of_state},
                sm.drift(LATER, EARLIER),
            ),
            (
                {"relation": "part", "made_where": "p < 0.5", **month, **of_state},
                sm.drift(part, **JUNE),
            ),
        ]
        for asked, expected in calls:
            got = connection.sql(sm.render_drift(**asked)).to_arrow_table().to_pylist()
            assert [row["psi"] for row in got] == pytest.approx(expected["psi"], rel=1e-12)
            assert {row["states_of_other_facts"] for row in got} == {0}
        unsaid = connection.sql(sm.render_drift("part", **month, **of_state)).to_arrow_table().to_pylist()
        assert {row["psi"] for row in unsaid} == {None}
    with pytest.raises(sm.SqlMetricsError, match="made_period= and made_where= are of a state"):
        sm.render_drift("t", "s", columns="c", made_period="day")
    with pytest.raises(sm.SqlMetricsError, match="period= takes a column name"):
        sm.render_drift("t", "s", columns="c", of_state=True, made_period=3)  # type: ignore[arg-type]
