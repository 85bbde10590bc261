"""`explain_change` from Python: kinds of periods, two tables, states, what is refused, and what the result shows."""

from __future__ import annotations

import datetime
import json
import math
import random
import sqlite3
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sqlmetrics as sm

Rows = list[dict[str, Any]]
FACTS: dict[str, Any] = {"label": "y", "score": "p"}
MONTHS: dict[str, Any] = {"period": "month", "before": 6, "after": 7}


def rows(n: int = 240) -> Rows:
    """Lists of three rows on forty days of two months."""
    draw, found = random.Random(1), []
    for i in range(n):
        u = i // 3
        day = datetime.date(2026, 6, 1) + datetime.timedelta(days=u % 40)
        found.append(
            {
                "day": day, "month": day.month, "u": u, "c": ["a", "b", None][u % 3 if day.month == 6 else u % 2],
                "d": draw.choice("xy"), "y": int(draw.random() < 0.5), "p": round(draw.random(), 2),
            }
        )  # fmt: skip
    return found


DATA = rows()
BEFORE, AFTER = ([row for row in DATA if row["month"] == month] for month in (6, 7))


def explained(data: Any = DATA, metric: str = "brier", **asked: Any) -> sm.Change:
    return sm.explain_change(data, metric, **{"by": "c", **MONTHS, **FACTS, **asked})


def of_state(state: Any, metric: str = "brier", **asked: Any) -> sm.Change:
    return sm.explain_change(state, metric, **{"by": "c", "before": 6, "after": 7, **asked})


def effects(change: sm.Change) -> dict[Any, float]:
    return {row["c"] if not row["is_total"] else "all": row["effect"] for row in change}


@pytest.mark.slow
def test_columns_and_what_is_printed() -> None:
    change = explained()
    sides = ["n_rows", "n_units", "share", "value"]
    before = ["c", "is_total", *(f"{name}_{side}" for name in sides for side in ("before", "after"))]
    ends = ["low", "high", "mix_low", "mix_high", "rate_low", "rate_high"]
    assert change.columns == [*before, "mix", "rate", "effect", *ends]
    base = explained(base="before")
    assert base.columns == [
        *before,
        "mix",
        "rate",
        "interaction",
        "effect",
        *ends,
        "interaction_low",
        "interaction_high",
    ]
    lines = repr(change).splitlines()
    assert lines[0].split() == [
        *["c", "share_before", "share_after", "value_before", "value_after", "mix", "rate", "effect"]
    ]
    assert lines[-2].startswith("all ")
    assert lines[-1] == "slices that are gone, whose effect is all mix: c is null"
    assert change.audit["n_rows"] == [240]
    assert json.loads(change.to_json())["rows"][-1]["is_total"] is True
    assert len(change.to_csv().splitlines()) == len(change) + 1
    assert (change.metric, change.parts) == ("brier", ["mix", "rate"])


@pytest.mark.slow
def test_the_change_is_that_of_evaluate() -> None:
    values = sm.evaluate(DATA, "brier", by=["month", "c"], **FACTS)
    change = explained()
    total = change[-1]
    for side, data in (("before", BEFORE), ("after", AFTER)):
        whole = sm.evaluate(data, "brier", **FACTS)["brier"][0]
        assert total[f"value_{side}"] == pytest.approx(whole, rel=1e-12)
    for row in change.to_dicts()[:-1]:
        for month, side in ((6, "before"), (7, "after")):
            if row[f"n_rows_{side}"]:
                assert row[f"value_{side}"] == pytest.approx(values.value("brier", month=month, c=row["c"]))


@pytest.mark.slow
def test_the_interval_of_the_total_is_that_of_independent_samples() -> None:
    """`compare` tests two samples by Welch's t."""
    asked = {"baseline": "p", "candidate": "p", "other": AFTER, "paired": False, "label": "y"}
    [expected] = sm.compare(BEFORE, "log_loss", **asked)
    total = sm.explain_change(AFTER, "log_loss", by="c", reference=BEFORE, **FACTS)[-1]
    for column, name in (("effect", "difference"), ("low", "low"), ("high", "high")):
        assert total[column] == pytest.approx(expected[name], rel=1e-9)


