"""The data and the question of a call, which before 1.0 some functions take in the other order, too."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from sqlmetrics.book.catalog import is_curve, is_metric, split_notations

#: the first two arguments of the functions that had them in the other order
SWAPPED = (
    *(("data", "kind"), ("state", "kind")),
    *(("relation", question) for question in ("metrics", "metric", "kind")),
)


def in_order(function: str, data: Any, question: Any) -> tuple[Any, Any]:
    """The data and the question of a call, whichever comes first.

    >>> in_order("render", "predictions", ["auc", "ndcg@10"])
    ('predictions', ['auc', 'ndcg@10'])
    """
    if not asks(data) or asks(question):
        return data, question
    warnings.warn(
        f"the data come first: {function}(data, {data!r}); the other order ends with 1.0", FutureWarning, 3
    )
    return question, data


def asks(value: Any) -> bool:
    """Whether a value is metrics or the kind of a curve."""
    if isinstance(value, Mapping):
        return bool(value) and all(map(asks, value.values()))
    if isinstance(value, str):
        return is_curve(value) or all(map(is_metric, split_notations(value)))
    # each a metric, since several files are a list of texts, too
    return isinstance(value, (list, tuple)) and bool(value) and all(map(asks, value))
