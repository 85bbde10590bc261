"""The examples run, and the data beside them are what their script makes."""

import runpy

import pyarrow.parquet
import pytest

import sqlmetrics as sm
from support.paths import ROOT

EXAMPLES = ROOT / "examples"


def test_search_data_are_those_of_their_script():
    make_data = runpy.run_path(str(EXAMPLES / "make_data.py"))
    assert pyarrow.parquet.read_table(EXAMPLES / "search.parquet") == make_data["table"]()


def test_the_package_gives_the_data():
    assert sm.example("search").equals(pyarrow.parquet.read_table(EXAMPLES / "search.parquet"))


@pytest.mark.slow
def test_walkthrough_runs(capsys):
    runpy.run_path(str(EXAMPLES / "walkthrough.py"))
    printed = capsys.readouterr().out
    assert "ndcg_10" in printed
    assert "worst" in printed
