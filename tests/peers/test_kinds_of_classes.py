"""Labels and predictions of every kind against scikit-learn: booleans, integers, floats that are whole, texts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy
import pytest
from sklearn import metrics as sklearn

import sqlmetrics as sm
from support.errors import told
from support.seeds import seeds

SEEDS = seeds(2, 20)
#: arrays of 0 and 1, or of more classes, in each kind
BINARY: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
    "booleans": lambda drawn: drawn == 1,
    "integers": lambda drawn: drawn,
    "bytes": lambda drawn: drawn.astype("uint8"),
    "floats": lambda drawn: drawn.astype(float),
    "singles": lambda drawn: drawn.astype("float32"),
    "texts": lambda drawn: numpy.array(["no", "yes"])[drawn],
    "digits": lambda drawn: drawn.astype(str),
}
SEVERAL = {
    "integers": BINARY["integers"],
    "floats": BINARY["floats"],
    "texts": lambda drawn: numpy.array(["cat", "dog", "owl", "emu"])[drawn],
    "digits": lambda drawn: numpy.array(["0.5", "1", "10", "9"])[drawn],
}
TEXTS = ("texts", "digits")


def of_each_average(name: str, **options: Any) -> dict[str, Callable[..., float]]:
    """The means over classes of a metric."""
    peer = getattr(sklearn, {"f_beta": "fbeta"}.get(name, name) + "_score")
    written = "".join(f", {option}={value}" for option, value in options.items())
    return {
        f"{name}(average={average}{written})": (
            lambda y, p, average=average: peer(y, p, average=average, zero_division=0, **options)
        )
        for average in ("macro", "micro", "weighted")
    }


#: metrics of any classes, by notation
OF_CLASSES: dict[str, Callable[..., float]] = {
    "accuracy": sklearn.accuracy_score,
    "error_rate": sklearn.zero_one_loss,
    "balanced_accuracy": sklearn.balanced_accuracy_score,
    "mcc": sklearn.matthews_corrcoef,
    "kappa": sklearn.cohen_kappa_score,
    **of_each_average("precision"),
    **of_each_average("recall"),
    **of_each_average("f1"),
    **of_each_average("f_beta", beta=0.5),
    **of_each_average("jaccard"),
}
#: metrics of the places of classes, which texts have not
OF_PLACES: dict[str, Callable[..., float]] = {
    "kappa(weights=linear)": lambda y, p: sklearn.cohen_kappa_score(y, p, weights="linear"),
    "kappa(weights=quadratic)": lambda y, p: sklearn.cohen_kappa_score(y, p, weights="quadratic"),
}
#: metrics of decisions: the peer takes labels, predictions, and both classes, the positive one last
OF_DECISIONS: dict[str, Callable[..., float]] = {
    "precision": lambda y, p, c: sklearn.precision_score(y, p, pos_label=c[1]),
    "recall": lambda y, p, c: sklearn.recall_score(y, p, pos_label=c[1]),
    "specificity": lambda y, p, c: sklearn.recall_score(y, p, pos_label=c[0]),
    "f1": lambda y, p, c: sklearn.f1_score(y, p, pos_label=c[1]),
    "f_beta(beta=2)": lambda y, p, c: sklearn.fbeta_score(y, p, beta=2, pos_label=c[1]),
    "f_beta(beta=0)": lambda y, p, c: sklearn.fbeta_score(y, p, beta=0, pos_label=c[1]),
    "jaccard": lambda y, p, c: sklearn.jaccard_score(y, p, pos_label=c[1]),
    "tn": lambda y, p, c: sklearn.confusion_matrix(y, p, labels=c)[0, 0],
    "fp": lambda y, p, c: sklearn.confusion_matrix(y, p, labels=c)[0, 1],
    "fn": lambda y, p, c: sklearn.confusion_matrix(y, p, labels=c)[1, 0],
    "tp": lambda y, p, c: sklearn.confusion_matrix(y, p, labels=c)[1, 1],
    "cost(fn=3)": lambda y, p, c: (
        (sklearn.confusion_matrix(y, p, labels=c) * [[0, 1], [3, 0]]).sum() / len(y)
    ),
    "informedness": lambda y, p, c: sklearn.balanced_accuracy_score(y, p, adjusted=True),
    "selection_rate": lambda y, p, c: (p == c[1]).mean(),
    "base_rate": lambda y, p, c: (y == c[1]).mean(),
}


def agree(metrics: dict[str, float], label: Any, predicted: Any, **facts: Any) -> None:
    """Our values of arrays are those of the peer."""
    named = {f"m{number}": notation for number, notation in enumerate(metrics)}
    row = sm.evaluate(metrics=named, y_true=label, y_pred=predicted, **facts).to_dicts()[0]
    wrong = {
        notation: (row[name], peer)
        for (name, notation), peer in zip(named.items(), metrics.values(), strict=True)
        if row[name] != pytest.approx(float(peer), rel=1e-9, abs=1e-9)
    }
    assert wrong == {}


def drawn(seed: int, classes: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Labels and predictions, with every class on both sides."""
    draw = numpy.random.default_rng(seed)
    label = numpy.concatenate([numpy.arange(classes), draw.integers(0, classes, 40)])
    return label, numpy.where(draw.random(label.size) < 0.6, label, draw.integers(0, classes, label.size))


