"""The message about an unknown keyword argument: the argument that was meant, or where the value is written instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmetrics.errors import did_you_mean


def instead(unknown: str, given: Mapping[str, Any], known: Iterable[str]) -> str:
    """The end of a sentence about an unknown argument.

    Args:
        unknown: its name.
        given: the arguments of the call by name.
        known: the names that the function takes.

    >>> instead("threshold", {"metrics": "accuracy", "threshold": 0.3}, ["data", "metrics"])
    "; it is a parameter of metrics, which is written in their notation: 'accuracy(threshold=0.3)'"
    >>> instead("score", {"score": "p", "threshold": 0.3}, ["data", "label", "prediction"])
    '; it takes the class that a score decides: prediction=sm.sql("p >= 0.3")'
    >>> instead("lable", {"lable": "y"}, ["data", "label"])
    ". Did you mean 'label'?"
    """
    known = list(known)
    if "prediction" in known and "score" not in known and unknown in ("score", "threshold"):
        score, threshold = _plain(given.get("score"), "p"), _plain(given.get("threshold"), "0.5")
        return f'; it takes the class that a score decides: prediction=sm.sql("{score} >= {threshold}")'
    near = did_you_mean(unknown, known)
    notation = None if near or "metrics" not in known else _notation(unknown, given)
    if notation is None:
        return f".{near}"
    return f"; it is a parameter of metrics, which is written in their notation: '{notation}'"


def _plain(value: Any, otherwise: str) -> str:
    """A word or a number as it is written; nothing longer, such as an array."""
    return str(value) if isinstance(value, (str, int, float)) else otherwise


def _notation(parameter: str, given: Mapping[str, Any]) -> str | None:
    """The notation of a metric with a parameter: of one that the call asks for, if it names one."""
    from sqlmetrics.book.catalog import catalog

    asked, value = given.get("metrics", ()), _plain(given[parameter], "...")
    takes = [metric for metric in catalog().values() if parameter in metric.parameters]
    if not takes:
        return None
    metric = min(takes, key=lambda metric: metric.name not in ([asked] if isinstance(asked, str) else asked))
    if parameter == "k":
        return f"{metric.name}@{value}"
    return f"{metric.name}({parameter}={value}){'@10' if metric.needs_cutoff else ''}"
