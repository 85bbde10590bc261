"""The files of `sql/` in Jinja2: one environment, and the macros of a file as Python functions.

Macros use seven names that dbt provides: the package's namespace, `adapter.dispatch`, `return`, `execute`
(false while dbt only collects references), `exceptions.raise_compiler_error`, `local_md5` and `context` (with the
macros of the user's dbt project; empty here). This file and `templates.py` provide them in plain Jinja2.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
from collections.abc import Callable, Mapping
from keyword import iskeyword
from types import CodeType, SimpleNamespace
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes

# by their modules: an import that a Ctrl-C stopped leaves `jinja2` without these attributes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Macro
from jinja2.utils import missing

from sqlmetrics.book.cache import kept
from sqlmetrics.errors import SqlMetricsError

VERSION = importlib.metadata.version("jinja2")  # Jinja2 3.2 deprecates its own `__version__`


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


def _function(macro: Macro) -> Callable[..., Any]:
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


def _remembering(macro: Callable[..., Any]) -> Callable[..., Any]:
    """The macro, which computes a result once: to find a quantile takes longer than to write a statement."""
    known = functools.lru_cache(maxsize=128, typed=True)(macro)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return known(*args, **kwargs)
        except TypeError:  # an argument that cannot be a key, such as a list
            return macro(*args, **kwargs)

    return call


def _raise_compiler_error(message: str) -> NoReturn:
    raise SqlMetricsError(message)


def _local_md5(text: str) -> str:
    return hashlib.md5(text.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()


@functools.cache
def environment() -> jinja2.Environment:
    """The environment of all dialects, with the names that they share."""
    made = jinja2.Environment(undefined=jinja2.StrictUndefined, extensions=["jinja2.ext.do"])
    made.code_generator_class = _Functions
    made.globals.update(
        {
            "execute": True,
            "exceptions": SimpleNamespace(raise_compiler_error=_raise_compiler_error),
            "context": {},
            "local_md5": _local_md5,
        }
    )
    return made


def functions(path: str, text: str, names: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The macros of a file.

    Args:
        path: the path of the file below `sql/`.
        text: the content of the file.
        names: the names that its macros can use besides the globals of the environment.
    """

    def compiled() -> CodeType:
        return environment().compile(text, path, path)

    code = kept("code", compiled, text, path, VERSION)
    template = jinja2.Template.from_code(environment(), code, environment().make_globals(dict(names)))
    wrap = _remembering if path.startswith("math/") else lambda macro: macro  # math/ depends on nothing else
    return {
        name: wrap(_function(macro))
        for name, macro in vars(template.module).items()
        if isinstance(macro, Macro)
    }
