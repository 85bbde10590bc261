"""`agreement`: the formulas of the papers on every engine, in a long and a wide table, and mistakes."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import sqlmetrics as sm
from oracles import agreement as oracle
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]
LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = ("identity", "ordinal", "linear", "quadratic")
MEASURES = [
    *(f"krippendorff(level={level})" for level in LEVELS),
    "fleiss",
    *(f"gwet(weights={weights})" for weights in WEIGHTS),
    "percent",
    "cohen",
]
RATERS = ("ann", "bob", "cy", "di")
NAMES = {"item": "text", "rater": "who", "value": "stars"}


def drawn(seed: int, items: int = 24) -> Rows:
    """Ratings of 0 to 5 without 4; some are missing, and some items have one. Part c has one value."""
    draw, rows = random.Random(seed), []
    for item in range(items):
        truth, part = draw.choice([0, 1, 2, 3, 5]), "abc"[item % 3]
        for rater in RATERS[: 1 if item % 8 == 7 else 4]:
            stars = truth if draw.random() < 0.6 else draw.choice([0, 1, 2, 3, 5])
            if draw.random() < 0.8:
                rows.append({"text": item, "who": rater, "stars": 2 if part == "c" else stars, "part": part})
    return rows


def expected(rows: Rows) -> dict[tuple[str, str | None, str | None], tuple[Any, ...]]:
    """The value and interval of each row of the result, and its items."""
    of_items: dict[int, dict[str, int]] = defaultdict(dict)
    for row in rows:
        of_items[row["text"]][row["who"]] = row["stars"]
    items = [[*item.values()] for item in of_items.values()]
    rated = sum(len(item) >= 2 for item in items)
    found: dict[Any, Any] = {}
    for level in LEVELS:
        found[f"krippendorff(level={level})", None, None] = oracle.krippendorff(items, level), rated
    for weights in WEIGHTS:
        found[f"gwet(weights={weights})", None, None] = oracle.gwet(items, weights), rated
    found["fleiss", None, None] = oracle.gwet(items, "identity", fleiss=True), rated
    found["percent", None, None] = oracle.percent(items), rated
    kappas = oracle.cohen([*of_items.values()])
    found["cohen", None, None] = kappas.pop(None, (None, None, 0)), rated
    found |= {("cohen", *pair): (estimate, int(estimate[2]) + 1) for pair, estimate in kappas.items()}
    return {key: (*oracle.interval(estimate), n) for key, (estimate, n) in found.items()}


def check(found: Rows, rows: Rows, measures: Sequence[str] = MEASURES) -> None:
    wanted = {key: value for key, value in expected(rows).items() if key[0] in measures}
    found = [{"rater_a": None, "rater_b": None, **row} for row in found]
    assert {(row["measure"], row["rater_a"], row["rater_b"]) for row in found} == {*wanted}
    for row in found:
        value, low, high, n = wanted[row["measure"], row["rater_a"], row["rater_b"]]
        assert row["value"] == (value if value is None else pytest.approx(value, abs=1e-9)), row
        # some ends come from quotients of small differences
        ends = (low, high) if low is None else pytest.approx((low, high), abs=1e-6)
        assert (row["low"], row["high"]) == ends, row
        assert row["n_items"] == n, row


@pytest.mark.parametrize("measures", [MEASURES[:3], ["krippendorff(level=ratio)", "cohen"], MEASURES[4:-1]])
def test_all_measures(engine: Engine, measures: list[str]) -> None:
    rows = drawn(1)
    statement = str(macros(engine.dialect)["agreement"]("given", measures, **NAMES, by="part"))
    found = engine.query(statement, {"given": rows})
    for part in "abc":
        of_part = [row for row in rows if row["part"] == part]
        check([row for row in found if row["part"] == part and not row["is_total"]], of_part, measures)
    total = [row for row in found if row["is_total"]]
    check(total, rows, measures)
    texts = [row["text"] for row in rows]
    rated = [text for text in texts if texts.count(text) > 1]
    for row in total:
        assert row["items_rated_once"] == len({*texts}) - len({*rated}) > 0
        if row.get("rater_a") is None:
            assert (row["n_raters"], row["n_ratings"]) == (4, len(rated))


def test_wide_table(engine: Engine) -> None:
    """A column for each rater says the same, with NULL for a rating that is missing; items need no name."""
    rows, wide = drawn(2), {}
    for row in rows:
        wide.setdefault(row["text"], dict.fromkeys(RATERS))[row["who"]] = row["stars"]
    measures = ["krippendorff(level=ordinal)", "fleiss"]
    statement = str(macros(engine.dialect)["agreement"]("given", measures, raters=[*RATERS]))
    check(engine.query(statement, {"given": [*wide.values()]}), rows, measures)


def test_forms_of_ratings() -> None:
    """Texts, booleans, a wide table with names, and an item in several slices, which is whole in the total."""
    rows = drawn(3)
    asked = ["krippendorff", "fleiss", "gwet", "percent", "cohen"]
    numbers = sm.agreement(rows, asked, **NAMES).to_dicts()
    texts = [{**row, "stars": "zyxwvu"[row["stars"]]} for row in rows]
    for one, other in zip(numbers, sm.agreement(texts, asked, **NAMES).to_dicts(), strict=True):
        assert one == pytest.approx(other)
    wide = [{"id": i, "one": i % 2 == 0, "two": i % 3 == 0} for i in range(12)]
    long = [{"id": row["id"], "who": who, "stars": row[who]} for row in wide for who in ("one", "two")]
    named = sm.agreement(wide, "cohen", item="id", raters={"Ann": "one", "Bob": "two"}).to_dicts()
    assert [(row["rater_a"], row["rater_b"]) for row in named] == [(None, None), ("Ann", "Bob")]
    assert named[1]["value"] == sm.agreement(long, "cohen", item="id", rater="who", value="stars")["value"][1]
    by_rater = sm.agreement(rows, "percent", **NAMES, by="who").to_dicts()
    assert [row["value"] for row in by_rater] == [None] * 4 + [
        sm.agreement(rows, "percent", **NAMES)["value"][0]
    ]


ALIKE = [{"text": i, "who": who, "stars": 1 + i % 2} for i in range(6) for who in "ab"]


def test_nothing_varies() -> None:
    """All agree: a value without an interval. One value, one rater: no value, and the reason."""
    asked = ["krippendorff(level=ordinal)", "fleiss", "gwet(weights=linear)", "cohen", "percent"]
    all_agree = sm.agreement(ALIKE, asked, **NAMES)
    assert [*{*all_agree["value"]}, *{*all_agree["low"]}] == [1.0, None]
    assert any(note.startswith("no interval of items that are all alike") for note in all_agree.notes())
    one_value = sm.agreement([{**row, "stars": 1} for row in ALIKE], asked, **NAMES)
    assert one_value["value"] == [None] * 5 + [1.0]
    assert any(note.startswith("no agreement beyond chance") for note in one_value.notes())
    one_rater = sm.agreement(ALIKE[::2], asked, **NAMES)
    assert one_rater["value"] == [None] * 5
    assert one_rater.audit["items_rated_once"] == [6]
    assert any(note.startswith("items with a single rating: 6") for note in one_rater.notes())


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: sm.agreement([*ALIKE, ALIKE[0]], "gwet", **NAMES),
            "1 ratings are of an item that their rater has",
        ),
        (lambda: sm.agreement([{**ALIKE[0], "stars": None}, *ALIKE[1:]], "gwet", **NAMES), "1 of 12 rows"),
        (
            lambda: sm.agreement([{**ALIKE[0], "text": None}, *ALIKE[1:]], "gwet", **NAMES),
            "value of column 'text'",
        ),
        (
            lambda: sm.agreement([{**ALIKE[0], "who": None}, *ALIKE[1:]], "gwet", **NAMES),
            "value of column 'who'",
        ),
        (
            lambda: sm.agreement([{**ALIKE[0], "stars": float("inf")}], "gwet", **NAMES),
            "infinite value of column",
        ),
        (
            lambda: sm.agreement(
                [{**row, "stars": "low"} for row in ALIKE], "gwet(weights=ordinal)", **NAMES
            ),
            "Column 'stars' (value=) is text, and gwet(weights=ordinal) computes with numbers",
        ),
        (
            lambda: sm.agreement(
                [{**row, "stars": -1} for row in ALIKE], "krippendorff(level=ratio)", **NAMES
            ),
            "12 rows have a value below 0, such as -1",
        ),
        (
            lambda: sm.agreement(ALIKE, "kripendorff", **NAMES),
            "Unknown measure of agreement 'kripendorff'. Known:",
        ),
        (lambda: sm.agreement(ALIKE, [], **NAMES), "no measure was asked for"),
        (lambda: sm.agreement(ALIKE, [3], **NAMES), "a measure is text"),
        (lambda: sm.agreement(ALIKE, ["gwet", "gwet"], **NAMES), "is asked for twice"),
        (lambda: sm.agreement(ALIKE, "fleiss(level=nominal)", **NAMES), "fleiss has no parameter level"),
        (
            lambda: sm.agreement(ALIKE, "krippendorff(level=identity)", **NAMES),
            "one of nominal, ordinal, interval",
        ),
        (lambda: sm.agreement(ALIKE, "gwet", item="text", rater="who"), "agreement needs value="),
        (lambda: sm.agreement(ALIKE, "gwet", raters=["stars"]), "two columns or more"),
        (lambda: sm.agreement(ALIKE, "gwet", raters=["stars", "who"]), "raters rate on one scale"),
        (lambda: sm.agreement(ALIKE, "gwet", rater="who", raters=["stars", "text"]), "leave out one"),
        (lambda: sm.agreement(ALIKE, "gwet", **{**NAMES, "item": "txt"}), "Column 'txt' (item=) is not in"),
        (lambda: sm.agreement(ALIKE, "gwet", raters=["stars", "txt"]), "Column 'txt' (raters=) is not in"),
        (lambda: sm.agreement(ALIKE, "gwet", **NAMES, interval=95), "from 0.000001 to 0.999999"),
        (
            lambda: sm.agreement(ALIKE, "gwet", **NAMES, by={"measure": "who"}),
            "Two result columns would be named 'measure'",
        ),
    ],
)
def test_mistakes(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=re.escape(said)):
        call()


def test_dropped_ratings() -> None:
    """Ratings without a value are left out and counted if one says so."""
    asked = ["krippendorff", "cohen"]
    kept = sm.agreement(ALIKE[1:], asked, **NAMES)
    bad = [{**ALIKE[0], "stars": None}, *ALIKE[1:]]
    dropped = sm.agreement(bad, asked, **NAMES, on_bad_rows="drop")
    assert (dropped.to_dicts(), dropped.audit["rows_dropped"]) == (kept.to_dicts(), [1])
