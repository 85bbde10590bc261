"""The message about an unknown keyword argument: the argument that was meant, or where the value is written instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import did_you_mean

if TYPE_CHECKING:
    from sqlmetrics.book.catalog import Metric


def elsewhere(word: str) -> str | None:
    """The option that other libraries call so.

    >>> elsewhere("pos_label"), elsewhere("label")
    ('positive', None)
    """
    from sqlmetrics.book.templates import macros

    named: dict[str, str] = macros("duckdb")["options_elsewhere"]()
    return named.get(word)


def instead(function: str, unknown: str, given: Mapping[str, Any], known: Iterable[str]) -> str:
    """The end of a sentence about an unknown argument.

    Args:
        function: the name of the function.
        unknown: the name of the argument.
        given: the arguments of the call by name.
        known: the names that the function takes.

    >>> instead("evaluate", "threshold", {"metrics": "accuracy", "threshold": 0.3}, ["data", "metrics"])
    "; it is a parameter of metrics, which is written in their notation: 'accuracy(threshold=0.3)'"
    >>> instead("class_report", "score", {"score": "p", "threshold": 0.3}, ["data", "label", "prediction"])
    '; it takes the class that a score decides: prediction=sm.sql("p >= 0.3")'
    >>> instead("evaluate", "lable", {"lable": "y"}, ["data", "label"])
    ". Did you mean 'label'?"
    >>> instead("evaluate", "y_prob", {"y_true": [1, 0], "y_prob": [0.9, 0.2]}, ["data", "y_true", "y_score", "score"])
    ". Did you mean 'y_score'?"
    >>> instead("finish", "label", {"label": "y", "metrics": "auc", "score": "p"}, ["state", "metrics"])
    '; the data are a state, which holds its columns and options; leave out label=, score='
    """
    from sqlmetrics.book.catalog import catalog, curves
    from sqlmetrics.book.templates import macros
    from sqlmetrics.given.arrays import ROLES
    from sqlmetrics.given.facts_of_state import held
    from sqlmetrics.options import OPTIONS

    known, meant = list(known), elsewhere(unknown)
    if "result" in known and unknown in OPTIONS:
        asked = f"sm.evaluate(data, 'auc', {unknown}=...)"
        return f"; it takes a result, which has been asked of columns: {function}({asked}, 'auc >= 0.7')"
    if "state" in known and unknown in OPTIONS:
        return f"; the data are {held(name for name in given if name in OPTIONS and name not in known)}"
    if {*ROLES} & {*given}:  # of arrays
        meant = next((array for array, role in ROLES.items() if role == meant and array in known), meant)
    if meant in known:
        return f". Did you mean '{meant}'?"
    if "prediction" in known and "score" not in known and unknown in ("score", "threshold"):
        score, threshold = _plain(given.get("score"), "p"), _plain(given.get("threshold"), "0.5")
        return f'; it takes the class that a score decides: prediction=sm.sql("{score} >= {threshold}")'
    reason = macros("duckdb")["why_not_taken"](function, unknown)
    if reason or unknown == "gold":
        return f"; {reason or 'leave it out'}"
    if unknown in ("y_true", "y_pred", "y_score"):
        return (
            f"; here arrays are columns of the data: {{'{unknown}': ...}}, and the options name these columns"
        )
    near = did_you_mean(unknown, known)
    of, entries = ("curves", curves) if "kind" in known else ("metrics", catalog)
    notation = (
        None if near or not {"kind", "metrics"} & {*known} else _notation(unknown, given, entries().values())
    )
    if notation is None:
        return near and f".{near}"
    return f"; it is a parameter of {of}, which is written in their notation: '{notation}'"


def _plain(value: Any, otherwise: str) -> str:
    """A word or a number as it is written; nothing longer, such as an array."""
    return str(value) if isinstance(value, (str, int, float)) else otherwise


def _notation(parameter: str, given: Mapping[str, Any], entries: Iterable[Metric]) -> str | None:
    """The notation of a metric or a curve with a parameter: of one that the call asks for, if it names one."""
    asked, value = given.get("metrics", given.get("kind", ())), _plain(given[parameter], "...")
    parameter = {"n_bins": "bins"}.get(parameter, parameter)
    takes = [metric for metric in entries if parameter in metric.parameters]
    if not takes:
        return None
    metric = min(takes, key=lambda metric: metric.name not in ([asked] if isinstance(asked, str) else asked))
    if parameter == "k":
        return f"{metric.name}@{value}"
    return f"{metric.name}({parameter}={value}){'@10' if metric.needs_cutoff else ''}"
