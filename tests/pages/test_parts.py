"""Parts of a page that some data alone have: classes, lists of one model, metrics without a value, null slices."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import sqlmetrics as sm
from support.report_pages import Read, read

Rows = list[dict[str, Any]]
drawn = random.Random(5)
ANIMALS = ("cat", "dog", "<i>bird")
SEEN: Rows = [
    {"animal": animal, "guess": drawn.choice((animal, animal, *ANIMALS)), "place": (None, "null", "", "DE")[i % 4]}
    for i, animal in enumerate(drawn.choices(ANIMALS, k=120))
]  # fmt: skip
LISTS: Rows = [
    {"clicked": int(drawn.random() < 0.4), "p": drawn.random(), "user": f"u{i // 5}"} for i in range(300)
]


@pytest.fixture(scope="module")
def animals() -> Read:
    with pytest.MonkeyPatch.context() as patch:
        metrics = ["accuracy", "recall(class=zebra)"]
        return read(
            patch,
            SEEN,
            metrics,
            label="animal",
            prediction="guess",
            by="place",
            where="place is null or true",
        )


def test_classes_have_a_confusion_matrix(animals: Read) -> None:
    lines = animals.section("classes").split("\n")
    right = sum(row["animal"] == row["guess"] for row in SEEN)
    wrong = Counter((row["guess"], row["animal"]) for row in SEEN if row["animal"] != row["guess"])
    most = max(wrong.values())
    [said] = (line for line in lines if "predicted right" in line)
    assert said.startswith(f"{right} of 120 rows are predicted right; the most common mistake is ")
    assert said.split("mistake is ")[1] in {
        f"{guess} for {animal} ({most})" for (guess, animal), n in wrong.items() if n == most
    }
    cells = Counter((row["animal"], row["guess"]) for row in SEEN)
    for (animal, guess), n in cells.items():
        assert any(lines[i : i + 3] == [animal, guess, str(n)] for i in range(len(lines)))
    assert len(animals.statements) == 2
    assert animals.html.count("<summary>Confusion matrix</summary>") == 1


def test_a_metric_without_a_value_says_when_it_has_none(animals: Read) -> None:
    assert "Undefined here: recall_class_zebra: null if no row is positive" in animals.section("dropped")
    assert "recall(class=zebra) by place" not in animals.section("slices")  # there is nothing to draw
    assert "accuracy by place" in animals.section("slices")


def test_a_null_slice_is_told_from_others(animals: Read) -> None:
    table = animals.section("slices").split("\n")
    assert {"null", '"null"', '""', "DE"} <= {*table}


def test_code_of_a_definition_is_code(animals: Read) -> None:
    assert "<code>score &gt;= threshold</code>" in animals.html
    assert "`" not in animals.section("defined")


@pytest.mark.slow
def test_more_metrics_than_a_chart_shows_are_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**row, "q": 1 - row["p"]} for row in LISTS]
    thresholds = [f"precision(threshold=0.{place + 10})" for place in range(13)]
    facts: dict[str, Any] = {"label": "clicked", "score": {"old": "p", "new": "q"}, "curves": []}
    text = read(monkeypatch, rows, thresholds, **facts).section("compared")
    assert all(f"\n{one}\n" in text for one in thresholds)
    assert "The chart shows the first 12 metrics." in text
    cutoffs = [f"precision@{k}" for k in range(1, 42)]
    facts |= {"score": "p", "group": "user"}
    text = read(monkeypatch, LISTS, cutoffs, **facts).section("metrics")
    assert text.count("precision@41") == 2  # in the table, and in that of the chart
    assert "The chart of precision shows the first 40 cutoffs." in text


@pytest.mark.slow
def test_lists_of_one_model_begin_with_the_worst(monkeypatch: pytest.MonkeyPatch) -> None:
    facts: dict[str, Any] = {"label": "clicked", "score": "p", "group": "user"}
    page = read(monkeypatch, LISTS, "mrr", **facts, curves=[])
    values = sorted(
        (row["mrr"], row["user"]) for row in sm.per_group(LISTS, "mrr", **facts) if row["mrr"] is not None
    )
    lines = page.section("lists").split("\n")
    assert f"Lists of the worst mrr. 20 of {len(values)} lists are shown." in lines
    first = lines.index("mrr", lines.index("user")) + 1
    shown = lines[first : first + 40]
    assert [float(value) for value in shown[1::2]] == pytest.approx(
        [value for value, _ in values[:20]], abs=5e-5
    )
    assert {*shown[::2]} <= {user for value, user in values if value <= values[19][0]}
