"""`sqlmetrics curve`."""

import json
import re

import sqlmetrics as sm
from support.command_line import SEARCH, printed, refused

CALL = ("curve", "calibration(bins=5)", SEARCH, "--label", "grade", "--score", "score", "--positive", "1")


def test_the_points_are_those_of_python(run):
    found = sm.curve(SEARCH, "calibration(bins=5)", label="grade", score="score", positive=1)
    assert [point["bin_rows"] for point in json.loads(printed(run, *CALL, "--format", "json"))["rows"]] == [
        point["bin_rows"] for point in found.to_dicts()
    ]


def test_bands(run):
    asked = (
        "--label",
        "grade",
        "--score",
        "score",
        "--positive",
        "1",
        "--interval",
        "0.9",
        "--band",
        "simultaneous",
    )
    found = sm.curve(
        SEARCH, "roc(points=20)", label="grade", score="score", positive=1, interval=0.9, band="simultaneous"
    )
    printed_rows = json.loads(printed(run, "curve", "roc(points=20)", SEARCH, *asked, "--format", "json"))[
        "rows"
    ]
    assert [point["tpr_low"] for point in printed_rows] == [point["tpr_low"] for point in found.to_dicts()]


def test_mistakes_of_bands(run):
    asked = ("curve", "roc", SEARCH, "--label", "grade", "--score", "score", "--positive", "1")
    assert "--band simultaneous needs --interval" in refused(run, *asked, "--band", "simultaneous")
    assert "leave it out for gain" in refused(run, "curve", "gain", *asked[2:], "--interval", "0.9")
    assert "pointwise" in refused(run, *asked, "--interval", "0.9", "--band", "wide")


def test_slices_and_models(run):
    out = printed(run, *CALL, "--score", "old=score_b", "--by", "country")
    assert out.splitlines()[0].split()[:3] == ["country", "model", "bin"]
    assert out.splitlines()[-1].startswith("all")


def test_mistakes(run):
    assert "Unknown curve 'rock'. Did you mean 'roc'?" in refused(run, "curve", "rock", *CALL[2:])
    assert "neither 0 nor 1" in refused(run, *CALL[:-2], status=3)


def test_help_names_the_kinds(run):
    assert (
        "calibration, det, gain, net_benefit, precision_recall, qini, residuals, roc, thresholds"
        in " ".join(printed(run, "curve", "--help").split())
    )


def test_show(run):
    assert printed(run, "show", "roc").startswith("roc\n\nROC curve")


def test_data_may_come_first(run):
    """As in Python."""
    asked = (*CALL[3:], "--format", "json")
    assert run("curve", SEARCH, CALL[1], *asked).out == run(*CALL[:3], *asked).out


def test_no_curve_or_no_data(run, tmp_path):
    """The message has the curves, and a command that works."""
    said = refused(run, "curve", SEARCH)
    assert f"Name a curve, such as sqlmetrics curve {SEARCH} roc; known: calibration, det, gain" in said
    assert run(*re.search("such as sqlmetrics (.*);", said)[1].split(), *CALL[3:]).status == 0
    assert "Name a curve, such as" in refused(run, "curve", SEARCH, SEARCH, *CALL[3:])
    assert "Name the data, such as sqlmetrics curve rows.parquet gain" in refused(run, "curve", "gain")
    assert "Name the data, such as sqlmetrics curve rows.parquet roc" in refused(run, "curve")
    for words in ((SEARCH, "rock"), ("rock", SEARCH), (f"new={SEARCH}", f"old={SEARCH}", "rock")):
        assert "Unknown curve 'rock'. Did you mean 'roc'?" in refused(run, "curve", *words, *CALL[3:])


def test_a_switch_takes_no_value(run):
    for written in (("--soft", "True"), ("--soft=true",), ("--no-total", "false")):
        name = written[0].partition("=")[0]
        told = f"{name} is a switch and takes no value; write {name}, or leave it out"
        assert told in refused(run, *CALL, *written)
