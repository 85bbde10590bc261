"""The rows of logs, by DuckDB: files of one form in one statement."""

from __future__ import annotations

import glob
import gzip
import json
import re
import tempfile
import zlib
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
        turn: how often the call has named the file before, under other names.
    """

    file: str
    form: Form
    name: str | None = None
    turn: int = 0

    @property
    def path(self) -> str:
        """The path of the file."""
        return as_utf8(unescaped(self.file))

    @property
    def stem(self) -> str:
        """The name of the file without its endings."""
        return Path(self.path).name.removesuffix(".gz").rpartition(".")[0] or Path(self.path).name

    @cached_property
    def header(self) -> str | None:
        """The text of a document; of an archive its header; None for files that DuckDB opens itself.

        Raises:
            DataError: an archive that is damaged or not complete.
        """
        if self.form.container == "zip":
            return self.archived("header.json").decode()
        if self.form.container in ("document", "json"):
            opened = gzip.open if self.path.endswith(".gz") else open
            try:
                with opened(self.path, "rt", encoding="utf-8-sig") as file:
                    return file.read()
            except (UnicodeDecodeError, EOFError, OSError) as error:
                raise DataError(f"{self.path} is damaged or no text in UTF-8: {error}") from error
        return None

    def archived(self, member: str) -> bytes:
        """A member of an archive.

        Raises:
            DataError: an archive that is damaged or not complete.
        """
        import zipfile  # when a log is read, since it imports slowly

        try:
            with zipfile.ZipFile(self.path) as archive:
                return archive.read(member)
        except KeyError:
            raise DataError(f"{self.path} has no {member}, as of {NO_ARCHIVE}") from None
        except (zipfile.BadZipFile, zlib.error, EOFError):
            raise DataError(f"{self.path} is cut off or damaged, as of {NO_ARCHIVE}") from None
        except NotImplementedError as error:
            raise DataError(
                f"{self.path} is packed in a way that this Python cannot open: {error}"
            ) from error

    def facts(self, source: str) -> dict[str, str | None]:
        """What the reader gets to know of the file, with the file that DuckDB opens."""
        known = {
            "file": self.path,
            "name": self.name,
            "stem": self.stem,
            "header": self.header,
            "source": source,
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
    """The rows of logs of one form, no file twice, with the columns `part` and `problem`.

    `part` tells the scores of a sample by one scorer apart where a tool gives several. `problem` is NULL where a row
    can be used.

    Raises:
        DataError: a file that is damaged.
    """
    form, words = logs[0].form, macros("duckdb")
    with tempfile.TemporaryDirectory() as folder, session_on(None, None) as session:
        sources = [_opened(log, Path(folder, f"{place}.json")) for place, log in enumerate(logs)]
        files = _table([log.facts(source) for log, source in zip(logs, sources, strict=True)])
        relation = session.open(files, "logs", Reads(every=True)).text
        objects = None
        if form.container != "document":
            container = "array" if form.container == "zip" else form.container
            patterns = [glob.escape(source) for source in sources]
            objects = str(words["duckdb__sql_eval_objects"](patterns, container, relation)).strip()
        try:
            return session.query(str(words["duckdb__sql_evals"](form.reader, relation, objects)), "the logs")
        except SqlMetricsError as error:
            for problem in _damaged(logs):
                raise DataError(problem) from error
            raise


def _opened(log: Log, unpacked: Path) -> str:
    """The file that DuckDB opens: the log, or the summaries of the samples out of an archive."""
    if log.form.container != "zip":
        return log.path
    unpacked.write_bytes(log.archived("summaries.json"))
    return str(unpacked)


def _table(rows: list[dict[str, str | None]]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, pa.schema([(name, pa.large_string()) for name in rows[0]]))


def _damaged(logs: list[Log]) -> Iterator[str]:
    """Where files are no JSON, which DuckDB does not say of each of them."""
    for log in logs:
        texts = [*_lines(log)] if log.header is None else [(log.path, log.header)]
        if log.form.container == "zip":
            texts.append(
                (f"{log.path}, summaries.json", log.archived("summaries.json").decode("utf-8", "replace"))
            )
        for place, text in texts:
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