@pytest.mark.slow
def test_two_tables_are_two_periods() -> None:
    two = sm.explain_change(AFTER, "brier", by="c", reference=BEFORE, **FACTS)
    one = explained()
    for got, expected in zip(two, one, strict=True):
        assert got == pytest.approx(expected)
    labels = sm.explain_change(
        AFTER, "base_rate", by="c", reference=BEFORE, label="y"
    )  # which reads no score
    assert labels[-1]["value_before"] == pytest.approx(sum(row["y"] for row in BEFORE) / len(BEFORE))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2026-06-01", "2026-07-01"),
        (datetime.date(2026, 6, 1), datetime.date(2026, 7, 1)),
        (datetime.datetime(2026, 6, 1), "2026-07-01 00:00:00"),
    ],
)
def test_a_period_may_be_an_expression_and_its_values_dates(before: Any, after: Any) -> None:
    month = sm.sql("date_trunc('month', day)")
    assert effects(explained(period=month, before=before, after=after)) == effects(explained())


@pytest.mark.slow
def test_a_connection() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table t (month int, c text, y int, p real)")
    connection.executemany(
        "insert into t values (?, ?, ?, ?)", [(row["month"], row["c"], row["y"], row["p"]) for row in DATA]
    )
    there = sm.explain_change("t", "brier", by="c", connection=connection, **MONTHS, **FACTS)
    for got, expected in zip(there, explained(), strict=True):
        assert got == pytest.approx(expected)


@pytest.mark.slow
def test_states() -> None:
    """Of days, whose months are compared; of several tables; of lists, and of a file."""
    daily = sm.state(DATA, ["brier", "precision"], period="day", by=["c", "d"], **FACTS)
    expected = effects(explained())
    month = sm.sql("month(day)")
    assert effects(of_state(daily, period=month)) == pytest.approx(expected, rel=1e-12)
    monthly = [sm.state(part, "brier", period="month", by="c", **FACTS) for part in (BEFORE, AFTER)]
    change = of_state(monthly)
    assert effects(change) == pytest.approx(expected, rel=1e-12)
    assert not {"low", "n_units_before"} & {*change.columns}
    assert change.audit["n_rows"] == [240]
    assert "[" not in repr(change)
    lists = sm.state(DATA, "mrr", period="month", by="c", group="u", **FACTS)
    of_data = effects(explained(metric="mrr", group="u"))
    assert effects(of_state(lists, "mrr")) == pytest.approx(of_data, rel=1e-12)


@pytest.mark.slow
def test_a_state_in_a_file(tmp_path: Any) -> None:
    sm.state(DATA, "brier", period="month", by="c", **FACTS).write(tmp_path / "state.parquet")
    assert effects(of_state(str(tmp_path / "state.parquet"))) == pytest.approx(
        effects(explained()), rel=1e-12
    )


def simpson(first: dict[str, tuple[int, int]], second: dict[str, tuple[int, int]]) -> list[str]:
    """The notes on slices with so many positive and so many negative rows."""
    data = [
        {"day": day, "c": c, "y": y}
        for day, of in enumerate((first, second))
        for c, counts in of.items()
        for y, n in zip((1, 0), counts, strict=True)
        for _ in range(n)
    ]
    change = sm.explain_change(data, "base_rate", by="c", period="day", before=0, after=1, label="y")
    return [note for note in change.notes() if note.startswith("Simpson")]


@pytest.mark.slow
def test_simpsons_paradox_is_noted() -> None:
    fell = "Simpson's paradox: the total fell by 0.2000, but no slice of both periods fell; their shares moved it"
    first, second = {"a": (6, 2), "b": (0, 2)}, {"a": (4, 0), "b": (0, 6)}
    assert simpson(first, second) == [fell]
    assert simpson(second, first) == [fell.replace("fell", "rose")]
    assert simpson({**first, "old": (1, 1)}, {**second, "new": (1, 9)})[0].startswith(
        "Simpson's paradox: the total fell"
    )
    assert not simpson(first, {"a": (3, 1), "b": (0, 6)})  # no value moved, so none moved against the total
    assert not simpson(first, {"a": (4, 2), "b": (1, 6)})  # one slice fell
    assert not simpson(first, first)


