"""Paths and globs of files, as DuckDB reads them; DuckDB itself is not needed to find them."""

from __future__ import annotations

import glob
from pathlib import Path


def files_of(path: str) -> list[str]:
    """The files of a path or glob, as patterns that mean just them; a URL is left as it is."""
    if "://" in path:
        return [path]
    path = str(Path(path).expanduser())
    if Path(path).is_file():
        return [glob.escape(path)]
    return [glob.escape(file) for file in sorted(glob.glob(path, recursive=True)) if Path(file).is_file()]  # noqa: PTH207
