"""How often the interval of a difference of shares lies within a margin that the true difference reaches.

Two models are right or wrong on n rows. Each pair of numbers of rows that only one model has right is a slice of one
statement, and its chance follows from the shares, so that nothing is drawn. An interval of the level 1 - 2 a should lie
within the margin in a share a of data at most. The largest share over margins of 0.02 to 0.5 and shares of rows that
only the worse model has right of up to 0.2 is printed. It makes the table of docs/coverage.md.

    python benchmarks/margins.py --write
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.stats import multinomial

import sqlmetrics as sm
from simulation import arguments, write_made

LEVELS = (0.9, 0.95, 0.98, 0.99)
SIZES = {f"{n} rows": n for n in (10, 30, 100)}
MARGINS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
WORSE = (0.0, 0.02, 0.05, 0.1, 0.2)


def ends(n: int, level: float) -> tuple[Any, Any]:
    """The pairs of numbers of rows, and both ends of the interval of each."""
    # beyond 80 rows of a hundred a difference is above every margin
    pairs = np.array([(b, c) for b in range(n + 1) for c in range(n + 1 - b) if b + c <= max(30, 0.8 * n)])
    slices, row = np.repeat(np.arange(len(pairs)), n), np.tile(np.arange(n), len(pairs))
    b, c = pairs[slices].T
    table = pa.table(
        {
            "pair": slices,
            "y": np.ones(len(row), int),
            "candidate": (row < b) | (row >= b + c),
            "baseline": row >= b,
        }
    )
    asked = {"label": "y", "baseline": "baseline", "candidate": "candidate", "by": "pair", "total": False}
    found = sm.compare(table, "accuracy", interval=level, **asked)
    return pairs, np.array([found["low"], found["high"]], float)


def main() -> int:
    options = arguments(__doc__, SIZES, "none: chances are added up", write=True)
    made = [
        "| rows | " + " | ".join(f"{50 * (1 - level):.1f} %" for level in LEVELS) + " |",
        "|--:|" + "--:|" * len(LEVELS),
    ]
    for name in options.names or SIZES:
        n, largest = SIZES[name], []
        for level in LEVELS:
            pairs, (low, high) = ends(n, level)
            rest = n - pairs.sum(1)
            shares = []
            for margin in MARGINS:
                within = (low > -margin) & (high < margin)
                for worse in WORSE:
                    both = [worse + margin, worse, 1 - 2 * worse - margin]
                    chances = multinomial.pmf(np.column_stack([pairs, rest]), n, both)
                    shares.append(chances[within].sum() if both[2] >= 0 else 0.0)
            largest.append(f"{100 * max(shares):.1f}")
        made.append(f"| {n} | " + " | ".join(largest) + " |")
        print(made[-1], flush=True)
    if options.write:
        write_made(__file__, "\n".join(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
