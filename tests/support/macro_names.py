"""What the macro files name wrongly: a macro that is not there, arguments that it does not take, what nobody uses.

Jinja finds such a mistake when it comes to the line, which may be in one dialect alone, or never. So `make lint` looks.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from jinja2 import nodes

from sqlmetrics.book.templates import macros as macros_of
from sqlmetrics.book.templates import sql_files
from support.dbt_schema import called
from support.paths import ROOT
from support.plan_names import unknown_columns, unknown_listed, unknown_parts, unknown_words

ENVIRONMENT = jinja2.Environment(extensions=["jinja2.ext.do"])
#: Macros that notations and dbt's data tests name.
NAMED = ("metric_", "curve_of_", "test_")
#: The macro that looks up what a notation names. `plan` does so, too, in the user's project first.
BY_NOTATION = "curve_plan"


class Macro(NamedTuple):
    """A macro of the files."""

    path: str
    node: nodes.Macro

    @property
    def parameters(self) -> list[str]:
        return [argument.name for argument in self.node.args]

    @property
    def required(self) -> list[str]:
        return self.parameters[: len(self.parameters) - len(self.node.defaults)]

    @property
    def read(self) -> set[str]:
        """The names that it reads."""
        return {name.name for name in self.node.find_all(nodes.Name) if name.ctx == "load"}

    def said(self, what: str) -> str:
        return f"sql/{self.path}:{self.node.lineno}: {self.node.name} {what}"


def mistakes(files: Mapping[str, str], entries: Iterable[str], plan: Mapping[str, Any]) -> list[str]:
    """The mistakes of macro files, a line each.

    Args:
        files: path -> text.
        entries: the macros that others call.
        plan: an empty plan.
    """
    trees = {path: ENVIRONMENT.parse(text) for path, text in files.items()}
    macros = {
        node.name: Macro(path, node) for path, tree in trees.items() for node in tree.find_all(nodes.Macro)
    }
    found = []
    for path, tree in trees.items():
        wrong = [
            *_wrong_calls(tree, macros),
            *_glued(tree),
            *unknown_columns(tree, plan["grains"]),
            *unknown_listed(tree, plan["grains"]),
            *unknown_parts(tree, plan),
        ]
        found += [f"sql/{path}:{line}: {what}" for line, what in wrong]
    found += [f"sql/{path}:{line}: {what}" for path, line, what in unknown_words(trees, macros)]
    return [
        *found,
        *_unused_arguments(trees.values(), macros),
        *_uncalled(trees.values(), macros, set(entries)),
    ]


def _wrong_calls(tree: nodes.Template, macros: Mapping[str, Macro]) -> Iterator[tuple[int, str]]:
    for taken in tree.find_all(nodes.Getattr):
        if _is_ours(taken) and taken.attr not in macros:
            yield taken.lineno, f"there is no macro {taken.attr}"
    for call in tree.find_all(nodes.Call):
        name = _dispatched(call.node)
        if name is not None and f"default__{name}" not in macros:
            yield call.lineno, f"there is no macro default__{name}"
        if _is_ours(call.node):
            name, parts = call.node.attr, [call.node.attr]
        else:
            parts = [macro for macro in macros if macro.endswith(f"__{name}")] if name else []
        for macro in parts:
            if macro in macros:
                yield from ((call.lineno, f"{macro} {wrong}") for wrong in _misfits(call, macros[macro]))


def _glued(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    for macro in tree.find_all(nodes.Macro):
        for item in macro.find_all(nodes.Getitem):
            if (
                isinstance(item.node, nodes.Name)
                and item.node.name == "sqlmetrics"
                and macro.name != BY_NOTATION
            ):
                yield (
                    item.lineno,
                    "a macro is looked up by a name that a search does not find; write sqlmetrics.<name>",
                )


def _misfits(call: nodes.Call, macro: Macro) -> Iterator[str]:
    """What a call passes that a macro does not take, and what it does not pass."""
    placed, named = macro.parameters[: len(call.args)], [keyword.key for keyword in call.kwargs]
    if len(call.args) > len(macro.parameters) and "varargs" not in macro.read:
        yield f"takes {len(macro.parameters)} arguments, not {len(call.args)}"
    for name in named:
        if name in placed:
            yield f"gets {name} twice"
        elif name not in macro.parameters and "kwargs" not in macro.read:
            yield f"has no argument {name}"
    if call.dyn_args is None and call.dyn_kwargs is None:
        missing = [name for name in macro.required if name not in [*placed, *named]]
        if missing:
            yield f"is called without {', '.join(missing)}"


def _unused_arguments(trees: Iterable[nodes.Template], macros: Mapping[str, Macro]) -> Iterator[str]:
    """Macros that are called in each other's place share their arguments: what one of them uses is used."""
    places = [_places(macro.node.name, macros) for macro in macros.values() if "__" in macro.node.name]
    places += [
        [taken.attr for taken in of if taken.attr in macros] for tree in trees for of in _collections(tree)
    ]
    passed: dict[str, list[str]] = {}
    for tree in trees:
        for name, value in _named_values(tree):
            passed.setdefault(name, []).extend(macro for macro in value if macro in macros)
    places += passed.values()
    used = {name: set(macro.read) for name, macro in macros.items()}
    for place in places:
        together = set().union(*(macros[name].read for name in place))
        for name in place:
            used[name] |= together
    for name, macro in macros.items():
        for argument in macro.parameters:
            # the plan is passed to whatever a notation names
            if argument not in used[name] and not (argument == "plan" and name.startswith(NAMED)):
                yield macro.said(f"does not use its argument {argument}")


