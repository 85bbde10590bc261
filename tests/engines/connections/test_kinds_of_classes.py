"""Labels and predictions of every kind through each kind of connection."""

import pytest

import sqlmetrics as sm
from support.connections.tables import ROWS
from support.errors import assert_told, told

DAY, YES = [row["day"] for row in ROWS], [int(row["yes"]) for row in ROWS]


@pytest.mark.parametrize(("label", "prediction"), [("day", "yes"), ("yes", "day")])
def test_a_boolean_is_0_or_1(label, prediction, connection):
    given = {"label": label, "prediction": prediction, "connection": connection}
    y, p = (DAY, YES) if label == "day" else (YES, DAY)
    cells = {(a, b): sum(pair == (a, b) for pair in zip(y, p, strict=True)) for a in (0, 1) for b in (0, 1)}
    report = sm.evaluate("preds", ["accuracy", "recall(class=1)", "recall(class=true)", "tp"], **given)
    recall = cells[1, 1] / sum(y)
    expected = [(cells[0, 0] + cells[1, 1]) / len(y), recall, recall, cells[1, 1]]
    assert [report.value(name) for name in report.metrics] == pytest.approx(expected)
    table = sm.confusion_matrix("preds", **given).to_dicts()
    assert {(row["label"], row["prediction"]): row["n"] for row in table} == {
        cell: n for cell, n in cells.items() if n
    }


def test_a_score_is_no_prediction(connection):
    message = told(sm.evaluate, "preds", "accuracy", label="day", prediction="q", connection=connection)
    assert_told(message, "59 rows have a prediction with a fraction, such as 0.9|score=")


def test_a_decision_in_words_needs_positive(connection):
    facts = {"label": "word", "prediction": "guess", "connection": connection}
    assert_told(told(sm.evaluate, "preds", "selection_rate", **facts), "'guess' is text|positive='...'")
    assert sm.evaluate("preds", "selection_rate", positive="view", **facts)["selection_rate"] == [0.5]
