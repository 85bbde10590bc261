"""What a state costs that keeps the pairs of its models: size and CPU time beside a state of sums, and of finishing.

The times of one line are taken in turns in this one run. They are CPU seconds of all threads, so a busy machine hardly
changes them. Every list lies in one of the thirty days.
"""

import argparse
import statistics
import time
from pathlib import Path

import duckdb

import sqlmetrics as sm
from make_data import FOLDER, add_options, make
from run import Task

DAYS = 30
MODELS = (2, 5, 10)
KINDS = {
    "rows": (["log_loss", "brier", "accuracy"], {"label": "clicked"}),
    "lists": (["ndcg@10", "mrr"], {"label": "label", "group": "list", "positive": 1}),
}


def of_models(file: Path) -> Path:
    """The same rows with a day, and a column of scores for each model, which differ by noise from the first."""
    made = file.with_suffix(".models.parquet")
    if not made.exists():
        scores = ", ".join(
            f"0.9 * score + 0.1 * (hash(item * {max(MODELS)} + {i}) >> 12) / 4503599627370496 as s{i}"
            for i in range(max(MODELS))
        )
        rows = f"select *, list % {DAYS} as day, (label > 0)::int as clicked, {scores} from '{file}'"
        duckdb.execute(f"copy ({rows}) to '{made}' (format parquet)")
    return made


def medians(tasks: dict[str, Task], repeats: int) -> dict[str, float]:
    """The median CPU seconds of each task; the tasks take turns."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def measure(
    kind: str, models: int, by: str | None, file: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    """Prints the sizes of the states of so many models, and the times."""
    metrics, facts = KINDS[kind]
    scores = [f"s{i}" for i in range(models)]

    def state_of(intervals: bool) -> sm.State:
        return sm.state(
            str(file),
            metrics,
            period="day",
            by=by,
            score=scores,
            **facts,
            intervals=intervals,
            connection=connection,
        )

    paths = {intervals: FOLDER / f"pairs_{intervals}.parquet" for intervals in (False, True)}
    sums, kept = map(str, paths.values())
    ask = {"by": by, "connection": connection}
    took = medians(
        {
            "sums": lambda: state_of(False).write(paths[False]),
            "pairs": lambda: state_of(True).write(paths[True]),
            "finish": lambda: sm.finish(sums, metrics, **ask),
            "interval": lambda: sm.finish(kept, metrics, interval=0.95, **ask),
            "compare": lambda: sm.compare(kept, metrics, baseline="s0", pairs="all", **ask),
        },
        repeats=3,
    )
    rows, rows_kept = (duckdb.read_parquet(file).shape[0] for file in (sums, kept))
    size, size_kept = (path.stat().st_size for path in paths.values())
    print(
        f"{kind:<6}{by or '-':<8}{models:>4}{rows:>9,}{rows_kept:>9,}{size / 1e3:>9,.0f}{size_kept / 1e3:>9,.0f}"
        f"{took['sums']:>9.2f}{took['pairs']:>9.2f}{took['pairs'] / took['sums']:>7.1f}{took['finish']:>9.2f}"
        f"{took['interval']:>9.2f}{took['compare']:>9.2f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=1_000_000)
    options = parser.parse_args()
    file = of_models(make(rows=options.rows, lists=options.lists, slices=options.slices))
    print(f"{options.rows:,} rows, {DAYS} days; sizes in rows and kB of Parquet, CPU seconds, medians of 3\n")
    print(
        f"{'':<6}{'by':<8}{'':>4}{'rows of':>9}{'with':>9}{'kB':>9}{'with':>9}{'state':>9}{'with':>9}{'':>7}"
        f"{'finish':>9}{'with':>9}{'compare':>9}"
    )
    print(
        f"{'':<14}{'':>4}{'sums':>9}{'pairs':>9}{'':>9}{'pairs':>9}{'of sums':>9}{'pairs':>9}{'times':>7}{'':>9}"
        f"{'interval':>9}"
    )
    with duckdb.connect(config={"threads": 2, "memory_limit": "6GB"}) as connection:
        for by in (None, "country"):
            for kind in KINDS:
                for models in MODELS:
                    measure(kind, models, by, file, connection)


if __name__ == "__main__":
    main()
