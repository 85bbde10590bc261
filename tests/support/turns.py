"""Engines that leave cases to each other (`--turns`): DuckDB takes each, the others share them in two groups."""

from __future__ import annotations

from collections import defaultdict

import pytest

from support.engines import KNOWN, LIGHT

#: Those that start at once, and the slow ones: each case is on one of either group.
GROUPS = [LIGHT[1:], KNOWN[len(LIGHT) :]]


def not_in_turn(items: list[pytest.Item], few: list[str]) -> list[bool]:
    """Whether an engine leaves out an item, the same ones in every run.

    Args:
        items: what was collected.
        few: engines of `--few-cases`, on which tests that are sampled say themselves which cases they take.
    """
    tests: defaultdict[object, list[pytest.Item]] = defaultdict(list)
    for item in items:
        engine = item.callspec.params.get("engine") if hasattr(item, "callspec") else None
        if engine in KNOWN[1:] and not (engine in few and is_sampled(item)):
            tests[item.path, item.originalname, engine].append(item)
    left_out: set[pytest.Item] = set()
    for (_, _, engine), cases in tests.items():
        group = next(group for group in GROUPS if engine in group)
        turn = group.index(engine) % min(len(group), len(cases))
        left_out |= {case for i, case in enumerate(cases) if i % len(group) != turn}
    return [item in left_out for item in items]


def is_sampled(item: pytest.Item) -> bool:
    """Whether an option of its own says which cases an engine takes (see few.py)."""
    return item.get_closest_marker("sample") is not None or item.originalname == "test_metric"
