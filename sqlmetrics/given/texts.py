"""Values written as texts, on the command line and in files of gates: read as arguments of the Python functions."""

from __future__ import annotations

import math
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmetrics.book.catalog import COMMA, check_curve, split_notations
from sqlmetrics.book.notation import column_name
from sqlmetrics.book.templates import macros
from sqlmetrics.engines.addresses import duckdb_with
from sqlmetrics.engines.files import StandardInput, files_of, no_file
from sqlmetrics.errors import DataError, SqlMetricsError
from sqlmetrics.given.columns import sql

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

EXPRESSION = "sql:"
LIKE_SQL = re.compile(r"[<>=+*/|()]")
# the `=` after a name; that of a parameter comes after a bracket, and that of a comparison beside another sign
NAMED = re.compile(r"([^=(<>!]+)=([^=].*)", re.DOTALL)
ONE_EXPRESSION = re.compile(r"([^=(<>!,]+=)?sql:")  # its commas part no columns


def column(text: str) -> str:
    """A column name, or the expression after `sql:`.

    >>> column("clicks"), column("sql:clicks > 0")
    ('clicks', sql('clicks > 0'))
    """
    return sql(text.removeprefix(EXPRESSION).strip()) if text.startswith(EXPRESSION) else text


def hint(text: str) -> None:
    """Says on standard error that a text is taken for the name of a column, if it looks like an expression.

    Where the columns are known, such a text is refused.
    """
    if not text.startswith(EXPRESSION) and LIKE_SQL.search(text):
        print(
            f"Note: '{text}' is taken for the name of a column; an expression is 'sql:{text}'",
            file=sys.stderr,
        )


def columns(texts: Iterable[str]) -> list[str] | dict[str, str]:
    """Several columns, or a mapping of names to columns if one of them has a name.

    Each text is a column, a list with commas, or one expression.

    >>> columns(["day,country", "sql:greatest(a, b)"])
    ['day', 'country', sql('greatest(a, b)')]
    >>> columns(["country", "month=sql:date_trunc('month', day)"])
    {'country': 'country', 'month': sql("date_trunc('month', day)")}
    """
    split = [_named(text) for text in _parts(texts)]
    if not any(name for name, _ in split):
        return [value for _, value in split]
    named = ((name or str(value), value) for name, value in split)
    return _mapping(named, "Two slices are", "--by name=column")


def _parts(texts: Iterable[str]) -> list[str]:
    """The columns of texts, each of which is one, or several with commas between them."""
    return [
        part.strip()
        for text in texts
        for part in ([text] if ONE_EXPRESSION.match(text) else COMMA.split(text))
    ]


def _mapping(named: Iterable[tuple[str, str]], two: str, write: str) -> dict[str, str]:
    """Values by name; the error for a name that two of them have says which `two`, and what to `write`."""
    found: dict[str, str] = {}
    for name, value in named:
        if name in found:
            raise SqlMetricsError(f"{two} named '{name}'; write {write}")
        found[name] = value
    return found


def named_column(text: str) -> str | dict[str, str]:
    """One column, or a mapping of its name in the result to it.

    >>> named_column("day"), named_column("week=sql:date_trunc('week', day)")
    ('day', {'week': sql("date_trunc('week', day)")})
    """
    name, value = _named(text)
    return value if name is None else {name: value}


def _named(text: str) -> tuple[str | None, str]:
    """The name before a column, or None, and the column."""
    named = None if text.startswith(EXPRESSION) else NAMED.fullmatch(text)
    return (named[1], column(named[2])) if named else (None, column(text))


def scores(texts: Iterable[str], option: str = "--score") -> str | dict[str, str]:
    """The score column, or a mapping of model names to columns if there are several or one has a name.

    Error messages name `option`.

    >>> scores(["p"]), scores(["new=p", "q"]), scores(["p,q"])
    ('p', {'new': 'p', 'q': 'q'}, {'p': 'p', 'q': 'q'})
    """
    split = [(text, *_named(text)) for text in _parts(texts)]
    if len(split) == 1 and split[0][1] is None:
        return split[0][2]
    named = ((name or text.removeprefix(EXPRESSION), value) for text, name, value in split)
    return _mapping(named, "Two scores are", f"{option} name=column")


def key(text: str) -> str | list[str]:
    """A column, or those of a key with commas between them.

    >>> key("user_id"), key("day,query"), key("sql:coalesce(a, b)")
    ('user_id', ['day', 'query'], sql('coalesce(a, b)'))
    """
    found = [column(part) for part in ([text] if text.startswith(EXPRESSION) else COMMA.split(text))]
    return found if len(found) > 1 else found[0]


