"""The words of comments, docstrings, messages and pages: phrases that make a reader guess have a plain form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.paths import ROOT

#: phrase -> what to write. Phrases begin with a word, for which Python searches fast.
RIDDLES = {
    r"that of the\b": "the thing again: 'the place of the prediction'",
    r"as that is": "the name of what is compared",
    r"is none\b(?!,| or\b| and\b| else\b)": "what it is not, 'a curve is not a list', or what is missing",
    r"tells?(?: \w+){0,4} apart": "'identifies' or 'distinguishes'",
    r"told (?:apart|by|with|how|otherwise)\b": "'compared', 'recognised by' or 'named'",
    r"tells (?:that|whether|which|how|what|nothing|no)\b": "'gives', 'shows' or 'tests'",
    r"what an? \w+ adds": "the term: 'the numerator of a slice'",
    r"is said\b": "'the message', or who says it",
    r"is had\b": "'has'",
    r"says otherwise": "'change it with positive='",
}
PHRASES = {re.compile(phrase.replace(" ", r"\s+")): advice for phrase, advice in RIDDLES.items()}
#: code, in which `none` is a value
CODE = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)
MESSAGE = re.compile(r'"[^"]*"')


def files() -> Iterator[Path]:
    for folder, endings in {
        "sql": ("sql", "md"),
        "sqlmetrics": ("py", "md"),
        "docs": ("md", "jinja"),
    }.items():
        for ending in endings:
            yield from (ROOT / folder).rglob(f"*.{ending}")
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md")


def without_code(text: str) -> str:
    """A macro file, or a page that shows one, whose code keeps its messages and its line breaks alone."""
    return CODE.sub(
        lambda code: "\n".join("".join(MESSAGE.findall(line)) for line in code[0].split("\n")), text
    )


def riddles(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for phrase, advice in PHRASES.items():
        if phrase.search(text):
            for found in phrase.finditer(text if path.suffix == ".py" else without_code(text)):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path.relative_to(ROOT)}:{line}: '{' '.join(found[0].split())}'; write {advice}"


def test_no_phrase_makes_a_reader_guess() -> None:
    assert [found for path in sorted(files()) for found in riddles(path)] == []


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("{# The place, that of\n  the label. #}", "that of the"),
        ('{{ x("a curve is none") }}', "is none"),
        ("{# It tells the two apart. #}", "tells the two apart"),
        ("{% if k is none %}", None),
        ("{# With k=none the list is whole. #}", None),
    ],
)
def test_a_riddle_is_found(
    text: str, phrase: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    (tmp_path / "x.sql").write_text(text)
    found = list(riddles(tmp_path / "x.sql"))
    assert [line.split("'")[1] for line in found] == ([phrase] if phrase else [])
    assert not found or found[0].startswith("x.sql:1: ")
