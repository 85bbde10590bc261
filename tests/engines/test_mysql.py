"""What MySQL and MariaDB are known to trip over: texts, limits, numbers of one statement."""

from collections.abc import Iterator
from contextlib import closing

import pytest

import sqlmetrics as sm
from support.engines import NoEngineError
from support.mariadb_server import mariadb_server

WORDS = ["a", "A", "ä", "b\\", "o'b", "c", "\\' or 1 = 1 -- "]
ROWS = [(f"{word}", i, (i * 7 % 10) / 10, i % 3 % 2) for word in WORDS for i in range(6)]


@pytest.fixture(scope="module")
def connection() -> Iterator[object]:
    """A server with a table in the collation that it gives to a table by default, and one of another character set."""
    pymysql = pytest.importorskip("pymysql")
    try:
        with (
            mariadb_server() as socket,
            closing(pymysql.connect(unix_socket=socket, user="root")) as opened,
        ):
            with opened.cursor() as cursor:
                cursor.execute("create database tests")
                opened.select_db("tests")
                for name, characters in (("preds", "utf8mb4"), ("western", "latin1")):
                    cursor.execute(
                        f"create table {name} (word varchar(20), i int, p decimal(4, 2), y boolean)"
                        f" character set {characters}"
                    )
                    cursor.executemany(f"insert into {name} values (%s, %s, %s, %s)", ROWS)
                cursor.execute("create table long_list (g int, i int, p double, y int)")
                cursor.execute("insert into long_list select 1, seq, seq, seq % 7 = 0 from seq_1_to_2500")
            yield opened
    except NoEngineError as missing:
        pytest.skip(str(missing))


def here(data: object, metrics: object, **facts: object) -> list[dict]:
    """The same with DuckDB."""
    return sm.evaluate(data, metrics, **facts).to_dicts()


@pytest.mark.parametrize("table", ["preds", "western"])
def test_texts_that_differ_in_case_alone_are_two(table, connection):
    facts = {"label": "y", "score": "p", "group": "word", "item": "i"}
    rows = [dict(zip(("word", "i", "p", "y"), row, strict=True)) for row in ROWS]
    metrics = ["auc", "ndcg@3", "map@5", "gauc"]
    [found] = sm.evaluate(table, metrics, **facts, connection=connection).to_dicts()
    [expected] = here(rows, metrics, **facts)
    assert found["n_groups"] == len(WORDS)
    assert found == pytest.approx(expected)
    by = sm.evaluate(table, "auc", label="y", score="p", by="word", connection=connection).to_dicts()
    assert {row["word"] for row in by} == {*WORDS, None}


@pytest.mark.parametrize("word", WORDS)
def test_a_text_is_what_it_was(word, connection):
    facts = {"label": "word", "positive": word, "score": "p"}
    report = sm.evaluate("preds", "base_rate", **facts, connection=connection).to_dicts()
    assert report[0]["base_rate"] == pytest.approx(1 / len(WORDS))


def test_a_list_may_be_longer_than_a_recursion(connection):
    with connection.cursor() as cursor:
        cursor.execute("select g, i, p, y from long_list")
        rows = [dict(zip("gipy", row, strict=True)) for row in cursor.fetchall()]
    facts = {"label": "y", "score": "p", "group": "g", "item": "i"}
    metrics = ["ndcg", "map", "ndcg@2000"]
    [found] = sm.evaluate("long_list", metrics, **facts, connection=connection).to_dicts()
    assert found == pytest.approx(here(rows, metrics, **facts)[0])


def test_many_metrics_in_one_statement(connection):
    cutoffs = [f"{name}@{k}" for name in ("ndcg", "map", "mrr", "recall", "precision") for k in range(1, 21)]
    facts = {"label": "y", "score": "p", "group": "g", "item": "i"}
    [row] = sm.evaluate("long_list", cutoffs, **facts, connection=connection).to_dicts()
    assert sum(name.partition("_")[0] in ("ndcg", "map", "mrr", "recall", "precision") for name in row) == 100
