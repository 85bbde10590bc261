"""Weights of items inside lists: ties of every kind, weights of zero, slices, and a truth with unlisted items."""

from __future__ import annotations

from conformance.cases.tables import (
    BINARY,
    GIVEN,
    GRADED,
    GRADES,
    JUDGED,
    RECOMMENDED,
    TIED,
    UNTIED,
    Case,
    Rows,
    drawn,
    weighted,
)

METRICS = [
    *(
        f"{name}(item_weight=w)@{k}"
        for name in ("dcg", "cg", "precision", "recall", "mrr")
        for k in (1, 3, 50)
    ),
    *(f"{name}(item_weight=w)" for name in ("dcg", "cg", "map", "mrr")),
    *(f"map(item_weight=w, denominator={by})@3" for by in ("relevant", "cutoff")),
    "dcg(item_weight=w, gain=linear)@2",
    "cg(item_weight=w, gain=binary)@2",
    "precision(item_weight=w, denominator=listed)@50",
    "recall(item_weight=w, average=micro)@3",
]
HITS = ["map(item_weight=w, denominator=hits)@3", "map(item_weight=w, denominator=hits)"]
WEIGHED = weighted(JUDGED)
#: Of clicks, by the propensities of `examined`.
CLICKS = [
    *(f"{name}(propensity=chance)@{k}" for name in ("ips_dcg", "ips_ndcg") for k in (1, 3, 50)),
    *(f"{name}(propensity=chance{clip})" for name in ("ips_dcg", "ips_ndcg") for clip in ("", ", clip=2")),
    "ips_ndcg(propensity=chance, average=micro)@2",
]


def examined(rows: Rows) -> Rows:
    """With propensities, which items without a click may lack."""
    return [
        {**row, "chance": None if row["label"] <= 0 and i % 2 else (1.0, 0.5, 0.125, 0.3)[i % 4]}
        for i, row in enumerate(rows)
    ]


CASES = [
    Case("item weights, untied", METRICS, weighted(UNTIED), facts=BINARY),
    Case("item weights, tied", METRICS, weighted(TIED), facts=BINARY),
    Case("item weights, graded", METRICS, weighted(GRADED), facts=GRADES),
    Case("item weights, positive from 3", METRICS, weighted(GRADED), facts={**GRADES, "positive": 3}),
    *(
        Case(
            f"item weights, ties={ties}", [*METRICS, *HITS], weighted(GRADED), facts={**GRADES, "ties": ties}
        )
        for ties in ("worst", "best", "item")
    ),
    *(
        Case(
            f"item weights, alike, ties={ties}",
            [*METRICS, *HITS],
            weighted(TIED),
            facts={**BINARY, "ties": ties},
        )
        for ties in ("worst", "best")
    ),
    Case("item weights of zero", METRICS, [{**row, "w": 0.0} for row in TIED], facts=BINARY),
    Case(
        "item weights where relevant",
        METRICS,
        [{**row, "w": row["w"] if row["label"] else None} for row in weighted(TIED)],
        facts=BINARY,
    ),
    Case(
        "item weights in slices",
        METRICS,
        [{**row, "part": "xyx"[i % 3]} for i, row in enumerate(weighted(GRADED))],
        facts=GRADES,
        by="part",
    ),
    Case("item weights in the truth", METRICS, RECOMMENDED, truth=WEIGHED, facts=GIVEN),
    Case(
        "item weights in the truth, ties=worst",
        [*METRICS, *HITS],
        RECOMMENDED,
        truth=WEIGHED,
        facts={**GIVEN, "ties": "worst"},
    ),
    *(
        Case(f"item weights, drawn {seed}", METRICS, weighted(drawn(seed, 4)), facts=GRADES)
        for seed in range(4)
    ),
    Case("clicks, untied", CLICKS, examined(UNTIED), facts=BINARY),
    Case("clicks, tied", [*CLICKS, "ndcg@3"], examined(TIED), facts=BINARY),
    Case("clicks, ties=worst", CLICKS, examined(GRADED), facts={**GRADES, "ties": "worst"}),
    Case(
        "clicks in slices",
        CLICKS,
        [{**row, "part": "xyx"[i % 3]} for i, row in enumerate(examined(GRADED))],
        facts=GRADES,
        by="part",
    ),
    Case("clicks in the truth", CLICKS, RECOMMENDED, truth=examined(JUDGED), facts=GIVEN),
    *(Case(f"clicks, drawn {seed}", CLICKS, examined(drawn(seed, 4)), facts=GRADES) for seed in range(2)),
]
