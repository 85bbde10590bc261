"""Random calls: every value is that of the formula in plain Python, and that of SQLite, or that of another way to it.

`make fuzz` makes many more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from sqlmetrics.book.catalog import of_notation
from support.engines import Engine
from support.fuzz import searched
from support.fuzz.parts import PARTS
from support.fuzz.run import run

#: Metrics of a call, at most. A draw is a metric with its options; one statement of many is cheaper than many of one.
MOST = 30


@pytest.fixture(autouse=True)
def ends_of_searches_lie_in_the_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ends of a difference by the formulas are cut where the metric's range ends, as those of `find_slices`."""
    beside_slices = searched.beside_slices

    def cut(notation: str, mine: Any, expected: Any, two: bool, counted: Counter[str]) -> Any:
        low, high = of_notation(notation).range.low, of_notation(notation).range.high
        widest = (high - low) * (2 if two else 1)
        tests = [one[half] for one in expected.values() for half in ("finding", "confirming")]
        for test in tests:
            if test and test["low"] is not None and math.isfinite(widest):
                test |= {"low": max(test["low"], -widest), "high": min(test["high"], widest)}
        return beside_slices(notation, mine, expected, two, counted)

    monkeypatch.setattr(searched, "beside_slices", cut)


@pytest.mark.slow
def test_random_calls(opened: Callable[[str], Engine], request: pytest.FixtureRequest) -> None:
    draws = 100 if request.config.getoption("few_cases") else 500
    counted: Counter[str] = Counter()
    while counted["notations"] < draws:
        wrong = run(counted["runs"], PARTS["calls"], MOST, [opened("sqlite")], counted)
        assert wrong is None, wrong
    assert counted["refused"] < counted["calls"] / 4
    assert counted["values beside formulas"] > draws
    assert counted["values beside sqlite"] > 5 * draws


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "most", "calls", "beside"),
    [
        ("families", 5, 40, {"formulas": 100, "sqlite": 500}),
        ("searches", 2, 20, {"formulas": 250, "sqlite": 500}),
        ("relations", 3, 30, {"other calls": 400}),
        ("late", 2, 20, {"rows in memory": 100}),
    ],
)
def test_random_calls_of_a_part(
    part: str, most: int, calls: int, beside: dict[str, int], opened: Callable[[str], Engine]
) -> None:
    counted: Counter[str] = Counter()
    while counted["calls"] < calls:
        wrong = run(counted["runs"], PARTS[part], most, [opened("sqlite")], counted)
        assert wrong is None, wrong
    assert counted["refused"] < counted["calls"] / 2
    for what, least in beside.items():
        assert counted[f"values beside {what}"] > least, counted
