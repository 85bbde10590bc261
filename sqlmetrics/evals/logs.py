"""The rows of logs, by DuckDB: files of one form in one statement."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sqlmetrics.book.templates import macros
from sqlmetrics.engines import session as session_on
from sqlmetrics.engines.files import as_utf8, unescaped
from sqlmetrics.errors import DataError, SqlMetricsError
from sqlmetrics.evals.forms import Form
from sqlmetrics.given.reads import Reads

if TYPE_CHECKING:
    import pyarrow as pa

#: how lm-evaluation-harness names a file of samples: the task, and the time as in `results_TIME.json` beside it
OF_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.-]+)")
NO_ARCHIVE = (
    "a run of Inspect that still goes on, or was killed; finish it, or write it anew with inspect log recover"
)


@dataclass(frozen=True)
class Log:
    """A file with scores.

    Attributes:
        file: a pattern that matches it alone.
        form: how it is read.
        name: the name that the caller gives its model, or None.
    """

    file: str
    form: Form
    name: str | None = None

    @property
    def path(self) -> str:
        """The path of the file."""
        return as_utf8(unescaped(self.file))

    @property
    def stem(self) -> str:
        """The name of the file without its endings."""
        return Path(self.path).name.removesuffix(".gz").rpartition(".")[0] or Path(self.path).name

    @cached_property
    def texts(self) -> tuple[str | None, str | None]:
        """The header and the samples of a document; both None for files that DuckDB opens itself.

        Raises:
            DataError: an archive that is damaged or not complete.
        """
        if self.form.container == "zip":
            return self._archived("header.json"), self._archived("summaries.json")
        if self.form.container in ("document", "json"):
            opened = gzip.open if self.path.endswith(".gz") else open
            try:
                with opened(self.path, "rt", encoding="utf-8-sig") as file:
                    return file.read(), None
            except (UnicodeDecodeError, EOFError, OSError) as error:
                raise DataError(f"{self.path} is damaged or no text in UTF-8: {error}") from error
        return None, None

    def _archived(self, member: str) -> str:
        try:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(member).decode()
        except KeyError:
            raise DataError(f"{self.path} has no {member}, as of {NO_ARCHIVE}") from None
        except zipfile.BadZipFile:
            raise DataError(f"{self.path} is cut off or damaged, as of {NO_ARCHIVE}") from None
        except NotImplementedError as error:
            raise DataError(
                f"{self.path} is packed in a way that this Python cannot open: {error}"
            ) from error

    def facts(self) -> dict[str, str | None]:
        """What the reader gets to know of the file."""
        header, samples = self.texts
        known = {
            "file": self.path,
            "name": self.name,
            "stem": self.stem,
            "header": header,
            "samples": samples,
        }
        return known | (self._beside() if self.form.reader == "lm_eval" else {"model": None, "task": None})

    def _beside(self) -> dict[str, str | None]:
        """Model and task of samples of lm-evaluation-harness: from the results beside them, or else the names."""
        path = Path(self.path)
        found = OF_SAMPLES.match(path.name)
        if found is None:
            return {"model": None, "task": None}
        model: str | None = path.parent.name.replace("__", "/") or None
        results = path.with_name(f"results_{found['time'].rstrip('.')}.json")
        if results.is_file():
            try:
                model = json.loads(results.read_text(encoding="utf-8")).get("model_name") or model
            except ValueError as error:
                raise DataError(f"{results} is no JSON: {error}") from error
        return {"model": model, "task": found["task"]}


def rows_of(logs: list[Log]) -> pa.Table:
    """The rows of logs of one form, with `problem`, which is NULL where a row can be used.

    Raises:
        DataError: a file that is damaged.
    """
    import pyarrow as pa

    form, words = logs[0].form, macros("duckdb")
    names = ("file", "name", "stem", "model", "task", "header", "samples")
    files = pa.Table.from_pylist(
        [log.facts() for log in logs], pa.schema([(n, pa.large_string()) for n in names])
    )
    with session_on(None, None) as session:
        relation = session.open(files, "logs", Reads(every=True))
        objects = None
        if form.container not in ("zip", "document"):
            paths = [log.file for log in logs]
            objects = str(words["duckdb__sql_eval_objects"](paths, form.container, relation.text)).strip()
        statement = str(words["duckdb__sql_evals"](form.reader, relation.text, objects))
        try:
            return session.query(statement, "the logs")
        except SqlMetricsError as error:
            for problem in _damaged(logs):
                raise DataError(problem) from error
            raise


def _damaged(logs: list[Log]) -> Iterator[str]:
    """Where files are no JSON, which DuckDB does not say of each of them."""
    for log in logs:
        texts = [(log.path, text) for text in log.texts if text is not None]
        for place, text in texts or _lines(log):
            try:
                json.loads(text)
            except ValueError as error:
                yield f"{place} is no JSON ({error}), as of a log that is cut off or damaged"


def _lines(log: Log) -> Iterator[tuple[str, str]]:
    """The lines of a file that DuckDB opens itself, each with its place; none of one that has no lines of JSON."""
    if log.form.container == "lines":
        opened = gzip.open if log.path.endswith(".gz") else open
        with opened(log.path, "rt", encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield f"{log.path}, line {number:,},", line
