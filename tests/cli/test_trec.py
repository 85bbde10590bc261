"""Runs and qrels on the command line."""

import csv
import io
import math

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


@pytest.mark.slow
def test_several_runs(run, files):
    new, old, qrels = files
    rows = table(run, f"new={new}", old, qrels, "-m", "mrr")
    assert [(row["run"], row["mrr"]) for row in rows] == [("new", "0.75"), ("old", "0.5")]
    shown = printed(run, "trec", f"new={new}", f"old={old}", qrels, "-m", "mrr", "-q")
    assert shown.splitlines()[0].split() == ["run", "topic", "n_rows", "n_groups", "mrr"]


@pytest.mark.slow
def test_runs_are_compared(run, files):
    new, old, qrels = files
    [row] = table(run, f"new={new}", f"old={old}", qrels, "-m", "mrr", "--compare", "old", "-c")
    assert (row["candidate"], row["baseline_value"], row["candidate_value"]) == ("new", "0.25", "0.75")


def test_mistakes(run, files):
    new, old, qrels = files
    assert "have the same tag 'tag'; name the runs" in refused(run, "trec", new, old, qrels, "-m", "mrr")
    assert "Two runs are named 'a'" in refused(run, "trec", f"a={new}", f"a={old}", qrels, "-m", "mrr")
    assert "line 1: qrels have lines" in refused(run, "trec", new, old, "-m", "mrr", status=3)
    assert "line 1: a run has lines" in refused(run, "trec", qrels, qrels, "-m", "mrr", status=3)
    assert "No file matches" in refused(run, "trec", "nowhere", qrels, "-m", "mrr", status=3)
    assert "Missing option '--metrics'" in refused(run, "trec", new, qrels)


@pytest.mark.slow
def test_the_names_of_trec_eval(run, files):
    new, _, qrels = files
    [row] = table(run, new, qrels, "-m", "ndcg_cut.1,2", "-m", "P.1", "-m", "iprec_at_recall_0.10,recip_rank")
    names = ("ndcg_cut_1", "ndcg_cut_2", "p_1", "iprec_at_recall_0_10", "recip_rank")
    half = (1 + 1 / math.log2(3)) / 2
    assert [float(row[name]) for name in names] == [0.5, pytest.approx(half), 0.5, 0.75, 0.75]
    [row] = table(run, qrels, new, "-m", "official", "-J", "-M", "2")
    assert [row["map"], row["p_1000"]] == ["1.0", "0.001"]


@pytest.mark.slow
def test_the_version_and_the_tags(run, files, tmp_path):
    *_, qrels = files
    (tmp_path / "close").write_text("1 Q0 a 1 0.1234567802 x\n1 Q0 b 2 0.1234567801 y\n")
    close = str(tmp_path / "close")
    assert [
        table(run, close, qrels, "-m", "mrr", "--version", version)[0]["mrr"] for version in ("9", "10")
    ] == ["0.5", "1.0"]
    shown = printed(run, "trec", close, qrels, "-m", "mrr")
    assert "close is one run, though its lines have different tags: x, y" in shown
    assert "--version is that of trec_eval, 9 or 10, got 8" in refused(
        run, "trec", close, qrels, "-m", "mrr", "--version", "8"
    )
