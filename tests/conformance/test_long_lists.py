"""Lists so long that chances and powers become too small for a float, which some engines take for an error."""

from __future__ import annotations

import math

import pytest

import oracles
import sqlmetrics as sm
from support.engines import Engine

LENGTH = 6000
UNTIED = [
    {"list": "a", "item": f"i{i:04}", "label": float(i % 2 == 0), "score": -float(i)} for i in range(LENGTH)
]
TIED = [{**row, "score": 0.5} for row in UNTIED]
METRICS = {"err": "err", "rbp": "rbp", "residual": "rbp_residual", "mrr": "mrr"}


@pytest.mark.parametrize("tied", [False, True])
def test_long_list(tied: bool, engine: Engine) -> None:
    facts = {"label": "label", "score": "score", "group": "list", "max_grade": 1}
    statement = sm.render("predictions", METRICS, dialect=engine.dialect, **facts)
    (row,) = engine.query(statement, {"predictions": TIED if tied else UNTIED})
    first = 1.0
    if tied:
        # The first relevant item, of half the list, stands at rank i + 1 after i others.
        none, terms, half = 1.0, [], LENGTH // 2
        for i in range(half + 1):
            terms.append(none * half / (LENGTH - i) / (i + 1))
            none *= (half - i) / (LENGTH - i)
        first = math.fsum(terms)
    expected = {
        "err": oracles.value("err", TIED if tied else UNTIED, group="list", max_grade=1),
        "rbp": 0.5 if tied else 0.2 / (1 - 0.8**2),
        "residual": 0.0,
        "mrr": first,
    }
    assert {name: row[name] for name in METRICS} == pytest.approx(expected, rel=1e-9, abs=1e-12)
