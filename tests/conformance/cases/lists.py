"""Metrics of lists beside those of `general`: with grades, with items that nobody judged, of relevant items alone."""

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
    lists,
    weighted_lists,
)

CUTOFFS = [f"{name}@{k}" for name in ("f1", "success", "mrr_all", "pauc", "idcg", "rbp") for k in (1, 3, 50)]
JUDGEMENTS = [
    *("bpref", "infap", "judged", "judged@1", "judged@3", "judged@50", "judged(on_empty=zero)@3"),
    *("rbp_residual", "rbp_residual@2", "rbp_residual(p=0.5)@50", "bpref(average=micro)"),
]
SETS = [
    *("recall(denominator=capped)@1", "recall(denominator=capped)@3", "recall(denominator=capped)@50"),
    *(
        "recall(denominator=capped, average=micro)@3",
        "recall(denominator=capped, on_empty=one, average=micro)@2",
    ),
    *(
        "set_precision",
        "set_recall",
        "set_recall(denominator=capped)",
        "set_f1",
        "set_f_beta(beta=2)",
        "set_map",
    ),
    *(
        "set_precision(average=micro)",
        "set_recall(average=micro, denominator=capped)",
        "set_map(average=micro)",
    ),
    *("set_f_beta(beta=0)", "set_f1(on_empty=zero, on_missing=skip)", "set_map(weight=impressions)"),
    *("num_ret", "num_rel", "num_rel_ret", "num_ret(average=mean)", "num_rel(average=mean, on_missing=skip)"),
    *("num_rel(on_missing=skip)", "num_rel_ret(weight=positives)", "num_rel_ret(average=mean)"),
]
LIST_METRICS = [
    *CUTOFFS,
    *("f_beta(beta=2)@3", "f_beta(beta=0)@2", "f1(average=micro)@3", "success", "r_precision", "mrr_all"),
    *(
        "average_rank",
        "average_rank(average=micro)",
        "average_rank(on_empty=zero)",
        "pauc(weight=positives)@2",
    ),
    *(f"interpolated_precision(recall={level})" for level in (0, 0.1, 0.5, 0.55, 0.75, 1)),
    *(f"interpolated_precision(recall={level}, reach=nearest)" for level in (0.1, 0.5, 0.7)),
    *("interpolated_map(reach=nearest)", "interpolated_map(points=4, reach=nearest)"),
    *(f"interpolated_precision(recall={level}, reach=tenth)" for level in (0, 0.1, 0.35, 0.7, 1)),
    *("interpolated_map(reach=tenth)", "interpolated_map(points=4, reach=tenth)"),
    *("interpolated_map", "interpolated_map(points=3)", "interpolated_map(on_empty=one)"),
    *("gmap", "gmap(on_empty=zero)", "gmap(on_empty=one)", "gmap(weight=impressions)"),
    *(
        "ndcg(discount=original)@3",
        "ndcg(discount=original, gain=linear, ideal=full)@2",
        "ndcg(discount=reciprocal)",
        "ndcg(discount=reciprocal, ideal=listed)@3",
        "ndcg(discount=original, gain=binary, ideal=cutoff)@50",
    ),
    *("dcg(discount=original)@3", "dcg(discount=reciprocal, gain=linear)", "idcg(discount=original)"),
    *("idcg", "idcg(gain=linear)@2", "idcg(ideal=listed)@3", "idcg(log_base=e)@3", "dcg(log_base=10)"),
    *("rbp", "rbp(p=0.5)", "rbp(p=0.95)@3", "rbp(gain=binary)", "rbp(gain=binary, p=0.5)@2"),
    *("rbp(gain=binary, normalized=true)@3", "rbp(gain=binary, normalized=true, p=0.5)"),
    *("r_score", "r_score(half_life=2)", "r_score(default=1)", "r_score(default=1.5, half_life=1.0001)"),
    *("r_score(average=micro, half_life=10)", "r_score(on_empty=zero)", "r_score(weight=impressions)"),
    *("q_measure", "q_measure(beta=0)", "q_measure(beta=10, gain=exponential)", "q_measure(gain=binary)"),
    *("label_ranking_average_precision", "label_ranking_average_precision(on_empty=one)"),
    *("coverage_error", "coverage_error(on_empty=zero)", "label_ranking_loss"),
    *("label_ranking_loss(on_empty=zero)", "label_ranking_loss(average=micro)"),
    *("r_precision(on_empty=zero)", "r_precision(weight=pairs)", "rbp(average=micro)@3"),
    *JUDGEMENTS,
    *SETS,
]
LISTED_GAINS = [
    *("ndcg(gain=0:1:3:7:15)@3", "ndcg(gain=0:0:1:1.5:20)", "ndcg(gain=0:0:1:1.5:20, ideal=listed)@2"),
    *("dcg(gain=0:1:1:2:2)@3", "cg(gain=0:0.5:1:1:1)@3", "idcg(gain=0:1:10:100:1000)@3"),
    "q_measure(gain=0:1:2:5:10)",
    # label 0 gains something
    *("ndcg(gain=1:2:4:8:16)", "ndcg(gain=1:2:4:8:16)@3", "ndcg(gain=1:1:2:3:3, ideal=full)@2"),
    *("ndcg(gain=0.5:1:2:3:4, ideal=listed)@3", "idcg(gain=1:2:4:8:16)@4", "dcg(gain=1:2:4:8:16)@3"),
    *("cg(gain=3:3:3:4:5)@3", "dcg(gain=1:2:3:4:5)"),
]

