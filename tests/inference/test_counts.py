"""Tests of counts: published values, and scipy and statsmodels on random data, on every engine."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]

#: Hair and eye colours of 592 people, a table that R prints; chi-square 138.29, 9 degrees of freedom.
HAIR = [[5, 29, 14, 16], [15, 54, 14, 10], [20, 84, 17, 94], [68, 119, 26, 7]]


def ran(engine: Engine, macro: str, rows: Rows, *arguments: str, **facts: Any) -> Rows:
    return engine.query(str(macros(engine.dialect)[macro]("given", *arguments, **facts)), {"given": rows})


def close(row: dict[str, Any], expected: dict[str, float | None]) -> None:
    for name, value in expected.items():
        got = row[name]
        assert got is value is None or math.isclose(got, value, rel_tol=1e-9, abs_tol=1e-12), (
            name,
            got,
            value,
        )


def drawn(seed: int, n: int = 400) -> Rows:
    draw = random.Random(seed)
    return [
        {
            "part": draw.choice("xyz"),
            "one": draw.choices("abcd", [4, 3, 2, 0.03])[0],
            "two": draw.choices([1, 2, 3], [1, 1, 0.1])[0],
            "yes": int(draw.random() < 0.3),
            "side": draw.choice("lr"),
        }
        for _ in range(n)
    ]


def table_of(rows: Rows) -> list[list[int]]:
    counts = Counter((row["one"], row["two"]) for row in rows)
    columns = sorted({two for _, two in counts})
    return [[counts[one, two] for two in columns] for one in sorted({one for one, _ in counts})]


@pytest.mark.slow
def test_the_coin(engine: Engine) -> None:
    rows = [{"side": "heads", "n": 3}, {"side": "tails", "n": 7}]
    expected = {"statistic": 1.6, "df": 1, "p_value": math.erfc(math.sqrt(0.8)), "n": 10, "least_expected": 5}
    for facts in ({}, {"expected": {"heads": 5, "tails": 5}}):
        (row,) = ran(engine, "chi_square", rows, "side", weight="n", **facts)
        close(row, {**expected, "cramers_v": None})
    assert round(row["p_value"], 4) == 0.2059


@pytest.mark.slow
def test_hair_and_eyes(engine: Engine) -> None:
    rows = [{"hair": i, "eyes": "abcd"[j], "n": n} for i, line in enumerate(HAIR) for j, n in enumerate(line)]
    (row,) = ran(engine, "chi_square", rows, "hair", "eyes", weight="n")
    close(row, {"statistic": 138.28984162600824, "df": 9, "n": 592})
    assert row["cramers_v"] == pytest.approx(math.sqrt(138.28984162600824 / 592 / 3))


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("seed", range(4))
def test_independence(seed: int, engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(seed)
    for row in ran(engine, "chi_square", rows, "one", "two", by="part"):
        table = table_of([r for r in rows if row["is_total"] or r["part"] == row["part"]])
        found = stats.chi2_contingency(table, correction=False)
        lesser = min(len(table), len(table[0])) - 1
        close(row, {
            "statistic": found.statistic, "df": found.dof, "p_value": found.pvalue, "n": sum(map(sum, table)),
            "least_expected": found.expected_freq.min(),
            "cramers_v": math.sqrt(found.statistic / sum(map(sum, table)) / lesser),
        })  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_shares(seed: int, engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(seed)
    shares = {"a": 4, "b": 3, "c": 2, "d": 0.03, "e": 0.5}
    for row in ran(engine, "chi_square", rows, "one", by="part", expected=shares):
        counts = Counter(r["one"] for r in rows if row["is_total"] or r["part"] == row["part"])
        expected = [share / sum(shares.values()) * sum(counts.values()) for share in shares.values()]
        found = stats.chisquare([counts[name] for name in shares], expected)
        close(row, {
            "statistic": found.statistic, "df": 4, "p_value": found.pvalue, "least_expected": min(expected),
        })  # fmt: skip


@pytest.mark.slow
def test_a_category_that_a_slice_lacks_was_expected_there(engine: Engine) -> None:
    """Without expected= the categories of all slices are meant."""
    rows = [{"part": "x", "one": "a"}, {"part": "x", "one": "a"}, {"part": "y", "one": "b"}]
    first, second, total = ran(engine, "chi_square", rows, "one", by="part")
    close(first, {"statistic": 2, "df": 1})
    close(second, {"statistic": 1, "df": 1})
    close(total, {"statistic": 1 / 3, "df": 1})


@pytest.mark.slow
def test_one_category_alone(engine: Engine) -> None:
    rows = [{"one": "a", "two": 1}, {"one": "a", "two": 2}]
    (row,) = ran(engine, "chi_square", rows, "one", "two")
    close(row, {"statistic": 0, "df": 0, "p_value": None, "cramers_v": None})


@pytest.mark.slow
def test_counts_that_are_nearly_as_expected(engine: Engine) -> None:
    """The difference of counts is not lost in their size."""
    rows = [{"one": o, "two": t, "n": 10**9 + (o == t)} for o in (1, 2) for t in (1, 2)]
    (row,) = ran(engine, "chi_square", rows, "one", "two", weight="n")
    assert row["statistic"] == pytest.approx(1 / (10**9 + 0.5), rel=1e-6)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("seed", range(4))
def test_two_proportions(seed: int, engine: Engine) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    rows = drawn(seed)
    for row in ran(engine, "two_proportions", rows, "yes", "side", by="part"):
        here = [r for r in rows if row["is_total"] or r["part"] == row["part"]]
        count = {side: sum(r["yes"] for r in here if r["side"] == side) for side in "lr"}
        n = {side: sum(r["side"] == side for r in here) for side in "lr"}
        z, p = proportion.proportions_ztest([count["r"], count["l"]], [n["r"], n["l"]])
        low, high = proportion.confint_proportions_2indep(
            count["r"], n["r"], count["l"], n["l"], method="newcomb", compare="diff"
        )
        assert (row["first"], row["second"]) == ("l", "r")
        close(row, {
            "n_first": n["l"], "n_second": n["r"],
            "rate_first": count["l"] / n["l"], "rate_second": count["r"] / n["r"],
            "difference": count["r"] / n["r"] - count["l"] / n["l"], "z": z, "p_value": p, "low": low, "high": high,
        })  # fmt: skip


@pytest.mark.slow
def test_newcombes_interval(engine: Engine) -> None:
    """56 of 70 against 48 of 80: 0.2, from 0.0524 to 0.3339 (Newcombe 1998, table II, example a, method 10)."""
    rows = [
        {"yes": yes, "side": side, "n": n}
        for side, counts in (("b", (14, 56)), ("a", (32, 48)))
        for yes, n in enumerate(counts)
    ]
    (row,) = ran(engine, "two_proportions", rows, "yes", "side", weight="n")
    assert [round(row[name], 4) for name in ("difference", "low", "high")] == [0.2, 0.0524, 0.3339]


@pytest.mark.slow
def test_no_difference_to_tell(engine: Engine) -> None:
    rows = [{"yes": 0, "side": side} for side in "llrr"]
    (row,) = ran(engine, "two_proportions", rows, "yes", "side")
    close(row, {"difference": 0, "z": None, "p_value": None, "n_categories": 2})
    (row,) = ran(engine, "two_proportions", rows[:2], "yes", "side")
    close(row, {"difference": None, "n_first": None, "n_categories": 1})


@pytest.mark.slow
@pytest.mark.parametrize("positive", [2, "2"])
def test_positive_of_two_proportions(engine: Engine, positive: float | str) -> None:
    """A grade, or the text of one class, says which rows are positive; a third of one side, half of the other."""
    kind = type(positive)
    rows = [
        {"grade": kind(grade), "side": side}
        for side, grades in (("l", (0, 1, 2)), ("r", (1, 2)))
        for grade in grades
    ]
    (row,) = ran(engine, "two_proportions", rows, "grade", "side", positive=positive)
    close(row, {"rate_first": 1 / 3, "rate_second": 1 / 2, "n_first": 3, "n_second": 2})


@pytest.mark.slow
def test_counted_rows_are_rows(engine: Engine) -> None:
    rows = drawn(7)
    counted = [
        {"one": one, "two": two, "n": n}
        for (one, two), n in Counter((r["one"], r["two"]) for r in rows).items()
    ]
    (raw,) = ran(engine, "chi_square", rows, "one", "two")
    (from_counts,) = ran(engine, "chi_square", counted, "one", "two", weight="n")
    close(
        from_counts,
        {name: raw[name] for name in ("statistic", "df", "p_value", "cramers_v", "least_expected")},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rows: sm.chi_square(rows, "on"), "Column .on. .* is not in the data"),
        (lambda rows: sm.chi_square(rows, "one", "two", expected={"a": 1}), "tested for independence"),
        (
            lambda rows: sm.chi_square(rows, "one", expected={"a": 1, "b": 1}),
            "to which expected= gives no share",
        ),
        (lambda rows: sm.chi_square(rows, "one", expected={"a": -1}), "share or count >= 0"),
        (lambda rows: sm.chi_square(rows, "one", expected=["a"]), "share or count >= 0"),
        (
            lambda rows: sm.chi_square(rows, "one", expected={1: 1, 2: 1}),
            "A category of expected= is a number, but column 'one' is text",
        ),
        (lambda rows: sm.chi_square(rows, "one", expected={"a": math.inf, "b": 1}), "share or count >= 0"),
        (lambda rows: sm.chi_square(rows, "one", expected={None: 1, "b": 1}), "share or count >= 0"),
        (lambda rows: sm.chi_square(rows, "one", expected={"a": True, "b": 1}), "share or count >= 0"),
        (lambda rows: sm.chi_square(rows, "on"), r"Column 'on' \(column=\) is not in"),
        (lambda rows: sm.chi_square(rows, "one", "tow"), r"Column 'tow' \(other=\) is not in"),
        (lambda rows: sm.chi_square(rows, None), "column= takes a column name"),
        (lambda rows: sm.two_proportions(rows, "yes", None), "category= takes a column name"),
        (lambda rows: sm.two_proportions(rows, "yes", "sid"), r"Column 'sid' \(category=\) is not in"),
        (lambda rows: sm.two_proportions(rows, "one", "side"), "the text of a positive row$"),
        (
            lambda rows: sm.two_proportions(rows, "yes", sm.sql("one || 'x'")),
            re.escape("""sm.sql("one || 'x' = ...")"""),
        ),
        (
            lambda rows: sm.chi_square([*rows, {**rows[0], "two": None}], "one", "two"),
            "1 of 401 rows have a NULL, NaN or infinite value of column 'two'",
        ),
        (lambda rows: sm.two_proportions(rows, "yes", "two"), "has 3 categories and two are compared"),
        (lambda rows: sm.two_proportions(rows, "two", "side"), "neither 0 nor 1"),
        (lambda rows: sm.two_proportions(rows, "yes", "side", interval=95), "from 0.000001 to 0.999999"),
        (lambda rows: sm.chi_square([*rows, {**rows[0], "one": None}], "one"), "1 of 401 rows"),
    ],
)
def test_mistakes(call: Any, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=message):
        call(drawn(0))


@pytest.mark.slow
@pytest.mark.parametrize("categories", ["ab", [1, 2], [0.5, 1.5], [False, True]])
@pytest.mark.parametrize("labels", [(False, True), (0, 1)])
def test_categories_are_shown_as_they_are(labels: Any, categories: Any) -> None:
    rows = [{"y": y, "c": c} for y in labels for c in categories]
    (row,) = sm.two_proportions(rows, "y", "c").to_dicts()
    assert [repr(row[side]) for side in ("first", "second")] == [repr(c) for c in categories]


@pytest.mark.slow
def test_python_gives_what_the_macros_give() -> None:
    rows = drawn(3)
    row = sm.chi_square(rows, "one", "two", by="part").to_dicts()[-1]
    assert row["is_total"]
    assert row["part"] is None
    report = sm.two_proportions(rows, sm.sql("yes = 1"), sm.sql("two = 1"))
    (row,) = report.to_dicts()
    assert (row["first"], row["second"]) == (False, True)
    assert report.audit.to_dicts()[0]["n_rows"] == len(rows)
