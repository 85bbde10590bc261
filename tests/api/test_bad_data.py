"""What is wrong with the data is told with a count; on_bad_rows='drop' leaves unusable rows out."""

import math
import sqlite3
from contextlib import closing

import duckdb
import pytest

import sqlmetrics as sm
from support.errors import CALL, LISTED, NAN, ROWS, TRUTH, assert_told, told, with_first, words_of

INF = math.inf
EVERY = {**CALL, "item": "ad", "weight": "w"}
COLUMN = {"label": "clicked", "score": "p", "group": "user", "item": "ad", "weight": "w"}


UNUSABLE = [
    *[("label", value, "NULL, NaN or infinite label") for value in (None, NAN, INF, -INF)],
    *[("score", value, "NULL, NaN or infinite score") for value in (None, NAN, INF)],
    *[("weight", value, "NULL, NaN, infinite or negative weight") for value in (None, NAN, INF, -1.0)],
    ("group", None, "NULL group"),
    ("item", None, "NULL item"),
]


ORDER = ["auc", "accuracy"]
VALUE = ["auc", "accuracy", "brier", "log_loss", "rmse"]
UNUSABLE_FOR = [
    *[(*case, ORDER) for case in UNUSABLE],
    *[("score", value, "NULL, NaN or infinite score", VALUE) for value in (None, NAN, INF, -INF)],
    *[("score", -INF, "NULL, NaN or infinite score", [metric]) for metric in VALUE[2:]],
]


@pytest.mark.parametrize(("role", "value", "words", "metrics"), UNUSABLE_FOR)
def test_unusable_rows(role, value, words, metrics):
    rows = with_first(**{COLUMN[role]: value})
    message = told(sm.evaluate, rows, metrics, **EVERY)
    assert_told(message, f"1 of 4 rows|{words}|on_bad_rows='drop'|rows_dropped")
    [dropped] = sm.evaluate(rows, metrics, **EVERY, on_bad_rows="drop").to_dicts()
    [without] = sm.evaluate(ROWS[1:], metrics, **EVERY).to_dicts()
    assert (dropped["n_rows"], dropped["rows_dropped"], dropped[f"rows_bad_{role}"]) == (4, 1, 1)
    assert [dropped[metric] for metric in metrics] == [without[metric] for metric in metrics]


@pytest.mark.parametrize("mode", ["error", "drop"])
def test_a_score_of_minus_infinity_ranks_last(mode):
    rows = with_first(p=-INF)
    found = sm.evaluate(rows, ["auc", "mrr", "accuracy"], **CALL, on_bad_rows=mode)
    assert (found.value("auc"), found.value("mrr"), found.value("accuracy")) == (
        auc_of(rows), mean_reciprocal_rank(rows), sum((row["p"] >= 0.5) == row["clicked"] for row in rows) / 4,
    )  # fmt: skip
    [row] = found.to_dicts()
    assert (row["rows_dropped"], row["rows_bad_score"]) == (0, 0)


def auc_of(rows):
    """The share of pairs of a click and none that the scores order rightly; half of a tie."""
    pairs = [(p["p"], n["p"]) for p in rows if p["clicked"] for n in rows if not n["clicked"]]
    return sum((p > n) + (p == n) / 2 for p, n in pairs) / len(pairs)


def mean_reciprocal_rank(rows):
    found = []
    for user in ("ann", "bob"):
        listed = sorted((row for row in rows if row["user"] == user), key=lambda row: -row["p"])
        found.append(1 / next(rank for rank, row in enumerate(listed, 1) if row["clicked"]))
    return sum(found) / len(found)


def test_unusable_rows_by_slice():
    rows = [{**row, "p": NAN if row["user"] == "bob" else row["p"]} for row in ROWS]
    assert_told(told(sm.evaluate, rows, "auc", **CALL, by="user"), "2 of 4 rows")
    ann, bob, total = sm.evaluate(rows, "auc", **CALL, by="user", on_bad_rows="drop").to_dicts()
    assert [row["rows_dropped"] for row in (ann, bob, total)] == [0, 2, 2]
    assert [row["auc"] for row in (ann, bob, total)] == [1.0, None, 1.0]


def test_unusable_rows_of_one_model():
    rows = [{**row, "q": row["p"]} for row in with_first(p=NAN)]
    scores = {"one": "p", "two": "q"}
    assert_told(told(sm.evaluate, rows, "auc", **{**CALL, "score": scores}), "1 of 4 rows")
    one, two = sm.evaluate(rows, "auc", **{**CALL, "score": scores}, on_bad_rows="drop").to_dicts()
    assert (one["rows_dropped"], two["rows_dropped"]) == (1, 1)


