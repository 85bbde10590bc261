"""The tool that wrote a log, recognised by what is in the file and not by its name."""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from sqlmetrics.engines.files import as_utf8, unescaped
from sqlmetrics.errors import DataError
from sqlmetrics.files import reason

HEAD = 65_536  #: bytes that tell the form
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\]]')
#: names of columns with the scores of MLflow's tables
OF_MLFLOW = re.compile(r"/(score|value)$")


@dataclass(frozen=True)
class Form:
    """How a log is read.

    Attributes:
        tool: who wrote it, as messages say it.
        reader: the name of its reader in `sql/dialects/duckdb/evals/`.
        container: what holds the scores: `zip` or `document` (a header with samples); `json` (an array), `lines`,
            `csv` or `parquet` (objects).
        is_log: whether it is no table that a call could also read by its columns.
    """

    tool: str
    reader: str
    container: str
    is_log: bool = True


#: Keys of the first object of a JSON file, and the log that has them. The first that fits decides.
KEYS = {
    ("status", "eval"): Form("Inspect", "inspect", "document"),
    ("evalId", "results"): Form("promptfoo", "promptfoo", "document"),
    ("testRunData",): Form("DeepEval", "deepeval", "document"),
    ("testCases",): Form("DeepEval", "deepeval", "document"),
    ("conversationalTestCases",): Form("DeepEval", "deepeval", "document"),
    ("doc_id", "target"): Form("lm-evaluation-harness", "lm_eval", "lines"),
    ("doc_id", "resps"): Form("lm-evaluation-harness", "lm_eval", "lines"),
    ("spec",): Form("OpenAI evals", "openai", "lines"),
    ("columns", "data"): Form("MLflow", "mlflow_split", "document"),
}
OF_INSPECT = Form("Inspect", "inspect", "zip")
#: what lm-evaluation-harness writes beside its samples
RESULTS = Form("lm-evaluation-harness", "results", "document", is_log=False)


def form_of(file: str) -> Form | None:
    """The form of a log; None for a file of another kind.

    Raises:
        DataError: the file cannot be opened.
    """
    path = Path(as_utf8(unescaped(file)))
    head = _head(path)
    if head.startswith(b"PK\x03\x04"):
        return OF_INSPECT if _is_of_inspect(path, head) else None
    if head.startswith(b"PAR1"):
        import pyarrow.parquet

        try:
            return _of_columns(pyarrow.parquet.read_schema(path).names, "parquet")
        except (OSError, ValueError):  # DuckDB says what is wrong with it
            return None
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if text[:1] not in ("{", "["):
        return _of_columns([name.strip(' "\r') for name in text.partition("\n")[0].split(",")], "csv")
    names = keys_of(text)
    for keys, form in KEYS.items():
        if {*keys} <= {*names}:
            return form
    if names[:1] == ["results"] and path.name.startswith("results"):
        return RESULTS
    if '"traceId"' in text and '"source"' in text and names[:1] == ["data"]:
        return Form("Langfuse", "langfuse", "json")
    return _of_columns(names, "json" if text[0] == "[" else "lines")


def keys_of(text: str) -> list[str]:
    """The names of the first object of a JSON text, which may be cut off, or be an array of objects.

    >>> keys_of('{"a": {"b": 1}, "c": ["d", {"e": 2}], "f'), keys_of('[{"a": "b"}, {"c": 1}]')
    (['a', 'c'], ['a'])
    """
    names, depth, inside = [], 0, 2 if text.startswith("[") else 1
    for token in TOKEN.finditer(text):
        if token[0] in ("{", "["):
            depth += 1
        elif token[0] in ("}", "]"):
            depth -= 1
            if depth < inside:
                break
        elif token[2] and depth == inside:
            names.append(token[1])
    return names


def _of_columns(names: list[str], container: str) -> Form | None:
    """The form of a table, by the names of its columns."""
    if {"traceId", "name", "value", "source"} <= {*names}:
        return Form("Langfuse", "langfuse", container)
    if any(map(OF_MLFLOW.search, names)) or {"request", "assessments"} <= {*names}:
        return Form("MLflow", "mlflow", container, is_log="assessments" in names)
    if {"sample", "value"} <= {*names}:
        return Form("rows", "rows", container, is_log=False)
    return None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
        if head.startswith(b"\x1f\x8b"):
            with gzip.open(path) as packed:
                head = packed.read(HEAD)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"Cannot read '{path}': {reason(error)}") from error
    return head


def _is_of_inspect(path: Path, head: bytes) -> bool:
    """Whether an archive is a log of Inspect; one that is cut off has no list of its members, but begins as one."""
    import zipfile  # when a log is read, since it imports slowly

    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        return b"_journal/" in head
    return "header.json" in names or "_journal/start.json" in names
