"""Subtopics: printed and hand-computed values, what must not change a number, and mistakes."""

import math
import random
from typing import Any

import pyarrow as pa
import pytest

import sqlmetrics as sm
from conformance.cases.diversity import DIVERSITY, GIVEN, LISTS, SCORES, TRUTH, drawn, judged, listed
from support.errors import assert_told, told, words_of

LISTED = [row for row in listed(LISTS, SCORES) if row["list"] != "extra"]  # which the truth lacks
CALL: dict[str, Any] = {"label": "label", "score": "score", **GIVEN}


def values(metrics: list[str], rows: Any, truth: Any, **facts: Any) -> dict[str, Any]:
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    [row] = sm.evaluate(rows, named, **{**CALL, "truth": truth, **facts}).to_dicts()
    return {notation: row[name] for name, notation in named.items()}


def about(asked: dict[str, Any]) -> dict[str, Any]:
    return {notation: pytest.approx(value, rel=1e-12) for notation, value in asked.items()}


@pytest.mark.slow
def test_values_that_pyndeval_prints():
    """The example of its documentation: A serves a; B and D serve b; C, which serves c, was not listed."""
    printed = {
        "err_ia(ideal=cutoff)@5": 0.3933,
        "err_ia(ideal=cutoff)@10": 0.3907,
        "err_ia(ideal=judged)@5": 0.8297,
        "alpha_ndcg(ideal=cutoff)@5": 0.4052,
        "alpha_ndcg(ideal=cutoff)@20": 0.3997,
        "alpha_ndcg@5": 0.7868,
        "alpha_ndcg@20": 0.7868,
        "subtopic_recall@5": 0.6666,
    }
    asked = values(list(printed), listed({"q": "adeb"}), judged({"q": "a1 b2 c3 d2"}))
    assert asked == {notation: pytest.approx(value, abs=1e-4) for notation, value in printed.items()}


@pytest.mark.slow
def test_values_by_hand():
    """Of b, x, a the first serves 1, the last 1 and 2; of the ideal order a, c, b the last gains a half."""
    gains = [1, 0, 1 / 2 + 1]
    ideal = [2, 1, 1 / 2]
    by_hand = {
        "alpha_ndcg@3": (gains[0] + gains[2] / 2) / (ideal[0] + ideal[1] / math.log2(3) + ideal[2] / 2),
        "alpha_ndcg@1": 1 / 2,
        "alpha_ndcg(alpha=1)@3": (1 + 1 / 2) / (2 + 1 / math.log2(3)),
        "alpha_ndcg(alpha=0)@3": (1 + 2 / 2) / (2 + 1 / math.log2(3) + 1 / 2),
        # 1 at ranks 1 and 3, 2 at rank 3, 3 not at all
        "err_ia@3": (1 / 2 + 1 / 2 * 1 / 2 * 1 / 3 + 1 / 2 * 1 / 3 + 0) / 3,
        "err_ia(ideal=judged)@3": (1 + 3 / 2 / 3) / (2 + 1 / 2 + 1 / 2 / 3),
        "err_ia(ideal=cutoff)@3": (1 + 3 / 2 / 3) / (3 + 3 / 2 / 2 + 3 / 4 / 3),
        "subtopic_recall@2": 1 / 3,
        "subtopic_recall": 2 / 3,
    }
    asked = values(list(by_hand), listed({"q": "bxa"}), judged({"q": "a12 b1 c3"}))
    assert asked == about(by_hand)


