"""The comment above a macro as Markdown."""

from __future__ import annotations

import re
from urllib.parse import quote

#: one or several names, then what they are, on one line or more
ARGUMENT = re.compile(r"^  (\w+(?:, \w+)*): (.*(?:\n    .*)*)", re.MULTILINE)
CODE = re.compile(r"(`[^`]*`)")
DOI = re.compile(r"doi:(10\.\d+/(?:[^\s;,]|;(?=\S))*[^\s;,.)])")


def parts(doc: str) -> tuple[list[str], dict[str, str]]:
    """The paragraphs of a comment, and its fields such as `Range` by name."""
    head, *fields = re.split(r"^(?=[A-Z][a-z]+:)", doc, flags=re.M)
    named = (field.partition(":") for field in fields)
    return [text(p) for p in head.strip().split("\n\n")], {name: of for name, _, of in named}


def arguments(field: str) -> dict[str, str]:
    """The arguments of a field `Args`, each with what it is."""
    return {name: text(of) for names, of in ARGUMENT.findall(field) for name in names.split(", ")}


def text(written: str) -> str:
    r"""Prose of a comment as Markdown: on one line, without markup by accident, with links to papers.

    >>> text("see <metric>_low, a * b and `x_y`")
    'see &lt;metric>\\_low, a \\* b and `x_y`'
    """
    pieces = CODE.split(" ".join(written.split()))
    return "".join(piece if piece.startswith("`") else _prose(piece) for piece in pieces)


def _prose(piece: str) -> str:
    links = DOI.split(piece)
    marked = [re.sub(r"([*_\[\]])", r"\\\1", part.replace("<", "&lt;")) for part in links[::2]]
    shown = [
        f"[doi:{doi.replace('<', '&lt;')}](https://doi.org/{quote(doi, safe='/():;')})" for doi in links[1::2]
    ]
    return "".join(part for pair in zip(marked, [*shown, ""], strict=True) for part in pair)


def cell(markdown: str) -> str:
    """Markdown inside a table."""
    return markdown.replace("|", "\\|")
