"""Notes where an interval or a test stands on few groups, rows of the rarer class, or rows of a bootstrap."""

from __future__ import annotations

import pytest

import sqlmetrics as sm

ROWS = [
    {
        "y": int(i % 10 == 0),
        "p": i * 7 % 13 / 13,
        "q": i * 5 % 13 / 13,
        "u": i // 10,
        "half": i // 50,
        "x": float(i),
    }
    for i in range(100)
]
FACTS = {"label": "y", "score": "p"}
MODELS = {"baseline": "p", "candidate": "q"}
MANY = [row | {"u": f"{time} {row['u']}"} for time in range(4) for row in ROWS]

CASES = {
    "rare rows": (lambda: sm.evaluate(ROWS, ["auc", "recall"], interval=0.95, **FACTS), "rows of the rarer class: 10"),
    "their bootstrap": (
        lambda: sm.evaluate(ROWS, "ks", interval=0.95, n_resamples=20, **FACTS),
        "rows of the rarer class: 10",
    ),
    "slices": (
        lambda: sm.evaluate(ROWS, "auc", interval=0.95, by="half", **FACTS),
        "rows of the rarer class: from 5 in 3 of 3 rows of the result",
    ),
    "groups": (lambda: sm.evaluate(ROWS, "ndcg@3", interval=0.95, group="u", **FACTS), "groups: 10"),
    "a bootstrap": (
        lambda: sm.evaluate(
            ROWS[:20], "median_absolute_error", interval=0.95, n_resamples=20, label="x", score="p"
        ),
        "rows of a bootstrap: 20",
    ),
    "compared rows": (lambda: sm.compare(ROWS, ["auc", "recall"], label="y", **MODELS), "rows of the rarer class: 10"),
    "compared lists": (lambda: sm.compare(ROWS, "mrr", label="y", group="u", **MODELS), "groups: 10"),
    "compared groups": (lambda: sm.compare(ROWS, "mae", label="x", group="u", **MODELS), "groups: 10"),
}  # fmt: skip
SILENT = {
    "no interval": lambda: sm.evaluate(ROWS, ["auc", "recall"], **FACTS),
    "many rows of both classes": lambda: sm.evaluate(MANY, ["auc", "recall"], interval=0.95, **FACTS),
    "many groups": lambda: sm.evaluate(MANY, "ndcg@3", interval=0.95, group="u", **FACTS),
    "a mean of numbers": lambda: sm.evaluate(ROWS, "mae", interval=0.95, label="x", score="p"),
    "many compared": lambda: sm.compare(MANY, ["mae", "auc"], label="y", group="u", **MODELS),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_few(case: str) -> None:
    call, told = CASES[case]
    what = "a test" if case.startswith("compared") else "an interval"
    assert [line for line in call().notes() if "rough" in line] == [f"{told}; below 30 {what} is rough"]


@pytest.mark.parametrize("case", SILENT)
def test_many(case: str) -> None:
    assert [line for line in SILENT[case]().notes() if "rough" in line] == []


def test_no_interval_is_rough_where_there_is_none() -> None:
    rows = [{"y": i % 2, "p": i / 8, "w": 0.0} for i in range(8)]
    asked = {"label": "y", "score": "p", "interval": 0.95}
    told = "rows of the rarer class: 4; below 30 an interval is rough"
    assert told in sm.evaluate(rows, "auc", **asked).notes()
    assert told not in sm.evaluate(rows, "auc", weight="w", **asked).notes()