@pytest.mark.slow
@pytest.mark.parametrize(("of_label", "of_prediction"), list(product(BINARY, repeat=2)))
@pytest.mark.parametrize("seed", SEEDS)
def test_two_classes(seed: int, of_label: str, of_prediction: str) -> None:
    places, decided = drawn(seed, 2)
    label, predicted = BINARY[of_label](places), BINARY[of_prediction](decided)
    arrays = {"y_true": label, "y_pred": predicted}
    if of_label != of_prediction and (of_label in TEXTS) != (of_prediction in TEXTS):
        for metric in ("accuracy", "f1", "mcc"):
            message = told(sm.evaluate, metrics=metric, **arrays)
            assert re.search("cannot be compared; (write |no number is a class such as )", message)
            assert "\n" not in message
        return
    if of_label != of_prediction and of_label in TEXTS:  # texts of which none is the other
        assert sm.evaluate(metrics="accuracy", **arrays).value("accuracy") == 0
        return
    peers = OF_CLASSES | ({} if of_label in TEXTS else OF_PLACES)
    agree({notation: peer(label, predicted) for notation, peer in peers.items()}, label, predicted)
    classes = [label[places == place][0] for place in (0, 1)]
    positive = classes[1] if of_label in TEXTS else None
    values = {notation: peer(label, predicted, classes) for notation, peer in OF_DECISIONS.items()}
    agree(values, label, predicted, positive=positive)
    name = f"'{classes[1]}'" if of_label in TEXTS else 1
    if of_label == of_prediction == "booleans":
        name = "true"
    agree({f"recall(class={name})": values["recall"]}, label, predicted)


@pytest.mark.slow
@pytest.mark.parametrize(("of_label", "of_prediction"), list(product(SEVERAL, repeat=2)))
@pytest.mark.parametrize("seed", SEEDS)
def test_several_classes(seed: int, of_label: str, of_prediction: str) -> None:
    places, others = drawn(seed, 4)
    label, predicted = SEVERAL[of_label](places), SEVERAL[of_prediction](others)
    if (of_label in TEXTS) != (of_prediction in TEXTS):
        message = told(sm.evaluate, metrics="kappa", y_true=label, y_pred=predicted)
        assert re.search("cannot be compared; (write |no number is a class such as )", message)
        return
    peers = OF_CLASSES | ({} if of_label in TEXTS else OF_PLACES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that are on one side alone
        values = {notation: peer(label, predicted) for notation, peer in peers.items()}
    agree(values, label, predicted)


@pytest.mark.parametrize("of_prediction", ["booleans", "integers", "floats"])
@pytest.mark.parametrize("of_label", ["booleans", "integers", "floats"])
def test_tables_of_two_classes(of_label: str, of_prediction: str) -> None:
    places, decided = drawn(3, 2)
    label, predicted = BINARY[of_label](places), BINARY[of_prediction](decided)
    rows = {"y": label, "p": predicted}
    report = sm.class_report(rows, label="y", prediction="p").to_dicts()
    peer = sklearn.precision_recall_fscore_support(label, predicted)
    for column, values in zip(("precision", "recall", "f1", "support"), peer, strict=True):
        assert [row[column] for row in report] == pytest.approx(values.tolist())
    table = sm.confusion_matrix(rows, label="y", prediction="p").to_dicts()
    assert [row["n"] for row in table] == sklearn.confusion_matrix(label, predicted).ravel().tolist()
    assert sm.score_function("mcc")(label, predicted) == pytest.approx(
        sklearn.matthews_corrcoef(label, predicted)
    )


@pytest.mark.parametrize("of_label", ["booleans", "integers", "floats"])
def test_a_continuous_prediction_is_refused_as_there(of_label: str) -> None:
    label, score = BINARY[of_label](numpy.array([0, 1, 1, 0])), numpy.array([0.2, 0.9, 0.7, 0.4])
    for metric, peer in (("accuracy", sklearn.accuracy_score), ("f1", sklearn.f1_score)):
        with pytest.raises(ValueError, match="continuous"):
            peer(label, score)
        assert "which is no class" in told(sm.evaluate, metrics=metric, y_true=label, y_pred=score)
