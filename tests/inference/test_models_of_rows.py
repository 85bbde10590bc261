"""Models whose rows are told apart, by a column or by a table for each, have the numbers of models in columns."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sqlmetrics.book.templates import macros
from support.compared import close
from support.engines import Engine

Rows = list[dict[str, Any]]
METRICS = ["ndcg@3", "auc", "mae", "precision(threshold=0.5)"]
FACTS: dict[str, Any] = {"label": "y", "group": "u", "by": ["part"]}
#: names that an engine may fold, take for equal or for numbers
MODELS = {"B": "s1", "b": "s2", "7": "s3"}


def wide() -> Rows:
    draw = random.Random(5)
    return [
        {
            "u": u,
            "i": i,
            "part": "xy"[u % 2],
            "y": float(draw.random() < 0.4),
            **{s: draw.randrange(9) / 8 for s in MODELS.values()},
        }
        for u in range(24)
        for i in range(6)
    ]


def long(rows: Rows) -> Rows:
    """A row for each model, in another order, and rows of a model that nobody asks for."""
    named = {**MODELS, "other": "s1"}
    made = [{**row, "run": name, "s": row[score]} for name, score in named.items() for row in rows]
    random.Random(6).shuffle(made)
    return made


def tables(rows: Rows) -> dict[str, Rows]:
    return {f"of_{score}": [{**row, "s": row[score]} for row in rows] for score in MODELS.values()}


@pytest.mark.parametrize("call", ["evaluate", "per_group", "curve", "compare", "compare of truth"])
def test_every_shape_has_the_same_numbers(engine: Engine, call: str) -> None:
    words, rows = macros(engine.dialect), wide()
    facts, given, first = dict(FACTS), {"scores": rows, "runs": long(rows), **tables(rows)}, {"baseline": "b"}
    asked: Any = "roc(points=corners)" if call == "curve" else ["ndcg@3"] if call == "per_group" else METRICS
    if call == "curve":
        del facts["group"]
    if call == "compare of truth":
        facts |= {"truth": "relevant", "item": "i", "by": []}
        given["relevant"] = [{name: row[name] for name in ("u", "i", "y")} for row in rows]
        asked = ["ndcg@3", "recall@2"]
    ask = words[call.split()[0]]
    facts |= first if "compare" in call else {}
    shapes = {
        "columns": ("scores", {"score": MODELS}),
        "long form": ("runs", {"score": "s", "models": {"run": list(MODELS)}}),
        "tables": ({name: f"of_{score}" for name, score in MODELS.items()}, {"score": "s"}),
    }
    found = {
        shape: engine.query(str(ask(relation, asked, **own, **facts)), given)
        for shape, (relation, own) in shapes.items()
    }
    assert len(found["columns"]) >= len(MODELS) - 1
    for shape in ("long form", "tables"):
        for got, expected in zip(found[shape], found["columns"], strict=True):
            assert got.keys() == expected.keys()
            for name, value in expected.items():
                if isinstance(value, str):
                    assert got[name] == value
                else:
                    close(got[name], value)
