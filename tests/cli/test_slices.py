"""`sqlmetrics slices` and `sql-slices`: the result of `find_slices`, its statement, and one sentence for a mistake."""

import json

import pytest

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

FACTS = {"label": "grade", "score": "score", "positive": 1, "min_units": 500}
CALL = ["--label", "grade", "--score", "score", "--positive", "1", "--min-units", "500", "--by", "country"]


@pytest.mark.slow
def test_slices(run):
    rows = json.loads(printed(run, "slices", SEARCH, "-m", "brier", *CALL, "--format", "json"))["rows"]
    expected = sm.find_slices(SEARCH, "brier", by="country", **FACTS)
    assert [row["slice"] for row in rows] == expected["slice"]
    assert rows[0]["slices_looked_at"] == len(rows) == 5


def test_statement(run):
    shown = printed(run, "sql-slices", "--relation", "t", "-m", "brier", *CALL)
    assert shown.strip() == sm.render_find_slices("brier", "t", by="country", **FACTS).strip()


def test_mistake(run):
    assert "depth must be an integer from 1 to 3, got 9" in refused(
        run, "slices", SEARCH, "-m", "brier", *CALL, "--depth", "9"
    )
