"""The files of `sql/` in Jinja2: one environment, and the macros of a file as Python functions.

dbt offers five names to a macro: the package's namespace, `adapter.dispatch`, `return`, `execute` (false while it only
looks for references) and `exceptions.raise_compiler_error`. Plain Jinja2 gets them here and in `templates.py`.
"""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, NoReturn

import jinja2

from sqlmetrics.cache import kept
from sqlmetrics.errors import SqlMetricsError

VERSION = importlib.metadata.version("jinja2")  # Jinja2 3.2 deprecates its own `__version__`


class _Returned(Exception):  # noqa: N818 - not an error
    """Carries the value of a macro's `return` out of its rendering."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def _return(value: Any) -> NoReturn:
    raise _Returned(value)


def _returning(macro: Callable[..., Any]) -> Callable[..., Any]:
    """The macro, which gives what it returns or else what it renders."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return macro(*args, **kwargs)
        except _Returned as returned:
            return returned.value

    return call


def _raise_compiler_error(message: str) -> NoReturn:
    raise SqlMetricsError(message)


class _Context(jinja2.runtime.Context):
    """Calls macros as they are, since none takes the context: thousands of calls make a statement."""

    def call(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return function(*args, **kwargs)


@functools.cache
def environment() -> jinja2.Environment:
    """The environment of all dialects, with the names that mean the same in each of them."""
    made = jinja2.Environment(undefined=jinja2.StrictUndefined, extensions=["jinja2.ext.do"])
    made.context_class = _Context
    made.globals.update(
        {"return": _return, "execute": True, "exceptions": {"raise_compiler_error": _raise_compiler_error}}
    )
    return made


def functions(path: str, text: str, names: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The macros of a file.

    Args:
        path: where the file stands below `sql/`.
        text: the file.
        names: what its macros can name, besides the globals of the environment.
    """

    def compiled() -> CodeType:
        return environment().compile(text, path, path)

    code = kept("code", compiled, text, path, VERSION)
    template = jinja2.Template.from_code(environment(), code, environment().make_globals(dict(names)))
    return {
        name: _returning(macro)
        for name, macro in vars(template.module).items()
        if isinstance(macro, jinja2.runtime.Macro)
    }
