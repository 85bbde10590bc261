"""DuckDB's settings on the command line: declared once, and passed when DuckDB is opened."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Annotated, Any

import typer

SIZE = re.compile(r"[0-9]+(\.[0-9]+)? ?[KMGT]i?B", re.IGNORECASE)

Threads = Annotated[
    int | None,
    typer.Option(
        min=1, max=1024, metavar="N", help="The threads of DuckDB, by default one for each processor."
    ),
]


def size(text: str) -> str:
    """A size of memory.

    >>> size("1.5 gib")
    '1.5 gib'
    """
    if not SIZE.fullmatch(text):
        raise typer.BadParameter("a size is a number and KB, MB, GB or TB, such as 4GB")
    return text


MemoryLimit = Annotated[
    str | None,
    typer.Option(
        parser=size,
        metavar="SIZE",
        help="The memory of DuckDB, such as 4GB, by default 80 % of the machine's.",
    ),
]
TempDirectory = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        file_okay=False,
        writable=True,
        metavar="FOLDER",
        help="Where DuckDB writes what does not fit in memory, by default .tmp in the working directory.",
    ),
]
SETTINGS = {"threads": Threads, "memory_limit": MemoryLimit, "temp_directory": TempDirectory}


def parameter(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    """A parameter of a command."""
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


PARAMETERS = [parameter(name, annotation) for name, annotation in SETTINGS.items()]


def taken(words: dict[str, Any]) -> dict[str, Any]:
    """Takes the settings out of the words of a command: those that were given."""
    given = {name: words.pop(name, None) for name in SETTINGS}
    return {name: str(value) for name, value in given.items() if value is not None}
