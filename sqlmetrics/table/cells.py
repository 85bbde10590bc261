"""A table as text: printed, and written as Markdown, LaTeX and HTML."""

from __future__ import annotations

import datetime
import html
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmetrics.errors import printable

GAP = 3  #: the spaces between two columns
MEANT = ("null", "all")  #: words that stand for no value and for all slices
# What Markdown would read as more than text: an underscore inside a word and a bracket without a link are plain.
MARKDOWN = re.compile(r"[\\`*|<~&]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])")
LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # after the end of a row, a bracket or a star would be its argument
    "[": "{[}",
    "*": "{*}",
    # ligatures, and signs that the oldest fonts have at other places
    "-": "{-}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "{''}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
}


@dataclass(frozen=True)
class Cells:
    """The texts of a table, row by row."""

    header: list[str]
    rows: list[list[str]]
    intervals: list[list[str]]  #: the interval of each cell, or an empty text
    right: list[bool]  #: whether a column is aligned to the right
    notes: list[str]  #: the lines below the table
    marks: list[list[str]] = field(default_factory=list)  #: letters above each cell, in LaTeX
    keys: int = 1  #: the columns at the left that name a row

    @property
    def joined(self) -> list[list[str]]:
        """The rows, each cell with its interval."""
        return [
            [" ".join(filter(None, parts)) for parts in zip(*pair, strict=True)]
            for pair in zip(self.rows, self.intervals, strict=True)
        ]

    def text(self, most: float = math.inf) -> str:
        """The table in columns of equal width, then the notes; in parts, if it is wider than `most`."""
        from rich.cells import cell_len  # a sign of Chinese takes two places, a combining mark none

        lines = [self.header, *self.joined]
        widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]

        def padded(line: list[str], place: int) -> str:
            space = " " * (widths[place] - cell_len(line[place]))
            return space + line[place] if self.right[place] else line[place] + space

        if sum(widths[: self.keys]) + GAP * self.keys >= most:  # no part would fit
            most = math.inf
        shown: list[str] = []
        for part in parts(widths, self.keys, most):
            head, *rows = ((" " * GAP).join(padded(line, place) for place in part).rstrip() for line in lines)
            shown += [head, "─" * (sum(widths[place] + GAP for place in part) - GAP), *rows]
        return "\n".join([*shown, *self.notes])

    def markdown(self) -> str:
        """The table in Markdown, then the notes as a list."""
        lines = [[markdown(cell) for cell in line] for line in (self.header, *self.joined)]
        lines.insert(1, ["--:" if right else "---" for right in self.right])
        notes = [f"- {markdown(note)}" for note in self.notes]
        return "\n".join([f"| {' | '.join(line)} |" for line in lines] + ([""] if notes else []) + notes)

    def latex(self) -> str:
        """The table in LaTeX, for the package booktabs, with the notes below the last rule."""
        texts = [list(map(latex, line)) for line in self.joined]
        for line, marks in zip(texts, self.marks, strict=False):
            line[:] = [
                rf"{cell}\textsuperscript{{{mark}}}" if mark else cell
                for cell, mark in zip(line, marks, strict=True)
            ]
        header, *lines = (" & ".join(line) + r" \\" for line in ([*map(latex, self.header)], *texts))
        notes = [
            rf"\multicolumn{{{len(self.header)}}}{{l}}{{\footnotesize {latex(note)}}} \\"
            for note in self.notes
        ]
        columns = "".join("r" if right else "l" for right in self.right)
        head = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule"]
        return "\n".join([*head, *lines, r"\bottomrule", *notes, r"\end{tabular}"])

    def html(self) -> str:
        """The table in HTML: intervals in small letters, the notes in paragraphs."""

        def line(tag: str, cells: list[str], intervals: Sequence[str]) -> str:
            return f"<tr>{''.join(map(cell, [tag] * len(cells), cells, intervals, self.right))}</tr>"

        def cell(tag: str, text: str, interval: str, right: bool) -> str:
            small = f" <small>{html.escape(interval)}</small>" if interval else ""
            align = "right" if right else "left"
            return f'<{tag} style="text-align:{align}">{html.escape(text)}{small}</{tag}>'

        body = "".join(line("td", *of_row) for of_row in zip(self.rows, self.intervals, strict=True))
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        head = line("th", self.header, [""] * len(self.header))
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{notes}"


