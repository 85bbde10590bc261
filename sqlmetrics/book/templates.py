"""The macros of `sql/` as Python functions.

Jinja2 and dbt load the same files. A file is loaded when one of its macros is first called.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any

from sqlmetrics.errors import SqlMetricsError, counted, did_you_mean

MACRO = re.compile(r"\{%-?\s*macro\s+(\w+)")


def sql_folder() -> Path:
    """The folder of the macros: inside the package if it is installed, beside it if it is editable."""
    here = Path(__file__).parent.parent
    return here / "sql" if (here / "sql").is_dir() else here.parent / "sql"


@functools.cache
def sql_files() -> dict[str, str]:
    """Every macro file by its path below `sql/`, in a fixed order."""
    folder = sql_folder()
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.sql"))
    }


@functools.cache
def macro_files() -> dict[str, str]:
    """The path below `sql/` of every macro by name."""
    return {name: path for path, text in sql_files().items() for name in MACRO.findall(text)}


def dialects() -> list[str]:
    """The engines that have a file in `sql/dialects/`."""
    paths = map(PurePath, sql_files())
    return [path.stem for path in paths if str(path.parent) == "dialects" and path.stem != "default"]


class Macros:
    """All macros of `sql/` for one dialect, by name: `macros["evaluate"](...)`, `macros.evaluate(...)`."""

    def __init__(self, dialect: str) -> None:
        dispatch = functools.cache(functools.partial(self._dispatch, dialect))
        self._names = {"sqlmetrics": self, "adapter": SimpleNamespace(dispatch=dispatch)}

    def _dispatch(self, dialect: str, name: str, package: str) -> Callable[..., Any]:
        while f"{dialect}__{name}" not in self:
            parent = f"{dialect}__sql_parent"
            dialect = str(self[parent]()) if parent in self else "default"
        return self[f"{dialect}__{name}"]

    def __contains__(self, name: object) -> bool:
        return name in macro_files()

    def __iter__(self) -> Iterator[str]:
        return iter(macro_files())

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name not in self:
            raise KeyError(name)
        return getattr(self, name)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Loads the file of a macro. All macros of the file are ordinary attributes from then on."""
        if name not in macro_files():
            raise AttributeError(f"There is no macro '{name}'")
        # imported on the first call, since Jinja2 takes longer to import than all the rest
        from sqlmetrics.book import jinja

        path = macro_files()[name]
        vars(self).update(jinja.functions(path, sql_files()[path], self._names))
        return vars(self)[name]  # type: ignore[no-any-return]


@functools.cache
def macros(dialect: str) -> Macros:
    """The macros for a dialect, created once.

    Raises:
        SqlMetricsError: no file `sql/dialects/<dialect>.sql`.
    """
    if dialect not in dialects():
        raise SqlMetricsError(
            f"Unknown dialect '{dialect}'.{did_you_mean(dialect, dialects())} Known: {counted(dialects())}"
        )
    return Macros(dialect)
