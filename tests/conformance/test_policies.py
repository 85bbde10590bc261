"""Lists without truth, items that a list has twice, items that nobody judged: against rows prepared in plain Python."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from conformance.cases.general import TRUTH_METRICS
from support.conformance import same
from support.engines import Engine

pytestmark = pytest.mark.sample

Rows = list[dict[str, Any]]
ROLES = {"label": "label", "score": "score", "group": "list", "item": "item"}
GRADES = {"max_grade": 4, "positive": 1}
METRICS = [*TRUTH_METRICS, "gauc", "mrr(weight=impressions)", "precision(denominator=listed)@3"]
WEIGHTED = ["dcg(item_weight=w)@3", "map(item_weight=w)", "recall(item_weight=w)@2", "mrr(item_weight=w)@3"]


def computed(metrics: list[str], rows: Rows, engine: Engine, truth: Rows | None = None, **facts: Any) -> Rows:
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    tables = {"predictions": rows} | ({"judged": truth} if truth else {})
    statement = sm.render(
        "predictions",
        named,
        dialect=engine.dialect,
        truth="judged" if truth else None,
        **{**ROLES, **GRADES, **facts},
    )
    return engine.query(statement, tables)


def compare(
    row: dict[str, Any], metrics: list[str], rows: Rows, truth: Rows | None = None, **facts: Any
) -> None:
    values = {
        notation: (row[f"m{number}"], oracles.value(notation, rows, truth=truth, **ROLES, **GRADES, **facts))
        for number, notation in enumerate(metrics)
    }
    assert {notation: pair for notation, pair in values.items() if not same(*pair)} == {}


def drawn(seed: int) -> Rows:
    """Lists that have some items twice or more, with scores and labels that tie."""
    draw = random.Random(seed)
    return [
        {
            "list": f"q{q}",
            "item": f"i{draw.randrange(6)}",
            "label": draw.choice([0, 0, 1, 2]),
            "score": draw.randrange(4) / 4,
            "w": draw.randrange(4) / 2,
            "part": draw.choice("xyz"),
        }
        for q in range(7)
        for _ in range(draw.randint(1, 8))
    ]


def each_once(rows: Rows) -> Rows:
    """The best-ranked row of each item of a list."""
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: (row["score"], row["label"], row.get("w", 0))):
        kept[row["list"], row["item"]] = row
    return list(kept.values())


@pytest.mark.parametrize("ties", ["average", "worst", "item"])
@pytest.mark.parametrize("seed", range(3))
def test_an_item_twice_keeps_its_best_ranked_row(seed: int, ties: str, engine: Engine) -> None:
    rows, metrics = drawn(seed), [*METRICS, *WEIGHTED]
    (row,) = computed(metrics, rows, engine, ties=ties, on_duplicate="first")
    compare(row, metrics, each_once(rows), ties=ties)
    assert row["rows_duplicate"] == len(rows) - len(each_once(rows)) > 0
    assert row["n_rows"] == len(rows)


@pytest.mark.parametrize("seed", range(3))
def test_an_item_twice_in_slices(seed: int, engine: Engine) -> None:
    """A part of a list is a list: an item may stand in two of them, but only once in the total."""
    rows, metrics = drawn(seed), [*METRICS, *WEIGHTED]
    got = computed(metrics, rows, engine, by="part", on_duplicate="first")
    for row in got:
        of_slice = [r for r in rows if row["is_total"] or r["part"] == row["part"]]
        compare(row, metrics, each_once(of_slice))
        assert row["rows_duplicate"] == len(of_slice) - len(each_once(of_slice))


def test_rows_count_whatever_lists_leave_out(engine: Engine) -> None:
    rows = [{"list": "a", "item": "i", "label": y, "score": s} for y, s in ((1, 0.5), (0, 0.25), (0, 0.75))]
    (row,) = computed(["count", "auc", "mrr"], rows, engine, on_duplicate="first")
    assert (row["m0"], row["m1"], row["m2"], row["rows_duplicate"]) == (3, 0.5, None, 2)


@pytest.mark.parametrize("seed", range(3))
def test_an_item_twice_in_both_tables(seed: int, engine: Engine) -> None:
    rows = drawn(seed)
    judged = [
        {"list": r["list"], "item": r["item"], "label": r["label"]}
        for r in drawn(seed + 50)
        if r["list"] != "q3"
    ]
    best = {}
    for row in sorted(judged, key=lambda row: row["label"]):
        best[row["list"], row["item"]] = row
    listed = [{key: row[key] for key in ("list", "item", "score")} for row in rows]
    (row,) = computed(METRICS, listed, engine, judged, on_duplicate="first")
    compare(row, METRICS, each_once(rows), list(best.values()))
    in_truth = [r for r in rows if r["list"] != "q3"]
    assert row["rows_duplicate"] == len(in_truth) - len(each_once(in_truth)) + len(judged) - len(best)


def two_tables(seed: int) -> tuple[Rows, Rows]:
    draw = random.Random(seed)
    lists = [f"q{q}" for q in range(8)]
    listed = [
        {"list": q, "item": i, "score": draw.randrange(5) / 5}
        for q in lists[:-1]
        for i in draw.sample(range(9), draw.randint(1, 7))
    ]
    judged = [
        {"list": q, "item": i, "label": draw.choice([0, 0, 1, 3])}
        for q in lists[1:]
        for i in draw.sample(range(9), draw.randint(1, 6))
    ]
    return listed, judged


@pytest.mark.parametrize("ties", ["average", "best"])
@pytest.mark.parametrize("seed", range(4))
def test_condensed_lists(seed: int, ties: str, engine: Engine) -> None:
    listed, judged = two_tables(seed)
    known = {(row["list"], row["item"]) for row in judged}
    lists = {row["list"] for row in judged}
    condensed = [row for row in listed if (row["list"], row["item"]) in known]
    (row,) = computed(METRICS, listed, engine, judged, ties=ties, unjudged="drop")
    compare(row, METRICS, condensed, judged, ties=ties)
    unknown = [row for row in listed if row["list"] in lists and (row["list"], row["item"]) not in known]
    assert row["rows_unjudged"] == len(unknown) > 0
    assert (row["n_rows"], row["rows_dropped"]) == (len(listed), 0)


def test_an_unjudged_item_is_not_relevant(engine: Engine) -> None:
    listed, judged = two_tables(0)
    explicit = computed(METRICS, listed, engine, judged, unjudged="not_relevant")
    assert explicit == computed(METRICS, listed, engine, judged)


def test_a_label_below_zero_is_no_judgement(engine: Engine) -> None:
    """As TREC marks what was pooled and not judged; listed or not, it leaves the list."""
    listed, judged = two_tables(1)
    marked = [*judged, *({"list": "q2", "item": i, "label": -1} for i in (100, 101))]
    listed.append({"list": "q2", "item": 100, "score": 2.0})
    known = {(row["list"], row["item"]) for row in judged}
    condensed = [row for row in listed if (row["list"], row["item"]) in known]
    (row,) = computed(METRICS, listed, engine, marked, unjudged="drop")
    compare(row, METRICS, condensed, judged)


@pytest.mark.slow
@pytest.mark.parametrize("by", [None, "part"])
def test_rows_without_a_label(by: str | None, engine: Engine) -> None:
    """Without truth= they are bad rows, unless `unjudged` says what they are."""
    rows = [
        {**row, "label": None if i % 4 == 0 else row["label"]} for i, row in enumerate(each_once(drawn(2)))
    ]
    metrics = [*METRICS, "auc", "log_loss"]
    labelled = [row for row in rows if row["label"] is not None]
    zero = [{**row, "label": row["label"] or 0} for row in rows]
    for unjudged, prepared in (("drop", labelled), ("not_relevant", zero)):
        for row in computed(metrics, rows, engine, by=by, unjudged=unjudged):
            here = [r for r in prepared if not by or row["is_total"] or r[by] == row[by]]
            given = [r for r in rows if not by or row["is_total"] or r[by] == row[by]]
            compare(row, metrics, here)
            assert (row["n_rows"], row["rows_dropped"], row["rows_bad_label"]) == (len(given), 0, 0)
            if unjudged == "drop":
                assert row["rows_unjudged"] == len(given) - len(here)


def test_a_row_without_a_label_is_an_item_of_no_truth(engine: Engine) -> None:
    """One table with unjudged rows gives what two tables give, the second with the judged ones."""
    rows = [
        {**row, "label": None if i % 3 == 0 else row["label"]} for i, row in enumerate(each_once(drawn(5)))
    ]
    judged = [
        {key: row[key] for key in ("list", "item", "label")} for row in rows if row["label"] is not None
    ]
    rows = [row for row in rows if row["list"] in {row["list"] for row in judged}]
    listed = [{key: row[key] for key in ("list", "item", "score")} for row in rows]
    metrics = ["bpref", "infap", "judged@3", "map@3", "rbp_residual(p=0.5)", "mrr"]
    (one,) = computed(metrics, rows, engine, unjudged="not_relevant")
    (two,) = computed(metrics, listed, engine, judged)
    for number, notation in enumerate(metrics):
        assert math.isclose(one[f"m{number}"], two[f"m{number}"], rel_tol=1e-12), notation
    assert one["n_unjudged"] == two["n_unjudged"] > 0


def test_a_text_without_a_label(engine: Engine) -> None:
    words = {1: "yes", 0: "no", None: None}
    rows = [
        {"list": "a", "item": str(i), "label": words[y], "score": s}
        for i, (y, s) in enumerate([(1, 0.5), (None, 0.75), (0, 0.25)])
    ]
    for unjudged, expected in (("drop", 1.0), ("not_relevant", 0.5)):
        (row,) = computed(["mrr"], rows, engine, positive="yes", unjudged=unjudged)
        assert row["m0"] == expected


@pytest.mark.slow
def test_a_list_without_truth(engine: Engine) -> None:
    listed, judged = two_tables(3)
    extra = sum(row["list"] == "q0" for row in listed)
    (row,) = computed(METRICS, listed, engine, judged, on_extra="drop")
    compare(row, METRICS, listed, judged)
    assert row["rows_without_truth"] == extra > 0
    (row,) = computed(METRICS, listed, engine, judged, on_extra="error")
    assert row["rows_without_truth"] == extra
    assert {row[f"m{i}"] for i in range(len(METRICS))} == {None}
    (row,) = computed(METRICS, [r for r in listed if r["list"] != "q0"], engine, judged, on_extra="error")
    compare(row, METRICS, listed, judged)


def test_an_item_weight_that_is_none(engine: Engine) -> None:
    rows = each_once(drawn(4))
    for weight in (None, -1.0, math.inf):
        broken = [
            {**row, "label": max(row["label"], int(i == 0)), "w": weight if i == 0 else row["w"]}
            for i, row in enumerate(rows)
        ]
        (row,) = computed(["mrr(item_weight=w)", "mrr"], broken, engine)
        assert (row["m0"], row["rows_item_weight_1_unclear"]) == (None, 1)
        assert row["m1"] is not None


def test_a_list_whose_relevant_items_are_not_listed(engine: Engine) -> None:
    """No item of the list adds to a metric, also where lists are pooled."""
    rows = [{"list": "a", "item": f"i{i}", "score": float(i)} for i in range(3)]
    metrics = [
        "coverage_error",
        "coverage_error(average=micro)",
        "map(average=micro)",
        "dcg@2",
        "recall(average=micro)@2",
    ]
    truth = [{"list": "a", "item": "z", "label": 1}]
    [row] = computed(metrics, rows, engine, truth)
    compare(row, metrics, rows, truth)
