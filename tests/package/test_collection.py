"""Names of tests are the same in each run: workers that collect other names run none."""

import os
import subprocess
import sys
import time

import pytest

from support.paths import ROOT


@pytest.mark.slow
def test_each_run_collects_the_same_tests() -> None:
    """Also a second later, and with other hashes of texts."""
    runs = []
    for seed in ("1", "2"):
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "--quiet",
            "--long",
            "-p",
            "no:cacheprovider",
        ]
        runs.append(
            subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONHASHSEED": seed},
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        time.sleep(1.1)
    first, second = ([line for line in run.communicate()[0].splitlines() if "::" in line] for run in runs)
    assert len(first) > 10_000
    assert first == second


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
