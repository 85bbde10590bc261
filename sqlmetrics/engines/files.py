"""Paths and globs of files, found without DuckDB but by its rules."""

from __future__ import annotations

import errno
import glob
import os
from pathlib import Path

from sqlmetrics.errors import DataError
from sqlmetrics.files import reason


def files_of(path: str) -> list[str]:
    """The files of a path or glob, each as a pattern that matches it alone. A URL is returned unchanged.

    Raises:
        DataError: the system refuses to look, as in a folder that the user may not open.
    """
    if "://" in path:
        return [path]
    path = os.path.expanduser(path)  # noqa: PTH111 - a Path raises an error if there is no such user
    if _is_file(path):
        return [glob.escape(path)]
    return [glob.escape(file) for file in sorted(glob.glob(path, recursive=True)) if _is_file(file)]  # noqa: PTH207


def as_utf8(path: str) -> str:
    """A path as UTF-8 text. Python marks bytes that its locale cannot read by halves of characters.

    Raises:
        DataError: the name of the file is not UTF-8.
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(path).decode()
        except UnicodeError:
            raise DataError(
                f"Cannot read '{path}': the name is not UTF-8, which DuckDB needs; rename the file"
            ) from None
    return path


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except ValueError:  # a NUL character
        return False
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # data may also be a query, which is longer than names of files
            return False
        raise DataError(f"Cannot read '{path}': {reason(error)}") from error
