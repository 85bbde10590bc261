"""Cases that engines leave to each other (`--turns`): of tests that are marked so, and of all on slow engines."""

from __future__ import annotations

from collections import defaultdict

import pytest

from support.engines import KNOWN

TURNS = 3
#: of the slow engines, which are six: each case is on one of them
SLOW_TURNS = 6


def not_in_turn(items: list[pytest.Item], slow: list[str]) -> list[bool]:
    """Whether an engine leaves out an item: of a test the first engine takes each case, others every third or sixth."""
    tests: defaultdict[object, list[pytest.Item]] = defaultdict(list)
    for item in items:
        engine = item.callspec.params.get("engine") if hasattr(item, "callspec") else None
        in_turn = item.get_closest_marker("turns") or (engine in slow and not is_sampled(item))
        if in_turn and engine in KNOWN[1:]:
            tests[item.path, item.originalname, engine].append(item)
    left_out: set[pytest.Item] = set()
    for (_, _, engine), cases in tests.items():
        every = SLOW_TURNS if engine in slow else TURNS
        turn = KNOWN.index(engine) % min(every, len(cases))
        left_out |= {case for i, case in enumerate(cases) if i % every != turn}
    return [item in left_out for item in items]


def is_sampled(item: pytest.Item) -> bool:
    """Whether an option of its own says which cases a slow engine takes (see few.py)."""
    return item.get_closest_marker("sample") is not None or item.originalname == "test_metric"