@pytest.mark.slow
def test_auc_within_each_slice() -> None:
    """What the refusal of auc names instead: slices as lists, whose AUC is that of `evaluate`."""
    known = [row for row in DATA if row["c"] is not None]
    told = sm.explain_change(known, "gauc", by="c", group="c", **MONTHS, **FACTS).to_dicts()
    for month, side in ((6, "before"), (7, "after")):
        within = sm.evaluate(known, "auc", by="c", where=f"month = {month}", total=False, **FACTS).to_dicts()
        assert {row["c"]: row[f"value_{side}"] for row in told[:-1]} == {
            row["c"]: pytest.approx(row["auc"]) for row in within
        }
    assert told[-1]["effect"] == pytest.approx(sum(row["effect"] for row in told[:-1]))


STATE = sm.state(DATA, "brier", period="month", by="c", **FACTS)
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no by": ({"by": []}, "explain_change needs by=, the columns whose values make the slices"),
    "an unknown slice": ({"by": "cc"}, "Column 'cc' (by=) is not in the data. Did you mean 'c'?"),
    "several in one": ({"metric": "brier, auc"}, "explain_change takes one metric, got 'brier, auc'"),
    "several metrics": ({"metric": ["brier"]}, "explain_change takes one metric, such as 'log_loss', got ['brier']"),
    "a rank": ({"metric": "auc"}, "'auc' compares the rows of a slice with those of all others, so a slice would"),
    "twice a rank": ({"metric": "gini"}, "Take gauc with group=, the column of the slices, which is the AUC within"),
    "a step": ({"metric": "ks"}, "'ks' cannot be explained. What can be explained: ratios of sums"),
    "a root": ({"metric": "rmse"}, "of a root what is under it, such as mse instead of rmse"),
    "a count": ({"metric": "count"}, "'count' cannot be explained"),
    "no period": ({"period": None}, "explain_change needs period=, before= and after=: a column and two of its"),
    "no values": ({"after": None}, "explain_change needs before= and after=, two values of the period"),
    "one value": ({"after": "6"}, "before= and after= are both '6'"),
    "a list": ({"before": [6]}, "before= takes a value of period= as a text, a number or a boolean, got [6]"),
    "an unknown period": ({"before": 5}, "No row has the period 5 (before=). Periods: 6, 7"),
    "no row of a period": (
        {"where": "month = 6"},
        "No row that where='month = 6' leaves has the period 7 (after=). Periods: 6, 7",
    ),
    "an unknown column": ({"period": "mont"}, "Column 'mont' (period=) is not in the data. Did you mean 'month'?"),
    "base": ({"base": "after"}, "base: 'after' is not known. Allowed: midpoint, before"),
    "interval": ({"interval": 95}, "interval must be a number from 0.000001 to 0.999999, such as 0.95, got 95"),
    "two models": ({"score": {"a": "p"}}, "score= of explain_change takes one column name or sm.sql(...)"),
    "no score": ({"score": None}, "needs score=, the column of the score"),
    "divided lists": ({"by": "d", "group": "u"}, "groups have several values of a column of by=; a list lies in one"),
    "both forms": ({"reference": BEFORE}, "takes reference=, the table of the period before, or period=, before="),
    "not a table": ({"reference": 3, **dict.fromkeys(MONTHS)}, "Cannot read data of type int"),
    "another table": (
        {"reference": [{"y": 1, "p": 0.5}], **dict.fromkeys(MONTHS)},
        "Column 'c' (by=) is not in reference=",
    ),
    "an empty table": (
        {"reference": BEFORE, "where": "month = 7", **dict.fromkeys(MONTHS)},
        "There is no row in reference=, and so no change to explain",
    ),
    "bad rows": ({"score": sm.sql("case when u = 3 then null else p end")}, "pass on_bad_rows='drop'"),
    "no probability": ({"score": "u"}, "rows have a score outside [0, 1], such as"),
    "the name of a result": ({"by": {"mix": "c"}}, "Two result columns would be named 'mix'"),
}  # fmt: skip
OF_STATE: dict[str, tuple[dict[str, Any], str]] = {
    "a metric it lacks": ({"metric": "log_loss"}, "does not hold what is needed for log_loss; make the state for it"),
    "a slice it lacks": ({"by": "d"}, "Column 'd' (by=) is not in the data"),
    "no values": ({"before": None}, "explain_change needs before= and after=, two values of the period"),
    "an unknown period": ({"before": 5}, "No row has the period 5 (before=). Periods: 6, 7"),
    "another column": ({"period": "c"}, "period= of a state is its period 'month' or an expression of it, got 'c'"),
    "two tables": ({"reference": STATE}, "A state has its periods in one table: leave out reference="),
    "several models": (
        {"state": sm.state(DATA, "brier", period="month", by="c", label="y", score={"m": "p", "n": "y"})},
        "is a state of several models; explain one model at a time",
    ),
    "divided lists": (
        {"state": sm.state(DATA, "mrr", period="month", by=["d"], group="u", **FACTS), "metric": "mrr", "by": "d"},
        "groups lie in several slices of the state",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    asked, words = REFUSED[case]
    with pytest.raises(sm.SqlMetricsError) as refused:
        explained(**asked)
    assert words in str(refused.value)


@pytest.mark.parametrize("case", OF_STATE)
def test_refused_of_a_state(case: str) -> None:
    asked, words = OF_STATE[case]
    with pytest.raises(sm.SqlMetricsError) as refused:
        of_state(**{"state": STATE, **asked})
    assert words in str(refused.value)


@pytest.mark.slow
def test_rendered() -> None:
    """What renders is what runs, of a table, of two, and of a state."""
    import duckdb

    asked = {"by": "c", **FACTS}
    with duckdb.connect() as connection:
        for name, data in {"t": DATA, "earlier": BEFORE, "later": AFTER, "s": STATE}.items():
            connection.register(
                name, data.to_arrow() if isinstance(data, sm.State) else pa.Table.from_pylist(data)
            )
        for relation, form in {
            "t": MONTHS,
            "later": {"reference": "earlier"},
            "s": {**MONTHS, "of_state": True},
        }.items():
            statement = sm.render_explain_change(relation, "brier", **asked, **form)
            got = connection.sql(statement).to_arrow_table().to_pylist()
            assert [row["effect"] for row in got] == pytest.approx(explained()["effect"])
    with pytest.raises(sm.SqlMetricsError, match="made_period= and made_where= are of a state"):
        sm.render_explain_change("t", "brier", made_period="d", **asked, **MONTHS)
    with pytest.raises(sm.SqlMetricsError, match="reference takes a table name or a query, got 3"):
        sm.render_explain_change("t", "brier", reference=3, **asked)  # type: ignore[arg-type]


UNITS = st.lists(
    st.tuples(st.sampled_from([1, 2]), st.sampled_from("abcd"), st.floats(-1e3, 1e3), st.integers(0, 3)),
    min_size=2,
    max_size=30,
).filter(lambda units: all(any(day == one and w for day, _, _, w in units) for one in (1, 2)))


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(UNITS, st.sampled_from(["midpoint", "before"]), st.randoms(use_true_random=False))
def test_properties(units: list[tuple[int, str, float, int]], base: str, draw: random.Random) -> None:
    """The effects add up to the change. Neither the order of rows nor the names of slices matter."""

    def change(drawn: list[tuple[int, str, float, int]]) -> sm.Change:
        data = [{"day": day, "c": c, "y": y, "p": 0.0, "w": float(w)} for day, c, y, w in drawn]
        asked = {"period": "day", "before": 1, "after": 2, "base": base}
        return sm.explain_change(data, "bias", by="c", weight="w", **asked, **FACTS)

    found = change(units)
    *slices, total = found.to_dicts()
    size = 1e-12 * max(1.0, *(abs(y) for _, _, y, _ in units))
    for row in [*slices, total]:
        assert abs(math.fsum(row[part] for part in found.parts) - row["effect"]) <= size
    for part in (*found.parts, "effect"):
        assert abs(math.fsum(row[part] for row in slices) - total[part]) <= 4 * size
    assert abs(total["value_after"] - total["value_before"] - total["effect"]) <= 4 * size
    renamed = dict(zip("abcd", "dbca", strict=True))
    other = effects(change([(day, renamed[c], y, w) for day, c, y, w in draw.sample(units, len(units))]))
    for name, effect in effects(found).items():
        assert other[renamed.get(name, name)] == pytest.approx(effect, rel=1e-9, abs=10 * size)
