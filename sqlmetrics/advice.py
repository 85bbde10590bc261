"""What errors propose for a column of another type than a call needs, chosen by some of its values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlmetrics.columns import Columns

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
INTEGER = re.compile(r"[-+]?\d{1,18}")
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")
WITH_POINTS = re.compile(r"[-+]?\d{1,3}(\.\d{3})+(,\d+)?")
WITH_COMMAS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
PERCENT = re.compile(r"\s*%$")
#: what the text of a number may have -> its form, what it is read without, and whether its comma is a decimal one
FORMS = {
    "a percentage": (NUMBER, [], False),
    "a decimal comma": (DECIMAL_COMMA, [], True),
    "a decimal comma with points between thousands": (WITH_POINTS, ["."], True),
    "a comma between thousands": (WITH_COMMAS, [","], False),
}
FLOATS = ("FLOAT", "DOUBLE", "REAL", "DECIMAL", "NUMERIC", "NUMBER")


def to_numbers(columns: Columns, name: str) -> str:
    """How a column of text becomes numbers."""
    texts = columns.some_texts(name)
    read, way, rest = columns[name], "", [text for text in texts if not NUMBER.fullmatch(text)]
    if rest and all(map(WITH_COMMAS.fullmatch, rest)):
        decimal = columns.written("sql_lenient_double", columns.written("with_decimal_point", read, False))
        way = " with commas between thousands"
        if all(map(DECIMAL_COMMA.fullmatch, rest)):
            way += f", {expression(decimal)} with a decimal comma"
        read, rest = columns.written("without_commas", read), []
    elif any(map(DECIMAL_COMMA.fullmatch, rest)):
        rest = [text for text in rest if not (DECIMAL_COMMA.fullmatch(text) or WITH_POINTS.fullmatch(text))]
        thousands = any(map(WITH_POINTS.fullmatch, texts))
        read = columns.written("with_decimal_point", read, thousands)
        way = ", with a decimal comma" + " and points between thousands" * thousands
    cast = expression(columns.written("sql_lenient_double", read))
    if not texts:
        return f"; an expression is written {cast}"
    if not rest:
        return f"; {cast} reads texts such as {texts[0]!r:.50}{way}"
    if len(rest) == len(texts):
        return f"; texts such as {rest[0]!r:.50} are none"
    return f"; {cast} makes NULL of {rest[0]!r:.50}, and on_bad_rows='drop' leaves out rows without a number"


def read_as_numbers(words: Any, column: str, text: str) -> str:
    """How the texts of a column of a file become numbers, by one that is none.

    Args:
        words: the macros of DuckDB.
        column: the column, in SQL.
        text: the text.
    """
    number = PERCENT.sub("", text)
    percent = number != text
    ways = {
        what: words["duckdb__sql_written_number"](column, [*without, *["%"] * percent], comma, percent)
        for what, (form, without, comma) in FORMS.items()
        if form.fullmatch(number)
    }
    if not ways:
        lenient = expression(words["sql_lenient_double"](column))
        return f"; {lenient} makes NULL of such texts, and on_bad_rows='drop' leaves out their rows"
    return "; " + ", ".join(f"{what} is read by {expression(str(way))}" for what, way in ways.items())


def label_of_numbers(columns: Columns, name: str) -> str:
    """The way for a label that has to be numbers, if its texts are."""
    texts = columns.some_texts(name)
    if any(NUMBER.fullmatch(text) or DECIMAL_COMMA.fullmatch(text) for text in texts):
        return f", or labels that are numbers{to_numbers(columns, name)}"
    return ""


def to_classes(
    role: str, name: str, columns: Columns, other_role: str, other_name: str, others: Columns
) -> str:
    """How classes that are text can be compared with classes that are numbers or booleans.

    Args:
        role, name, columns: the column of text.
        other_role, other_name, others: the column of the other type.
    """
    texts = columns.some_texts(name)
    truths = {text.lower() for text in texts} <= {"true", "false"}
    if others.kind(other_name) == "a boolean":
        if truths:
            return f"; write {role}={columns.cast(name, 'sql_boolean')}"
        true, meant = ("1", "") if {*texts} <= {"0", "1"} else ("...", ", with the text that stands for true")
        return f"; write {role}={expression(columns.written('is_the_text', columns[name], true))}{meant}"
    names = [text for text in texts if not NUMBER.fullmatch(text)]
    if names and truths:
        return f"; write {role}={columns.cast(name, 'zero_or_one')}"
    if not names:
        return f"; write {role}={columns.cast(name, 'sql_lenient_double')}"
    if others.type_of(other_name).startswith(FLOATS):
        return f"; no number is a class such as {names[0]!r:.50}"
    return f"; write {other_role}={others.cast(other_name, 'sql_string')}"


def to_join(role: str, name: str, columns: Columns, others: Columns) -> str:
    """How two tables can be joined by a column that is a number in one and text in the other.

    The expression is read in both tables. Identities are compared as integers if all texts are: a float and a text
    of the same integer, such as 7.0 and '7' or '007', are not the same text.
    """
    text, number = (columns, others) if columns.kind(name) == "text" else (others, columns)
    texts = text.some_texts(name)
    floats = number.type_of(name).startswith(FLOATS)
    if all(map(INTEGER.fullmatch, texts)) and (floats or any(str(int(each)) != each for each in texts)):
        return f"; write {role}={text.cast(name, 'sql_integer')}"
    if floats and all(map(NUMBER.fullmatch, texts)):
        return f"; write {role}={text.cast(name, 'sql_lenient_double')}"
    if floats:
        names = (each for each in texts if not NUMBER.fullmatch(each))
        return f"; no number is a text such as {next(names)!r:.50}"
    return f"; write {role}={text.cast(name, 'sql_string')}"


def to_items(columns: Columns, name: str) -> str:
    """The query that makes a row of each item of a column of lists."""
    source = columns.source
    query = str(columns.words["items_of_lists"](source.named, columns[name])) if source else ""
    return (
        f"; data with a row for each item is {source.query.format(quoted(query))}" if source and query else ""
    )


def expression(text: str) -> str:
    """SQL as a user writes it in place of a column."""
    return f"sm.sql({quoted(text)})"


def quoted(text: str) -> str:
    """A text in Python, without backslashes before its quotes."""
    plain = '"' not in text or "'" not in text or text.endswith('"') or "\\" in text
    return repr(text) if plain else f'"""{text}"""'
