"""What the macros of `sql/` say of themselves: parameters, defaults, and the comments above them."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import jinja2
from jinja2 import nodes

from sqlmetrics.templates import sql_files


def macros_of(text: str) -> dict[str, tuple[nodes.Macro, str]]:
    """The macros of a file, each with the comment above it."""
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])
    docs: dict[str, str] = {}
    comment, tokens = "", [token for token in environment.lex(text) if token[1] != "whitespace"]
    for (_, kind, value), following, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if kind == "comment":
            comment = "\n".join(line.removeprefix("  ") for line in value.strip("\n").splitlines()).strip()
        elif kind == "block_begin" and following[2] == "macro":
            docs[name[2]], comment = comment, ""
    return {macro.name: (macro, docs[macro.name]) for macro in environment.parse(text).find_all(nodes.Macro)}


@functools.cache
def all_macros() -> dict[str, tuple[nodes.Macro, str]]:
    """All macros by name, each with the comment above it."""
    return {name: macro for text in sql_files().values() for name, macro in macros_of(text).items()}


def _handed_on(macro: nodes.Macro) -> Iterator[tuple[str, list[str]]]:
    """The macros to which a macro hands its further parameters (`**kwargs`), with those that it sets itself."""
    for call in macro.find_all(nodes.Call):
        if isinstance(call.dyn_kwargs, nodes.Name) and isinstance(call.node, nodes.Getattr):
            taker = all_macros()[call.node.attr][0]
            first = [argument.name for argument in taker.args][: len(call.args)]
            yield taker.name, [*first, *(keyword.key for keyword in call.kwargs)]


def parameters(macro: nodes.Macro) -> dict[str, Any]:
    """A macro's parameters and defaults, and those of the macros that take its further ones."""
    names = [argument.name for argument in macro.args]
    required = len(names) - len(macro.defaults)
    found: dict[str, Any] = dict.fromkeys(names[:required], ...)
    found |= {
        name: default.as_const() for name, default in zip(names[required:], macro.defaults, strict=True)
    }
    for taker, given in _handed_on(macro):
        further = parameters(all_macros()[taker][0])
        found |= {name: default for name, default in further.items() if name not in (*given, *found)}
    return found


def takers(macro: str) -> list[str]:
    """The macros that take a macro's further parameters, and theirs."""
    found: list[str] = []
    for taker, _ in _handed_on(all_macros()[macro][0]):
        found += [name for name in [taker, *takers(taker)] if name not in found]
    return found
