"""Metrics of many classes: the time by the number of classes and rows, which grows with the number of scores.

    python benchmarks/classes.py [ROWS ...]

The scores are a column for each class, and the same as one column of arrays. A median of three calls in DuckDB.
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np
import pyarrow as pa

import sqlmetrics as sm

METRICS = ["multiclass_log_loss", "multiclass_brier", "top_k_accuracy@5", "multiclass_auc(method=ovr)",
           "multiclass_auc(method=ovo)"]  # fmt: skip


def seconds(table: pa.Table, metric: str, class_scores: object) -> float:
    """The median time of three calls."""
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        sm.evaluate(table, metric, label="y", class_scores=class_scores)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def main() -> None:
    """Prints a line for each number of rows, number of classes and metric."""
    draw = np.random.default_rng(0)
    print(f"{'rows':>6} {'classes':>7}  {'metric':<28} {'columns':>8} {'array':>8}")
    for rows in [int(text) for text in sys.argv[1:]] or [20, 2000]:
        for classes in (250, 500, 1000):
            scores = draw.dirichlet(np.ones(classes), rows)
            labels = np.arange(rows) % classes
            names = {c: f"c{c}" for c in range(classes)}
            wide = pa.table({"y": labels, **{name: scores[:, c] for c, name in names.items()}})
            array = pa.table({"y": labels, "p": list(scores)})
            for metric in METRICS:
                took = seconds(wide, metric, names), seconds(array, metric, "p")
                print(f"{rows:>6} {classes:>7}  {metric:<28} {took[0]:>6.2f} s {took[1]:>6.2f} s", flush=True)


if __name__ == "__main__":
    main()