# Values that are there and that a metric cannot take; dropping does not make them right.
VALUES = [
    ({"clicked": 2}, "auc", {}, "1 row|neither 0 nor 1|such as 2|positive="),
    ({"clicked": 0.5}, "gauc", {}, "neither 0 nor 1|such as 0.5"),
    ({"clicked": -1}, "log_loss", {}, "neither 0 nor 1|such as -1"),
    ({"clicked": 1234567}, "auc", {}, "such as 1234567"),
    ({"clicked": 1 + 2**-52}, "auc", {}, "such as 1.0000000000000002"),
    ({"clicked": "yes"}, "auc", {}, "'clicked'"),
    ({"clicked": -1}, "ndcg@2", {}, "1 row|negative label|such as -1|grades >= 0"),
    ({"clicked": -1}, "err", {"max_grade": 5}, "negative label|such as -1"),
    ({"clicked": 7}, "err", {"max_grade": 5}, "1 row|above max_grade=5|such as 7"),
    ({"clicked": 1700000000}, "ndcg@2", {}, "1700000000|gain=linear"),  # 2^label - 1 is infinite
    ({"p": 1.5}, "brier", {}, "1 row|outside [0, 1]|such as 1.5|brier"),
    ({"p": -0.5}, "log_loss", {}, "outside [0, 1]|such as -0.5|log_loss"),
    ({"ad": 2}, "ndcg@2", {"item": "ad"}, "1 row|item"),  # the item twice in a list
    ({"w": 3.0}, "ndcg@2", {"weight": "w"}, "1 group|weight|one weight a list"),
    ({"w": 3.0}, "gauc(weight=w)", {}, "1 group|weight w|one weight a list"),
    ({"w": None}, "gauc(weight=w)", {}, "1 group|weight w|missing"),
    ({"w": -1.0}, "gauc(weight=w)", {}, "1 group|weight w|negative"),
    ({"w": None}, "dcg(item_weight=w)", {}, "1 row|item_weight w|missing"),
    ({"w": -1.0}, "mrr(item_weight=w)", {}, "1 row|item_weight w|negative"),
    ({"clicked": 0}, "ndcg(on_empty=error)", {}, "1 group|on_empty=error"),
    ({"user": "one"}, "gauc(on_empty=error)", {}, "2 groups|on_empty=error"),
]


@pytest.mark.parametrize(("first", "metric", "facts", "words"), VALUES, ids=words_of(VALUES))
def test_values_that_a_metric_cannot_take(first, metric, facts, words):
    for mode in ("error", "drop"):
        message = told(sm.evaluate, with_first(**first), metric, **CALL, **facts, on_bad_rows=mode)
        assert_told(message, words)


def test_text_label():
    rows = [{**row, "clicked": "yes" if row["clicked"] else "no"} for row in ROWS]
    assert_told(told(sm.evaluate, rows, "auc", **CALL), "'clicked' is text|pass positive='yes'|'no', is then")
    assert_told(told(sm.evaluate, rows, "auc", **CALL, positive=1), "'clicked' is text|positive='yes'")
    assert sm.evaluate(rows, "auc", **CALL, positive="yes").to_dicts()[0]["auc"] == 0.625


def test_every_row_unusable():
    rows = [{**row, "p": None} for row in ROWS]
    assert_told(told(sm.evaluate, rows, "auc", **CALL), "4 of 4 rows")
    [row] = sm.evaluate(rows, ["auc", "gauc", "rmse"], **CALL, on_bad_rows="drop").to_dicts()
    assert (row["rows_dropped"], row["auc"], row["gauc"], row["rmse"]) == (4, None, None, None)


ON_TWO_DAYS = [{**TRUTH[0], "day": 1}, {**TRUTH[1], "day": 2}]
UNKNOWN = [{"user": "ann", "ad": ad, "clicked": None} for ad in range(20, 29)]

