"""The cost of `drift`: ten columns of two tables, beside the same measures by numpy and scipy.

    python benchmarks/drift.py [rows]

Each table has so many rows, with five columns of numbers (one of them with 50 values) and five of text. scipy gets
arrays, and for text the counts of values, which numpy makes. Seconds of the clock and of the processor, the best of
three; the loading of the data does not count.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.stats import chi2_contingency, ks_2samp, wasserstein_distance

import sqlmetrics as sm

NUMBERS = [f"x{i}" for i in range(5)]
TEXTS = [f"c{i}" for i in range(5)]


def best(run: Callable[[], Any], times: int = 3) -> tuple[float, float]:
    """The least seconds of the clock and of the processor."""
    took = []
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        took.append((time.perf_counter() - clock, time.process_time() - processor))
    return min(clock for clock, _ in took), min(processor for _, processor in took)


def table(connection: duckdb.DuckDBPyConnection, name: str, rows: int, seed: int) -> None:
    def drawn(column: int) -> str:
        return f"hash(i * 31 + {100 * seed + column})"

    numbers = ", ".join(f"{drawn(i)} / 1.8446744073709552e19 + {0.01 * seed * i} as x{i}" for i in range(4))
    texts = ", ".join(f"'v' || {drawn(10 + i)} % {n} as c{i}" for i, n in enumerate((3, 10, 40, 200, 5000)))
    connection.execute(
        f"create or replace table {name} as select {numbers}, {drawn(4)} % 50 as x4, {texts} from range({rows}) as r(i)"
    )


def by_scipy(now: dict[str, np.ndarray], then: dict[str, np.ndarray]) -> None:
    for name in NUMBERS:
        edges = np.quantile(then[name], np.arange(1, 10) / 10, method="inverted_cdf")
        counts = [np.bincount(np.searchsorted(edges, side[name]), minlength=10) for side in (now, then)]
        measured(*counts)
        ks_2samp(now[name], then[name], method="asymp")
        wasserstein_distance(now[name], then[name])
    for name in TEXTS:
        values, codes = np.unique(np.concatenate([now[name], then[name]]), return_inverse=True)
        parts = codes[: len(now[name])], codes[len(now[name]) :]
        measured(*(np.bincount(part, minlength=len(values)) for part in parts))


def measured(now: np.ndarray, then: np.ndarray) -> None:
    seen = now + then > 0
    jensenshannon(now / now.sum(), then / then.sum())
    chi2_contingency([now[seen], then[seen]], correction=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    with duckdb.connect() as connection:
        table(connection, "then_rows", rows, 1)
        table(connection, "now_rows", rows, 2)
        sql = sm.render_drift("now_rows", "then_rows", columns=[*NUMBERS, *TEXTS], numeric=NUMBERS)
        ours = best(lambda: connection.execute(sql).fetchall())
        now, then = (connection.execute(f"from {name}").fetchnumpy() for name in ("now_rows", "then_rows"))
        theirs = best(lambda: by_scipy(now, then), 1)
    for kind, mine, other in zip(("clock", "processor"), ours, theirs, strict=True):
        print(f"2 x {rows:,} rows, 10 columns, {kind}: drift {mine:.2f} s, numpy and scipy {other:.2f} s")


if __name__ == "__main__":
    main()
