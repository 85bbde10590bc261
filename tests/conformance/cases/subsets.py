"""Labels of examples, and gaps between the values of a sensitive column."""

from __future__ import annotations

import random

from conformance.cases.tables import GIVEN, WEIGHTS, Case, Rows

RATIOS = ("multilabel_precision", "multilabel_recall", "multilabel_f1", "multilabel_jaccard")
LABELS = [
    *(
        f"{name}(average={average})"
        for name in RATIOS
        for average in ("macro", "weighted", "samples", "micro")
    ),
    *(f"{name}(average=samples, zero_division=1)" for name in RATIOS),
    *("multilabel_f1(average=macro, threshold=0.3)", "multilabel_f_beta(average=micro, beta=0)"),
    *(
        f"multilabel_f_beta(average={average}, beta=2)"
        for average in ("macro", "weighted", "samples", "micro")
    ),
    *(
        "multilabel_f_beta(average=samples, beta=0.5, zero_division=1)",
        "subset_accuracy",
        "subset_accuracy(threshold=0.3)",
    ),
]
GAPS = [
    *("selection_rate", "selection_rate(threshold=0.3)", "demographic_parity_difference(sensitive=sex)"),
    *("demographic_parity_ratio(sensitive=sex)", "equal_opportunity_difference(sensitive=sex)"),
    *("equal_opportunity_ratio(sensitive=sex)", "equalized_odds_difference(sensitive=sex)"),
    *("equalized_odds_ratio(sensitive=sex)", "equalized_odds_ratio(sensitive=age, threshold=0.3)"),
    "demographic_parity_difference(sensitive=age)",
]


def labelled(seed: int) -> Rows:
    """A row an example and label; an example without a label, one of which nothing is predicted, one all right."""
    draw = random.Random(seed)
    rows = [
        {
            "list": f"e{example}",
            "item": item,
            "label": draw.choice([0, 0, 1]),
            "score": draw.randrange(6) / 5,
            "w": WEIGHTS[example % len(WEIGHTS)],
            "part": "xy"[example % 2],
        }
        for example in range(12)
        for item in draw.sample("abcd", 4)
    ]
    for row in rows:
        row["label"] = 0 if row["list"] == "e0" else row["label"]
        row["score"] = {"e1": 0.1, "e2": row["label"]}.get(row["list"], row["score"])
        row["predicted"] = int(row["score"] >= 0.5)
    return rows


def people(seed: int) -> Rows:
    """Decisions about people; nobody of one age is positive."""
    draw = random.Random(seed)
    ages = ["young", "old", "it's"]
    rows = [
        {
            "label": draw.choice([0, 1]),
            "score": draw.randrange(6) / 5,
            "sex": draw.choice(["f", "m", None]),
            "age": draw.choice(ages),
            "w": draw.choice(WEIGHTS),
            "part": draw.choice("xy"),
        }
        for _ in range(60)
    ]
    return [{**row, "label": 0 if row["age"] == "old" else row["label"]} for row in rows]


CASES = [
    Case("labels of examples", LABELS, labelled(0), facts=GIVEN),
    Case(
        "labels of examples, predicted",
        LABELS,
        labelled(1),
        facts={**GIVEN, "prediction": "predicted"},
        by="part",
    ),
    Case("labels of examples, weights", LABELS, labelled(2), facts={**GIVEN, "weight": "w"}, by="part"),
    Case("gaps", GAPS, people(0)),
    Case("gaps, weights, slices", GAPS, people(1), facts={"weight": "w"}, by="part"),
    Case("gaps, one value", GAPS, [{**row, "sex": "f"} for row in people(2)]),
    Case(
        "gaps, predicted texts",
        GAPS[:1] + GAPS[2:8],
        [
            {**row, "label": ["no", "yes"][row["label"]], "predicted": ["no", "yes"][row["score"] >= 0.5]}
            for row in people(3)
        ],
        facts={"score": None, "prediction": "predicted", "positive": "yes"},
    ),
]
