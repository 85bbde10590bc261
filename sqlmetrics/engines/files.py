"""Paths, folders and globs of files, found without DuckDB but by its rules, and the formats that names tell."""

from __future__ import annotations

import errno
import functools
import glob
import os
import re
from collections.abc import Callable
from pathlib import Path

from sqlmetrics.engines.folders import Found, names_in, tables_above
from sqlmetrics.errors import DataError
from sqlmetrics.files import reason

#: The format of a file by its suffix, before .gz and .zst.
FORMATS = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), "csv"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
    **dict.fromkeys((".parquet", ".parq", ".pq"), "parquet"),
}
URL = re.compile(r"\w[\w+.-]*://")
# A special character of patterns as `glob.escape` writes it.
GLOBBED = re.compile(r"\[([*?[])\]")


class StandardInput(os.PathLike[str]):
    """The file that holds what came from standard input, by which name messages call it."""

    def __init__(self, file: Path, folder: object) -> None:
        """The file, and the temporary folder around it, which is removed with this object."""
        self._file, self._folder = file, folder

    def __fspath__(self) -> str:
        return str(self._file)

    def __str__(self) -> str:
        return "standard input"


def found_at(path: str) -> Found:
    """The files of a path, folder or glob, each as a pattern that matches it alone. A URL is a file.

    A folder stands for the files with rows below it.

    Raises:
        DataError: the system refuses to look, as in a folder that the user may not open, or a folder has its files
            twice by a link.
    """
    if is_url(path):
        return Found([path])
    folder = folder_of(path)
    if folder:
        below = Found.below(names_in(folder))
        tables = {str(Path(folder, name)): form for name, form in below.tables.items()}
        files = [str(Path(folder, name)) for name in below.files]
    else:
        path = os.path.expanduser(path)  # noqa: PTH111 - a Path raises an error if there is no such user
        is_file = functools.partial(_is, Path.is_file)
        files = [path] if is_file(path) else sorted(filter(is_file, glob.glob(path, recursive=True)))  # noqa: PTH207
        tables = {}
    return Found([glob.escape(file) for file in files], tables | tables_above(files))


def files_of(path: str) -> list[str]:
    """What a path, folder or glob leads to, as `found_at`: files and folders of tables, each as a pattern."""
    found = found_at(path)
    return [*found.files, *map(glob.escape, found.tables)]


def no_file(path: str) -> str:
    """Says that a path leads to no file with rows."""
    if folder_of(path) and not is_url(path):
        return f"Folder '{path}' has no file of data; files whose names begin with . or _ do not count"
    return f"No file matches '{path}'"


def format_of(path: str) -> str | None:
    """The format by the suffix of a file; a name without a suffix is Parquet, an unknown suffix gives None.

    >>> [format_of(path) for path in ("a.CSV.gz", "b.parquet", "part-0", "https://host/c.json?key=d", "e.md")]
    ['csv', 'parquet', 'parquet', 'json', None]
    """
    if path.endswith(".metadata.json"):
        return "iceberg"
    suffix = ""
    for name in (path, path.partition("?")[0] if is_url(path) else path):
        kept = name.rpartition("/")[2].lower().removesuffix(".gz").removesuffix(".zst")
        suffix = os.path.splitext(kept)[1]  # noqa: PTH122 - a URL is no path
        if suffix in FORMATS:
            return FORMATS[suffix]
    return None if suffix else "parquet"


def unescaped(pattern: str) -> str:
    """The path that a pattern of `glob.escape` matches."""
    return GLOBBED.sub(r"\1", pattern)


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


def is_url(text: str) -> bool:
    """Whether a text is a URL, rather than a query that reads one.

    >>> is_url("s3://bucket/a.parquet"), is_url("select * from 's3://bucket/a.parquet'")
    (True, False)
    """
    return URL.match(text) is not None


def folder_of(path: str) -> str | None:
    """The folder that a path names, also one with signs of globs escaped; None if it names none.

    The last slash of a URL says that it is a folder.
    """
    if is_url(path):
        return path.rstrip("/") if path.endswith("/") else None
    home = os.path.expanduser(path)  # noqa: PTH111 - as above
    return next((one for one in (home, unescaped(home)) if one and _is(Path.is_dir, one)), None)


def _is(kind: Callable[[Path], bool], path: str) -> bool:
    try:
        return kind(Path(path))
    except ValueError:  # a NUL character
        return False
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # data may also be a query, which is longer than names of files
            return False
        raise DataError(f"Cannot read '{path}': {reason(error)}") from error
