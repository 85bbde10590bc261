"""A float has two zeros, which are one number: scores of 0.0 and -0.0 are tied, and slices of them are one."""

from __future__ import annotations

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.engines import Engine

ROWS = [
    {"list": name, "item": item, "label": label, "score": score}
    for name, scores in {"a": (0.0, -0.0), "b": (-0.0, 0.0)}.items()
    for item, (label, score) in enumerate(zip((1, 0), scores, strict=True))
]
#: Of rows that are all tied.
TIED = {"auc": 0.5, "ks": 0.0, "gauc": 0.5, "average_precision": 0.5}


def test_scores(engine: Engine) -> None:
    names = {f"m{number}": notation for number, notation in enumerate(TIED)}
    roles = {"label": "label", "score": "score", "group": "list", "item": "item"}
    for metrics in ({"m0": "auc"}, names):
        statement = sm.render("predictions", metrics, dialect=engine.dialect, **roles)
        [row] = engine.query(statement, {"predictions": ROWS})
        assert {names[name]: row[name] for name in metrics} == {
            names[name]: TIED[names[name]] for name in metrics
        }
    assert row["groups_tied"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("levels", ["sorted", "counted"])
def test_an_interval_of_scores(levels: str, weight: str | None, engine: Engine) -> None:
    """One zero in place of two changes no end."""
    rows = [
        {"y": n % 2, "p": (0.0, -0.0, 1.0, -1.0)[n * n % 11 % 4], "w": n % 3 + 1.0, "g": n % 5}
        for n in range(40)
    ]
    found = []
    for zeros in (rows, [{**row, "p": row["p"] + 0.0} for row in rows]):
        statement = sm.render(
            "given", ["auc", "average_precision"], dialect=engine.dialect, label="y", score="p", weight=weight,
            interval=0.95, score_levels=levels,
        )  # fmt: skip
        found += engine.query(statement, {"given": zeros})
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.slow
def test_values_of_a_drift(engine: Engine) -> None:
    """As many zeros on both sides, which are one value."""
    tables = {
        name: [{"x": x} for x in (zero, zero, 1.0)]
        for name, zero in {"then_rows": 0.0, "now_rows": -0.0}.items()
    }
    statement = macros(engine.dialect).drift("now_rows", ["x"], numeric=["x"], reference="then_rows")
    found = engine.query(str(statement), tables)
    assert {row["ks"] for row in found} == {0}


def test_slices(engine: Engine) -> None:
    rows = [{**row, "part": (0.0, -0.0, 1.0)[number % 3]} for number, row in enumerate(ROWS * 3)]
    for metrics in (["count"], ["count", "auc", "gauc"]):
        statement = sm.render(
            "predictions",
            metrics,
            dialect=engine.dialect,
            by="part",
            label="label",
            score="score",
            group="list",
        )
        found = engine.query(statement, {"predictions": rows})
        assert [(row["part"], row["count"], row["is_total"]) for row in found] == [
            (0, 8, 0),
            (1, 4, 0),
            (None, 12, 1),
        ]


def test_the_order_of_rows_names_no_slice() -> None:
    rows = [{"f": zero, "y": label, "p": 0.5 - label / 4} for zero in (0.0, -0.0) for label in (0, 1)]
    for ordered in (rows, rows[::-1]):
        report = sm.evaluate(ordered, "auc", label="y", score="p", by="f", total=False)
        assert list(report.flat()) == ["auc/0"]
        assert "-0" not in str(report)
