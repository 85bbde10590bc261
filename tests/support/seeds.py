"""Seeds of random data: few at each run, many in `make test-long`."""

from typing import Any

import pytest


def seeds(few: int, many: int = 50) -> list[Any]:
    """The first `few` seeds for every run, and the others up to `many` for a run with --long."""
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, many))]
