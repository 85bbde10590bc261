"""Intervals of quantiles: an end is null where so few units lie beyond the quantile that nobody can say where it is."""

from __future__ import annotations

import math

import pytest

import sqlmetrics as sm
from sqlmetrics.book.plan import planned
from sqlmetrics.book.templates import macros
from support.engines import Engine


def least(share: float, level: float) -> int:
    """By the definition: the fewest units of which one lies beyond often enough, and five are expected to."""
    n = 1
    while share**n > (1 - level) / 2:
        n += 1
    return max(n, math.ceil(5 / (1 - share) - 1e-6))


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_how_many_units_an_end_needs(level: float) -> None:
    plan = planned("duckdb", "plan", relation="t", metrics="count", interval=level).raw
    for share in (0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999):
        assert int(macros("duckdb")["units_to_pass"](plan, share)) == least(share, level)


def test_ends_of_few_rows(engine: Engine) -> None:
    """Slices of 9 to 100 numbers: the median has both ends from 10 rows on, q=0.95 its upper end from 100."""
    sizes = (9, 10, 99, 100)
    rows = [{"part": size, "x": float(i * i % 101), "u": i // 2} for size in sizes for i in range(size)]
    asked = {
        "half": "quantile(column=x)",
        "high": "quantile(column=x, q=0.95)",
        "low": "quantile(column=x, q=0.05)",
    }
    facts = {"by": ["part"], "total": False, "interval": 0.95, "n_resamples": 60}
    sql = sm.render("given", asked, dialect=engine.dialect, **facts)
    found = {row["part"]: row for row in engine.query(sql, {"given": rows})}
    for size in sizes:
        row = found[size]
        assert (row["half_low"] is None, row["half_high"] is None) == (size < 10, size < 10)
        assert (row["high_high"] is None, row["low_low"] is None) == (size < 100, size < 100)
        assert None not in (row["high_low"], row["low_high"])
        for name in asked:
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            assert low is None or low <= row[name]
            assert high is None or row[name] <= high


def test_groups_are_the_units_and_a_note_says_what_is_missing() -> None:
    rows = [{"x": float(i % 13), "u": i // 2} for i in range(120)]
    asked = "quantile(column=x, q=0.95)"
    assert sm.evaluate(rows, {"q": asked}, interval=0.9, n_resamples=60)["q_high"] != [None]
    report = sm.evaluate(rows, {"q": asked}, interval=0.9, n_resamples=60, group="u")
    assert report["q_high"] == [None]
    assert "an end of the interval is missing: q" in " ".join(report.notes())