def _places(name: str, macros: Mapping[str, Macro]) -> list[str]:
    """The macros of all dialects for a primitive."""
    return [macro for macro in macros if macro.endswith(f"__{name.split('__', 1)[1]}")]


def _collections(tree: nodes.Template) -> Iterator[list[nodes.Getattr]]:
    """The macros that lists and dicts hold, of which one is called."""
    for literal in tree.find_all((nodes.Dict, nodes.List, nodes.Tuple)):
        items = [pair.value for pair in literal.items] if isinstance(literal, nodes.Dict) else literal.items
        yield [item for item in items if _is_ours(item)]


def _named_values(tree: nodes.Template) -> Iterator[tuple[str, list[str]]]:
    """The macros that are passed by a name, or stand under it in a dict, such as what a question does."""
    for named in tree.find_all((nodes.Keyword, nodes.Pair)):
        name = str(named.key.value) if isinstance(named.key, nodes.Const) else named.key
        either = named.value
        values = [either.expr1, either.expr2] if isinstance(either, nodes.CondExpr) else [either]
        if isinstance(name, str):
            yield name, [value.attr for value in values if _is_ours(value)]


def _uncalled(
    trees: Iterable[nodes.Template], macros: Mapping[str, Macro], entries: set[str]
) -> Iterator[str]:
    taken: set[str | None] = set(entries)
    for tree in trees:
        taken |= {part.attr for part in tree.find_all(nodes.Getattr) if _is_ours(part)}
        taken |= {_dispatched(call.node) for call in tree.find_all(nodes.Call)}
    for name, macro in macros.items():
        # a dialect's macro is taken for its primitive, or names the dialect's parent
        of_dialect = name.split("__", 1)[1] if "__" in name else name
        if not {name, of_dialect} & taken and of_dialect != "sql_parent" and not name.startswith(NAMED):
            yield macro.said("is called by nobody")


def _is_ours(node: nodes.Node) -> bool:
    """Whether a node is sqlmetrics.x."""
    return (
        isinstance(node, nodes.Getattr)
        and isinstance(node.node, nodes.Name)
        and node.node.name == "sqlmetrics"
    )


def _dispatched(node: nodes.Node) -> str | None:
    """The primitive of adapter.dispatch('sql_x', 'sqlmetrics'); none for another node."""
    if (
        isinstance(node, nodes.Call)
        and isinstance(node.node, nodes.Getattr)
        and node.node.attr == "dispatch"
        and isinstance(node.args[0], nodes.Const)
    ):
        return str(node.args[0].value)
    return None


def named_in_python(folder: Path) -> set[str]:
    """The attributes and texts of Python files, among which are the macros that they call."""
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


if __name__ == "__main__":
    found = mistakes(
        sql_files(),
        {*called(), *named_in_python(ROOT / "sqlmetrics")},
        macros_of("duckdb").empty_plan(relation="t"),
    )
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))
