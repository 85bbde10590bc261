"""Random calls: every value is that of the formula in plain Python, and that of SQLite. `make fuzz` makes many more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from support.engines import Engine
from support.fuzz.run import run

#: Metrics of a call, at most. A draw is a metric with its options; one statement of many is cheaper than many of one.
MOST = 30


@pytest.mark.slow
def test_random_calls(opened: Callable[[str], Engine], request: pytest.FixtureRequest) -> None:
    draws = 100 if request.config.getoption("few_cases") else 500
    counted: Counter[str] = Counter()
    while counted["notations"] < draws:
        wrong = run(counted["runs"], MOST, [opened("sqlite")], counted)
        assert wrong is None, wrong
    assert counted["refused"] < counted["calls"] / 4
    assert counted["values beside formulas"] > draws
    assert counted["values beside sqlite"] > 5 * draws
