"""Macros compiled to Python functions that call each other directly, by private parts of Jinja2.

Another Jinja2 may have other parts: `jinja.py` tries them on SAMPLE, and does without where they fail.
"""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword
from typing import Any

from jinja2 import Environment, nodes

# by their modules: an import that a Ctrl-C stopped leaves `jinja2` without these attributes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Macro
from jinja2.utils import missing

#: Macros with what files of `sql/` contain, which call each other as `sqlmetrics`; `tried` gives ANSWERS.
SAMPLE = """
{% macro add(x, y=2, class=none) -%} {%- do return(x + y if class is none else class) -%} {%- endmacro %}
{% macro first_above(numbers, limit) -%}
    {%- for number in numbers if number is not none -%}
        {%- if number > limit -%} {{ return(sqlmetrics.add(number, y=limit)) }} {%- endif -%}
    {%- endfor -%}
    {%- do return(none) -%}
{%- endmacro %}
{% macro listed(names) -%}
    {%- set at = namespace(n=0) -%}
    {%- for name in names -%}
        {%- set at.n = sqlmetrics.add(at.n, 1) -%}
        {{ name.upper() ~ at.n }}{{ ', ' if not loop.last }}
    {%- endfor %} of {{ names | map('length') | list | join('+') }}
{%- endmacro %}
{% macro options() -%} {%- do return(kwargs) -%} {%- endmacro %}
{% macro tried() -%}
    {%- set found = [sqlmetrics.add(1), sqlmetrics.add(*[1], **{'y': 5}), sqlmetrics.add(1, class='c')] -%}
    {%- do found.append(sqlmetrics.options(a=1, class=2)) -%}
    {%- do found.append(sqlmetrics.first_above([none, 1, 4, 9], 3)) -%}
    {%- do found.append(sqlmetrics.first_above([], 3)) -%}
    {%- do found.append(sqlmetrics.listed(names=['a', 'bc'])) -%}
    {%- do return(found) -%}
{%- endmacro %}
"""
ANSWERS = [3, 6, "c", {"a": 1, "class": 2}, 7, None, "A1, BC2 of 1+2"]


class _Functions(CodeGenerator):
    """Compiles macros to functions with a `return` of their own, which call each other directly.

    A statement makes thousands of calls. Jinja2 would pass each through its context, which no macro reads, and would
    look for a key of that name if there is no attribute.
    """

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802
        if isinstance(node.node, nodes.Getattr):
            self.visit(node.node.node, frame)
            self.write(f".{node.node.attr}(")
        else:
            self.visit(node.node, frame)
            self.write("(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        for named in node.kwargs:
            reserved = iskeyword(named.key)  # such as class=
            self.write(f"**{{{named.key!r}: " if reserved else f"{named.key}=")
            self.visit(named.value, frame)
            self.write("}, " if reserved else ", ")
        for stars, arguments in (("*", node.dyn_args), ("**", node.dyn_kwargs)):
            if arguments is not None:
                self.write(stars)
                self.visit(arguments, frame)
                self.write(", ")
        self.write(")")

    def visit_ExprStmt(self, node: nodes.ExprStmt, frame: Frame) -> None:  # noqa: N802
        if not self._write_return(node.node, frame):
            super().visit_ExprStmt(node, frame)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:  # noqa: N802
        if not (len(node.nodes) == 1 and self._write_return(node.nodes[0], frame)):
            super().visit_Output(node, frame)

    def _write_return(self, node: nodes.Node, frame: Frame) -> bool:
        """Writes dbt's `return(value)` as Python's; false if the node is something else."""
        if not (
            isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "return"
        ):
            return False
        self.newline(node)
        self.write("return ")
        self.visit(node.args[0], frame)
        return True


def function(macro: Macro) -> Callable[..., Any]:
    """A macro as a function. Arguments by position, as most are, go to its body as they are."""
    if macro.catch_kwargs or macro.catch_varargs:
        return macro
    body, count = macro._func, len(macro.arguments)
    left_out = [(missing,) * (count - given) for given in range(count + 1)]

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) > count:
            return macro(*args, **kwargs)
        return body(*args, *left_out[len(args)])

    return call


def compiling(environment: Environment) -> Environment:
    """An environment that compiles macros so."""
    direct = environment.overlay()
    direct.code_generator_class = _Functions
    return direct
