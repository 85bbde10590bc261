"""Arrays in place of a table: each form gives the numbers of lists, and what is no list of values is one error."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sqlmetrics as sm
from sqlmetrics.given.arrays import is_values
from support.errors import assert_told, told

Y = [1, 0, 1, 0]
P = [0.75, 0.5, 0.25, 0.125]  # exact in every width of floats
ROLES = {"label": "y", "score": "p"}


class Tensor:
    """What speaks __array__ alone, as a tensor of another library."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if self.values.dtype == np.float64:
            return self.values
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


FORMS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "half precision": lambda values: np.array(values, "f2"),
    "bytes in the other order": lambda values: np.array(values, ">f8"),
    "long floats": lambda values: np.array(values, np.longdouble),
    "sparse": lambda values: pd.Series(pd.arrays.SparseArray(values)),
    "objects": lambda values: np.array(values, object),
    "every second": lambda values: np.repeat(values, 2)[::2],
    "masked": lambda values: np.ma.masked_array(values, [False] * 4),
    "pandas": lambda values: pd.Series(values, index=[3, 2, 1, 0]),  # an index is not read
    "polars": pl.Series,
    "arrow": pa.array,
    "chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "tensor": lambda values: Tensor(np.array(values, float)),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(form: str) -> None:
    of = FORMS[form]
    assert sm.evaluate({"y": of(Y), "p": of(P)}, "auc", **ROLES)["auc"] == [0.75]
    assert sm.evaluate(metrics="auc", y_true=of(Y), y_score=of(P))["auc"] == [0.75]


@pytest.mark.slow
def test_a_mapping_serves_every_function() -> None:
    data = {"y": np.array(Y), "p": np.array(P), "g": ["a", "a", "b", "b"]}
    rows = [dict(zip(data, row, strict=True)) for row in zip(Y, P, data["g"], strict=True)]
    for function, facts in (
        (sm.curve, {"kind": "roc", **ROLES}),
        (sm.per_group, {"metrics": "mrr", "group": "g", **ROLES}),
        (sm.confusion_matrix, {"label": "y", "prediction": "g"}),
    ):
        if function is sm.confusion_matrix:
            facts["prediction"] = sm.sql("case when g = 'a' then 1 else 0 end")
        assert function(data=data, **facts).to_dicts() == function(data=rows, **facts).to_dicts()


@pytest.mark.slow
def test_each_array_has_its_role() -> None:
    arrays = {"y_true": Y, "y_score": P, "groups": ["a", "a", "b", "b"], "sample_weight": [1, 1, 3, 3]}
    rows = [dict(zip(arrays, row, strict=True)) for row in zip(*arrays.values(), strict=True)]
    roles = {"label": "y_true", "score": "y_score", "group": "groups", "weight": "sample_weight"}
    metrics = ["auc", "gauc", "ndcg@1", "brier"]
    assert sm.evaluate(metrics=metrics, **arrays).to_dicts() == sm.evaluate(rows, metrics, **roles).to_dicts()
    classes = ["cat", "dog", "cat"]
    report = sm.evaluate(
        metrics="f1(average=macro)", y_true=np.array(classes), y_pred=["cat", "cat", "cat"], where="y_pred = 'cat'"
    )  # fmt: skip
    assert report.value("f1_average_macro") == pytest.approx((0.8 + 0) / 2)


#: what stands for the scores, and what its error says
WRONG: list[tuple[Any, str]] = [
    (np.array([P, P]).T, "Column 'p' (score=)|has the shape (4, 2)|array[:, 1]"),
    (np.array(0.5), "has the shape ()"),
    (P[:3], "Columns must have one length, got {'y': 4, 'p': 3}"),
    ([*P[:3], float("nan")], "1 of 4 rows have a NULL, NaN or infinite score"),
    (np.array([*P[:3], np.inf]), "1 of 4 rows have a NULL, NaN or infinite score"),
    (np.ma.masked_array(P, [0, 1, 0, 1]), "2 of 4 rows have a NULL, NaN or infinite score"),
    (pd.Series([0.5, None, 0.5, 0.5]), "1 of 4 rows have a NULL, NaN or infinite score"),
    (np.array([0.5, "x", None, 1], object), "Column 'p' (score=) of the data is not one list of one type"),
    (np.array(P) + 0j, "is not one list of one type"),
    (np.array(["a", "b", "c", "d"]), "is text and has to be numbers"),
    (np.array(["2026-01-01"] * 4, "M8[D]"), "is DATE and has to be numbers"),
    ("abcd", "is no list of values, got str"),
    ({"a": P}, "is no list of values, got dict"),
    (b"abcd", "is no list of values, got bytes"),
    (0.5, "is not one list of one type"),
    ([[p] for p in P], "has to be numbers"),
    (Tensor(Y), "Can't call numpy() on Tensor that requires grad"),
    ([Tensor(P)] * 4, "is not one list of one type"),
]


@pytest.mark.parametrize(("scores", "words"), WRONG, ids=[words for _, words in WRONG])
def test_what_is_no_list_of_values_is_one_error(scores: Any, words: str) -> None:
    assert_told(told(sm.evaluate, {"y": Y, "p": scores}, "auc", **ROLES), words)


@pytest.mark.parametrize("scores", [np.array(P)[:, None], pd.DataFrame({"p": P})], ids=["array", "frame"])
def test_one_column_is_a_list_of_values(scores: Any) -> None:
    assert sm.evaluate({"y": Y, "p": scores}, "auc", **ROLES)["auc"] == [0.75]
    assert sm.evaluate(metrics="auc", y_true=Y, y_score=scores)["auc"] == [0.75]


