"""A table, its metrics, and their values: what every form of the same data has to give."""

import pytest

import sqlmetrics as sm

ROWS = [
    {"y": y, "p": p, "g": g, "i": i, "w": w, "day": day}
    for y, p, g, i, w, day in [
        (1, 0.9, "a", 1, 1.0, "mon"),
        (0, 0.4, "a", 2, 1.0, "mon"),
        (2, 0.4, "a", 3, 1.0, "tue"),
        (0, 0.8, "b", 1, 3.0, "mon"),
        (1, 0.6, "b", 2, 3.0, "tue"),
        (0, 0.0, "c", 1, 0.5, "tue"),
        (2, 1.0, "c", 2, 0.5, "tue"),
        (1, 1.0, "c", 3, 0.5, "mon"),
    ]
]

METRICS = {
    "x1": "auc",
    "x2": "ndcg@2",
    "x3": "gauc",
    "x4": "rmse",
    "x5": "log_loss",
    "x6": "err@3",
    "x7": "f1",
}

ROLES = {"label": "y", "score": "p", "group": "g", "item": "i", "weight": "w"}

FACTS = {"positive": 1, "max_grade": 2}


def numbers(data, **changes) -> list[list]:
    """The values of the by columns and of METRICS, row by row."""
    report = sm.evaluate(data, METRICS, **{**ROLES, **FACTS, "by": "day", **changes})
    by = report.columns[0]
    return [[row[name] for name in (by, "is_total", *METRICS)] for row in report.to_dicts()]


def same(expected):
    return [[pytest.approx(cell) if isinstance(cell, float) else cell for cell in row] for row in expected]


EXPECTED = same(numbers(ROWS))
