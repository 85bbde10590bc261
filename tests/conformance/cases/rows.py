"""Metrics of rows: decisions at a threshold, probabilities, and a number predicted for a number."""

from __future__ import annotations

import random

from conformance.cases.tables import BAD, BINARY, GRADED, TIED, UNTIED, WEIGHTS, Case, Rows, weighted

DECISIONS = [
    *("tp", "fp", "fn", "tn", "tp(threshold=0.3)", "tn(threshold=2)"),
    *("tpr", "sensitivity", "tnr", "fpr", "fnr", "npv", "false_discovery_rate", "false_omission_rate"),
    *("positive_likelihood_ratio", "positive_likelihood_ratio(threshold=0.25)", "negative_likelihood_ratio"),
    *("negative_likelihood_ratio(threshold=2)", "balanced_accuracy(adjusted=true, threshold=0.25)", "hinge"),
    *("fpr(threshold=0.25)", "npv(threshold=0)", "npv(threshold=0, zero_division=1)"),
    *("false_discovery_rate(threshold=2, zero_division=0)", "false_omission_rate(threshold=0.9)"),
    *("tpr(zero_division=1)", "tnr(zero_division=1)", "sensitivity(zero_division=0.5)"),
    *("fpr(zero_division=0)", "fnr(zero_division=0)"),
    *(
        f"{name}{options}"
        for name in ("balanced_accuracy", "g_mean", "informedness", "markedness", "mcc", "kappa", "jaccard")
        for options in ("", "(threshold=0.25)", "(threshold=2)", "(threshold=2, zero_division=0.25)")
    ),
]
PROBABILITIES = [
    *("copc", "base_log_loss", "normalized_entropy", "normalized_entropy(eps=0.01)", "rig", "rig(eps=0.1)"),
    *("brier_skill", "brier_uncertainty", "spiegelhalter_z"),
    *("calibration_slope", "calibration_intercept"),
]
#: scores of 0 and 1 may take more steps than the fit of an intercept has
INSIDE = [notation for notation in PROBABILITIES if notation != "calibration_intercept"]
ERRORS = [
    *("median_absolute_error", "max_error", "adjusted_r2(features=0)", "adjusted_r2(features=2)"),
    *("explained_variance", "pearson", "concordance", "smape", "wape", "rmspe"),
    *("mape", "mape(zero_target=error)", "mape(zero_target=0.25)", "mape(zero_target=2.220446049250313e-16)"),
    *("pinball", "pinball(quantile=0)", "pinball(quantile=0.9)", "pinball(quantile=1)"),
    *("huber", "huber(delta=0.25)", "huber(delta=3)", "log_cosh", "tweedie_deviance", "d2_tweedie"),
    *("d2_absolute_error", "d2_pinball", "d2_pinball(quantile=0.1)", "d2_pinball(quantile=0.75)"),
]
ABOVE_MINUS_ONE = ["msle", "rmsle"]
COUNTS = [
    "poisson_deviance",
    *(f"{name}(power={p})" for name in ("tweedie_deviance", "d2_tweedie") for p in (1, 1.5)),
]
AMOUNTS = [
    "gamma_deviance",
    *(f"{name}(power={p})" for name in ("tweedie_deviance", "d2_tweedie") for p in (2, 2.5, 3)),
]
DEVIANCES = [
    f"{name}(power={p})" for name in ("tweedie_deviance", "d2_tweedie") for p in (1, 1.5, 2, 2.5, 3, 10)
]
POSITIVE = [*ERRORS, *ABOVE_MINUS_ONE, *COUNTS, *AMOUNTS]
UNWEIGHTED = ["spearman", "kendall_tau"]
BINARY_ROWS = [*DECISIONS, *PROBABILITIES, *ERRORS, *ABOVE_MINUS_ONE]


def numbers(*pairs: tuple[float, float]) -> Rows:
    """Rows of a label and a score."""
    return [{"label": y, "score": s} for y, s in pairs]


def measured(seed: int, offset: float = 0.0, spread: float = 3.0) -> Rows:
    """Random labels and scores around them, some of them equal, in two slices and one without a name."""
    draw = random.Random(seed)
    rows = []
    for _ in range(draw.randint(3, 40)):
        label = offset + round(draw.gauss(0, spread), 1)
        score = draw.choice([label, label + round(draw.gauss(0.5, spread), 1)])
        rows.append({"label": label, "score": score, "part": draw.choice(["x", "y", None])})
    return rows


