"""What sqlmetrics costs beside one bare sort of the same rows, and what it adds to a small query.

Every figure is a ratio or a difference of times taken in turns in this one run, so it holds on any machine.
Exit status 1 when a limit is missed.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import duckdb

import sqlmetrics as sm
from make_data import add_options, make

CUTOFFS = (1, 5, 10, 20)
AT_CUTOFFS = ("ndcg", "map", "mrr", "precision", "recall", "hit_rate", "err")
LIST_METRICS = [f"{name}@{k}" for name in AT_CUTOFFS for k in CUTOFFS] + ["gauc"]
DEMO_METRICS = ["auc", "gauc", "ndcg@10", "map@10", "mrr", "err@10", "log_loss"]
# Sixty metrics of all grains, as a page that looks at a ranker from every side would ask for them. Those with a
# sort of their own over all rows (median_absolute_error, spearman) are not among them.
BOOK_METRICS = [
    *(
        "count",
        "base_rate",
        "accuracy(threshold=0.5)",
        "precision",
        "recall",
        "specificity",
        "npv",
        "fpr",
        "f1",
    ),
    *("balanced_accuracy", "mcc", "kappa", "jaccard", "informedness", "f_beta(beta=2)", "error_rate"),
    *("accuracy", "f1(average=macro)", "f1(average=weighted)", "recall(average=macro)"),
    *(
        "log_loss",
        "brier",
        "brier_skill",
        "normalized_entropy",
        "copc",
        "mae",
        "mse",
        "rmse",
        "r2",
        "pearson",
    ),
    *("ece", "mce", "auc", "gini", "auc(max_fpr=0.1)", "average_precision", "pr_auc(method=trapezoid)", "ks"),
    *("best_f1", "best_f1_threshold", "recall_at_precision", "tpr_at_fpr", "lift", "capture"),
    *("gauc", "ndcg@5", "ndcg@10", "dcg@10", "map@10", "mrr", "mrr_all", "err@10", "precision@10"),
    *("recall@10", "f1@10", "r_precision", "rbp@10", "bpref", "personalization@10", "exposure_entropy@10"),
]
DECISION = sm.sql("case when score >= 0.5 then 1 else 0 end")

LIST_YARDSTICK = """
    select sum(r) from (select row_number() over (partition by list order by score desc) as r from '{file}')
"""
GLOBAL_YARDSTICK = "select sum(r) from (select row_number() over (order by score desc) as r from '{file}')"

Task = Callable[[], object]


def medians(tasks: dict[str, Task], repeats: int) -> dict[str, float]:
    """The median seconds of each task; the tasks take turns, so a slow spell of the machine hits all."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    return {name: median(taken) for name, taken in times.items()}


def line(what: str, seconds: float, cost: float, limit: float, unit: str) -> bool:
    """Print one line of the table; whether the limit is kept."""
    kept = cost <= limit
    figures = f"{seconds:>9.3f} s{cost:>9.2f} {unit:<2}{limit:>8.2f} {unit:<2}"
    print(f"{what:<54}{figures}  {'ok' if kept else 'MISSED'}")
    return kept


def evaluate(
    file: str, metrics: list[str], connection: duckdb.DuckDBPyConnection, **options: object
) -> sm.Report:
    """One call of the library, as a user writes it."""
    roles = {"label": "label", "score": "score", "group": "list", "positive": 1, "max_grade": 4}
    return sm.evaluate(file, metrics, **roles, **options, connection=connection)


def large(options: argparse.Namespace, connection: duckdb.DuckDBPyConnection) -> list[bool]:
    """The cost of sorting metrics, in bare sorts."""
    sizes = {"rows": options.rows, "lists": options.lists, "slices": options.slices}
    distinct, levels = str(make(**sizes)), str(make(**sizes, levels=1_000))
    tasks: dict[str, Task] = {
        "list": lambda: connection.execute(LIST_YARDSTICK.format(file=distinct)).fetchall(),
        "global": lambda: connection.execute(GLOBAL_YARDSTICK.format(file=distinct)).fetchall(),
        "list metrics": lambda: evaluate(distinct, LIST_METRICS, connection),
        "auc": lambda: evaluate(distinct, ["auc"], connection),
        "auc of levels": lambda: evaluate(levels, ["auc"], connection),
        "demo": lambda: evaluate(distinct, DEMO_METRICS, connection, by=["country"], total=True),
        "intervals": lambda: evaluate(
            distinct, DEMO_METRICS, connection, by=["country"], total=True, interval=0.95
        ),
    }
    took = medians(tasks, options.repeats)
    print(f"{'yardstick: rank rows in their lists':<54}{took['list']:>9.3f} s")
    print(f"{'yardstick: rank all rows':<54}{took['global']:>9.3f} s")

    def cost(what: str, task: str, yardstick: str, limit: float) -> bool:
        return line(what, took[task], took[task] / took[yardstick], limit, "x")

    return [
        cost("8 list metrics, 7 of them at 4 cutoffs / rank in lists", "list metrics", "list", 3.5),
        cost("auc / rank all", "auc", "global", 2.2),
        cost(f"{len(DEMO_METRICS)} metrics by country and total / rank in lists", "demo", "list", 5.0),
        cost("the same with interval=0.95 / without", "intervals", "demo", 1.6),
        cost("auc of 1,000 score levels / auc", "auc of levels", "auc", 0.2),
    ]


def book(options: argparse.Namespace, connection: duckdb.DuckDBPyConnection) -> list[bool]:
    """The cost of many metrics beside that of a few, on a tenth of the rows."""
    lists = options.lists and options.lists // 10
    file = str(make(options.rows // 10, lists, slices=options.slices))
    took = medians(
        {
            "demo": lambda: evaluate(file, DEMO_METRICS, connection, by=["country"], item="item"),
            "book": lambda: evaluate(
                file, BOOK_METRICS, connection, by=["country"], item="item", prediction=DECISION
            ),
        },
        max(options.repeats, 5),
    )
    what = f"{len(BOOK_METRICS)} metrics of all grains / {len(DEMO_METRICS)}, {options.rows // 10:,} rows"
    return [line(what, took["book"], took["book"] / took["demo"], 3.0, "x")]


def small(connection: duckdb.DuckDBPyConnection) -> list[bool]:
    """What Python adds to a query of 10,000 rows, and to the start of the interpreter."""
    file = str(make(10_000))
    sql = evaluate(file, DEMO_METRICS, connection, by=["country"]).sql

    def start_python(code: str) -> Task:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    query = medians(
        {
            "evaluate": lambda: evaluate(file, DEMO_METRICS, connection, by=["country"]),
            "bare": lambda: connection.execute(sql).fetchall(),
        },
        repeats=21,
    )
    start = medians({"import": start_python("import sqlmetrics"), "bare": start_python("pass")}, repeats=7)
    added = query["evaluate"] - query["bare"]
    imported = start["import"] - start["bare"]
    return [
        line("evaluate of 10,000 rows - its query", query["evaluate"], 1e3 * added, 25, "ms"),
        line("import sqlmetrics - bare interpreter", start["import"], 1e3 * imported, 200, "ms"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--memory-limit", default="8GB")
    options = parser.parse_args()
    settings = {"threads": options.threads, "memory_limit": options.memory_limit}
    with duckdb.connect(config=settings) as connection:
        print(
            f"DuckDB {duckdb.__version__}, {options.rows:,} rows, {settings}, median of {options.repeats}\n"
        )
        print(f"{'':<54}{'time':>11}{'cost':>12}{'limit':>11}")
        kept = large(options, connection) + book(options, connection) + small(connection)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
