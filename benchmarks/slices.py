"""The speed of `find_slices`: all slices of up to two of eight columns, beside one `group by` and beside sliceline.

    python benchmarks/slices.py [rows] [--times 3] [--sliceline rows] [--file new.duckdb]

The search compares two models by log loss. The yardstick is a plain `group by` of one pair of columns that computes the
same differences of log loss over the same rows. Both run by turns on one connection of DuckDB; the median of seconds is
taken, of the clock and of the processor. With --file the table lies in a database file, which DuckDB compresses.

Beside them runs what DuckDB alone takes for the least that such a search needs: the frequency of the values of each
column, their codes by joins, stored beside a half and both losses, and one `group by` of three codes for each block
of columns, so that all pairs lie in some block. The half is any hash, and nothing is tested.

sliceline (pip install sliceline) takes the errors of one model as an array, so it gets fewer rows, and the search is
measured again on these, by the mean of the same errors.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np

import sqlmetrics as sm

VALUES = (3, 5, 8, 12, 20, 6, 40, 10)
BY = [f"c{i}" for i in range(len(VALUES))]
LOSS = "(case when y = 1 then -ln(greatest({0}, 1e-15)) else -ln(1 - least({0}, 1 - 1e-15)) end)"
BLOCKS = ("012", "034", "056", "017", "135", "146", "236", "245", "237", "457", "67")
PLAIN = f"select c3, c4, count(*), avg({LOSS.format('q')} - {LOSS.format('p')}) from t group by c3, c4"


def medians(runs: dict[str, Callable[[], Any]], times: int) -> dict[str, tuple[float, float]]:
    """The median seconds of the clock and of the processor of each, run by turns."""
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for _ in range(times):
        for name, run in runs.items():
            clock, processor = time.perf_counter(), time.process_time()
            run()
            took[name].append((time.perf_counter() - clock, time.process_time() - processor))
    return {
        name: (statistics.median(clock for clock, _ in of), statistics.median(cpu for _, cpu in of))
        for name, of in took.items()
    }


def table(connection: duckdb.DuckDBPyConnection, rows: int) -> None:
    """Rows of two models, the second a little worse for one value of two columns each."""
    columns = ", ".join(f"'v' || hash(31 * i + {k}) % {n} as c{k}" for k, n in enumerate(VALUES))
    connection.execute(f"""create or replace table t as
        select *, case when c0 = 'v0' and c1 = 'v1' then 0.5 * p + 0.25 else p end as q from (
            select {columns}, (hash(7 * i + 100) % 1000 < 300)::int as y, 0.01 + hash(i) % 1000003 / 1020408.2 as p
            from range({rows}) as r(i))""")


def search(connection: duckdb.DuckDBPyConnection, metric: str, **models: str) -> Callable[[], Any]:
    sql = sm.render_find_slices("t", metric, by=BY, label="y", **models)
    return lambda: connection.execute(sql).fetchall()


def least(connection: duckdb.DuckDBPyConnection) -> dict[str, Callable[[], Any]]:
    """What the search needs at least, in three steps; each reads what the one before it left."""
    values = " union all ".join(
        f"select {k} as k, v, (row_number() over (order by n desc, v))::tinyint as code"
        f" from (select c{k} as v, count(*) as n from t group by c{k})"
        for k in range(len(VALUES))
    )
    codes = ", ".join(f"coalesce(k{k}.code, 51::tinyint) as c{k}" for k in range(len(VALUES)))
    joins = " ".join(
        f"left join (select v, code from kept where k = {k}) as k{k} on t.c{k} = k{k}.v"
        for k in range(len(VALUES))
    )
    p, q = LOSS.format("p"), LOSS.format("q")
    units = f"select {codes}, (hash(p) % 2)::tinyint as half, {p} as n, {q} - {p} as d from t {joins}"
    blocks = [", ".join(f"c{k}" for k in block) for block in BLOCKS]
    cells = " union all ".join(
        f"select count(*) as n, sum(n), sum(d), sum(d * d) from units group by half, {block}"
        for block in blocks
    )
    return {
        "values": lambda: connection.execute(f"create or replace temp table kept as {values}"),
        "codes": lambda: connection.execute(f"create or replace temp table units as {units}"),
        "cells": lambda: connection.execute(cells).fetchall(),
    }


def beside_sliceline(connection: duckdb.DuckDBPyConnection, rows: int) -> None:
    from sliceline.slicefinder import Slicefinder

    table(connection, rows)
    features = np.column_stack(
        [connection.execute(f"select {name} from t").fetchnumpy()[name] for name in BY]
    )
    errors = connection.execute("select (y - p) * (y - p) as e from t").fetchnumpy()["e"]
    finder = Slicefinder(alpha=0.95, k=20, max_l=2, min_sup=200, verbose=False)
    took = medians(
        {
            "sliceline": lambda: finder.fit(features, errors),
            "find_slices": search(connection, "brier", score="p"),
        },
        1,
    )
    for place, kind in enumerate(("clock", "processor")):
        theirs, ours = took["sliceline"][place], took["find_slices"][place]
        print(
            f"{rows:,} rows, one model, {kind}: find_slices {ours:.2f} s, sliceline {theirs:.2f} s,"
            f" {theirs / ours:.0f} times"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--sliceline", type=int, default=0, metavar="ROWS", help="0 leaves it out")
    parser.add_argument("--file", default=":memory:", help="a new database file for the table")
    options = parser.parse_args()
    with duckdb.connect(options.file) as connection:
        table(connection, options.rows)
        if options.file != ":memory:":
            connection.execute("checkpoint")
        runs = {
            "group by": lambda: connection.execute(PLAIN).fetchall(),
            "find_slices": search(connection, "log_loss", baseline="p", candidate="q"),
            **least(connection),
        }
        took = medians(runs, options.times)
        for place, kind in enumerate(("clock", "processor")):
            one = took["group by"][place]
            times = ", ".join(
                f"{name} {of[place]:.2f} s ({of[place] / one:.1f})" for name, of in took.items()
            )
            floor = sum(took[name][place] for name in ("values", "codes", "cells")) / one
            print(f"{options.rows:,} rows, {kind}: {times}; the least {floor:.1f} times the group by")
        if options.sliceline:
            beside_sliceline(connection, options.sliceline)


if __name__ == "__main__":
    main()
