"""What a shell proposes for a word: names of metrics, curves, dialects and conventions, and the words of a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlmetrics.catalog import catalog, curves
from sqlmetrics.conventions import convention_names
from sqlmetrics.templates import dialects

Completer = Callable[[str], list[str]]


def of(words: Callable[[], Iterable[str]]) -> Completer:
    """Proposes some of the words; they are made only when a shell asks.

    >>> of(lambda: ["drop", "error"])("d")
    ['drop']
    """
    return lambda incomplete: [word for word in words() if word.startswith(incomplete)]


def notations(incomplete: str) -> list[str]:
    """Proposes a metric for the last of several with commas between them.

    >>> notations("auc,log_l")
    ['auc,log_loss']
    """
    before, comma, last = incomplete.rpartition(",")
    names = sorted({metric.name + "@" * metric.needs_cutoff for metric in catalog().values()})
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


#: by the name of a parameter
COMPLETERS: dict[str, Completer] = {
    "metrics": notations,
    "kind": of(curves),
    "dialect": of(dialects),
    "convention": of(convention_names),
}
