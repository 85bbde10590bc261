"""`read_evals`: logs of evaluations as one long table, which every question takes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlmetrics.engines.files import StandardInput, files_of, no_file
from sqlmetrics.errors import DataError, SqlMetricsError, counted, public
from sqlmetrics.evals.forms import RESULTS, form_of
from sqlmetrics.evals.logs import Log, rows_of
from sqlmetrics.given.columns import got
from sqlmetrics.given.evals import MARK

if TYPE_CHECKING:
    import pyarrow as pa

Path = str | os.PathLike[str]
Paths = Path | Sequence[Path] | Mapping[str, Path | Sequence[Path]]

KNOWN = (
    "logs of Inspect, samples_*.jsonl of lm-evaluation-harness, outputs of promptfoo (.json), test runs of DeepEval,"
    " tables of MLflow, scores of Langfuse, logs of OpenAI evals, and rows with the columns sample and value"
)

#: what to write where a sample has several scores, by the reader of the log
APART = {
    "rows": "number its repeats in the column epoch, or ",
    "promptfoo": "give each of several providers of one id a label, or ",
}


@public
def read_evals(path: Paths) -> pa.Table:
    """Reads logs of evaluations into one long table, with a row for each score of a sample.

    The tool is recognised by what is in a file: Inspect (`.eval`, JSON), lm-evaluation-harness (`samples_*.jsonl`, by
    `--log_samples`), promptfoo (JSON), DeepEval (test runs), MLflow (tables of evaluations: JSON, CSV, Parquet),
    Langfuse (scores: JSON, CSV), OpenAI evals (JSON lines), and rows (JSON lines, CSV, Parquet) that have the
    columns below already, of which `sample` and `value` suffice.

    `evaluate`, `compare`, `leaderboard` and the other questions take the table, and know its models, and that the rows
    of a sample (its epochs) belong together: `sm.compare(sm.read_evals("logs/*.eval"))`. What a call says itself is
    kept. Without metrics they take the mean of `value`, as a rate where all scores are 0 or 1; with several scorers or
    tasks each is a slice.

    Args:
        path: a file, a folder, a glob or a list of them; or a mapping of names to such, which names the models.

    Returns:
        An Arrow table with the columns:

        - `model`: what was evaluated; where a log does not say it, the name of the file. Where two logs have the same
          samples of one model, the name of the log is added: `gpt (run-1)`
        - `task`, `sample`, `epoch` (from 1), `scorer`
        - `value`: the score as a number, with true and Inspect's C as 1; NULL for a word, and for a sample that failed
        - `label`: the score where it is a word
        - `answer`: what the model answered
        - `scored_by`: `code`, `judge` (a model) or `person`
        - `cost` (in the currency of the log), `latency` (seconds) and `tokens` of the sample
        - `metadata` of the sample, as JSON
        - `log`: the file

        NULL is what a log does not say.

    Raises:
        SqlMetricsError: no such file; a file that is no log, is damaged, is that of a run that did not end, or holds a
            score twice.

    >>> import tempfile, pathlib
    >>> log = pathlib.Path(tempfile.mkdtemp(), "runs.jsonl")
    >>> rows = [(m, s, e, (s * k + e) % 3 > 0) for m, k in (("a", 1), ("b", 2)) for s in range(20) for e in (1, 2)]
    >>> lines = [f'{{"model": "{m}", "sample": {s}, "epoch": {e}, "value": {int(v)}}}' for m, s, e, v in rows]
    >>> _ = log.write_text(chr(10).join(lines))
    >>> evals = read_evals(log)
    >>> evals.num_rows, evals.column("sample")[3].as_py(), evals.column("scored_by")[0].as_py()
    (80, '1', None)
    """
    logs = _logs(path)
    tables = [rows_of(list(alike)) for _, alike in groupby(sorted(logs, key=_order), key=_order)]
    return _named_apart(_usable(tables, logs), logs)


def are_logs(paths: Sequence[str]) -> bool:
    """Whether files are logs of evaluations, by what is in the first of them.

    Tables that a call can read by their columns, such as CSV files of MLflow, are none here.
    """
    files = [file for path in paths for file in files_of(path)]
    if not files or any("://" in file for file in files):
        return False
    try:
        form = form_of(files[0])
    except (
        DataError,
        UnicodeError,
    ):  # a folder, or a name beyond the locale, which DuckDB reads, or explains
        return False
    return form is not None and (form.is_log or form is RESULTS)


def or_logs(found: Any) -> Any:
    """The table of logs, if files, or those of each model, are logs of evaluations; else what is given."""
    if isinstance(found, StandardInput):
        return found
    files = [*found.values()] if isinstance(found, Mapping) else [found] if isinstance(found, str) else found
    return read_evals(found) if are_logs(files) else found


def _order(log: Log) -> tuple[str, str, int]:
    return log.form.reader, log.form.container, log.turn


def _logs(path: Paths) -> list[Log]:
    """The files of a call, each with its form.

    Raises:
        DataError: no file, or one of another kind.
    """
    named = path if isinstance(path, Mapping) else {None: path}
    if not named:
        raise SqlMetricsError('path={} names no log; write {"a": "a.eval"}')
    found: dict[str, dict[str | None, Log]] = {}
    beside: list[str] = []
    for name, of_name in named.items():
        paths = [of_name] if isinstance(of_name, (str, os.PathLike)) else of_name
        texts = isinstance(paths, (list, tuple)) and all(isinstance(p, (str, os.PathLike)) for p in paths)
        if not texts or not paths:
            raise SqlMetricsError(f"path= takes the path of a log or a list of paths, got {got(path)}")
        for one in (str(os.fspath(path)) for path in paths):
            if not (files := files_of(one)):
                raise DataError(no_file(one))
            for file in files:
                form = form_of(file)
                if form is RESULTS:
                    beside.append(file)
                elif form is None:
                    raise DataError(
                        f"{Log(file, RESULTS).path} is no log of an evaluation. Known are {KNOWN}"
                    )
                else:
                    of_file = found.setdefault(file, {})
                    text = None if name is None else str(name)
                    of_file.setdefault(text, Log(file, form, text, turn=len(of_file)))
    if not found:
        raise DataError(
            f"{Log(beside[0], RESULTS).path} has no samples; lm_eval writes them beside it with --log_samples"
        )
    return [log for of_file in found.values() for log in of_file.values()]


def _usable(tables: list[pa.Table], logs: list[Log]) -> pa.Table:
    """The rows of all logs in one table, with the mark by which questions know it.

    Raises:
        DataError: a row that cannot be used, or is there twice, or a log without a row.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    table = pa.concat_tables(tables)
    broken = table.filter(pc.is_valid(table["problem"])).slice(0, 1)
    for row in broken.to_pylist():
        raise DataError(f"{row['log']}: {row['problem']}")
    empty = {log.path for log in logs} - {*table["log"].unique().to_pylist()}
    for log in logs:
        if log.path in empty:
            raise DataError(f"{log.path} is a log of {log.form.tool} without a score of a sample")
    keys = ["log", "model", "task", "sample", "epoch", "scorer", "scored_by", "part"]
    scores = table.group_by(keys, use_threads=False).aggregate([([], "count_all")])
    for row in scores.filter(pc.greater(scores["count_all"], 1)).slice(0, 1).to_pylist():
        scorer = "" if row["scorer"] is None else f" by {row['scorer']}"
        [reader, *_] = [log.form.reader for log in logs if log.path == row["log"]]
        raise DataError(
            f"{row['log']}: sample {row['sample']} of {row['model']} has {row['count_all']} scores{scorer} in epoch"
            f" {row['epoch']}; {APART.get(reader, '')}leave one of them in the log"
        )
    return table.drop_columns(["part", "problem"]).replace_schema_metadata(MARK)


