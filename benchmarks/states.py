"""What a month from the states of its days costs, beside reading it again; how large states are, and with moments.

The times of one line are taken in turns in this one run; every list lies in one of the thirty days.
"""

import argparse
import shutil
from pathlib import Path

import duckdb
import pyarrow.parquet

import sqlmetrics as sm
from make_data import FOLDER, add_options, make
from run import DEMO_METRICS, medians

DAYS = 30
FACTS = {"label": "label", "score": "score", "group": "list", "positive": 1, "max_grade": 4}
BINNED = ["auc(bins=1000)", *DEMO_METRICS[1:]]


def by_day(file: Path) -> Path:
    """The same rows in a folder with a file for each day."""
    folder = file.with_suffix(".days")
    if not folder.exists():
        rows = f"select *, list % {DAYS} as day from '{file}'"
        copied = folder.with_suffix(".unfinished")
        shutil.rmtree(copied, ignore_errors=True)
        duckdb.execute(
            f"copy ({rows}) to '{copied}' (format parquet, partition_by (day), write_partition_columns)"
        )
        copied.rename(folder)
    return folder


def measure(what: str, folder: Path, metrics: list[str], connection: duckdb.DuckDBPyConnection) -> None:
    """Prints the times of one kind of scores and metrics, and what the state weighs."""
    states = FOLDER / "states"
    shutil.rmtree(states, ignore_errors=True)
    states.mkdir()

    def state_of(day: int) -> sm.State:
        files = str(folder / f"day={day}" / "*.parquet")
        return sm.state(files, metrics, period="day", by="country", **FACTS, connection=connection)

    for day in range(DAYS):
        state_of(day).write(states / f"{day}.parquet")
    size = sum(file.stat().st_size for file in states.iterdir())
    rows = sum(pyarrow.parquet.ParquetFile(file).metadata.num_rows for file in states.iterdir())
    finished, direct = [], []
    took = medians(
        {
            "state": lambda: state_of(0),
            "finish": lambda: finished.append(
                sm.finish(str(states / "*.parquet"), metrics, by="country", connection=connection)
            ),
            "month": lambda: direct.append(
                sm.evaluate(
                    str(folder / "*" / "*.parquet"), metrics, by="country", **FACTS, connection=connection
                )
            ),
        },
        repeats=3,
    )
    names = [sm.templates.macros("duckdb")["column_name"](metric) for metric in metrics]
    apart = max(
        abs(one[name] - other[name]) / abs(other[name])
        for one, other in zip(finished[0].to_dicts(), direct[0].to_dicts(), strict=True)
        for name in names
    )
    print(
        f"{what:<36}{took['state']:>9.2f} s{took['finish']:>9.2f} s{took['month']:>9.2f} s"
        f"{took['month'] / took['finish']:>9.1f} x{rows:>12,}{size / 1e6:>9.1f} MB{apart:>10.0e}"
    )


def measure_moments(
    what: str, folder: Path, metrics: list[str], connection: duckdb.DuckDBPyConnection
) -> None:
    """Prints the times and sizes of the state of a day without and with what intervals need."""
    facts = {name: column for name, column in FACTS.items() if name != "group" or what == "lists"}
    files = str(folder / "day=0" / "*.parquet")

    def state_of(intervals: bool) -> sm.State:
        return sm.state(
            files,
            metrics,
            period="day",
            by="country",
            **facts,
            intervals=intervals,
            connection=connection,
        )

    took = medians({"sums": lambda: state_of(False), "moments": lambda: state_of(True)}, repeats=3)
    sums, moments = (state_of(intervals).to_arrow() for intervals in (False, True))
    print(
        f"intervals, {what:<25}{took['sums']:>9.2f} s{took['moments']:>9.2f} s"
        f"{took['moments'] / took['sums']:>9.2f} x{sums.num_columns:>5} -> {moments.num_columns} columns"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=20_000_000)
    options = parser.parse_args()
    sizes = {"rows": options.rows, "lists": options.lists, "slices": options.slices}
    distinct, levels = by_day(make(**sizes)), by_day(make(**sizes, levels=1_000))
    print(
        f"{len(DEMO_METRICS)} metrics by country and in total, {options.rows:,} rows, {DAYS} days, median of 3\n"
    )
    print(
        f"{'':<36}{'state/day':>11}{'finish':>11}{'month':>11}{'month/':>11}{'rows of':>12}{'size':>12}{'differ':>10}"
    )
    print(f"{'':<36}{'':>11}{'':>11}{'':>11}{'finish':>11}{'state':>12}")
    with duckdb.connect(config={"threads": 2, "memory_limit": "8GB"}) as connection:
        measure("1,000 distinct scores", levels, DEMO_METRICS, connection)
        measure("all scores distinct, auc(bins=1000)", distinct, BINNED, connection)
        measure("all scores distinct", distinct, DEMO_METRICS, connection)
        print(f"\n{'a state of a day':<36}{'sums':>11}{'moments':>11}")
        measure_moments("lists", distinct, ["ndcg@10", "map@10", "mrr", "gauc"], connection)
        measure_moments("rows", distinct, ["log_loss", "brier", "accuracy"], connection)


if __name__ == "__main__":
    main()
