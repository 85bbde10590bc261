"""What a predicted class may be: a number with a fraction is none, an infinite one is missing, texts stay texts."""

import math
from typing import Any

import pytest

import sqlmetrics as sm
from conformance.cases.tables import Rows
from support.engines import Engine

EQUALITY = [
    "accuracy",
    "error_rate",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "f1(average=macro)",
    "recall(class=1)",
]
DECISIONS = ["f1", "precision", "tp", "cost", "selection_rate", "demographic_parity_difference(sensitive=g)"]
ROLES = {"label": "y", "prediction": "p"}


def judged(labels: list[Any], predictions: list[Any]) -> Rows:
    return [
        {"y": y, "p": p, "g": n % 2, "period": 1}
        for n, (y, p) in enumerate(zip(labels, predictions, strict=True))
    ]


def values(engine: Engine, rows: Rows, metrics: list[str]) -> dict[str, Any]:
    named = {f"m{number}": metric for number, metric in enumerate(metrics)}
    [row] = engine.query(sm.render("data", named, dialect=engine.dialect, **ROLES), {"data": rows})
    return row


@pytest.mark.parametrize("metrics", [EQUALITY, DECISIONS], ids=["equality", "decisions"])
def test_a_fraction_is_no_class(metrics: list[str], engine: Engine) -> None:
    row = values(engine, judged([0.0, 1.0, 1.0, 0.0], [0.2, 1.0, 0.7, 0.0]), metrics)
    assert row["rows_prediction_fraction"] == 2
    assert [row[f"m{number}"] for number in range(len(metrics))] == [None] * len(metrics)


@pytest.mark.parametrize("of", [float, int])
def test_a_whole_number_is_a_class_of_any_type(of: type, engine: Engine) -> None:
    rows = judged([of(y) for y in (0, 1, 1, 0)], [of(p) for p in (0, 1, 0, 0)])
    row = values(engine, rows, ["accuracy", "recall(average=macro)", "tp"])
    assert [row["m0"], row["m1"], row["m2"]] == pytest.approx([0.75, 0.75, 1])
    assert row["rows_prediction_fraction"] == 0


def test_a_text_that_looks_like_a_fraction_is_a_class(engine: Engine) -> None:
    row = values(engine, judged(["0.2", "0.7", "1"], ["0.2", "0.2", "1"]), ["accuracy", "f1(average=micro)"])
    assert [row["m0"], row["m1"]] == pytest.approx([2 / 3, 2 / 3])
    assert row["rows_prediction_fraction"] == 0


@pytest.mark.parametrize("column", ["y", "p"])
def test_an_infinite_class_is_a_bad_row(column: str, engine: Engine) -> None:
    rows = judged([0.0, 1.0, 1.0], [0.0, 1.0, 1.0])
    rows[2][column] = math.inf
    if engine.name == "mysql":
        rows[2][column] = None  # it holds no infinite number
    row = values(engine, rows, ["accuracy", "recall(average=macro)"])
    assert row["rows_bad_label" if column == "y" else "rows_bad_prediction"] == 1
    assert [row["m0"], row["m1"]] == [1, 1]


def test_tables_of_classes_have_no_number_of_a_fraction(engine: Engine) -> None:
    of = int if engine.name == "bigquery" else float  # no float partitions a window there
    rows = judged([of(0), of(1)], [0.2, 1.0])
    for render, numbers in (
        (sm.render_class_report, ["precision", "recall", "f1"]),
        (sm.render_confusion_matrix, ["share"]),
    ):
        for row in engine.query(render("data", dialect=engine.dialect, **ROLES), {"data": rows}):
            assert [row[number] for number in numbers] == [None] * len(numbers)
            assert row["rows_prediction_fraction"] == 1


def test_by_slice_and_in_a_state(engine: Engine) -> None:
    rows = judged([0, 1, 1, 0], [0.2, 1.0, 1.0, 0.0])
    text = sm.render("data", {"value": "accuracy"}, by="g", dialect=engine.dialect, **ROLES)
    found = {row["g"]: row for row in engine.query(text, {"data": rows}) if not row["is_total"]}
    assert [found[g]["rows_prediction_fraction"] for g in (0, 1)] == [1, 0]
    assert [found[g]["value"] for g in (0, 1)] == [None, 1]
    states = engine.query(
        sm.render_state("data", ["accuracy"], period="period", dialect=engine.dialect, **ROLES),
        {"data": rows},
    )
    finish = sm.render_finish(
        "states", {"value": "accuracy"}, period="period", dialect=engine.dialect, **ROLES
    )
    [row] = engine.query(finish, {"states": states})
    assert (row["value"], row["rows_prediction_fraction"]) == (None, 1)
