"""Grains, columns, parts of a plan and other names that the macro files ask for although there are none.

A statement refuses a column that its grain lacks (`check_names_read`), if it comes to that line. A part of a plan that
is not there is silently not none, and a misspelt name is silently in no list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jinja2 import nodes

#: Macro -> the grain whose columns it reads, or the argument that is the grain; and the argument that is the columns.
READERS: dict[str, tuple[str | int, int | None]] = {
    "need": (1, None), "aggregates": (1, None), "sums_read": (1, None), "declare": (1, None), "reads_sums": (1, None),
    "reads": (1, 2), "note_reads": (1, 2), "check_names_read": (1, 2),
    "levels_read": ("levels", 1), "levels_or_bins_read": ("levels", 1), "read_levels": ("levels", 1),
    "arms_read": ("arms", 1), "rows_read": ("rows", 1),
}  # fmt: skip
#: Readers besides the grains: those of a curve's points read columns of a grain, others sums or roles.
POINTS = {"points": "levels", "arm_points": "arms"}
OTHERS = {"stages", "values", "roles"}
#: What `levels_read` answers besides columns.
OF_LEVELS = {"whole", "all"}


def unknown_columns(tree: nodes.Template, grains: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The line and the sentence of each grain that is none, and of each column that its grain lacks."""
    for call in tree.find_all(nodes.Call):
        if not (isinstance(call.node, nodes.Getattr) and call.node.attr in READERS):
            continue
        place, columns = READERS[call.node.attr]
        for grain in [place] if isinstance(place, str) else _texts(call.args[place]):
            grain = POINTS.get(grain, grain)
            if grain in grains:
                known = {*grains[grain]["columns"], *(OF_LEVELS if grain == "levels" else ())}
                named = _texts(call.args[columns]) if columns and len(call.args) > columns else []
                yield from (
                    (call.lineno, f"the grain {grain} has no column {name}")
                    for name in named
                    if name not in known
                )
            elif grain not in OTHERS:
                yield call.lineno, f"there is no grain {grain}"


def unknown_listed(tree: nodes.Template, grains: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The line and the sentence of each column that a dict of grains lists, such as `counted_columns()`."""
    for lists in tree.find_all(nodes.Dict):
        listed = {text: pair.value for pair in lists.items for text in _texts(pair.key)}
        if listed.keys() <= grains.keys():
            for grain, names in listed.items():
                for name in _texts(names) if isinstance(names, nodes.List) else []:
                    if name not in grains[grain]["columns"]:
                        yield lists.lineno, f"the grain {grain} has no column {name}"


def _texts(node: nodes.Node) -> list[str]:
    """The texts of an expression that is one, or a list of some."""
    if isinstance(node, nodes.Const):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, nodes.List | nodes.Tuple):
        return [text for item in node.items for text in _texts(item)]
    return [*_texts(node.left), *_texts(node.right)] if isinstance(node, nodes.Add) else []


def unknown_parts(tree: nodes.Template, plan: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The line and the sentence of each plan['x'] or plan['facts']['x'] that an empty plan lacks."""
    for item in tree.find_all(nodes.Getitem):
        if not isinstance(item.arg, nodes.Const):
            continue
        if _is_plan(item.node):
            part, known = "plan", plan
        elif isinstance(item.node, nodes.Getitem) and _is_plan(item.node.node):
            [part] = _texts(item.node.arg) or [""]
            # other parts have the names of a call for keys
            if part not in ("facts", "asked", "result", "needs", "grains"):
                continue
            part, known = f"plan['{part}']", plan[part]
        else:
            continue
        if item.arg.value not in known:
            yield item.lineno, f"there is no {part}['{item.arg.value}']"


def _is_plan(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "plan"


def unknown_words(
    trees: Mapping[str, nodes.Template], macros: Iterable[str]
) -> Iterator[tuple[str, int, str]]:
    """Path, line and sentence of each word that something is compared with, and that nothing in the files is called.

    `'n_unjudgd' in names` and `ties == 'wrost'` are silently false. The words of dialects come from Python and engines.
    """
    found = {path: list(tree.find_all(nodes.Node)) for path, tree in trees.items()}
    compared = {path: [word for node in of for word in _compared(node)] for path, of in found.items()}
    places = {id(word) for words in compared.values() for word in words}
    known = set(macros)
    for of in found.values():
        for node in of:
            if isinstance(node, nodes.Const | nodes.TemplateData) and id(node) not in places:
                text = node.value if isinstance(node, nodes.Const) else node.data
                known.update(re.findall(r"\w+", str(text)))
            elif isinstance(node, nodes.Keyword):
                known.add(node.key)
            elif isinstance(node, nodes.Name) and node.ctx == "param":
                known.add(node.name)
    for path, words in compared.items():
        for word in words:
            if not {word.value, word.value.removeprefix("sm_")} & known and not path.startswith("dialects/"):
                yield path, word.lineno, f"nothing is called '{word.value}'"


def _compared(node: nodes.Node) -> Iterator[nodes.Const]:
    """The words of `==`, `in`, `.get` and of filters that select by a word."""
    found: Sequence[nodes.Node] = []
    if isinstance(node, nodes.Compare):
        # what a text contains is no word
        test = node.ops[0]
        contains = test.op in ("in", "notin") and isinstance(test.expr, nodes.Const)
        found = [node.expr] if contains else [node.expr, test.expr]
    elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr == "get":
        found = node.args[:1]
    elif isinstance(node, nodes.Filter) and node.name in ("select", "reject"):
        found = node.args[1:]
    elif isinstance(node, nodes.Filter) and node.name in ("selectattr", "rejectattr", "map"):
        found = [*node.args[:1], *node.args[2:], *(keyword.value for keyword in node.kwargs)]
    for part in found:
        for word in part.items if isinstance(part, nodes.List | nodes.Tuple) else [part]:
            if isinstance(word, nodes.Const) and re.fullmatch(r"[a-z]\w+", str(word.value)):
                yield word
