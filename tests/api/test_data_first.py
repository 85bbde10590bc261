"""The data come first, then the question. The other order, which statements had before, works with a note."""

import inspect

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import is_metric

ROLES = {"label": "y", "score": "p"}
SPLIT = {**ROLES, "by": "c", "period": "day", "before": 1, "after": 2}
CALLS = {
    "render": (sm.render, ["auc", "f1"], ROLES),
    "of lists": (sm.render, ["auc", "ndcg(gain=linear)@10"], {**ROLES, "group": "g", "max_grade": 3}),
    "named": (sm.render, {"best": "average_precision"}, ROLES),
    "per_group": (sm.render_per_group, "mrr", {**ROLES, "group": "g"}),
    "compare": (sm.render_compare, "brier", {"label": "y", "score": ["p", "q"], "baseline": "p"}),
    "sample_size": (sm.render_sample_size, "brier", {"label": "y", "baseline": "p", "n": 9}),
    "curve": (sm.render_curve, "calibration(bins=5)", ROLES),
    "state": (sm.render_state, "rmse", {**ROLES, "period": "day"}),
    "finish": (sm.render_finish, "rmse", {**ROLES, "period": "day"}),
    "find_slices": (sm.render_find_slices, "brier", {**ROLES, "by": "c"}),
    "explain_change": (sm.render_explain_change, "brier", SPLIT),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_data_come_first(name: str, recwarn: pytest.WarningsRecorder) -> None:
    function, question, facts = CALLS[name]
    expected = function("auc_of_may", question, **facts)
    _, asked = list(inspect.signature(function).parameters)[:2]
    assert function(**{asked: question}, relation="auc_of_may", **facts) == expected
    assert not recwarn.list
    with pytest.warns(FutureWarning, match=rf"{function.__name__}\(data, .*ends with 1.0") as told:
        assert function(question, "auc_of_may", **facts) == expected
    assert told[0].filename == __file__


def test_several_files_are_no_question(recwarn: pytest.WarningsRecorder) -> None:
    """A misspelt curve of several files is told as such, and not as data in the wrong place."""
    with pytest.raises(sm.SqlMetricsError, match="Unknown curve 'rok'"):
        sm.curve(["a.parquet", "b.parquet"], "rok", **ROLES)
    assert not recwarn.list


def test_a_table_may_have_the_name_of_a_metric(recwarn: pytest.WarningsRecorder) -> None:
    for table in ("auc", "roc"):
        assert f"from {table}" in sm.render(table, "rmse", **ROLES)
    assert f"from {table}" in sm.render_curve(table, "roc", **ROLES)
    assert not recwarn.list


def test_a_name_of_data_is_told_from_a_metric_at_no_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics that are spelled alike are looked for in a refusal alone: it takes longer than a call."""
    monkeypatch.setattr("sqlmetrics.book.catalog._unknown", None)
    assert not is_metric("predictions")
    assert "from predictions" in sm.render("predictions", "rmse", **ROLES)
    with pytest.raises(TypeError):
        sm.render("predictions", "rmsee", **ROLES)
