"""`sqlmetrics drift` and `sql-drift`: the result of `drift`, its statement, and one sentence for a mistake."""

import json

import pytest

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

PERIOD = ["--period", "sql:position <= 5", "--before", "true", "--after", "false"]


def test_drift(run):
    asked = ["--reference", SEARCH, "--columns", "country,score", "--by", "device", "--format", "json"]
    rows = json.loads(printed(run, "drift", SEARCH, *asked))["rows"]
    expected = sm.drift(SEARCH, SEARCH, columns=["country", "score"], by="device").to_dicts()
    assert [row["column_name"] for row in rows] == ["country", "score"] * (len(rows) // 2)
    for row, same in zip(rows, expected, strict=True):
        assert row == pytest.approx(same)


def test_statement(run):
    asked = ["--relation", "june", "--reference", "may", "--columns", "country,score", "--numeric", "score"]
    shown = printed(run, "sql-drift", *asked)
    expected = sm.render_drift("june", "may", columns=["country", "score"], numeric="score")
    assert shown.strip() == expected.strip()


def test_mistakes(run):
    assert "drift takes reference=, a second table, or period= with" in refused(run, "drift", SEARCH)
    asked = ["--period", "country", "--before", "DE", "--after", "Atlantis"]
    assert "no row where period='country' is 'Atlantis'" in refused(run, "drift", SEARCH, *asked, status=3)
