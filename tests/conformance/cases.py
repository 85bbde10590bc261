"""The edges that every metric meets on every engine: small tables, and the facts that go with them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

Rows = list[dict[str, Any]]

ROW_METRICS = [
    "count",
    "base_rate",
    "accuracy",
    "accuracy(threshold=0.3)",
    "error_rate",
    "precision",
    "precision(threshold=2)",
    "precision(threshold=2, zero_division=1)",
    "recall",
    "recall(zero_division=0)",
    "specificity",
    "f1",
    "f1(threshold=0.9, zero_division=0)",
    "f_beta(beta=2)",
    "f_beta(beta=0.5, threshold=0.25)",
    "log_loss",
    "log_loss(eps=0.01)",
    "brier",
    "mse",
    "rmse",
    "mae",
    "bias",
    "r2",
]
LEVEL_METRICS = ["auc", "average_precision", "ks"]
LIST_METRICS = [
    *(
        f"{name}@{k}"
        for name in ("ndcg", "dcg", "cg", "map", "mrr", "precision", "recall", "hit_rate", "err")
        for k in (1, 3, 50)
    ),
    *("ndcg", "dcg", "cg", "map", "mrr", "hit_rate", "err"),
    *(
        "ndcg(gain=linear)@3",
        "ndcg(gain=binary)",
        "ndcg(ideal=full)@2",
        "ndcg(ideal=listed)@3",
        "dcg(log_base=e)@3",
    ),
    *(
        "dcg(gain=linear, log_base=10)",
        "cg(gain=exponential)@2",
        "map(denominator=relevant)@3",
        "map(denominator=cutoff)@3",
    ),
    *(
        "precision(denominator=listed)@50",
        "recall(average=micro)@3",
        "precision(average=micro)@3",
        "ndcg(average=micro)@3",
    ),
    *(
        "map(on_empty=zero)@3",
        "ndcg(on_empty=one)@3",
        "recall(on_empty=one, average=micro)@3",
        "mrr(weight=impressions)",
    ),
    *("ndcg(weight=pairs)@3", "hit_rate(weight=positives)@2", "map(weight=negatives, on_empty=zero)@3"),
    *(
        "gauc",
        "gauc(weight=uniform)",
        "gauc(weight=positives)",
        "gauc(weight=negatives)",
        "gauc(weight=pairs)",
    ),
    *("gauc(on_empty=zero)", "gauc(average=micro)"),
]
TRUTH_METRICS = [
    *(
        "ndcg@3",
        "ndcg",
        "ndcg(ideal=listed)@3",
        "ndcg(ideal=full)@2",
        "map@3",
        "map",
        "mrr@3",
        "recall@3",
        "hit_rate@2",
    ),
    *(
        "precision@3",
        "err@3",
        "recall(average=micro)@3",
        "ndcg(on_missing=skip)@3",
        "map(on_missing=skip, on_empty=zero)@3",
    ),
    *("recall(weight=positives)@3", "map(weight=pairs)@3", "cg@3", "dcg@3"),
]


@dataclass(frozen=True)
class Case:
    """A table, what is said of it, and what is asked."""

    name: str
    metrics: list[str]
    rows: Rows
    truth: Rows | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    by: str | None = None


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


EVERY_GRAIN = [*ROW_METRICS, *LEVEL_METRICS, *LIST_METRICS]
CASES = [
    Case("untied", EVERY_GRAIN, UNTIED, facts=BINARY),
    Case("tied", EVERY_GRAIN, TIED, facts=BINARY),
    Case("graded", EVERY_GRAIN, GRADED, facts=GRADES),
    Case("positive from 3", EVERY_GRAIN, GRADED, facts={**GRADES, "positive": 3}),
    Case("booleans", EVERY_GRAIN, [{**row, "label": row["label"] > 0} for row in TIED], facts=BINARY),
    *(
        Case(f"ties={ties}", LIST_METRICS, GRADED, facts={**GRADES, "ties": ties})
        for ties in ("worst", "best", "item", "item desc")
    ),
    Case(
        "denominator=hits",
        ["map(denominator=hits)@3", "map(denominator=hits)"],
        GRADED,
        facts={**GRADES, "ties": "worst"},
    ),
    Case("one class", EVERY_GRAIN, [{**row, "label": 1} for row in UNTIED], facts=BINARY),
    Case("nothing positive", EVERY_GRAIN, [{**row, "label": 0} for row in UNTIED], facts=BINARY),
    Case("one row", EVERY_GRAIN, UNTIED[:1], facts=BINARY),
    Case("all tied", EVERY_GRAIN, [{**row, "score": 0.5} for row in UNTIED], facts=BINARY),
    Case("bad rows", EVERY_GRAIN, [*TIED, *BAD], facts=BINARY),
    Case("weights of rows", [*ROW_METRICS, *LEVEL_METRICS], weighted(TIED), facts={**BINARY, "weight": "w"}),
    Case(
        "weights of rows, counted levels",
        LEVEL_METRICS,
        weighted(TIED),
        facts={"weight": "w", "score_levels": "counted"},
    ),
    Case("counted levels", LEVEL_METRICS, TIED, facts={"score_levels": "counted"}),
    Case("weights of lists", LIST_METRICS, weighted_lists(GRADED), facts={**GRADES, "weight": "w"}),
    Case(
        "weight column",
        ["ndcg(weight=w)@3", "gauc(weight=w)", "map(weight=w)"],
        weighted_lists(GRADED),
        facts=GRADES,
    ),
    Case(
        "weights of zero",
        [*ROW_METRICS, *LEVEL_METRICS],
        [{**row, "w": 0.0} for row in TIED],
        facts={**BINARY, "weight": "w"},
    ),
    Case(
        "slices",
        EVERY_GRAIN,
        [{**row, "part": "xyxzx"["abcde".index(row["list"])]} for row in TIED],
        facts=BINARY,
        by="part",
    ),
    Case(
        "slices across lists",
        EVERY_GRAIN,
        [{**row, "part": i % 3 or None} for i, row in enumerate(GRADED)],
        facts=GRADES,
        by="part",
    ),
    Case("truth", TRUTH_METRICS, RECOMMENDED, truth=JUDGED, facts={**GIVEN, "max_grade": 4}),
    Case(
        "truth, positive from 2",
        [*TRUTH_METRICS, "gauc", "gauc(weight=pairs)"],
        RECOMMENDED,
        truth=JUDGED,
        facts={**GIVEN, "max_grade": 4, "positive": 2},
    ),
    Case(
        "truth, ties=item",
        TRUTH_METRICS,
        RECOMMENDED,
        truth=JUDGED,
        facts={**GIVEN, "max_grade": 4, "ties": "item"},
    ),
    *(Case(f"drawn {seed}", EVERY_GRAIN, drawn(seed, 5), facts=GRADES) for seed in range(4)),
    Case(
        "many levels, counted", LEVEL_METRICS, drawn(9, 50), facts={"positive": 1, "score_levels": "counted"}
    ),
]
