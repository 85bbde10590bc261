"""Folders of data: which of their files hold rows, and which folders are tables with a log of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlmetrics.errors import DataError
from sqlmetrics.files import reason

#: The format of a table by the log in its folder, which also keeps the rows that the table no longer has.
LOGS = {"_delta_log": "Delta", ".hoodie": "Hudi"}
ICEBERG = re.compile(r"metadata/(v\d+|\d+-[0-9a-f-]{36})(\.gz)?\.metadata\.json")
PARTITION = re.compile(r"([^=/]+)=[^=/]*")


@dataclass(frozen=True)
class Found:
    """What a path, folder or glob leads to."""

    files: list[str] = field(default_factory=list)
    tables: dict[str, str] = field(default_factory=dict)  #: tables with a log: folder -> format

    @classmethod
    def below(cls, names: Iterable[str]) -> Found:
        """The files with rows in order, and the tables, whose files are left out, by the names below a folder.

        >>> Found.below(["a.parquet", "_SUCCESS", "t/_delta_log/", "t/b.parquet"])
        Found(files=['a.parquet'], tables={'t': 'Delta'})
        """
        files, tables = [], {}
        for name in names:
            parts = name.split("/")
            log = next((place for place, part in enumerate(parts[:-1]) if part in LOGS), None)
            if log is not None:
                tables["/".join(parts[:log])] = LOGS[parts[log]]
            elif ICEBERG.fullmatch("/".join(parts[-2:])):
                tables["/".join(parts[:-2])] = "Iceberg"
            elif not any(map(is_hidden, parts)):
                files.append(name)
        within = tuple(f"{folder}/" if folder else "" for folder in tables)
        return cls(sorted(name for name in files if not name.startswith(within)), tables)


def names_in(folder: str) -> Iterator[str]:
    """The files below a folder, relative to it. A hidden folder stands for its files, and ends in a slash.

    Raises:
        DataError: as `places_in`.
    """
    for place, hidden, files in places_in(folder):
        below = "" if place == folder else os.path.relpath(place, folder).replace(os.sep, "/") + "/"
        yield from (f"{below}{name}/" for name in hidden)
        yield from (below + name for name in files)


def places_in(folder: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """A folder and those below it that are not hidden, each with the names of its hidden folders and of its files.

    Raises:
        DataError: the system refuses to look, or a link leads to a folder a second time.
    """
    seen: set[tuple[int, int]] = set()

    def refuse(error: OSError) -> None:
        raise DataError(f"Cannot read '{error.filename}': {reason(error)}") from error

    for place, folders, files in os.walk(folder, onerror=refuse, followlinks=True):
        status = Path(place).stat()
        if status.st_ino and (status.st_dev, status.st_ino) in seen:
            raise DataError(
                f"Folder '{place}' was reached before by another name, so that its rows would count twice;"
                " remove the link"
            )
        seen.add((status.st_dev, status.st_ino))
        yield place, list(filter(is_hidden, folders)), files
        folders[:] = sorted(name for name in folders if not is_hidden(name))


def is_hidden(name: str) -> bool:
    """Whether a file or folder holds no rows by the convention of Hive and Spark, as `_SUCCESS` and `.crc` files.

    >>> [is_hidden(name) for name in ("_SUCCESS", ".part-0.parquet.crc", "part-0.parquet", "_day=1")]
    [True, True, False, False]
    """
    return name.startswith((".", "_")) and not PARTITION.fullmatch(name)


def tables_above(files: Iterable[str]) -> dict[str, str]:
    """The tables with a log in whose folders files of this machine are: folder -> format."""
    found = {}
    for folder in {above for file in files for above in Path(file).absolute().parents}:
        for log in LOGS:
            if (folder / log).is_dir():
                found[str(folder)] = LOGS[log]
        # the rows of an Iceberg table are below data/
        beside = (f"metadata/{file.name}" for file in (folder.parent / "metadata").glob("*.metadata.json"))
        if folder.name == "data" and any(map(ICEBERG.fullmatch, beside)):
            found[str(folder.parent)] = "Iceberg"
    return found


def check_partitions(path: str, files: list[str]) -> None:
    """Checks that the files of a folder have the same partition columns.

    Raises:
        DataError: they differ, and the columns would be dropped.
    """
    first: dict[tuple[str, ...], str] = {}
    for file in files:
        found = map(PARTITION.fullmatch, file.replace(os.sep, "/").split("/")[:-1])
        first.setdefault(tuple(sorted(match[1] for match in found if match)), file)
    if len(first) > 1:
        (some, one), (others, other), *_ = first.items()
        raise DataError(
            f"The files of '{path}' have different partition columns: '{one}' has {_listed(some)}, '{other}' has"
            f" {_listed(others)}; move one of them, or write a glob"
        )


def _listed(columns: tuple[str, ...]) -> str:
    return " and ".join(columns) or "none"
