"""Integer and decimal scores and labels of 2^53 and more, which floats round: refused, with an advice that works."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from decimal import Decimal

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import told

BIG = 2**60
ROWS = [{"y": i % 2, "s": BIG + i, "b": BIG - i, "p": i / 10, "u": i // 5, "item": i} for i in range(10)]
#: (2 * the pairs that are in order) / (2 * 25)
AUC = sum(p["s"] > n["s"] for p in ROWS if p["y"] for n in ROWS if not n["y"]) / 25
SCORE = {"label": "y", "score": "s"}


def told_of(call, *args, **facts) -> str:
    """The expression that the error advises."""
    message = told(call, *args, **facts)
    assert "10 rows have an integer or decimal score of 2^53 or more, such as 1152921504606846976" in message
    return re.search(r"pass sm\.sql\((['\"])(.*)\1\) in its place", message)[2]


def numbers_of(kind: str):
    match kind:
        case "DataFrame":
            return pytest.importorskip("pandas").DataFrame(ROWS)
        case "Arrow":
            return pytest.importorskip("pyarrow").Table.from_pylist(ROWS)
        case "decimals":
            return [row | {"s": Decimal(row["s"])} for row in ROWS]
    return ROWS


@pytest.mark.parametrize("kind", ["rows", "DataFrame", "Arrow", "decimals"])
def test_tables_in_memory(kind: str) -> None:
    data = numbers_of(kind)
    advised = told_of(sm.evaluate, data, "auc", **SCORE)
    assert sm.evaluate(data, "auc", label="y", score=sm.sql(advised)).value("auc") == AUC


@pytest.mark.parametrize("form", ["parquet", "csv", "json"])
@pytest.mark.parametrize("kind", ["bigint", "decimal(38, 5)", "ubigint"])
def test_files(form: str, kind: str, tmp_path) -> None:
    path = str(tmp_path / f"t.{form}")
    given = f"select i % 2 as y, ({BIG} + i)::{kind} as s from range(10) r(i)"
    duckdb.sql(f"copy ({given}) to '{path}'")
    advised = told_of(sm.evaluate, path, "auc", **SCORE)
    if form == "parquet" or kind != "decimal(38, 5)":  # texts with a point are floats before SQL reads them
        assert sm.evaluate(path, "auc", label="y", score=sm.sql(advised)).value("auc") == AUC


def test_a_table_of_sqlite() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table t (y int, s bigint)")
        connection.executemany("insert into t values (:y, :s)", ROWS)
        advised = told_of(sm.evaluate, "t", "auc", connection=connection, **SCORE)
        found = sm.evaluate("t", "auc", connection=connection, label="y", score=sm.sql(advised))
        assert found.value("auc") == AUC


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bigint", "numeric", "decimal(30, 4)"])
def test_a_table_of_postgres(kind: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    from support.postgres_server import postgres_server

    with postgres_server() as server, psycopg.connect(server) as connection:
        connection.execute(
            f"create table t as select i % 2 as y, ({BIG} + i)::{kind} as s from generate_series(0, 9) i"
        )
        advised = told_of(sm.evaluate, "t", "auc", connection=connection, **SCORE)
        found = sm.evaluate("t", "auc", connection=connection, label="y", score=sm.sql(advised))
        assert found.value("auc") == AUC


LISTED = {"group": "u", "item": "item"}
CALLS = {
    "evaluate": lambda **c: sm.evaluate(ROWS, ["ndcg@3", "mrr"], **SCORE, **LISTED, **c),
    "several models": lambda **c: sm.evaluate(ROWS, "ks", label="y", score={"one": "p", "other": "s"}, **c),
    "per_group": lambda **c: sm.per_group(ROWS, "ndcg@3", **SCORE, **LISTED, **c),
    "compare": lambda **c: sm.compare(ROWS, "auc", label="y", baseline="p", candidate="s", **c),
    "compare lists": lambda **c: sm.compare(ROWS, "mrr", label="y", baseline="s", candidate="b", **LISTED, **c),
    "compare tables": lambda **c: sm.compare(
        [{**row, "s": row["p"]} for row in ROWS], "auc", label="y", baseline="s", candidate="s", other=ROWS,
        paired=False, **c
    ),
    "curve": lambda **c: sm.curve(ROWS, "roc", **SCORE, **c),
    "find_slices": lambda **c: sm.find_slices(ROWS * 30, "auc", by="u", **SCORE, **c),
    "state": lambda **c: sm.state(ROWS, "auc", period="u", **SCORE, **c),
    "spearman": lambda **c: sm.evaluate(ROWS, "spearman", **SCORE, **c),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_every_call_that_orders_rows(call: str) -> None:
    message = told(CALLS[call])
    assert "rows have an integer or decimal score of 2^53 or more" in message
    assert 'dense_rank() over (order by "s")' in message


def test_what_is_not_refused() -> None:
    """Numbers below 2^53, floats, and metrics that do not order rows; the count is not shown."""
    below = [row | {"s": 2**53 - 1 - row["s"] % 97} for row in ROWS]
    assert "rows_rounded_score" not in sm.evaluate(below, "auc", **SCORE).to_dicts()[0]
    floats = [row | {"s": 1e300 * row["p"]} for row in ROWS]
    assert sm.evaluate(floats, "auc", **SCORE).value("auc") == AUC
    assert sm.evaluate(ROWS, ["mae", "accuracy"], **SCORE).value("mae") == pytest.approx(BIG)
    assert sm.evaluate(ROWS, "base_rate", label="y").value("base_rate") == 0.5


LABELS = [{"y": BIG + i, "s": (3, 1, 4, 1, 5, 9, 2, 6, 8, 7)[i], "u": 0, "item": i} for i in range(10)]
BY_LABEL = ["spearman", "kendall_tau", "rbo@3", "average_overlap@3", "overlap@3"]


@pytest.mark.parametrize("metric", BY_LABEL)
def test_labels_that_are_ranked(metric: str) -> None:
    """Refused as scores are; with the advice the value is that of small labels in the same order."""
    facts = {"score": "s", **LISTED}
    message = told(sm.evaluate, LABELS, metric, label="y", **facts)
    assert "10 rows have an integer or decimal label of 2^53 or more, such as 1152921504606846976" in message
    advised = re.search(r"pass sm\.sql\((['\"])(.*)\1\) in its place", message)[2]
    small = sm.evaluate([{**row, "y": row["y"] - BIG} for row in LABELS], {"m": metric}, label="y", **facts)
    assert sm.evaluate(LABELS, {"m": metric}, label=sm.sql(advised), **facts).value("m") == small.value("m")


def test_labels_that_are_not_ranked() -> None:
    assert sm.evaluate(LABELS, "mae", label="y", score="s").value("mae") == pytest.approx(BIG)
    small = [{**row, "y": row["item"]} for row in LABELS]
    assert "rows_rounded_label" not in sm.evaluate(small, "spearman", label="y", score="s").to_dicts()[0]
