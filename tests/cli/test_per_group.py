"""`sqlmetrics per-group`: a row a list, all of them in files, the first of them on a screen."""

import json

import pyarrow.parquet
import pytest

import sqlmetrics as sm
from support.command_line import FACTS, ROLES, SEARCH, printed, refused

CALL = ("per-group", SEARCH, "--metrics", "ndcg@10,best=mrr", *ROLES)
ASKED = {"ndcg_10": "ndcg@10", "best": "mrr"}


@pytest.fixture
def expected(monkeypatch):
    """What the command computes: once, as the last digit of a sum depends on the order of threads."""
    computed = sm.per_group(SEARCH, ASKED, **FACTS)
    monkeypatch.setattr(sm, "per_group", lambda *_, **__: computed)
    return computed


def test_a_row_a_list(run, tmp_path, expected):
    assert json.loads(printed(run, *CALL, "--format", "json"))["rows"] == expected.to_dicts()
    assert printed(run, *CALL, "--format", "csv") == expected.to_csv()
    printed(run, *CALL, "--output", str(tmp_path / "lists.parquet"))
    assert pyarrow.parquet.read_table(tmp_path / "lists.parquet").equals(expected.to_arrow())


def test_a_screen_shows_some_lists_and_a_pipe_gets_all(run, terminal, expected):
    piped = printed(run, *CALL)
    assert piped == expected.to_text() + "\n"
    assert len(piped.splitlines()) == 2 + len(expected) + len(expected.notes())
    terminal(120)
    shown = printed(run, *CALL)
    assert f"... {len(expected) - 50:,} more rows" in shown
    assert len(shown.splitlines()) < 60


@pytest.mark.slow
def test_options_reach_the_call(run):
    by = printed(
        run, *CALL, "--by", "country", "--score", "new=score", "--score", "old=score_b", "--format", "csv"
    )
    header = "country,model,query_id,n_items,n_relevant,n_tied,ndcg_10,best"
    assert by.splitlines()[0] == header


def test_a_metric_of_rows_is_refused(run):
    assert "per_group takes metrics of lists" in refused(run, *CALL, "--metrics", "auc")
