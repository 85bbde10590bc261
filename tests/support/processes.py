"""Processes that tests start."""

import os

from support.paths import ROOT, TESTS


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a Python that imports the package and the helpers of tests."""
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{TESTS}", **more}
