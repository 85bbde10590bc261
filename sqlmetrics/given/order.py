"""The data and the question of a call, which before 1.0 some functions take in the other order, too."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from sqlmetrics.book.catalog import is_curve, is_metric, split_notations
from sqlmetrics.errors import SqlMetricsError

QUESTIONS = ("metrics", "metric", "kind")
#: the first two arguments of the functions that had them in the other order
SWAPPED = (
    *(("data", "kind"), ("state", "kind")),
    *(("relation", question) for question in QUESTIONS),
)


def in_order(function: str, arguments: dict[str, Any], names: tuple[str, ...]) -> None:
    """Puts the data of a call before the question where the other order is taken; elsewhere refuses it.

    Args:
        function: the name of the function.
        arguments: those of the call by name.
        names: the first two.

    Raises:
        SqlMetricsError: a question in the place of the data.
    """
    if names[1] not in QUESTIONS:
        return
    data, question = (arguments[name] for name in names)
    if names in SWAPPED:
        if _is_table(question) or (asks(data) and not asks(question)):
            note = f"the data come first: {function}(data, {data!r:.200}); the other order ends with 1.0"
            warnings.warn(note, FutureWarning, 3)
            arguments |= zip(names, (question, data), strict=True)
        return
    unasked = _is_table(question) or (asks(data) and (is_none(question) or _leads_to_files(question)))
    if arguments.get("connection") is None and unasked and is_question(data):
        told = f"The data come first, then the question: {function}(data, {data!r:.200}, ...)"
        raise SqlMetricsError(told)


def is_question(data: Any) -> bool:
    """Whether what stands in the place of data are metrics, be they unknown, or the kind of a curve."""
    return asks(data) or (bool(_texts(data)) and not _leads_to_files(data))


def is_none(question: Any) -> bool:
    """Whether nothing is asked. A frame has no truth value."""
    return question is None or (isinstance(question, (str, list, tuple, Mapping)) and not question)


def _leads_to_files(value: Any) -> bool:
    from sqlmetrics.engines.files import files_of

    return any(map(files_of, _texts(value)))


def _texts(value: Any) -> list[str]:
    """A text or several, as a list; an empty list for anything else."""
    texts = [value] if isinstance(value, str) else value
    texts = [*texts.values()] if isinstance(texts, Mapping) else texts
    are_texts = isinstance(texts, (list, tuple)) and all(isinstance(text, str) for text in texts)
    return [*texts] if are_texts else []


def _is_table(question: Any) -> bool:
    """Whether what stands in the place of a question is a table in memory."""
    if isinstance(question, Mapping):
        return bool(question) and not _texts(question)
    rows = isinstance(question, list) and bool(question) and isinstance(question[0], Mapping)
    return rows or hasattr(type(question), "columns") or hasattr(question, "__arrow_c_stream__")


def asks(value: Any) -> bool:
    """Whether a value is metrics or the kind of a curve."""
    if isinstance(value, Mapping):
        return bool(value) and all(map(asks, value.values()))
    if isinstance(value, str):
        return is_curve(value) or all(map(is_metric, split_notations(value)))
    # each a metric, since several files are a list of texts, too
    return isinstance(value, (list, tuple)) and bool(value) and all(map(asks, value))
