"""Mistakes in what the further metrics of lists are told, and data that they cannot take."""

from typing import Any

import pytest

import sqlmetrics as sm
from support.errors import assert_told, told, words_of

ROWS = [
    {"y": 3.0, "s": 0.9, "g": "a", "i": 1},
    {"y": 0.0, "s": 0.4, "g": "a", "i": 2},
    {"y": 1.0, "s": 0.4, "g": "b", "i": 1},
]
CALL: dict[str, Any] = {"label": "y", "score": "s", "group": "g", "item": "i", "max_grade": 4}

NOTATIONS = [
    ("f1(beta=2)@10", "Unknown parameter 'beta' of f1|Parameters: k, average"),
    ("f_beta(beta=-1)@10", "beta must be a number >= 0, got -1"),
    ("f_beta(beta=high)@10", "beta must be a number >= 0, got high"),
    ("f1@0", "k must be an integer >= 1, got 0"),
    ("pauc", "pauc: needs a cutoff|write 'pauc@10'"),
    ("pauc@0", "k must be an integer >= 1, got 0"),
    ("r_precision@5", "r_precision: takes no cutoff"),
    ("bpref@5", "bpref: takes no cutoff"),
    ("rbp(p=1)", "p must be a number > 0 and < 1, got 1"),
    ("rbp(p=0)", "p must be a number > 0 and < 1, got 0"),
    ("rbp(p=high)@5", "p must be a number > 0 and < 1, got high"),
    ("rbp_residual(p=1.5)", "p must be a number > 0 and < 1, got 1.5"),
    ("rbp(gain=exponential)", "gain must be one of linear, binary|got exponential"),
    ("interpolated_precision", "recall must be a number >= 0 and <= 1, got None"),
    ("interpolated_precision(recall=1.1)", "recall must be a number >= 0 and <= 1, got 1.1"),
    ("interpolated_precision(recall=0.1,reach=most)", "reach must be one of exact, nearest, tenth, got most"),
    ("interpolated_map(points=1)", "points must be an integer >= 2, got 1"),
    ("interpolated_map(points=1000)", "points must be an integer >= 2 and <= 101, got 1000"),
    ("q_measure(beta=-0.5)", "beta must be a number >= 0, got -0.5"),
    ("gmap(on_empty=half)", "on_empty must be one of|zero, one, error|got half"),
    ("idcg(ideal=full)", "ideal must be one of judged, listed, got full"),
    (
        "dcg(discount=original, log_base=e)@5",
        "log_base= is of discount=log; leave it out with discount=original",
    ),
    ("ndcg(discount=log,reciprocal)@5", "a value that holds a comma stands in quotes, such as at='0.3, 0.5'"),
    ("ndcg(discount=zipf)@5", "discount must be one of log, original, reciprocal, got zipf"),
    ("idcg(log_base=1)@5", "log_base must be a number > 1, or e, got 1"),
    # Gains of the labels 0, 1, 2, ...
    ("ndcg(gain=-1:2:3)", "must be numbers >= 0 that do not fall, such as gain=0:1:3:7, got -1:2:3"),
    ("ndcg(gain=0:3:2)@5", "do not fall|got 0:3:2"),
    ("q_measure(gain=1:2:3:4)", "the gains must begin with 0, since only relevant items gain"),
    ("dcg(gain=1:2:3:4, item_weight=s)", "item_weight= needs gains that begin with 0|got gain=1:2:3:4"),
    ("dcg(gain=0:one)", "must be numbers|got 0:one"),
    ("cg(gain=:)", "must be numbers|got :"),
    ("ndcg(gain=cubic)", "or the gains of the labels 0, 1, 2, ... such as 0:1:3:7, got cubic"),
]


@pytest.mark.parametrize(("notation", "words"), NOTATIONS, ids=words_of(NOTATIONS))
def test_notation(notation: str, words: str) -> None:
    assert_told(told(sm.evaluate, ROWS, notation, **CALL), words)


DATA = [
    ("ndcg(gain=0:1:3)@5", {}, "1 rows have a label such as 3|gain=0:1:3 has gains for the labels 0 to 2"),
    ("ndcg(gain=0:1:3:7)@5", {"y": 1.5}, "a label such as 1.5"),
    ("rbp", {"y": 5.0}, "1 rows have a label above max_grade=4, such as 5"),
    ("rbp", {"y": -1.0}, "1 rows have a negative label, such as -1"),
    ("q_measure", {"y": -1.0}, "1 rows have a negative label, such as -1"),
    ("bpref", {"y": -1.0}, "1 rows have a negative label, such as -1"),
    ("infap", {"y": -1.0}, "1 rows have a negative label, such as -1"),
]


@pytest.mark.parametrize(("notation", "broken", "words"), DATA, ids=words_of(DATA))
def test_data(notation: str, broken: dict[str, Any], words: str) -> None:
    rows = [*ROWS, {"y": 0.0, "s": 0.1, "g": "b", "i": 2} | broken]
    assert_told(told(sm.evaluate, rows, notation, **CALL), words)


def test_rbp_needs_the_scale() -> None:
    rows = [{**row, "y": float(row["y"] > 0)} for row in ROWS]
    call = {name: role for name, role in CALL.items() if name != "max_grade"}
    assert_told(told(sm.evaluate, rows, "rbp", **call), "needs max_grade=")
    report = sm.evaluate([{**row, "y": row["y"] > 0} for row in ROWS], "rbp", **call)
    assert report.to_dicts()[0]["rbp"] == pytest.approx((0.2 + 0.2) / 2)


def test_lists_of_gains_of_several_lengths() -> None:
    """Each has a count of its own, and a label without a gain breaks none but its own."""
    gains = ["ndcg(gain=0:1:3:7)@5", "ndcg(gain=0:1)@5"]
    assert_told(told(sm.evaluate, ROWS, gains, **CALL), "1 rows|gain=0:1 has gains for the labels 0 to 1")
    statement = sm.render("ROWS_TABLE", gains, **CALL)
    assert "rows_not_in_4_grades" in statement
    assert "rows_not_in_2_grades" in statement


@pytest.mark.slow
def test_unjudged_items_are_counted() -> None:
    truth = [{"g": "a", "i": 1, "y": 1}, {"g": "a", "i": 9, "y": 0}, {"g": "b", "i": 1, "y": -1}]
    rows = [{key: row[key] for key in ("s", "g", "i")} for row in ROWS]
    report = sm.evaluate(rows, ["judged@1", "bpref"], truth=truth, **CALL)
    row = report.to_dicts()[0]
    assert (row["n_unjudged"], row["judged_1"]) == (2, 0.5)
    assert "listed items that nobody judged: 2" in str(report)
    assert "n_unjudged" not in sm.evaluate(rows, "map", truth=truth, **CALL).columns
