"""How far one machine goes: seconds and peak memory of sqlmetrics, of a bare sort and of peers, at sizes of their own.

Each figure is that of a process of its own, which holds nothing else. A peer gets its data in memory and is timed from
there; sqlmetrics is timed from the Parquet file, under a limit of memory, and may write to a temporary folder.

Some tasks need a package that is not installed with the others: Spark, and Java.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

import sqlmetrics as sm
from make_data import make
from run import DEMO_METRICS, GLOBAL_YARDSTICK, LIST_METRICS, LIST_YARDSTICK

ROLES = {"label": "label", "score": "score", "group": "list", "positive": 1, "max_grade": 4}
LIMITS = {"threads": 2, "memory_limit": "4GB"}

Values = dict[str, float]


def timed(call: Callable[[], Values]) -> tuple[float, Values]:
    start = time.perf_counter()
    values = call()
    return time.perf_counter() - start, values


def in_duckdb(call: Callable[[duckdb.DuckDBPyConnection], Values]) -> tuple[float, Values]:
    with (
        tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder,
        duckdb.connect(config={**LIMITS, "temp_directory": folder}) as connection,
    ):
        return timed(lambda: call(connection))


def ours(file: str, metrics: dict[str, str], by: str | None = None) -> tuple[float, Values]:
    def call(connection: duckdb.DuckDBPyConnection) -> Values:
        report = sm.evaluate(file, metrics, **ROLES, by=by, connection=connection)
        total = report.to_dicts()[0 if by is None else -1]
        return {name: total[name] for name in metrics}

    return in_duckdb(call)


def query(text: str, file: str) -> tuple[float, Values]:
    def call(connection: duckdb.DuckDBPyConnection) -> Values:
        connection.execute(text.format(file=file)).fetchall()
        return {}

    return in_duckdb(call)


def sklearn_auc(file: str) -> tuple[float, Values]:
    from sklearn.metrics import roc_auc_score

    columns = duckdb.sql(f"select label >= 1 as label, score from '{file}'").fetchnumpy()
    return timed(lambda: {"auc": float(roc_auc_score(columns["label"], columns["score"]))})


def lists_of(file: str, peer: str) -> tuple[float, Values]:
    """A peer that takes judgements and a run as two data frames, whose texts are objects."""
    import pandas

    import peers

    frame = duckdb.sql(
        f"select list::varchar as query_id, item::varchar as doc_id, label, score from '{file}'"
    ).df()
    keys = {name: frame.pop(name).astype(object) for name in ("query_id", "doc_id")}
    qrels = pandas.DataFrame({**keys, "relevance": frame.pop("label").astype("int64")})
    run = pandas.DataFrame({**keys, "score": frame.pop("score")})
    call = getattr(peers, peer)
    call(qrels[:100], run[:100])  # ranx compiles its functions
    return timed(lambda: call(qrels, run))


def spark_auc(file: str) -> tuple[float, Values]:
    """Spark's evaluator merges the scores to 1,000 points of the curve; with 0 it takes them all."""
    from pyspark.ml.evaluation import BinaryClassificationEvaluator
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(f"local[{LIMITS['threads']}]")
        .config("spark.driver.memory", "8g").config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR").getOrCreate()
    )  # fmt: skip
    frame = session.read.parquet(file).selectExpr("cast(label >= 1 as double) as label", "score")

    def evaluator(bins: int) -> BinaryClassificationEvaluator:
        return BinaryClassificationEvaluator(rawPredictionCol="score", numBins=bins)

    seconds, values = timed(lambda: {"auc": evaluator(1_000).evaluate(frame)})
    return seconds, values | {"auc of all scores": evaluator(0).evaluate(frame)}


def named(metrics: list[str]) -> dict[str, str]:
    return {name: name for name in metrics}


def trec() -> dict[str, str]:
    from peers import TREC

    return TREC


TASKS: dict[str, Callable[[str], tuple[float, Values]]] = {
    "rank in lists": lambda file: query(LIST_YARDSTICK, file),
    "rank all rows": lambda file: query(GLOBAL_YARDSTICK, file),
    "lists": lambda file: ours(file, named(LIST_METRICS), "country"),
    "demo": lambda file: ours(file, named(DEMO_METRICS), "country"),
    "auc": lambda file: ours(file, {"auc": "auc"}),
    "trec": lambda file: ours(file, trec()),
    "rows": lambda file: ours(file, named(["auc", "average_precision", "log_loss", "brier", "ece"])),
    "scikit-learn": sklearn_auc,
    "ir_measures": lambda file: lists_of(file, "ir_measures_values"),
    "ranx": lambda file: lists_of(file, "ranx_values"),
    "spark": spark_auc,
}


def measured(task: str, file: str) -> dict[str, Any] | None:
    """What a process of its own tells of a task; None if it ended in an error, such as one of memory."""
    asked = [sys.executable, __file__, "--here", file, task]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        print(f"{task}: status {process.returncode}")
        return None
    seconds, values = json.loads(told.splitlines()[-1])
    return {"seconds": seconds, "memory": used.ru_maxrss / 2**20, "values": values}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help=f"of {', '.join(TASKS)}")
    parser.add_argument("--rows", type=int, default=200_000_000)
    parser.add_argument("--lists", type=int, help="default: rows / 40")
    parser.add_argument("--levels", type=int, default=0, help="distinct scores; 0: all distinct")
    parser.add_argument("--here", metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(TASKS[options.tasks[0]](options.here)))
        return 0
    file = str(make(options.rows, options.lists, options.levels))
    tasks = options.tasks or ["rank in lists", "lists", "demo"]
    free = shutil.disk_usage(Path(__file__).parent).free / 2**30
    print(
        f"{options.rows:,} rows, {Path(file).stat().st_size / 2**30:.1f} GiB, {LIMITS}, {free:.0f} GiB of disk free"
    )
    found: list[dict[str, Any] | None] = []
    for task in tasks:
        one = measured(task, file)
        found.append(one)
        if one:
            ratio = one["seconds"] / found[0]["seconds"] if found[0] else math.nan
            values = ", ".join(f"{name} {value:.9f}" for name, value in list(one["values"].items())[:5])
            print(
                f"{task:<16}{one['seconds']:>9.1f} s{ratio:>8.2f} x{one['memory']:>8.2f} GiB  {values}",
                flush=True,
            )
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