def named_key(text: str) -> str | list[str] | dict[str, Any]:
    """The same, or a mapping of the name of the key in the result to it.

    >>> named_key("day,query"), named_key("list=day,query")
    (['day', 'query'], {'list': ['day', 'query']})
    """
    named = None if text.startswith(EXPRESSION) else NAMED.fullmatch(text)
    return {named[1]: key(named[2])} if named else key(text)


def models(text: str) -> str | dict[str, list[str]]:
    """The column that names the model of a row, or a mapping of it to the names after `=`, with commas between them.

    >>> models("run"), models("run=bm25,dense")
    ('run', {'run': ['bm25', 'dense']})
    """
    named = None if text.startswith(EXPRESSION) else NAMED.fullmatch(text)
    return {named[1]: COMMA.split(named[2])} if named else column(text)


def class_scores(texts: Iterable[str]) -> dict[float | str, str] | str:
    """A mapping of classes to the columns of their scores, or a column of arrays.

    Raises:
        SqlMetricsError: a text that is not class=column, or a class that is given twice.

    >>> class_scores(["cat=p_cat", "1=p_1", "'1'=p_one"])
    {'cat': 'p_cat', 1: 'p_1', '1': 'p_one'}
    >>> class_scores(["probs"])
    'probs'
    """
    texts = list(texts)
    if len(texts) == 1 and "=" not in texts[0]:
        return column(texts[0])
    found: dict[float | str, str] = {}
    for text in texts:
        written, equals, named = text.partition("=")
        name = number_or_text(written)
        if not equals or not written or not named or name in found:
            raise SqlMetricsError(
                f"--class-scores takes class=column, once for each class, such as cat=p_cat; got '{text}'"
            )
        found[name] = column(named)
    return found


def notations(texts: Iterable[str]) -> list[str] | dict[str, str]:
    """The metrics, or a mapping of column names to metrics if one of them has a name.

    >>> notations(["auc,ndcg(gain=linear, ideal=full)@10"])
    ['auc', 'ndcg(gain=linear, ideal=full)@10']
    >>> notations(["auc", "best=ndcg(gain=linear)@10"])
    {'auc': 'auc', 'best': 'ndcg(gain=linear)@10'}
    """
    given = [notation for text in texts for notation in split_notations(text)]
    named = [NAMED.fullmatch(text) for text in given]
    if not any(named):
        return given
    pairs = [(m[1], m[2]) if m else (column_name(text), text) for text, m in zip(given, named, strict=True)]
    return _mapping(pairs, "Two result columns would be", "--metrics name=metric")


def runs(texts: Iterable[str]) -> list[str] | dict[str, str]:
    """The run files, or a mapping of names to files if one of them has a name.

    >>> runs(["a.run", "b.run"]), runs(["bm25=a.run", "x/b.run"])
    (['a.run', 'b.run'], {'bm25': 'a.run', 'b.run': 'x/b.run'})
    """
    given = list(texts)
    named = [None if files_of(text) else NAMED.fullmatch(text) for text in given]
    if not any(named):
        return given
    pairs = [(m[1], m[2]) if m else (Path(text).name, text) for text, m in zip(given, named, strict=True)]
    return _mapping(pairs, "Two runs are", "name=file")


