"""Intervals that `finish` makes from states with moments."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.errors import SqlMetricsError

ROWS = [
    {
        "day": i % 3,
        "y": i % 5 % 2,
        "p": (i * 7 % 19 + 1) / 21,
        "q": (i * 5 % 17 + 1) / 19,
        "g": i // 6,
        "far": i * i % 11 / 8,
    }
    for i in range(60)
]
FACTS: dict[str, Any] = {"label": "y", "score": "p"}


def days(metrics: Any, rows: Any = ROWS, **facts: Any) -> list[sm.State]:
    return [
        sm.state([row for row in rows if row["day"] == day], metrics, period="day", **{**FACTS, **facts})
        for day in range(3)
    ]


def test_no_digit_is_lost_far_from_0() -> None:
    """Values moved by a million, which is exact, have the same interval, moved; squares about 0 are off by 1e-4."""
    moved = [{**row, "far": 1e6 + row["far"]} for row in ROWS]
    metric = "mean(column=far)"
    (near,) = sm.evaluate(ROWS, metric, **FACTS, interval=0.95).to_dicts()
    (far,) = sm.finish(days(metric, moved, intervals=True), metric, interval=0.95).to_dicts()
    for end in ("mean_column_far_low", "mean_column_far_high"):
        assert far[end] - 1e6 == pytest.approx(near[end], abs=1e-9)


def test_models() -> None:
    facts = {"score": {"new": "p", "old": "q"}, "interval": 0.95}
    metrics = ["log_loss", "accuracy"]
    made = days(metrics, score=facts["score"], intervals=True)
    report, direct = sm.finish(made, metrics, interval=0.95), sm.evaluate(ROWS, metrics, label="y", **facts)
    for row, other in zip(report.to_dicts(), direct.to_dicts(), strict=True):
        for name in (f"{metric}{end}" for metric in metrics for end in ("", "_low", "_high")):
            assert row[name] == pytest.approx(other[name], rel=1e-9), name


def test_what_is_refused() -> None:
    for metric, facts, why in (
        ("auc", {}, "it needs the place of each row among those of all periods"),
        ("log_loss", {"group": "g"}, "a group may lie in several periods"),
        ("log_loss", {"weight": "q"}, "its units count differently"),
        ("mcc", {}, "how far a row moves it follows from the sums of all periods"),
        ("ks", {}, "its interval is a bootstrap"),
    ):
        with pytest.raises(SqlMetricsError, match=f"no state of periods makes its interval, since .*{why}"):
            days(metric, **facts, intervals=True)
        assert days(metric, **facts)  # the advice
    with pytest.raises(SqlMetricsError, match="intervals must be true or false, got"):
        days("log_loss", intervals=0.95)


def test_a_state_without_moments() -> None:
    made = days(["log_loss", "accuracy"])
    assert sm.finish(made, "accuracy", interval=0.95).to_dicts()[0]["accuracy_low"] is not None
    with pytest.raises(
        SqlMetricsError, match=r"the interval of log_loss .*sm\.state\(\.\.\.\) with intervals=True"
    ):
        sm.finish(made, ["log_loss", "accuracy"], interval=0.95)
    with pytest.raises(SqlMetricsError, match="does not hold what is needed for brier"):
        sm.finish(made, ["brier"], interval=0.95)
    mixed = [*days("log_loss", intervals=True)[:1], *days("log_loss")[1:]]
    with pytest.raises(SqlMetricsError, match="make those periods again"):
        sm.finish(mixed, "log_loss", interval=0.95)
