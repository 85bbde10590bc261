"""A run of random calls from a seed, by Hypothesis, which makes a wrong call small."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from support.engines import Engine
from support.fuzz.answers import DifferenceError
from support.fuzz.parts import Part

#: Calls of a run. After its first ten examples Hypothesis mostly alters what it has tried.
EACH = 10


def run(first: int, part: Part, most: int, engines: list[Engine], counted: Counter[str]) -> str | None:
    """Makes `EACH` calls from a seed, or those up to the first that is wrong; gives that, as small as it can be.

    Args:
        most: the metrics of a call, at most.
        counted: what was compared so far, to which this run adds.
    """
    failed = False

    @seed(first)
    @settings(
        max_examples=EACH,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(part.calls(most))
    def agrees(call: Any) -> None:
        nonlocal failed
        try:
            # what is tried to make a wrong call smaller is not counted
            part.check(call, engines, Counter() if failed else counted)
        except DifferenceError:
            failed = True
            raise

    try:
        agrees()
    except DifferenceError as difference:
        counted["wrong calls"] += 1
        return str(difference)
    finally:
        counted["runs"] += 1
    return None
