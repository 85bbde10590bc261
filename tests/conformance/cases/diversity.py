"""Lists whose items serve several subtopics: ties, subtopics without an item, items that nobody judged or listed."""

from __future__ import annotations

import random
import re
from typing import Any

from conformance.cases.tables import Case, Rows

GIVEN = {"group": "list", "item": "item", "subtopic": "aspect"}
IDEALS = [
    *(f"{name}@{k}" for name in ("alpha_ndcg", "alpha_ndcg(ideal=cutoff)") for k in (1, 2, 3, 20)),
    *(f"err_ia(ideal={ideal})@{k}" for ideal in ("judged", "cutoff") for k in (1, 3, 20)),
    *(f"alpha_ndcg(alpha={alpha})@5" for alpha in (0, 0.3, 0.9, 1)),
    *("alpha_ndcg(alpha=0.3, ideal=cutoff)@3", "err_ia(alpha=0.9, ideal=judged)@4"),
]
DIVERSITY = [
    *IDEALS,
    *(
        "err_ia",
        "err_ia@1",
        "err_ia@3",
        "err_ia@50",
        "err_ia(alpha=0.3)",
        "err_ia(alpha=0)",
        "err_ia(alpha=1)@2",
    ),
    *("subtopic_recall", "subtopic_recall@1", "subtopic_recall@2", "subtopic_recall@50"),
    *("alpha_ndcg(average=micro)@3", "err_ia(average=micro)@3", "subtopic_recall(average=micro)@2"),
    *("alpha_ndcg(on_empty=zero)@3", "err_ia(on_empty=one)", "subtopic_recall(on_missing=skip)@2"),
    "subtopic_recall(average=micro, on_empty=one)@2",
    *("alpha_ndcg(weight=impressions)@3", "err_ia(weight=positives)@3"),
]
BESIDE = ["ndcg@3", "map", "mrr@2", "recall@2", "bpref", "judged@3"]


def listed(lists: dict[str, str], scores: dict[str, list[float]] | None = None, **more: Any) -> Rows:
    """Rows of lists, of which a letter names an item; without scores the letters stand in ranked order."""
    return [
        {
            "list": name,
            "item": i,
            "score": (scores or {}).get(name, range(len(items), 0, -1))[rank] / 8,
            **more,
        }
        for name, items in lists.items()
        for rank, i in enumerate(items)
    ]


def judged(lists: dict[str, str]) -> Rows:
    """Rows of a truth: `a12` is item a, relevant for subtopics 1 and 2; in `b1-3=` b is not relevant and unjudged."""
    labels = {"+": 1, "++": 2, "-": 0, "=": -1}
    return [
        {"list": name, "item": text[0], "aspect": f"s{subtopic}", "label": labels[mark or "+"]}
        for name, items in lists.items()
        for text in items.split()
        for subtopic, mark in re.findall(r"(\d)(\D*)", text)
    ]


LISTS = {"u": "abcdef", "v": "fedcx", "w": "xyz", "y": "ba", "extra": "ab"}
SCORES = {"u": [5, 5, 5, 3, 3, 1], "v": [4, 4, 4, 4, 2], "w": [1, 1, 1], "y": [2, 2]}
TRUTH = judged(
    {
        # c and e serve what a serves; nothing serves the third subtopic of v
        "u": "a12 b1 c12 d3- e12++ g123 f2=",
        "v": "f1 e1 d2 c12 x3- a3=",
        # judged and not relevant; not predicted
        "w": "x1- y2-",
        "missing": "a1 b2",
        "y": "a1++2- b1-2",
    }
)


def drawn(seed: int) -> tuple[Rows, Rows]:
    """Random lists with many ties, and judgements of a part of their items, on up to four of six subtopics."""
    draw = random.Random(seed)
    items = [f"i{i:02}" for i in range(16)]
    truth = [
        {"list": f"q{q}", "item": i, "aspect": aspect, "label": draw.choice([-1, 0, 1, 1, 2])}
        for q in range(6)
        for i in draw.sample(items, draw.randint(1, 12))
        for aspect in draw.sample(range(6), draw.randint(1, 4))
    ]
    rows = [
        {"list": f"q{q}", "item": i, "score": draw.randrange(5) / 8}
        for q in range(1, 8)
        for i in draw.sample(items, draw.randint(1, 14))
    ]
    return rows, truth


CASES = [
    Case("subtopics", DIVERSITY, listed(LISTS), truth=TRUTH, facts=GIVEN),
    Case("subtopics, tied", DIVERSITY, listed(LISTS, SCORES), truth=TRUTH, facts=GIVEN),
    *(
        Case(
            f"subtopics, ties={ties}",
            DIVERSITY,
            listed(LISTS, SCORES),
            truth=TRUTH,
            facts={**GIVEN, "ties": ties},
        )
        for ties in ("item desc", "item", "worst", "best")
    ),
    Case("subtopics, beside others", [*BESIDE, *DIVERSITY], listed(LISTS, SCORES), truth=TRUTH, facts=GIVEN),
    Case("other metrics with subtopics", BESIDE, listed(LISTS, SCORES), truth=TRUTH, facts=GIVEN),
    *(
        Case(f"{notation} alone", [notation], listed(LISTS, SCORES), truth=TRUTH, facts=GIVEN)
        for notation in DIVERSITY
    ),
    Case("subtopics, positive from 2", DIVERSITY, listed(LISTS), truth=TRUTH, facts={**GIVEN, "positive": 2}),
    Case(
        "subtopics by run",
        [*DIVERSITY, "recall@2"],
        [{**row, "day": int(row["item"] in "ace")} for row in listed(LISTS, SCORES)],
        truth=TRUTH,
        facts=GIVEN,
        by="day",
    ),
    Case(
        "subtopics, bad rows",
        DIVERSITY,
        [
            *listed(LISTS),
            {"list": "u", "item": "h", "score": float("nan")},
            {"list": None, "item": "f", "score": 1.0},
            {"list": "u", "item": None, "score": 1.0},
        ],
        truth=TRUTH,
        facts=GIVEN,
    ),
    Case("one item of one subtopic", DIVERSITY, listed({"u": "a"}), truth=judged({"u": "a1"}), facts=GIVEN),
    Case("no subtopic served", DIVERSITY, listed({"u": "ab"}), truth=judged({"u": "a1-"}), facts=GIVEN),
    *(
        Case(
            f"subtopics drawn {seed}",
            [*DIVERSITY, *BESIDE[:4]],
            rows,
            truth=truth,
            facts={**GIVEN, "ties": ties},
        )
        for seed, ties in enumerate(("average", "item", "item desc", "average"))
        for rows, truth in [drawn(seed)]
    ),
]
