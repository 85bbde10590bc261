"""class_scores=: what a call with a column of scores for each class refuses, and what it notes."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told

CATS = {"cat": "p_cat", "dog": "p_dog", "owl": "p_owl"}
ROWS = [
    {"y": "cat", "p_cat": 0.5, "p_dog": 0.3, "p_owl": 0.2, "s": 0.5, "g": 1, "i": "a", "t": "x"},
    {"y": "dog", "p_cat": 0.25, "p_dog": 0.75, "p_owl": 0.0, "s": 0.5, "g": 2, "i": "b", "t": "x"},
]
LOSS = "multiclass_log_loss"

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (LOSS, {"class_scores": None}, "needs class_scores=|a column of scores for each class|there is no group="),
    (LOSS, {"class_scores": {"cat": "p_cat"}}, 'two or more classes|{"cat": "p_cat", "dog": "p_dog"}'),
    (LOSS, {"class_scores": ["p_cat", "p_dog"]}, "takes a mapping"),
    (LOSS, {"class_scores": {**CATS, None: "p_owl"}}, "a class is a text, a number or a boolean, got None"),
    (LOSS, {"class_scores": {**CATS, float("nan"): "p_owl"}}, "a class that is a number is finite, got nan"),
    (LOSS, {"class_scores": {**CATS, -float("inf"): "p_owl"}}, "a class that is a number is finite, got -inf"),
    (LOSS, {"class_scores": {**CATS, "emu": "p_emu"}}, "Column 'p_emu' (class_scores=) is not in|p_cat"),
    (LOSS, {"class_scores": {**CATS, "emu": "t"}}, "Column 't' (class_scores=)|has to be numbers"),
    (LOSS, {"class_scores": {0: "p_cat", 1: "p_dog"}}, "class_scores= is a number|'y' is text"),
    (LOSS, {"score": "s"}, "leave score= out"),
    (LOSS, {"label": None}, "needs label="),
    (LOSS, {"class_scores": {"cat": "p_cat", "owl": "p_owl"}}, "1 rows have a label that is no class|'cat', 'owl'"),
    (f"{LOSS}(eps=0)", {}, "eps must be a number > 0"),
    ("auc", {}, "needs score=|multiclass_auc"),
    ("multiclass_auc", {}, "method must be one of ovr, ovo"),
    ("classwise_ece(class=1)", {"class_scores": None, "score": "s", "group": "g", "item": "i"}, "ece with by="),
    ("classwise_ece(class=emu)", {}, "class= is no class of class_scores=, which names 'cat', 'dog', 'owl', got emu"),
    ("set_coverage(threshold=low)", {}, "threshold must be a number"),
    ("set_size", {"class_scores": {"cat": "p_cat", "owl": "p_owl"}}, "1 rows have a label that is no class"),
    ("size_stratified_coverage", {"class_scores": None}, "needs class_scores=|there is no group="),
    ("top_k_accuracy", {}, "needs a cutoff"),
    ("top_k_accuracy(on_empty=zero)@2", {}, "on_empty= is an option of lists"),
    ("top_k_accuracy@2", {"ties": "score"}, "ties: 'score' is not known"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "facts", "words"), REFUSED)
def test_refused(metric: str, facts: dict[str, Any], words: str) -> None:
    given = {"label": "y", "class_scores": CATS} | facts
    assert_told(told(sm.evaluate, ROWS, metric, **given), words)


def test_scores_that_no_class_may_have() -> None:
    outside = [{**ROWS[0], "p_owl": 1.5}, ROWS[1]]
    facts = {"label": "y", "class_scores": CATS}
    assert_told(told(sm.evaluate, outside, LOSS, **facts), "1 rows have a class score outside [0, 1]")
    holes = [{**ROWS[0], "p_owl": None}, ROWS[1]]
    assert_told(told(sm.evaluate, holes, LOSS, **facts), "1 of 2 rows have a NULL, NaN or infinite score")
    report = sm.evaluate(holes, [LOSS, "top_k_accuracy@1"], **facts, on_bad_rows="drop")
    assert report.count("rows_bad_score") == 1
    assert report.value("top_k_accuracy_1") == 1


def test_scores_that_do_not_sum_to_1_are_noted() -> None:
    rows = [{**ROWS[0], "p_owl": 0.1}, ROWS[1]]
    noted = "examples whose class scores do not sum to 1: 1"
    assert noted in sm.evaluate(rows, LOSS, label="y", class_scores=CATS).notes()
    assert noted not in sm.evaluate(ROWS, LOSS, label="y", class_scores=CATS).notes()
    long = [
        {"g": g, "i": one, "y": int(row["y"] == one), "p": row[column]}
        for g, row in enumerate(rows)
        for one, column in CATS.items()
    ]
    assert noted in sm.evaluate(long, LOSS, label="y", score="p", group="g", item="i").notes()


def test_numbers_and_booleans_are_classes() -> None:
    rows = [{"y": 1, "b": True, "p": 0.25, "q": 0.75}, {"y": 0, "b": False, "p": 0.5, "q": 0.5}]
    numbers = sm.evaluate(rows, "multiclass_brier", label="y", class_scores={0: "p", 1: "q"})
    truths = sm.evaluate(rows, "multiclass_brier", label="b", class_scores={False: "p", True: "q"})
    assert numbers.value("multiclass_brier") == truths.value("multiclass_brier") == (0.125 + 0.5) / 2


def test_top_label_ece_of_torchmetrics() -> None:
    """The example of torchmetrics, MulticlassCalibrationError with n_bins=3 and norm='l1'."""
    scores = [[0.25, 0.20, 0.55], [0.55, 0.05, 0.40], [0.10, 0.30, 0.60], [0.90, 0.05, 0.05]]
    report = sm.evaluate(metrics="top_label_ece(bins=3)", y_true=[0, 1, 2, 0], y_score=scores)
    assert report.value("top_label_ece_bins_3") == pytest.approx(0.2)


def test_prediction_sets_of_mapie() -> None:
    """The examples of MAPIE: classification_mean_width_score, and classification_ssc_score without num_bins."""
    sets = (
        [[0, 0, 1], [0, 1, 1], [1, 1, 1], [0, 1, 1], [1, 0, 1]],
        [[0, 1, 1], [1, 0, 1], [0, 1, 0], [0, 1, 1], [1, 1, 0]],
    )
    sizes = [
        sm.evaluate(metrics="set_size", y_true=[0, 1, 2, 2, 1], y_score=one).value("set_size") for one in sets
    ]
    assert sizes == pytest.approx([2, 1.8])
    stratified = sm.evaluate(
        metrics=["set_coverage", "size_stratified_coverage"],
        y_true=[3, 3, 1, 2, 2],
        y_score=[[1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 1]],
    )
    assert stratified.value("set_coverage") == pytest.approx(4 / 5)
    assert stratified.value("size_stratified_coverage") == pytest.approx(0.5)


def test_sets_of_booleans_and_their_thresholds() -> None:
    """Columns that say whether a class is in the set; 0.7 of single precision reaches 0.7."""
    rows = [
        {"y": "a", "a": True, "b": False},
        {"y": "b", "a": True, "b": True},
        {"y": "b", "a": True, "b": False},
    ]
    facts = {"label": "y", "class_scores": {"a": "a", "b": "b"}}
    report = sm.evaluate(
        rows, {"c": "set_coverage", "n": "set_size", "least": "size_stratified_coverage"}, **facts
    )
    assert [report.value(name) for name in "cn"] == pytest.approx([2 / 3, 4 / 3])
    assert report.value("least") == pytest.approx(0.5)
    single = duckdb.sql("select 'a' as y, 0.7::float as a, 0.3::float as b")
    assert (
        sm.evaluate(single, "set_coverage(threshold=0.7)", **facts).value("set_coverage_threshold_0_7") == 1
    )


@pytest.mark.slow
def test_an_expression_is_a_score_too_and_an_interval_is_that_of_the_rows() -> None:
    facts = {"label": "y", "interval": 0.9}
    columns = sm.evaluate(ROWS * 9, LOSS, class_scores=CATS, **facts).to_dicts()[0]
    halved = {one: sm.sql(f"2 * {column} / 2") for one, column in CATS.items()}
    assert sm.evaluate(ROWS * 9, LOSS, class_scores=halved, **facts).to_dicts()[0] == columns
    long = [
        {"g": g, "i": one, "y": int(row["y"] == one), "p": row[column]}
        for g, row in enumerate(ROWS * 9)
        for one, column in CATS.items()
    ]
    rows = sm.evaluate(long, LOSS, score="p", group="g", item="i", **facts).to_dicts()[0]
    ends = [LOSS, f"{LOSS}_low", f"{LOSS}_high"]
    assert [rows[end] for end in ends] == pytest.approx([columns[end] for end in ends])
