"""What a shell proposes for a word: names of metrics, curves, dialects and conventions, and the words of a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlmetrics.book.catalog import catalog, curves
from sqlmetrics.book.conventions import convention_names
from sqlmetrics.book.templates import dialects

Completer = Callable[[str], list[str]]


def of(words: Callable[[], Iterable[str]]) -> Completer:
    """Proposes some of the words; they are made only when a shell asks.

    >>> of(lambda: ["drop", "error"])("d")
    ['drop']
    """
    return lambda incomplete: [word for word in words() if word.startswith(incomplete)]


def several(words: Callable[[], Iterable[str]]) -> Completer:
    """Proposes a word for the last of several with commas between them.

    >>> several(lambda: ["roc", "gain"])("roc,g")
    ['roc,gain']
    """

    def propose(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [f"{before}{comma}{word}" for word in words() if word.startswith(last)]

    return propose


def notations() -> list[str]:
    """The metrics, those that need a cutoff with their sign."""
    return sorted({metric.name + "@" * metric.needs_cutoff for metric in catalog().values()})


#: by the name of a parameter
COMPLETERS: dict[str, Completer] = {
    "metrics": several(notations),
    "kind": of(curves),
    "curves": several(curves),
    "dialect": of(dialects),
    "convention": of(convention_names),
}
