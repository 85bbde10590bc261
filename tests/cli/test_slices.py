"""`sqlmetrics find-slices` and `sql find-slices`: the result of `find_slices`, its SQL, and mistakes."""

import json

import pytest

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

FACTS = {"label": "grade", "score": "score", "positive": 1, "min_units": 500}
CALL = ["--label", "grade", "--score", "score", "--positive", "1", "--min-units", "500", "--by", "country"]


@pytest.mark.slow
def test_slices(run):
    asked = ("-m", "brier", "-m", "auc", *CALL, "--where", "device = 'phone'", "--format", "json")
    rows = json.loads(printed(run, "find-slices", SEARCH, *asked))["rows"]
    expected = sm.find_slices(SEARCH, ["brier", "auc"], by="country", where="device = 'phone'", **FACTS)
    phone = sm.evaluate(SEARCH, "count", by="country", where="device = 'phone'", label="grade")
    assert [row["slice"] for row in rows] == expected["slice"]
    sizes = {row["country"]: row["n_rows"] for row in phone.to_dicts() if not row["is_total"]}
    assert {row["country"]: row["n_rows"] for row in rows} == sizes


@pytest.mark.slow
def test_each_part_in_a_narrow_window_starts_with_slice_and_metric(run, terminal):
    terminal(80)
    lines = printed(run, "find-slices", SEARCH, "-m", "brier", *CALL, "--by", "device").splitlines()
    heads = [line.split() for line in lines if line.startswith("slice ")]
    assert len(heads) > 2
    assert [head[:2] for head in heads] == [["slice", "metric"]] * len(heads)
    assert sum("n_units" in head for head in heads) == 1


def test_statement(run):
    shown = printed(run, "sql", "find-slices", "--relation", "t", "-m", "brier", *CALL)
    assert shown.strip() == sm.render_find_slices("t", "brier", by="country", **FACTS).strip()


def test_mistake(run):
    assert "depth must be an integer from 1 to 3, got 9" in refused(
        run, "find-slices", SEARCH, "-m", "brier", *CALL, "--depth", "9"
    )
