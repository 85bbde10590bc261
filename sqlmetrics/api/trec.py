"""TREC files: runs and qrels, read by DuckDB and evaluated with the definitions of trec_eval."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics import catalog
from sqlmetrics.api.evaluate import Metrics, evaluate
from sqlmetrics.columns import as_list
from sqlmetrics.engines import session as session_on
from sqlmetrics.engines.files import as_utf8, files_of, no_file
from sqlmetrics.errors import DataError, SqlMetricsError, printable, public
from sqlmetrics.notation import column_name, parsed
from sqlmetrics.results.report import Report
from sqlmetrics.templates import macros

if TYPE_CHECKING:
    import pyarrow as pa

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]

FORMS = {
    "run": "a run has lines 'topic Q0 docno rank score tag' with a number as score",
    "qrels": "qrels have lines 'topic 0 docno rel' with an integer as rel",
}
COLUMNS: dict[str, Any] = {"label": "rel", "score": "score", "group": "topic", "item": "docno"}


@public
def trec(
    run: Paths | Mapping[str, Path],
    qrels: Paths,
    metrics: Metrics,
    *,
    per_topic: bool = False,
    complete: bool = False,
    positive: int | None = None,
    max_grade: int | None = None,
) -> Report:
    r"""Computes metrics of runs against qrels, with trec_eval's definitions.

    These are the definitions of `convention="trec_eval"` in `evaluate`.

    Documents are ranked by score, and tied ones by docno in descending order; the rank in the file is not
    read. Scores are compared in double precision, as in trec_eval 10. The topics are those of both the run
    and the qrels. A topic without a relevant document counts 0. A grade below 0 means that a document was not
    judged.

    Args:
        run: a run file (`topic Q0 docno rank score tag`), plain or gzipped, a glob, or several of them. A
            mapping gives names to the runs; otherwise their tags are their names. Each of several runs has a
            row.
        qrels: a file of judgements (`topic 0 docno rel`), plain or gzipped, or several.
        metrics: notations of list metrics such as `["map", "ndcg@10", "precision@10"]`, or a mapping of
            column names to notations. Options of a notation override trec_eval's definition:
            `map(denominator=capped)@10`.
        per_topic: True gives each topic a row, as trec_eval's -q does; the last row of a single run is for
            all its topics.
        complete: True counts topics of the qrels that a run lacks as 0, as trec_eval's -c does.
        positive: the least grade of a relevant document, 1 by default, as trec_eval's -l.
        max_grade: the highest grade of the scale; `err` needs it.

    Returns:
        A `Report`.

    Raises:
        SqlMetricsError: a missing file; a line of another form, with its file and number.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> run, qrels = folder / "run.txt", folder / "qrels.txt"
    >>> _ = run.write_text("301 Q0 a 1 2.5 bm25\n301 Q0 b 2 1.5 bm25\n")
    >>> _ = qrels.write_text("301 0 b 1\n301 0 c 0\n")
    >>> trec(run, qrels, ["map", "ndcg@10"]).to_dicts()[0]["map"]
    0.5
    """
    runs = read_run(run)
    by = ["run"] if len(runs["run"].unique()) > 1 else []
    return evaluate(
        runs,
        _of_missing_topics(metrics, "zero") if complete else metrics,
        truth=read_qrels(qrels),
        by=[*by, "topic"] if per_topic else by,
        total=not by,  # a total over several runs has no meaning
        positive=positive,
        max_grade=max_grade,
        convention="trec_eval",
        **COLUMNS,
    )


@public
def read_run(path: Paths | Mapping[str, Path]) -> pa.Table:
    """Reads run files into the columns `run`, `topic`, `docno` and `score`, as `data` of `evaluate`.

    Args:
        path: a file, a glob or a list of them, plain or gzipped; or a mapping of names to runs. Without a
            mapping a run is named by its tag, the last field of a line.

    Raises:
        SqlMetricsError: a line that is not `topic Q0 docno rank score tag`; two files with the same tag.
    """
    import pyarrow as pa

    if isinstance(path, Mapping):
        named = {str(name): read_run(of_name) for name, of_name in path.items()}
        for name in named:
            if name != printable(name):
                raise SqlMetricsError(f"The name of a run is text without control characters, got {name!r}")
        if not named:
            raise SqlMetricsError('run={} names no run; write {"a": "run.txt"}')
        return pa.concat_tables(
            table.set_column(0, "run", pa.repeat(name, len(table))) for name, table in named.items()
        )
    files = {
        file: _read(file, "run").select(["run", "topic", "docno", "score"]) for file in _files(path, "run")
    }
    seen: dict[str, str] = {}
    for file, table in files.items():
        for tag in table["run"].unique().to_pylist():
            if tag in seen:
                raise SqlMetricsError(
                    f"{seen[tag]} and {file} have the same tag '{tag}'; name the runs,"
                    f' {{"a": "{seen[tag]}", "b": "{file}"}}'
                )
            seen[tag] = file
    return pa.concat_tables(files.values())


@public
def read_qrels(path: Paths) -> pa.Table:
    """Reads qrels files into the columns `topic`, `docno` and `rel`, as `truth=` of `evaluate`.

    Raises:
        SqlMetricsError: a line that is not `topic 0 docno rel`.
    """
    import pyarrow as pa

    return pa.concat_tables(_read(file, "qrels") for file in _files(path, "qrels"))


def _of_missing_topics(metrics: Metrics, value: str) -> dict[str, str]:
    """The metrics by result column, with `on_missing=value` in list metrics that do not set `on_missing`."""
    asked = metrics if isinstance(metrics, Mapping) else as_list(metrics, "metrics")
    found: dict[str, str] = {}
    for entry in asked:
        notation = asked[entry] if isinstance(asked, Mapping) else entry
        catalog.check(notation)
        name = entry if isinstance(asked, Mapping) else column_name(notation)
        lists = "on_missing" in catalog.of_notation(notation).parameters
        if lists and "on_missing" not in parsed(notation)[1]:
            head, at, k = notation.partition("@")
            plain, _, options = head.strip().removesuffix(")").partition("(")
            notation = f"{plain}({options + ',' if options.strip() else ''}on_missing={value}){at}{k}"
        if name in found:
            raise SqlMetricsError(f"Two metrics would be named '{name}'. Pass a mapping of names to metrics")
        found[name] = notation
    return found


def _files(path: Paths, kind: str) -> list[str]:
    """The files that paths and globs match.

    Raises:
        SqlMetricsError: not a path or a list of paths; a path without a file.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    if not (
        isinstance(paths, (list, tuple)) and paths and all(isinstance(p, (str, os.PathLike)) for p in paths)
    ):
        raise SqlMetricsError(f"{kind}= takes the path of a file or a list of paths, got {path!r}")
    found: list[str] = []
    for one in paths:
        files = files_of(str(os.fspath(one)))
        if not files:
            raise DataError(no_file(os.fspath(one)))
        found.extend(map(as_utf8, files))
    return found


def _read(file: str, kind: str) -> pa.Table:
    """The rows of one file.

    Raises:
        SqlMetricsError: the file is empty or has a line of another form.
    """
    written = macros("duckdb")
    with session_on(None, None) as session:
        table = session.query(written["duckdb__sql_trec_rows"](file, kind), file)
        if table[{"run": "score", "qrels": "rel"}[kind]].null_count:
            [mistake] = session.query(written["duckdb__sql_trec_mistake"](file, kind), file).to_pylist()
            raise DataError(
                f"{file}, line {mistake['sm_number']}: {FORMS[kind]}, got '{mistake['sm_line'].strip():.100}'"
            )
    if not len(table):
        raise DataError(f"{file} has no line; {FORMS[kind]}")
    return table
