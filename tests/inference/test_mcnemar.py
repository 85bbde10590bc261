"""McNemar's test on every engine: published values, statsmodels on random data, Newcombe's formula in Python."""

from __future__ import annotations

import math
import random
from statistics import NormalDist
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]
COUNTS = ("n_both_right", "n_only_baseline", "n_only_candidate", "n_both_wrong")


def ran(engine: Engine, rows: Rows, **facts: Any) -> Rows:
    statement = macros(engine.dialect)["mcnemar"](
        "given", "y", **{"baseline": "one", "candidate": "two", **facts}
    )
    return engine.query(str(statement), {"given": rows})


def counted(*counts: float) -> Rows:
    """Both right, only the baseline, only the candidate, both wrong."""
    pairs = ((1, 1), (1, 0), (0, 1), (0, 0))
    return [{"y": 1, "one": one, "two": two, "n": n} for (one, two), n in zip(pairs, counts, strict=True)]


def drawn(seed: int, n: int) -> Rows:
    """Classes of three, which either classifier gets wrong at times."""
    draw = random.Random(seed)
    return [
        {
            "part": draw.choice("xy"),
            "y": (label := draw.choice("abc")),
            "one": label if draw.random() < 0.6 else draw.choice("abc"),
            "two": label if draw.random() < 0.7 else draw.choice("abc"),
        }
        for _ in range(n)
    ]


def counts_of(rows: Rows) -> list[int]:
    right = [(row["one"] == row["y"], row["two"] == row["y"]) for row in rows]
    return [right.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]


def newcombe(a: float, b: float, c: float, d: float, confidence: float = 0.95) -> tuple[float, float]:
    """Method 10 of Newcombe (1998), the interval of the share (a + c) / n less the share (a + b) / n."""
    n, z = a + b + c + d, NormalDist().inv_cdf((1 + confidence) / 2)

    def wilson(positive: float) -> tuple[float, float]:
        middle, reach = 2 * positive + z * z, z * math.sqrt(z * z + 4 * positive * (1 - positive / n))
        return (middle - reach) / (2 * (n + z * z)), (middle + reach) / (2 * (n + z * z))

    first, second = (a + c) / n, (a + b) / n
    (low_1, high_1), (low_2, high_2) = wilson(a + c), wilson(a + b)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    above = a * d - b * c
    phi = (max(above - n / 2, 0) if above > 0 else above) / math.sqrt(margins) if margins else 0
    one, other = first - low_1, high_2 - second
    delta = math.sqrt(one**2 - 2 * phi * one * other + other**2)
    one, other = high_1 - first, second - low_2
    epsilon = math.sqrt(one**2 - 2 * phi * one * other + other**2)
    return first - second - delta, first - second + epsilon


@pytest.mark.slow
def test_votes(engine: Engine) -> None:
    """Approval of 1,600 people asked twice (Agresti 2002, table 10.1): chi-square 17.36."""
    (row,) = ran(engine, counted(794, 86, 150, 570), weight="n")
    assert row["statistic"] == pytest.approx(17.35593220338983, rel=1e-12)
    assert row["p_value"] == pytest.approx(3.0993e-05, rel=2e-5)
    assert [row[name] for name in COUNTS] == [794, 86, 150, 570]
    assert row["accuracy_baseline"] == pytest.approx(0.55)
    assert row["accuracy_candidate"] == pytest.approx(0.59)


