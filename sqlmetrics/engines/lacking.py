"""Columns that some of several files lack. DuckDB matches them by name, and their rows have NULL without a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import duckdb

from sqlmetrics.book.templates import macros
from sqlmetrics.engines.files import unescaped
from sqlmetrics.engines.folders import PARTITION
from sqlmetrics.errors import counted
from sqlmetrics.given.reads import Reads

#: The columns of files, by their paths.
Names = Mapping[str, Sequence[str]]


def names_in_json(connection: duckdb.DuckDBPyConnection, paths: Sequence[str], reads: Reads) -> Names:
    """The fields of JSON files; one that a sample of a file lacks may begin behind it."""
    found: dict[str, Sequence[str]] = {}
    words, patterns = macros("duckdb"), {unescaped(path): path for path in paths}

    def describe(files: Iterable[str], whole: bool) -> None:
        for file in files:
            sampled = words["duckdb__sql_sampled"]([patterns[file]], "json", whole)
            found[file] = connection.sql(words["sql_no_rows"](sampled)).columns

    describe(patterns, whole=False)
    describe({file for _, files in lacked(found, reads) for file in files}, whole=True)
    return found


def names_in_parquet(connection: duckdb.DuckDBPyConnection, paths: Sequence[str]) -> Names:
    """The columns of Parquet files, without those within a column."""
    found: dict[str, list[str]] = {}
    within: dict[str, int] = {}
    for file, name, children in connection.execute(macros("duckdb")["duckdb__sql_schemas"](paths)).fetchall():
        if file not in found:  # the first row is the table
            found[file], within[file] = [], 0
        elif within[file]:
            within[file] += (children or 0) - 1
        else:
            found[file].append(name)
            within[file] = children or 0
    return found


def lacked(found: Names, reads: Reads) -> list[tuple[str, list[str]]]:
    """The columns that are read and that some of the files lack, each with these files. An empty file lacks none."""
    names = {name.lower(): name for columns in found.values() for name in columns if reads.asks(name)}
    folded = {}
    for file, columns in found.items():
        of_folders = [part[1] for part in map(PARTITION.fullmatch, file.split("/")) if part]
        if columns:
            folded[file] = {name.lower() for name in [*columns, *of_folders]}
    lack = ((name, [file for file in folded if key not in folded[file]]) for key, name in names.items())
    return [(name, files) for name, files in lack if files]


def note_of(column: str, files: Sequence[str]) -> str:
    """The note that files lack a column."""
    rows = "which has no such column" if len(files) == 1 else "which have no such column"
    return f"column '{column}' is NULL in the rows of {counted(files, 3)}, {rows}"
