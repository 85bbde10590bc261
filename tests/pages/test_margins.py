"""A margin on a page: the verdicts are those of `compare`, in words."""

from __future__ import annotations

from typing import Any

import pytest

import sqlmetrics as sm
from support.errors import told
from support.report_pages import read

ROWS = [
    {
        "y": i % 2,
        "old": 0.2 + 0.6 * (i % 2) + (i % 7) / 90,
        "new": 0.2 + 0.6 * (i % 2) + (i % 5) / 70,
        "p": i % 2,
    }
    for i in range(140)
]
ASKED: dict[str, Any] = {"label": "y", "score": {"old": "old", "new": "new"}, "curves": []}


@pytest.mark.slow
def test_verdicts_beside_a_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """`max_error` has a margin, but no test; the page says so, and keeps the margins of the others."""
    margin = {"mae": 0.1, "brier": 0.0001, "max_error": 1}
    page = read(monkeypatch, ROWS, ["mae", "brier", "max_error"], margin=margin, **ASKED)
    asked = {"label": "y", "baseline": "old", "candidate": "new", "margin": {"mae": 0.1, "brier": 0.0001}}
    verdicts = {row["metric"]: row["verdict"] for row in sm.compare(ROWS, ["mae", "brier"], **asked)}
    assert verdicts["mae"] == "equivalent"
    assert verdicts["brier"] != "equivalent"
    section = page.section("compared")
    assert "new is equivalent to old by mae" in section
    assert "all of it smaller than the margin of 0.1000." in section
    assert "Equivalent comes first" in section
    assert "new is equivalent to old on mae" in page.html
    plain = sm.report(ROWS, "mae", **ASKED).html
    assert "quivalent" not in plain


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"margin": -1}, "margin= takes a number above 0, the smallest difference that matters"),
        ({"margin": {"auc": 0.1}}, "margin= has 'auc', which is no metric of this call. Metrics: mae"),
        (
            {"margin": 0.1, "score": "old"},
            "margin= is of the difference of models; pass two of them as score=",
        ),
    ],
)
def test_wrong_margins(more: dict[str, Any], message: str) -> None:
    assert message in told(sm.report, ROWS, "mae", **ASKED | more)
