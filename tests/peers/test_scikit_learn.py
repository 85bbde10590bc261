"""scikit-learn on the same random rows and lists: many ties, weights, a single class now and then."""

import statistics

import numpy
import pytest
from sklearn import metrics as sklearn

from support.peers import as_rows, compare, random_lists, random_rows, rows_of
from support.seeds import seeds

SEEDS = seeds(8)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_decisions_against_scikit_learn(seed, weighted):
    data = random_rows(seed, positives=(0.05, 0.4)[seed % 2])
    weights = {"sample_weight": data["weight"]} if weighted else {}
    expected = {}
    for threshold in (0.25, 0.5, 1):
        pair = data["label"], data["score"] >= threshold
        opposite = 1 - data["label"], data["score"] < threshold
        or_zero = {**weights, "zero_division": 0}
        asked = f"threshold={threshold}"
        expected |= {
            f"accuracy({asked})": sklearn.accuracy_score(*pair, **weights),
            f"error_rate({asked})": sklearn.zero_one_loss(*pair, **weights),
            f"hamming_loss({asked})": sklearn.hamming_loss(*pair, **weights),
            f"precision({asked},zero_division=0)": sklearn.precision_score(*pair, **or_zero),
            f"recall({asked},zero_division=0)": sklearn.recall_score(*pair, **or_zero),
            f"specificity({asked},zero_division=0)": sklearn.recall_score(*opposite, **or_zero),
            f"f1({asked},zero_division=0)": sklearn.f1_score(*pair, **or_zero),
            f"f_beta(beta=2,{asked},zero_division=0)": sklearn.fbeta_score(*pair, beta=2, **or_zero),
            f"f_beta(beta=0.5,{asked},zero_division=0)": sklearn.fbeta_score(*pair, beta=0.5, **or_zero),
        }
    compare(expected, as_rows(data), weight="weight" if weighted else None)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_against_scikit_learn(seed, weighted):
    data = random_rows(seed, positives=(0.05, 0.4)[seed % 2])
    label, score = data["label"], data["score"]
    weights = {"sample_weight": data["weight"]} if weighted else {}
    expected = {
        "brier": sklearn.brier_score_loss(label, score, **weights, labels=[0, 1]),
        "log_loss(eps=0.01)": sklearn.log_loss(label, score.clip(0.01, 0.99), **weights, labels=[0, 1]),
        "base_rate": numpy.average(label, weights=data["weight"] if weighted else None),
        "auc": None,
        "ks": None,
        "average_precision": sklearn.average_precision_score(label, score, **weights)
        if label.any()
        else None,
    }
    if 0 < label.sum() < label.size:
        false_positives, true_positives, _ = sklearn.roc_curve(label, score, **weights)
        expected["auc"] = sklearn.roc_auc_score(label, score, **weights)
        expected["ks"] = max(abs(true_positives - false_positives))
    compare(expected, as_rows(data), weight="weight" if weighted else None)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_regression_against_scikit_learn(seed, weighted):
    data = random_rows(seed)
    data["label"] = numpy.random.default_rng(seed).normal(1000 * seed, 3, data["score"].size)
    data["score"] = data["label"] + data["score"] - 0.25
    weights = {"sample_weight": data["weight"]} if weighted else {}
    pair = data["label"], data["score"]
    expected = {
        "mse": sklearn.mean_squared_error(*pair, **weights),
        "rmse": sklearn.root_mean_squared_error(*pair, **weights),
        "mae": sklearn.mean_absolute_error(*pair, **weights),
        "r2": sklearn.r2_score(*pair, **weights),
        "bias": numpy.average(data["score"] - data["label"], weights=data["weight"] if weighted else None),
    }
    compare(expected, as_rows(data), weight="weight" if weighted else None)


@pytest.mark.parametrize("seed", SEEDS)
def test_tied_ndcg_against_scikit_learn(seed):
    """scikit-learn averages over ties and counts a list without gain as 0."""
    lists = random_lists(seed, grades=4)
    expected = {
        f"{name}(gain=linear,on_empty=zero)@{k}": statistics.fmean(
            peer([labels], [scores], k=k) for labels, scores in lists.values()
        )
        for k in (1, 2, 5, 20)
        for name, peer in [("ndcg", sklearn.ndcg_score), ("dcg", sklearn.dcg_score)]
    }
    compare(expected, rows_of(lists), group="group")


@pytest.mark.parametrize("seed", SEEDS)
def test_ndcg_of_clicks_against_scikit_learn(seed):
    """The nDCG of scikit-learn takes labels of any size: here clicks over propensities."""
    lists = random_lists(seed, grades=1)
    chances = [1, 0.5, 0.3, 0.125]
    worth = {
        group: ([label / chances[place % 4] for place, label in enumerate(labels)], scores)
        for group, (labels, scores) in lists.items()
    }
    expected = {
        f"{name}(propensity=chance,on_empty=zero)@{k}": statistics.fmean(
            peer([gains], [scores], k=k) for gains, scores in worth.values()
        )
        for k in (1, 2, 5, 20)
        for name, peer in [("ips_ndcg", sklearn.ndcg_score), ("ips_dcg", sklearn.dcg_score)]
    }
    rows = [{**row, "chance": chances[row["item"] % 4]} for row in rows_of(lists)]
    compare(expected, rows, group="group")


@pytest.mark.parametrize("seed", SEEDS)
def test_gauc_against_scikit_learn_by_list(seed):
    lists = random_lists(seed, grades=1)
    areas = {
        group: sklearn.roc_auc_score(labels, scores)
        for group, (labels, scores) in lists.items()
        if 0 < sum(labels) < len(labels)
    }
    expected = {}
    for word, weight in {
        "uniform": lambda labels: 1,
        "impressions": len,
        "positives": sum,
        "negatives": lambda labels: len(labels) - sum(labels),
        "pairs": lambda labels: sum(labels) * (len(labels) - sum(labels)),
    }.items():
        of_list = {group: weight(lists[group][0]) for group in areas}
        total = sum(of_list.values())
        expected[f"gauc(weight={word})"] = (
            sum(areas[group] * of_list[group] for group in areas) / total if total else None
        )
    compare(expected, rows_of(lists), group="group")
