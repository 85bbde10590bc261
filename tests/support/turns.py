"""Cases that engines leave to each other (`--turns`), of tests that are marked so."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from support.engines import KNOWN


def not_in_turn(items: list[pytest.Item]) -> list[bool]:
    """Whether an engine leaves out an item: the first engine takes each case of a test, the others every third."""
    met: Counter[tuple[Path, str, str]] = Counter()
    left_out = []
    for item in items:
        engine = item.callspec.params["engine"] if item.get_closest_marker("turns") else KNOWN[0]
        test = (item.path, getattr(item, "originalname", item.name), engine)
        left_out.append(engine != KNOWN[0] and (met[test] - KNOWN.index(engine)) % 3 != 0)
        met[test] += 1
    return left_out
