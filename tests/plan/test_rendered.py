"""Fingerprints and tests of errors render every line of the macros, but for those that are counted as known."""

import subprocess
import sys

import pytest

from support.paths import TESTS


@pytest.mark.slow
def test_no_further_line_is_rendered_by_nobody() -> None:
    """In a process of its own, whose macros note each line that they come to."""
    run = subprocess.run(
        [sys.executable, "-m", "support.rendered"], cwd=TESTS, capture_output=True, text=True, check=False
    )
    assert not run.returncode, run.stdout + run.stderr