@pytest.mark.slow
def test_newcombes_interval(engine: Engine) -> None:
    """36, 12, 2 and 0 pairs: 0.2, from 0.0569 to 0.3404 (Newcombe 1998, method 10)."""
    (row,) = ran(engine, counted(36, 2, 12, 0), weight="n")
    assert [round(row[name], 4) for name in ("difference", "low", "high")] == [0.2, 0.0569, 0.3404]


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize(("seed", "n"), [(0, 400), (1, 60), (2, 9)])
def test_slices(seed: int, n: int, engine: Engine) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    rows = drawn(seed, n)
    for row in ran(engine, rows, by="part", interval=0.9):
        a, b, c, d = counts_of([r for r in rows if row["is_total"] or r["part"] == row["part"]])
        assert [row[name] for name in COUNTS] == [a, b, c, d]
        total = a + b + c + d
        assert row["difference"] == pytest.approx((c - b) / total, rel=1e-12, abs=1e-15)
        assert (row["low"], row["high"]) == pytest.approx(newcombe(a, b, c, d, 0.9), rel=1e-9, abs=1e-12)
        asymptotic = tables.mcnemar([[a, b], [c, d]], exact=False, correction=False)
        exact = tables.mcnemar([[a, b], [c, d]], exact=True)
        assert (row["statistic"], row["p_value"]) == pytest.approx((asymptotic.statistic, asymptotic.pvalue))
        assert row["p_exact"] == pytest.approx(exact.pvalue, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    "counts",
    [
        (5, 0, 0, 0), (0, 0, 0, 5), (3, 0, 4, 0), (0, 7, 0, 0), (0, 3, 3, 0), (50, 1, 0, 50),
        (10**9, 5 * 10**4, 10**4, 10**6),
    ],
)  # fmt: skip
def test_tables_at_the_edge(counts: tuple[int, ...], engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = [row for row in counted(*counts) if row["n"]]
    (row,) = ran(engine, rows, weight="n")
    assert (row["low"], row["high"]) == pytest.approx(newcombe(*counts), rel=1e-9, abs=1e-12)
    b, c = counts[1:3]
    if b + c == 0:  # nothing to test: statsmodels, too, has no p-value, but 1 for the exact one
        assert (row["statistic"], row["p_value"], row["p_exact"]) == (None, None, None)
        return
    assert row["statistic"] == pytest.approx((b - c) ** 2 / (b + c))
    expected = max(stats.chi2.sf(row["statistic"], 1), 1e-300), max(stats.binomtest(b, b + c).pvalue, 1e-300)
    assert (row["p_value"], row["p_exact"]) == pytest.approx(expected, rel=1e-9, abs=1e-280)
    assert row["p_value"] > 0
    assert row["p_exact"] > 0


@pytest.mark.slow
def test_parts_of_rows_have_no_exact_test(engine: Engine) -> None:
    (row,) = ran(engine, counted(4.5, 2.5, 1, 3), weight="n")
    assert row["n_only_baseline"] == 2.5
    assert row["statistic"] == pytest.approx(1.5**2 / 3.5)
    assert row["p_exact"] is None


@pytest.mark.slow
def test_rows_that_are_counted(engine: Engine) -> None:
    rows = drawn(3, 50)
    (raw,) = ran(engine, rows)
    (from_counts,) = ran(engine, counted(*counts_of(rows)), weight="n")
    for name in (*COUNTS, "difference", "low", "high", "statistic", "p_value", "p_exact"):
        assert raw[name] == pytest.approx(from_counts[name], rel=1e-12)


@pytest.mark.slow
def test_rows_without_a_class(engine: Engine) -> None:
    rows = drawn(4, 20)
    missing = [{**rows[0], column: None} for column in ("y", "one", "two")]
    (row,) = ran(engine, rows + missing)
    assert (row["n_rows"], row["rows_dropped"], row["rows_bad_label"], row["rows_bad_prediction"]) == (
        23,
        3,
        2,
        1,
    )
    assert [row[name] for name in COUNTS] == counts_of(rows)


@pytest.mark.slow
def test_python_gives_what_the_macro_gives() -> None:
    rows = drawn(5, 80)
    report = sm.mcnemar(rows, "y", "one", "two", by="part")
    total = report.to_dicts()[-1]
    assert total["is_total"]
    assert [total[name] for name in COUNTS] == counts_of(rows)
    assert report.audit.to_dicts()[-1]["n_rows"] == 80
    decided = sm.mcnemar(rows, sm.sql("y = 'a'"), sm.sql("one = 'a'"), sm.sql("two = 'a'")).to_dicts()[0]
    assert decided["accuracy_baseline"] == sum((r["y"] == "a") == (r["one"] == "a") for r in rows) / 80


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rows: sm.mcnemar(rows, "y", "on", "two"), r"Column 'on' \(baseline=\) is not in"),
        (lambda rows: sm.mcnemar(rows, "y", "one", "tow"), r"Column 'tow' \(candidate=\) is not in"),
        (lambda rows: sm.mcnemar(rows, "y", None, "two"), "baseline= takes a column name or sm.sql"),
        (lambda rows: sm.mcnemar(rows, "y", "one", "two", interval=95), "from 0.000001 to 0.999999"),
        (lambda rows: sm.mcnemar([{**r, "two": 1} for r in rows], "y", "one", "two"), "is text .* is a number"),
        (lambda rows: sm.mcnemar([{**r, "one": 1} for r in rows], "y", "one", "two"), "column 'one' is a number"),
        (
            lambda rows: sm.mcnemar([*rows, {**rows[0], "one": None}], "y", "one", "two"),
            "1 of 31 rows have a NULL, NaN or infinite value of column 'y' or 'one'",
        ),
        (
            lambda rows: sm.mcnemar([*rows, {**rows[0], "two": None}], "y", "one", "two"),
            "1 of 31 rows have a NULL, NaN or infinite value of column 'two'",
        ),
    ],
)  # fmt: skip
def test_mistakes(call: Any, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=message):
        call(drawn(0, 30))
