"""What a process of sqlmetrics costs before it answers: CPU seconds over those of a bare interpreter.

Cold, the cache of macros is empty, as once after installation; warm, it is as an earlier process left it. The first
`sm.evaluate` of a process is measured over a process that only runs its statement. The tasks take turns, so a slow
spell of the machine hits all. Exit status 1 when a limit is missed.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import sqlmetrics as sm

SEARCH = Path(__file__).parents[1] / "examples" / "search.parquet"
METRICS = ["auc", "ndcg@10", "log_loss"]
ROLES = {"label": "grade", "score": "score", "group": "query_id", "positive": 1}

COMMAND = ["-m", "sqlmetrics"]
STATEMENT = ["--relation", "t", "--label", "y", "--score", "s"]
EVALUATE = f"import sqlmetrics as sm; sm.evaluate({str(SEARCH)!r}, {METRICS}, **{ROLES})"
QUERY = "import duckdb, pyarrow; duckdb.connect().execute({!r}).to_arrow_table()"

#: Name -> the arguments of Python, and the CPU seconds allowed when the cache is warm.
TASKS: dict[str, tuple[list[str], float]] = {
    "sqlmetrics --help": ([*COMMAND, "--help"], 0.3),
    "sqlmetrics list": ([*COMMAND, "list"], 0.6),
    "sqlmetrics show auc": ([*COMMAND, "show", "auc"], 0.6),
    "sqlmetrics sql -m auc": ([*COMMAND, "sql", "-m", "auc", *STATEMENT], 0.6),
    "sqlmetrics demo": ([*COMMAND, "demo"], 0.8),
    "the first sm.evaluate, over its query": (["-c", EVALUATE], 0.35),
}


def cpu(arguments: list[str], cache: str) -> float:
    """The CPU seconds, user and system, of a Python process with a folder of caches."""
    # Python's own bytecode is there, as pip leaves it
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"XDG_CACHE_HOME": cache, "PYTHONWARNINGS": "ignore"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(tasks: dict[str, list[str]], repeats: int, cache: str | None) -> dict[str, float]:
    """The median of each task; without a cache, each run has an empty one."""
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, arguments in tasks.items():
            with tempfile.TemporaryDirectory() as empty:
                taken[name].append(cpu(arguments, cache or empty))
    return {name: median(seconds) for name, seconds in taken.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--repeats", type=int, default=7, help="runs of each command; a cold one has half as many"
    )
    options = parser.parse_args()
    statement = sm.evaluate(str(SEARCH), METRICS, **ROLES).sql
    commands = {name: arguments for name, (arguments, _) in TASKS.items()}
    bare = {"bare": ["-c", "pass"], "query": ["-c", QUERY.format(statement)]}
    with tempfile.TemporaryDirectory() as cache:
        medians(commands, 2, cache)  # fills the cache
        warm = medians({**bare, **commands}, options.repeats, cache)
    cold = medians({**bare, **commands}, (options.repeats + 1) // 2, None)

    print(f"CPU over a bare interpreter ({warm['bare']:.3f} s), median of {options.repeats}\n")
    print(f"{'':<54}{'cold':>11}{'warm':>11}{'limit':>11}")
    kept = True
    for name, (_, limit) in TASKS.items():
        yardstick = "query" if "query" in name else "bare"
        first, again = cold[name] - cold[yardstick], warm[name] - warm[yardstick]
        kept &= again <= limit
        verdict = "MET" if again <= limit else "MISSED"
        print(f"{name:<54}{first:>9.2f} s{again:>9.2f} s{limit:>9.2f} s  {verdict}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
