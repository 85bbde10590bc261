"""Metrics of whole score levels, of peaks, top shares and bins."""

from __future__ import annotations

from conformance.cases.tables import BAD, BINARY, GRADED, GRADES, TIED, UNTIED, Case, drawn, weighted

ORDER = [
    *("gini", "auc(max_fpr=0.1)", "auc(max_fpr=0.5)", "auc(max_fpr=1)"),
    *("pr_auc", "pr_auc(method=trapezoid)", "pr_auc(method=trapezoid, start=one)"),
    *("break_even", "best_f1", "best_f_beta(beta=2)", "best_f_beta(beta=0)"),
    *("recall_at_precision", "recall_at_precision(precision=0.6)", "recall_at_precision(precision=0)"),
    *("precision_at_recall", "precision_at_recall(recall=0.5)", "precision_at_recall(recall=1)"),
    *("tpr_at_fpr", "tpr_at_fpr(fpr=0.4)", "tpr_at_fpr(fpr=0)"),
    *("lift", "lift(share=0.5)", "lift(share=1)", "capture", "capture(share=0.35)", "capture(share=0.001)"),
]
THRESHOLDS = ["ks_threshold", "best_f1_threshold", "best_f_beta_threshold(beta=0.5)"]
BINNED = [
    *("auc(bins=4)", "auc(bins=1)", "auc(bins=1000)", "auc(bins=3, max_fpr=0.3)", "gini(bins=5)"),
    *("ks(bins=3)", "average_precision(bins=4)", "pr_auc(bins=3)", "pr_auc(bins=3, method=trapezoid)"),
]
CALIBRATION = [
    *("ece", "ece(bins=1)", "ece(bins=4)", "ece(bins=3, equal=count)", "ece(bins=100, equal=count)"),
    *("mce", "mce(bins=4)", "mce(bins=4, equal=count)"),
    *("rms_calibration_error", "rms_calibration_error(bins=3, equal=count)"),
    *("debiased_calibration_error(bins=2)", "debiased_calibration_error(bins=3, equal=count)"),
    *("brier_reliability(bins=4)", "brier_resolution", "brier_resolution(bins=3, equal=count)"),
]
LEVELS = [*ORDER, *THRESHOLDS, *BINNED, *CALIBRATION]
# What the sorted plan must give too, next to what needs it: no metric here reads whole levels.
OF_ROWS = [n for n in ORDER if not n.startswith(("auc", "pr_auc(method"))] + [
    "auc",
    "ks",
    "average_precision",
]

CASES = [
    Case("levels, untied", LEVELS, UNTIED, facts=BINARY),
    Case("levels, tied", LEVELS, TIED, facts=BINARY),
    Case("levels, sorted plan", OF_ROWS, TIED, facts=BINARY),
    Case("levels, graded", LEVELS, GRADED, facts=GRADES),
    Case("levels, booleans", LEVELS, [{**row, "label": row["label"] > 0} for row in TIED], facts=BINARY),
    Case("levels, one class", LEVELS, [{**row, "label": 1} for row in UNTIED], facts=BINARY),
    Case("levels, nothing positive", LEVELS, [{**row, "label": 0} for row in UNTIED], facts=BINARY),
    Case("levels, one row", LEVELS, UNTIED[:1], facts=BINARY),
    Case("levels, all tied", LEVELS, [{**row, "score": 0.5} for row in UNTIED], facts=BINARY),
    Case("levels, bad rows", LEVELS, [*TIED, *BAD], facts=BINARY),
    Case("levels, weights", LEVELS, weighted(TIED), facts={**BINARY, "weight": "w"}),
    Case("levels, weights, untied", LEVELS, weighted(UNTIED), facts={**BINARY, "weight": "w"}),
    Case("levels, weights, sorted plan", OF_ROWS, weighted(TIED), facts={**BINARY, "weight": "w"}),
    Case("levels, weights of zero", LEVELS, [{**r, "w": 0.0} for r in TIED], facts={**BINARY, "weight": "w"}),
    Case(
        "levels, weights of tenths",
        LEVELS,
        [{**row, "w": 0.1} for row in UNTIED],
        facts={**BINARY, "weight": "w"},
    ),
    Case(
        "levels, scores on edges",
        [*BINNED, *CALIBRATION, "auc(bins=100)", "ece(bins=100)"],
        [
            {"label": i % 3 > 0, "score": s}
            for i, s in enumerate([0, 0.29, 0.3, 0.57, 0.6, 0.7, 0.9, 1, 1, 0.28])
        ],
    ),
    Case(
        "levels, slices",
        LEVELS,
        [{**row, "part": "xyxzx"["abcde".index(row["list"])]} for row in TIED],
        facts=BINARY,
        by="part",
    ),
    Case(
        "levels, slices and weights",
        LEVELS,
        [{**row, "part": i % 3 or None} for i, row in enumerate(weighted(UNTIED))],
        facts={**BINARY, "weight": "w"},
        by="part",
    ),
    *(Case(f"levels, drawn {seed}", LEVELS, drawn(seed, 7), facts=GRADES) for seed in range(4)),
]