# Predictions, truth, arguments, words: a message names the table that it speaks of, and that table's rows.
TWO_TABLES = [
    (LISTED, [*TRUTH, {"user": "ann", "ad": 7, "clicked": None}], {}, "1 rows of the truth|label"),
    (LISTED, [*TRUTH, *UNKNOWN], {}, "9 rows of the truth|label"),
    (LISTED, [*TRUTH, {"user": None, "ad": 7, "clicked": 1}], {}, "truth|NULL group"),
    (LISTED, [*TRUTH, {"user": "ann", "ad": None, "clicked": 1}], {}, "truth|NULL item"),
    ([*LISTED, {"user": None, "ad": 7, "p": 0.1}], TRUTH, {}, "1 rows of the truth or the data|NULL group"),
    (
        [*LISTED, {"user": "ann", "ad": None, "p": 0.1}],
        TRUTH,
        {},
        "1 rows of the truth or the data|NULL item",
    ),
    ([*LISTED, {"user": "ann", "ad": 7, "p": NAN}], TRUTH, {}, "1 of 4 rows|score"),
    ([*LISTED, LISTED[0]], TRUTH, {}, "1 row|item"),
    (LISTED, [*TRUTH, TRUTH[0]], {}, "1 row|item|truth|on_duplicate=first"),
    (LISTED, [*TRUTH, {**TRUTH[0], "clicked": 0}], {}, "1 row|item|truth"),
    (LISTED, [{"user": "ann", "ad": 1}], {}, "Column 'clicked' (label=)|the truth|Columns: user, ad"),
    (LISTED, [{"ad": 1, "clicked": 1}], {}, "Column 'user' (group=)|the truth"),
    (LISTED, [{"user": "ann", "clicked": 1}], {}, "Column 'ad' (item=)|the truth"),
    (LISTED, [], {}, "truth"),
    (LISTED, 5, {}, "int"),
    (LISTED, "nope.parquet", {}, "No file matches|nope.parquet"),
    (
        LISTED,
        [{**row, "ad": f"ad {row['ad']}"} for row in TRUTH],
        {},
        "'ad' (item=) is a number in the data and text in the truth|item=sm.sql('cast(\"ad\" as varchar)')",
    ),
    # DuckDB would take '01' for 1
    ([{**row, "user": 1} for row in LISTED], [{**row, "user": "01"} for row in TRUTH], {}, "'user' (group=)"),
    (LISTED, TRUTH, {"weight": "w"}, "Column 'w' (weight=)|the truth"),
    (LISTED, TRUTH, {"by": "day"}, "Column 'day' (by=)"),
    ([{**row, "day": 1} for row in LISTED], ON_TWO_DAYS, {"by": "day"}, "1 group|by"),
    (LISTED, TRUTH, {"on_extra": "error"}, "1 row|groups that the truth lacks|on_extra='error'"),
    (LISTED, TRUTH, {"metrics": "dcg(item_weight=w)"}, "'w' is no column of the truth"),
    (
        LISTED,
        [{**TRUTH[0], "w": 1.0}, {**TRUTH[0], "w": 2.0}],
        {"metrics": "dcg(item_weight=w)", "on_duplicate": "first"},
        "1 row|item_weight w|all copies",
    ),
    (
        LISTED,
        [*TRUTH, {**TRUTH[0], "user": "cy"}],
        {"metrics": "map(on_missing=error)"},
        "1 group|on_missing",
    ),
]


@pytest.mark.parametrize(("listed", "truth", "facts", "words"), TWO_TABLES, ids=words_of(TWO_TABLES))
def test_truth(listed, truth, facts, words):
    facts = {"metrics": "ndcg@5", **CALL, "item": "ad", "truth": truth, **facts}
    assert_told(told(sm.evaluate, listed, **facts), words)


def test_what_is_left_out_is_told():
    twice = [*LISTED, {**LISTED[0], "p": 0.1}]
    facts = {**CALL, "item": "ad", "truth": TRUTH, "on_duplicate": "first", "unjudged": "drop"}
    report = sm.evaluate(twice, "mrr", **facts)
    [row] = report.to_dicts()
    assert (row["mrr"], row["rows_duplicate"], row["rows_unjudged"], row["rows_without_truth"]) == (
        1.0,
        1,
        1,
        1,
    )
    assert report.notes()[:3] == [
        "rows left out, their group has no truth: 1",
        "rows left out, nobody judged them: 1 (unjudged='drop')",
        "rows left out, their group has the item already: 1 (on_duplicate='first')",
    ]


@pytest.mark.slow
def test_rows_that_nobody_labelled():
    rows = with_first(clicked=None)
    assert_told(told(sm.evaluate, rows, "ndcg", **CALL), "1 of 4 rows have a NULL, NaN or infinite label")
    for unjudged, expected in (("drop", ROWS[1:]), ("not_relevant", with_first(clicked=0))):
        [row] = sm.evaluate(rows, ["ndcg", "auc"], **CALL, unjudged=unjudged).to_dicts()
        [same] = sm.evaluate(expected, ["ndcg", "auc"], **CALL).to_dicts()
        assert (row["ndcg"], row["auc"]) == (same["ndcg"], same["auc"])


@pytest.mark.slow
@pytest.mark.parametrize("connect", [duckdb.connect, sqlite3.connect])
@pytest.mark.parametrize("by", [None, "country"])
def test_a_table_without_rows(connect, by) -> None:
    """SQLite gives no types to columns without values, and no row of a slice has the counts."""
    facts = {"label": "y", "by": by}
    with closing(connect(":memory:")) as connection:
        connection.execute("create table t (country text, day text, user text, y float, a float, b float)")
        facts["connection"] = connection
        lists = {**facts, "group": "user"}
        for call in (
            lambda: sm.evaluate("t", "ndcg@2", score="a", **lists),
            lambda: sm.per_group("t", "gauc", score="a", **lists),
            lambda: sm.curve("t", "roc", score="a", **facts),
            lambda: sm.compare("t", "auc", baseline="a", candidate="b", **lists),
            lambda: sm.state("t", "ndcg@2", period="day", score="a", **lists),
        ):
            assert_told(told(call), "The data has no row")
