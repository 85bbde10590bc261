"""Intervals at the command line: as `evaluate` gives them, in every form of output."""

import csv
import io
import json

import pytest

import sqlmetrics as sm
from support.command_line import FACTS, ROLES, SEARCH, printed, refused

CALL = ("evaluate", SEARCH, "--metrics", "ndcg@10,mrr", *ROLES, "--by", "country", "--interval", "0.9")


@pytest.mark.slow
def test_the_command_line(run, terminal):
    expected = sm.evaluate(SEARCH, ["ndcg@10", "mrr"], **FACTS, by="country", interval=0.9).to_dicts()
    names = [f"{metric}{end}" for metric in ("ndcg_10", "mrr") for end in ("", "_low", "_high")]
    [*_, total] = expected

    def agree(found: list[dict]):
        assert [name for name in found[0] if name in names] == names
        for row, other in zip(found, expected, strict=True):
            assert [float(row[name]) for name in names] == pytest.approx(
                [other[name] for name in names], rel=1e-12
            )

    agree(list(csv.DictReader(io.StringIO(printed(run, *CALL, "--format", "csv")))))
    agree(json.loads(printed(run, *CALL, "--format", "json"))["rows"])
    terminal(200)
    table = printed(run, *CALL)
    assert f"{total['mrr']:.4f} [{total['mrr_low']:.4f}, {total['mrr_high']:.4f}]" in table


@pytest.mark.slow
def test_mistakes_at_the_command_line(run):
    assert "interval must be a number from 0.000001 to 0.999999" in refused(run, *CALL[:-1], "95")
    assert "interval_method must be one of" in refused(run, *CALL, "--interval-method", "exat")
    assert "n_resamples must be" in refused(run, *CALL, "--n-resamples", "3")


def test_the_statement_at_the_command_line(run):
    words = ("sql", "--relation", "t", "--metrics", "ndcg@10", *ROLES, "--interval", "0.9")
    assert "ndcg_10_low" in printed(run, *words)


@pytest.mark.slow
def test_the_size_of_a_study(run):
    words = (
        "sample-size",
        SEARCH,
        "-m",
        "auc,log_loss",
        "--baseline",
        "score_b",
        "--label",
        "grade",
        "--positive",
        "1",
    )
    pairs = (*words, "--candidate", "score", "--group", "query_id")
    asked = {"label": "grade", "positive": 1, "baseline": "score_b"}
    for said, python in (
        ((*pairs, "--difference", "auc=0.01,log_loss=0.02"), {"difference": {"auc": 0.01, "log_loss": 0.02}}),
        ((*pairs, "--n", "500"), {"n": 500}),
    ):
        got = json.loads(printed(run, *said, "--format", "json"))
        expected = sm.sample_size(
            SEARCH, ["auc", "log_loss"], candidate="score", group="query_id", **asked, **python
        )
        rows = got["rows"] if isinstance(got, dict) else got
        assert [(row["n"], row["rows"]) for row in rows] == list(
            zip(expected["n"], expected["rows"], strict=True)
        )
    assert "such as --difference 0.01, or the number of units, such as --n 500" in refused(run, *words)
    assert "--difference takes a number, or metrics and their numbers" in refused(
        run, *words, "--difference", "x"
    )
    assert "--difference has 'mrr'" in refused(run, *words, "--difference", "mrr=1")


@pytest.mark.slow
def test_a_margin_of_each_metric_may_be_an_option_of_its_own(run):
    models = ["--baseline", "score", "--candidate", "score_b", "--label", "grade", "--positive", "1"]
    call = ["compare", SEARCH, "-m", "auc,log_loss", *models, "--format", "json"]
    given = ["--margin", "auc=0.01", "--margin", "log_loss=0.2"]
    assert [row["margin"] for row in json.loads(printed(run, *call, *given))["rows"]] == [0.01, 0.2]
