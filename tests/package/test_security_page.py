"""The page on security: its rules of literals are those of the dialects, and the tests it names exist."""

from __future__ import annotations

import re
from pathlib import Path

from sqlmetrics.book.templates import dialects, macros

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
RULE = re.compile(r"^\| (\w+) \| (escapes|is itself) \| `(.+?)` \| \[.+?\]\(https://.+\).* \|$", re.MULTILINE)


def rules() -> dict[str, tuple[str, str]]:
    return {dialect: (backslash, quote) for dialect, backslash, quote in RULE.findall(PAGE.read_text())}


def test_the_page_has_a_rule_for_each_dialect() -> None:
    assert sorted(rules()) == sorted(dialects())


def test_literals_are_written_by_these_rules() -> None:
    for dialect, (backslash, quote) in rules().items():
        text = macros(dialect)["sql_text"]
        assert str(text("\\")) == {"escapes": "'\\\\'", "is itself": "'\\'"}[backslash], dialect
        assert str(text("'")) == f"'{quote}'", dialect


def test_the_tests_that_the_page_names_exist() -> None:
    named = re.findall(r"\]\((\.\./.+?)\)", PAGE.read_text())
    assert named
    assert [path for path in named if not (PAGE.parent / path).is_file()] == []
