"""scikit-learn on the same random classes: weights, classes that are never predicted or never labelled, tied scores."""

import warnings
from typing import Any

import numpy
import pyarrow
import pytest
from sklearn import metrics as sklearn
from sklearn.preprocessing import label_binarize

import oracles
import sqlmetrics as sm
from support.seeds import seeds

SEEDS = seeds(8)
AVERAGES = ("macro", "micro", "weighted")


def close(of_peer: float | None) -> Any:
    if of_peer is None or numpy.isnan(of_peer):
        return None
    return pytest.approx(float(of_peer), rel=1e-12, abs=1e-12)


def compare(expected: dict[str, float | None], rows: list[dict], **facts: Any) -> None:
    """Each notation against the peer's value: of the SQL, and of the formula that conformance tests take for true."""
    named = {f"value_{number}": notation for number, notation in enumerate(expected)}
    [row] = sm.evaluate(pyarrow.Table.from_pylist(rows), named, label="label", **facts).to_dicts()
    for name, notation in named.items():
        assert row[name] == close(expected[notation]), notation
        assert oracles.value(notation, rows, **{"score": None, **facts}) == close(expected[notation]), (
            notation
        )


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_predicted_classes(seed: int, weighted: bool) -> None:
    draw = numpy.random.default_rng(seed)
    size, classes = int(draw.integers(1, 60)), [0, 1, 2, 4, 8][: int(draw.integers(1, 6))]
    label = draw.choice(classes, size)
    predicted = numpy.where(draw.random(size) < 0.5, label, draw.choice(classes[: 1 + seed % 5], size))
    weight = draw.integers(1, 7, size) / 2
    weights = {"sample_weight": weight} if weighted else {}
    expected: dict[str, float | None] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of single classes
        for zero in (0, 1):
            options = {**weights, "zero_division": zero}
            for average in AVERAGES:
                asked = f"average={average}, zero_division={zero}"
                expected |= {
                    f"precision({asked})": sklearn.precision_score(
                        label, predicted, average=average, **options
                    ),
                    f"recall({asked})": sklearn.recall_score(label, predicted, average=average, **options),
                    f"f1({asked})": sklearn.f1_score(label, predicted, average=average, **options),
                    f"f_beta(beta=2, {asked})": sklearn.fbeta_score(
                        label, predicted, beta=2, average=average, **options
                    ),
                    f"jaccard({asked})": sklearn.jaccard_score(label, predicted, average=average, **options),
                }
            named = [*classes[:2], "none of these" if isinstance(label[0], str) else 99]
            for average in ("macro", "micro"):
                asked = f"average={average}, labels={':'.join(map(str, named))}, zero_division={zero}"
                parts = {"average": average, "labels": named, **options}
                expected |= {
                    f"precision({asked})": sklearn.precision_score(label, predicted, **parts),
                    f"recall({asked})": sklearn.recall_score(label, predicted, **parts),
                    f"f_beta(beta=2, {asked})": sklearn.fbeta_score(label, predicted, beta=2, **parts),
                }
            seen = {"average": "macro", "labels": numpy.unique(label), **options}
            asked = f"average=macro, classes=label, zero_division={zero}"
            expected |= {
                f"precision({asked})": sklearn.precision_score(label, predicted, **seen),
                f"f1({asked})": sklearn.f1_score(label, predicted, **seen),
                f"jaccard({asked})": sklearn.jaccard_score(label, predicted, **seen),
            }
            for one in classes:
                parts = {"labels": [one], "average": None, **options}
                asked = f"class={one}, zero_division={zero}"
                expected |= {
                    f"precision({asked})": sklearn.precision_score(label, predicted, **parts)[0],
                    f"recall({asked})": sklearn.recall_score(label, predicted, **parts)[0],
                    f"f1({asked})": sklearn.f1_score(label, predicted, **parts)[0],
                }
        for average in ("macro", "weighted"):
            asked, options = (
                f"average={average}, zero_division=nan",
                {"average": average, "zero_division": numpy.nan},
            )
            expected |= {
                f"precision({asked})": sklearn.precision_score(label, predicted, **options, **weights),
                f"f1({asked})": sklearn.f1_score(label, predicted, **options, **weights),
            }
        expected |= {
            "accuracy": sklearn.accuracy_score(label, predicted, **weights),
            "error_rate": sklearn.zero_one_loss(label, predicted, **weights),
            "balanced_accuracy": sklearn.balanced_accuracy_score(label, predicted, **weights),
            "balanced_accuracy(adjusted=true)": sklearn.balanced_accuracy_score(
                label, predicted, adjusted=True, **weights
            ),
            "mcc(zero_division=0)": sklearn.matthews_corrcoef(label, predicted, **weights),
        }
        several = len({*label, *predicted}) > 1
        for words, kind in (
            ("kappa", None),
            ("kappa(weights=linear)", "linear"),
            ("kappa(weights=quadratic)", "quadratic"),
        ):
            expected[words] = (
                sklearn.cohen_kappa_score(label, predicted, weights=kind, **weights) if several else None
            )
    rows = pyarrow.table({"label": label, "predicted": predicted, "weight": weight}).to_pylist()
    compare(expected, rows, prediction="predicted", **({"weight": "weight"} if weighted else {}))


