"""The border between macros and Python: what Python reads of a plan is typed, and is read in one file."""

from __future__ import annotations

import copy
import dataclasses
import re
from pathlib import Path

import pytest

import sqlmetrics as sm
from sqlmetrics.book.plan import Check, Column, planned, written
from sqlmetrics.given.facts import named_facts
from sqlmetrics.options import Options

PACKAGE = Path(sm.__file__).parent
#: what describes metrics by their plans rather than running them
CATALOG = {"book/catalog.py", "shell/install.py"}


def test_one_file_reads_what_macros_planned() -> None:
    reading = re.compile(r"\b(?:plan|raw)(?:\[|\.get\()")
    readers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if reading.search(path.read_text(encoding="utf-8"))
    }
    assert readers - CATALOG == {"book/plan.py"}


def test_a_plan_and_its_statement() -> None:
    facts = named_facts(
        "t", Options(dialect="duckdb", label="y", score={"a": "p", "b": "q"}, by="day", interval=0.9)
    )
    plan = planned("duckdb", "plan", metrics=["auc"], **{**facts, "examples": True})
    assert (plan.total, plan.over_levels, plan.over_lists) == (True, False, False)
    assert (plan.numeric_label, plan.class_places, plan.named_classes) == (True, False, ())
    statement = written(plan)
    assert statement.text.splitlines()[1] == '-- evaluate over t, by "day"'
    assert (statement.by, statement.models, statement.truth, statement.runs) == (("day",), True, False, ())
    assert [(column.name, column.is_end) for column in statement.results] == [
        ("auc", False),
        ("auc_low", True),
        ("auc_high", True),
    ]
    assert statement.results[0] == Column("auc", "float", None, is_end=False, interval=None, counts=False)
    [check] = [check for check in statement.checks if check.extreme is None]  # the others are for notes
    assert check == Check("rows_not_binary", check.message, "sm_rows_not_binary_value")
    assert statement.counts[:2] == ("n_rows", "rows_dropped")
    assert statement.bad_rows == {"rows_bad_label": "label", "rows_bad_score": "score"}
    with pytest.raises(dataclasses.FrozenInstanceError):
        statement.total = False  # type: ignore[misc]


@pytest.mark.parametrize("options", [{}, {"test": "bootstrap"}])
def test_a_statement_leaves_the_facts_as_they_were(options: dict[str, str]) -> None:
    """A comparison of models by slice reads most facts, and plans twice if it draws replicates."""
    facts = named_facts(
        "t",
        Options(dialect="duckdb", label="y", score={"a": "p", "b": "q"}, group="g", by="day", interval=0.9),
    )
    facts["n_resamples"] = 1000
    plan = planned("duckdb", "compare_plan", metrics=["auc", "ndcg@10"], **facts, **options)
    plan.raw["facts"].pop("columns")  # an object without values of its own
    said = copy.deepcopy(plan.raw["facts"])
    written(plan)
    assert plan.raw["facts"] == said
    assert plan.raw["asked"]["metric"] is None


def test_what_metrics_read() -> None:
    facts = named_facts("t", Options(dialect="duckdb", label="y", score="p", group="g"))
    plan = planned("duckdb", "plan", metrics=["ks", "mrr"], **facts)
    assert (plan.total, plan.over_levels, plan.over_lists) == (False, True, True)


def test_what_a_convention_lacks() -> None:
    facts = named_facts(
        "t", Options(dialect="duckdb", label="y", score="p", group="g", item="i", convention="trec_eval")
    )
    statement = written(planned("duckdb", "plan", metrics=["map", "gauc"], **facts))
    assert (statement.convention, statement.without_convention) == ("trec_eval", ("gauc",))
