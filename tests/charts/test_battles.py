"""The chart of `bradley_terry`."""

from __future__ import annotations

import pytest

import sqlmetrics as sm


def votes(*winners: str) -> list[dict[str, str]]:
    return [{"model_a": "x", "model_b": "y", "winner": winner} for winner in winners]


def test_strengths_are_drawn_with_their_intervals() -> None:
    chart = sm.bradley_terry(votes("model_a", "model_a", "model_b", "tie")).plot()
    assert chart.description.startswith("Strength of models in battles: x 0.")
    assert "y -0." in chart.description


def test_no_strength_is_no_chart() -> None:
    with pytest.raises(sm.SqlMetricsError, match="No model has a strength to show"):
        sm.bradley_terry(votes("model_a")).plot()
