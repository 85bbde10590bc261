"""How often the intervals of `explain_change` contain the true parts, in percent.

    python benchmarks/change_coverage.py [draws]

Rows of two periods are drawn in four slices, whose shares (from 5 % to 50 %) and values change: a share of positive
rows, or an exponential loss. The true parts follow from the shares and values that were drawn from.
"""

import argparse
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import sqlmetrics as sm

SHARES = np.array([[0.5, 0.3, 0.15, 0.05], [0.3, 0.35, 0.25, 0.1]])
VALUES = np.array([[0.3, 0.4, 0.6, 0.5], [0.35, 0.38, 0.6, 0.7]])
METRICS = {"share of positive rows": "base_rate", "exponential loss": "mae"}


def true_parts() -> dict[str, Any]:
    """The parts of each slice."""
    (first, second), (before, after) = SHARES, VALUES
    whole = (first @ before + second @ after) / 2
    mix = (second - first) * ((before + after) / 2 - whole)
    rate = (first + second) / 2 * (after - before)
    return {"mix": mix, "rate": rate, "effect": mix + rate}


def coverage(draw: np.random.Generator, kind: str, rows: int, draws: int) -> str:
    """The percentages, for single slices and for all."""
    facts = {"label": "y", "score": "p", "period": "day", "before": 1, "after": 2}
    sql, parts = sm.render_explain_change("t", METRICS[kind], by="c", **facts), true_parts()
    inside: dict[tuple[bool, str], list[bool]] = {}
    with duckdb.connect() as connection:
        for _ in range(draws):
            c = np.concatenate([draw.choice(4, rows, p=share) for share in SHARES])
            mean = VALUES[np.repeat([0, 1], rows), c]
            y = draw.random(2 * rows) < mean if METRICS[kind] == "base_rate" else draw.exponential(mean)
            columns = {"c": c, "day": np.repeat([1, 2], rows), "y": y.astype(float), "p": np.zeros(2 * rows)}
            connection.register("t", pa.table(columns))
            for row in connection.sql(sql).to_arrow_table().to_pylist():
                for part, of_slices in parts.items():
                    ends = ("low", "high") if part == "effect" else (f"{part}_low", f"{part}_high")
                    low, high = (row[end] for end in ends)
                    true = of_slices.sum() if row["is_total"] else of_slices[row["c"]]
                    inside.setdefault((bool(row["is_total"]), part), []).append(low <= true <= high)
    found = [f"{'all' if of[0] else 'slice'} {of[1]} {np.mean(hit):.1%}" for of, hit in inside.items()]
    return f"{kind}, {rows:,} rows a period: {', '.join(found)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("draws", nargs="?", type=int, default=300)
    draws = parser.parse_args().draws
    draw = np.random.default_rng(7)
    for kind, rows in (
        ("share of positive rows", 200),
        ("exponential loss", 200),
        ("share of positive rows", 2000),
    ):
        print(coverage(draw, kind, rows, draws), flush=True)


if __name__ == "__main__":
    main()
