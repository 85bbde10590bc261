"""Distributions in SQL against scipy, on every engine: relative errors as documented, and what tables print."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from support.distributions import computed, largest_error
from support.engines import Engine

DF = [1, 1.2, 1.5, 2, 3, 4.5, 8, 13, 17.776473516178488, 19.9, 20, 30, 64.5, 100, 200, 1000, 1e4, 1e5]
CHANCES = [
    *(10.0**-e for e in (100, 50, 20, 12, 10, 8, 6, 5, 4, 3)),
    *(i / 40 for i in range(1, 40)),
    0.99, 0.999, 0.999999, 1 - 1e-12,
]  # fmt: skip


@pytest.mark.slow
def test_normal_tails(engine: Engine) -> None:
    norm = pytest.importorskip("scipy.stats").norm
    x = [i / 16 - 21 for i in range(16 * 42 + 1)]
    rows = [{"x": value} for value in x]
    assert largest_error(computed(engine, "normal_sf", "x", rows=rows), norm.sf(x)) < 1e-10
    assert largest_error(computed(engine, "normal_cdf", "x", rows=rows), norm.cdf(x)) < 1e-10


@pytest.mark.sample
def test_normal_quantile(engine: Engine) -> None:
    norm = pytest.importorskip("scipy.stats").norm
    p = [chance for chance in [*CHANCES, 1e-300, 0.0749, 0.0751, 1.3e-11, 1.4e-11] if chance != 0.5]
    got = computed(engine, "normal_quantile", "p", rows=[{"p": chance} for chance in p])
    assert largest_error(got, norm.ppf(p)) < 1e-13
    assert computed(engine, "normal_quantile", "p", rows=[{"p": 0.5}]) == [0]


@pytest.mark.slow
@pytest.mark.parametrize(("macro", "distribution"), [("chi_square_sf", "chi2"), ("student_t_sf", "t")])
def test_tails(macro: str, distribution: str, engine: Engine) -> None:
    tails = getattr(pytest.importorskip("scipy.stats"), distribution)
    points = [(float(tails.isf(p, df)), float(df)) for df in DF for p in CHANCES]
    rows = [{"x": x, "df": df} for x, df in points]
    expected = [tails.sf(x, df) for x, df in points]
    assert largest_error(computed(engine, macro, "x", "df", rows=rows), expected) < 1e-9


@pytest.mark.slow
def test_lower_tail_of_t(engine: Engine) -> None:
    t = pytest.importorskip("scipy.stats").t
    rows = [{"x": float(t.ppf(p, df)), "df": float(df)} for df in DF for p in CHANCES if p != 0.5]
    expected = [t.cdf(row["x"], row["df"]) for row in rows]
    assert largest_error(computed(engine, "student_t_cdf", "x", "df", rows=rows), expected) < 1e-9


@pytest.mark.parametrize("p", [1e-100, 1e-20, 1e-8, 1e-6, 0.005, 0.025, 0.2, 0.6, 0.9, 0.95, 0.975, 0.9999])
def test_quantile_of_t(p: float, engine: Engine) -> None:
    t = pytest.importorskip("scipy.stats").t
    df = [*DF, 2.5, 6, 7, 11, 50, 3333, 1e7]
    got = computed(engine, "student_t_quantile", p, "df", rows=[{"df": float(n)} for n in df])
    assert largest_error(got, [t.ppf(p, n) if p > 0.5 else -t.isf(p, n) for n in df]) < 1e-9


@pytest.mark.slow
def test_integer_arguments(engine: Engine) -> None:
    """Columns of integers give what floats give."""
    for macro in ("chi_square_sf", "student_t_sf"):
        whole = computed(engine, macro, "x", "df", rows=[{"x": 3, "df": 7}, {"x": 20, "df": 7}])
        assert whole == computed(
            engine, macro, "x", "df", rows=[{"x": 3.0, "df": 7.0}, {"x": 20.0, "df": 7.0}]
        )
    assert computed(engine, "normal_sf", "x", rows=[{"x": 2}]) == pytest.approx(
        [0.022750131948179195], rel=1e-10
    )


@pytest.mark.slow
def test_undefined(engine: Engine) -> None:
    nothing = {"x": None, "df": 1.0, "p": None}
    rows = [
        nothing,
        {"x": 1.0, "df": None, "p": 0.0},
        {"x": 1.0, "df": 0.0, "p": 1.0},
        {"x": 1.0, "df": -1.0, "p": 1.5},
    ]
    none = [None] * len(rows)
    assert computed(engine, "chi_square_sf", "x", "df", rows=rows) == none
    assert computed(engine, "student_t_sf", "x", "df", rows=rows) == none
    assert computed(engine, "normal_quantile", "p", rows=rows) == none
    assert computed(engine, "student_t_quantile", 0.975, "df", rows=rows[1:]) == none[1:]
    assert computed(engine, "normal_sf", "x", rows=rows)[0] is None


@pytest.mark.slow
def test_ends(engine: Engine) -> None:
    assert computed(
        engine, "chi_square_sf", "x", "df", rows=[{"x": 0.0, "df": 3.0}, {"x": -1.0, "df": 3.0}]
    ) == [1, 1]
    half = [0.5, 0.5]
    assert computed(
        engine, "student_t_sf", "x", "df", rows=[{"x": 0.0, "df": 1.0}, {"x": 0.0, "df": 9.0}]
    ) == (pytest.approx(half, rel=1e-10))
    for p in (0.5, 0.5 + 1e-13):
        assert computed(engine, "student_t_quantile", p, "df", rows=[{"df": 3.0}]) == [0]


#: What printed tables have, with the digits that they print.
PRINTED = [
    ("student_t_quantile", {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}),
    ("chi_square_sf", {1: 3.841, 2: 5.991, 3: 7.815, 5: 11.070, 10: 18.307, 30: 43.773, 100: 124.342}),
]


@pytest.mark.slow
@pytest.mark.sample
def test_printed_tables(engine: Engine) -> None:
    for macro, table in PRINTED:
        rows = [{"df": float(df), "x": x} for df, x in table.items()]
        if macro == "student_t_quantile":
            got = computed(engine, macro, 0.975, "df", rows=rows)
            assert [round(value, 3) for value in got] == list(table.values())
        else:
            assert [round(value, 4) for value in computed(engine, macro, "x", "df", rows=rows)] == [
                0.05
            ] * len(rows)


@pytest.mark.slow
def test_the_coin(engine: Engine) -> None:
    """3 and 7 of 10 throws: chi-square 1.6 with one degree of freedom."""
    (chance,) = computed(engine, "chi_square_sf", "x", "df", rows=[{"x": 1.6, "df": 1.0}])
    assert chance == pytest.approx(math.erfc(math.sqrt(0.8)), rel=1e-10)
    assert round(chance, 4) == 0.2059


@pytest.mark.parametrize("p", [0, 1, -0.1, "p", None])
def test_a_chance_that_is_none(p: Any) -> None:
    with pytest.raises(SqlMetricsError, match="p must be a number between 0 and 1"):
        macros("duckdb")["student_t_quantile"](p, "df")
