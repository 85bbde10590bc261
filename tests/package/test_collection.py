"""How workers share tests. That all collect the same names, pytest-xdist sees in each run."""

import os
import subprocess
import sys

import pytest

from support.paths import ROOT


@pytest.mark.slow
def test_a_worker_takes_a_group() -> None:
    """Otherwise each worker starts every engine, and builds the site; releases of pytest have broken it silently."""
    one = "tests/conformance/test_conformance.py::test_metric[duckdb-tied]"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-vv",
        "-n1",
        "--dist=loadgroup",
        "-p",
        "no:cacheprovider",
        one,
    ]
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    told = subprocess.run(
        command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=True
    ).stdout
    assert f"{one}@case tied" in told
