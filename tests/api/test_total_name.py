"""`total_name=` gives the total a name in the columns of the slices, which are then text without NULL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sqlmetrics as sm
from support.states import same

ROWS = [
    {"day": i % 2, "country": (None, "DE", "FR")[i % 3], "app": i % 4 < 2, "y": i * 5 % 7 % 2, "s": i * 7 % 11 / 11}
    for i in range(60)
]  # fmt: skip
SCORED = {"label": "y", "score": "s"}
PERIODS = {"period": "day", "before": 0, "after": 1}
Call = Callable[..., Any]
CALLS: dict[str, Call] = {
    "evaluate": lambda **by: sm.evaluate(ROWS, ["auc", "rmse"], **SCORED, **by),
    "interval": lambda **by: sm.evaluate(ROWS, "ks", interval=0.9, n_resamples=20, **SCORED, **by),
    "models": lambda **by: sm.evaluate(ROWS, "auc", label="y", score={"a": "s", "b": sm.sql("-s")}, **by),
    "curve": lambda **by: sm.curve(ROWS, "roc", **SCORED, **by),
    "compare": lambda **by: sm.compare(
        ROWS, "brier", baseline="s", candidate={"b": sm.sql("1 - s")}, label="y", **by
    ),
    "compare by draws": lambda **by: sm.compare(
        ROWS,
        "ks",
        baseline="s",
        candidate={"b": sm.sql("1 - s")},
        label="y",
        test="bootstrap",
        n_resamples=40,
        **by,
    ),
    "confusion_matrix": lambda **by: sm.confusion_matrix(ROWS, label="y", prediction="y", **by),
    "class_report": lambda **by: sm.class_report(ROWS, label="y", prediction="y", **by),
    "explain_change": lambda **by: sm.explain_change(ROWS, "brier", **SCORED, **PERIODS, **by),
    "drift": lambda **by: sm.drift(ROWS, columns="s", **PERIODS, **by),
    "finish": lambda **by: sm.finish(STATE, "auc", **by),
    "finish_curve": lambda **by: sm.finish_curve(STATE, "roc", **by),
    "mcnemar": lambda **by: sm.mcnemar(ROWS, "y", "y", sm.sql("1 - y"), **by),
    "two_proportions": lambda **by: sm.two_proportions(ROWS, "y", "day", **by),
    "agreement": lambda **by: sm.agreement(ROWS, "percent", raters=["y", "s"], **by),
    "chi_square": lambda **by: sm.chi_square(ROWS, "y", **by),
}
STATE = sm.state(ROWS, "auc", period="day", by=["country", "app"], **SCORED)


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_the_total_has_its_name_and_the_numbers_stay(call: str) -> None:
    by = ["country", "app"]
    plain = CALLS[call](by=by).to_dicts()
    named = CALLS[call](by=by, total_name="(all)").to_dicts()
    assert len(named) == len(plain)
    for row, before in zip(named, plain, strict=True):
        slices = [row.pop(column) for column in by]
        country, app = (before.pop(column) for column in by)
        assert row.keys() == before.keys()
        assert all(
            same(value, before[name], 1e-9) for name, value in row.items()
        )  # threads add up in any order
        assert slices == (
            ["(all)"] * 2 if row["is_total"] else [country or "(null)", "true" if app else "false"]
        )


def test_rows_have_keys() -> None:
    report = sm.evaluate(ROWS, "auc", by=["country", "day"], total_name="all", **SCORED)
    keys = [(row["country"], row["day"]) for row in report]
    assert len({*keys}) == len(keys) == 7
    assert all(isinstance(value, str) for key in keys for value in key)
    assert report.value("auc") == sm.evaluate(ROWS, "auc", **SCORED).value("auc")


@pytest.mark.slow
def test_the_name_is_printed() -> None:
    last = repr(
        sm.evaluate(ROWS, "auc", by=["country", "day"], total_name="every one", **SCORED)
    ).splitlines()[-1]
    assert last.startswith("every one")
    assert last.count("every one") == 2
    audit = sm.evaluate(ROWS, "auc", by="country", total_name="every one", **SCORED).audit
    assert repr(audit).splitlines()[-1].startswith("every one")


def test_a_name_of_a_slice_is_refused() -> None:
    with pytest.raises(sm.SqlMetricsError, match="total_name='DE' is also the value of a slice of country"):
        sm.evaluate(ROWS, "auc", by="country", total_name="DE", **SCORED)
    # a value of one column alone is none of a slice of two
    assert len(sm.evaluate(ROWS, "auc", by=["country", "day"], total_name="DE", **SCORED)) == 7


def test_per_group_and_find_slices_have_none() -> None:
    for function, asked in ((sm.per_group, {"group": "day"}), (sm.find_slices, {"by": "country"})):
        with pytest.raises(TypeError, match="total_name"):
            function(ROWS, "mrr", total_name="all", **SCORED, **asked)
