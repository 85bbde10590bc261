"""The main job on real data, where they lie beside the project; they may not be given away with it."""

from __future__ import annotations

import json

import pytest
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

import sqlmetrics as sm
from support.paths import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real data are not beside the project")


@pytest.mark.slow
def test_lightgbm_reported_the_same() -> None:
    """Its nDCG has gains 2^grade - 1, its AP the denominator min(R, k), and a query without gain counts 1."""
    reported = json.loads((DATA / "lambdarank" / "lightgbm_reported.json").read_text())
    metrics = {f"{name}@{k}": f"{name}(on_empty=one)@{k}" for name in ("ndcg", "map") for k in (1, 3, 5, 10)}
    report = sm.evaluate(
        DATA / "lambdarank" / "predictions.parquet",
        metrics,
        label="label",
        score={model: f"score_{model}" for model in reported},
        group="query_id",
        item="doc_id",
    )
    for row in report.to_dicts():
        assert {name: row[name] for name in metrics} == pytest.approx(reported[row["model"]], rel=1e-12)


@pytest.mark.slow
def test_slices_of_movielens_agree_with_scikit_learn() -> None:
    file = DATA / "movielens" / "predictions.parquet"
    report = sm.evaluate(
        file,
        # scikit-learn clips a certain and wrong score at the float's epsilon
        {
            **{name: name for name in ("auc", "average_precision", "gauc")},
            "log_loss": f"log_loss(eps={2**-52})",
        },
        label="rating",
        score={"a": "score_a", "b": "score_b_rounded"},
        group="user_id",
        by=["gender", "occupation"],
        positive=4,
    )
    import pandas

    ratings = pandas.read_parquet(file)
    ratings["score_b"] = ratings["score_b_rounded"]
    for row in report.to_dicts():
        part = ratings
        if not row["is_total"]:
            part = ratings[(ratings.gender == row["gender"]) & (ratings.occupation == row["occupation"])]
        liked, scores = part.rating >= 4, part[f"score_{row['model']}"]
        lists = [(liked[own], scores[own]) for own in part.groupby("user_id").groups.values()]
        mixed = [(y, s) for y, s in lists if y.nunique() == 2]
        assert row["auc"] == pytest.approx(roc_auc_score(liked, scores), rel=1e-12)
        assert row["average_precision"] == pytest.approx(average_precision_score(liked, scores), rel=1e-12)
        assert row["log_loss"] == pytest.approx(log_loss(liked, scores, labels=[False, True]), rel=1e-12)
        weighted = sum(len(y) * roc_auc_score(y, s) for y, s in mixed) / sum(len(y) for y, _ in mixed)
        assert row["gauc"] == pytest.approx(weighted, rel=1e-12)
