"""The session of Spark that tests of its DataFrames and evaluators share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.engines import Engine, NoEngineError, asked


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest, opened: Callable[[str], Engine]) -> Any:
    """The session of the engine under test."""
    if "spark" not in asked(request.config.getoption("engines")):
        pytest.skip("spark is not among --engines")
    try:
        opened("spark")
    except NoEngineError as missing:
        pytest.skip(str(missing))
    from pyspark.sql import SparkSession

    return SparkSession.active()
