"""Predicted classes, and classes with scores."""

from __future__ import annotations

import random
from typing import Any

from conformance.cases.tables import GIVEN, WEIGHTS, Case, Rows

RATIOS = ("precision", "recall", "f1", "f_beta(beta=2)", "f_beta(beta=0.5)", "f_beta(beta=0)", "jaccard")


def with_options(metric: str, options: str) -> str:
    return f"{metric[:-1]}, {options})" if metric.endswith(")") else f"{metric}({options})"


AVERAGED = [
    *(
        with_options(metric, f"average={average}")
        for metric in RATIOS
        for average in ("macro", "micro", "weighted")
    ),
    *(with_options(metric, "average=macro, zero_division=1") for metric in RATIOS),
    *(with_options(metric, "average=weighted, zero_division=1") for metric in ("precision", "recall")),
    *(with_options(metric, "average=macro, classes=label") for metric in RATIOS),
]
LEFT_OUT = [
    with_options(metric, f"average={average}, zero_division=nan")
    for metric in RATIOS
    for average in ("macro", "weighted", "macro, classes=label")
]
AGREEMENT = [
    "accuracy", "error_rate", "balanced_accuracy", "balanced_accuracy(adjusted=true)",
    "mcc", "mcc(zero_division=0)", "kappa", "kappa(zero_division=1)",
]  # fmt: skip
ORDERED = ["kappa(weights=linear)", "kappa(weights=quadratic)"]
BINARY = [
    "precision", "recall", "f1", "f_beta(beta=2)", "specificity",
    "precision(zero_division=0)", "recall(zero_division=1)",
]  # fmt: skip


def of_class(name: str) -> list[str]:
    return [
        *(f"{metric}(class={name})" for metric in ("precision", "recall", "f1", "jaccard")),
        f"f_beta(beta=2, class={name}, zero_division=0)",
        f"precision(class={name}, zero_division=1)",
    ]


def over(labels: str) -> list[str]:
    """Averages over named classes."""
    averages = ("macro", "micro", "weighted", "macro, zero_division=1", "macro, zero_division=nan")
    return [with_options(metric, f"average={one}, labels={labels}") for metric in RATIOS for one in averages]


def judged(labels: list[Any], predictions: list[Any], **more: list[Any]) -> Rows:
    return [
        {"label": y, "predicted": p, **{name: values[i] for name, values in more.items()}}
        for i, (y, p) in enumerate(zip(labels, predictions, strict=True))
    ]


def drawn(seed: int, classes: list[Any], rows: int = 40) -> Rows:
    """Random predictions that are right more often than not; some classes may not occur on one side."""
    draw = random.Random(seed)
    labels = draw.choices(classes, [2.0**-i for i in range(len(classes))], k=rows)
    predictions = [y if draw.random() < 0.5 else draw.choice(classes) for y in labels]
    return judged(
        labels, predictions, w=draw.choices(WEIGHTS, k=rows), part=draw.choices(["x", "y", None], k=rows)
    )


def scored(seed: int, classes: list[Any], examples: int = 12, levels: int = 4) -> Rows:
    """A row an example and class, with many ties."""
    draw = random.Random(seed)
    true = draw.choices(classes, k=examples)
    return [
        {
            "list": f"e{example}",
            "item": name,
            "label": int(name == true[example]),
            "score": (draw.randrange(levels) + (name == true[example])) / levels,
            "w": WEIGHTS[example % len(WEIGHTS)],
            "part": "xy"[example % 2],
        }
        for example in range(examples)
        for name in draw.sample(classes, len(classes))
    ]


