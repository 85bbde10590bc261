"""Coverage of intervals of metrics by a judge that people correct (`gold=`). It makes the table of docs/coverage.md.

Each of 2,000 draws is a slice of one statement: 1,000 rows that a judge labelled, of which people labelled some at
random. The truth is the mean of people's values over many draws of all rows. `width` is the mean width beside that of
people alone, whose interval is that of `evaluate` on their rows.

    python benchmarks/gold.py
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

import sqlmetrics as sm

DRAWS, LIST = 2000, 10
LISTS = ["ndcg@10", "gauc"]
ROWS = ["accuracy", "log_loss", "f1", "auc"]


def drawn(rng: Any, draws: int, units: int, size: int, right: float) -> dict[str, Any]:
    """Rows of units of some size, with labels of people and of a judge, who is right with some probability.

    The judge is useless where it is right half the time. Rows of a unit have their difficulty in common.
    """
    shape = (draws, units, size)
    level = rng.normal(size=(draws, units, 1)) * (size > 1)
    ability = rng.normal(size=shape)
    people = rng.random(shape) < 1 / (1 + np.exp(-(0.5 + level + ability)))
    judge = np.where(rng.random(shape) < right, people, ~people)
    score = 1 / (1 + np.exp(-(0.3 + 0.7 * level + 0.8 * ability)))
    names = np.broadcast_to(np.arange(draws)[:, None, None], shape)
    group = np.broadcast_to(np.arange(draws * units).reshape(draws, units, 1), shape)
    return {"draw": names, "unit": group, "people": people, "judge": judge, "score": score}


def cases() -> Iterator[tuple[str, list[str], int, int, int, float]]:
    """The name of a case, its metrics, its units, their rows, those of people, and how often the judge is right."""
    for n in (20, 50, 200):
        yield f"rows, {n} by people", ROWS, 1000, 1, n, 0.85
    yield "rows, 100 by people, a useless judge", ROWS, 1000, 1, 100, 0.5
    yield "rows, 100 by people, a judge who is right", ROWS, 1000, 1, 100, 0.99
    for n in (20, 60):
        yield f"lists of {LIST}, {n} by people", LISTS, 200, LIST, n, 0.85
    yield f"groups of {LIST}, 30 by people", ["accuracy", "log_loss"], 200, LIST, 30, 0.85


def main() -> None:
    """Prints the table."""
    rng = np.random.default_rng(7)
    print("| case | metric | covered | width beside people alone | people alone cover | judge alone covers |")
    print("|---|---|---|---|---|---|")
    for name, metrics, units, size, n, right in cases():
        group = {"group": "unit"} if size > 1 else {}
        whole = drawn(rng, 20, 50_000 // size, size, right)
        data = pa.table({column: value.ravel() for column, value in whole.items()})
        truth = sm.evaluate(data, metrics, label="people", score="score", **group)
        rows = drawn(rng, DRAWS, units, size, right)
        by_people = np.arange(units)[None, :, None] < n
        table = pa.table({column: value.ravel() for column, value in rows.items()})
        gold = pa.array(
            rows["people"].ravel(), mask=~np.broadcast_to(by_people, rows["people"].shape).ravel()
        )
        given: dict[str, Any] = {"score": "score", "by": "draw", "total": False, "interval": 0.95, **group}
        table = table.append_column("gold", gold)
        found = sm.evaluate(table, metrics, label="judge", gold="gold", **given).to_dicts()
        alone = sm.evaluate(table, metrics, label="gold", where="gold is not null", **given).to_dicts()
        judge = sm.evaluate(table, metrics, label="judge", **given).to_dicts()
        for metric in metrics:
            column, value = metric.replace("@", "_"), truth.value(metric)
            ends = [ends_of(column, rows) for rows in (found, alone, judge)]
            covered = [f"{np.mean((low <= value) & (value <= high)):.1%}" for low, high in ends]
            width = np.mean(ends[0][1] - ends[0][0]) / np.mean(ends[1][1] - ends[1][0])
            print(
                f"| {name} | `{metric}` | {covered[0]} | {width:.2f} | {covered[1]} | {covered[2]} |",
                flush=True,
            )


def ends_of(column: str, rows: list[dict[str, Any]]) -> tuple[Any, Any]:
    """The ends of the intervals that there are."""
    there = [row for row in rows if row[f"{column}_low"] is not None]
    return tuple(np.array([row[f"{column}_{end}"] for row in there]) for end in ("low", "high"))  # type: ignore[return-value]


if __name__ == "__main__":
    main()