def amounts(seed: int) -> Rows:
    """Random labels and scores above 0, from tiny to huge."""
    draw = random.Random(seed)
    rows = []
    for _ in range(draw.randint(3, 30)):
        label = round(draw.lognormvariate(0, 2), 3) + 0.001
        rows.append(
            {
                "label": label,
                "score": draw.choice([label, label * round(draw.lognormvariate(0, 1), 2) + 0.01]),
            }
        )
    return rows


ALMOST_RIGHT = numbers(*((y, y * (1 + d)) for y in (0.5, 3.0, 1e6) for d in (1e-3, -1e-4, 2e-5, 0.2)))
CASES = [
    Case("decisions, untied", [*BINARY_ROWS, *UNWEIGHTED], UNTIED),
    Case("decisions, tied", [*BINARY_ROWS, *UNWEIGHTED], TIED),
    Case("decisions, graded", [*DECISIONS, *PROBABILITIES, *UNWEIGHTED], GRADED, facts={"positive": 2}),
    Case(
        "decisions, booleans",
        [*BINARY_ROWS, *UNWEIGHTED],
        [{**row, "label": row["label"] > 0} for row in TIED],
    ),
    Case("decisions, one class", [*BINARY_ROWS, *UNWEIGHTED], [{**row, "label": 1} for row in UNTIED]),
    Case("decisions, nothing positive", [*BINARY_ROWS, *UNWEIGHTED], [{**row, "label": 0} for row in UNTIED]),
    Case("decisions, one row", [*BINARY_ROWS, *UNWEIGHTED], UNTIED[:1]),
    Case("decisions, all tied", [*BINARY_ROWS, *UNWEIGHTED], [{**row, "score": 0.5} for row in UNTIED]),
    Case("decisions, certain", [*DECISIONS, *INSIDE], [{**row, "score": row["label"]} for row in UNTIED]),
    Case("decisions, scores of 0", [*DECISIONS, *INSIDE], [{**row, "score": 0.0} for row in UNTIED]),
    Case("decisions, bad rows", [*BINARY_ROWS, *UNWEIGHTED], [*TIED, *BAD], facts=BINARY),
    Case("decisions, weights", BINARY_ROWS, weighted(TIED), facts={"weight": "w"}),
    Case(
        "decisions, weights, no usable row",
        BINARY_ROWS,
        [
            {"label": 1, "score": None, "w": 1.5, "part": "x"},
            {"label": 0, "score": 0.5, "w": 2.0, "part": "y"},
        ],
        facts={"weight": "w"},
        by="part",
    ),
    Case(
        "decisions, weights of zero", BINARY_ROWS, [{**row, "w": 0.0} for row in TIED], facts={"weight": "w"}
    ),
    Case(
        "decisions, slices",
        [*BINARY_ROWS, *UNWEIGHTED],
        [{**row, "part": "xyxzx"["abcde".index(row["list"])]} for row in TIED],
        by="part",
    ),
    Case(
        "decisions, a class of weight 0",
        [*DECISIONS, *PROBABILITIES],
        [{**row, "w": float(row["label"])} for row in TIED],
        facts={"weight": "w"},
    ),
    *(Case(f"numbers {seed}", [*ERRORS, *UNWEIGHTED], measured(seed), by="part") for seed in range(6)),
    *(
        Case(f"numbers {seed}, weights", ERRORS, weighted(measured(seed)), facts={"weight": "w"}, by="part")
        for seed in range(6)
    ),
    Case(
        "numbers far from 0",
        ["pearson", "concordance", "explained_variance", "d2_tweedie", *UNWEIGHTED],
        measured(3, 1e6),
    ),
    Case(
        "numbers, tenths as weights",
        ERRORS,
        [{**row, "w": i % 4 / 10} for i, row in enumerate(measured(3))],
        facts={"weight": "w"},
    ),
    Case("numbers, two and a tie", [*ERRORS, *UNWEIGHTED], numbers((1.0, 2.0), (1.0, 3.0), (2.0, 2.0))),
    Case("numbers, constant label", [*ERRORS, *UNWEIGHTED], numbers((0.1, 0.3), (0.1, -0.2), (0.1, 0.7))),
    Case("numbers, constant score", [*ERRORS, *UNWEIGHTED], numbers((0.3, 0.1), (-0.2, 0.1), (0.7, 0.1))),
    Case("numbers, two constants", [*ERRORS, *UNWEIGHTED], numbers((0.1, 0.3), (0.1, 0.3), (0.1, 0.3))),
    Case("numbers, one constant", [*ERRORS, *UNWEIGHTED], numbers((0.1, 0.1), (0.1, 0.1), (0.1, 0.1))),
    Case("numbers, one row", [*POSITIVE, *UNWEIGHTED], numbers((2.0, 3.0))),
    Case("numbers, zeros", [*ERRORS, *ABOVE_MINUS_ONE, *UNWEIGHTED], numbers((0.0, 0.0), (0.0, 0.0))),
    Case("numbers, only targets of 0", ERRORS, numbers((0.0, 0.5), (0.0, -0.5))),
    Case(
        "numbers, weight on one",
        POSITIVE,
        [
            {**r, "w": w}
            for r, w in zip(numbers((1.0, 1.5), (4.0, 2.0), (5.0, 5.0)), (0.0, 2.0, 0.0), strict=True)
        ],
        facts={"weight": "w"},
    ),
    # Tenths whose sum up to the middle is rounded to a little less, and to a little more, than half.
    *(
        Case(
            f"numbers, {name} the middle",
            ERRORS,
            [{"label": 2.0 * i, "score": 3.0 * i, "w": w} for i, w in enumerate(tenths)],
            facts={"weight": "w"},
        )
        for name, tenths in {
            "below": [0.7, 0.4, 0.8, 0.5, 0.6, 0.8],
            "above": [0.9, 0.5, 0.4, 0.4, 0.3, 0.3],
        }.items()
    ),
    Case("numbers, small errors", ["log_cosh", "huber"], numbers((0.0, 1e-7), (0.0, -1e-3), (2.0, 1.9901))),
    Case(
        "numbers, errors small and large",
        ["log_cosh", "huber", "max_error"],
        numbers(*((0.0, e) for e in (1e-7, -1e-3, 0.0099, -0.0101, 0.5, 19.9, -20.1, 800.0, -1e6))),
    ),
    *(Case(f"amounts {seed}", [*POSITIVE, *UNWEIGHTED], amounts(seed)) for seed in range(5)),
    *(
        Case(
            f"amounts {seed}, weights",
            POSITIVE,
            [{**row, "w": WEIGHTS[i % 5]} for i, row in enumerate(amounts(seed))],
            facts={"weight": "w"},
        )
        for seed in range(5)
    ),
    Case("amounts almost right", POSITIVE, ALMOST_RIGHT),
    # A mean of deviances of which none is large, and a constant that is almost right itself.
    Case(
        "amounts right but for a little",
        ["poisson_deviance", "gamma_deviance", *DEVIANCES],
        numbers(*((y, y * (1 + d)) for y, d in ((3.0, 1e-6), (3.0001, -2e-7), (2.9999, 1e-4), (3.0, 0.0)))),
    ),
    Case(
        "amounts on both sides of almost right",
        DEVIANCES,
        numbers(*((y, y * (1 + d)) for y in (0.5, 3.0) for d in (0.0199, -0.0201, 0.0099, -0.0101))),
    ),
    Case(
        "amounts of little weight",
        COUNTS,
        [
            {**r, "w": w}
            for r, w in zip(numbers((0.0, 1.5), (4.0, 2.0), (0.0, 5.0)), (1.0, 0.0, 2.0), strict=True)
        ],
        facts={"weight": "w"},
    ),
    Case(
        "counts with zeros",
        [*ERRORS, *ABOVE_MINUS_ONE, *COUNTS],
        numbers((0.0, 0.2), (0.0, 1.5), (1.0, 0.9), (7.0, 1e-20), (3.0, 3.0)),
    ),
    Case("counts of zero", COUNTS, numbers((0.0, 0.2), (0.0, 1.5))),
    Case("scores that are not above 0", [*COUNTS, *AMOUNTS], numbers((1.0, 0.0), (2.0, 1.0))),
    Case("labels below 0", [*COUNTS, *AMOUNTS], numbers((-1.0, 1.0), (2.0, 1.0))),
    Case("labels of 0", AMOUNTS, numbers((0.0, 1.0), (2.0, 1.0))),
    Case("below the logarithm", ABOVE_MINUS_ONE, numbers((-1.0, 1.0), (2.0, 1.0))),
    Case(
        "logarithms of far and near",
        ABOVE_MINUS_ONE,
        numbers((0.0, 1e17), (1e17, 0.0), (-0.5, 3.0), (0.0, 0.0)),
    ),
    Case("logarithms that are close", ABOVE_MINUS_ONE, numbers((1e-9, 2e-9), (1e-5, 0.0), (-1e-7, 1e-7))),
]
