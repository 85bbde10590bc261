"""The message about an unknown keyword argument: the argument that was meant, or where the value is written instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from sqlmetrics.errors import did_you_mean

if TYPE_CHECKING:
    from sqlmetrics.book.catalog import Metric


#: what other libraries call an argument
SAID = {
    **dict.fromkeys(("ci", "confidence", "confidence_level", "conf_level"), "interval"),
    **dict.fromkeys(("n_bootstrap", "n_bootstraps", "n_boot", "n_samples"), "n_resamples"),
    **dict.fromkeys(("slices", "groupby", "group_by", "segments", "facet"), "by"),
    **dict.fromkeys(("pairwise", "all_pairs"), "pairs"),
    **dict.fromkeys(("y", "target", "labels"), "label"),
    **dict.fromkeys(("scores", "probability", "y_prob", "y_proba"), "score"),
    **dict.fromkeys(("qid", "query_id", "groups"), "group"),
    "qrels": "truth",
    "pos_label": "positive",
    "sample_weight": "weight",
    "reference_model": "baseline",
}


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
    >>> instead("y_prob", {"y_true": [1, 0], "y_prob": [0.9, 0.2]}, ["data", "y_true", "y_score", "score"])
    ". Did you mean 'y_score'?"
    """
    from sqlmetrics.book.catalog import catalog, curves
    from sqlmetrics.given.arrays import ROLES

    known, meant = list(known), SAID.get(unknown)
    if {*ROLES} & {*given}:  # of arrays
        meant = next((array for array, role in ROLES.items() if role == meant and array in known), meant)
    if meant in known:
        return f". Did you mean '{meant}'?"
    if "prediction" in known and "score" not in known and unknown in ("score", "threshold"):
        score, threshold = _plain(given.get("score"), "p"), _plain(given.get("threshold"), "0.5")
        return f'; it takes the class that a score decides: prediction=sm.sql("{score} >= {threshold}")'
    if unknown == "gold" and "min_units" in known:
        return (
            "; a search halves the labels by people, and few cannot confirm a slice that it found; name the slices in"
            " evaluate(by=..., gold=...)"
        )
    if unknown == "gold" and "intervals" in known:
        return (
            "; a state keeps sums of one label, and a correction needs products of what people and the machine say of"
            " each row; pass the rows to evaluate(gold=...)"
        )
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
        return f".{near}"
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
