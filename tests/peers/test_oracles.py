"""The oracles against hand-computed values, against every permutation taken literally, and against peers."""

import itertools
import math
import random
import statistics

import numpy
import pytest
import pytrec_eval
from sklearn import metrics as sklearn

from oracles import value
from oracles.lists import RankedList, orders


def listed(group, labels, scores=None, **columns):
    """Rows of one list; without scores, labels stand in ranked order."""
    scores = range(len(labels), 0, -1) if scores is None else scores
    return [
        {"group": group, "item": f"d{i}", "label": label, "score": score, **columns}
        for i, (label, score) in enumerate(zip(labels, scores, strict=True))
    ]


TWO_LISTS = listed("a", [1, 0, 1, 0]) + listed("b", [0, 0, 1])
ONE_EMPTY = listed("a", [0, 1]) + listed("b", [0, 0, 0, 0])
TIED = listed("a", [1, 0, 0], [7, 7, 7])

# fmt: off
BY_HAND = [
    ("count", TWO_LISTS, 7),
    ("base_rate", TWO_LISTS, 3 / 7),
    ("auc", TWO_LISTS, (4 + 3 / 2 + 1 / 2) / 12),  # 4 beats 3 1 3 2; 2 beats 1 and ties 2; 1 ties 1
    ("mrr", TWO_LISTS, (1 + 1 / 3) / 2),
    ("mrr@2", TWO_LISTS, (1 + 0) / 2),
    ("precision@2", TWO_LISTS, (1 / 2 + 0) / 2),
    ("precision(denominator=listed)@5", TWO_LISTS, (2 / 4 + 1 / 3) / 2),
    ("precision(average=micro)@3", TWO_LISTS, 3 / 6),
    ("recall@2", TWO_LISTS, (1 / 2 + 0) / 2),
    ("recall(average=micro)@2", TWO_LISTS, 1 / 3),
    ("hit_rate@2", TWO_LISTS, 1 / 2),
    ("map", TWO_LISTS, ((1 + 2 / 3) / 2 + 1 / 3) / 2),
    ("map(denominator=cutoff)@3", TWO_LISTS, ((1 + 2 / 3) / 3 + (1 / 3) / 3) / 2),
    ("map(denominator=hits)@1", TWO_LISTS, (1 + 0) / 2),
    ("map(average=micro)", TWO_LISTS, (1 + 2 / 3 + 1 / 3) / 3),
    ("dcg", TWO_LISTS, (1 + 1 / 2 + 1 / 2) / 2),
    ("ndcg(average=micro)@1", TWO_LISTS, 1 / 2),
    ("ndcg(ideal=full)@1", TWO_LISTS, (1 / (1 + 1 / math.log2(3)) + 0) / 2),
    ("cg(weight=impressions)@3", TWO_LISTS, (4 * 2 + 3 * 1) / 7),
    ("gauc", TWO_LISTS, (4 * 3 / 4 + 3 * 0) / 7),
    ("gauc(weight=pairs)", TWO_LISTS, 3 / 6),
    ("gauc(weight=uniform)", TWO_LISTS, 3 / 8),
    # A list without a relevant item is left out, or counts 0, or 1; the word weighs it by its rows.
    ("mrr", ONE_EMPTY, 1 / 2),
    ("mrr(on_empty=zero)", ONE_EMPTY, 1 / 4),
    ("mrr(on_empty=one)", ONE_EMPTY, 3 / 4),
    ("gauc(on_empty=one)", ONE_EMPTY, (2 * 0 + 4 * 1) / 6),
    ("mrr(on_empty=zero,weight=impressions)", ONE_EMPTY, (2 * 1 / 2 + 4 * 0) / 6),
    ("ndcg", listed("b", [0, 0]), None),
    # One relevant item among three tied ones stands at each rank with chance 1/3.
    ("mrr", TIED, (1 + 1 / 2 + 1 / 3) / 3),
    ("hit_rate@2", TIED, 2 / 3),
    ("ndcg", TIED, (1 + 1 / math.log2(3) + 1 / 2) / 3),
    ("gauc", TIED, 1 / 2),
]
# fmt: on