def number_or_text(text: str) -> float | str:
    """A number if the text is one, else the text. A number in single quotes is text.

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


def shares(texts: list[str]) -> dict[float | str, float]:
    """A mapping of categories to shares.

    Raises:
        SqlMetricsError: a part that is not category=number, or a category that is given twice.

    >>> shares(["heads=0.5,tails=0.5"]), shares(["1=3", "2=1"])
    ({'heads': 0.5, 'tails': 0.5}, {1: 3, 2: 1})
    """
    found: dict[float | str, float] = {}
    for part in COMMA.split(",".join(texts)):
        category, _, share = part.strip().rpartition("=")
        number, name = number_or_text(share), number_or_text(category)
        if isinstance(number, str) or name == "":
            raise SqlMetricsError(
                f"--expected takes categories and their shares, such as heads=0.5,tails=0.5; got '{part}'"
            )
        if name in found:
            raise SqlMetricsError(f"--expected has '{category}' twice; write it once")
        found[name] = number
    return found


def margins(texts: list[str], option: str = "--margin") -> float | dict[str, float]:
    """A number for all metrics, or a mapping of metrics to numbers.

    Error messages name `option`.

    Raises:
        SqlMetricsError: neither a number nor metrics with numbers.

    >>> margins(["0.01"]), margins(["auc=0.01", "recall(average=micro)@5=0.02"])
    (0.01, {'auc': 0.01, 'recall(average=micro)@5': 0.02})
    """
    found: dict[str, float] = {}
    text = ",".join(texts)
    for part in split_notations(text):
        metric, _, written = (word.strip() for word in part.rpartition("="))
        number = number_or_text(written)
        if metric and metric in found:
            raise SqlMetricsError(f"{option} has '{metric}' twice; write it once")
        if isinstance(number, str) or metric in found:
            raise SqlMetricsError(
                f"{option} takes a number, or metrics and their numbers, such as 0.01 or auc=0.01,ndcg@10=0.02;"
                f" got '{text}'"
            )
        found[metric] = number
    if "" in found and len(found) > 1:
        raise SqlMetricsError(f"{option} takes one number, or a number for each metric; got '{text}'")
    return found.get("", found)


def data(paths: list[str]) -> Any:
    """Paths and globs that each match a file, a mapping of models to such, or the table from standard input (`-`)."""
    if paths == ["-"]:
        return standard_input()
    named = [_table_of_model(path) for path in paths]
    for path, model in zip(paths, named, strict=True):
        if not model and not files_of(path):
            raise DataError(no_file(path))
        if not model and any(named):
            raise SqlMetricsError(f"'{path}' names no model, as others do; write name={path}")
    if any(named):
        return _mapping(filter(None, named), "Two tables are", "name=file, once for each model")
    return paths[0] if len(paths) == 1 else paths


def _table_of_model(path: str) -> tuple[str, str] | None:
    """The model and its file in `name=file`; None for a file, such as day=1/part.parquet."""
    named = None if files_of(path) else NAMED.fullmatch(path)
    return (named[1], named[2]) if named and files_of(named[2]) else None


def relation(given: str | list[str]) -> str:
    """The one table or query that is read behind a connection.

    Raises:
        SqlMetricsError: there are several.

    >>> relation(["events"]), relation("select * from events")
    ('events', 'select * from events')
    """
    texts = [given] if isinstance(given, str) else given
    if len(texts) > 1:
        raise SqlMetricsError(
            f"With --connection data is one table or query, got {len(texts)}; write a query in quotes, with union all"
        )
    return texts[0]


def table(path: str) -> Any:
    """A second table, such as the truth or the catalog."""
    return data([path])


def curve(text: str) -> str:
    """The notation of a curve.

    It is checked before the data are opened, since a user may have written a file in its place.
    """
    check_curve(text)
    return text


def curves(texts: list[str]) -> list[str]:
    """The notations of curves; `none` is an empty list.

    >>> curves(["roc,calibration(bins=20, equal=count)"]), curves(["none"])
    (['roc', 'calibration(bins=20, equal=count)'], [])
    """
    kinds = [kind for text in texts for kind in split_notations(text)]
    return [] if kinds == ["none"] else [curve(kind) for kind in kinds]


def standard_input() -> StandardInput:
    """Parquet, JSON or CSV from standard input, as a file; the first bytes tell the format.

    The fields of a text may also be separated by spaces. Without a header the columns are column0, column1,
    ...
    """
    import duckdb

    start = sys.stdin.buffer.read(4)
    if not start:
        raise DataError("Standard input is empty; it takes Parquet, CSV or JSON")
    folder = tempfile.TemporaryDirectory()
    json = start.lstrip()[:1] in (b"[", b"{")
    # A file is needed, since Parquet is read from its end, and the CSV reader reads the start twice.
    file = Path(folder.name, f"input.{'parquet' if start == b'PAR1' else 'json' if json else 'csv'}")
    with file.open("wb") as copy:
        copy.write(start)
        shutil.copyfileobj(sys.stdin.buffer, copy)
    if file.suffix == ".csv":
        try:
            first = duckdb.read_csv(str(file)).limit(1).to_arrow_table()
        except duckdb.Error:  # said when the file is read
            return StandardInput(file, folder)
        if first.num_columns == 1 and _has_spaces(first):
            tabbed = file.with_suffix(".tsv")
            with file.open("rb") as lines, tabbed.open("wb") as copy:
                copy.writelines(b"\t".join(line.split()) + b"\n" for line in lines)
            file = tabbed
    return StandardInput(file, folder)


def _has_spaces(table: pa.Table) -> bool:
    """Whether a table of one column holds lines of several fields. The column's name is the first line."""
    [name] = table.column_names
    return len(name.split()) > 1 and all(
        isinstance(line, str) and len(line.split()) > 1 for line in table.column(0).slice(0, 1).to_pylist()
    )


def connection(bar: bool = True, settings: Mapping[str, str] | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory. In a terminal it shows a progress bar once a statement takes two seconds, if asked to.

    Raises:
        DataError: too little memory in `settings` of DuckDB.
    """
    opened = duckdb_with(settings or {})
    # Set for a pipe too: DuckDB takes `python -m` for an interactive session and shows the bar by default.
    opened.execute(
        macros("duckdb")["duckdb__sql_progress_bar"](bool(bar and sys.stdout and sys.stdout.isatty()))
    )
    return opened
