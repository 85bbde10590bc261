"""Refuses to write where this call, or the same call tomorrow, would read."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from sqlmetrics.engines.files import files_of, folder_of, is_url, unescaped
from sqlmetrics.engines.folders import is_hidden, places_in
from sqlmetrics.errors import SqlMetricsError


def refuse_input(output: Path | None, inputs: Iterable[str], named: str = "--output") -> None:
    """Checks that an output is no file that is read, and that the same call would not read it the next time.

    Args:
        output: the file to write; None for standard output, which may be a file.
        inputs: the paths, folders and globs to read, as they were typed; `-` is standard input.
        named: the option that names the output.

    Raises:
        SqlMetricsError: the output is an input.
    """
    what = "Standard output" if output is None else f"{named} '{output}'"
    for given in inputs:
        if _reads(given, output):
            raise SqlMetricsError(
                f"{what} is a file that is read, which the result would replace; write to another file"
            )
        if output is not None and _would_read(given, output):
            raise SqlMetricsError(
                f"{what} is a place that '{given}' reads, so that the result would be data of the next call; write to"
                " another folder"
            )


def _reads(given: str, output: Path | None) -> bool:
    """Whether the output is one of the files that a path leads to, by whatever name."""
    with suppress(OSError, ValueError, AttributeError):  # no such file, or a stream that is no file
        written = os.fstat(sys.stdout.fileno()) if output is None else output.stat()
        if not stat.S_ISREG(written.st_mode):  # a terminal, a pipe or a device
            return False
        if given == "-":
            return os.path.samestat(os.fstat(sys.stdin.fileno()), written)
        return any(os.path.samestat(Path(unescaped(file)).stat(), written) for file in files_of(given))
    return False


def _would_read(given: str, output: Path) -> bool:
    """Whether a folder or glob leads to a file that need not exist yet."""
    if given == "-" or is_url(given) or (output.exists() and not output.is_file()):
        return False
    return any(_is(place, output.parent) for place in _places(given, output.name))


def _places(given: str, name: str) -> Iterator[str]:
    """The folders in which a folder or glob leads to a file of a name."""
    folder = folder_of(given)
    if folder:
        if not is_hidden(name):
            yield from (place for place, *_ in places_in(folder))
        return
    if not glob.has_magic(given) or files_of(given) == [glob.escape(given)]:
        return
    above, last = os.path.split(os.path.expanduser(given))  # noqa: PTH111 - as in `found_at`
    if last == "**":
        above = os.path.expanduser(given) + os.sep  # noqa: PTH111
    elif not fnmatch.fnmatch(name, last) or (name.startswith(".") and not last.startswith(".")):
        return
    yield from glob.glob(above or os.curdir, recursive=True)  # noqa: PTH207 - by the rules of `found_at`


def _is(place: str, folder: Path) -> bool:
    with suppress(OSError, ValueError):
        return folder.samefile(place)
    return False
