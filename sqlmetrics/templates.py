"""The macros of `sql/`, callable from Python as dbt calls them.

Jinja2 and dbt load the same files. dbt offers five names to a macro: the package's namespace, `adapter.dispatch`,
`return`, `execute` (false while it only looks for references) and `exceptions.raise_compiler_error`; here they are
given in plain Jinja2.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import jinja2

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean


def sql_folder() -> Path:
    """Where the macros are: inside an installed package, beside an editable one."""
    here = Path(__file__).parent
    return here / "sql" if (here / "sql").is_dir() else here.parent / "sql"


@functools.cache
def sql_files() -> dict[str, str]:
    """Every macro file by its path below `sql/`, in a fixed order."""
    folder = sql_folder()
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.sql"))
    }


def dialects() -> list[str]:
    """The engines that have a file in `sql/dialects/`."""
    names = [
        name.removeprefix("dialects/").removesuffix(".sql") for name in sql_files() if "dialects/" in name
    ]
    return [name for name in names if name != "default"]


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


class Macros:
    """All macros of `sql/` for one dialect, by name: `macros["evaluate"](...)`, `macros.evaluate(...)`."""

    def __init__(self, dialect: str) -> None:
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined, extensions=["jinja2.ext.do"])
        environment.context_class = _Context
        environment.globals.update(
            {
                "sqlmetrics": self,
                "adapter": {"dispatch": functools.cache(functools.partial(self._dispatch, dialect))},
                "return": _return,
                "execute": True,
                "exceptions": {"raise_compiler_error": _raise_compiler_error},
            }
        )
        self._macros: dict[str, Callable[..., Any]] = {}
        for text in sql_files().values():
            module = environment.from_string(text).module
            self._macros.update(
                {k: _returning(v) for k, v in vars(module).items() if isinstance(v, jinja2.runtime.Macro)}
            )

    def _dispatch(self, dialect: str, name: str, package: str) -> Callable[..., Any]:
        while f"{dialect}__{name}" not in self:
            parent = f"{dialect}__sql_parent"
            dialect = str(self[parent]()) if parent in self else "default"
        return self[f"{dialect}__{name}"]

    def __contains__(self, name: object) -> bool:
        return name in self._macros

    def __iter__(self) -> Iterator[str]:
        return iter(self._macros)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return self._macros[name]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or name not in self._macros:
            raise AttributeError(name)
        return self._macros[name]


@functools.cache
def macros(dialect: str) -> Macros:
    """The macros for a dialect, compiled once.

    Raises:
        SqlMetricsError: no file `sql/dialects/<dialect>.sql`.
    """
    if dialect not in dialects():
        raise SqlMetricsError(
            f"Unknown dialect '{dialect}'.{did_you_mean(dialect, dialects())} Known: {counted(dialects())}"
        )
    return Macros(dialect)
