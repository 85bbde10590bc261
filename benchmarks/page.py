"""What a report page costs beside the statements behind it, which stand on the page.

Seven metrics, 20 slices, two models: intervals, comparison, curves and lists. Page and statements take turns on one
connection. Exit status 1 when the limit is missed.
"""

import argparse
import html
import re
import sys
import time
from statistics import median

import duckdb

import sqlmetrics as sm
from make_data import add_options, make

METRICS = ["auc", "gauc", "ndcg@10", "map@10", "mrr", "err@10", "log_loss"]
LIMIT = 1.5
STATEMENT = re.compile(r"<pre[^>]*>(.*?)</pre>", re.DOTALL)


def page_of(file: str, connection: duckdb.DuckDBPyConnection) -> sm.Page:
    """The page, as a user asks for it."""
    return sm.report(
        file, METRICS, label="label", positive=1, max_grade=4, group="list", by="country",
        score={"old": "score", "new": sm.sql("score * (1 - 0.1 * (item % 3))")},
        interval=0.95, connection=connection,
    )  # fmt: skip


def statements_of(page: sm.Page) -> list[str]:
    """The statements that the page shows."""
    texts = [html.unescape(re.sub(r"<[^>]+>", "", text)) for text in STATEMENT.findall(page.html)]
    return [text for text in texts if text.lstrip().startswith(("with", "--", "select"))]


def main() -> int:
    """Prints the ratio; the status is 1 if it is over the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, rows=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    file = str(make(options.rows, options.lists, slices=options.slices))
    connection = duckdb.connect()
    statements = statements_of(page_of(file, connection))
    taken: dict[str, list[float]] = {"page": [], "statements": []}
    for _ in range(options.repeats):
        start = time.perf_counter()
        page = page_of(file, connection)
        middle = time.perf_counter()
        for statement in statements:
            connection.sql(statement).to_arrow_table()
        taken["page"].append(middle - start)
        taken["statements"].append(time.perf_counter() - middle)
    page_takes, they_take = median(taken["page"]), median(taken["statements"])
    cost = page_takes / they_take
    print(
        f"{options.rows:,} rows, {len(statements)} statements: page {page_takes:.1f} s, statements {they_take:.1f} s,"
        f" {cost:.2f} x (limit {LIMIT}), {len(page.html.encode()):,} bytes"
    )
    return int(cost > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
