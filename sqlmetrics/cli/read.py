"""What is written on the command line, as the Python call takes it."""

from __future__ import annotations

import math
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmetrics.catalog import COMMA, check_curve
from sqlmetrics.columns import sql
from sqlmetrics.engines.files import files_of
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.templates import macros

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

EXPRESSION = "sql:"
EXPRESSION_HELP = "A column is its name, or an SQL expression written as 'sql:clicks > 0'."
NAMED = re.compile(r"([^=(]+)=(.+)")  # the `=` of a parameter comes after a bracket, that of a name before


def column(text: str) -> str:
    """A column's name, or the expression after `sql:`.

    >>> column("clicks"), column("sql:clicks > 0")
    ('clicks', sql('clicks > 0'))
    """
    return sql(text.removeprefix(EXPRESSION).strip()) if text.startswith(EXPRESSION) else text


def columns(texts: Iterable[str]) -> list[str]:
    """Several columns: options given again, each a column, a list with commas, or one expression.

    >>> columns(["day,country", "sql:greatest(a, b)"])
    ['day', 'country', sql('greatest(a, b)')]
    """
    return [
        column(part.strip())
        for text in texts
        for part in ([text] if text.startswith(EXPRESSION) else COMMA.split(text))
    ]


def scores(texts: Iterable[str], option: str = "--score") -> str | dict[str, str]:
    """The score's column; a mapping of models to columns where there are several or one has a name.

    The option that they are given by is for messages.

    >>> scores(["p"]), scores(["new=p", "q"])
    ('p', {'new': 'p', 'q': 'q'})
    """
    given = list(texts)
    found: dict[str, str] = {}
    for text in given:
        named = None if text.startswith(EXPRESSION) else NAMED.fullmatch(text)
        name, value = named.groups() if named else (text.removeprefix(EXPRESSION), text)
        if name in found:
            raise SqlMetricsError(f"Two scores are named '{name}'; write {option} name=column")
        found[name] = column(value)
    if len(given) == 1 and list(found.values()) == [column(given[0])]:
        return column(given[0])
    return found


def notations(texts: Iterable[str]) -> list[str] | dict[str, str]:
    """The metrics; a mapping of result columns to them where one has a name.

    >>> notations(["auc,ndcg(gain=linear, ideal=full)@10"])
    ['auc', 'ndcg(gain=linear, ideal=full)@10']
    >>> notations(["auc", "best=ndcg(gain=linear)@10"])
    {'auc': 'auc', 'best': 'ndcg(gain=linear)@10'}
    """
    given = [part.strip() for text in texts for part in COMMA.split(text)]
    named = [NAMED.fullmatch(text) for text in given]
    if not any(named):
        return given
    found: dict[str, str] = {}
    for text, match in zip(given, named, strict=True):
        name, notation = match.groups() if match else (str(macros("duckdb")["column_name"](text)), text)
        if name in found:
            raise SqlMetricsError(f"Two result columns would be named '{name}'; write --metrics name=metric")
        found[name] = notation
    return found


def runs(texts: Iterable[str]) -> list[str] | dict[str, str]:
    """Run files; a mapping of names to them where one has a name.

    >>> runs(["a.run", "b.run"]), runs(["bm25=a.run", "x/b.run"])
    (['a.run', 'b.run'], {'bm25': 'a.run', 'b.run': 'x/b.run'})
    """
    given = list(texts)
    named = [None if _matches(text) else NAMED.fullmatch(text) for text in given]
    if not any(named):
        return given
    found: dict[str, str] = {}
    for text, match in zip(given, named, strict=True):
        name, file = match.groups() if match else (Path(text).name, text)
        if name in found:
            raise SqlMetricsError(f"Two runs are named '{name}'; write name=file")
        found[name] = file
    return found


