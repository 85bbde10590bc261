"""What DuckDB makes of the names in a file without a word: lines above them are skipped, one of two equal ones renamed.

The lines may be rows, since files that were joined change their columns on the way; the second name is no name of the
file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import duckdb

from sqlmetrics.book.templates import macros
from sqlmetrics.engines.files import unescaped
from sqlmetrics.engines.lacking import Names
from sqlmetrics.errors import DataError

#: A name that DuckDB may have given to the second of two columns of one name.
RENAMED = re.compile(r"(.+)_\d+", re.DOTALL)


def names_in_csv(connection: duckdb.DuckDBPyConnection, paths: list[str], name: str) -> Names:
    """The columns of CSV files. No line with several values may stand above them; titles do.

    Raises:
        DataError: there is such a line.
    """
    words, found = macros("duckdb"), {}
    for path in paths:
        [(delimiter, skipped, found[unescaped(path)])] = connection.execute(
            words["duckdb__sql_sniffed"](path)
        ).fetchall()
        lines = connection.execute(words["duckdb__sql_lines"](path, skipped)).fetchall() if skipped else []
        several = [(line, text) for line, (text,) in enumerate(lines, 1) if text and delimiter in text]
        if several:
            line, text = several[0]
            file = name if len(paths) == 1 else path
            raise DataError(
                f"Line {line:,} of {file}, {text!r:.60}, has another number of values than the lines from line"
                f" {skipped + 1:,} on; a line of names has one for every column, and rows of other columns go to a"
                " file of their own"
            )
    return found


def kinds_in_files(connection: duckdb.DuckDBPyConnection, paths: Sequence[str], name: str) -> str:
    """That some of the Parquet files have a column as text and others do not; empty if all have it alike."""
    found: dict[bool, str] = {}
    for path in paths[:100]:
        text = macros("duckdb")["duckdb__sql_files"]([path], "parquet")
        described = connection.sql(str(macros("duckdb")["sql_no_rows"](str(text).strip())))
        kinds = dict(zip(described.columns, map(str, described.types), strict=True))
        if name in kinds:
            found.setdefault(kinds[name] == "VARCHAR", f"{kinds[name]} in {path}")
    return f"; the files differ: it is {found[True]} and {found[False]}" if len(found) == 2 else ""


def named_twice(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[str], form: str, names: Iterable[str]
) -> dict[str, str]:
    """Why columns cannot be read whose names differ in no more than case, by the names that DuckDB gives them."""
    names = list(names)
    folded = {name.lower(): name for name in names}
    unread: dict[str, str] = {}
    for renamed in names:
        found = RENAMED.fullmatch(renamed)
        first = folded.get(found[1].lower()) if found else None
        if found is None or first is None:
            continue
        query = macros("duckdb")["duckdb__sql_holds_name"](paths, form, renamed)
        if not any(holds for (holds,) in connection.execute(query).fetchall()):
            said = f"is named twice, as '{first}' and '{found[1]}'; upper and lower case are the same to SQL"
            unread |= {first: said, found[1]: said, renamed: said}
    return unread
