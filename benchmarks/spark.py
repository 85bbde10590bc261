"""`evaluate(spark_df, ...)` in Spark's local mode: its seconds and numbers beside those of DuckDB, and its plan.

Exit status 1 when a number differs or a window without a partition is over more than what is few.
"""

import argparse
import math
import re
import sys

from pyspark.sql import DataFrame, SparkSession

import sqlmetrics as sm
from make_data import add_options, make
from run import DEMO_METRICS, medians

ROLES = {"label": "label", "score": "score", "group": "list", "positive": 1, "max_grade": 4}
ASKED = {
    "auc, average_precision, ks": (["auc", "average_precision", "ks"], None),
    "5 metrics of lists": (["ndcg@10", "map@10", "mrr", "err@10", "gauc"], None),
    f"{len(DEMO_METRICS)} metrics by country and total": (DEMO_METRICS, "country"),
}
LIST_YARDSTICK = """
    select sum(r) from (
        select row_number() over (partition by list order by score desc) as r from predictions
    )
"""
# What windows without a partition may be ordered by: buckets of scores, ranks in a list, slices.
FEW = {"sm_bucket", "sm_position", "sm_by_1"}


def whole_windows(plan: str) -> set[str]:
    """By which columns the windows without a partition are ordered."""
    return set(re.findall(r"windowspecdefinition\((\w+)[^,]*? (?:ASC|DESC)", plan))


def differs(report: sm.Report, expected: sm.Report) -> float:
    """The largest relative difference of two reports."""
    pairs = [
        (row[name], value)
        for row, other in zip(report.to_dicts(), expected.to_dicts(), strict=True)
        for name, value in other.items()
    ]
    same = all(one == other for one, other in pairs if not isinstance(other, float))
    return max(abs(one / other - 1) for one, other in pairs if isinstance(other, float)) if same else math.inf


def measured(what: str, frame: DataFrame, file: str, repeats: int) -> bool:
    """Prints a line; whether the numbers and the plan are as they should be."""
    metrics, by = ASKED[what]
    reports: dict[str, sm.Report] = {}
    took = medians(
        {
            "spark": lambda: reports.update(spark=sm.evaluate(frame, metrics, by=by, **ROLES)),
            "duckdb": lambda: reports.update(duckdb=sm.evaluate(file, metrics, by=by, **ROLES)),
        },
        repeats,
    )
    statement = re.sub(r"sm_data_\w+", "predictions", reports["spark"].sql)
    [(plan,)] = frame.sparkSession.sql(f"explain {statement}").collect()
    difference, windows = differs(reports["spark"], reports["duckdb"]), whole_windows(plan)
    print(
        f"{what:<36}{took['spark']:>9.1f} s{took['duckdb']:>9.1f} s{difference:>12.1e}  {', '.join(sorted(windows))}",
        flush=True,
    )
    return difference <= 1e-9 and windows <= FEW


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=20_000_000)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory", default="8g")
    options = parser.parse_args()
    file = str(make(options.rows, options.lists, slices=options.slices))
    spark = (
        SparkSession.builder.master(f"local[{options.threads}]")
        .config("spark.driver.memory", options.memory)
        .config("spark.sql.shuffle.partitions", 4 * options.threads)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    frame = spark.read.parquet(file)
    frame.createTempView("predictions")
    print(f"Spark {spark.version}, {options.rows:,} rows, {options.threads} threads, {options.memory}\n")
    took = medians({"list": lambda: spark.sql(LIST_YARDSTICK).collect()}, options.repeats)
    print(f"{'yardstick: rank rows in their lists':<36}{took['list']:>9.1f} s\n")
    print(
        f"{'':<36}{'Spark':>11}{'DuckDB':>11}{'difference':>12}  windows without a partition are ordered by"
    )
    kept = [measured(what, frame, file, options.repeats) for what in ASKED]
    spark.stop()
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
