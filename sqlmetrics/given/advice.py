"""What errors propose for a column of another type than a call needs, chosen by some of its values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlmetrics.given.columns import Columns

# digits of other scripts, such as Arabic ones, are no numbers to engines
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE | re.ASCII)
INTEGER = re.compile(r"[-+]?\d{1,18}", re.ASCII)
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+", re.ASCII)
COMMA_OR_NONE = re.compile(r"[-+]?\d*(,\d+)?", re.ASCII)
WITH_POINTS = re.compile(r"[-+]?\d{1,3}(\.\d{3})+(,\d+)?", re.ASCII)
WITH_COMMAS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", re.ASCII)
PERCENT = re.compile(r"\s*%$")
#: what the texts of numbers have -> the form of some, the form of the others, what they are read without, and whether
#: their comma is a decimal one
FORMS = {
    "": (NUMBER, NUMBER, "", False),
    "a decimal comma": (DECIMAL_COMMA, NUMBER, "", True),
    "a decimal comma and points between thousands": (WITH_POINTS, COMMA_OR_NONE, ".", True),
    "a comma between thousands": (WITH_COMMAS, NUMBER, ",", False),
}
TRUTHS = {"true", "false"}
FLOATS = ("FLOAT", "DOUBLE", "REAL", "DECIMAL", "NUMERIC", "NUMBER")


def to_numbers(columns: Columns, name: str) -> str:
    """How a column of text becomes numbers."""

    def read(without: str, comma: bool) -> str:
        return columns.written("written_number", columns[name], without, comma)

    if columns.in_files is not None and (differ := columns.in_files(name)):
        return f"{differ}; write it alike in all"
    texts = columns.some_texts(name)
    if not texts:
        return f"; an expression is written {expression(read('', False))}"
    numbers = list(filter(_is_written, texts))
    ways = _ways(numbers, read)
    if not ways:  # of several forms, or of none
        numbers = list(filter(NUMBER.fullmatch, texts))
        ways = _ways(numbers, read)
    if not ways:
        return f"; texts such as {texts[0]!r:.50} are none"
    (what, first), *others = [(f" with {what}" if what else "", way) for what, way in ways.items()]
    such = min(numbers, key=lambda text: NUMBER.fullmatch(text) is not None)
    advice = f"; {first} reads texts such as {such!r:.50}{what}" + "".join(
        f", {way}{what}" for what, way in others
    )
    rest = sorted({*texts} - {*numbers})
    if not rest:
        return advice
    return f"{advice} and makes NULL of {rest[0]!r:.50}; on_bad_rows='drop' leaves out rows without a number"


def read_as_numbers(words: Any, column: str, text: str, shapes: list[str]) -> str:
    """How the texts of a column of a file become numbers, shown by a text that is no number.

    Args:
        words: the macros of DuckDB.
        column: the column, in SQL.
        text: the text.
        shapes: how all texts of the column are written, with 1 for each digit.
    """
    numbers = list(filter(_is_written, shapes)) if _is_written(text) else []
    ways = _ways(numbers, lambda *form: str(words["written_number"](column, *form, strict=True)))
    if not ways:
        lenient = expression(words["sql_lenient_double"](column))
        return f"; {lenient} makes NULL of such texts, and on_bad_rows='drop' leaves out their rows"
    return "; " + ", ".join(f"{what} is read by {way}" for what, way in ways.items())


def _is_written(text: str) -> bool:
    """Whether a text is a number in some form."""
    return any(form.fullmatch(PERCENT.sub("", text)) for form, *_ in FORMS.values())


def _ways(texts: list[str], read: Callable[[str, bool], str]) -> dict[str, str]:
    """The expressions that read all the texts as numbers, by what the texts have.

    Args:
        read: the SQL that reads a text without some signs, and with a decimal comma or not.
    """
    signs = ""
    if all(map(PERCENT.search, texts)):  # of 91% and 0.5 one is a hundred times the other, or is not
        signs = "".join(sorted({*"".join(sign for text in texts for sign in PERCENT.findall(text))}))
        texts = [PERCENT.sub("", text) for text in texts]
    ways = {
        " and ".join(filter(None, [what, signs and "a percent sign"])): expression(
            read(without + signs, comma)
        )
        for what, (form, other, without, comma) in FORMS.items()
        if any(map(form.fullmatch, texts))
        and all(form.fullmatch(text) or other.fullmatch(text) for text in texts)
    }
    # all texts are plain numbers: the points of 2.000 stand between thousands at most beside a text with a comma
    return dict([*ways.items()][:1]) if all(map(NUMBER.fullmatch, texts)) else ways


def to_positive(columns: Columns, name: str, role: str, more: str) -> str:
    """How a label that is text says which rows are positive.

    Args:
        role: the caller's argument of the label.
        more: what else may be passed.
    """
    texts = columns.some_texts(name)
    numbers = [text for text in texts if NUMBER.fullmatch(text) or DECIMAL_COMMA.fullmatch(text)]
    if len(numbers) < len(texts) and {text.lower() for text in texts} <= {*TRUTHS, "0", "1"}:
        return f"write {role}={columns.cast(name, 'sql_boolean')}"
    if yes := next((text for text in texts if text.lower() in ("yes", "true")), ""):
        others = [text for text in [*numbers[::-1], *texts] if text != yes]
        negative = f"; every other text, such as {others[0]!r:.50}, is then negative" if others else ""
        return f"pass positive={yes!r}, the text of a positive row{more}{negative}"
    as_numbers = f", or labels that are numbers{to_numbers(columns, name)}" if numbers else ""
    return f"pass positive='...', the text of a positive row{more}{as_numbers}"


def to_classes(
    role: str, name: str, columns: Columns, other_role: str, other_name: str, others: Columns
) -> str:
    """How classes that are text can be compared with classes that are numbers or booleans.

    Args:
        role, name, columns: the column of text.
        other_role, other_name, others: the column of the other type.
    """
    texts = columns.some_texts(name)
    truths = {text.lower() for text in texts} <= TRUTHS
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