def parts(widths: Sequence[int], keys: int, most: float) -> Iterator[list[int]]:
    """The places of columns in groups that fit into a width; each group starts with the columns that name a row.

    >>> list(parts([4, 2, 2, 2], 1, 15))
    [[0, 1, 2], [0, 3]]
    """
    head, part = [*range(len(widths))][:keys], list[int]()
    for place in range(keys, len(widths)):
        if part and sum(widths[at] + GAP for at in (*head, *part, place)) - GAP > most:
            yield [*head, *part]
            part = []
        part.append(place)
    yield [*head, *part]


def shown(value: Any) -> str:
    """A computed value as text for people: four decimals, `-` for null. The table itself is never rounded.

    >>> shown(0.123456), shown(1234), shown(None)
    ('0.1235', '1,234', '-')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4f}" if value == 0 or 1e-3 <= abs(value) < 1e9 else f"{value:.4g}"
    return as_given(value)


def as_given(value: Any) -> str:
    """A value of the data as text, such as a slice: a year and an identifier have no commas.

    >>> as_given(2026), as_given(0.5), as_given(True), as_given(None)
    ('2026', '0.5', 'true', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.15g}"
    return printable(str(value))


def named(value: Any) -> str:
    """The name of a slice as text: `null` where its column has none.

    A text is in quotes if it is blank, or if without them it would be read as something else.

    >>> print(named(None), named("null"), named("all"), named(""), named("DE"), named(2026))
    null "null" "all" "" DE 2026
    """
    if value is None:
        return "null"
    text = as_given(value)
    if isinstance(value, str) and (not text.strip() or text in MEANT or text[0] == text[-1] == '"'):
        return f'"{text}"'
    return text


def unused(plain: str, used: set[str], numbered: str = "{} ({})") -> str:
    """A text, with a number behind it if it is in `used`, to which it is added.

    >>> unused("a", {"a"}), unused("a", {"a"}, "{}_{}")
    ('a (2)', 'a_2')
    """
    text, number = plain, 1
    while text in used:
        number += 1
        text = numbered.format(plain, number)
    used.add(text)
    return text


def column_of_data(values: list[Any]) -> list[str]:
    """The values of a column of the data as text. Times that are all midnights are dates."""
    return list(map(as_given, _without_midnights(values)))


def column_of_names(values: list[Any]) -> list[str]:
    """The names of slices as text. Times that are all midnights are dates."""
    return list(map(named, _without_midnights(values)))


def _without_midnights(values: list[Any]) -> list[Any]:
    times = [value for value in values if isinstance(value, datetime.datetime)]
    if times and all(time.time() == datetime.time() and time.tzinfo is None for time in times):
        return [value.date() if isinstance(value, datetime.datetime) else value for value in values]
    return values


def column_of_counts(values: list[Any]) -> list[str]:
    """Counts as text: integers, unless weights make one of them a fraction."""
    if all(value is None or float(value).is_integer() for value in values):
        values = [None if value is None else int(value) for value in values]
    return [shown(value) for value in values]


def markdown(text: str) -> str:
    r"""A text on one line as Markdown.

    >>> print(markdown("a|b `c` *d* n_rows _e_ [0, 1] [f](g)"))
    a\|b \`c\` \*d\* n_rows \_e\_ [0, 1] [f\](g)
    """
    return MARKDOWN.sub(lambda found: "\\" + found[0], printable(text))


def latex(text: str) -> str:
    r"""A text on one line as LaTeX. The sign of a number is a minus, not a hyphen.

    >>> print(latex("ndcg_10 & 50%"), latex("-0.25 [-0.5, 0.1]"))
    ndcg\_10 \& 50\% $-$0.25 {[}$-$0.5, 0.1]
    """
    signed = re.split(r"(?<![\w.-])-(?=\d+[.,\d]*(?:e[+-]?\d+)?(?:[\s,\]]|$))", printable(text))
    return "$-$".join("".join(LATEX.get(sign, sign) for sign in part) for part in signed)
