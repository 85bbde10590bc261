"""What a statement of sqlmetrics costs beside SQL by hand for the same numbers, on each engine.

Both run in turns on one connection, over one table. Exit status 1 when a number differs; docs/speed.md says why some
goals are missed. DuckDB, SQLite and PostgreSQL are in .venv, the others in .venv-engines.
"""

import argparse
import math
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

import by_hand
import sqlmetrics as sm
from make_data import add_options, make
from run import DEMO_METRICS, medians

Run = Callable[[str], list[dict[str, Any]]]
Opened = tuple[Any, Run]  # a connection, and what runs a statement on it
COLUMNS = "country, list, label, score"
# name -> metrics, by, SQL by hand, the goal of the ratio
TASKS = {
    "log_loss": (["log_loss"], [], by_hand.LOG_LOSS, 1.5),
    "log_loss, audited": (["log_loss"], [], by_hand.LOG_LOSS_AUDITED, 1.5),
    "nDCG@10 by country": (["ndcg@10"], ["country"], by_hand.NDCG_BY_SLICE, 1.5),
    "nDCG@10 by country, audited": (["ndcg@10"], ["country"], by_hand.NDCG_AUDITED, 1.5),
    f"{len(DEMO_METRICS)} metrics by country": (DEMO_METRICS, ["country"], by_hand.DEMO, 2.0),
    "the same, audited": (DEMO_METRICS, ["country"], by_hand.DEMO_AUDITED, 2.0),
}


def named(names: list[str], rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


@contextmanager
def duckdb_(file: Path) -> Iterator[Opened]:
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.execute(f"create table data as select {COLUMNS} from '{file}'")

        def run(sql: str) -> list[dict[str, Any]]:
            cursor = connection.execute(sql)
            return named([column[0] for column in cursor.description], cursor.fetchall())

        yield connection, run


@contextmanager
def sqlite(file: Path) -> Iterator[Opened]:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table data (country text, list integer, label integer, score real)")
    rows = duckdb.execute(f"select {COLUMNS} from '{file}'").fetchall()
    connection.executemany("insert into data values (?, ?, ?, ?)", rows)

    def run(sql: str) -> list[dict[str, Any]]:
        cursor = connection.execute(sql)
        return named([column[0] for column in cursor.description], cursor.fetchall())

    yield connection, run
    connection.close()


@contextmanager
def postgres(file: Path) -> Iterator[Opened]:
    import psycopg

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from support.postgres_server import postgres_server

    with postgres_server() as conninfo, psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(
            "create table data (country text, list integer, label integer, score double precision)"
        )
        with connection.cursor().copy(f"copy data ({COLUMNS}) from stdin") as copy:
            for row in duckdb.execute(f"select {COLUMNS} from '{file}'").fetchall():
                copy.write_row(row)
        connection.execute("vacuum analyze data")
        # As a server for analysis has it; the server of the tests is a small one.
        connection.execute("set work_mem = '512MB'")
        connection.execute("set max_parallel_workers_per_gather = 2")

        def run(sql: str) -> list[dict[str, Any]]:
            cursor = connection.execute(sql)  # type: ignore[arg-type]
            return named([column.name for column in cursor.description or []], cursor.fetchall())

        yield connection, run


@contextmanager
def mariadb(file: Path) -> Iterator[Opened]:
    import pymysql

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from support.mariadb_server import mariadb_server

    with (
        mariadb_server() as socket,
        pymysql.connect(unix_socket=socket, user="root", autocommit=True) as connection,
    ):
        cursor = connection.cursor()
        cursor.execute("create database bench")
        connection.select_db("bench")
        cursor.execute("create table data (country varchar(20), list integer, label integer, score double)")
        rows = duckdb.execute(f"select {COLUMNS} from '{file}'").fetchall()
        cursor.executemany("insert into data values (%s, %s, %s, %s)", rows)
        cursor.execute("analyze table data")

        def run(sql: str) -> list[dict[str, Any]]:
            cursor.execute(sql)
            return named([column[0] for column in cursor.description], list(cursor.fetchall()))

        yield connection, run


@contextmanager
def clickhouse(file: Path) -> Iterator[Opened]:
    from chdb.session import Session

    with Session() as session:
        session.query("set max_threads = 2")
        session.query(
            "create table data (country String, list Int32, label Int32, score Float64) "
            "engine = MergeTree order by list"
        )
        session.query(f"insert into data select {COLUMNS} from file('{file}', Parquet)")
        yield session, lambda sql: session.query(sql, "ArrowTable").to_pylist()


@contextmanager
def datafusion(file: Path) -> Iterator[Opened]:
    from datafusion import SessionConfig, SessionContext

    context = SessionContext(SessionConfig().with_target_partitions(2))
    context.register_parquet("data", str(file))
    yield context, lambda sql: context.sql(sql).to_arrow_table().to_pylist()


@contextmanager
def spark(file: Path) -> Iterator[Opened]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "6g")
        .config("spark.sql.shuffle.partitions", 8)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    session.read.parquet(str(file)).createTempView("data")
    yield session, lambda sql: [row.asDict() for row in session.sql(sql).collect()]
    session.stop()


ENGINES = {
    "duckdb": duckdb_,
    "sqlite": sqlite,
    "postgres": postgres,
    "mariadb": mariadb,
    "clickhouse": clickhouse,
    "datafusion": datafusion,
    "spark": spark,
}


def differs(ours: list[dict[str, Any]], hand: list[dict[str, Any]]) -> float:
    """The largest difference of the numbers by hand from ours, relative to ours unless that is 0."""
    of_slice = {row.get("country"): row for row in ours}
    pairs = [
        (float(value), float(of_slice[row.get("country")][name]))
        for row in hand
        for name, value in row.items()
        if name != "country"
    ]
    if len(ours) != len(hand):
        return math.inf
    return max(abs(one - other) / (abs(other) or 1) for one, other in pairs)


def measured(engine: str, connection: Any, run: Run, repeats: int) -> bool:
    """Prints a line for each task; whether all numbers agree."""
    same = True
    for what, (metrics, by, hand, goal) in TASKS.items():
        roles = {"label": "label", "score": "score", "group": "list", "by": by}
        ours = sm.evaluate("data", metrics, **roles, positive=1, max_grade=4, connection=connection).sql
        theirs = hand.format(double="double precision" if engine == "postgres" else "double")
        rows: dict[str, list[dict[str, Any]]] = {}
        took = medians(
            {
                "ours": lambda sql=ours, rows=rows: rows.update(ours=run(sql)),
                "hand": lambda sql=theirs, rows=rows: rows.update(hand=run(sql)),
            },
            repeats,
        )
        ratio, difference = took["ours"] / took["hand"], differs(rows["ours"], rows["hand"])
        print(
            f"{engine:<12}{what:<28}{took['ours']:>9.2f} s{took['hand']:>9.2f} s{ratio:>7.2f} x{goal:>6.1f} x"
            f"{difference:>10.1e}  {'ok' if ratio <= goal else 'missed'}",
            flush=True,
        )
        same = same and difference <= 1e-9
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="+", choices=ENGINES)
    add_options(parser, rows=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    file = make(options.rows, options.lists, slices=options.slices)
    print(f"{options.rows:,} rows, 2 threads, median of {options.repeats}\n")
    print(f"{'':<40}{'sqlmetrics':>11}{'by hand':>11}{'ratio':>9}{'goal':>8}{'differ':>10}")
    same = []
    for engine in options.engines:
        with ENGINES[engine](file) as opened:
            same.append(measured(engine, *opened, options.repeats))
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