# Ten listed for each of two lists; TREC's -1 marks what was pooled and not judged, a missing label what nobody saw.
SEEN = {"p": [1, None, 0, -1, 2, 0, None, 1, -1, 0], "q": [None, 0, 0, 0, 1, -1, 0, 1, None, 2]}
SCORES = {"p": [9, 8, 7, 7, 6, 5, 5, 5, 3, 1], "q": [9, 9, 8, 7, 6, 5, 4, 3, 3, 1]}
POOLED_ROWS: Rows = lists(SEEN, SCORES)
POOLED_TRUTH = [
    *(
        {key: row[key] for key in ("list", "item", "label")}
        for row in POOLED_ROWS
        if row["label"] is not None
    ),
    *({"list": "p", "item": f"u{i}", "label": label} for i, label in enumerate([1, 1, -1])),
    {"list": "lost", "item": "u0", "label": 1},
]
POOLED = [{key: row[key] for key in ("list", "item", "score")} for row in POOLED_ROWS]
POOLED_METRICS = [
    *JUDGEMENTS,
    *SETS,
    # what was not judged gains nothing
    *("ndcg", "ndcg(gain=linear)@3", "ndcg(gain=linear, ideal=full)@3", "ndcg(gain=0:1:3)@5", "idcg@3"),
    *("ndcg(gain=1:2:4)", "ndcg(gain=1:2:4)@3", "ndcg(gain=1:2:4, ideal=full)@5", "idcg(gain=1:2:4)@9"),
    *(
        "ndcg(gain=1:2:4, ideal=listed)",
        "dcg(gain=1:2:4)@5",
        "cg(gain=1:2:4)",
        "dcg(gain=1:2:4, on_empty=zero)",
    ),
    *("dcg(gain=linear)", "cg@5", "cg(gain=exponential)", "rbp", "rbp@3", "err", "err@3", "q_measure"),
    *(
        "map",
        "mrr",
        "recall@5",
        "r_precision",
        "r_score",
        "pauc@3",
        "rbp(gain=binary)",
        "gauc",
        "average_rank",
    ),
    *(
        "bpref(on_missing=skip)",
        "infap(on_missing=skip)",
        "rbp_residual(on_missing=skip)",
        "interpolated_map",
    ),
]

CASES = [
    Case("lists, untied", LIST_METRICS, UNTIED, facts=BINARY),
    Case("lists, tied", LIST_METRICS, TIED, facts=BINARY),
    Case("lists, graded", [*LIST_METRICS, *LISTED_GAINS], GRADED, facts=GRADES),
    Case("lists, positive from 3", [*LIST_METRICS, *LISTED_GAINS], GRADED, facts={**GRADES, "positive": 3}),
    Case("lists, booleans", LIST_METRICS, [{**row, "label": row["label"] > 0} for row in TIED], facts=BINARY),
    *(
        Case(f"lists, ties={ties}", [*LIST_METRICS, *LISTED_GAINS], GRADED, facts={**GRADES, "ties": ties})
        for ties in ("worst", "best", "item", "item desc")
    ),
    Case(
        "lists, ties=text desc",
        LIST_METRICS,
        [{**row, "item": 7 * i + 1, "score": 0.5} for i, row in enumerate(GRADED)],
        facts={**GRADES, "ties": "text desc"},
    ),
    Case("lists, all relevant", LIST_METRICS, [{**row, "label": 1} for row in UNTIED], facts=BINARY),
    Case("lists, nothing relevant", LIST_METRICS, [{**row, "label": 0} for row in UNTIED], facts=BINARY),
    Case("lists, one row", LIST_METRICS, UNTIED[:1], facts=BINARY),
    Case("lists, all tied", LIST_METRICS, [{**row, "score": 0.5} for row in UNTIED], facts=BINARY),
    Case("lists, weights", LIST_METRICS, weighted_lists(GRADED), facts={**GRADES, "weight": "w"}),
    Case(
        "lists, weight column",
        ["bpref(weight=w)", "gmap(weight=w)", "q_measure(weight=w)", "f1(weight=w)@3"],
        weighted_lists(GRADED),
        facts=GRADES,
    ),
    Case(
        "lists, slices",
        LIST_METRICS,
        [{**row, "part": "xyxzx"["abcde".index(row["list"])]} for row in TIED],
        facts=BINARY,
        by="part",
    ),
    Case(
        "lists, slices across",
        [*LIST_METRICS, *LISTED_GAINS],
        [{**row, "part": i % 3 or None} for i, row in enumerate(GRADED)],
        facts=GRADES,
        by="part",
    ),
    *(
        Case(
            f"lists, truth, ties={ties}",
            [*LIST_METRICS, *LISTED_GAINS],
            RECOMMENDED,
            truth=JUDGED,
            facts={**GIVEN, "max_grade": 4, "ties": ties},
        )
        for ties in ("average", "worst", "best", "item desc")
    ),
    Case(
        "lists, truth, positive from 2",
        LIST_METRICS,
        RECOMMENDED,
        truth=JUDGED,
        facts={**GIVEN, "max_grade": 4, "positive": 2},
    ),
    *(
        Case(
            f"pooled, ties={ties}",
            POOLED_METRICS,
            POOLED,
            truth=POOLED_TRUTH,
            facts={**GIVEN, "ties": ties, "positive": 1, "max_grade": 2},
        )
        for ties in ("average", "worst", "best", "item")
    ),
    *(
        Case(f"lists, drawn {seed}", [*LIST_METRICS, *LISTED_GAINS], drawn(seed, 5), facts=GRADES)
        for seed in range(4)
    ),
]
