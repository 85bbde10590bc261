"""What a newcomer types first, out of habit of another library, and the sentence that answers it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import Metric, catalog, curves

FRAME = pd.DataFrame({"y": [1, 0, 1], "p": [0.5, 0.25, 0.75]})


@pytest.mark.parametrize("question", ["auc", "aucc", ["auc", "brier"], {"best": "auc"}])
def test_a_question_in_the_place_of_the_data(question: Any) -> None:
    """It is refused wherever a table in memory, a file or nothing stands in its own place."""
    roles: dict[str, Any] = {"label": "y", "score": "new"}
    frame = pd.DataFrame({"y": [1, 0, 1], "new": [0.5, 0.25, 0.75]})
    known = question != "aucc"
    memory = (frame, frame.to_dict("records"), frame.to_dict("list"))
    for data in (*memory, *([__file__, ()] if known else [])):
        for asked in (sm.evaluate, sm.leaderboard, sm.report):
            with pytest.raises(sm.SqlMetricsError) as refused:
                asked(question, data, **roles)
            told = f"The data come first, then the question: {asked.__name__}(data, {question!r}, ...)"
            assert str(refused.value) == told
    with pytest.raises(sm.SqlMetricsError, match=r"No file matches 'no\.csv'"):
        sm.evaluate("no.csv", question, **roles)


def test_a_table_of_a_connection_may_have_the_name_of_a_metric() -> None:
    connection = duckdb.connect()
    connection.execute("create table auc as select 1 as y, 0.5 as p union all select 0, 0.25")
    found = sm.evaluate("auc", "auc", label="y", score="p", connection=connection)
    assert found.value("auc") == 1


def told(name: str) -> tuple[str, str]:
    """The call over data that the error about an attribute proposes, and the call over arrays."""
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; it is a (metric|curve): ") as refused:
        getattr(sm, name)
    data, _, arrays = re.split("; it is a (?:metric|curve): ", str(refused.value))[1].partition(
        ", or of arrays "
    )
    return data, arrays


@pytest.mark.parametrize("metric", catalog().values(), ids=lambda metric: metric.macro)
def test_a_metric_as_a_function_says_a_call(metric: Metric) -> None:
    """The call has a statement, once the columns are named."""
    call, _ = told(metric.name)
    call = re.sub(r"(\w+)=\.\.\.", r"\1='\1'", call).replace("max_grade='max_grade'", "max_grade=3")
    assert "from t" in eval(call.replace("sm.evaluate(data", "sm.render('t'"), {"sm": sm})


@pytest.mark.parametrize(
    ("name", "roles", "expected"),
    [
        ("roc_auc_score", "y_true y_score", 1),
        ("mean_squared_error", "y_true y_score", (0.5**2 + 3 * 0.25**2) / 4),
        ("accuracy_score", "y_true y_pred", 0.75),
        ("f1_score", "y_true y_pred", 0.8),
        ("ndcg_score", "y_true y_score groups", 1),
        ("hit_rate", "y_true y_score groups", 1),
        ("pass_all", "y_true groups", None),
    ],
)
def test_the_call_over_arrays_works(name: str, roles: str, expected: float | None) -> None:
    _, call = told(name)
    assert re.findall(r"(\w+)=\.\.\.", call) == roles.split()
    arrays = {"y_true": [1, 0, 1, 0], "y_score": [0.5, 0.25, 0.75, 0.25], "y_pred": [1, 1, 1, 0]}
    report = eval(re.sub(r"(\w+)=\.\.\.", r"\1=\1", call), {"sm": sm, **arrays, "groups": [*"aabb"]})
    assert report.value(report.metrics[0]) == (None if expected is None else pytest.approx(expected))


def test_a_column_of_a_parameter_is_no_array() -> None:
    assert told("qini") == ("sm.evaluate(data, 'qini(treatment=treated)', label=..., score=...)", "")


def test_a_curve_as_a_function_says_a_call() -> None:
    assert told("roc_curve")[1] == "sm.curve('roc', y_true=..., y_score=...)"
    for name in curves():
        call, _ = told(f"{name}_curve")
        called = re.sub(r"(\w+)=\.\.\.", r"\1='\1'", call).replace("sm.curve(data", "sm.render_curve('t'")
        assert "from t" in eval(called, {"sm": sm})


def test_any_other_attribute_is_only_unknown() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'evalute'$"):
        sm.evalute  # noqa: B018


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            lambda: sm.evaluate(FRAME, "auc", "y", "p"),
            "takes data and metrics in this order, and all else by name, such as label=",
        ),
        (
            lambda: sm.find_slices(FRAME, "auc", "y"),
            "takes data and metrics in this order, and all else by name",
        ),
        (lambda: sm.evaluate(FRAME["y"], FRAME["p"], "auc"), "takes arrays by name: "),
        (
            lambda: sm.evaluate(pl.Series([1, 0]), pl.Series([0.5, 0.25]), metrics="auc"),
            "takes arrays by name: ",
        ),
        (
            lambda: sm.curve(FRAME, label="y", score="p"),
            "No curve was asked for. Pass one, such as 'roc'; known: cal",
        ),
        (
            lambda: sm.evaluate(FRAME, "auc", label="y", score="p", where=FRAME["y"] == 1),
            "got values (Series)",
        ),
        (
            lambda: sm.check(FRAME, "auc >= 0.7", label="y", score="p"),
            "it takes a result, which has been asked of columns: check(sm.evaluate(data, 'auc', label=...), 'auc",
        ),
        (lambda: sm.check(FRAME, "auc >= 0.7", slice=False), "'slice'. Did you mean 'slices'?"),
        (lambda: sm.evaluate(FRAME, "auc", label="y", score="p").plot("auc", foo=1), "argument 'foo'"),
    ],
)
def test_a_call_in_another_form(asked: Callable[[], Any], said: str) -> None:
    with pytest.raises((TypeError, sm.SqlMetricsError)) as refused:
        asked()
    assert said in str(refused.value)
    assert len(str(refused.value)) < 300
