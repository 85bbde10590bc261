"""Labels and predictions of every kind against scikit-learn: booleans, integers, floats that are whole, texts."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy
import pytest
from sklearn import metrics as sklearn

import sqlmetrics as sm
from support.errors import told

SEEDS = [range(2), pytest.param(range(2, 20), marks=pytest.mark.long)]
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


Arrays = list[numpy.ndarray]
Peers = dict[str, Callable[..., float]]
#: metrics of two classes, or of more
OF_TWO: Peers = {
    **OF_CLASSES,
    **OF_PLACES,
    **{name: lambda y, p, peer=peer: peer(y, p, [0, 1]) for name, peer in OF_DECISIONS.items()},
}
OF_MORE: Peers = OF_CLASSES | OF_PLACES


def values(peers: Peers, labels: Arrays, predictions: Arrays) -> dict[str, list[float]]:
    """The peer's values over each pair of arrays, by notation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that are on one side alone
        return {
            notation: [float(peer(*pair)) for pair in zip(labels, predictions, strict=True)]
            for notation, peer in peers.items()
        }


@cache
def of_integers(seeds: range, classes: int) -> dict[str, list[float]]:
    """The peer's values over the integers of each seed."""
    return values(OF_TWO if classes == 2 else OF_MORE, *drawn(seeds, classes))


def tables(labels: Arrays, predictions: Arrays, classes: Any = None) -> list[list[list[int]]]:
    """The peer's confusion matrices, of which all its values follow."""
    pairs = zip(labels, predictions, strict=True)
    return [sklearn.confusion_matrix(*pair, labels=classes).tolist() for pair in pairs]


def agree(peers: dict[str, list[float]], labels: Arrays, predictions: Arrays, **facts: Any) -> None:
    """Our values of each pair of arrays, which are the slices of one statement, are those of the peer."""
    named = {f"m{number}": notation for number, notation in enumerate(peers)}
    data = {
        "label": numpy.concatenate(labels),
        "prediction": numpy.concatenate(predictions),
        "pair": numpy.repeat(numpy.arange(len(labels)), [label.size for label in labels]),
    }
    report = sm.evaluate(data, named, label="label", prediction="prediction", by="pair", total=False, **facts)
    found = [
        (row["pair"], notation, row[name], peers[notation][row["pair"]])
        for row in report.to_dicts()
        for name, notation in named.items()
    ]
    assert len(found) == len(labels) * len(peers)
    assert [entry for entry in found if entry[2] != pytest.approx(entry[3], rel=1e-9, abs=1e-9)] == []


def drawn(seeds: range, classes: int) -> tuple[Arrays, Arrays]:
    """Labels and predictions of each seed, with every class on both sides."""
    labels, predictions = [], []
    for draw in map(numpy.random.default_rng, seeds):
        label = numpy.concatenate([numpy.arange(classes), draw.integers(0, classes, 40)])
        labels.append(label)
        predictions.append(
            numpy.where(draw.random(label.size) < 0.6, label, draw.integers(0, classes, label.size))
        )
    return labels, predictions


@pytest.mark.slow
@pytest.mark.parametrize(("of_label", "of_prediction"), list(product(BINARY, repeat=2)))
@pytest.mark.parametrize("seeds", SEEDS)
def test_two_classes(seeds: range, of_label: str, of_prediction: str) -> None:
    places, decided = drawn(seeds, 2)
    labels, predictions = [*map(BINARY[of_label], places)], [*map(BINARY[of_prediction], decided)]
    arrays = {"y_true": labels[0], "y_pred": predictions[0]}
    if (of_label in TEXTS) != (of_prediction in TEXTS):
        for metric in ("accuracy", "f1", "mcc"):
            message = told(sm.evaluate, metrics=metric, **arrays)
            assert re.search("cannot be compared; (write |no number is a class such as )", message)
            assert "\n" not in message
        return
    if of_label != of_prediction and of_label in TEXTS:  # texts of which none is the other
        assert sm.evaluate(metrics="accuracy", **arrays).value("accuracy") == 0
        return
    classes, peers = BINARY[of_label](numpy.arange(2)), of_integers(seeds, 2)
    assert tables(labels, predictions, classes) == tables(places, decided)
    if of_label in TEXTS:
        agree(
            {notation: peers[notation] for notation in OF_CLASSES}
            | {f"recall(class='{classes[1]}')": peers["recall"]},
            labels,
            predictions,
        )
        decisions = {notation: peers[notation] for notation in OF_DECISIONS}
        agree(decisions, labels, predictions, positive=str(classes[1]))
    else:
        one = "true" if of_label == of_prediction == "booleans" else 1
        agree(peers | {f"recall(class={one})": peers["recall"]}, labels, predictions)


@pytest.mark.slow
@pytest.mark.parametrize(("of_label", "of_prediction"), list(product(SEVERAL, repeat=2)))
@pytest.mark.parametrize("seeds", SEEDS)
def test_several_classes(seeds: range, of_label: str, of_prediction: str) -> None:
    places, others = drawn(seeds, 4)
    labels, predictions = [*map(SEVERAL[of_label], places)], [*map(SEVERAL[of_prediction], others)]
    if (of_label in TEXTS) != (of_prediction in TEXTS):
        message = told(sm.evaluate, metrics="kappa", y_true=labels[0], y_pred=predictions[0])
        assert re.search("cannot be compared; (write |no number is a class such as )", message)
        return
    if of_label in TEXTS and of_label != of_prediction:  # texts of which none is the other
        agree(values(OF_CLASSES, labels, predictions), labels, predictions)
        return
    assert tables(labels, predictions, SEVERAL[of_label](numpy.arange(4))) == tables(places, others)
    notations = OF_CLASSES if of_label in TEXTS else OF_MORE
    agree({notation: of_integers(seeds, 4)[notation] for notation in notations}, labels, predictions)


@pytest.mark.parametrize("of_prediction", ["booleans", "integers", "floats"])
@pytest.mark.parametrize("of_label", ["booleans", "integers", "floats"])
def test_tables_of_two_classes(of_label: str, of_prediction: str) -> None:
    [places], [decided] = drawn(range(3, 4), 2)
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
