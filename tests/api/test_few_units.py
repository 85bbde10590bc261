"""Notes where an interval or a test stands on few groups, rows, or rows of the rarer class."""

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
    "groups of rows": (
        lambda: sm.evaluate(ROWS, "mean(column=x)", interval=0.95, group="u"),
        "groups: 10",
    ),
    "groups of pairs": (
        lambda: sm.evaluate(
            [{**row, "y": i % 2} for i, row in enumerate(ROWS)], "auc", interval=0.95, group="u", **FACTS
        ),
        "groups: 10",
    ),
    "groups of influences": (
        lambda: sm.evaluate(ROWS, "r2", interval=0.95, group="u", label="x", score="p"),
        "groups: 10",
    ),
    "a bootstrap": (
        lambda: sm.evaluate(
            ROWS[:20], "median_absolute_error", interval=0.95, n_resamples=20, label="x", score="p"
        ),
        "rows: 20",
    ),
    "few numbers": (lambda: sm.evaluate(ROWS[:12], "mae", interval=0.95, label="x", score="p"), "rows: 12"),
    "few compared numbers": (lambda: sm.compare(ROWS[:12], "mae", label="x", **MODELS), "rows: 12"),
    "slices of numbers": (
        lambda: sm.evaluate(ROWS, "mae", interval=0.95, by="u", label="x", score="p"),
        "rows: from 10 in 10 of 11 rows of the result",
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


@pytest.mark.parametrize(("metric", "label"), [("mae", "x"), ("auc", "y")])
@pytest.mark.parametrize(
    ("n", "said"), [(99, ["weighted rows: 99; below 100 an interval is rough"]), (100, [])]
)
def test_few_weighted_rows(metric: str, label: str, n: int, said: list[str]) -> None:
    """As many rows of very different weights say as much as a third of them."""
    rows = [row | {"y": i % 2, "w": i + 1} for i, row in enumerate(ROWS[:n])]
    report = sm.evaluate(rows, metric, interval=0.95, label=label, score="p", weight="w")
    assert [line for line in report.notes() if "rough" in line] == said


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_few(case: str) -> None:
    call, told = CASES[case]
    what = "a test" if "compared" in case else "an interval"
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
