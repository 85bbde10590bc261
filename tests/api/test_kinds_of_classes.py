"""What a prediction may be, in each function that takes one: a score is none, a boolean stands beside 0 and 1."""

from __future__ import annotations

import sqlite3
from datetime import date
from typing import Any

import numpy
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told

Y, P = [0, 1, 1, 0], [0.2, 0.9, 0.7, 0.4]
ROWS: list[dict[str, Any]] = [
    {"y": y, "p": p, "b": p >= 0.5, "true": bool(y), "word": "cat", "pet": "dog", "g": n % 2, "d": n // 2}
    for n, (y, p) in enumerate(zip(Y, P, strict=True))
]
ROLES = {"label": "y", "prediction": "p"}
SCORE, DECIDED = "pass a score as score=, or the class", "prediction=sm.sql('p >= 0.5')"
PERIODS = {"period": "d", "before": 0, "after": 1}

REFUSED = {
    "evaluate": (sm.evaluate, (ROWS, "accuracy"), ROLES, SCORE),
    "slices": (sm.evaluate, (ROWS, "error_rate"), ROLES | {"by": "g"}, SCORE),
    "bad rows": (sm.evaluate, (ROWS, "mcc"), ROLES | {"on_bad_rows": "drop"}, SCORE),
    "binary": (sm.evaluate, (ROWS, "f1"), ROLES, SCORE),
    "mean": (sm.evaluate, (ROWS, "f1(average=macro)"), ROLES, "pass the class"),
    "arrays": (sm.evaluate, (), {"metrics": "kappa", "y_true": Y, "y_pred": P}, SCORE),
    "numpy": (sm.evaluate, (), {"metrics": "kappa", "y_true": Y, "y_pred": numpy.array(P, "float32")}, SCORE),
    "function": (sm.score_function("accuracy"), (Y, P), {}, SCORE),
    "confusion_matrix": (sm.confusion_matrix, (ROWS,), ROLES, "pass the class"),
    "class_report": (sm.class_report, (ROWS,), ROLES, "pass the class"),
    "state": (sm.state, (ROWS, "accuracy"), ROLES | {"period": "d"}, SCORE),
    "find_slices": (sm.find_slices, (ROWS, "accuracy"), ROLES | {"by": "g"}, SCORE),
    "explain_change": (sm.explain_change, (ROWS, "accuracy"), ROLES | {"by": "g"} | PERIODS, SCORE),
}


@pytest.mark.parametrize(("call", "given", "facts", "words"), REFUSED.values(), ids=REFUSED)
def test_a_score_is_no_prediction(call: Any, given: tuple, facts: dict[str, Any], words: str) -> None:
    message = told(call, *given, **facts)
    assert_told(message, f"4 rows have a prediction with a fraction, such as 0.|which is no class; {words}")
    assert DECIDED in message


@pytest.mark.slow
def test_what_the_refusal_says_works() -> None:
    decided = sm.sql("p >= 0.5")
    assert sm.evaluate(ROWS, "accuracy", label="y", score="p").value("accuracy") == 1
    assert sm.evaluate(ROWS, "f1(average=macro)", label="y", prediction=decided)["f1_average_macro"] == [1]
    assert [row["n"] for row in sm.confusion_matrix(ROWS, label="y", prediction=decided)] == [2, 2]
    tested = sm.mcnemar(ROWS, "y", decided, sm.sql("p >= 0.8")).to_dicts()[0]
    assert (tested["n_both_right"], tested["n_only_baseline"]) == (3, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("baseline", "candidate", "role"), [("p", "b", "baseline"), ("b", "p", "candidate")])
def test_a_score_is_no_prediction_of_mcnemar(baseline: str, candidate: str, role: str) -> None:
    message = told(sm.mcnemar, ROWS, "y", baseline, candidate)
    assert_told(message, f"4 rows have a prediction of the {role} with a fraction, such as 0.|{role}=sm.sql(")


def test_a_number_that_a_limit_decides_may_have_a_fraction() -> None:
    """As a rating: a row is positive from `positive` on, and so is a prediction."""
    rows = [{"y": 4.5, "p": 3.5}, {"y": 2.0, "p": 2.5}, {"y": 4.0, "p": 4.5}]
    assert sm.evaluate(rows, "f1", label="y", prediction="p", positive=4)["f1"] == [pytest.approx(2 / 3)]


# --- a boolean beside 0 and 1


def connected(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("create table data (y integer, b boolean, yes boolean, p real)")
    connection.executemany(
        "insert into data values (?, ?, ?, ?)", [(r["y"], r["b"], r["true"], r["p"]) for r in ROWS]
    )
    return connection


BINARY = ["accuracy", "f1", "mcc", "f1(average=macro)", "recall(class=1)", "recall(class=true)", "tp"]


@pytest.mark.parametrize(("label", "prediction"), [("y", "b"), ("true", "y")])
def test_a_boolean_is_0_or_1(label: str, prediction: str) -> None:
    roles = {"label": label, "prediction": prediction}
    named = {f"m{number}": metric for number, metric in enumerate(BINARY)}
    report = sm.evaluate(ROWS, named, **roles)
    assert [report.value(name) for name in named] == pytest.approx([1, 1, 1, 1, 1, 1, 2])
    assert sm.evaluate(ROWS, "f1", **roles, positive=1).value("f1") == 1
    one = True if label == "true" else 1
    cells = sm.confusion_matrix(ROWS, **roles).to_dicts()
    assert [(cell["label"], cell["prediction"]) for cell in cells] == [(not one, not one), (one, one)]
    assert {type(cell["prediction"]) for cell in cells} == {type(one)}
    assert [row["class"] for row in sm.class_report(ROWS, **roles).to_dicts()] == [not one, one]


def test_a_boolean_is_0_or_1_in_sqlite() -> None:
    with connected(sqlite3.connect(":memory:")) as connection:
        given = {"label": "y", "connection": connection}
        assert sm.evaluate("data", "accuracy", prediction="b", **given).value("accuracy") == 1
        assert (
            sm.evaluate("data", "accuracy", prediction="y", **given | {"label": "yes"}).value("accuracy") == 1
        )
    connection.close()


def test_arrays_of_decisions() -> None:
    decided = numpy.array(P) > 0.5
    assert sm.evaluate(metrics="accuracy", y_true=Y, y_pred=decided).value("accuracy") == 1
    assert sm.evaluate(metrics="mcc", y_true=decided, y_pred=numpy.array(Y, float)).value(
        "mcc"
    ) == pytest.approx(1)
    assert sm.score_function("f1")(Y, decided) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "columns", [("y", "b", "y"), ("true", "y", "b"), ("y", "y", "b"), ("true", "b", "y")]
)
def test_mcnemar_of_booleans_and_numbers(columns: tuple[str, str, str]) -> None:
    [row] = sm.mcnemar(ROWS, *columns).to_dicts()
    assert (row["n_both_right"], row["accuracy_baseline"], row["accuracy_candidate"]) == (4, 1, 1)


def test_a_state_of_decisions() -> None:
    facts = {"period": "d", "label": "y", "prediction": "b"}
    state = sm.state(ROWS, ["accuracy", "f1"], **facts)
    assert sm.finish(state, ["accuracy", "f1"]).flat() == {"accuracy": 1, "f1": 1}


def test_a_class_that_no_boolean_is() -> None:
    rows = [{"y": 3, "b": True}, {"y": 1, "b": True}]
    for label, prediction, role in (("y", "b", "label"), ("b", "y", "prediction")):
        message = told(sm.evaluate, rows, "accuracy", label=label, prediction=prediction)
        assert_told(message, f"1 rows have a {role} that is neither 0 nor 1, such as 3, beside booleans")
    message = told(sm.evaluate, rows, "recall(class=cat)", label="y", prediction="b")
    assert_told(message, "class= is text, but label column 'y' is a number")


# --- texts and other types


@pytest.mark.parametrize("metric", ["selection_rate", "demographic_parity_difference(sensitive=g)",
                                    "demographic_parity_ratio(sensitive=g)"])  # fmt: skip
def test_a_decision_in_words_needs_positive(metric: str) -> None:
    facts = {"label": "word", "prediction": "pet"}
    assert_told(
        told(sm.evaluate, ROWS, metric, **facts), "Prediction column 'pet' is text; pass positive='...'"
    )
    assert sm.evaluate(ROWS, {"m": metric}, **facts, positive="dog")["m"] == [
        0 if "difference" in metric else 1
    ]


def test_a_decision_is_no_date() -> None:
    rows = [{"day": date(2026, 6, 1), "g": 1}]
    message = told(sm.evaluate, rows, "selection_rate", label="day", prediction="day")
    assert_told(message, "Prediction column 'day' is |has to be numbers, booleans or text")


# --- notes

NONE_RIGHT = "no prediction equals its label; both have to name classes in one way"


@pytest.mark.slow
def test_predictions_that_no_label_has_are_noted() -> None:
    for call in (sm.class_report, sm.confusion_matrix):
        assert call(ROWS, label="word", prediction="pet").notes() == [NONE_RIGHT]
    for metric in ("accuracy", "f1(average=macro)", "kappa"):
        assert NONE_RIGHT in sm.evaluate(ROWS, metric, label="word", prediction="pet").notes()
        assert NONE_RIGHT not in sm.evaluate(ROWS, metric, label="y", prediction="b").notes()
    off_by_one = sm.evaluate(ROWS, "accuracy", label="y", prediction=sm.sql("y + 1"), by="g")
    assert off_by_one.notes() == [NONE_RIGHT]


# --- arguments that are none

MEANT = {
    "threshold": (sm.evaluate, ("accuracy",), {"threshold": 0.3}, "'accuracy(threshold=0.3)'"),
    "cutoff": (sm.evaluate, (["ndcg", "mrr"],), {"k": 10}, "@10'"),
    "average": (sm.evaluate, (["auc", "f1"],), {"average": "macro"}, "'f1(average=macro)'"),
    "an array": (sm.evaluate, ("f1",), {"threshold": [0.3] * 99}, "'f1(threshold=...)'"),
    "a table": (
        sm.class_report,
        (),
        {"prediction": "p", "threshold": 0.3},
        'prediction=sm.sql("p >= 0.3")',
    ),
    "a report": (sm.class_report, (), {"score": "q", "threshold": 0.3}, 'prediction=sm.sql("q >= 0.3")'),
}


@pytest.mark.parametrize(("call", "given", "facts", "words"), MEANT.values(), ids=MEANT)
def test_a_parameter_of_metrics_is_no_argument(
    call: Any, given: tuple, facts: dict[str, Any], words: str
) -> None:
    with pytest.raises(TypeError) as refused:
        call(ROWS, *given, label="y", **facts)
    assert words in str(refused.value)
    assert str(refused.value).startswith(f"{call.__name__}() got an unexpected keyword argument '")


def test_an_expression_is_no_mapping() -> None:
    message = told(sm.evaluate, ROWS, "auc", label="y", score={"sql": "p"})
    assert_told(message, 'score={"sql": ...} would name a model sql|score=sm.sql("1 - p")')
    assert sm.evaluate(ROWS, "auc", label="y", score={"name": "p"})["model"] == ["name"]


@pytest.mark.parametrize(
    "call",
    [
        sm.class_report,
        sm.confusion_matrix,
        lambda *data, **facts: sm.evaluate(*data, "f1(average=macro)", **facts),
    ],
)
def test_an_expression_of_another_kind_than_the_label_is_refused(call: Any) -> None:
    """DuckDB cast the label 'yes' to true where it compared the two, and kept both as classes: an F1 of 2."""
    rows = [{"y": word, "p": p} for word, p in (("yes", 0.9), ("no", 0.1), ("no", 0.7))]
    decided = sm.sql("p > 0.5")
    message = told(call, rows, label="y", prediction=decided)
    assert_told(
        message, "Label column 'y' is text and prediction column 'p > 0.5' is a boolean|write label=sm.sql("
    )
    advised = eval(message.split("write label=")[1].split(", with")[0].replace("'...'", "'yes'"), {"sm": sm})
    assert call(rows, label=advised, prediction=decided)
    text = sm.sql("case when p > 0.5 then 'yes' else 'no' end")
    assert sm.evaluate(rows, "accuracy", label="y", prediction=text).value("accuracy") == pytest.approx(2 / 3)
