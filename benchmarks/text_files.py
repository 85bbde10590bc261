"""What it costs to read CSV and JSON with the types of their roles, beside DuckDB's types of a sample.

The times of one line are taken in turns in this one run. `sampled` is a query of `read_csv` or `read_json`, whose types
DuckDB takes from the first 20,480 rows; it is not always right.
"""

import argparse
from pathlib import Path

import duckdb

import sqlmetrics as sm
from make_data import FOLDER
from run import medians

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


def main() -> None:
    """Prints a line for each file and call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--columns", type=int, nargs="+", default=[5, 30])
    parser.add_argument("--formats", nargs="+", default=["csv", "json"])
    asked = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    connection = duckdb.connect()
    print("format  columns  call       sampled s  roles s  ratio")
    for form in asked.formats:
        for columns in asked.columns:
            file = make(asked.rows, columns, form)
            query = f"select * from read_{form}('{file}') offset 0"
            for name, (metrics, facts) in CALLS.items():
                took = medians(
                    {
                        "sampled": lambda: sm.evaluate(query, metrics, **facts, connection=connection),
                        "roles": lambda: sm.evaluate(str(file), metrics, **facts, connection=connection),
                    },
                    repeats=3,
                )
                print(
                    f"{form:6}  {columns:7}  {name:9}  {took['sampled']:9.3f}  {took['roles']:7.3f}"
                    f"  {took['roles'] / took['sampled']:5.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
