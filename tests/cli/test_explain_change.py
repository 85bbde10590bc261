"""`sqlmetrics explain-change` and `sql explain-change`: the result, its statement, and one sentence for a mistake."""

import json

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

FACTS = {
    "label": "grade",
    "score": "score",
    "positive": 1,
    "period": "device",
    "before": "phone",
    "after": "desktop",
}
CALL = ["--label", "grade", "--score", "score", "--positive", "1", "--by", "country", "--period", "device"]
SIDES = ["--before", "phone", "--after", "desktop"]


def test_change(run):
    rows = json.loads(
        printed(run, "explain-change", SEARCH, "-m", "brier", *CALL, *SIDES, "--format", "json")
    )["rows"]
    expected = sm.explain_change(SEARCH, "brier", by="country", **FACTS)
    assert [row["effect"] for row in rows] == expected["effect"]
    assert rows[-1]["is_total"]


def test_statement(run):
    shown = printed(
        run, "sql", "explain-change", "-m", "brier", "--relation", "t", *CALL, *SIDES, "--base", "before"
    )
    expected = sm.render_explain_change("t", "brier", by="country", base="before", **FACTS)
    assert shown.strip() == expected.strip()


def test_several_metrics(run):
    for asked in (["-m", "brier", "-m", "log_loss"], ["-m", "brier,log_loss"]):
        said = refused(run, "explain-change", SEARCH, *asked, *CALL, *SIDES)
        assert "takes one metric, got 'brier,log_loss'" in said


def test_mistakes(run):
    lacking = refused(
        run, "explain-change", SEARCH, "-m", "brier", *CALL, "--before", "7", "--after", "phone", status=3
    )
    assert "No row has the period '7' (--before). Periods: desktop, phone, tablet" in lacking
    assert "Take gauc with --group, the column of the slices" in refused(
        run, "explain-change", SEARCH, "-m", "auc", *CALL, *SIDES
    )
