"""Processes that tests start."""

import os

from support.paths import ROOT, TESTS


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a Python that imports the package and the helpers of tests."""
    before = filter(None, [os.environ.get("PYTHONPATH")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(TESTS), *before]), **more}
