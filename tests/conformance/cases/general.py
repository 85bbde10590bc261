"""The first metrics of every grain, at every edge."""

from __future__ import annotations

from conformance.cases.tables import (
    BAD,
    BINARY,
    GIVEN,
    GRADED,
    GRADES,
    JUDGED,
    RECOMMENDED,
    TIED,
    UNTIED,
    Case,
    drawn,
    weighted,
    weighted_lists,
)

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
        "ndcg(gain=binary, ideal=cutoff)@50",
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
    # how far lists differ
    *(
        "ndcg(average=std)@3",
        "recall(average=median, on_empty=zero)@3",
        "map(average=min)@3",
        "mrr(average=max)",
    ),
    *("gauc(average=std)", "gauc(average=median)", "ndcg(average=median, weight=pairs)@3"),
]
TRUTH_METRICS = [
    *(
        "ndcg@3",
        "ndcg",
        "ndcg(ideal=listed)@3",
        "ndcg(ideal=full)@2",
        "ndcg(gain=binary, ideal=cutoff)@3",
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
    Case("denominator=hits, averaged", ["map(denominator=hits)"], GRADED, facts=GRADES),
    Case("denominator=hits, untied", ["map(denominator=hits)@2"], UNTIED, facts=BINARY),
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
