"""The one format in which paths are read, or why they cannot be."""

from __future__ import annotations

import re
from pathlib import Path

from sqlmetrics.engines.files import folder_of, format_of, unescaped
from sqlmetrics.engines.folders import Found, check_partitions
from sqlmetrics.errors import DataError

#: Tables with a log that DuckDB reads by an extension.
READABLE = ("Delta", "Iceberg")
#: A file of a DuckLake, or its catalog.
OF_LAKE = re.compile(r"ducklake-[0-9a-f]{8}-[0-9a-f-]+\.parquet|.*\.ducklake")


def format_to_read(found: dict[str, Found]) -> str:
    """The format of what paths lead to: parquet, csv, json, delta or iceberg.

    Raises:
        DataError: files of several formats or of none, files of a table with a log, or several such tables.
    """
    table = _table(found)
    if table:
        return table
    formats: dict[str, str] = {}
    for path, one in found.items():
        files = [unescaped(file) for file in one.files]
        folder = folder_of(path)
        if folder:
            check_partitions(path, files)
        for file in files:
            if OF_LAKE.fullmatch(Path(file).name):
                raise DataError(
                    f"'{file}' is a file of a DuckLake, whose catalog alone knows which rows are deleted; attach the"
                    " catalog as 'ducklake:FILE' and pass the name of a table with connection="
                )
            form = format_of(file)
            if form is None and folder:
                raise DataError(
                    f"Folder '{path}' has '{file}', whose suffix is of no known format;"
                    " write a glob of the files to read,"
                    f" such as '{path.rstrip('/')}/**/*.parquet'"
                )
            formats.setdefault(form or "parquet", file)
    if len(formats) > 1:
        (one_form, file), (other_form, other), *_ = formats.items()
        raise DataError(
            f"'{file}' is read as {one_form} and '{other}' as {other_form}; data are files of one format, so write a"
            " glob such as '**/*.parquet'"
        )
    [form] = formats
    return form


def _table(found: dict[str, Found]) -> str | None:
    """The format of the table with a log that is named; None for files."""
    for path, one in found.items():
        for table, form in one.tables.items():
            if form not in READABLE:
                raise DataError(
                    f"'{table}' is a table of {form}, which DuckDB does not read, and its files also hold rows that"
                    f" it no longer has; read it with a library of {form} and pass the Arrow table"
                )
            if one.files or Path(table) != Path(folder_of(path) or ""):
                raise DataError(
                    f"'{path}' leads to files of the {form} table '{table}', which also hold rows that it no longer"
                    " has; pass the folder of the table"
                )
            if len(found) > 1:
                raise DataError(f"'{path}' is a {form} table; pass it alone, or several as one query")
            return form.lower()
    return None
