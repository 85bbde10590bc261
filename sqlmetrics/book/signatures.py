"""The signatures of the macros of `sql/`: parameters, defaults, and the comments above them."""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

from sqlmetrics.book.cache import kept
from sqlmetrics.book.inherited import completed, head_of_file, named_same, unindented
from sqlmetrics.book.templates import macro_files, sql_files

COMMENTED = re.compile(r"\{#((?:(?!#\}).)*)#\}\s*\{%-?\s*macro\s+(\w+)", re.DOTALL)
FORMULA = re.compile(r"^Formula: (.*\n(?:  .*\n)*)", re.MULTILINE)
DOCUMENTED = ("metrics/", "curves/")
PARAMETERS = "metrics/parameters.sql"


class Signature(NamedTuple):
    """The parameters and the documentation of a macro."""

    parameters: dict[str, Any]  #: its own parameters with their defaults; `...` if a value is required
    doc: str  #: the comment above the macro, without the formula, which is LaTeX
    takers: list[tuple[str, int, list[str]]]
    """The macros to which it passes `**kwargs`, each with the arguments that the call sets itself: the number
    of positional arguments and the names of the others."""
    formula: str  #: the lines `Formula:` of the comment; empty if it has none


@functools.cache
def macros_of(text: str) -> dict[str, Signature]:
    """The signatures of the macros of a file, in the order of the file."""
    found = kept("signatures", lambda: _parsed(text), text)
    return {name: Signature(*parts) for name, parts in found.items()}


def _parsed(text: str) -> dict[str, tuple[Any, ...]]:
    """The fields of each `Signature` of a file, parsed from its text."""
    from jinja2 import nodes

    from sqlmetrics.book.jinja import environment

    docs = {name: unindented(comment) for comment, name in COMMENTED.findall(text)}
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
        doc = docs.get(macro.name, "")
        formula = FORMULA.search(doc)
        found[macro.name] = (own, FORMULA.sub("", doc), takers, formula[1] if formula else "")
    return found


@functools.cache
def signature(macro: str) -> Signature:
    """The signature of a macro. A metric's documentation has what its header inherits."""
    path = macro_files()[macro]
    found = macros_of(sql_files()[path])[macro]
    if not (path.startswith(DOCUMENTED) and macro.startswith(("metric_", "curve_of_"))):
        return found
    same = named_same(found.doc)
    other = signature(same[1]) if same else None
    doc = completed(
        found.doc,
        found.parameters,
        other.doc if other else "",
        [head_of_file(sql_files()[file]) for file in (path, PARAMETERS)],
    )
    return found._replace(doc=doc, formula=found.formula or (other.formula if other else ""))


def parameters(macro: str) -> dict[str, Any]:
    """The parameters and defaults of a macro, and those of the macros to which it passes `**kwargs`."""
    found = dict(signature(macro).parameters)
    for taker, placed, named in signature(macro).takers:
        given = [*list(signature(taker).parameters)[:placed], *named]
        further = parameters(taker)
        found |= {name: default for name, default in further.items() if name not in (*given, *found)}
    return found


def takers(macro: str) -> list[str]:
    """The macros to which a macro passes `**kwargs`, directly or through other macros."""
    found: list[str] = []
    for taker, _, _ in signature(macro).takers:
        found += [name for name in [taker, *takers(taker)] if name not in found]
    return found
