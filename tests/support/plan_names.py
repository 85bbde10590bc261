"""Grains, columns and parts of a plan that the macro files name although there are none.

A statement refuses a column that its grain lacks (`check_names_read`), if it comes to that line. A part of a plan that
is not there is silently not none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
