"""Both plans of lists on one engine: rows that are ranked first, and grades that are counted (docs/decisions).

    python benchmarks/plans_of_lists.py duckdb --rows 4000000
    python benchmarks/plans_of_lists.py postgres --rows 200000

The plan is chosen by the primitive `sql_sorts_cheaply`, which is set here to either answer. Both statements run in
turns on the same table; the figure is the ratio of the medians. Engines are started as the tests start them.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from sqlmetrics.templates import macros
from support.engines import open_engine

METRICS = [
    "ndcg@1",
    "ndcg@5",
    "ndcg@10",
    "ndcg@20",
    "map@10",
    "mrr",
    "precision@10",
    "recall@10",
    "hit_rate@10",
]
CALLS = {
    "nine metrics": {"metrics": METRICS},
    "nine metrics by country": {"metrics": METRICS, "by": "country"},
    "ndcg@10": {"metrics": ["ndcg@10"]},
    "ndcg@10 by country": {"metrics": ["ndcg@10"], "by": "country"},
}
FACTS = {
    "label": "label",
    "score": "score",
    "group": "list",
    "item": "item",
    "positive": 1,
    "relation": "predictions",
}


def rows_of(n: int) -> list[dict]:
    """Lists of about 40 items, whose scores follow their labels."""
    state, rows = 12345, []
    for item in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        draw = (state >> 11) / 2**53
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        label = 0 if draw < 0.8 else 1 if draw < 0.89 else 2 if draw < 0.95 else 3
        number = state % (n // 40)
        score = (state >> 11) / 2**53 + 0.2 * label
        rows.append(
            {"list": number, "item": item, "country": f"c{number % 20:02d}", "label": label, "score": score}
        )
    return rows


def statements(dialect: str, call: dict) -> dict[str, str]:
    """The statement of each plan."""
    known, found = macros(dialect), {}
    for plan, cheap in (("counted", False), ("ranked first", True)):
        _ = known.sql_sorts_cheaply  # loads the file of the macro
        vars(known)["sql_sorts_cheaply"] = lambda cheap=cheap: cheap
        found[plan] = str(known["evaluate"](**FACTS, **call))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("engine")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    table = {"predictions": rows_of(options.rows)}
    with open_engine(options.engine) as engine:
        started = time.perf_counter()
        engine.query("select 1 as one from predictions where 1 = 0", table)
        idle = time.perf_counter() - started
        for name, call in CALLS.items():
            seconds: dict[str, list[float]] = {}
            for _ in range(options.runs):
                for plan, statement in statements(engine.dialect, call).items():
                    started = time.perf_counter()
                    engine.query(statement, table)
                    seconds.setdefault(plan, []).append(time.perf_counter() - started - idle)
            medians = {plan: statistics.median(times) for plan, times in seconds.items()}
            ratio = medians["counted"] / medians["ranked first"]
            shown = ", ".join(f"{plan} {median:.2f} s" for plan, median in medians.items())
            print(
                f"{options.engine}, {options.rows:,} rows, {name}: {shown}; counted / ranked first {ratio:.2f}"
            )


if __name__ == "__main__":
    main()
