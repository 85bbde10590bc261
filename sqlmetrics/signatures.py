"""What the macros of `sql/` say of themselves: parameters, defaults, and the comments above them."""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

from sqlmetrics.cache import kept
from sqlmetrics.templates import macro_files, sql_files

COMMENTED = re.compile(r"\{#((?:(?!#\}).)*)#\}\s*\{%-?\s*macro\s+(\w+)", re.DOTALL)


class Signature(NamedTuple):
    """What a macro says of itself."""

    parameters: dict[str, Any]  #: its own with their defaults; `...` where a value is required
    doc: str  #: the comment above it
    takers: list[tuple[str, int, list[str]]]
    """The macros that take its further parameters (`**kwargs`), each with the parameters that it sets itself: how many
    by their place, and which by name."""


@functools.cache
def macros_of(text: str) -> dict[str, Signature]:
    """The macros of a file, in their order."""
    found = kept("signatures", lambda: _parsed(text), text)
    return {name: Signature(*parts) for name, parts in found.items()}


def _parsed(text: str) -> dict[str, tuple[Any, ...]]:
    """The parts of the signatures of a file."""
    from jinja2 import nodes

    from sqlmetrics.jinja import environment

    docs = {name: _unindented(comment) for comment, name in COMMENTED.findall(text)}
    found: dict[str, tuple[Any, ...]] = {}
    for macro in environment().parse(text).find_all(nodes.Macro):
        names = [argument.name for argument in macro.args]
        required = len(names) - len(macro.defaults)
        own: dict[str, Any] = dict.fromkeys(names[:required], ...)
        own |= {name: node.as_const() for name, node in zip(names[required:], macro.defaults, strict=True)}
        takers = [
            (call.node.attr, len(call.args), [keyword.key for keyword in call.kwargs])
            for call in macro.find_all(nodes.Call)
            if isinstance(call.dyn_kwargs, nodes.Name) and isinstance(call.node, nodes.Getattr)
        ]
        found[macro.name] = (own, docs.get(macro.name, ""), takers)
    return found


def _unindented(comment: str) -> str:
    return "\n".join(line.removeprefix("  ") for line in comment.strip("\n").splitlines()).strip()


def signature(macro: str) -> Signature:
    """The signature of a macro."""
    return macros_of(sql_files()[macro_files()[macro]])[macro]


def all_macros() -> dict[str, Signature]:
    """The signatures of all macros by name."""
    return {macro: signature(macro) for macro in macro_files()}


def parameters(macro: str) -> dict[str, Any]:
    """A macro's parameters and defaults, and those of the macros that take its further ones."""
    found = dict(signature(macro).parameters)
    for taker, placed, named in signature(macro).takers:
        given = [*list(signature(taker).parameters)[:placed], *named]
        further = parameters(taker)
        found |= {name: default for name, default in further.items() if name not in (*given, *found)}
    return found


def takers(macro: str) -> list[str]:
    """The macros that take a macro's further parameters, and theirs."""
    found: list[str] = []
    for taker, _, _ in signature(macro).takers:
        found += [name for name in [taker, *takers(taker)] if name not in found]
    return found
