"""Exposure of groups of items in lists: ties of every kind, NULL as a group, lists of one group, slices."""

from __future__ import annotations

from conformance.cases.tables import BINARY, GRADED, GRADES, TIED, UNTIED, Case, Rows, drawn

NAMES = ("exposure_parity_ratio", "disparate_treatment_ratio", "awrf")
EXPOSURE = [
    *(f"{name}(sensitive=sex)@{k}" for name in NAMES for k in (1, 3, 50)),
    *(f"{name}(sensitive=sex{p})" for name in NAMES for p in ("", ", p=0.5")),
    *(f"{name}(sensitive=sex, p=0.8)@2" for name in NAMES),
    *("awrf(sensitive=sex, distance=js)", "awrf(sensitive=sex, distance=js, p=0.5)@2"),
    *(f"{name}(sensitive=sex, on_empty=zero, weight=impressions)@3" for name in NAMES),
    *("exposure_parity_ratio(sensitive=brand)@3", "awrf(sensitive=sex, average=median)@3"),
]


def grouped(rows: Rows) -> Rows:
    """With two columns of groups; one of them is missing for some items, and lists `b` and `e` have one group."""
    return [
        {
            **row,
            "sex": "f" if row["list"] in ("b", "e") else ("f", "m", None, "f", "m")[i % 5],
            "brand": i % 2,
        }
        for i, row in enumerate(rows)
    ]


CASES = [
    Case("exposure, untied", EXPOSURE, grouped(UNTIED), facts=BINARY),
    Case("exposure, tied", [*EXPOSURE, "ndcg@3", "mrr"], grouped(TIED), facts=BINARY),
    Case("exposure, graded", EXPOSURE, grouped(GRADED), facts=GRADES),
    *(
        Case(f"exposure, ties={ties}", EXPOSURE, grouped(GRADED), facts={**GRADES, "ties": ties})
        for ties in ("worst", "item", "item desc")
    ),
    Case(
        "exposure in slices",
        EXPOSURE,
        [{**row, "part": "xyx"[i % 3]} for i, row in enumerate(grouped(GRADED))],
        facts=GRADES,
        by="part",
    ),
    Case("exposure, one group", EXPOSURE, [{**row, "sex": None, "brand": 1} for row in TIED], facts=BINARY),
    *(Case(f"exposure, drawn {seed}", EXPOSURE, grouped(drawn(seed, 4)), facts=GRADES) for seed in range(3)),
]