def _named_apart(table: pa.Table, logs: Sequence[Log]) -> pa.Table:
    """Gives models another name where two logs have the same samples of one, so that runs can be compared."""
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = ["model", "task", "sample", "epoch", "scorer"]
    several = table.group_by(["model", "task"]).aggregate([("log", "count_distinct")])
    if not pc.any(pc.greater(several["log_count_distinct"], 1)).as_py():
        return table
    twice = table.group_by(keys).aggregate([("log", "count_distinct")])
    models = twice.filter(pc.greater(twice["log_count_distinct"], 1))["model"].unique().to_pylist()
    named = {model: model for model in models if any(log.name == model for log in logs)}
    if named:
        raise DataError(
            f"Several logs have the same samples of {counted(named)}; give each log a name of its own, such as"
            ' {"a": "first.eval", "b": "second.eval"}'
        )
    stems = {log.path: log.stem for log in logs}
    # files of one name in several folders, or with several endings, have their paths added
    are_apart = len({*stems.values()}) == len(stems)
    added = {path: f" ({stem if are_apart else path})" for path, stem in stems.items()}
    is_twice = pc.is_in(table["model"], pa.array(models, table["model"].type))
    paths = table["log"].unique()
    index = pc.index_in(table["log"], paths)
    endings = pa.array([added[path] for path in paths.to_pylist()], table["model"].type).take(index)
    longer = pc.binary_join_element_wise(table["model"], endings, "")
    return table.set_column(
        table.column_names.index("model"), "model", pc.if_else(is_twice, longer, table["model"])
    )
