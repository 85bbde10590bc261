"""The cost of `explain_change` beside that of `evaluate(by=)` over the same rows.

    python benchmarks/change.py [rows]

Both compute the log loss by 400 slices of two text columns and two days, on one connection of DuckDB, from a table and,
for `explain_change`, also from a state of the two days. The best of three is taken, in seconds of the clock and of the
processor.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import duckdb

import sqlmetrics as sm

FACTS: dict[str, Any] = {"label": "y", "score": "p"}
BY = ["country", "device"]
PERIODS: dict[str, Any] = {"period": "day", "before": 1, "after": 2}


def best(run: Callable[[], Any], times: int = 3) -> str:
    """The least seconds of the clock and of the processor."""
    took = []
    for _ in range(times):
        clock, processor = time.perf_counter(), time.process_time()
        run()
        took.append((time.perf_counter() - clock, time.process_time() - processor))
    return f"{min(clock for clock, _ in took):.2f} s, processor {min(spent for _, spent in took):.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="?", type=int, default=2_000_000)
    rows = parser.parse_args().rows
    with duckdb.connect() as connection:
        connection.execute(f"""create table t as
            select 'v' || hash(3 * i) % 40 as country, 'v' || hash(5 * i + 1) % 10 as device, 1 + i % 2 as day,
                (hash(7 * i + 2) % 1000 < 300)::int as y, 0.01 + hash(i) % 1000003 / 1020408.2 as p
            from range({rows}) as r(i)""")
        connection.execute(
            f"create table s as {sm.render_state('t', 'log_loss', period='day', by=BY, **FACTS)}"
        )
        statements = {
            "evaluate(by=)": sm.render("t", "log_loss", by=[*BY, "day"], **FACTS),
            "evaluate(by=, interval=0.95)": sm.render(
                "t", "log_loss", by=[*BY, "day"], interval=0.95, **FACTS
            ),
            "explain_change": sm.render_explain_change("t", "log_loss", by=BY, **PERIODS, **FACTS),
            "explain_change of a state": sm.render_explain_change(
                "s", "log_loss", by=BY, of_state=True, **PERIODS, **FACTS
            ),
        }
        for name, sql in statements.items():
            taken = best(lambda sql=sql: connection.execute(sql).fetchall())  # type: ignore[misc]
            print(f"{rows:,} rows, {name}: {taken}")


if __name__ == "__main__":
    main()
