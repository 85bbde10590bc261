"""Predicted classes: published values, tables of classes, which column decides, and what is refused."""

import math
import random
from collections import Counter
from typing import Any

import pandas
import pytest

import sqlmetrics as sm
from conformance.cases.classes import CATS, drawn, scored
from conformance.cases.tables import Rows
from sqlmetrics.book.templates import macros
from support.engines import Engine
from support.errors import assert_told, told

NAN = math.nan


def judged(labels: Any, predictions: Any) -> Rows:
    return [{"y": y, "p": p} for y, p in zip(labels, predictions, strict=True)]


def evaluated(rows: Rows, metrics: Any, **facts: Any) -> dict[str, Any]:
    [row] = sm.evaluate(rows, metrics, **{"label": "y", "prediction": "p", **facts}).to_dicts()
    return row


# --- values that others print

PUBLISHED = [
    ("scikit-learn, f1_score", judged([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1]), {
        "f1(average=macro)": 4 / 15, "f1(average=micro)": 1 / 3, "f1(average=weighted)": 4 / 15,
        "precision(average=macro)": 2 / 9, "precision(average=weighted)": 2 / 9, "recall(average=macro)": 1 / 3,
    }),
    ("scikit-learn, matthews_corrcoef", judged([1, 1, 1, -1], [1, -1, 1, 1]), {"mcc": -1 / 3}),
    ("scikit-learn, balanced_accuracy_score", judged([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1]), {
        "balanced_accuracy": 0.625,
    }),
    ("scikit-learn, cohen_kappa_score", judged(["negative", "positive", "negative", "neutral", "positive"],
     ["negative", "positive", "negative", "neutral", "negative"]), {"kappa": 0.6875}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "rows", "expected"), PUBLISHED, ids=[row[0] for row in PUBLISHED])
def test_published(source: str, rows: Rows, expected: dict[str, float]) -> None:
    named = {f"m{i}": notation for i, notation in enumerate(expected)}
    row = evaluated(rows, named)
    assert [row[name] for name in named] == pytest.approx(list(expected.values()), rel=1e-12)


# --- what is counted, what decides


def test_classes_without_a_label_or_a_prediction_are_counted() -> None:
    rows = judged("aabbe", "aaaca")
    report = sm.evaluate(rows, "f1(average=macro)", label="y", prediction="p")
    [audit] = report.audit.to_dicts()
    assert (audit["n_classes"], audit["classes_never_predicted"], audit["classes_without_label"]) == (4, 2, 1)
    assert "classes never predicted, whose precision counts 0 in a mean: 2" in report.notes()
    # a class without a label is left out of the mean, and not 0 in it
    [note] = sm.evaluate(rows, "f1(average=macro, classes=label)", label="y", prediction="p").notes()
    assert note == "classes never predicted, whose precision counts 0 in a mean: 2"
    # no mean over classes, no word of what counts 0 in it
    assert sm.evaluate(rows, ["recall(class=a)", "accuracy"], label="y", prediction="p").notes() == []


def test_a_metric_without_a_value_is_named() -> None:
    report = sm.evaluate(judged("aab", "aba"), ["accuracy", "recall(class=z)"], label="y", prediction="p")
    assert report.notes() == ["undefined here: recall_class_z: null if no row is positive"]


def test_a_named_threshold_reads_the_score_and_the_prediction_decides_otherwise() -> None:
    rows = [{"y": 1, "p": 0, "s": 0.9}, {"y": 0, "p": 0, "s": 0.8}, {"y": 1, "p": 1, "s": 0.2}]
    metrics = {"by_class": "accuracy", "by_score": "accuracy(threshold=0.5)", "tp": "recall", "area": "auc"}
    row = evaluated(rows, metrics, score="s")
    assert (row["by_class"], row["by_score"], row["tp"], row["area"]) == pytest.approx(
        (2 / 3, 1 / 3, 0.5, 0.5)
    )


