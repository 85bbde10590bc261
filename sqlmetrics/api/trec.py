"""TREC's files: runs and qrels, read by DuckDB, and their evaluation as trec_eval does it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlmetrics import catalog
from sqlmetrics.api.evaluate import Metrics, evaluate
from sqlmetrics.columns import as_list
from sqlmetrics.engines import session as session_on
from sqlmetrics.engines.files import files_of
from sqlmetrics.errors import SqlMetricsError
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
    r"""Computes metrics of runs against qrels, with trec_eval's definitions (`convention="trec_eval"` of `evaluate`).

    A run is ranked by score, ties by docno in descending order; the rank in the file is not read. Scores are compared
    in double precision, as by trec_eval 10. Topics are those that the run and the qrels both have; one without a
    relevant document counts 0. A grade below 0 says that a document was not judged.

    Args:
        run: a run file (`topic Q0 docno rank score tag`), plain or gzipped, a glob, or several of them; a mapping
            names the runs where their tags do not. Several runs get a row each.
        qrels: a file of judgements (`topic 0 docno rel`), plain or gzipped, or several.
        metrics: notations of list metrics such as `["map", "ndcg@10", "precision@10"]`, or a mapping of result columns
            to them. What a notation says beats trec_eval's definition: `map(denominator=capped)@10`.
        per_topic: whether each topic gets a row, as with trec_eval's -q; the last row of a single run is that of all
            its topics.
        complete: whether topics of the qrels that a run lacks count 0, as with trec_eval's -c.
        positive: from which grade on a document is relevant, 1 by default, as trec_eval's -l.
        max_grade: the highest grade of the scale; `err` needs it.

    Returns:
        A `Report`.

    Raises:
        SqlMetricsError: a file that is not there; a line of another form, with its file and number.

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
        total=not by,  # runs have no row in common
        positive=positive,
        max_grade=max_grade,
        convention="trec_eval",
        **COLUMNS,
    )


def read_run(path: Paths | Mapping[str, Path]) -> pa.Table:
    """The columns `run`, `topic`, `docno` and `score` of run files, as `evaluate` takes them.

    Args:
        path: a file, a glob or a list of them, plain or gzipped; a mapping names the runs. Otherwise a run is named by
            its tag, the last field of a line.

    Raises:
        SqlMetricsError: a line that is not `topic Q0 docno rank score tag`; two files of one tag.
    """
    import pyarrow as pa

    if isinstance(path, Mapping):
        named = {str(name): read_run(of_name) for name, of_name in path.items()}
        if not named:
            raise SqlMetricsError('run={} names no run; write {"a": "run.txt"}')
        return pa.concat_tables(
            table.set_column(0, "run", pa.repeat(name, len(table))) for name, table in named.items()
        )
    files = {file: _read(file, "run").select(["run", "topic", "docno", "score"]) for file in _files(path)}
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


def read_qrels(path: Paths) -> pa.Table:
    """The columns `topic`, `docno` and `rel` of qrels files, as `truth=` of `evaluate` takes them.

    Raises:
        SqlMetricsError: a line that is not `topic 0 docno rel`.
    """
    import pyarrow as pa

    return pa.concat_tables(_read(file, "qrels") for file in _files(path))


def _of_missing_topics(metrics: Metrics, value: str) -> dict[str, str]:
    """The metrics by result column, with the value of a list that the predictions lack where the notation says none."""
    asked = metrics if isinstance(metrics, Mapping) else as_list(metrics, "metrics")
    found: dict[str, str] = {}
    for entry in asked:
        notation = asked[entry] if isinstance(asked, Mapping) else entry
        catalog.check(notation)
        name = entry if isinstance(asked, Mapping) else str(macros("duckdb")["column_name"](notation))
        parsed = macros("duckdb")["parse_notation"](notation)
        lists = "on_missing" in catalog.find(parsed["name"], "k" in parsed["params"]).parameters
        if lists and "on_missing" not in parsed["params"]:
            head, at, k = notation.partition("@")
            plain, _, options = head.strip().removesuffix(")").partition("(")
            notation = f"{plain}({options + ',' if options.strip() else ''}on_missing={value}){at}{k}"
        if name in found:
            raise SqlMetricsError(f"Two metrics would be named '{name}'. Pass a mapping of names to metrics")
        found[name] = notation
    return found


def _files(path: Paths) -> list[str]:
    """The files that paths and globs mean."""
    found: list[str] = []
    for one in [path] if isinstance(path, (str, os.PathLike)) else path:
        files = files_of(os.fspath(one))
        if not files:
            raise SqlMetricsError(f"No file matches '{os.fspath(one)}'")
        found.extend(files)
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
            raise SqlMetricsError(
                f"{file}, line {mistake['sm_number']}: {FORMS[kind]}, got '{mistake['sm_line'].strip():.100}'"
            )
    if not len(table):
        raise SqlMetricsError(f"{file} has no line; {FORMS[kind]}")
    return table
