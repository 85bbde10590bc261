"""Notations that are longer than an engine's names: no name of ours is cut, and a result column is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.templates import dialects, macros
from support.engines import Engine
from support.errors import assert_told, told

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
    [long] = engine.query(sm.render([LONG, ALIKE], "t", dialect=engine.dialect, **asked), {"t": ROWS})
    [short] = engine.query(sm.render(names, "t", dialect=engine.dialect, **asked), {"t": ROWS})
    told_apart = [value for name, value in long.items() if name.startswith("ndcg")]
    assert told_apart == pytest.approx([value for name, value in short.items() if name.startswith("o")])
    assert told_apart[0] != told_apart[3]


def test_a_state_holds_notations_of_one_beginning(engine: Engine) -> None:
    asked = FACTS | {"period": "d"}
    made = sm.render_state([LONG, ALIKE], "t", dialect=engine.dialect, **asked)
    state = engine.query(made, {"t": ROWS})
    limit = macros(engine.dialect)["sql_name_length"]()
    assert limit is None or max(len(name) for name in state[0]) <= limit
    finish = sm.render_finish([LONG, ALIKE], "state", dialect=engine.dialect, **asked)
    [finished] = engine.query(finish, {"state": state})
    [whole] = engine.query(sm.render([LONG, ALIKE], "t", dialect=engine.dialect, **FACTS), {"t": ROWS})
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
    statement = sm.render(long, "t", dialect=dialect, **asked)
    assert not [name for name in re.findall(r"\w+", statement) if len(name) > limit]


def test_a_result_column_that_would_be_cut_is_refused() -> None:
    def asked(name: str, dialect: str = "postgres") -> str:
        return sm.render({name: "rmse"}, "t", dialect=dialect, label="y", score="s")

    assert f'"{"a" * 63}"' in asked("a" * 63)
    assert f'"{"a" * 300}"' in asked("a" * 300, "duckdb")
    for name in ("a" * 64, "ä" * 32):
        assert_told(
            told(asked, name), f"'{name}', but postgres keeps names of 63 bytes; pass a mapping of shorter"
        )
    assert_told(told(asked, "a" * 128, "redshift"), "redshift keeps names of 127 bytes")
