"""States of random lists, made day by day, as tests of `finish` and of measures read them."""

from __future__ import annotations

import math
import random
from typing import Any

import sqlmetrics as sm
from conformance.cases.tables import BAD, BINARY, GRADED, GRADES, TIED, WEIGHTS, Rows, drawn
from support.engines import Engine

DAYS = ["2026-06-01", "2026-06-02", "2026-06-05"]
BINARY_DRAWN = [{**row, "label": min(row["label"], 1)} for row in drawn(11, 4) + drawn(12, 5)]
TABLES: dict[str, tuple[Rows, dict[str, Any]]] = {
    "binary": (BINARY_DRAWN, BINARY),
    "graded": ([*GRADED, *drawn(3, 4)], GRADES),
    "weights": (
        [{**row, "w": WEIGHTS[i % 5]} for i, row in enumerate(BINARY_DRAWN)],
        {"weight": "w"},
    ),
    "bad rows": ([*TIED, *BAD, *BINARY_DRAWN], BINARY),
}


def named_by_metrics(i: int) -> dict[str, Any]:
    """The columns that metrics of the cases name."""
    ends = {"q1": -(i % 3) / 2, "q5": 0.5, "q9": 0.5 + i % 4 / 2}
    return {
        **ends,
        "sex": ("f", "m", None)[i % 3],
        "brand": i % 2,
        "chance": (1, 0.5, 0.1)[i % 3],
        "told": i % 5 / 4,
        "value": 0.5,
        "other": i % 2 / 2,
    }


def spread(rows: Rows, seed: int = 0) -> Rows:
    """Rows on days, which cut lists, in parts, which cut the lists of a day; scores tie across both."""
    draw = random.Random(seed)
    placed = [{**row, "day": draw.choice(DAYS), "part": draw.choice("xyz")} for row in rows]
    return [
        {
            "w": len(str(row["list"])) / 2,
            **row,
            "daily": f"{row['day']} {row['list']}" if row["list"] else None,
            **named_by_metrics(i),
        }
        for i, row in enumerate(placed)
    ]


def whole(rows: Rows, seed: int = 0) -> Rows:
    """The same with every list of a day in one part, of which there are two kinds."""
    of = random.Random(seed)
    part = {row["daily"]: {"part": of.choice("xyz"), "kind": of.choice("pq")} for row in rows}
    return [{**row, **part[row["daily"]]} for row in rows]


def state_of(engine: Engine, rows: Rows, metrics: Any, days: list[str], **facts: Any) -> Rows:
    """The states of days, each made alone, in no order."""
    statement = sm.render_state(
        "select * from predictions where day = 'DAY'", metrics, dialect=engine.dialect,
        **{"label": "label", "score": "score", **facts}, period="day",
    )  # fmt: skip
    made = []
    for day in days:
        made.extend(engine.query(statement.replace("'DAY'", f"'{day}'"), {"predictions": rows}))
    random.Random(1).shuffle(made)
    return made


def same(one: Any, other: Any, tolerance: float = 1e-12) -> bool:
    if isinstance(one, str) or isinstance(other, str) or one is None or other is None:
        return one == other
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=1e-13)
