"""Logs of evaluations among the files of a command."""

import json

import pytest

import sqlmetrics as sm
from support.paths import TESTS

LOGS = TESTS / "support" / "evals"
SMALL, LARGE = str(LOGS / "inspect" / "small.eval"), str(LOGS / "inspect" / "large.eval")


def test_logs_need_no_option(run):
    evals = sm.read_evals([SMALL, LARGE])
    for command, result in (("compare", sm.compare(evals)), ("leaderboard", sm.leaderboard(evals))):
        done = run(command, SMALL, LARGE, "--format", "json")
        rows = json.loads(done.out)["rows"]
        # the last digit of a sum depends on the order of threads
        assert [row["difference"] for row in rows] == pytest.approx(result["difference"])
        for name in ("metric", "model", "baseline", "candidate"):
            assert [row.get(name) for row in rows] == [row.get(name) for row in result.to_dicts()]
    done = run("evaluate", str(LOGS / "lm_eval"), "--where", "task = 'even'", "--format", "json")
    assert [row["scorer"] for row in json.loads(done.out)["rows"]] == ["acc", "acc", "acc_norm", "acc_norm"]


def test_logs_are_told_by_what_is_in_them(run, tmp_path):
    """And not by their suffix; name=file names a model, as of other files."""
    old, new = tmp_path / "old.data", tmp_path / "new.data"
    for path, log in ((old, SMALL), (new, LARGE)):
        path.write_bytes((LOGS / log).read_bytes())
    done = run("compare", f"old={old}", f"new={new}", "-m", "mean(column=tokens)", "--baseline", "old")
    assert done.status == 0
    assert "mean_column_tokens" in done.out


def test_messages(run, tmp_path):
    one = run("compare", SMALL)
    assert (one.status, one.out) == (3, "")
    assert "all of one model" in one.err
    mixed = run("evaluate", str(LOGS / "lm_eval"), "--by", "task")
    assert mixed.status == 3
    assert "whose mean says nothing" in mixed.err
    cut = tmp_path / "cut.json"
    cut.write_text('{"version": 2, "status": "success", "eval": {"task": "t", "mod')
    damaged = run("evaluate", str(cut))
    assert damaged.status == 3
    assert "cut.json is no JSON" in damaged.err
    assert damaged.err.count("\n") == 1
