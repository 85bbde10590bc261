"""What it costs to read CSV and JSON with the types of their roles, beside DuckDB's types of a sample.

The times of one line are taken in turns in this one run. `sampled` is a query of `read_csv` or `read_json`, whose types
DuckDB takes from the first 20,480 rows; it is not always right.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import duckdb

import sqlmetrics as sm
from make_data import FOLDER

#: By name: the metrics and the columns of a call.
CALLS = {
    "rows": (["log_loss", "brier"], {"label": "y", "score": "s"}),
    "auc": (["auc"], {"label": "y", "score": "s"}),
    "lists": (["mrr", "ndcg@10"], {"label": "y", "score": "s", "group": "g"}),
    "slices": (["log_loss"], {"label": "y", "score": "s", "by": "d"}),
    "versions": (["log_loss"], {"label": "y", "score": "s", "by": "v"}),
    "where": (["log_loss"], {"label": "y", "score": "s", "where": "d < 15"}),
}


def make(rows: int, columns: int, form: str) -> Path:
    """A file of rows, made once: a list of ten rows each, a day, a version and scores."""
    file = FOLDER / f"text_{rows}_{columns}.{form}"
    if not file.exists():
        further = "".join(f", round(random(), 6) as c{i}" for i in range(columns - 5))
        of_rows = (
            "select i // 10 as g, (random() < 0.3)::int as y, round(0.01 + 0.98 * random(), 6) as s, i % 30 as d,"
            f" (i % 3 || '.' || i % 12) as v{further} from range({rows}) as r(i)"
        )
        made = file.with_suffix(".unfinished")
        duckdb.execute(f"copy ({of_rows}) to '{made}' (format {form})")
        made.rename(file)
    return file


def medians(tasks: list[Callable[[], object]], repeats: int = 3) -> list[tuple[float, float]]:
    """The median seconds of each task, by the clock and of the processor; the tasks take turns."""
    times: list[list[tuple[float, float]]] = [[] for _ in tasks]
    for _ in range(repeats):
        for task, taken in zip(tasks, times, strict=True):
            clock, cpu = time.perf_counter(), time.process_time()
            task()
            taken.append((time.perf_counter() - clock, time.process_time() - cpu))
    return [(median(one for one, _ in taken), median(one for _, one in taken)) for taken in times]


def main() -> None:
    """Prints a line for each file and call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--columns", type=int, nargs="+", default=[5, 30])
    parser.add_argument("--formats", nargs="+", default=["csv", "json"])
    asked = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    connection = duckdb.connect()
    print("format  columns  call       sampled s  roles s  ratio  of the processor: the same three")
    for form in asked.formats:
        for columns in asked.columns:
            file = make(asked.rows, columns, form)
            query = f"select * from read_{form}('{file}') offset 0"
            for name, (metrics, facts) in CALLS.items():
                call = partial(sm.evaluate, metrics=metrics, **facts, connection=connection)
                (wall, cpu), (sampled, sampled_cpu) = medians(
                    [partial(call, str(file)), partial(call, query)]
                )
                print(
                    f"{form:6}  {columns:7}  {name:9}  {sampled:9.3f}  {wall:7.3f}  {wall / sampled:5.2f}"
                    f"  {sampled_cpu:9.3f}  {cpu:7.3f}  {cpu / sampled_cpu:5.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