@pytest.mark.parametrize(("notation", "rows", "expected"), BY_HAND)
def test_by_hand(notation, rows, expected):
    computed = value(notation, rows, group="group")
    assert computed == (None if expected is None else pytest.approx(expected, rel=1e-12))


@pytest.mark.parametrize(
    ("ties", "expected"), [("worst", 1 / 3), ("best", 1), ("item", 1), ("item desc", 1 / 3)]
)
def test_policies_of_ties(ties, expected):
    assert value("mrr", TIED, group="group", item="item", ties=ties) == pytest.approx(expected)


def test_err_reads_the_lower_grade_of_a_tie_first():
    rows = listed("a", [1, 0], [5, 5])
    assert value("err", rows, group="group", max_grade=1) == pytest.approx(1 / 2 * 1 / 2)
    assert value("err", rows, group="group", max_grade=1, ties="best") == pytest.approx(1 / 2)


def test_truth_of_its_own():
    """List a misses one of two relevant items, b was never predicted, c is not in the truth."""
    truth = [{"group": g, "item": i, "label": 1} for g, i in [("a", "d1"), ("a", "d9"), ("b", "d0")]]
    rows = listed("a", [1, 1]) + listed("c", [1])
    expected = {
        "recall@2": (1 / 2 + 0) / 2,
        "recall(on_missing=skip)@2": 1 / 2,
        "recall(average=micro)@2": 1 / 3,
        "recall(weight=impressions)@2": 1 / 2,
        "recall(weight=positives)@2": (2 * 1 / 2 + 1 * 0) / 3,
        "ndcg@2": (1 / math.log2(3)) / (1 + 1 / math.log2(3)) / 2,
        "ndcg(ideal=listed)@2": 1 / math.log2(3) / 2,
        "gauc": 0,
    }
    for notation, by_hand in expected.items():
        assert value(notation, rows, truth=truth, group="group", item="item") == pytest.approx(by_hand), (
            notation
        )


def test_weights_of_lists_multiply_both_sums():
    rows = listed("a", [1, 0], w=3) + listed("b", [0, 1], w=1)
    assert value("mrr", rows, group="group", weight="w") == pytest.approx((3 * 1 + 1 * 1 / 2) / 4)
    assert value("mrr(weight=w)", rows, group="group") == pytest.approx((3 * 1 + 1 * 1 / 2) / 4)
    assert value("precision(average=micro)@1", rows, group="group", weight="w") == pytest.approx(3 / 4)


def test_orders_are_the_permutations_of_each_tied_block():
    labels, scores = [2, 0, 1, 0, 0, 3], [5, 5, 5, 4, 3, 3]
    one = RankedList(labels, scores, [None] * 6, [], {})
    by_hand = [
        [*top, 0, *end] for top in itertools.permutations([2, 0, 1]) for end in itertools.permutations([0, 3])
    ]
    assert sorted(orders(one, "average")) == sorted(by_hand)
    with pytest.raises(ValueError, match="smaller list"):
        orders(RankedList(list(range(8)), [1] * 8, [None] * 8, [], {}), "average")