def test_levels_of_rows_and_of_classes_in_one_statement() -> None:
    rows = [{"q": n // 2, "item": n % 2, "y": int(n % 2 == n // 4), "p": n / 8} for n in range(8)]
    facts = {"label": "y", "score": "p", "group": "q", "item": "item"}
    both = sm.evaluate(rows, ["auc", "multiclass_auc(method=ovo)"], **facts)
    for metric, column in zip(("auc", "multiclass_auc(method=ovo)"), both.columns[-2:], strict=True):
        assert both.value(column) == sm.evaluate(rows, metric, **facts).value(column)


def test_every_metric_at_a_threshold_reads_a_binary_prediction() -> None:
    rows = [{"y": y, "p": p, "s": float(p)} for y, p in [(1, 1), (1, 0), (0, 1), (0, 0), (0, 0), (1, 1)]]
    metrics = [
        "precision",
        "recall",
        "specificity",
        "f1",
        "f_beta(beta=2)",
        "mcc",
        "kappa",
        "jaccard",
        "informedness",
    ]
    by_score = sm.evaluate(rows, metrics, label="y", score="s").to_dicts()[0]
    by_class = evaluated(rows, metrics)
    for name in metrics:
        column = name.replace("(beta=", "_beta_").replace(")", "")
        assert by_class[column] == pytest.approx(by_score[column], rel=1e-12), name


def test_texts_and_numbers_in_one_statement() -> None:
    """A label that metrics read as a number and as a class."""
    rows = [{"y": 2, "p": 2, "s": 1.5}, {"y": 0, "p": 1, "s": 0.5}]
    row = evaluated(rows, ["mse", "recall(average=macro)"], score="s")
    assert (row["mse"], row["recall_average_macro"]) == (0.25, 1 / 3)
    texts = [{"y": "cat", "p": "cat", "s": 0.9}, {"y": "dog", "p": "cat", "s": 0.1}]
    assert_told(told(evaluated, texts, ["accuracy", "auc"], score="s"), "'y' is text|positive='...'")
    row = evaluated(texts, ["accuracy", "auc", "f1(average=macro)"], score="s", positive="cat")
    assert (row["accuracy"], row["auc"]) == (0.5, 1.0)


def test_a_class_is_asked_for_by_its_value() -> None:
    assert evaluated(judged("aab", "abb"), "recall(class=a)")["recall_class_a"] == 0.5
    assert evaluated(judged(["1", "1"], ["1", "0"]), {"r": "recall(class='1')"})["r"] == 0.5
    assert evaluated(judged([True, True], [True, False]), {"r": "recall(class=true)"})["r"] == 0.5
    assert evaluated(judged([-1, -1], [-1, 1]), {"r": "recall(class=-1)"})["r"] == 0.5
    assert evaluated(judged("ab", "ab"), "recall(class=z)")["recall_class_z"] is None


@pytest.mark.parametrize(
    "name",
    ["a,b", " lead", "", "x=(1)@2", "it's", "'q'", 'say "no"', "a', b", "{right}", "a)b", "a,(b", "(a),b("],
)
def test_a_class_in_quotes_may_hold_any_character(name: str) -> None:
    quote = '"' if "'" in name else "'"
    rows = judged([name, name, name, "other"], [name, name, "other", name])
    notation = f"recall(class={quote}{name}{quote}, zero_division=0)"
    assert evaluated(rows, {"r": notation})["r"] == 2 / 3
    assert evaluated(rows, {"r": notation.replace("class=", "class = ")})["r"] == 2 / 3


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_an_average_over_one_named_class_is_its_value(average: str) -> None:
    rows, asked = (
        judged("aabbcc", "abbbca"),
        {"one": "f1(class=a)", "all": f"f1(average={average}, labels=a)"},
    )
    row = evaluated(rows, asked)
    assert row["all"] == row["one"] == 0.5


def test_named_classes_in_quotes() -> None:
    rows = judged(["a, b", "1", "O"], ["a, b", "O", "O"])
    assert evaluated(rows, {"r": "recall(average=micro, labels='a, b':'1')"})["r"] == 0.5


def test_micro_of_named_classes_has_an_interval() -> None:
    """One that is the share of rows is Wilson's; that of one class is the interval of this class."""
    rows = judged("aabbcco" * 9, "abbbcao" * 9)
    asked = {
        "one": "f1(class=a)",
        "same": "f1(average=micro, labels=a)",
        "p": "precision(average=micro, labels=a:b)",
    }
    row = evaluated(rows, asked, interval=0.95)
    assert (row["one_low"], row["one_high"]) == (row["same_low"], row["same_high"])
    assert row["p_low"] < row["p"] == 3 / 5 < row["p_high"]


def test_f_beta_of_0_is_precision() -> None:
    """As in van Rijsbergen's formula and scikit-learn: beta = 0 attaches no importance to recall."""
    row = evaluated(judged([1, 1, 0, 0], [1, 0, 1, 0]), ["f_beta(beta=0)", "precision"])
    assert row["f_beta_beta_0"] == row["precision"] == 0.5
    row = evaluated(judged([1, 1], [0, 0]), ["f_beta(beta=0)", "precision"])
    assert row["f_beta_beta_0"] is row["precision"] is None


def test_missing_classes_of_a_frame_are_bad_rows() -> None:
    frame = pandas.DataFrame({"y": [1, 2, None, 1], "p": [1, None, 2, 2]})
    message = told(sm.evaluate, frame, "accuracy", label="y", prediction="p")
    assert_told(message, "1 of 4 rows|label|on_bad_rows='drop'")
    [row] = sm.evaluate(frame, "accuracy", label="y", prediction="p", on_bad_rows="drop").to_dicts()
    assert (row["rows_bad_label"], row["rows_bad_prediction"], row["accuracy"]) == (1, 1, 0.5)
    message = told(sm.evaluate, frame[["p"]].assign(y=1.0), "accuracy", label="y", prediction="p")
    assert_told(message, "1 of 4 rows|NULL, NaN or infinite prediction")


def test_the_word_nan_is_a_class(engine: Engine) -> None:
    rows = judged(["nan", "NaN", "b"], ["nan", "b", "b"])
    statement = sm.render("data", {"value": "accuracy"}, dialect=engine.dialect, label="y", prediction="p")
    [row] = engine.query(statement, {"data": rows})
    assert (row["rows_dropped"], row["value"]) == (0, pytest.approx(2 / 3))


def test_an_expression_is_a_prediction_too() -> None:
    row = evaluated(judged("aab", "ABB"), ["accuracy", "f1(average=micro)"], prediction=sm.sql("lower(p)"))
    assert row["accuracy"] == row["f1_average_micro"] == pytest.approx(2 / 3)


def test_several_models_leave_the_prediction_as_it_is() -> None:
    rows = [{"y": 1, "p": 1, "s": 0.9, "t": 0.1}, {"y": 0, "p": 1, "s": 0.2, "t": 0.6}]
    report = sm.evaluate(
        rows, ["f1(average=macro)", "auc"], label="y", prediction="p", score={"s": "s", "t": "t"}
    )
    assert [(row["f1_average_macro"], row["auc"]) for row in report.to_dicts()] == [
        (1 / 3, 1.0),
        (1 / 3, 0.0),
    ]


# --- tables


@pytest.mark.parametrize("by", [None, "part"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_tables(engine: Engine, by: str | None, weight: str | None) -> None:
    rows = drawn(3, CATS)
    facts = {
        "label": "label",
        "prediction": "predicted",
        "weight": weight,
        "by": [by] if by else [],
        "relation": "data",
    }
    parts: dict[Any, Rows] = {"all": rows}
    if by:
        parts |= {
            part: [row for row in rows if row["part"] == part] for part in {row["part"] for row in rows}
        }

    def read(name: str) -> list[tuple[Any, dict[str, Any]]]:
        found = engine.query(str(macros(engine.dialect)[name](**facts)), {"data": rows})
        return [("all" if not by or row["is_total"] else row["part"], row) for row in found]

    cells: dict[Any, Any] = {}
    for part, of_part in parts.items():
        for row in of_part:
            if row["w"] or not weight:
                key = part, row["label"], row["predicted"]
                cells[key] = cells.get(key, 0) + (row["w"] if weight else 1)
    matrix = {(part, row["label"], row["prediction"]): row for part, row in read("confusion_matrix")}
    assert {key: row["n"] for key, row in matrix.items()} == pytest.approx(cells)
    for (part, label, _), row in matrix.items():
        of_label = sum(n for (p, y, _), n in cells.items() if (p, y) == (part, label))
        assert row["share"] == pytest.approx(row["n"] / of_label)
        assert row["n_rows"] == len(parts[part])
    report = {(part, row["class"]): row for part, row in read("class_report")}
    assert set(report) == {(part, one) for part, *pair in cells for one in pair}
    for (part, one), row in report.items():
        support, predicted, correct = (
            sum(n for (p, y, x), n in cells.items() if p == part and wanted(y, x, one))
            for wanted in (lambda y, x, c: y == c, lambda y, x, c: x == c, lambda y, x, c: y == x == c)
        )
        assert (row["support"], row["predicted"], row["correct"]) == pytest.approx(
            (support, predicted, correct)
        )
        assert row["precision"] == (pytest.approx(correct / predicted) if predicted else None)
        assert row["recall"] == (pytest.approx(correct / support) if support else None)
        assert row["f1"] == pytest.approx(2 * correct / (support + predicted))


@pytest.mark.parametrize("by", [None, "part"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_cells_at_a_threshold(engine: Engine, by: str | None, weight: str | None) -> None:
    """Four for each model and slice that has rows, whatever occurs; a score at the threshold is 1."""
    draw = random.Random(7)
    rows: Rows = [
        {"y": draw.choice([0, 1, 2]), "s": draw.randrange(5) / 4, "t": draw.randrange(9) / 8,
         "w": draw.choice([0.0, 0.5, 2.0]), "part": "sure" if i < 6 else draw.choice("ab")}
        for i in range(60)
    ]  # fmt: skip
    for row in rows[:6]:
        row.update(y=2, s=1.0)
    call = macros(engine.dialect).confusion_matrix
    facts = {"label": "y", "score": {"old": "s", "new": "t"}, "positive": 1, "weight": weight}
    text = call("data", threshold=0.5, by=[by] if by else [], **facts)
    found: dict[Any, dict[Any, Any]] = {}
    for row in engine.query(str(text), {"data": rows}):
        place = row["model"], "all" if not by or row["is_total"] else row["part"]
        found.setdefault(place, {})[row["label"], row["prediction"]] = row["n"], row["share"]
    assert len(found) == 2 * (4 if by else 1)
    for (model, part), cells in found.items():
        assert {*cells} == {(0, 0), (0, 1), (1, 0), (1, 1)}
        own = [row for row in rows if part in ("all", row["part"])]
        score = {"old": "s", "new": "t"}[model]
        for (label, decision), (n, share) in cells.items():
            of_label = [row for row in own if (row["y"] >= 1) == label]
            weights = [row["w"] if weight else 1 for row in of_label if (row[score] >= 0.5) == decision]
            whole = sum(row["w"] if weight else 1 for row in of_label)
            assert n == pytest.approx(sum(weights))
            assert share == (pytest.approx(sum(weights) / whole) if whole else None)


def test_what_a_table_at_a_threshold_refuses() -> None:
    rows = [{"y": i % 3, "t": "ab"[i % 2], "p": i / 9} for i in range(9)]
    for facts, words in (
        ({"label": "y", "score": "p"}, "3 rows have a label that is neither 0 nor 1|pass positive="),
        ({"label": "t", "score": "p"}, "pass positive='...', the text of a positive row"),
        ({"label": "t"}, "needs prediction=, the column of the predicted class, or score="),
        ({"label": "y", "prediction": "y", "threshold": 0.3}, "pass score= and no prediction="),
        ({"label": "y", "score": "p", "positive": 1, "threshold": "x"}, "threshold must be a number, got x"),
        (
            {"label": "y", "score": "p", "positive": 1, "threshold": NAN},
            "threshold must be a number, got nan",
        ),
        (
            {"label": "y", "score": "p", "positive": 1, "threshold": math.inf},
            "threshold must be a number, got inf",
        ),
    ):
        assert_told(told(sm.confusion_matrix, rows, **facts), words)
    half = [{"y": 1, "p": None}, {"y": 0, "p": NAN}, {"y": 0, "p": 0.2}]
    kept = sm.confusion_matrix(half, label="y", score="p", on_bad_rows="drop")
    assert (kept["n"], kept["share"]) == ([1, 0, 0, 0], [1.0, 0.0, None, None])
    both = {"label": "y", "positive": 1, "score": "p", "prediction": "y"}
    assert sm.data(rows, **both).confusion_matrix()["label"] == [0, 1, 2]
    decided = sm.data(rows, **both).confusion_matrix(prediction=None, threshold=0.5)
    assert decided["n"] == [2, 1, 3, 3]


def test_tables_in_python() -> None:
    rows = [*judged("aab", "abb"), {"y": None, "p": "a"}]
    assert_told(
        told(sm.confusion_matrix, rows, label="y", prediction="p"), "1 of 4 rows|label|on_bad_rows='drop'"
    )
    table = sm.confusion_matrix(rows, label="y", prediction="p", on_bad_rows="drop")
    assert table.to_dicts() == [
        {"label": "a", "prediction": "a", "n": 1, "share": 0.5},
        {"label": "a", "prediction": "b", "n": 1, "share": 0.5},
        {"label": "b", "prediction": "b", "n": 1, "share": 1.0},
    ]
    assert table.audit.to_dicts()[0]["rows_bad_label"] == 1
    assert table.notes() == ["rows dropped: 1 (on_bad_rows='drop')"]
    sliced = sm.class_report(
        [{**row, "day": row["y"]} for row in rows], label="y", prediction="p", by="day", on_bad_rows="drop"
    )
    # the slice without a usable row has counts and no class
    assert Counter(row["day"] for row in sliced.to_dicts() if not row["is_total"]) == {"a": 2, "b": 1}
    assert len(sliced.audit) == 4
    assert [row["class"] for row in sliced.to_dicts() if row["is_total"]] == ["a", "b"]


# --- what is refused

REFUSED = [
    ("f1(average=macro)", {"prediction": None, "score": "s"}, "needs prediction=, the column of the predicted class"),
    ("recall(class=a)", {"prediction": None, "score": "s"}, "needs prediction="),
    ("recall(average=macro, class=a)", {}, "class= asks for the value of one class|average="),
    ("recall(average=mean)", {}, "average must be one of binary, macro, micro, weighted|got mean"),
    ("recall(average=macro, threshold=0.5)", {}, "threshold= decides by the score|leave it out"),
    ("recall(average=macro, zero_division=2)", {}, "zero_division must be a number >= 0 and <= 1"),
    ("recall(labels=a:b)", {}, "labels= names the classes of an average|average=macro, micro or weighted"),
    ("recall(class=a, labels=a:b)", {}, "labels= names the classes of an average|no class="),
    ("recall(average=macro, labels=a:a)", {}, "labels= takes each class once|PER:ORG:LOC|got a:a"),
    ("recall(average=macro, labels='a:')", {}, "labels= takes each class once|got"),
    ("recall(average=macro, labels=1:2)", {}, "class= is a number|'y' is text"),
    ("recall(classes=label)", {}, "classes=label takes the classes|average=macro or weighted"),
    ("recall(average=macro, classes=label, labels=a:b)", {}, "classes=label takes the classes|no labels="),
    ("recall(average=macro, classes=seen)", {}, "classes must be one of all, label, got seen"),
    ("recall(average=micro, zero_division=nan)", {}, "leaves a class out of a mean|average=macro or weighted"),
    ("kappa(weights=cubic)", {}, "weights must be one of|linear, quadratic|got cubic"),
    ("kappa(weights=linear)", {}, "'y' is text|no order|numbers"),
    ("kappa(weights=linear)", {"prediction": None, "score": "s"}, "needs prediction="),
    ("recall(class=1)", {}, "class= is a number|'y' is text|class='1'"),
    ("precision", {}, "'y' is text|positive='...'"),
    ("accuracy", {"label": "s"}, "'s' is a number|'p' is text|cannot be compared|no number is a class such as 'a'"),
    ("accuracy", {"prediction": "b"}, "is text|'b' is a boolean|with the text that stands for true"),
    ("accuracy", {"prediction": "q"}, "Column 'q' (prediction=)|Columns: y, p, s, b"),
    ("accuracy", {"label": None}, "needs label="),
    ("multiclass_auc", {"score": "s", "label": "b", "prediction": None, "group": "y", "item": "p"},
     "method must be one of ovr, ovo"),
    ("top_k_accuracy", {}, "needs a cutoff|top_k_accuracy@10"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "facts", "words"), REFUSED)
def test_refused(metric: str, facts: dict[str, Any], words: str) -> None:
    rows = [{"y": "a", "p": "a", "s": 1.0, "b": True}]
    assert_told(told(evaluated, rows, metric, **facts), words)


def test_a_prediction_that_is_not_binary() -> None:
    message = told(evaluated, judged([0, 1], [2, 1]), "precision")
    assert_told(message, "1 rows have a prediction that is neither 0 nor 1, such as 2|positive=|average=")


def test_truth_has_its_labels_elsewhere() -> None:
    rows, truth = [{"g": 1, "i": 1, "s": 0.5, "p": 1}], [{"g": 1, "i": 1, "y": 1}]
    facts = {"truth": truth, "group": "g", "item": "i", "score": "s"}
    assert_told(told(evaluated, rows, "ndcg@1", **facts), "prediction=|truth=")


BROKEN = [
    (
        "examples_without_one_class",
        {"label": 0},
        "multiclass_auc(method=ovr)",
        "exactly one row with a positive label",
    ),
    (
        "examples_lacking_classes",
        {"item": "a new one"},
        "multiclass_auc(method=ovo)",
        "lack the score of a class",
    ),
    (
        "examples_repeating_classes",
        {"item": "dog"},
        "multiclass_auc(method=ovo)",
        "several rows of one class",
    ),
    ("examples_weight_unclear", {"w": 7.0}, "multiclass_auc(method=ovr)", "weight that is not the same"),
    ("groups_without_one_class", {"label": 0}, "top_k_accuracy@2", "exactly one row with a positive label"),
]


@pytest.mark.parametrize(("count", "change", "metric", "words"), BROKEN)
def test_examples_that_are_not_whole(
    count: str, change: dict, metric: str, words: str, engine: Engine
) -> None:
    rows = [{**row, "w": 1.0} for row in scored(0, CATS)]
    first = next(i for i, row in enumerate(rows) if row["label"] == 1 and row["item"] != "dog")
    rows[first] = {**rows[first], **change}
    facts = {"label": "label", "score": "score", "group": "list", "item": "item"}
    facts |= {"weight": "w"} if "weight" in count else {}
    [row] = engine.query(
        sm.render("data", {"value": metric}, dialect=engine.dialect, **facts), {"data": rows}
    )
    assert row["value"] is None
    assert row[count] >= 1
    assert_told(told(sm.evaluate, rows, metric, **facts), words)


@pytest.mark.slow
def test_a_class_without_examples_is_left_out_and_counted() -> None:
    rows = [row for row in scored(1, CATS) if row["item"] != "emu"]
    whole = {row["list"] for row in rows if row["label"]}
    rows = [row for row in rows if row["list"] in whole]
    with_emu = [
        *rows,
        *({**row, "item": "emu", "label": 0, "score": 0.3} for row in rows if row["item"] == "cat"),
    ]
    facts = {"label": "label", "score": "score", "group": "list", "item": "item"}
    for method in ("ovr", "ovo"):
        metric = {"value": f"multiclass_auc(method={method})"}
        [without], [beside] = (sm.evaluate(of, metric, **facts).to_dicts() for of in (rows, with_emu))
        assert beside["value"] == pytest.approx(without["value"], rel=1e-12)
        assert (without["classes_without_examples"], beside["classes_without_examples"]) == (0, 1)


def test_order_of_rows_changes_nothing() -> None:
    rows = drawn(5, [1, 2, 3])
    metrics = ["mcc", "kappa(weights=quadratic)", "f1(average=macro)"]
    facts = {"label": "label", "prediction": "predicted", "weight": "w"}
    one, other = (sm.evaluate(of, metrics, **facts).to_dicts() for of in (rows, rows[::-1]))
    assert one[0] == pytest.approx(other[0], rel=1e-12)
