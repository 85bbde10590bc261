"""Notes where a result looks like a mistake of the call, on two engines; and none for data as they should be."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import told

DRAWN = random.Random(7)


def row(number: int) -> dict[str, Any]:
    y = int(DRAWN.random() < 0.3)
    p = min(1.0, max(0.0, DRAWN.gauss(0.3 + 0.3 * y, 0.15)))
    grade = DRAWN.randrange(1, 6)
    return {
        "q": number // 8, "i": number % 8, "y": y, "p": p, "reversed": 1 - p, "logit": 8 * p - 4,
        "noise": DRAWN.random(), "grade": grade, "rating": grade / 2, "word": "yes" if y else "no",
        "one": 1, "none": 0, "part": number % 3,
        "wide": 0.1 + p / 2, "clicks": y * DRAWN.randrange(1, 90),
    }  # fmt: skip


ROWS = [row(number) for number in range(400)]
ONE_CLASS = "labels of one class: all 400 are positive (positive= says from which label on)"
SWAPPED = "label= and score= may be swapped"
REVERSED = "far below the 0.5 of a random score; is the score reversed? A higher score has to mean positive"
#: metrics, facts, and the words of the one note about a mistake
MISTAKES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "all items relevant": ("map", {"label": "grade", "score": "p", "group": "q"}, ONE_CLASS),
    "one class": (["brier", "auc"], {"label": "one", "score": "p"}, ONE_CLASS),
    "a class alone": (
        "log_loss",
        {"label": "none", "score": "p"},
        "no label is positive: all labels are 0, and labels from 1 on count as positive",
    ),
    "one class of chances": (
        "auc",
        {"label": "one", "score": "p", "soft": True},
        "labels of one class: all 400 have the chance 1",
    ),
    "no chance": (
        "log_loss",
        {"label": "none", "score": "p", "soft": True},
        "no label is above 0, the chance of a positive row",
    ),
    "a limit above all": (
        "mrr",
        {"label": "rating", "score": "p", "group": "q", "positive": 4},
        "no label is positive: labels reach from 0.5 to 2.5, and labels from 4 on count as positive",
    ),
    "a text that is not there": (
        "auc",
        {"label": "word", "score": "p", "positive": "Yes"},
        "no label is positive='Yes': labels reach from 'no' to 'yes'",
    ),
    "logits as probabilities": (
        "f1",
        {"label": "y", "score": "logit"},
        "a threshold of 0.5 is one of probabilities (threshold= sets another, such as 0 for logits)",
    ),
    "swapped in lists": ("ndcg@5", {"label": "p", "score": "y", "group": "q"}, SWAPPED),
    "swapped with a limit": ("auc", {"label": "wide", "score": "y", "positive": 0.3}, SWAPPED),
    "reversed": ("auc", {"label": "y", "score": "reversed"}, REVERSED),
    "reversed in lists": ("gauc", {"label": "y", "score": "reversed", "group": "q"}, REVERSED),
}
WORDS = ("labels of one class", "no label", "swapped", "outside [0, 1]", "reversed")


@pytest.fixture(scope="module", params=["duckdb", "sqlite"])
def where(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """The rows as a table of an engine: `data` and `connection`."""
    if request.param == "duckdb":
        yield {"data": ROWS, "connection": duckdb.connect()}
        return
    connection = sqlite3.connect(":memory:")
    connection.execute(f"create table rows ({', '.join(ROWS[0])})")
    marks = ", ".join("?" * len(ROWS[0]))
    connection.executemany(f"insert into rows values ({marks})", [tuple(row.values()) for row in ROWS])
    yield {"data": "rows", "connection": connection}
    connection.close()


def noted(result: Any) -> list[str]:
    return [note for note in result.notes() if any(words in note for words in WORDS)]


@pytest.mark.parametrize(("metrics", "facts", "words"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_noted(where: dict[str, Any], metrics: Any, facts: dict[str, Any], words: str) -> None:
    report = sm.evaluate(metrics=metrics, **where, **facts)
    [note] = noted(report)
    assert words in note
    counts = [name for name in report.columns if name in ("rows_positive", "rows_negative", "rows_swapped")]
    assert counts == []  # they are for notes alone
    by_part = sm.evaluate(metrics=metrics, by="part", **where, **facts)
    assert noted(by_part) == [note]


def test_a_refused_label_may_be_the_score(where: dict[str, Any]) -> None:
    assert SWAPPED in told(sm.evaluate, metrics="auc", label="wide", score="y", **where)
    assert SWAPPED not in told(sm.evaluate, metrics="auc", label="grade", score="p", **where)


NORMAL: list[tuple[Any, dict[str, Any]]] = [
    (
        ["auc", "log_loss", "f1", "ece", "average_precision", "gauc", "ndcg@5", "map@3", "mrr"],
        {"label": "y", "score": "p", "group": "q", "item": "i"},
    ),
    (["ndcg@5", "dcg@3"], {"label": "grade", "score": "p", "group": "q"}),  # every item has a grade
    (["map", "ndcg@5", "auc"], {"label": "grade", "score": "noise", "group": "q", "positive": 4}),
    (["auc", "accuracy"], {"label": "word", "score": "p", "positive": "yes"}),
    (["auc", "gini", "ks"], {"label": "y", "score": "noise"}),
    (["auc", "f1(threshold=0)"], {"label": "y", "score": "logit"}),
    (["rmse", "mae", "pearson"], {"label": "p", "score": "y"}),
    (["map", "recall@3"], {"label": "clicks", "score": "p", "group": "q"}),
    (["auc"], {"label": "y", "score": {"p": "p", "noise": "noise"}, "by": "part"}),
    (["accuracy", "f1(average=macro)"], {"label": "word", "prediction": "word"}),
    (["ndcg@3"], {"label": "clicks", "score": "grade", "group": "q"}),  # scores that look like grades
]


@pytest.mark.parametrize(("metrics", "facts"), NORMAL, ids=[str(metrics) for metrics, _ in NORMAL])
def test_data_as_they_should_be_have_no_note(
    where: dict[str, Any], metrics: Any, facts: dict[str, Any]
) -> None:
    assert noted(sm.evaluate(metrics=metrics, **where, **facts)) == []


def test_small_data_are_not_reversed() -> None:
    rows = [{"y": number % 2, "p": 1 - number % 2} for number in range(6)]
    report = sm.evaluate(rows, "auc", label="y", score="p")
    assert report.value("auc") == 0
    assert noted(report) == []


@pytest.mark.slow
def test_truth_of_relevant_items_alone() -> None:
    """It has relevant items only, as it should; a limit that none reaches is noted."""
    listed = [{key: row[key] for key in ("q", "i", "p")} for row in ROWS]
    truth = [{**row, "grade": 1} for row in ROWS if row["y"]]
    facts = {"label": "grade", "score": "p", "group": "q", "item": "i", "truth": truth}
    assert noted(sm.evaluate(listed, ["map", "recall@3"], **facts)) == []
    hits = [one for one, row in zip(listed, ROWS, strict=True) if row["y"]]
    assert noted(sm.evaluate(hits, ["map", "recall@3"], **facts)) == []
    [note] = noted(sm.evaluate(listed, "map", positive=3, **facts))
    assert note.startswith(
        "no label is positive: labels reach from 0 to 1, and labels from 3 on count as positive"
    )


@pytest.mark.slow
def test_other_calls_note_it_too() -> None:
    assert noted(sm.per_group(ROWS, "map", label="grade", score="p", group="q")) == [ONE_CLASS]
    assert noted(sm.compare(ROWS, "auc", baseline="p", candidate="logit", label="one")) == [ONE_CLASS]
    assert noted(sm.curve(ROWS, "roc", label="one", score="p")) == [ONE_CLASS]
    drawn = sm.evaluate(ROWS, "average_precision", label="one", score="p", interval=0.9, n_resamples=20)
    assert noted(drawn) == [ONE_CLASS]


def test_a_rendered_statement_counts_nothing_for_notes() -> None:
    text = sm.render("t", ["auc", "map", "f1"], label="y", score="p", group="q")
    assert not any(
        name in text for name in ("rows_positive", "rows_negative", "rows_swapped", "rows_not_share")
    )
    state = sm.state(ROWS, "auc", period="part", label="y", score="p")
    assert not any("rows_negative" in name for name in state.columns)
