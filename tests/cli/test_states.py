"""`sqlmetrics state` and `sqlmetrics finish`."""

from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from support.command_line import FACTS, ROLES, SEARCH, printed, refused


@pytest.mark.slow
def test_state_and_finish(run, tmp_path: Path) -> None:
    made = str(tmp_path / "devices.parquet")
    sliced = ("--period", "device", "--by", "country", *ROLES)
    assert printed(run, "state", SEARCH, "-m", "auc,ndcg@5", *sliced, "--output", made) == ""
    shown = printed(
        run,
        "finish",
        made,
        "-m",
        "auc",
        "--by",
        "country",
        "--where",
        "device <> 'tablet'",
        "--format",
        "csv",
    )
    rows = duckdb.sql(f"select * from '{SEARCH}' where device <> 'tablet'").to_arrow_table()
    direct = sm.evaluate(rows, "auc", by="country", **FACTS)
    got = [line.split(",") for line in shown.splitlines()[1:]]
    for line, row in zip(got, direct.to_dicts(), strict=True):
        assert (line[0] or None, float(line[-1])) == (row["country"], pytest.approx(row["auc"], rel=1e-12))
    assert "sm_grain" in printed(run, "state", SEARCH, "-m", "brier", *sliced)
    assert "does not hold what is needed for ndcg@10;" in refused(run, "finish", made, "-m", "auc,ndcg@10")
    assert "no state of periods makes it" in refused(run, "state", SEARCH, "-m", "spearman", *sliced)


@pytest.mark.slow
def test_semantic(run, tmp_path: Path) -> None:
    made = str(tmp_path / "devices.parquet")
    printed(run, "state", SEARCH, "-m", "auc,ndcg@5", "--period", "device", *ROLES, "-o", made)
    words = ("semantic", made, "-m", "best=ndcg@5", "--table", "main.devices")
    shown = printed(run, *words, "--format", "cube")
    assert shown.strip() == sm.semantic(made, {"best": "ndcg@5"}, table="main.devices", format="cube").strip()
    assert "must be metricflow, ossie, cube, semantic_view or metric_view" in refused(
        run, *words, "--format", "csv"
    )
    assert "is no name of a dbt model" in refused(run, *words)
    assert "it reads the scores in the state" in refused(run, *words[:2], "-m", "auc", "--table", "t")


def test_a_state_holds_its_columns(run) -> None:
    told = refused(run, "finish", "made.parquet", "-m", "auc", "--label", "y")
    assert "No such option: --label; the data are a state, which holds its columns and options" in told
