"""Values that other tools publish in their documentation or tests, under the options that match each tool."""

import pytest

from support.trec import RANKS, TREC
from support.worked import (
    Worked,
    check,
    judged,
    named,
    ranking,
    recommended,
    scored,
    sparse_ranking,
    tied_list,
    with_unlisted,
)

# scikit-learn 1.9, docstrings of sklearn.metrics and values it computes.
FOUR = scored([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
EIGHT = ([0, 1, 0, 1, 1, 0, 0, 1], [0.1, 0.4, 0.4, 0.4, 0.8, 0.8, 0.3, 0.2])
EIGHT_WEIGHTED = scored(*EIGHT, [1, 2, 1, 0.5, 1, 3, 1, 1])
REGRESSION = scored([3, -0.5, 2, 7], [2.5, 0, 2, 8])
RELEVANCE = [10, 0, 0, 1, 5]
GOOD = tied_list("q", RELEVANCE, [0.1, 0.2, 0.3, 4, 70])
POOR = tied_list("q", RELEVANCE, [0.05, 1.1, 1, 0.5, 0])
TIED = tied_list("q", RELEVANCE, [1, 0, 0, 0, 1])
ALL_TIED = tied_list("q", RELEVANCE, [1, 1, 1, 1, 1])
FROM_ONE = "pr_auc(method=trapezoid,start=one)"
SKLEARN = "scikit-learn, gain is the label"

# ranx, README of the repository: qrels, run.
RANX = (
    recommended(q1=["d12", "d23", "d25", "d36", "d32", "d35"], q2=["d12", "d11", "d25", "d36", "d22", "d35"]),
    judged(q1={"d12": 5, "d25": 3}, q2={"d11": 6, "d22": 1}),
)
RANX_Q1, RANX_Q2 = (
    tuple([row for row in table if row["group"] == group] for table in RANX) for group in ("q1", "q2")
)

# Spark, RankingMetricsSuite. The third list has no relevant item, counts 0, and is judged so that it counts.
SPARK = (
    recommended(a=[1, 6, 2, 7, 8, 3, 9, 10, 4, 5], b=[4, 1, 5, 6, 2, 7, 3, 8, 9, 10], c=[1, 2, 3, 4, 5]),
    judged(a=dict.fromkeys(range(1, 6), 1), b=dict.fromkeys(range(1, 4), 1), c={1: 0}),
)
SPARK_BINARY = scored([0, 1, 0, 0, 1, 1, 1], [0.1, 0.1, 0.4, 0.6, 0.6, 0.6, 0.8])

# Hivemall, manual, evaluation of binary classification.
HIVEMALL = scored([0, 1, 0, 1, 1], [0.5, 0.3, 0.2, 0.8, 0.7])
HIVEMALL_TIES = scored([1, 1, 0, 1, 1, 0], [0.8, 0.7, 0.5, 0.5, 0.3, 0.2])

# MADlib, documentation of the prediction metrics: pairs of prediction and observation.
MADLIB = scored([53.1, 34.2, 65.4, 82.1], [37.5, 12.3, 74.2, 91.1])

# Wikipedia, Discounted cumulative gain: six listed, two more in the pool.
WIKIPEDIA = with_unlisted(ranking("q", [3, 2, 3, 0, 1, 2]), {"q": [3, 2]})

# recommenders, tests/unit/recommenders/evaluation: rating_true and rating_pred, every rated item relevant.
RECOMMENDERS = (
    recommended(
        u1=[3, 10, 12],
        u2=[10, 3, 5, 11, 13],
        u3=[4, 10, 7, 13, 1, 3, 5, 2, 11, 14],
    ),
    judged(
        u1=dict.fromkeys([3, 1, 2], 1),
        u2=dict.fromkeys([1, 4, 5, 6, 7], 1),
        u3=dict.fromkeys([2, 5, 6, 8, 9, 10, 11, 12, 13, 14], 1),
    ),
)
# The eight pairs it joins, and the same with rating >= 3 against the predictions scaled to [0, 1].
RATINGS = ([3, 3, 5, 5, 3, 3, 2, 1], [14, 12, 7, 8, 13, 6, 11, 5])
RATED = scored(*RATINGS)
RATED_BINARY = scored([r >= 3 for r in RATINGS[0]], [(p - 5) / 9 for p in RATINGS[1]])

# trec_eval 9, test/: the ranks of the relevant among 500 listed (ties by document, descending), and how many
# are relevant but not listed; the grades are those of qrels.rel_level.
# fmt: off
# fmt: on
GRADED = [dict.fromkeys(RANKS["301"], 1) | {307: 4}, dict.fromkeys(RANKS["302"], 3)]
GRADED += [dict.fromkeys([19, 37, 41, 43, 44, 65, 67, 107], 2)]
TREC_GRADED = with_unlisted(
    [row for topic, grades in zip(RANKS, GRADED, strict=True) for row in sparse_ranking(topic, 500, grades)],
    {"301": [1] * 392 + [2] * 6 + [4] * 5, "302": [3] * 27},
)
AT_LEVEL_2 = {"positive": 2}

# fmt: off
PUBLISHED = [
    Worked("scikit-learn, roc_auc_score", "auc", 0.75, FOUR),
    Worked("scikit-learn, average_precision_score", "average_precision", 0.8333333333333333, FOUR),
    Worked("scikit-learn, tied scores", "auc", 0.59375, scored(*EIGHT)),
    Worked("scikit-learn, tied scores", "average_precision", 0.5678571428571428, scored(*EIGHT)),
    Worked("scikit-learn, tied scores with weights", "auc", 0.4351851851851852, EIGHT_WEIGHTED),
    Worked("scikit-learn, tied scores with weights", "average_precision", 0.4200779727095517, EIGHT_WEIGHTED),
    Worked("scikit-learn, brier_score_loss", "brier", 0.0375, scored([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3])),
    Worked("scikit-learn, mean_absolute_error", "mae", 0.5, REGRESSION),
    Worked("scikit-learn, mean_squared_error", "mse", 0.375, REGRESSION),
    Worked("scikit-learn, r2_score", "r2", 0.9486081370449679, REGRESSION),
    Worked(SKLEARN, "ndcg(gain=linear)", 0.6956940443813076, GOOD),
    Worked(SKLEARN, "ndcg(gain=linear)", 0.493680191377376, POOR),
    Worked(SKLEARN, "ndcg(gain=linear)@4", 0.3520241100634488, POOR),
    Worked("scikit-learn, ties are averaged", "ndcg(gain=linear)@1", 0.75, TIED),
    Worked("scikit-learn, ignore_ties", "ndcg(gain=linear)@1", 0.5, TIED, facts={"ties": "worst"}),
    Worked("the other order of the tie", "ndcg(gain=linear)@1", 1, TIED, facts={"ties": "best"}),
    Worked("scikit-learn, ties are averaged", "ndcg(gain=linear)", 0.690979, ALL_TIED, digits=6),
    Worked("scikit-learn, roc_auc_score(max_fpr)", "auc(max_fpr=0.1)", 0.7368421052631579, FOUR),
    Worked("scikit-learn, roc_auc_score(max_fpr)", "auc(max_fpr=0.25)", 0.7142857142857143, FOUR),
    Worked("scikit-learn, roc_auc_score(max_fpr)", "auc(max_fpr=0.5)", 0.6666666666666666, FOUR),
    Worked("scikit-learn, auc(recall, precision)", FROM_ONE, 0.5964285714285714, scored(*EIGHT)),
    Worked("scikit-learn, average_precision", "pr_auc", 0.5678571428571428, scored(*EIGHT)),
    # ranx divides AP by R.
    Worked("ranx, q1", "ndcg(gain=linear)@5", 0.9430, *RANX_Q1, digits=4),
    Worked("ranx, q2", "ndcg(gain=linear)@5", 0.6292, *RANX_Q2, digits=4),
    Worked("ranx", "ndcg(gain=linear)@5", 0.7861, *RANX, digits=4),
    Worked("ranx, q1", "map(denominator=relevant)@5", 0.8333, *RANX_Q1, digits=4),
    Worked("ranx, q2", "map(denominator=relevant)@5", 0.45, *RANX_Q2),
    Worked("ranx", "mrr", 0.75, *RANX),
    # Spark: an empty list counts 0; meanAveragePrecision divides by R, the one at k by min(R, k).
    Worked("Spark", "map(denominator=relevant,on_empty=zero)", 0.355026, *SPARK, digits=6),
    Worked("Spark", "map(on_empty=zero)@1", 0.333334, *SPARK, digits=5),
    Worked("Spark", "map(on_empty=zero)@2", 0.25, *SPARK),
    Worked("Spark", "map(on_empty=zero)@3", 0.24074, *SPARK, digits=5),
    Worked("Spark", "ndcg(on_empty=zero)@3", 1 / 3, *SPARK),
    Worked("Spark", "ndcg(on_empty=zero)@5", 0.328788, *SPARK, digits=6),
    Worked("Spark", "ndcg(on_empty=zero)@10", 0.487913, *SPARK, digits=6),
    Worked("Spark, areaUnderROC", "auc", 0.7083333333333333, SPARK_BINARY),
    Worked("Spark, areaUnderPR", "pr_auc(method=trapezoid)", 0.8339285714285714, SPARK_BINARY),
    Worked("step form of Spark's example", "average_precision", 0.7678571428571428, SPARK_BINARY),
    Worked("Hivemall, auc", "auc", 0.83333, HIVEMALL, digits=5),
    Worked("Hivemall, logloss", "log_loss", 0.54001, HIVEMALL, digits=4),
    Worked("Hivemall, auc with ties", "auc", 0.8125, HIVEMALL_TIES),
    Worked("MADlib, mean_abs_error", "mae", 13.825, MADLIB),
    Worked("MADlib, mean_squared_error", "mse", 220.3525, MADLIB),
    Worked("MADlib, r2_score", "r2", 0.279929088443377, MADLIB),
    Worked("Wikipedia, DCG", "dcg(gain=linear)@6", 6.861127, *WIKIPEDIA, digits=6),
    Worked("Wikipedia, nDCG", "ndcg(gain=linear)@6", 0.785002, *WIKIPEDIA, digits=6),
    Worked("Wikipedia, of the listed", "ndcg(gain=linear,ideal=listed)@6", 0.960808, *WIKIPEDIA, digits=6),
    Worked("Wikipedia, gain 2^label - 1", "ndcg@6", 0.751083, *WIKIPEDIA, digits=6),
    Worked("Wikipedia, both", "ndcg(ideal=listed)@6", 0.948811, *WIKIPEDIA, digits=6),
    # The four below are cut, not rounded, after the fifth decimal.
    Worked("recommenders, precision_at_k", "precision@10", 0.26666, *RECOMMENDERS, digits=4),
    Worked("recommenders, recall_at_k", "recall@10", 0.37777, *RECOMMENDERS, digits=4),
    Worked("recommenders, ndcg_at_k", "ndcg@10", 0.38172, *RECOMMENDERS, digits=4),
    Worked("recommenders, map", "map(denominator=relevant)@10", 0.23613, *RECOMMENDERS, digits=4),
    Worked("recommenders, rmse", "rmse", 7.254309, RATED, digits=6),
    Worked("recommenders, mae", "mae", 6.375, RATED),
    Worked("recommenders, rsquared", "r2", -31.699029, RATED, digits=6),
    Worked("recommenders, auc", "auc", 0.75, RATED_BINARY),
    Worked("recommenders, logloss", "log_loss", 0.7835, RATED_BINARY, digits=4),
    # trec_eval, test/out.test, and its run with -l 2.
    Worked("trec_eval", "map(denominator=relevant)", 0.1785, *TREC, digits=4),
    Worked("trec_eval", "map(denominator=relevant)@10", 0.0259, *TREC, digits=4),
    Worked("trec_eval", "map(denominator=relevant)@100", 0.1622, *TREC, digits=4),
    Worked("trec_eval", "mrr", 0.4064, *TREC, digits=4),
    Worked("trec_eval", "precision@5", 0.2667, *TREC, digits=4),
    Worked("trec_eval", "precision@10", 0.3, *TREC),
    Worked("trec_eval", "precision@100", 0.2467, *TREC, digits=4),
    Worked("trec_eval", "precision@1000", 0.0437, *TREC, digits=4),
    Worked("trec_eval", "recall@10", 0.0317, *TREC, digits=4),
    Worked("trec_eval", "recall@100", 0.4980, *TREC, digits=4),
    Worked("trec_eval", "recall@1000", 0.5997, *TREC, digits=4),
    Worked("trec_eval", "hit_rate@1", 1 / 3, *TREC),
    Worked("trec_eval", "hit_rate@10", 2 / 3, *TREC),
    Worked("trec_eval", "ndcg(gain=linear)", 0.4021, *TREC, digits=4),
    Worked("trec_eval", "ndcg(gain=linear)@10", 0.3016, *TREC, digits=4),
    Worked("trec_eval", "ndcg(gain=linear)@100", 0.3916, *TREC, digits=4),
    Worked("trec_eval -l 2", "map(denominator=relevant)", 0.1667, *TREC_GRADED, digits=4, facts=AT_LEVEL_2),
    Worked("trec_eval -l 2", "precision@10", 0.2333, *TREC_GRADED, digits=4, facts=AT_LEVEL_2),
    Worked("trec_eval -l 2", "ndcg(gain=linear)", 0.3894, *TREC_GRADED, digits=4, facts=AT_LEVEL_2),
]
# fmt: on


@pytest.mark.parametrize("worked", PUBLISHED, ids=named)
def test_published_value(worked):
    check(worked)
