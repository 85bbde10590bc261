"""Where a peer is wrong, shown beside it: the peer's number, and ours."""

import math
import random

import pytest
import pytrec_eval
from sklearn.metrics import roc_auc_score

import sqlmetrics as sm
from support.boosters import lightgbm_reports, xgboost_reports
from support.evaluated import evaluated


def test_weight_of_an_empty_list():
    """An empty list counts 1 there whatever it weighs: LightGBM reports an nDCG of 2.5, XGBoost stops."""
    labels, scores, weights = [1, 0, 0, 0], [2, 1, 2, 1], [0.25, 0.25, 0.25, 0.25]
    reported = lightgbm_reports("lambdarank", ["ndcg"], labels, scores, group=[2, 2], weight=weights)
    assert reported["ndcg@1"] == pytest.approx(2.5)
    xgboost = pytest.importorskip("xgboost")
    with pytest.raises(xgboost.core.XGBoostError, match="Invalid output score"):
        xgboost_reports("rank:ndcg", ["ndcg"], labels, scores, [2, 2], [0.25, 0.25])
    rows = [
        {"group": place // 2, "item": place, "label": label, "score": score, "weight": weight}
        for place, (label, score, weight) in enumerate(zip(labels, scores, weights, strict=True))
    ]
    facts = {"group": "group", "item": "item", "weight": "weight"}
    for convention in ("lightgbm", "xgboost"):
        assert evaluated(["ndcg@1"], rows, convention=convention, **facts) == {"ndcg@1": 1}


def test_auc_of_a_single_class():
    """LightGBM calls a model perfect that no negative row could prove wrong."""
    assert lightgbm_reports("binary", ["auc"], [1, 1], [0.5, -0.5])["auc"] == 1
    rows = [{"label": 1, "score": 0.25}, {"label": 1, "score": 0.75}]
    assert evaluated(["auc"], rows, convention="lightgbm") == {"auc": None}


def test_auc_of_a_list():
    """XGBoost counts pairs of equal labels in the AUC of a list."""
    labels, scores = [1, 0, 1, 1], [0.125, 0.25, 0.5, 0.0625]
    assert xgboost_reports("rank:ndcg", ["auc"], labels, scores, [4])["auc"] == 0.5
    rows = [{"group": 1, "label": label, "score": score} for label, score in zip(labels, scores, strict=True)]
    assert roc_auc_score(labels, scores) == pytest.approx(1 / 3)
    assert evaluated(["gauc", "auc"], rows, group="group") == {
        "gauc": pytest.approx(1 / 3),
        "auc": pytest.approx(1 / 3),
    }


def test_beta_of_f_beta():
    """trec_eval takes beta for its square."""
    judged, listed = {"q": {"a": 1, "c": 1, "d": 1, "f": 1}}, {"q": {"a": 3.0, "b": 2.0, "e": 1.0}}
    topic = pytrec_eval.RelevanceEvaluator(judged, {"set_F.2", "set_P", "set_recall"}).evaluate(listed)["q"]
    p, r = topic["set_P"], topic["set_recall"]
    assert topic["set_F"] == pytest.approx(3 * p * r / (2 * p + r))
    decided = {item: item in listed["q"] for item in "abcdef"}
    rows = [{"label": judged["q"].get(item, 0), "score": float(decided[item])} for item in decided]
    asked = evaluated(["precision", "recall", "f_beta(beta=2)"], rows)
    assert list(asked.values()) == pytest.approx([p, r, 5 * p * r / (4 * p + r)])


@pytest.mark.slow
def test_order_of_rows():
    """The order of input breaks the ties of LightGBM; here it breaks nothing."""
    rows = [{"group": 1, "label": label, "score": 0.5} for label in (0, 1, 2, 0)]
    reported, ours = set(), set()
    for seed in range(8):
        random.Random(seed).shuffle(rows)
        labels = [row["label"] for row in rows]
        reported.add(lightgbm_reports("lambdarank", ["ndcg"], labels, [0.5] * 4, group=[4])["ndcg@3"])
        ours.add(evaluated(["ndcg@3"], rows, group="group")["ndcg@3"])
    assert len(reported) > 1
    assert max(ours) == pytest.approx(min(ours), abs=1e-15)


def test_a_score_that_is_no_number():
    """Where NaN sorts decides an AUC in some engines; here it is an error, or left out and counted."""
    rows = [{"label": 1, "score": 0.5}, {"label": 0, "score": 0.25}, {"label": 0, "score": math.nan}]
    with pytest.raises(sm.SqlMetricsError, match="1 of 3 rows have a NULL, NaN or infinite score"):
        sm.evaluate(rows, "auc", label="label", score="score")
    [row] = sm.evaluate(rows, "auc", label="label", score="score", on_bad_rows="drop").to_dicts()
    assert (row["auc"], row["rows_dropped"]) == (1, 1)


def test_an_item_listed_twice():
    """Hit counts of Spark, Hivemall and recommenders grow with copies of a hit."""
    rows = [{"group": 1, "item": 7, "label": 1, "score": score} for score in (0.5, 0.25)]
    with pytest.raises(sm.SqlMetricsError, match="repeat an item"):
        sm.evaluate(rows, "recall@2", label="label", score="score", group="group", item="item")


def test_scores_below_zero():
    """Torchmetrics retrieves no item of a score of 0 or less, so that shifted scores give another precision."""
    rows = [
        {"group": 1, "label": label, "score": score} for label, score in ((1, -0.5), (0, -1.0), (1, -2.0))
    ]
    shifted = [{**row, "score": row["score"] + 8} for row in rows]
    asked = ["precision@2", "map", "mrr", "recall@2"]
    one, other = (evaluated(asked, r, group="group", convention="torchmetrics") for r in (rows, shifted))
    assert one == other
    assert one["precision@2"] == 0.5
    torchmetrics = pytest.importorskip("torchmetrics")
    import torch

    peer = torchmetrics.retrieval.RetrievalPrecision(top_k=2)
    scores = torch.tensor([row["score"] for row in rows])
    assert peer(scores, torch.tensor([1, 0, 1]), indexes=torch.tensor([1, 1, 1])) == 0
