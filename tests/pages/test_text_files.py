"""A page over a text file whose decimals begin late: as of every other call (tests/engines/test_text_files.py)."""

import re
from pathlib import Path

import pytest

import sqlmetrics as sm
from support.text_files import LATE, written


@pytest.mark.slow
def test_scores_that_become_fractions_late(tmp_path: Path) -> None:
    page = sm.report(written(tmp_path, LATE), "auc", label="y", score="s").html
    found = re.search(r">auc<.*?<td>([\d.]+)", page)
    assert found is not None
    assert float(found[1]) == 1
