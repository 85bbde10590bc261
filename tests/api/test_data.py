"""Facts that are said once, keys of several columns, and arrays in place of data."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sqlmetrics as sm
from sqlmetrics.api.data import METHODS

ROWS = [
    {
        "day": "ab"[i % 8 > 3],
        "q": i // 8,
        "grade": i * 7 % 5 % 3,
        "new": i * 3 % 11 / 11,
        "old": i * 5 % 7 / 7,
        "w": 1 + i // 8 % 3,
    }
    for i in range(240)
]
FACTS: dict[str, Any] = {"label": "grade", "group": "q", "positive": 1, "max_grade": 2}
BOTH = {"new": "new", "old": "old"}
PEOPLE = [
    {**row, "judge": row["q"] % 2, "people": row["grade"] % 2 if row["q"] < 9 else None} for row in ROWS
]
JUDGED = sm.data(PEOPLE, label="judge", gold="people", score=["new", "old"])


def same(one: Any, other: Any) -> bool:
    """Whether two results have the same rows, but for rounding."""
    return one.to_dicts() == [pytest.approx(row, nan_ok=True) for row in other.to_dicts()]


def test_a_method_is_its_function() -> None:
    search = sm.data(ROWS, score=["new", "old"], weight="w", **FACTS)
    told: dict[str, Any] = {**FACTS, "weight": "w", "score": BOTH}
    assert same(
        search.evaluate(["ndcg@3", "auc"], by="day"), sm.evaluate(ROWS, ["ndcg@3", "auc"], by="day", **told)
    )
    assert same(search.compare("ndcg@3", baseline="old"), sm.compare(ROWS, "ndcg@3", baseline="old", **told))
    del told["max_grade"], told["group"]
    assert same(search.curve("roc"), sm.curve(ROWS, "roc", **told))
    plain = {name: told[name] for name in ("label", "weight", "positive")}
    found = search.find_slices("log_loss", by="day", score="new", group=None, min_units=10)
    assert same(found, sm.find_slices(ROWS, "log_loss", by="day", score="new", min_units=10, **plain))


def test_signatures_are_those_of_the_functions() -> None:
    for function in METHODS:
        method = getattr(sm.Data, function.__name__)
        (first, *rest), (own, *others) = (
            inspect.signature(one).parameters.values() for one in (function, method)
        )
        assert (first.name, own.name, rest) == ("data", "self", others)
        assert method.__doc__ == function.__doc__


def test_it_says_what_is_there() -> None:
    search = sm.data(ROWS, score={"b": "new", "a": sm.sql("old / 2")}, where="day = 'a'", **FACTS)
    assert repr(search).splitlines() == [
        "120 rows of the data",
        "score: new (DOUBLE), old / 2 (SQL)",
        "where: \"day = 'a'\"",
        "label: grade (BIGINT)",
        "group: q (BIGINT)",
        "positive: 1",
        "max_grade: 2",
        "models by name: b, a",
    ]


def test_a_reader_is_read_once() -> None:
    import pyarrow

    reader = pyarrow.Table.from_pylist(ROWS).to_reader()
    search = sm.data(reader, score="new", **FACTS)
    assert same(search.evaluate("ndcg@3"), search.evaluate("ndcg@3"))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            lambda: sm.data(ROWS, lable="grade"),
            "lable= is no fact about data. Did you mean 'label'? Facts: label",
        ),
        (lambda: sm.data(ROWS, by="day"), "by= goes with each question"),
        (lambda: sm.data(ROWS, label="gade"), "Did you mean 'grade'?"),
        (lambda: sm.data(ROWS, score="day"), "Column 'day' (score=) of the data is text"),
        (lambda: sm.data(ROWS, weight="w").drift(reference=ROWS), "drift takes no weight=, which is a fact"),
        *(
            (
                lambda name=name: getattr(JUDGED, name)("auc"),
                f"{name} takes no gold=, which is a fact of these",
            )
            for name in ("leaderboard", "find_slices", "sample_size", "explain_change", "per_group", "state")
        ),
        (lambda: JUDGED.curve("roc"), "evaluate, compare, plan_labels, report do. Leave the fact out"),
        (lambda: JUDGED.confusion_matrix(), "confusion_matrix takes no gold="),
        (
            lambda: sm.data(ROWS, label="new", soft=True, score="old").sample_size("log_loss"),
            "sample_size takes no soft=",
        ),
        (lambda: sm.data(ROWS, **FACTS).evaluate("auc"), "needs score="),
    ],
)
def test_facts_that_are_none(asked: Callable[[], Any], told: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        asked()
    assert told in str(refused.value)


KEYED = {**FACTS, "score": "new", "group": ["day", "q"]}
#: the same key as one column
JOINED = [{**row, "key": f"{row['day']}-{row['q']}"} for row in ROWS]


def test_a_key_of_several_columns() -> None:
    one = {**FACTS, "score": "new", "group": "key"}
    assert same(
        sm.evaluate(ROWS, ["ndcg@3", "gauc"], interval=0.9, **KEYED),
        sm.evaluate(JOINED, ["ndcg@3", "gauc"], interval=0.9, **one),
    )
    lists = sm.per_group(ROWS, "ndcg@3", **KEYED)
    assert lists["day / q"][:2] == ["a / 0", "a / 1"]
    assert lists["ndcg_3"] == [
        pytest.approx(row["ndcg_3"])
        for row in sorted(sm.per_group(JOINED, "ndcg@3", **one).to_dicts(), key=lambda r: r["key"])
    ]
    named = sm.per_group(ROWS, "ndcg@3", **{**KEYED, "group": {"list": ["day", "q"]}})
    assert named["list"] == lists["day / q"]
    told = {**KEYED, "score": BOTH, "baseline": "old"}
    assert same(sm.compare(ROWS, "ndcg@3", **told), sm.compare(JOINED, "ndcg@3", **{**told, "group": "key"}))
    assert same(
        sm.evaluate(ROWS, "ndcg@3", **{**KEYED, "group": ["q"]}),
        sm.evaluate(ROWS, "ndcg@3", **{**KEYED, "group": "q"}),
    )


def test_keys_differ_wherever_a_column_does() -> None:
    """As 'a / ' and 'b' beside 'a' and ' / b'; a key that lacks a part is a bad row."""
    keys = [("a / ", "b"), ("a", " / b"), ("a /", " b"), ("a", "/ / b"), ("a/", "b"), ("a", "/b")]
    rows = [{"x": x, "z": z, "y": 1, "p": 0.5} for x, z in keys]
    facts: dict[str, Any] = {"label": "y", "score": "p", "group": ["x", "z"]}
    assert sm.evaluate(rows, "mrr", **facts)["n_groups"] == [len(keys)]
    with pytest.raises(sm.DataError, match="group"):
        sm.evaluate([*rows, {"x": None, "z": "b", "y": 1, "p": 0.5}], "mrr", **facts)


def test_keys_join_a_truth() -> None:
    truth = [{"day": row["day"], "q": row["q"], "i": i, "grade": row["grade"]} for i, row in enumerate(ROWS)]
    listed = [{"day": row["day"], "q": row["q"], "i": i, "new": row["new"]} for i, row in enumerate(ROWS)]
    found = sm.evaluate(listed, "ndcg@3", truth=truth, item="i", **KEYED)
    assert found.value("ndcg@3") == pytest.approx(sm.evaluate(ROWS, "ndcg@3", **KEYED).value("ndcg@3"))
    with pytest.raises(sm.SqlMetricsError, match=r"Column 'day' \(group=\) is not in the truth"):
        sm.evaluate(listed, "ndcg@3", truth=[{"q": 1, "i": 1, "grade": 1}], item="i", **KEYED)
    with pytest.raises(sm.SqlMetricsError, match="group= of a state takes one column"):
        sm.state(ROWS, "ndcg@3", period="day", **KEYED)


Y, P, Q = (np.array([row[name] for row in ROWS]) for name in ("grade", "new", "old"))
ARRAYS: dict[str, Any] = {"y_true": Y > 0, "y_score": {"new": P, "old": Q}}


def test_arrays_are_data() -> None:
    rows = [{"y": row["grade"] > 0, **row} for row in ROWS]
    facts: dict[str, Any] = {"label": "y", "score": BOTH}
    assert same(sm.evaluate(metrics="auc", **ARRAYS), sm.evaluate(rows, "auc", **facts))
    assert same(sm.curve(kind="roc", **ARRAYS), sm.curve(rows, "roc", **facts))
    compared = sm.compare(metrics="auc", baseline="old", groups=[row["q"] for row in ROWS], **ARRAYS)
    assert same(compared, sm.compare(rows, "auc", baseline="old", group="q", **facts))
    one = sm.evaluate(metrics="mae", y_true=Y, y_score=P.reshape(-1, 1))
    assert one["mae"] == [
        pytest.approx(value) for value in sm.evaluate(ROWS, "mae", label="grade", score="new")["mae"]
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (lambda: sm.evaluate(Y, P), "Cannot read data of type ndarray as a table. Arrays are passed by name"),
        (
            lambda: sm.curve(list(Y), list(P)),
            "Arrays are passed by name, as in curve(kind='roc', y_true=y, y_score=p)",
        ),
        (lambda: sm.compare(ROWS, "auc", baseline="old", y_true=Y), "Pass either data or arrays"),
        (
            lambda: sm.curve(kind="roc"),
            "Pass either data or arrays (y_true, y_score, sample_weight), got neither",
        ),
        (
            lambda: sm.curve(kind="roc", y_true=Y > 0, y_score=P, label="y"),
            "y_true= is the label and label= names",
        ),
        (lambda: sm.evaluate("aucc", y_true=Y > 0, y_score=P), "Unknown metric 'aucc'. Did you mean 'auc'?"),
        (lambda: sm.evaluate(["auc", "brie"], y_true=Y > 0, y_score=P), "Unknown metric 'brie'"),
        (lambda: sm.curve("rock", y_true=Y > 0, y_score=P), "Unknown curve 'rock'. Did you mean 'roc'?"),
        (lambda: sm.evaluate("auc", y_score=P), "sqlmetrics.auc: needs y_true=, the values of the label"),
        (lambda: sm.curve("roc", y_score=P), "sqlmetrics.roc: needs y_true=, the values of the label"),
        (lambda: sm.evaluate("mrr", y_true=Y, y_score=P), "needs groups=, the values of the group"),
        (lambda: sm.evaluate("accuracy", y_true=Y), "accuracy: needs y_score= or y_pred=, the values of"),
        (
            lambda: sm.evaluate("overlap@2", y_true=Y, y_score=P, groups=Y),
            "needs item=, the column of the item, which no",
        ),
    ],
)
def test_arrays_that_are_none(asked: Callable[[], Any], told: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as refused:
        asked()
    assert told in str(refused.value)


def test_arrays_in_the_order_of_scikit_learn() -> None:
    """The question may come first; arrays without a name are neither scores nor classes, so they are named."""
    asked: dict[str, Any] = {"y_true": Y > 0, "y_score": P}
    assert same(sm.evaluate("auc", **asked), sm.evaluate(metrics="auc", **asked))
    assert same(sm.curve("roc", **asked), sm.curve(kind="roc", **asked))
    for first, second, third in ((Y, P, "auc"), ("auc", list(Y), list(P))):
        with pytest.raises(
            TypeError, match=r"evaluate\(metrics='auc', y_true=y, y_score=p\); predicted classes"
        ):
            sm.evaluate(first, second, third)
    with pytest.raises(TypeError, match=r"confusion_matrix\(\{'y': y, 'p': p\}, label='y', prediction='p'\)"):
        sm.confusion_matrix(Y, P)
