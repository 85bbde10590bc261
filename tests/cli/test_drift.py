"""`sqlmetrics drift` and `sql drift`: the result of `drift`, its statement, and one sentence for a mistake."""

import json

import pytest

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

PERIOD = ["--period", "sql:position <= 5", "--before", "true", "--after", "false"]


@pytest.mark.slow
def test_drift(run):
    asked = ["--reference", SEARCH, "--columns", "country,score", "--by", "device", "--format", "json"]
    rows = json.loads(printed(run, "drift", SEARCH, *asked))["rows"]
    expected = sm.drift(SEARCH, SEARCH, columns=["country", "score"], by="device").to_dicts()
    assert [row["column_name"] for row in rows] == ["country", "score"] * (len(rows) // 2)
    for row, same in zip(rows, expected, strict=True):
        assert row == pytest.approx(same)


def test_statement(run):
    asked = ["--relation", "june", "--reference", "may", "--columns", "country,score", "--numeric", "score"]
    shown = printed(run, "sql", "drift", *asked)
    expected = sm.render_drift("june", "may", columns=["country", "score"], numeric="score")
    assert shown.strip() == expected.strip()


@pytest.mark.slow
def test_mistakes(run):
    assert "drift takes --reference, a second table, or --period with" in refused(run, "drift", SEARCH)
    asked = ["--period", "country", "--before", "DE", "--after", "Atlantis"]
    assert "no row where --period country is 'Atlantis'" in refused(run, "drift", SEARCH, *asked, status=3)


@pytest.mark.slow
def test_states(run, tmp_path):
    """Two periods of one, and two of them; no data are read again."""
    made = str(tmp_path / "devices.parquet")
    facts = ["--label", "grade", "--score", "score", "--positive", "1"]
    sliced = ["-m", "brier", *facts, "--period", "device", "--by", "country"]
    assert printed(run, "state", SEARCH, *sliced, "--output", made) == ""
    sides = ["--before", "desktop", "--after", "phone"]
    got = json.loads(printed(run, "drift", made, *sides, "--format", "json"))["rows"]
    direct = {"columns": "country", "period": "device", "before": "desktop", "after": "phone"}
    expected = sm.drift(SEARCH, **direct).to_dicts()
    for row, same in zip(got, expected, strict=True):
        assert row == pytest.approx(same)
    part = ["--where", "device <> 'phone'"]
    shown = printed(
        run, "drift", made, "--reference", made, *part, "--columns", "country", "--format", "json"
    )
    [row] = json.loads(shown)["rows"]
    assert (row["psi"], row["n_current"]) == (0, row["n_reference"])
    assert "drift of a state needs --before and --after, two of its periods" in refused(run, "drift", made)
    lacking = refused(run, "drift", made, "--before", "desktop", "--after", "watch", status=3)
    assert "No row has the period 'watch' (--after). Periods: desktop, phone, tablet" in lacking


def test_statement_of_a_state(run):
    sides = ["--period", "sql:day > 3", "--before", "true", "--after", "false"]
    of_state = ["--of-state", "--made-period", "day", "--made-where", "w > 0"]
    asked = ["--relation", "s", "--columns", "country", "--dialect", "postgres"]
    shown = printed(run, "sql", "drift", *asked, *sides, *of_state)
    expected = sm.render_drift(
        "s", columns="country", period=sm.sql("day > 3"), before="true", after="false", of_state=True,
        made_period="day", made_where="w > 0", dialect="postgres",
    )  # fmt: skip
    assert shown.strip() == expected.strip()
