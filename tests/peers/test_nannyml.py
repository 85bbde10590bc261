"""Expected metrics of a calibrated score, beside those of NannyML's CBPE and of scikit-learn over weighted outcomes."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlmetrics as sm
from oracles.soft import outcomes

Rows = list[dict[str, Any]]


def drawn(seed: int, rows: int = 300) -> Rows:
    """Scores without ties, since CBPE orders equal ones as they come, and what a calibrator makes of them."""
    draw = random.Random(seed)
    return [
        {"score": s, "p": round(0.05 + 0.8 * s * s, 6)}
        for s in draw.sample([i / 1000 for i in range(1, 1000)], rows)
    ]


@pytest.mark.parametrize("seed", range(2))
def test_cbpe_estimates_the_same(seed: int) -> None:
    """It rounds the counts of AUC and of average precision to five digits."""
    metrics = pytest.importorskip(
        "nannyml.performance_estimation.confidence_based.metrics", reason="needs nannyml"
    )
    rows = drawn(seed)
    names = ["auc", "average_precision", "f1", "precision", "recall", "specificity", "accuracy", "tp", "fn"]
    found = sm.evaluate(rows, names, label="p", score="score", soft=True).to_dicts()[0]
    p, score = [row["p"] for row in rows], [row["score"] for row in rows]
    decided = [int(s >= 0.5) for s in score]
    assert found["auc"] == pytest.approx(metrics.estimate_roc_auc(p, score), abs=1e-6)
    assert found["average_precision"] == pytest.approx(metrics.estimate_ap(p, score), abs=1e-6)
    for name in ("f1", "precision", "recall", "specificity", "accuracy"):
        assert found[name] == pytest.approx(getattr(metrics, f"estimate_{name}")(decided, p), rel=1e-12), name


def test_scikit_learn_takes_the_outcomes_as_weights() -> None:
    learn = pytest.importorskip("sklearn.metrics")
    rows = [{**row, "score": round(row["score"], 1) * 0.98 + 0.01} for row in drawn(3)]
    found = sm.evaluate(
        rows, ["auc", "average_precision", "log_loss", "brier", "f1"], label="p", score="score", soft=True
    )
    two = outcomes(rows, "p")
    y, score, weight = ([row[name] for row in two] for name in ("label", "score", "weight"))
    wanted = {
        "auc": learn.roc_auc_score(y, score, sample_weight=weight),
        "average_precision": learn.average_precision_score(y, score, sample_weight=weight),
        "log_loss": learn.log_loss(y, score, sample_weight=weight),
        "brier": learn.brier_score_loss(y, score, sample_weight=weight),
        "f1": learn.f1_score(y, [s >= 0.5 for s in score], sample_weight=weight),
    }
    for name, value in wanted.items():
        assert found[name][0] == pytest.approx(value, rel=1e-9), name
