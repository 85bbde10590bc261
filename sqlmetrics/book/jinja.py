"""The files of `sql/` in Jinja2: one environment, and the macros of a file as Python functions.

Macros use seven names that dbt provides: the package's namespace, `adapter.dispatch`, `return`, `execute`
(false while dbt only collects references), `exceptions.raise_compiler_error`, `local_md5` and `context` (with the
macros of the user's dbt project; empty here). This file and `templates.py` provide them in plain Jinja2.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
from collections.abc import Callable, Mapping
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any, NoReturn

import jinja2

from sqlmetrics.book.cache import digest_of, kept
from sqlmetrics.errors import SqlMetricsError

VERSION = importlib.metadata.version("jinja2")  # Jinja2 3.2 deprecates its own `__version__`


class _Returned(Exception):  # noqa: N818  no error
    """Ends a macro with a value, where Jinja2 renders it."""

    def __init__(self, value: Any) -> None:
        super().__init__("`return` is a statement of its own in a macro: {%- do return(value) -%}")
        self.value = value


def _return(value: Any) -> NoReturn:
    raise _Returned(value)


def _rendered(macro: Callable[..., Any]) -> Callable[..., Any]:
    """A macro that Jinja2 compiled as a function: its text, or what it returns."""

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return macro(*args, **kwargs)
        except _Returned as returned:
            return returned.value

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
    made.globals.update(
        {
            "execute": True,
            "exceptions": SimpleNamespace(raise_compiler_error=_raise_compiler_error),
            "context": {},
            "local_md5": _local_md5,
            "return": _return,
        }
    )
    return made


@functools.cache
def direct_calls() -> ModuleType | None:
    """The module of that name, which halves the time to write a statement; None if it does not fit this Jinja2."""

    def fits() -> bool:
        with contextlib.suppress(Exception):  # anything can fail in another's private parts
            macros = SimpleNamespace()
            code = direct.compiling(environment()).compile(direct.SAMPLE, "sample", "sample")
            vars(macros).update(_loaded(code, {"sqlmetrics": macros}, direct.function))
            return bool(macros.tried() == direct.ANSWERS)
        return False

    try:
        from sqlmetrics.book import direct_calls as direct
    except Exception:
        return None
    return direct if kept("direct", fits, VERSION, digest_of(direct.__name__)) else None


def functions(path: str, text: str, names: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The macros of a file.

    Args:
        path: the path of the file below `sql/`.
        text: the content of the file.
        names: the names that its macros can use besides the globals of the environment.
    """
    direct = direct_calls()

    def compiled() -> CodeType:
        made = direct.compiling(environment()) if direct else environment()
        return made.compile(text, path, path)

    code = kept("code", compiled, text, path, VERSION, digest_of(direct.__name__) if direct else "")
    found = _loaded(code, names, direct.function if direct else _rendered)
    if path.startswith("math/"):  # depends on nothing else
        return {name: _remembering(macro) for name, macro in found.items()}
    return found


def _loaded(
    code: CodeType, names: Mapping[str, Any], function: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """The macros of a compiled file, each as `function` makes it of Jinja2's macro."""
    template = jinja2.Template.from_code(environment(), code, environment().make_globals(dict(names)))
    return {name: function(macro) for name, macro in vars(template.module).items() if callable(macro)}
