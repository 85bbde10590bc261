"""Engines that leave cases to each other (`--turns`): DuckDB takes each, the others share them in two groups.

A test that is marked slow is on one of either group, too, which is chosen by its name. `--long` runs all.
"""

from __future__ import annotations

from collections import defaultdict
from zlib import crc32

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
    left_out: set[pytest.Item] = set()
    tests: defaultdict[object, list[pytest.Item]] = defaultdict(list)
    for item in items:
        engine = item.callspec.params.get("engine") if hasattr(item, "callspec") else None
        if engine not in KNOWN[1:]:
            continue
        if item.get_closest_marker("slow") and not has_name_in_turn(item, engine):
            left_out.add(item)
        elif not (engine in few and is_sampled(item)):
            tests[item.path, item.originalname, engine].append(item)
    for (_, _, engine), cases in tests.items():
        group = group_of(engine)
        turn = group.index(engine) % min(len(group), len(cases))
        left_out |= {case for i, case in enumerate(cases) if i % len(group) != turn}
    return [item in left_out for item in items]


def group_of(engine: str) -> list[str]:
    """The engines that share with one."""
    return next(group for group in GROUPS if engine in group)


def has_name_in_turn(item: pytest.Item, engine: str) -> bool:
    """Whether an engine is the one of its group that takes a slow test."""
    group = group_of(engine)
    named = crc32(f"{item.path.name} {item.originalname}".encode())
    return (group.index(engine) + named) % len(group) == 0


def is_sampled(item: pytest.Item) -> bool:
    """Whether an option of its own says which cases an engine takes (see few.py)."""
    return item.get_closest_marker("sample") is not None or item.originalname == "test_metric"