def test_a_column_that_is_not_used_may_be_anything() -> None:
    assert sm.evaluate({"y": Y, "p": P, "x": np.ones((4, 2))}, "auc", **ROLES)["auc"] == [0.75]


def test_arrays_or_data() -> None:
    for facts, words in (
        ({}, "Pass either data or arrays (y_true, y_score, y_pred, groups, sample_weight), got neither"),
        ({"data": [{"y": 1}], "y_true": Y}, "Pass either data or arrays|got both"),
        ({"y_true": Y, "y_score": P, "label": "y"}, "y_true= is the label and label= names a column of data"),
        ({"y_true": Y, "y_score": P[:2]}, "one length, got {'y_true': 4, 'y_score': 2}"),
        ({"y_true": [], "y_score": []}, "The data has no row"),
        ({"y_true": Y}, "needs y_score=, the values of the score"),
        (
            {"y_true": Y, "y_score": {"a": "p"}},
            "Column 'y_score of a' (score=)|is no list of values, got str",
        ),
        ({"y_true": Y, "y_score": {1: P, "1": P}}, "y_score= names two models alike, got 1, '1'"),
    ):
        assert_told(told(sm.evaluate, metrics="auc", **facts), words)
    assert_told(told(sm.evaluate, y_true=Y, y_score=P), "No metric was asked for")
    assert_told(told(sm.evaluate, np.array(Y), "auc"), "of type ndarray|a mapping of names to arrays")


CLASS_SCORES = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.3, 0.3, 0.4]]


@pytest.mark.parametrize("library", [pd, pl])
@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["cat", "dog", "owl", "owl"], ["cat", "dog", "owl"]),
        (["dog", "owl", "cat", "cat"], ["dog", "owl", "cat"]),  # another order than that of y_true
        (["b", "c", "c", "c"], ["b", "c", "a"]),  # a class that y_true lacks
        ([2, 1, 0, 0], ["2", "1", "0"]),
        ([3.0, 1.0, 1.0, 1.0], ["3", "1", "2"]),
        ([30, 10, 20, 20], ["p_10", "p_20", "p_30"]),  # no names of classes: by their order
        ([3, 1, 2, 2], ["0", "1", "2"]),
    ],
)
def test_columns_of_a_frame_are_classes_by_name(library: Any, labels: list[Any], names: list[str]) -> None:
    """A frame whose columns stood in another order than the classes gave another number without a word."""
    frame = library.DataFrame({name: [row[n] for row in CLASS_SCORES] for n, name in enumerate(names)})
    texts = [str(int(label) if isinstance(label, float) else label) for label in labels]
    ordered = names if {*texts} & {*names} and names != ["0", "1", "2"] else sorted({*texts})
    losses = [-math.log(row[ordered.index(text)]) for text, row in zip(texts, CLASS_SCORES, strict=True)]
    found = sm.evaluate(metrics="multiclass_log_loss", y_true=labels, y_score=frame)
    assert found.value("multiclass_log_loss") == pytest.approx(sum(losses) / 4)


def test_slices_are_arrays_by_name() -> None:
    """As of a table with a column for each; a bare array has no name."""
    y, p, country = [1, 0, 1, 0], [0.9, 0.3, 0.4, 0.6], np.array(["DE", "DE", "FR", "FR"])
    over = {"high": sm.sql("y_score > 0.5")}
    rows = {"y_true": y, "y_score": p, "country": country}
    asked = {"metrics": "auc", "y_true": y, "y_score": p}
    expected = sm.evaluate(rows, "auc", label="y_true", score="y_score", by={"country": "country", **over})
    for values in (country, list(country), pd.Series(country)):
        assert sm.evaluate(**asked, by={"country": values, **over}).to_dicts() == expected.to_dicts()
    for values in (country, list(country), "country"):
        message = told(sm.evaluate, **asked, by=values)
        assert_told(
            message,
            "by= beside arrays is a mapping of names to arrays, as in by={'country': countries}, got ",
        )
    assert_told(told(sm.evaluate, **asked, by={"y_true": country}), "by= names an array 'y_true'")


@pytest.mark.parametrize(
    ("names", "said"),
    [(["cat", "dog", "bird"], "0 columns named 'owl'"), (["cat", "owl", "cat"], "2 columns named 'cat'")],
)
def test_a_class_without_a_column_of_its_name_is_refused(names: list[str], said: str) -> None:
    frame = pd.DataFrame(CLASS_SCORES, columns=names)
    labels = ["cat", "dog", "owl", "owl"] if "dog" in names else ["cat", "owl", "owl", "owl"]
    message = told(sm.evaluate, metrics="multiclass_log_loss", y_true=labels, y_score=frame)
    assert_told(message, f"y_score= has {said}, a class of y_true=|or pass y_score.to_numpy()")


def test_a_frame_with_a_column_for_any_name_is_a_table() -> None:
    """A frame of Spark Connect: an attribute that it lacks is a column, which has no truth."""

    class Column:
        def __eq__(self, other: object) -> Column:  # type: ignore[override]
            return self

        def __bool__(self) -> bool:
            raise ValueError("Cannot convert column into bool")

        __hash__ = None  # type: ignore[assignment]

    class Frame:
        columns = ("y", "p")

        def __getattr__(self, name: str) -> Column:
            return Column()

    assert not is_values(Frame())
