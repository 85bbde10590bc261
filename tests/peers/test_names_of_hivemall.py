"""The names of Hivemall, on the page docs/coming-from/hivemall.md, beside its formulas in plain Python.

Its functions run in Hive and Spark alone. The formulas are those of the manual (hivemall.apache.org/userguide,
chapters "Binary Classification Metrics", "Regression Metrics" and "Ranking Measures") and, where the manual does not
say what is divided by what, those of hivemall.evaluation.BinaryResponsesMeasures, in which HIVEMALL-124 (release 0.5)
divides an average precision by the hits.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from statistics import mean
from typing import Any

import pytest

from generate.libraries import names
from support.peers import compare
from support.seeds import seeds

K = 10
Pairs = list[tuple[float, float]]


# --- over rows, of the true and the predicted value


def auc(pairs: Pairs) -> float:
    """The share of pairs of a positive and a negative row in order; a tie counts one half."""
    positives, negatives = ([p for y, p in pairs if y == label] for label in (1, 0))
    return mean((one > other) + (one == other) / 2 for one in positives for other in negatives)


def logloss(pairs: Pairs) -> float:
    return -mean(y * math.log(p) + (1 - y) * math.log(1 - p) for y, p in pairs)


def mse(pairs: Pairs) -> float:
    return mean((p - y) ** 2 for y, p in pairs)


def r2(pairs: Pairs) -> float:
    middle = mean(y for y, _ in pairs)
    return 1 - sum((y - p) ** 2 for y, p in pairs) / sum((y - middle) ** 2 for y, _ in pairs)


def fmeasure(pairs: Pairs, beta: float) -> float:
    hits = sum(y == 1 and p == 1 for y, p in pairs)
    precision, recall = hits / sum(p == 1 for _, p in pairs), hits / sum(y == 1 for y, _ in pairs)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


OF_ROWS: dict[str, tuple[str, Callable[[Pairs], float]]] = {
    "auc": ("probability", auc),
    "logloss": ("probability", logloss),
    "mae": ("forecast", lambda pairs: mean(abs(p - y) for y, p in pairs)),
    "mse": ("forecast", mse),
    "rmse": ("forecast", lambda pairs: math.sqrt(mse(pairs))),
    "r2": ("forecast", r2),
    "f1score": ("decision", lambda pairs: fmeasure(pairs, 1)),
    "fmeasure(truth, predicted, 2)": ("decision", lambda pairs: fmeasure(pairs, 2)),
}


# --- over lists, of the recommended and the relevant items; k is at most the length of the list


def average_precision(recommended: list[int], relevant: list[int], k: int) -> float:
    """Divided by the hits, and not by the relevant items."""
    hits = [place for place, item in enumerate(recommended[:k], 1) if item in relevant]
    return mean(number / place for number, place in enumerate(hits, 1)) if hits else 0.0


def ndcg(recommended: list[int], relevant: list[int], k: int) -> float:
    def gain(places: list[int]) -> float:
        return sum(1 / math.log2(place + 1) for place in places)

    hits = [place for place, item in enumerate(recommended[:k], 1) if item in relevant]
    return gain(hits) / gain(list(range(1, min(len(relevant), k) + 1))) if relevant else 0.0


def mrr(recommended: list[int], relevant: list[int], k: int) -> float:
    return next((1 / place for place, item in enumerate(recommended[:k], 1) if item in relevant), 0.0)


def hits(recommended: list[int], relevant: list[int], k: int) -> int:
    return len({*recommended[:k]} & {*relevant})


OF_LISTS: dict[str, Callable[[list[int], list[int], int], float]] = {
    "precision_at": lambda recommended, relevant, k: hits(recommended, relevant, k) / k,
    "recall_at": lambda recommended, relevant, k: (
        hits(recommended, relevant, k) / len(relevant) if relevant else 0.0
    ),
    "hitrate": lambda recommended, relevant, k: float(hits(recommended, relevant, k) > 0),
    "mrr": mrr,
    "average_precision": average_precision,
    "ndcg": ndcg,
}
KNOWN = {name.theirs: name.ours for name in names() if name.library == "Hivemall"}


def test_every_name_of_the_page_has_its_formula() -> None:
    assert {*KNOWN} == {*OF_ROWS, *OF_LISTS}


@pytest.mark.parametrize(
    ("name", "k", "value"),
    [
        ("recall_at", 4, 0.6666666666666666), ("recall_at", 2, 0.3333333333333333), ("precision_at", 4, 0.5),
        ("precision_at", 2, 0.5), ("mrr", 4, 1.0), ("ndcg", 4, 0.7039180890341349), ("ndcg", 2, 0.6131471927654585),
    ],
)  # fmt: skip
def test_formulas_give_the_numbers_of_the_manual(name: str, k: int, value: float) -> None:
    """Chapter "Ranking Measures", top-4 and top-2 of [1, 3, 2, 6]; its MAP is that before release 0.5."""
    assert OF_LISTS[name]([1, 3, 2, 6], [1, 2, 4], k) == pytest.approx(value, rel=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 10))
def test_names_over_rows(seed: int) -> None:
    draw = random.Random(seed)
    labels = [number % 2 for number in range(60)]
    scores = [round(0.3 * y + 0.7 * draw.random(), 2) * 0.98 + 0.01 for y in labels]
    truths = [draw.gammavariate(3, 1) for _ in labels]
    pairs: dict[str, Pairs] = {
        "probability": list(zip(labels, scores, strict=True)),
        "forecast": [(truth, truth * draw.uniform(0.5, 1.5)) for truth in truths],
        "decision": [(y, int(p >= 0.5)) for y, p in zip(labels, scores, strict=True)],
    }
    for kind, of_kind in pairs.items():
        expected: dict[str, float | None] = {
            KNOWN[name]: formula(of_kind) for name, (reads, formula) in OF_ROWS.items() if reads == kind
        }
        compare(expected, [{"label": y, "score": float(p)} for y, p in of_kind])


@pytest.mark.parametrize("seed", seeds(1, 10))
def test_names_over_lists(seed: int) -> None:
    """`on_empty=zero` counts a list without a relevant item, as Hivemall does."""
    draw = random.Random(seed)
    lists = [
        (draw.sample(range(40), draw.randint(K, 20)), draw.sample(range(40), draw.randint(0, 15)))
        for _ in range(12)
    ]
    facts: dict[str, Any] = {
        "rows": [
            {"group": user, "item": item, "score": -place}
            for user, (recommended, _) in enumerate(lists)
            for place, item in enumerate(recommended)
        ],
        "truth": [
            {"group": user, "item": item, "label": int(item in relevant)}
            for user, (_, relevant) in enumerate(lists)
            for item in (relevant or [0])
        ],
    }
    expected: dict[str, float | None] = {}
    for name, formula in OF_LISTS.items():
        written = re.fullmatch(r"(\w+)(?:\((.*)\))?@10", KNOWN[name])
        assert written is not None
        options = ", ".join(filter(None, [written[2], "on_empty=zero"]))
        expected[f"{written[1]}({options})@{K}"] = mean(formula(*pair, K) for pair in lists)
    compare(expected, **facts, group="group", item="item", ties="item")