@pytest.mark.parametrize("notation", ["map@3", "mrr@3", "ndcg(gain=linear)@3", "hit_rate@3", "recall@3"])
def test_average_over_ties_is_the_mean_over_tie_breaking_items(notation):
    """Every way to number the items, with `ties='item'`: no counting of equal labels is trusted."""
    labels, scores = [1, 0, 2, 0, 1, 0], [9, 4, 4, 4, 4, 1]
    rows = listed("a", labels, scores)
    renamed = [
        value(
            notation,
            [{**r, "item": i} for r, i in zip(rows, names, strict=True)],
            group="group",
            item="item",
            ties="item",
        )
        for names in itertools.permutations(range(6))
    ]
    assert value(notation, rows, group="group") == pytest.approx(statistics.fmean(renamed), rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_levels_against_scikit_learn(seed):
    draw = numpy.random.default_rng(seed)
    label = numpy.concatenate([[0, 1], draw.integers(0, 2, 28)])
    score = draw.integers(0, 8, 30) / 8
    weight = draw.integers(1, 5, 30) / 2
    rows = [
        {"label": int(y), "score": float(s), "w": float(w)}
        for y, s, w in zip(label, score, weight, strict=True)
    ]
    decision = score >= 0.5
    false_positive_rate, true_positive_rate, _ = sklearn.roc_curve(label, score, sample_weight=weight)
    given = {"sample_weight": weight}
    expected = {
        "auc": sklearn.roc_auc_score(label, score, **given),
        "average_precision": sklearn.average_precision_score(label, score, **given),
        "ks": max(abs(true_positive_rate - false_positive_rate)),
        "accuracy": sklearn.accuracy_score(label, decision, **given),
        "precision(zero_division=0)": sklearn.precision_score(label, decision, **given, zero_division=0),
        "recall": sklearn.recall_score(label, decision, **given),
        "specificity": sklearn.recall_score(1 - label, ~decision, **given),
        "f_beta(beta=2)": sklearn.fbeta_score(label, decision, beta=2, **given),
        "log_loss(eps=0.001)": sklearn.log_loss(label, score.clip(0.001, 0.999), **given),
        "brier": sklearn.brier_score_loss(label, score, **given),
        "rmse": sklearn.root_mean_squared_error(label, score, **given),
        "mae": sklearn.mean_absolute_error(label, score, **given),
        "r2": sklearn.r2_score(label, score, **given),
    }
    for notation, peer in expected.items():
        assert value(notation, rows, weight="w") == pytest.approx(peer, rel=1e-12), notation


@pytest.mark.parametrize("seed", range(20))
def test_tie_averaged_ndcg_against_scikit_learn(seed):
    draw = random.Random(seed)
    labels, scores = draw.choices(range(4), k=7), draw.choices(range(3), k=7)
    labels[0] = 3
    rows = listed("a", labels, scores)
    for k in (1, 3, 7):
        peer = sklearn.ndcg_score([labels], [scores], k=k)
        assert value(f"ndcg(gain=linear)@{k}", rows, group="group") == pytest.approx(peer, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_lists_with_truth_against_trec_eval(seed):
    draw = random.Random(seed)
    items = [f"d{i}" for i in range(12)]
    run = {g: {i: float(draw.randrange(4)) for i in draw.sample(items, 6)} for g in "abc"}
    qrels = {g: {i: draw.randrange(3) for i in draw.sample(items, 6)} for g in "abc"}
    for judgements in qrels.values():
        judgements["d0"] = 1
    rows = [{"group": g, "item": i, "score": s} for g, scores in run.items() for i, s in scores.items()]
    truth = [{"group": g, "item": i, "label": x} for g, judged in qrels.items() for i, x in judged.items()]
    names = {
        "map(denominator=relevant)": "map",
        "ndcg(gain=linear)": "ndcg",
        "ndcg(gain=linear)@3": "ndcg_cut_3",
        "mrr": "recip_rank",
        "precision@3": "P_3",
        "recall@3": "recall_3",
        "hit_rate@3": "success_3",
    }
    wanted = {"map", "ndcg", "ndcg_cut.3", "recip_rank", "P.3", "recall.3", "success.3"}
    per_list = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    for notation, name in names.items():
        peer = statistics.fmean(of_list[name] for of_list in per_list.values())
        ours = value(notation, rows, truth=truth, group="group", item="item", ties="item desc")
        assert ours == pytest.approx(peer, rel=1e-9), notation