def number_or_text(text: str) -> float | str:
    """A number where the text is one; quotes keep it a text.

    >>> number_or_text("4"), number_or_text("0.5"), number_or_text("click"), number_or_text("'4'")
    (4, 0.5, 'click', '4')
    """
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1]
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() else number


def shares(text: str) -> dict[float | str, float]:
    """Categories and their shares.

    Raises:
        SqlMetricsError: a part that is no category=number.

    >>> shares("heads=0.5,tails=0.5"), shares("1=3,2=1")
    ({'heads': 0.5, 'tails': 0.5}, {1: 3, 2: 1})
    """
    found: dict[float | str, float] = {}
    for part in COMMA.split(text):
        category, _, share = part.strip().rpartition("=")
        number, name = number_or_text(share), number_or_text(category)
        if isinstance(number, str) or name == "":
            raise SqlMetricsError(
                f"--expected takes categories and their shares, such as heads=0.5,tails=0.5; got '{part}'"
            )
        found[name] = number
    return found


def data(paths: list[str]) -> Any:
    """Paths and globs that match a file, or the table that comes in by standard input (`-`)."""
    if paths == ["-"]:
        return standard_input()
    for path in paths:
        if not _matches(path):
            raise SqlMetricsError(f"No file matches '{path}'")
    return paths[0] if len(paths) == 1 else paths


def _matches(path: str) -> bool:
    """Whether a path or glob matches a file."""
    return bool(files_of(path))


def table(path: str) -> Any:
    """A table beside the data."""
    return data([path])


def curve(text: str) -> str:
    """The notation of a curve: said before the data are looked at, since a file may stand in its place."""
    check_curve(text)
    return text


def standard_input() -> pa.Table:
    """Parquet, JSON or CSV, told apart by the first bytes and read as a file of that kind is.

    Text may also have its fields between spaces. Columns without a header are column0, column1, ...
    """
    import duckdb

    start = sys.stdin.buffer.read(4)
    if not start:
        raise SqlMetricsError("Standard input is empty; it takes Parquet, CSV or JSON")
    with tempfile.TemporaryDirectory() as folder:
        # Through a file: Parquet is read from its end, and the CSV reader looks at the start twice.
        file = Path(folder, "input")
        with file.open("wb") as copy:
            copy.write(start)
            shutil.copyfileobj(sys.stdin.buffer, copy)
        try:
            if start == b"PAR1":
                return duckdb.read_parquet(str(file)).to_arrow_table()
            if start.lstrip()[:1] in (b"[", b"{"):
                return duckdb.read_json(str(file)).to_arrow_table()
            table = duckdb.read_csv(str(file)).to_arrow_table()
            if table.num_columns == 1 and _has_spaces(table):
                tabbed = file.with_suffix(".tsv")
                with file.open("rb") as lines, tabbed.open("wb") as copy:
                    copy.writelines(b"\t".join(line.split()) + b"\n" for line in lines)
                table = duckdb.read_csv(str(tabbed)).to_arrow_table()
            return table
        except duckdb.Error as error:
            reason = str(error).strip().splitlines()[0].replace(str(file), "-")
            raise SqlMetricsError(f"DuckDB cannot read standard input: {reason}") from error


def _has_spaces(table: pa.Table) -> bool:
    """Whether the one column that was read is lines of several fields: the first line of them is its name."""
    [name] = table.column_names
    return len(name.split()) > 1 and all(
        isinstance(line, str) and len(line.split()) > 1 for line in table.column(0).slice(0, 1).to_pylist()
    )


def connection() -> duckdb.DuckDBPyConnection:
    """A database in memory; in a terminal it shows its progress there once a statement takes two seconds."""
    import duckdb

    opened = duckdb.connect()
    # Set in a pipe too: DuckDB takes `python -m` for a person at the keyboard and shows it of its own accord.
    opened.execute(macros("duckdb")["duckdb__sql_progress_bar"](bool(sys.stdout and sys.stdout.isatty())))
    return opened