def test_one_subtopic_is_err():
    """Of 0/1 labels and one subtopic intent-aware ERR is ERR."""
    truth = judged({"u": "a1 b1- c1 e1", "v": "f1 d1"})
    asked = values(["err_ia", "err", "err_ia@2", "err@2"], listed(LISTS), truth, max_grade=1)
    assert asked["err_ia"] == pytest.approx(asked["err"], rel=1e-12)
    assert asked["err_ia@2"] == pytest.approx(asked["err@2"], rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_and_the_names_of_subtopics_change_nothing(seed):
    rows, truth = drawn(seed)
    draw = random.Random(seed)
    renamed = [{**row, "aspect": f"s{5 - row['aspect']}"} for row in draw.sample(truth, len(truth))]
    one, other = values(DIVERSITY, rows, truth), values(DIVERSITY, draw.sample(rows, len(rows)), renamed)
    assert one == about(other)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_lists_and_their_mean(seed):
    rows, truth = drawn(seed)
    named = {f"m{i}": n for i, n in enumerate(DIVERSITY) if "micro" not in n and "weight" not in n}
    [whole] = sm.evaluate(rows, named, **CALL, truth=truth).to_dicts()
    lists = sm.per_group(rows, named, **CALL, truth=truth).to_dicts()
    for name in named:
        of_lists = [row[name] for row in lists if row[name] is not None]
        assert whole[name] == pytest.approx(sum(of_lists) / len(of_lists), rel=1e-12)
        assert all(0 <= value <= 1.2 for value in of_lists)


@pytest.mark.slow
def test_models_and_slices_of_the_truth():
    """Each as if it were alone."""
    rows = [{**row, "other": (7 * i % 5) / 8} for i, row in enumerate(LISTED)]
    truth = [{**row, "kind": "even" if row["list"] in "uw" else "odd"} for row in TRUTH]
    models = {"one": "score", "two": "other"}
    report = sm.evaluate(
        rows, {"x": "alpha_ndcg@3", "y": "err_ia"}, **{**CALL, "score": models}, truth=truth, by="kind"
    )
    assert len(report) == 6
    for row in report.to_dicts():
        judged_here = [of for of in truth if row["is_total"] or of["kind"] == row["kind"]]
        alone = values(["alpha_ndcg@3", "err_ia"], rows, judged_here, score=models[row["model"]])
        assert [row["x"], row["y"]] == pytest.approx(list(alone.values()), rel=1e-12)


@pytest.mark.slow
def test_several_alphas_and_cutoffs_at_once():
    alone = {notation: values([notation], listed(LISTS, SCORES), TRUTH)[notation] for notation in DIVERSITY}
    assert values(DIVERSITY, listed(LISTS, SCORES), TRUTH) == about(alone)


@pytest.mark.slow
def test_a_repeated_judgement():
    twice = [*TRUTH, TRUTH[0], {**TRUTH[0], "label": 0}]
    assert_told(told(values, ["ndcg@3"], listed(LISTS), twice), "2 rows repeat an item|in the truth")
    once = about(values(DIVERSITY, listed(LISTS), TRUTH))
    assert values(DIVERSITY, listed(LISTS), twice, on_duplicate="first") == once
    best = {**listed(LISTS)[5], "score": 9.0}  # f, which is last in its list, now also first
    rows = listed({**LISTS, "u": "fabcde"})
    first = values(["err_ia"], [*listed(LISTS), best], TRUTH, on_duplicate="first")
    assert first == about(values(["err_ia"], rows, TRUTH))


@pytest.mark.slow
def test_items_that_nobody_judged_are_left_out():
    """As f of u, whose label is below 0, and z of w, which the truth lacks."""
    rest = listed({"u": "abcde", "v": "fedcx", "w": "xy", "y": "ba"})
    condensed = values(DIVERSITY, listed(LISTS), TRUTH, unjudged="drop")
    assert condensed == about(values(DIVERSITY, rest, TRUTH))


@pytest.mark.slow
@pytest.mark.parametrize("label", [None, math.nan, -math.inf])
def test_a_judgement_without_a_label(label):
    """A label that cannot be used makes the item unusable, also where another subtopic has one."""
    broken = [{**TRUTH[0], "label": label}, *TRUTH[1:]]
    assert_told(
        told(values, ["err_ia"], listed(LISTS), broken), "1 rows of the truth|NULL, NaN or infinite label"
    )
    without = [row for row in TRUTH if (row["list"], row["item"]) != ("u", "a")]
    dropped = values(DIVERSITY, listed(LISTS), broken, on_bad_rows="drop")
    assert dropped == about(values(DIVERSITY, listed({**LISTS, "u": "bcdef"}), without))


@pytest.mark.slow
def test_a_judgement_without_a_subtopic():
    broken = pa.Table.from_pylist([{**TRUTH[0], "aspect": None}, *TRUTH[1:]])
    message = told(values, ["err_ia"], listed(LISTS), broken)
    assert_told(message, "1 rows of the truth|NULL subtopic|on_bad_rows='drop'")
    without = [row for row in TRUTH if (row["list"], row["item"]) != ("u", "a")]
    dropped = values(DIVERSITY, listed(LISTS), broken, on_bad_rows="drop")
    assert dropped == about(values(DIVERSITY, listed({**LISTS, "u": "bcdef"}), without))


MISTAKES = [
    ("alpha_ndcg", {}, "alpha_ndcg: needs a cutoff; write 'alpha_ndcg@10'"),
    ("alpha_ndcg@21", {}, "k must be an integer >= 1 and <= 20, got 21"),
    ("alpha_ndcg@0", {}, "k must be an integer >= 1, got 0"),
    ("alpha_ndcg(alpha=1.5)@5", {}, "alpha must be a number >= 0 and <= 1, got 1.5"),
    ("alpha_ndcg(alpha=half)@5", {}, "alpha must be a number >= 0 and <= 1, got half"),
    ("alpha_ndcg(ideal=listed)@5", {}, "ideal must be one of judged, cutoff, got listed"),
    ("err_ia(ideal=best)@5", {}, "ideal must be one of none, judged, cutoff, got best"),
    ("err_ia(ideal=judged)", {}, "ideal=judged needs a cutoff; write err_ia(ideal=judged)@10"),
    ("err_ia(ideal=cutoff)@30", {}, "k must be an integer >= 1 and <= 20, got 30"),
    ("subtopic_recall@0", {}, "k must be an integer >= 1, got 0"),
    ("err_ia", {"subtopic": None}, "err_ia: needs subtopic=, a column of truth="),
    ("err_ia", {"subtopic": "topic"}, "Column 'topic' (subtopic=)|the truth|aspect"),
    ("err_ia", {"truth": None, "label": "score", "subtopic": "item"}, "subtopic= needs truth=|group, item"),
    ("auc", {}, "truth= serves metrics of lists"),
]  # fmt: skip


@pytest.mark.parametrize(("notation", "facts", "words"), MISTAKES, ids=words_of(MISTAKES))
def test_mistakes(notation, facts, words):
    assert_told(told(sm.evaluate, listed(LISTS), notation, **{**CALL, "truth": TRUTH, **facts}), words)
