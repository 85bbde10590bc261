"""`total(column=)` varies as the number of rows times a mean: over rows and over clusters, alone and of two models."""

from __future__ import annotations

import math
import random
from statistics import fmean
from typing import Any

import pytest

import sqlmetrics as sm
from support.compared import close
from support.errors import told

DRAW = random.Random(1)
WIDE = [
    {"u": u, "a": DRAW.uniform(0, 10), "more": DRAW.gauss(1, 2)}
    for u in range(30)
    for _ in range(DRAW.randint(1, 5))
]
ROWS = [
    {"u": row["u"], "i": i, "run": run, "x": x, "w": 1 + i % 3}
    for i, row in enumerate(WIDE)
    for run, x in (("a", row["a"]), ("far", row["a"] + 1.5), ("b", row["a"] + row["more"]))
]


@pytest.mark.parametrize("unit", ["i", "u"])
def test_difference_of_totals(unit: str) -> None:
    """A unit pulls by its differences, less what as many rows have on average; a constant one by nothing."""
    asked: dict[str, Any] = {"models": "run", "group": unit, "baseline": "a"}
    found = {row["candidate"]: row for row in sm.compare(ROWS, "total(column=x)", **asked).to_dicts()}
    assert found["far"]["difference"] == pytest.approx(1.5 * len(WIDE))
    assert found["far"]["p_value"] is found["far"]["low"] is None
    pulls: dict[int, float] = {}
    for i, row in enumerate(WIDE):
        at = row["u"] if unit == "u" else i
        pulls[at] = pulls.get(at, 0) + row["more"] - fmean(row["more"] for row in WIDE)
    n = len(pulls)
    error = math.sqrt(n / (n - 1) * math.fsum(pull**2 for pull in pulls.values()))
    close(found["b"]["difference"], math.fsum(row["more"] for row in WIDE))
    close(found["b"]["difference"] / found["b"]["statistic"], error)


@pytest.mark.parametrize(
    "facts", [{}, {"group": "u"}, {"weight": "w"}, {"group": "u", "interval_method": "anytime"}], ids=str
)
def test_interval_is_that_of_the_mean_times_the_weight(facts: dict[str, Any]) -> None:
    rows = [row for row in ROWS if row["run"] == "b"]
    weight = sum(row["w"] if "weight" in facts else 1 for row in rows)
    [row] = sm.evaluate(rows, ["total(column=x)", "mean(column=x)"], interval=0.95, **facts).to_dicts()
    for end in ("", "_low", "_high"):
        close(row["total_column_x" + end], row["mean_column_x" + end] * weight)


def test_totals_of_people_are_refused() -> None:
    rows = [{"judge": i % 2 + 1, "human": i % 2 if i < 5 else None, "cost": i} for i in range(20)]
    asked: dict[str, Any] = {"label": "judge", "gold": "human"}
    assert "Take mean(column=...)" in told(sm.evaluate, rows, "total(column=cost)", **asked)
    assert sm.evaluate(rows, "mean(column=judge)", **asked).value("mean_column_judge") < 1
