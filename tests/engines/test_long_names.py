"""Notations that are longer than an engine's names: no name of ours is cut, and none of two results is lost."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import dialects, macros
from support.engines import Engine
from support.errors import assert_told, told
from support.postgres_server import postgres_server

LONG = "ndcg(gain=0:1:3:7:15,on_empty=zero,on_missing=zero)@10"
ALIKE = LONG.replace("15", "16")
FACTS: dict[str, Any] = {"label": "y", "score": "s", "group": "g"}
ROWS = [
    {"d": f"2026-01-0{1 + g % 2}", "g": g, "y": (g * i) % 5, "s": (i * 7 % 5) / 5, "t": (i * 3 % 5) / 5}
    for g in range(8)
    for i in range(5)
]


@pytest.mark.parametrize("method", [None, "bootstrap"])
def test_notations_of_one_beginning_are_two_metrics(engine: Engine, method: Any) -> None:
    asked = FACTS | {"interval": 0.95, "interval_method": method, "n_resamples": 20}
    names = {"one": LONG, "other": ALIKE}
    [long] = engine.query(sm.render("t", [LONG, ALIKE], dialect=engine.dialect, **asked), {"t": ROWS})
    [short] = engine.query(sm.render("t", names, dialect=engine.dialect, **asked), {"t": ROWS})
    told_apart = [value for name, value in long.items() if name.startswith("ndcg")]
    assert told_apart == pytest.approx([value for name, value in short.items() if name.startswith("o")])
    assert told_apart[0] != told_apart[3]


def test_a_state_holds_notations_of_one_beginning(engine: Engine) -> None:
    asked = FACTS | {"period": "d"}
    made = sm.render_state("t", [LONG, ALIKE], dialect=engine.dialect, **asked)
    state = engine.query(made, {"t": ROWS})
    limit = macros(engine.dialect)["sql_name_length"]()
    assert limit is None or max(len(name) for name in state[0]) <= limit
    finish = sm.render_finish("state", [LONG, ALIKE], dialect=engine.dialect, **asked)
    [finished] = engine.query(finish, {"state": state})
    [whole] = engine.query(sm.render("t", [LONG, ALIKE], dialect=engine.dialect, **FACTS), {"t": ROWS})
    for name in ("ndcg_gain_0_1_3_7_15", "ndcg_gain_0_1_3_7_16"):
        name += "_on_empty_zero_on_missing_zero_10"
        assert finished[name] == pytest.approx(whole[name], abs=1e-12)


@pytest.mark.parametrize("dialect", dialects())
def test_no_name_of_ours_is_longer_than_the_dialect_keeps(dialect: str) -> None:
    limit = macros(dialect)["sql_name_length"]()
    if limit is None:
        return
    long = [LONG, "map(on_empty=zero,on_missing=zero,denominator=relevant)@10", "gauc(weight=pairs)"]
    asked = FACTS | {"ties": "worst", "by": "c", "interval": 0.95}
    statement = sm.render("t", long, dialect=dialect, **asked)
    assert not [name for name in re.findall(r"\w+", statement) if len(name) > limit]


def test_result_columns_of_which_the_engine_keeps_one_name_are_refused() -> None:
    def asked(*names: str, dialect: str = "postgres") -> str:
        return sm.render("t", dict.fromkeys(names, "rmse"), dialect=dialect, label="y", score="s")

    assert f'"{"a" * 64}"' in asked("a" * 64)
    assert f'"{"a" * 300}b"' in asked("a" * 300, "a" * 300 + "b", dialect="duckdb")
    words = "Two result columns would be named|pass a mapping of other names"
    for long, dialect, bytes_kept in (
        ("a" * 63, "postgres", 63),
        ("ä" * 32, "postgres", 63),
        ("a" * 127, "redshift", 127),
    ):
        assert_told(
            told(asked, long + "b", long + "c", dialect=dialect),
            f"{words}|of which {dialect} keeps {bytes_kept} bytes",
        )


@pytest.mark.slow
def test_a_name_that_postgres_cuts_is_whole_in_the_report() -> None:
    psycopg = pytest.importorskip("psycopg")
    names = {"a" * 70: "ndcg@3", "ä" * 40: "map@3", "short": LONG}
    with postgres_server() as server, psycopg.connect(server) as connection:
        connection.execute("create table t (g int, y int, s float8)")
        for row in ROWS:
            connection.execute("insert into t values (%s, %s, %s)", [row["g"], row["y"], row["s"]])
        report = sm.evaluate("t", names, connection=connection, **FACTS)
    expected = sm.evaluate(ROWS, names, **FACTS)
    assert report.flat() == pytest.approx(expected.flat())
