"""scikit-learn on the same random labels of examples: none, all, ties, weights."""

import warnings
from typing import Any

import numpy
import pytest
from sklearn import metrics as sklearn

import sqlmetrics as sm
from support.seeds import seeds

RATIOS = {
    "precision": sklearn.precision_score,
    "recall": sklearn.recall_score,
    "f1": sklearn.f1_score,
    "jaccard": sklearn.jaccard_score,
}
RANKINGS = {
    "label_ranking_average_precision": sklearn.label_ranking_average_precision_score,
    "coverage_error": sklearn.coverage_error,
    "label_ranking_loss": sklearn.label_ranking_loss,
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(3))
def test_labels_of_examples(seed: int) -> None:
    """The weights of one seed are 1."""
    draw = numpy.random.default_rng(seed)
    size, width = int(draw.integers(2, 30)), int(draw.integers(2, 6))
    truth = (draw.random((size, width)) < 0.4).astype(int)
    truth[0], truth[1] = 0, 1
    score = (0.3 * truth + 0.7 * draw.random((size, width))).round(1)
    chosen = (score >= 0.5).astype(int)
    weight = draw.integers(1, 7, size) / 2 if seed else numpy.ones(size)
    weights: dict[str, Any] = {"sample_weight": weight}
    expected: dict[str, float] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of 0/0
        for name, peer in RATIOS.items():
            for average in ("macro", "micro", "weighted", "samples"):
                asked = f"multilabel_{name}(average={average})"
                expected[asked] = peer(truth, chosen, average=average, zero_division=0, **weights)
        for average in ("macro", "micro", "weighted", "samples"):
            expected[f"multilabel_f_beta(average={average}, beta=0.5)"] = sklearn.fbeta_score(
                truth, chosen, beta=0.5, average=average, zero_division=0, **weights
            )
    expected |= {name: peer(truth, score, **weights) for name, peer in RANKINGS.items()}
    expected |= {
        "subset_accuracy": sklearn.accuracy_score(truth, chosen, **weights),
        "hamming_loss": sklearn.hamming_loss(truth, chosen, **weights),
    }
    rows = [
        {"g": g, "i": i, "y": int(truth[g, i]), "p": float(score[g, i]), "w": float(weight[g])}
        for g in range(size)
        for i in range(width)
    ]
    named = {f"m{number}": notation for number, notation in enumerate(expected)}
    roles = {"label": "y", "score": "p", "group": "g", "item": "i", "weight": "w"}
    [row] = sm.evaluate(rows, named, **roles, convention="sklearn").to_dicts()
    assert {notation: row[name] for name, notation in named.items()} == pytest.approx(
        expected, rel=1e-12, abs=1e-12
    )
