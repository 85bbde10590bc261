"""The small tables that cases run over, and the facts that go with them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """A table, what is said of it, and what is asked."""

    name: str
    metrics: list[str]
    rows: Rows
    truth: Rows | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    by: str | None = None
    tables: dict[str, Rows] = field(default_factory=dict)  # catalog, history and distances


def lists(labels: dict[str, list[Any]], scores: dict[str, list[Any]], **more: dict[str, Any]) -> Rows:
    """Rows of lists, from labels and scores by list and further columns by list."""
    return [
        {
            "list": name,
            "item": f"{name}{i:02}",
            "label": y,
            "score": s,
            **{c: of[name] for c, of in more.items()},
        }
        for name in labels
        for i, (y, s) in enumerate(zip(labels[name], scores[name], strict=True))
    ]


UNTIED = lists(
    {"a": [1, 0, 1, 0], "b": [0, 1], "c": [0, 0, 0], "d": [1, 1], "e": [1]},
    {"a": [0.9, 0.8, 0.35, 0.1], "b": [0.6, 0.2], "c": [0.5, 0.4, 0.3], "d": [0.75, 0.15], "e": [0.55]},
)
TIED = lists(
    {"a": [1, 0, 0, 1, 0, 1], "b": [0, 0, 1, 0], "c": [1, 1, 0], "d": [0, 0], "e": [1, 0, 1, 1, 0]},
    {
        "a": [0.5, 0.5, 0.5, 0.5, 0.25, 0.25],
        "b": [0.5] * 4,
        "c": [0.75, 0.5, 0.5],
        "d": [0.5, 0.5],
        "e": [0.25, 0.25, 0.75, 0.75, 0.75],
    },
)
GRADED = lists(
    {"a": [3, 0, 2, 1, 0, 4], "b": [0, 1, 4, 2], "c": [0, 0, 0], "d": [2, 2, 3], "e": [1]},
    {
        "a": [0.5, 0.5, 0.5, 0.5, 0.25, 0.25],
        "b": [0.1, 0.2, 0.3, 0.4],
        "c": [0.75, 0.5, 0.5],
        "d": [0.5, 0.5, 0.5],
        "e": [0.0],
    },
)
WEIGHTS = [1.0, 2.5, 0.0, 0.5, 3.0]
GIVEN = {"group": "list", "item": "item"}
GRADES = {**GIVEN, "max_grade": 4, "positive": 1}
BINARY = {**GIVEN, "max_grade": 1}
BAD = [
    {"list": "a", "item": "x1", "label": None, "score": 0.5},
    {"list": "a", "item": "x2", "label": 1, "score": None},
    {"list": "b", "item": "x3", "label": 1, "score": float("nan")},
    {"list": "b", "item": "x4", "label": 0, "score": float("inf")},
    {"list": None, "item": "x5", "label": 0, "score": 0.5},
    {"list": "c", "item": None, "label": 1, "score": 0.5},
]
RECOMMENDED = [{key: row[key] for key in ("list", "item", "score")} for row in GRADED] + [
    {"list": "unknown", "item": "z", "score": 0.5}
]
JUDGED = [
    *(
        {"list": row["list"], "item": row["item"], "label": row["label"]}
        for row in GRADED
        if row["label"] != 1
    ),
    {"list": "a", "item": "unlisted", "label": 4},
    {"list": "missing", "item": "a00", "label": 2},
    {"list": "missing", "item": "a01", "label": 0},
    {"list": "barren", "item": "a00", "label": 0},
]


def drawn(seed: int, levels: int) -> Rows:
    """Random lists with many ties."""
    draw = random.Random(seed)
    return [
        {
            "list": f"q{q}",
            "item": f"i{i}",
            "label": draw.choice([0, 0, 1, 2, 4]),
            "score": draw.randrange(levels) / levels,
        }
        for q in range(8)
        for i in range(draw.randint(1, 6))
    ]


def weighted(rows: Rows) -> Rows:
    return [{**row, "w": WEIGHTS[i % len(WEIGHTS)]} for i, row in enumerate(rows)]


def weighted_lists(rows: Rows) -> Rows:
    return [{**row, "w": 1.0 + "abcde".index(row["list"])} for row in rows]
