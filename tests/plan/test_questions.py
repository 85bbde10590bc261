"""Stages ask a question what it reads, keeps and counts. None asks which question it is."""

from __future__ import annotations

import re

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros, sql_files

#: The folders whose macros a question names; the rest serves all questions.
OWNED = ("api", "change", "dbt_tests", "drift", "duckdb_macros", "inference", "questions", "search")
ASKED = re.compile(r"question(?:'\])?\['(\w+)'\]")
SHARED = [path for path in sql_files() if not path.startswith(OWNED)]


def test_only_its_own_macros_read_what_a_question_owns() -> None:
    """`is_argument` serves macros of a shell, from the checks of all arguments."""
    assert [path for path in SHARED if "['own']" in sql_files()[path]] == []


def test_what_is_asked_is_what_a_question_says() -> None:
    said = {*macros("duckdb")["question"]()}
    asked = {name for text in sql_files().values() for name in ASKED.findall(text)}
    assert asked == said


def test_no_fact_says_who_asks(subtests: pytest.Subtests) -> None:
    for path in sorted(sql_files()):
        with subtests.test(path):
            names = "compared|drift|explained|measured|per_list|replicates|searched|shell|state"
            assert re.findall(rf"facts(?:'\])?\['({names})'\]", sql_files()[path]) == []


def test_a_question_has_no_other_entries() -> None:
    with pytest.raises(
        sm.SqlMetricsError, match=r"A question has no keep\. It has: reads, ends, keeps, draws"
    ):
        macros("duckdb")["question"](keep="lists")
