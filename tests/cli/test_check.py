"""`sqlmetrics check`: status, output and files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support.command_line import SEARCH, printed, refused

SUITE = """
data: search.parquet
facts: {label: grade, score: score, group: query_id, positive: 1}
metrics: [auc]
slices: [country]
gates: [auc >= 0.7]
outputs: {junit: out/gates.xml, markdown: out/gates.md, json: out/gates.json}
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    shutil.copy(SEARCH, tmp_path / "search.parquet")
    (tmp_path / "out").mkdir()
    path = tmp_path / "suite.yml"
    path.write_text(SUITE)
    return path


@pytest.mark.slow
def test_a_suite_that_holds(run, suite):
    out = printed(run, "check", str(suite))
    assert "country=DE   auc      0.7488   >=     0.7000   true" in out
    assert sorted(path.name for path in (suite.parent / "out").iterdir()) == [
        "gates.json",
        "gates.md",
        "gates.xml",
    ]
    assert json.loads(printed(run, "check", str(suite), "--format", "json"))["holds"] is True
    assert printed(run, "check", str(suite), "--format", "markdown").startswith("## 6 checks hold\n")
    assert printed(run, "check", str(suite), "--format", "junit").startswith("<?xml")


@pytest.mark.slow
def test_a_suite_that_fails(run, suite):
    suite.write_text(SUITE.replace("0.7]", "0.745]"))
    done = run("check", str(suite))
    assert (done.status, done.err.splitlines()) == (
        1,
        [
            "Failed: country=ES: auc is 0.7272; it has to be >= 0.745",
            "Failed: country=NL: auc is 0.7400; it has to be >= 0.745",
        ],
    )
    assert "0.7488" in done.out
    assert (suite.parent / "out" / "gates.md").read_text().startswith("## 2 of 6 checks fail\n")


def test_dry_run_reads_no_row_and_writes_nothing(run, suite):
    out = printed(run, "check", str(suite), "--dry-run")
    assert out.startswith("-- metrics\n-- sqlmetrics ")
    assert "read_parquet(" in out
    assert list((suite.parent / "out").iterdir()) == []


@pytest.mark.slow
def test_mistakes(run, suite):
    suite.write_text(SUITE.replace("[auc]", "[acu]"))
    assert f"{suite}:4: Unknown metric 'acu'. Did you mean 'auc'?" in refused(run, "check", str(suite))
    suite.write_text(SUITE.replace("search.parquet", "no.parquet"))
    assert f"{suite}:2: No file matches" in refused(run, "check", str(suite), status=3)
    assert "No such file" in refused(run, "check", "no.yml")
    assert "Missing argument 'SUITE'" in refused(run, "check")
    assert "'xml' is not one of" in refused(run, "check", str(suite), "--format", "xml")