def long_table(label: numpy.ndarray, scores: numpy.ndarray, weight: numpy.ndarray) -> list[dict]:
    """A row an example and class."""
    return [
        {"list": f"e{example}", "item": f"c{one}", "label": int(label[example] == one), "score": score,
         "w": weight[example]}
        for example, of_example in enumerate(scores.tolist())
        for one, score in enumerate(of_example)
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_multiclass_auc(seed: int) -> None:
    draw = numpy.random.default_rng(seed)
    classes, size = int(draw.integers(3, 7)), int(draw.integers(10, 60))
    label = numpy.concatenate([numpy.arange(classes), draw.integers(0, classes, size)])
    # eighths, which sum to 1 without rounding and tie often
    scores = draw.multinomial(8, draw.dirichlet(numpy.ones(classes)), label.size) / 8
    weight = draw.integers(1, 7, label.size) / 2
    rows = long_table(label, scores, weight)
    facts = {"score": "score", "group": "list", "item": "item"}
    expected = {
        f"multiclass_auc(method={method}, average={average})": sklearn.roc_auc_score(
            label, scores, multi_class=method, average=average
        )
        for method in ("ovr", "ovo")
        for average in ("macro", "weighted")
    }
    compare(expected, rows, **facts)
    # scikit-learn takes weights for one against the rest alone
    expected = {
        f"multiclass_auc(method=ovr, average={average})": sklearn.roc_auc_score(
            label, scores, multi_class="ovr", average=average, sample_weight=weight
        )
        for average in ("macro", "weighted", "micro")
    }
    expected |= {
        f"multiclass_average_precision(average={average})": sklearn.average_precision_score(
            label_binarize(label, classes=range(classes)), scores, average=average, sample_weight=weight
        )
        for average in ("macro", "weighted", "micro")
    }
    compare(expected, rows, weight="w", **facts)
    wide = [
        {"y": int(y), "w": w, **{f"p{c}": p for c, p in enumerate(of)}}
        for y, w, of in zip(label, weight, scores.tolist(), strict=True)
    ]
    named = {c: f"p{c}" for c in range(classes)}
    for c in (0, classes - 1):
        one = {
            f"multiclass_auc(method=ovr, class={c})": sklearn.roc_auc_score,
            f"multiclass_average_precision(class={c})": sklearn.average_precision_score,
        }
        report = sm.evaluate(wide, [*one], label="y", class_scores=named, weight="w")
        for metric, function in one.items():
            value = function(label == c, scores[:, c], sample_weight=weight)
            assert report.value(metric) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_top_k_accuracy_of_untied_scores(seed: int) -> None:
    draw = numpy.random.default_rng(seed)
    label = numpy.concatenate([numpy.arange(5), draw.integers(0, 5, 30)])
    scores, weight = draw.random((label.size, 5)), draw.integers(1, 7, label.size) / 2
    expected = {
        f"top_k_accuracy@{k}": sklearn.top_k_accuracy_score(label, scores, k=k, sample_weight=weight)
        for k in (1, 2, 4)
    }
    facts = {"score": "score", "group": "list", "item": "item", "weight": "w"}
    compare(expected, long_table(label, scores, weight), **facts)


@pytest.mark.slow
@pytest.mark.parametrize("named", [int, str])
@pytest.mark.parametrize("seed", SEEDS)
def test_top_k_accuracy_of_tied_scores(seed: int, named: type) -> None:
    """scikit-learn ranks the greater class first, which is ties='item desc', in columns and in rows."""
    draw = numpy.random.default_rng(seed)
    label = draw.permutation([*range(5), *draw.integers(0, 5, 30)])
    scores, weight = draw.integers(0, 3, (label.size, 5)) / 2, draw.integers(1, 7, label.size) / 2
    names = [named(10 * number % 7) for number in range(5)]  # 0, 3, 6, 2, 5: in no order
    order = sorted(range(5), key=lambda number: names[number])
    expected = [
        sklearn.top_k_accuracy_score(
            [names[y] for y in label], scores[:, order], k=k, sample_weight=weight, labels=sorted(names)
        )
        for k in (1, 2, 4)
    ]
    wide = [
        {"y": names[y], "w": float(w)} | {f"p{number}": float(p) for number, p in enumerate(row)}
        for y, w, row in zip(label, weight, scores, strict=True)
    ]
    long = [
        {"list": example, "y": int(row["y"] == name), "w": row["w"], "c": name, "p": row[f"p{number}"]}
        for example, row in enumerate(wide)
        for number, name in enumerate(names)
    ]
    asked = {f"top_{k}": f"top_k_accuracy@{k}" for k in (1, 2, 4)}
    of_columns = {"class_scores": {name: f"p{number}" for number, name in enumerate(names)}}
    of_rows = {"score": "p", "group": "list", "item": "c"}
    for rows, facts in ((wide, of_columns), (long, of_rows)):
        for ties in ("item desc", "text desc"):  # of digits: the same
            report = sm.evaluate(rows, asked, label="y", weight="w", ties=ties, convention="sklearn", **facts)
            assert [report.value(name) for name in asked] == pytest.approx(expected, abs=1e-12)
            assert report.notes() == []
        [upwards] = sm.evaluate(rows, asked, label="y", weight="w", ties="item", **facts).to_dicts()
        [best] = sm.evaluate(rows, asked, label="y", weight="w", ties="best", **facts).to_dicts()
        assert all(upwards[name] <= best[name] for name in asked)
    by_columns, by_rows = (
        sm.evaluate(rows, asked, label="y", weight="w", ties="item", **facts).to_dicts()[0]
        for rows, facts in ((wide, of_columns), (long, of_rows))
    )
    assert [by_columns[name] for name in asked] == pytest.approx([by_rows[name] for name in asked])


@pytest.mark.parametrize("seed", SEEDS)
def test_probabilities_of_classes_in_columns_and_in_rows(seed: int) -> None:
    draw = numpy.random.default_rng(seed)
    classes, size = int(draw.integers(3, 6)), int(draw.integers(5, 40))
    label = numpy.concatenate([numpy.arange(classes), draw.integers(0, classes, size)])
    scores = draw.dirichlet(numpy.full(classes, 0.3), label.size)
    scores[0] = numpy.eye(classes)[1]  # certain and wrong: both sides clip
    weight = draw.integers(1, 7, label.size) / 2
    weights = {"sample_weight": weight}
    expected = {
        "multiclass_log_loss(eps=2.220446049250313e-16)": sklearn.log_loss(label, scores, **weights),
        "multiclass_brier": sklearn.brier_score_loss(label, scores, **weights),
    }
    of_rows = {"score": "score", "group": "list", "item": "item", "weight": "w"}
    compare(expected, long_table(label, scores, weight), **of_rows)
    expected |= {
        "multiclass_auc(method=ovr)": sklearn.roc_auc_score(label, scores, multi_class="ovr", **weights),
        "top_k_accuracy@1": sklearn.top_k_accuracy_score(label, scores, k=1, **weights),
    }
    rows = [
        {"label": int(y), "w": float(w)} | {f"p{c}": float(p) for c, p in enumerate(row)}
        for y, w, row in zip(label, weight, scores, strict=True)
    ]
    compare(expected, rows, class_scores={c: f"p{c}" for c in range(classes)}, weight="w")
