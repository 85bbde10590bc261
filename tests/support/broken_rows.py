"""A table with one broken value, and the calls that are to refuse it, by every entry point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

import sqlmetrics as sm
from support.errors import told

N = 400
#: The place of the broken value, in the second of two row groups.
PLACE = 250


def rows(**broken: Any) -> pa.Table:
    """Rows of lists that are in order but for one value of each column that is named."""
    columns: dict[str, list[Any]] = {
        "user": [row // 10 for row in range(N)], "item": [row % 10 for row in range(N)],
        "day": [row // 200 for row in range(N)], "y": [float(row % 3 == 0) for row in range(N)],
        "s": [(row * 37 % 101) / 101 for row in range(N)], "t": [(row * 17 % 103) / 103 for row in range(N)],
        "w": [1.0 + row % 4 for row in range(N)], "c": [float(row % 4) for row in range(N)],
    }  # fmt: skip
    for name, value in broken.items():
        columns[name][PLACE] = value
    return pa.table(columns)


PREDICTED = {"label": "y", "score": "s"}
LISTED = {**PREDICTED, "group": "user"}
CLASSES = {"label": "c", "prediction": "y"}
#: Entry points: name -> call on data.
CALLS: dict[str, Callable[[Any], Any]] = {
    "auc": lambda data: sm.evaluate(data, "auc", **PREDICTED),
    "auc of weights": lambda data: sm.evaluate(data, "auc", **PREDICTED, weight="w"),
    "by slice": lambda data: sm.evaluate(data, ["mae", "auc(bins=10)"], **PREDICTED, weight="w", by="day"),
    "lists": lambda data: sm.evaluate(data, ["ndcg@5", "gauc"], **LISTED, weight="w", by="day"),
    "per_group": lambda data: sm.per_group(data, "ndcg@5", **LISTED),
    "curve": lambda data: sm.curve(data, "roc", **PREDICTED),
    "calibration": lambda data: sm.curve(data, "calibration", **PREDICTED),
    "state": lambda data: sm.state(data, ["auc", "ndcg@5"], **LISTED, period="day"),
    "interval": lambda data: sm.evaluate(data, "mae", **PREDICTED, interval=0.95),
    "bootstrap": lambda data: sm.evaluate(
        data, "auc", **PREDICTED, interval=0.95, interval_method="bootstrap", n_resamples=20
    ),
    "models": lambda data: sm.evaluate(data, "auc", label="y", score={"a": "s", "b": "t"}),
    "compare": lambda data: sm.compare(data, "auc", label="y", baseline="s", candidate="t"),
    "compare lists": lambda data: sm.compare(
        data, "ndcg@5", label="y", baseline="t", candidate="s", group="user"
    ),
    "truth": lambda data: sm.evaluate(data, "ndcg@5", **LISTED, item="item", truth=data),
    "classes": lambda data: sm.evaluate(data, "accuracy", **CLASSES, weight="w"),
    "confusion_matrix": lambda data: sm.confusion_matrix(data, **CLASSES),
    "class_report": lambda data: sm.class_report(data, **CLASSES),
    "find_slices": lambda data: sm.find_slices(data, "mae", **PREDICTED, by="day"),
    "explain_change": lambda data: sm.explain_change(
        data, "mae", **PREDICTED, by="c", period="day", before=0, after=1
    ),
    "class_scores": lambda data: sm.evaluate(
        data, "multiclass_brier", label="y", class_scores={0.0: "s", 1.0: "t"}
    ),
    "columns": lambda data: sm.evaluate(data, "coverage(lower=s, upper=t)", label="y"),
    "mcnemar": lambda data: sm.mcnemar(data, label="c", baseline="y", candidate="y"),
}
LABELLED = {name for name in CALLS if name not in ("classes", "confusion_matrix", "class_report", "mcnemar")}
#: What a call reads: column -> the calls that are to refuse it.
READ = {
    "s": LABELLED, "y": set(CALLS), "c": set(CALLS) - LABELLED,
    "w": {"auc of weights", "by slice", "lists", "classes"},
    "t": {"models", "compare", "compare lists", "class_scores", "columns"},
}  # fmt: skip


def refused(data: Any, column: str) -> None:
    """Each call that reads the column says that a value of it is broken."""
    for name in sorted(READ[column]):
        message = told(CALLS[name], data)
        assert "have a NULL" in message or "without a usable" in message, (name, message)
