"""Text literals as each dialect reads them: a text never ends before its end, and says what it said."""

from __future__ import annotations

import re
from itertools import product

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import dialects, macros

TEXTS = [
    "", "plain", "it's", "''", "'", "\\", "\\\\", "\\'", "\\' or true --", "'; drop table t; --", "\\\\' or true --",
    "\\'' or true --", "a\\nb", "line\nfeed", "return\r", "tab\t", "\\u0027", "\\x27", "\\047", "%_", "é ☃ 𝄞", '"', "`",
    "{{ 1 }}", "/* */ --", "$$", "\\",
]  # fmt: skip

# How a backslash in a literal is read:
# BigQuery, "Lexical structure": escape sequences in quoted strings; a quoted string has no line feed in it.
# ClickHouse, "Syntax", string: backslash escapes, and '' is a quote.
# MySQL 8, "String Literals": backslash escapes unless NO_BACKSLASH_ESCAPES is set; MariaDB alike.
# Redshift: QUOTE_LITERAL doubles backslashes; jOOQ #10628; datafusion-sqlparser-rs #1801.
# Snowflake, "String & binary data types": escape sequences in single-quoted constants.
# Spark, "Literals": backslash escapes unless spark.sql.parser.escapedStringLiterals is set; '' joins two texts.
ESCAPES = {"bigquery", "clickhouse", "databricks", "mysql", "redshift", "snowflake", "spark"}
# Trino, "String literals", DuckDB, DataFusion, SQLite, and PostgreSQL with standard_conforming_strings: '' alone.
STANDARD = {"datafusion", "duckdb", "postgres", "sqlite", "trino"}
NO_DOUBLED_QUOTE = {"bigquery", "databricks", "spark"}
CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}


def test_every_dialect_is_told_of() -> None:
    assert set(dialects()) == ESCAPES | STANDARD


def read(literal: str, dialect: str) -> str:
    """What an engine makes of a literal; fails where it ends before the end, or has no end."""
    assert literal[0] == literal[-1] == "'"
    inner = literal[1:-1]
    if dialect == "bigquery":
        assert "\n" not in inner
        assert "\r" not in inner
    parts = [
        r"[^'\\]",
        *([] if dialect in NO_DOUBLED_QUOTE else ["''"]),
        r"\\." if dialect in ESCAPES else r"\\",
    ]
    assert re.fullmatch(f"({'|'.join(parts)})*", inner, re.DOTALL), (dialect, literal)

    def character(match: re.Match[str]) -> str:
        text = match.group()
        if len(text) == 2 and text[0] == "\\":
            return CONTROLS.get(text[1], text[1])
        return text[0]

    return re.sub("|".join(parts), character, inner, flags=re.DOTALL)


@pytest.mark.slow
def test_a_literal_says_what_it_said(subtests: pytest.Subtests) -> None:
    for dialect, text in product(dialects(), TEXTS):
        with subtests.test(dialect, text=text):
            assert read(str(macros(dialect)["sql_text"](text)), dialect) == text


@pytest.mark.parametrize(
    "text", ["$$a\tb$$", "$t$ x when y else z end $t$", "'a when b'", "s # in case when it\n"], ids=ascii
)
def test_an_expression_of_the_user_is_kept_as_written(text: str) -> None:
    """A long case is laid out over several lines, but not one that may hold a text or a comment."""
    other = "case when 1 = s then 0.3 else s end"
    case = f"case when c = {text} then 0.25 when s between 0.61 and 0.62 then 0.61 else {other} end"
    assert case in sm.render("t", "brier", dialect="postgres", label="y", score=sm.sql(case), positive=1)