def wide(rows: Rows) -> Rows:
    """The same with a row an example, and the score of each class in a column."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        example = found.setdefault(row["list"], {"w": row["w"], "part": row["part"]})
        example[f"p_{row['item']}"] = row["score"]
        if row["label"]:
            example["label"] = row["item"]
    return list(found.values())


def probable(rows: Rows) -> Rows:
    """The same with scores in [0, 1], which need not sum to 1."""
    return [{**row, "score": row["score"] / 2} for row in rows]


def columns_of(classes: list[Any]) -> dict[str, Any]:
    return {"score": None, "class_scores": {one: f"p_{one}" for one in classes}}


CLASS = {"score": None, "prediction": "predicted"}
CATS = ["cat", "dog", "it's", "emu"]
NUMBERS = [0, 1, 2, 5, 10]
AREAS = [
    f"multiclass_auc(method={method}, average={average})"
    for method in ("ovr", "ovo")
    for average in ("macro", "weighted", "micro")
    if (method, average) != ("ovo", "micro")
] + [f"multiclass_average_precision(average={average})" for average in ("macro", "weighted", "micro")]
PROBABLE = ["multiclass_log_loss", "multiclass_log_loss(eps=0.2)", "multiclass_brier"]
CALIBRATION = [
    *("top_label_ece", "top_label_ece(bins=3)", "top_label_ece(bins=3, equal=count)"),
    *("classwise_ece", "classwise_ece(bins=1)", "classwise_ece(bins=4, equal=count)"),
]
#: By scores in quarters, and in eighths where they are probabilities.
SETS = [
    f"{name}({by})" for name in ("set_coverage", "set_size") for by in ("threshold=0.375", "threshold=0.7")
]
SETS += ["set_coverage", "set_size"]
SIZES = [f"size_stratified_coverage(threshold={at})" for at in (0.25, 0.375)] + ["size_stratified_coverage"]
TOP_K = [f"top_k_accuracy@{k}" for k in (1, 2, 3, 50)]
HOLES = [
    {"label": None, "predicted": 1.0},
    {"label": float("nan"), "predicted": 1.0},
    {"label": 2.0, "predicted": None},
    {"label": 2.0, "predicted": float("nan")},
]

CASES = [
    *(
        Case(
            f"text classes {seed}",
            [*AVERAGED, *AGREEMENT, *of_class("cat"), *of_class("it's"), *over("cat:it's:none")],
            drawn(seed, CATS),
            facts=CLASS,
        )
        for seed in range(3)
    ),
    *(
        Case(
            f"numbered classes {seed}",
            [*AVERAGED, *LEFT_OUT, *AGREEMENT, *ORDERED, *of_class("5"), *over("5:0:77")],
            drawn(seed, NUMBERS),
            facts=CLASS,
        )
        for seed in range(3)
    ),
    Case(
        "classes, weights",
        [*AVERAGED, *LEFT_OUT, *over("10:2"), *AGREEMENT, *ORDERED],
        drawn(7, NUMBERS),
        facts={**CLASS, "weight": "w"},
    ),
    Case(
        "classes, weights of zero",
        [*AVERAGED, *LEFT_OUT, *over("10:2"), *AGREEMENT, *ORDERED],
        [{**row, "w": 0.0} for row in drawn(7, NUMBERS)],
        facts={**CLASS, "weight": "w"},
    ),
    Case(
        "a class without weight",
        [*AVERAGED, *LEFT_OUT, *over("10:2"), *AGREEMENT, *ORDERED],
        [{**row, "w": 0.0 if 10 in (row["label"], row["predicted"]) else 1.5} for row in drawn(8, NUMBERS)],
        facts={**CLASS, "weight": "w"},
    ),
    Case(
        "classes, slices",
        [*AVERAGED, *AGREEMENT, *ORDERED, *of_class("2"), *over("10:2:0")],
        drawn(9, NUMBERS),
        facts=CLASS,
        by="part",
    ),
    Case(
        "text classes, slices, weights",
        [*AVERAGED, *AGREEMENT, *of_class("emu")],
        drawn(9, CATS),
        facts={**CLASS, "weight": "w"},
        by="part",
    ),
    Case(
        "classes, never predicted",
        [*AVERAGED, *LEFT_OUT, *AGREEMENT, *of_class("b"), *over("b:c")],
        judged([*"aabbc"], [*"aaaac"]),
        facts=CLASS,
    ),
    Case(
        "classes, predicted, never labelled",
        [*AVERAGED, *LEFT_OUT, *AGREEMENT, *of_class("c"), *over("c:d"), *over("d:e")],
        judged([*"aabb"], [*"acbc"]),
        facts=CLASS,
    ),
    Case(
        "classes, one class",
        [*AVERAGED, *LEFT_OUT, *AGREEMENT, *ORDERED, *of_class("3"), *over("3"), *over("4")],
        judged([3, 3], [3, 3]),
        facts=CLASS,
    ),
    Case("classes, one label", [*AVERAGED, *AGREEMENT, *ORDERED], judged([3, 3, 3], [3, 1, 3]), facts=CLASS),
    Case(
        "classes, one prediction",
        [*AVERAGED, *AGREEMENT, *ORDERED],
        judged([3, 1, 2], [3, 3, 3]),
        facts=CLASS,
    ),
    Case("classes, all wrong", [*AVERAGED, *AGREEMENT, *ORDERED], judged([1, 1, 1], [2, 2, 2]), facts=CLASS),
    Case(
        "classes, bad rows",
        [*AVERAGED, *AGREEMENT, *ORDERED],
        [*judged([1.0, 2.0, 1.0], [1.0, 1.0, 2.0]), *HOLES],
        facts=CLASS,
    ),
    Case("binary predictions", [*BINARY, *AVERAGED, *AGREEMENT], drawn(10, [0, 1]), facts=CLASS),
    Case(
        "boolean predictions",
        [*BINARY, *AVERAGED, *AGREEMENT, *ORDERED],
        [
            {**row, "label": row["label"] == 1, "predicted": row["predicted"] == 1}
            for row in drawn(10, [0, 1])
        ],
        facts={**CLASS, "weight": "w"},
    ),
    Case(
        "text predictions, positive",
        [*BINARY, *AGREEMENT],
        drawn(11, CATS),
        facts={**CLASS, "positive": "dog"},
        by="part",
    ),
    Case(
        "graded predictions, positive from 2",
        [*BINARY, *AGREEMENT],
        drawn(11, NUMBERS),
        facts={**CLASS, "positive": 2},
    ),
    Case(
        "score and prediction",
        [
            "accuracy",
            "accuracy(threshold=0.5)",
            "precision",
            "precision(threshold=0.5)",
            "recall(average=macro)",
            "auc",
            "brier",
        ],
        [{**row, "score": 0.1 * (i % 9)} for i, row in enumerate(drawn(12, [0, 1]))],
        facts={"prediction": "predicted"},
    ),
    *(Case(f"scored classes {seed}", [*AREAS, *TOP_K], scored(seed, CATS), facts=GIVEN) for seed in range(3)),
    Case("scored classes, weights", [*AREAS, *TOP_K], scored(4, CATS), facts={**GIVEN, "weight": "w"}),
    Case("scored classes, slices", [*AREAS, *TOP_K], scored(5, NUMBERS, 20), facts=GIVEN, by="part"),
    Case("scored classes, one row", AREAS, scored(6, CATS, 1), facts=GIVEN),
    Case(
        "scored classes, untied",
        [*AREAS, *TOP_K],
        scored(7, CATS, 12, 10000),
        facts={**GIVEN, "ties": "worst"},
    ),
    Case(
        "probabilities of classes",
        [*PROBABLE, *CALIBRATION, *SETS, *SIZES],
        probable(scored(0, CATS)),
        facts=GIVEN,
    ),
    Case(
        "probabilities of classes, weights, slices",
        [*PROBABLE, *CALIBRATION, *SETS, *SIZES],
        probable(scored(5, NUMBERS, 20)),
        facts={**GIVEN, "weight": "w"},
        by="part",
    ),
    Case(
        "class scores in columns",
        [*PROBABLE, *AREAS, *TOP_K, *CALIBRATION, "classwise_ece(class=dog)", *SETS, *SIZES],
        [
            *wide(probable(scored(0, CATS))),
            {"label": "cat", **{f"p_{one}": None if one == "dog" else 0.25 for one in CATS}},
            {"label": None, **{f"p_{one}": 0.25 for one in CATS}},
        ],
        facts=columns_of(CATS),
    ),
    Case(
        "class scores in columns, weights, slices",
        [*PROBABLE, *AREAS, *TOP_K, *CALIBRATION, "classwise_ece(equal=count, class=5)", *SETS, *SIZES],
        wide(probable(scored(5, NUMBERS, 20))),
        facts={**columns_of(NUMBERS), "weight": "w", "ties": "worst"},
        by="part",
    ),
    Case(
        "prediction sets of 0 and 1, one empty",
        [*SETS, *SIZES],
        [
            {"label": one, "p_a": a, "p_b": b, "p_c": c}
            for one, a, b, c in [
                ("a", 1, 0, 0),
                ("b", 1, 0, 1),
                ("c", 1, 0, 1),
                ("a", 0, 0, 0),
                ("c", 1, 1, 1),
            ]
        ],
        facts=columns_of(["a", "b", "c"]),
    ),
    Case(
        "prediction sets, weights of zero",
        [*SETS, *SIZES],
        [{**row, "w": 0.0} for row in wide(probable(scored(0, CATS)))],
        facts={**columns_of(CATS), "weight": "w"},
    ),
]
