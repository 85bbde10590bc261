"""Runs and qrels on the command line."""

import csv
import io

import pytest

from support.command_line import printed, refused


@pytest.fixture
def files(tmp_path):
    """Two runs and their qrels."""
    (tmp_path / "new").write_text("1 Q0 a 1 9 tag\n2 Q0 c 1 9 tag\n2 Q0 b 2 8 tag\n")
    (tmp_path / "old").write_text("1 Q0 b 1 9 tag\n1 Q0 a 2 8 tag\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 b 2\n")
    return [str(tmp_path / name) for name in ("new", "old", "qrels")]


def table(run, *words: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(printed(run, "trec", *words, "--format", "csv"))))


@pytest.mark.slow
def test_a_run(run, files):
    new, old, qrels = files
    [row] = table(run, new, qrels, "-m", "mrr,best=ndcg@1")
    assert (row["mrr"], row["best"]) == ("0.75", "0.5")
    assert [table(run, old, qrels, "-m", "mrr", *more)[0]["mrr"] for more in ([], ["-c"])] == ["0.5", "0.25"]
    assert table(run, new, qrels, "-m", "mrr", "-l", "2")[0]["mrr"] == "0.25"
    rows = table(run, new, qrels, "-m", "mrr", "--per-topic")
    assert [(row["topic"], row["mrr"]) for row in rows] == [("1", "1.0"), ("2", "0.5"), ("", "0.75")]


def test_several_runs(run, files):
    new, old, qrels = files
    rows = table(run, f"new={new}", old, qrels, "-m", "mrr")
    assert [(row["run"], row["mrr"]) for row in rows] == [("new", "0.75"), ("old", "0.5")]
    shown = printed(run, "trec", f"new={new}", f"old={old}", qrels, "-m", "mrr", "-q")
    assert shown.splitlines()[0].split() == ["run", "topic", "n_rows", "n_groups", "mrr"]


def test_mistakes(run, files):
    new, old, qrels = files
    assert "have the same tag 'tag'; name the runs" in refused(run, "trec", new, old, qrels, "-m", "mrr")
    assert "Two runs are named 'a'" in refused(run, "trec", f"a={new}", f"a={old}", qrels, "-m", "mrr")
    assert "line 1: a run has lines" in refused(run, "trec", qrels, new, "-m", "mrr", status=3)
    assert "No file matches" in refused(run, "trec", "nowhere", qrels, "-m", "mrr", status=3)
    assert "Missing option '--metrics'" in refused(run, "trec", new, qrels)
