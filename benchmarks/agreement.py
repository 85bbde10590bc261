"""Coverage of intervals of agreement, which vary over items. It makes the table of docs/coverage.md.

Each of 2,000 draws is a slice of one statement: items that several raters put into one of a few values, with a share
of ratings missing. The truth is the value of 200,000 items drawn in the same way.

    python benchmarks/agreement.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import sqlmetrics as sm

DRAWS, MANY = 2000, 200_000
MEASURES = {
    "krippendorff": "alpha, nominal",
    "krippendorff(level=ordinal)": "alpha, ordinal",
    "krippendorff(level=interval)": "alpha, interval",
    "fleiss": "Fleiss",
    "gwet": "AC1",
    "gwet(weights=quadratic)": "AC2, quadratic",
    "cohen": "mean of Cohen",
    "percent": "percent",
}
#: the raters, how often they say the truth, the share of ratings that are missing, and the chances of the values
DATA: dict[str, tuple[int, float, float, list[float]]] = {
    "3 raters, even values": (3, 0.7, 0.0, [0.25, 0.25, 0.25, 0.25]),
    "5 raters, 40 % missing, uneven": (5, 0.8, 0.4, [0.6, 0.2, 0.15, 0.05]),
    "3 raters, one value in 90 %": (3, 0.9, 0.2, [0.9, 0.1]),
}


def drawn(rng: Any, draws: int, items: int, data: tuple[int, float, float, list[float]]) -> pa.Table:
    """Ratings of items: the true value or one at random, some of them missing."""
    raters, right, missing, chances = data
    shape = (draws, items, raters)
    truth = rng.choice(len(chances), size=(draws, items, 1), p=chances)
    others = rng.choice(len(chances), size=shape, p=chances)
    value = np.where(rng.random(shape) < right, truth, others)
    kept = rng.random(shape) >= missing
    draw, item, rater = (axis[kept] for axis in np.indices(shape))
    return pa.table({"draw": draw, "item": draw * items + item, "rater": rater, "value": value[kept]})


def agreed(table: pa.Table, **by: Any) -> list[dict[str, Any]]:
    rows = sm.agreement(table, [*MEASURES], item="item", rater="rater", value="value", **by).to_dicts()
    return [row for row in rows if row["rater_a"] is None]


def main() -> None:
    print("| data | items |", " | ".join(MEASURES.values()), "|")
    print("|" + "---|" * (len(MEASURES) + 2))
    for name, data in DATA.items():
        truths = {
            row["measure"]: row["value"] for row in agreed(drawn(np.random.default_rng(0), 1, MANY, data))
        }
        for items in (20, 50, 200):
            rows = agreed(drawn(np.random.default_rng(items), DRAWS, items, data), by="draw", total=False)
            cells = []
            for measure, truth in truths.items():
                of = [row for row in rows if row["measure"] == measure and row["low"] is not None]
                held = sum(row["low"] <= truth <= row["high"] for row in of) / len(of)
                left = f" ({DRAWS - len(of)})" if len(of) < DRAWS else ""
                cells.append(f"{100 * held:.1f} %{left}")
            print(f"| {name} | {items} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
