"""TREC files: runs and qrels, read by DuckDB and evaluated with the definitions of trec_eval."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from sqlmetrics.api.compare import compare
from sqlmetrics.api.evaluate import Metrics, evaluate
from sqlmetrics.book import catalog
from sqlmetrics.book.conventions import options_of
from sqlmetrics.book.notation import column_name, is_pinned, parsed
from sqlmetrics.book.templates import macros
from sqlmetrics.engines import session as session_on
from sqlmetrics.engines.files import as_utf8, files_of, no_file
from sqlmetrics.errors import DataError, SqlMetricsError, counted, printable, public
from sqlmetrics.given.columns import as_list
from sqlmetrics.results.audited import Comparison
from sqlmetrics.results.report import Report

if TYPE_CHECKING:
    import pyarrow as pa

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path]

FORMS = {
    "run": "a run has lines 'topic Q0 docno rank score tag' with a number as score",
    "qrels": "qrels have lines 'topic 0 docno rel' with an integer as rel",
}
COLUMNS: dict[str, Any] = {"label": "rel", "score": "score", "group": "topic", "item": "docno"}


@overload
def trec(
    run: Paths | Mapping[str, Path],
    qrels: Paths,
    metrics: Metrics,
    *,
    baseline: None = None,
    per_topic: bool = False,
    complete: bool = False,
    judged_only: bool = False,
    max_docs: int | None = None,
    positive: int | None = None,
    max_grade: int | None = None,
    version: int = 10,
) -> Report: ...


@overload
def trec(
    run: Paths | Mapping[str, Path],
    qrels: Paths,
    metrics: Metrics,
    *,
    baseline: str,
    per_topic: bool = False,
    complete: bool = False,
    judged_only: bool = False,
    max_docs: int | None = None,
    positive: int | None = None,
    max_grade: int | None = None,
    version: int = 10,
) -> Comparison: ...


@public
def trec(
    run: Paths | Mapping[str, Path],
    qrels: Paths,
    metrics: Metrics,
    *,
    baseline: str | None = None,
    per_topic: bool = False,
    complete: bool = False,
    judged_only: bool = False,
    max_docs: int | None = None,
    positive: int | None = None,
    max_grade: int | None = None,
    version: int = 10,
) -> Report | Comparison:
    r"""Computes metrics of runs against qrels, with trec_eval's definitions.

    These are the definitions of `convention="trec_eval"` in `evaluate`. trec_eval's own names are taken, too,
    with its way to write several cutoffs: `ndcg_cut_10`, `ndcg_cut.5,10`, `P.30`, `iprec_at_recall_0.10`, and its
    names of several measures: `official`, `set`, `all_trec`.

    Documents are ranked by score, and tied ones by docno in descending order; the rank in the file is not
    read. Scores are compared in double precision, as in trec_eval 10. The topics are those of both the run
    and the qrels. A topic without a relevant document counts 0. A grade below 0 means that a document was not
    judged. A file is one run, as for trec_eval; if its lines have different tags, a note names them.

    Args:
        run: a run file (`topic Q0 docno rank score tag`), plain or gzipped, a glob, or several of them. A
            mapping gives names to the runs; otherwise the tag of its first line is the name of a run. Each of
            several runs has a row.
        qrels: a file of judgements (`topic 0 docno rel`), plain or gzipped, or several. The two may also be given in
            trec_eval's order, the judgements first.
        metrics: notations of list metrics such as `["map", "ndcg@10", "precision@10"]`, or a mapping of
            column names to notations. Options of a notation override trec_eval's definition:
            `map(denominator=capped)@10`.
        baseline: the name of a run, with which `compare` then compares the others, over the topics that both have.
        per_topic: True gives each topic a row, as trec_eval's -q does; the last row of a single run is for
            all its topics.
        complete: True counts topics of the qrels that a run lacks as 0, as trec_eval's -c does.
        judged_only: True leaves out of the runs the documents that the qrels lack, as trec_eval's
            -J does, after `max_docs`.
        max_docs: the number of documents of a topic that are read, the best of them, as trec_eval's -M.
        positive: the least grade of a relevant document, 1 by default, as trec_eval's -l.
        max_grade: the highest grade of the scale; `err` needs it.
        version: 10, or 9 for the numbers of trec_eval 9, which pytrec_eval and ir_measures carry: scores that
            are equal in single precision tie, and a recall level is reached with up to a tenth of a document
            lacking (`reach=tenth` of `interpolated_precision` and `interpolated_map`).

    Returns:
        A `Report`; with `baseline` a `Comparison`.

    Raises:
        SqlMetricsError: another version; `baseline` with `per_topic`; a missing file; a line of another form, with its
            file and number.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> run, qrels = folder / "run.txt", folder / "qrels.txt"
    >>> _ = run.write_text("301 Q0 a 1 2.5 bm25\n301 Q0 b 2 1.5 bm25\n")
    >>> _ = qrels.write_text("301 0 b 1\n301 0 c 0\n")
    >>> trec(run, qrels, ["map", "ndcg@10"]).to_dicts()[0]["map"]
    0.5
    """
    if version not in (9, 10):
        raise SqlMetricsError(f"version= is that of trec_eval, 9 or 10, got {version!r}")
    if baseline is not None and per_topic:
        raise SqlMetricsError("baseline= compares runs over their topics; leave out per_topic=")
    if max_docs is not None and (isinstance(max_docs, bool) or not isinstance(max_docs, int) or max_docs < 1):
        raise SqlMetricsError(f"max_docs= is a number of documents, an integer >= 1, got {max_docs!r}")
    run, qrels = _in_order(run, qrels)
    runs, notes = _runs(run, max_docs, single=version == 9)
    judged = read_qrels(qrels)
    _refuse_strangers(runs, judged)
    if judged_only:
        runs = runs.join(judged, ["topic", "docno"], join_type="left semi")
    wanted = {"on_missing": "zero" if complete else "skip", **({"reach": "tenth"} if version == 9 else {})}
    asked = _with_options(metrics, wanted)
    facts = {
        **COLUMNS,
        "truth": judged,
        "positive": positive,
        "max_grade": max_grade,
        "convention": "trec_eval",
    }
    result: Report | Comparison
    try:
        if baseline is not None:
            unpaired: Any = "error" if complete else "intersection"
            result = compare(runs, asked, models="run", baseline=baseline, on_unpaired=unpaired, **facts)
        else:
            by = ["run"] if len(runs["run"].unique()) > 1 else []
            # a total over several runs has no meaning
            result = evaluate(runs, asked, by=[*by, "topic"] if per_topic else by, total=not by, **facts)
    except DataError as error:
        # two systems in one file repeat documents
        raise DataError("; ".join([_repeated(runs, judged) or str(error), *notes])) from error
    result.further += notes
    return result


def _refuse_strangers(runs: pa.Table, judged: pa.Table) -> None:
    """Refuses runs and judgements that have no topic in common, as those that write topics differently."""
    import pyarrow.compute as pc

    topics, known = (table.column("topic").unique() for table in (runs, judged))
    if len(topics) and len(known) and not pc.any(pc.is_in(topics, known)).as_py():
        raise DataError(
            f"No topic of the runs is in the qrels: the runs have {topics[0].as_py()!r}, the qrels {known[0].as_py()!r}"
        )


def _repeated(runs: pa.Table, judged: pa.Table) -> str:
    """The first document that a topic has twice, in a sentence; an empty text if there is none."""
    import pyarrow.compute as pc

    for table, keys in ((runs, ["run", "topic", "docno"]), (judged, ["topic", "docno"])):
        counts = table.group_by(keys).aggregate([([], "count_all")])
        for row in counts.filter(pc.greater(counts.column("count_all"), 1)).slice(0, 1).to_pylist():
            named = f"Run {row['run']!r} has" if "run" in row else "The qrels have"
            return (
                f"{named} document {row['docno']!r} of topic {row['topic']!r} {row['count_all']} times;"
                " leave one line of each, as trec_eval asks"
            )
    return ""


def _in_order(run: Any, qrels: Any) -> tuple[Any, Any]:
    """Runs and judgements, which trec_eval takes in the other order: the first file has the form of qrels."""
    files = [run] if isinstance(run, (str, os.PathLike)) else run
    one = isinstance(files, list) and isinstance(qrels, (str, os.PathLike))
    if not one or not files or _fields(files[0]) != 4 or _fields(qrels) != 6:
        return run, qrels
    return [*files[1:], qrels], files[0]


def _fields(path: Any) -> int:
    """The number of fields in the first line of a file, or 0."""
    files = files_of(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else []
    if not files:
        return 0
    try:
        with (gzip.open if files[0].endswith(".gz") else open)(as_utf8(files[0]), "rb") as file:
            return len(file.readline(10_000).split())
    except (OSError, EOFError, zlib.error):  # DuckDB says why it cannot be read
        return 0


@public
def read_run(path: Paths | Mapping[str, Path]) -> pa.Table:
    """Reads run files into the columns `run`, `topic`, `docno` and `score`, as `data` of `evaluate`.

    A file is one run, whatever the tags of its lines are.

    Args:
        path: a file, a glob or a list of them, plain or gzipped; or a mapping of names to runs. Without a
            mapping a run is named by its tag, the last field of its first line.

    Raises:
        SqlMetricsError: a line that is not `topic Q0 docno rank score tag`; two files with the same tag.
    """
    return _runs(path)[0]


def _runs(
    path: Paths | Mapping[str, Path], max_docs: int | None = None, single: bool = False
) -> tuple[pa.Table, list[str]]:
    """The rows of runs, and a note of each file whose lines have different tags.

    Args:
        path: as of `read_run`.
        max_docs: how many documents of a topic are read, the best of them.
        single: True for scores in single precision, as trec_eval 9 compares them.
    """
    import pyarrow as pa

    if isinstance(path, Mapping):
        for text in map(str, path):
            if text != printable(text):
                raise SqlMetricsError(f"The name of a run is text without control characters, got {text!r}")
        if not path:
            raise SqlMetricsError('run={} names no run; write {"a": "run.txt"}')
    named: Mapping[Any, Any] = path if isinstance(path, Mapping) else {None: path}
    files = [(file, name) for name, of_name in named.items() for file in _files(of_name, "run")]
    tables: list[pa.Table] = []
    notes: list[str] = []
    seen: dict[str, str] = {}
    for file, name in files:
        table = _read(file, "run", max_docs, single).select(["run", "topic", "docno", "score"])
        tags = table["run"].unique().to_pylist()
        if len(tags) > 1:
            notes.append(f"{file} is one run, though its lines have different tags: {counted(tags, 5)}")
        if name is None and tags[0] in seen:
            raise SqlMetricsError(
                f"{seen[tags[0]]} and {file} have the same tag '{tags[0]}'; name the runs,"
                f' {{"a": "{seen[tags[0]]}", "b": "{file}"}}'
            )
        seen[tags[0]] = file
        tables.append(
            table.set_column(0, "run", pa.repeat(tags[0] if name is None else str(name), len(table)))
        )
    runs = pa.concat_tables(tables)
    if single:
        at = runs.column_names.index("score")
        runs = runs.set_column(at, "score", runs["score"].cast(pa.float32()).cast(pa.float64()))
    return runs, notes


@public
def read_qrels(path: Paths) -> pa.Table:
    """Reads qrels files into the columns `topic`, `docno` and `rel`, as `truth=` of `evaluate`.

    Raises:
        SqlMetricsError: a line that is not `topic 0 docno rel`.
    """
    import pyarrow as pa

    return pa.concat_tables(_read(file, "qrels") for file in _files(path, "qrels"))


def _with_options(metrics: Metrics, wanted: Mapping[str, str]) -> dict[str, str]:
    """The metrics by result column, each with the options that it takes, has not already and does not write."""
    named = isinstance(metrics, Mapping)
    asked = metrics if named else [one for text in as_list(metrics, "metrics") for one in _several(text)]
    found: dict[str, str] = {}
    for entry in asked:
        notation = asked[entry] if isinstance(asked, Mapping) else entry
        catalog.check(notation)
        name = entry if named else column_name(notation)
        metric = catalog.of_notation(notation)
        has = parsed(notation)[1] if is_pinned(notation) else options_of("trec_eval", metric.macro) or {}
        added = [
            f"{option}={value}"
            for option, value in wanted.items()
            if option in metric.parameters
            and has.get(option, metric.parameters[option]) != value
            and not re.search(rf"\b{option}\s*=", notation)
        ]
        if added:
            head, at, k = notation.partition("@")
            plain, _, options = head.strip().removesuffix(")").partition("(")
            written = [options.strip()] if options.strip() else []
            notation = f"{plain}({', '.join([*written, *added])}){at}{k}"
        if name in found:
            raise SqlMetricsError(
                f'Two metrics would be named \'{name}\'; name one of them, metrics={{"other": "{entry}"}}'
            )
        found[name] = notation
    return found


def _several(text: object) -> list[Any]:
    """The notations of a text such as `ndcg_cut.5,10` or `official`."""
    if not isinstance(text, str):
        return [text]
    several = macros("duckdb")["measures_of_trec_eval"]()
    return [
        one
        for part in catalog.split_notations(text)
        for one in catalog.split_notations(several.get(part, part))
    ]


def _files(path: Paths, kind: str) -> list[str]:
    """The files that paths and globs match."""
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    if not (
        isinstance(paths, (list, tuple)) and paths and all(isinstance(p, (str, os.PathLike)) for p in paths)
    ):
        raise SqlMetricsError(f"{kind}= takes the path of a file or a list of paths, got {path!r}")
    found: list[str] = []
    for one in paths:
        if not (files := files_of(str(os.fspath(one)))):
            raise DataError(no_file(os.fspath(one)))
        found.extend(map(as_utf8, files))
    return found


def _read(file: str, kind: str, *best: Any) -> pa.Table:
    """The rows of one file; of a run with how many documents of a topic are read, and by which precision."""
    written = macros("duckdb")
    with session_on(None, None) as session:
        table = session.query(written["duckdb__sql_trec_rows"](file, kind, *best), file)
        if table[{"run": "score", "qrels": "rel"}[kind]].null_count:
            [mistake] = session.query(written["duckdb__sql_trec_mistake"](file, kind), file).to_pylist()
            raise DataError(
                f"{file}, line {mistake['sm_number']}: {FORMS[kind]}, got '{mistake['sm_line'].strip():.100}'"
            )
    if not len(table):
        raise DataError(f"{file} has no line; {FORMS[kind]}")
    return table
