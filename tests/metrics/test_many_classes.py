"""Scores of many classes, as columns, in an array or in two dimensions: formulas, scikit-learn, every engine."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import sklearn.metrics as sklearn

import sqlmetrics as sm
from support.engines import Engine, Rows
from support.errors import assert_told, told

METRICS = {
    "loss": "multiclass_log_loss",
    "brier": "multiclass_brier",
    "ovr": "multiclass_auc(method=ovr)",
    "ovo": "multiclass_auc(method=ovo)",
    "weighted": "multiclass_auc(method=ovr, average=weighted)",
    "top": "top_k_accuracy@5",
    "top_ece": "top_label_ece(bins=5)",
    "class_ece": "classwise_ece(bins=5)",
    "class_ece_of_rows": "classwise_ece(bins=4, equal=count)",
}
ARRAYS = (
    "duckdb",
    "postgres",
    "bigquery",
    "clickhouse",
    "datafusion",
    "snowflake",
    "spark",
)  # engines of tests that have arrays


def drawn(size: int, classes: int, seed: int = 3) -> tuple[Any, Any]:
    """Labels, each class at least once, and scores with ties that are binary fractions and sum to 1."""
    draw = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(classes), draw.integers(0, classes, size - classes)])
    return labels, draw.multinomial(4096, draw.dirichlet(np.ones(classes)), size) / 4096


def formulas(labels: Any, scores: Any) -> dict[str, float]:
    """The values by their formulas, the AUC of all pairs of classes without a loop over pairs."""
    classes = scores.shape[1]
    sizes, areas, wins = (
        np.bincount(labels, minlength=classes),
        np.zeros((classes, classes)),
        np.zeros(classes),
    )
    for c in range(classes):
        own, others = scores[labels == c, c], labels != c
        right = [(own > score).sum() + (own == score).sum() / 2 for score in scores[others, c]]
        wins[c] = sum(right)
        areas[c] = np.bincount(labels[others], weights=right, minlength=classes) / (
            sizes[c] * np.maximum(sizes, 1)
        )
    ovr = wins / (sizes * (len(labels) - sizes))
    return {
        "ovr": ovr.mean(),
        "weighted": (ovr * sizes).sum() / sizes.sum(),
        "ovo": areas.sum() / (classes * (classes - 1)),
        "loss": -np.log(np.maximum(scores[np.arange(len(labels)), labels], 1e-15)).mean(),
        "brier": ((scores - np.eye(classes)[labels]) ** 2).sum(1).mean(),
        "top": top(labels, scores, 5),
        "top_ece": ece(scores.max(1), top_of_each(labels, scores, 1), 5),
        "class_ece": np.mean([ece(scores[:, c], labels == c, 5) for c in range(classes)]),
        "class_ece_of_rows": np.mean(
            [ece(scores[:, c], labels == c, 4, below(scores[:, c])) for c in range(classes)]
        ),
    }


def ece(scores: Any, hits: Any, bins: int, places: Any = None) -> float:
    """Guo et al. (2017): the distances of sums in bins, of [0, 1] or of places among the rows."""
    number = np.minimum(((scores if places is None else places) * bins + 1e-9).astype(int), bins - 1)
    return float(np.abs(np.bincount(number, hits - scores)).sum() / len(scores))


def below(scores: Any) -> Any:
    """The share of rows with a lower score."""
    return np.searchsorted(np.sort(scores), scores) / len(scores)


def top(labels: Any, scores: Any, k: int) -> float:
    """The chance that the class is among the first k, over the orders of ties; scikit-learn takes one order."""
    return float(top_of_each(labels, scores, k).mean())


def top_of_each(labels: Any, scores: Any, k: int) -> Any:
    """The same of each row."""
    own = scores[np.arange(len(labels)), labels][:, None]
    above, tied = (scores > own).sum(1), (scores == own).sum(1)
    return np.clip((k - above) / tied, 0, 1)


def as_rows(labels: Any, scores: Any) -> Rows:
    return [
        {"y": int(label), **{f"c{c}": float(score) for c, score in enumerate(row)}}
        for label, row in zip(labels, scores, strict=True)
    ]


@pytest.mark.parametrize("classes", [2, 3, pytest.param(120, marks=pytest.mark.slow)])
def test_columns_on_every_engine(engine: Engine, classes: int) -> None:
    labels, scores = drawn(classes + 20, classes)
    named = {c: f"c{c}" for c in range(classes)}
    table = as_rows(labels, scores)
    statement = sm.render("t", METRICS, dialect=engine.dialect, label="y", class_scores=named)
    [row] = engine.query(statement, {"t": table})
    assert {name: row[name] for name in METRICS} == pytest.approx(formulas(labels, scores), abs=1e-9)


def test_formulas_are_those_of_scikit_learn() -> None:
    labels, scores = drawn(60, 5)
    asked = {"ovr": ("ovr", "macro"), "ovo": ("ovo", "macro"), "weighted": ("ovr", "weighted")}
    expected = {
        name: sklearn.roc_auc_score(labels, scores, multi_class=method, average=average)
        for name, (method, average) in asked.items()
    }
    expected["loss"] = sklearn.log_loss(labels, np.maximum(scores, 1e-15))
    expected["brier"] = sklearn.brier_score_loss(labels, scores)
    untied = scores + np.arange(5) * 1e-6
    found = formulas(labels, scores)
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert top(labels, untied, 2) == sklearn.top_k_accuracy_score(labels, untied, k=2)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["columns", "array", "y_score"])
def test_a_thousand_classes(form: str) -> None:
    labels, scores = drawn(1020, 1000)
    if form == "y_score":
        report = sm.evaluate(metrics=METRICS, y_true=labels, y_score=scores)
    elif form == "array":
        table = pa.table({"y": labels, "p": list(scores)})
        report = sm.evaluate(table, METRICS, label="y", class_scores="p")
    else:
        columns = {f"c{c}": scores[:, c] for c in range(1000)}
        named = {c: f"c{c}" for c in range(1000)}
        report = sm.evaluate({"y": labels, **columns}, METRICS, label="y", class_scores=named)
    [row] = report.to_dicts()
    assert {name: row[name] for name in METRICS} == pytest.approx(formulas(labels, scores), abs=1e-9)


def test_arrays_in_sql(engine: Engine) -> None:
    made = {"duckdb": "[a, b, c]", "bigquery": "[a, b, c]", "clickhouse": "[a, b, c]",
            "datafusion": "make_array(a, b, c)", "spark": "array(a, b, c)",
            "snowflake": "array_construct(a, b, c)"}  # fmt: skip
    table = [
        {"y": "cat", "a": 0.5, "b": 0.3, "c": 0.2},
        {"y": "dog", "a": 0.25, "b": 0.75, "c": 0.0},
        {"y": "owl", "a": 0.5, "b": 0.25, "c": 0.25},
    ]
    asked: dict[str, Any] = {"label": "y", "dialect": engine.dialect}
    array = {"column": sm.sql(made.get(engine.name, "array[a, b, c]")), "classes": ["cat", "dog", "owl"]}
    if engine.name not in ARRAYS:
        assert_told(
            told(sm.render, "t", METRICS, class_scores=array, **asked), f"{engine.dialect} cannot say"
        )
        return
    [found] = engine.query(sm.render("t", METRICS, class_scores=array, **asked), {"t": table})
    columns = {"cat": "a", "dog": "b", "owl": "c"}
    assert found == engine.query(sm.render("t", METRICS, class_scores=columns, **asked), {"t": table})[0]
    assert found["loss"] == pytest.approx(-(math.log(0.5) + math.log(0.75) + math.log(0.25)) / 3)


def test_an_array_of_another_length_is_a_bad_row() -> None:
    table = [{"y": 0, "p": [0.5, 0.25, 0.25]}, {"y": 1, "p": [0.5, 0.5]}, {"y": 2, "p": None}]
    asked: dict[str, Any] = {"label": "y", "class_scores": "p"}
    assert_told(
        told(sm.evaluate, table, "multiclass_brier", **asked),
        "2 of 3 rows have a NULL, NaN or infinite score",
    )
    [row] = sm.evaluate(table, "multiclass_brier", on_bad_rows="drop", **asked).to_dicts()
    assert row["multiclass_brier"] == pytest.approx(0.25 + 2 / 16)


@pytest.mark.parametrize(
    ("class_scores", "words"),
    [
        ("t", '\'t\' (class_scores=) of the data is text and has to be arrays|{"cat": "p_cat"'),
        ("y", "'y' (class_scores=) of the data is a number and has to be arrays"),
        ("q", "Column 'q' (class_scores=) is not in the data"),
        ({"column": "p", "classes": ["cat"]}, "two or more classes"),
        ({"column": "p", "classes": ["cat", "cat"]}, "names a class twice, got cat, cat"),
        ({"column": "p", "classes": ["cat", "dog"]}, "is text, but label column 'y' is a number"),
    ],
)
def test_what_is_no_array(class_scores: Any, words: str) -> None:
    table = [{"y": 0, "t": "a", "p": [0.5, 0.5]}, {"y": 1, "t": "b", "p": [0.25, 0.75]}]
    assert_told(told(sm.evaluate, table, "multiclass_brier", label="y", class_scores=class_scores), words)


def test_classes_of_a_relation_that_is_not_read() -> None:
    facts: dict[str, Any] = {"label": "y", "class_scores": "p"}
    assert_told(told(sm.render, "multiclass_brier", "t", **facts), 'write its classes too, as {"column": "p"')


@pytest.mark.parametrize(
    "names",
    [list("acdf"), [False, True], [1, 2, 5], [0.0, 1.0, 2.0], [10, 9]],
    ids=["text", "booleans", "numbers", "floats", "two"],
)
def test_columns_of_y_score_are_the_classes_in_their_order(names: list[Any]) -> None:
    random, n = Random(1), len(names)
    labels = [sorted(names)[i % n] for i in range(30)]
    scores = [[random.random() for _ in names] for _ in labels]
    scores = [[score / math.fsum(row) for score in row] for row in scores]
    expected = -math.fsum(math.log(row[i % n]) for i, row in enumerate(scores)) / 30
    for given in (scores, np.array(scores), tuple(map(tuple, scores))):
        report = sm.evaluate(metrics="multiclass_log_loss", y_true=labels, y_score=given)
        assert report.value("multiclass_log_loss") == pytest.approx(expected, abs=1e-12)
        assert sm.score_function("multiclass_log_loss")(labels, given) == pytest.approx(expected, abs=1e-12)


def test_a_class_without_a_label_has_its_column() -> None:
    report = sm.evaluate(
        metrics="top_k_accuracy@1", y_true=[0, 2], y_score=[[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]]
    )
    assert report.value("top_k_accuracy_1") == 0.5


@pytest.mark.parametrize(
    ("labels", "scores", "metric", "words"),
    [
        ([0, 1], [[0.5, 0.5], [0.25, 0.75]], "auc", "needs score=, one score for each row|array[:, 1]"),
        ([0, 1], [[0.5, 0.5], [0.25]], "multiclass_brier", "rows of 1 and of 2 scores"),
        (
            [1, 7, 3],
            [[0.5, 0.5]] * 3,
            "multiclass_brier",
            "2 columns and y_true= has 3 classes|class_scores=",
        ),
        (["a", "b"], [[0.5, 0.3, 0.2]] * 2, "multiclass_brier", "3 columns and y_true= has 2 classes"),
        (["a", 1, 2], [[0.5, 0.3, 0.2]] * 3, "multiclass_brier", "are the classes 0 to 2"),
    ],
)
def test_scores_that_name_no_classes(labels: Any, scores: Any, metric: str, words: str) -> None:
    assert_told(told(sm.evaluate, metrics=metric, y_true=labels, y_score=scores), words)
    assert_told(told(sm.score_function(metric), labels, scores), words)
