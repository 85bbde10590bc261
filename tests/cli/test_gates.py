"""Limits on the command line: what is printed, and the status."""

import pytest

import sqlmetrics as sm
from support.command_line import FACTS as PYTHON
from support.command_line import SEARCH, SLICED, printed, refused

FACTS = ("--label", "grade", "--group", "query_id", "--positive", "1")
MODELS = ("evaluate", SEARCH, "-m", "auc,log_loss", "--score", "new=score", "--score", "old=score_b", *FACTS)


@pytest.mark.slow
def test_limits_that_are_kept_print_the_same(run):
    assert printed(run, *SLICED, "--fail-under", "auc=0.7,ndcg@10=0.6", "--fail-null") == printed(
        run, *SLICED
    )


@pytest.mark.slow
def test_limits_that_are_missed_are_lines_after_the_same_result(run):
    words = (*MODELS, "--by", "country")
    done = run(*words, "--fail-under", "auc=0.7", "--fail-over", "log_loss=0.6")
    assert done.out == printed(run, *words)
    models = {"new": "score", "old": "score_b"}
    rows = sm.evaluate(SEARCH, ["auc", "log_loss"], by="country", **{**PYTHON, "score": models}).to_dicts()
    lines = [
        f"Failed: {'all' if row['is_total'] else 'country=' + row['country']}, model {row['model']}:"
        f" {metric} is {row[metric]:.4f}; it has to be {limit}"
        for metric, limit, missed in (
            ("auc", ">= 0.7", lambda value: value < 0.7),
            ("log_loss", "<= 0.6", lambda value: value > 0.6),
        )
        for row in rows
        if missed(row[metric])
    ]
    assert (done.status, done.err.splitlines()) == (1, lines)
    assert len(lines) > 3


@pytest.mark.slow
def test_the_total_alone(run):
    words = (
        *MODELS,
        "--by",
        "country",
        "--fail-under",
        "auc=0.7",
        "--fail-over",
        "log_loss=0.6",
        "--fail-on",
        "total",
    )
    done = run(*words)
    assert done.status == 1
    assert done.err.startswith("Failed: all, model old: log_loss is 0.6221;")
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_a_metric_without_a_value(run, tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("y,p\n1,0.5\n1,0.7\n")
    words = ("evaluate", str(file), "-m", "auc,brier", "--label", "y", "--score", "p")
    assert run(*words, "--fail-under", "auc=0").err == "Failed: auc has no value; it has to be >= 0\n"
    assert run(*words, "--fail-null").err == "Failed: auc has no value\n"
    assert run(*words, "--fail-over", "brier=1").status == 0


def test_a_limit_on_the_good_side_is_noted(run):
    done = run(*MODELS, "--fail-under", "log_loss=0.4")
    note = (
        "Note: a lower log_loss is better, so --fail-under log_loss=0.4 fails good models;"
        " --fail-over log_loss=0.4 fails bad ones\n"
    )
    assert (done.status, done.err) == (0, note)


@pytest.mark.slow
def test_differences_and_states_have_limits(run, tmp_path):
    words = ("compare", SEARCH, "-m", "auc", "--baseline", "score_b", "--candidate", "score", *FACTS)
    assert run(*words, "--fail-under", "auc=-0.002").status == 0
    done = run(*words, "--fail-under", "auc=0.047")
    assert (done.status, "the low end counts" in done.err) == (1, True)
    state = str(tmp_path / "state.parquet")
    printed(
        run, "state", SEARCH, "-m", "auc", "--period", "device", "--score", "score", *FACTS, "--output", state
    )
    done = run("finish", state, "-m", "auc", "--by", "device", "--fail-under", "auc=0.75")
    assert (done.status, done.err.count("Failed: ")) == (1, 2)


@pytest.mark.slow
def test_a_verdict_beside_a_margin_is_a_limit(run):
    words = ("compare", SEARCH, "-m", "auc,log_loss", "--baseline", "score", "--candidate", "score_b", *FACTS)
    words = (*words, "--margin", "auc=0.01,log_loss=0.2")
    assert run(*words, "--fail-unless", "log_loss is equivalent").status == 0
    done = run(*words, "--fail-unless", "auc is not worse")
    assert (done.status, done.err.count("Failed: ")) == (1, 1)
    assert "auc is worse by its difference of -0.0482" in done.err
    assert "it has to be not worse" in done.err
    for margin, message in (
        (
            "auc",
            "--margin takes a number, or metrics and their numbers, such as 0.01 or auc=0.01,ndcg@10=0.02",
        ),
        ("0.1,auc=0.1", "--margin takes one number, or a number for each metric; got '0.1,auc=0.1'"),
        ("-0.1", "--margin takes a number above 0, the smallest difference that matters"),
        ("mrr=0.1", "--margin has 'mrr', which is no metric of this call. Metrics: auc, log_loss"),
    ):
        assert message in refused(run, *words[:-1], margin)
    assert (
        "--fail-unless takes a metric and a verdict, such as 'auc is not worse'; got 'auc >= 0.1'"
        in refused(run, *words, "--fail-unless", "auc >= 0.1")
    )
    assert "needs a margin of log_loss, the smallest difference that matters; add it to --margin" in refused(
        run, *words[:-1], "auc=0.01", "--fail-unless", "log_loss is equivalent"
    )
    unasked = refused(run, *words[:-2], "--fail-unless", "auc is not worse")
    assert (
        "The gate 'auc is not worse' needs the verdict of a comparison; pass --margin to compare" in unasked
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--fail-under", "auc"), "--fail-under takes a metric and a number, such as auc=0.7; got 'auc'"),
        (("--fail-over", "=3"), "--fail-over takes a metric and a number"),
        (("--fail-under", "auc=high"), "The limit of a gate is a number such as 0.7, got 'high'"),
        (("--fail-under", "auc=70%"), "70% is written 0.7"),
        (("--fail-under", "mrr=0.7"), "no 'mrr' for the gate 'mrr >= 0.7'"),
        (("--fail-on", "some"), "'some' is not one of"),
        (("--no-total", "--fail-under", "auc=0.7", "--fail-on", "total"), "has no total"),
    ],
)
def test_limits_that_are_none(run, words, message):
    assert message in refused(run, *SLICED, *words)
