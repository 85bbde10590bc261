"""One row a list: against evaluate's means, against trec_eval list by list, and as a table of many rows."""

from __future__ import annotations

import time
from typing import Any

import ir_measures
import numpy
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given

import sqlmetrics as sm
from conformance.cases.general import LIST_METRICS
from conformance.cases.tables import GRADED, weighted_lists
from sqlmetrics.book.catalog import catalog
from support.errors import CALL, LISTED, NAN, ROWS, TRUTH, assert_told, told, with_first
from support.peers import judged_and_listed
from support.properties import FACTS, Rows, row_lists, some, tables
from support.seeds import seeds

# top_k_accuracy takes lists of classes, each with one true class; some take a truth with subtopics or a further column
EXAMPLES = [
    metric.example
    for metric in catalog().values()
    if metric.grain == "lists"
    and metric.name != "top_k_accuracy"
    and not metric.plan["needs"]["subtopics"]
    and not any(word in metric.example for word in ("propensity=", "sensitive="))
]
# gmap is a mean of logarithms, and a spread is none
MEANS = [
    notation
    for notation in (*LIST_METRICS, *EXAMPLES)
    if not any(word in notation for word in ("micro", "gmap", "num_re", "std", "median", "min", "max"))
]
WEIGHTS = {
    "uniform": lambda row: 1,
    "impressions": lambda row: row["n_items"],
    "positives": lambda row: row["n_relevant"],
    "negatives": lambda row: row["n_items"] - row["n_relevant"],
    "pairs": lambda row: row["n_relevant"] * (row["n_items"] - row["n_relevant"]),
}


def weight_of(notation: str) -> str:
    given = [word for word in WEIGHTS if f"weight={word}" in notation]
    return given[0] if given else "impressions" if notation.startswith("gauc") else "uniform"


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_the_weighted_mean_of_lists_is_what_evaluate_gives(tables: list[Rows]) -> None:
    named = {f"m{i}": notation for i, notation in enumerate(dict.fromkeys(MEANS))}
    rows = [{**row, "table": number} for number, rows in enumerate(tables) for row in rows]
    lists = sm.per_group(rows, named, **FACTS, by="table").to_dicts()
    for whole in sm.evaluate(rows, named, **FACTS, by="table", total=False).to_dicts():
        for name, notation in named.items():
            defined = [row for row in lists if row["table"] == whole["table"] and row[name] is not None]
            weights = [WEIGHTS[weight_of(notation)](row) for row in defined]
            total = sum(w * row[name] for w, row in zip(weights, defined, strict=True))
            mean = pytest.approx(total / sum(weights), rel=1e-9, abs=1e-12) if sum(weights) else None
            assert whole[name] == mean, notation


def test_the_mean_takes_the_weight_of_lists() -> None:
    rows = weighted_lists(GRADED)
    facts = {**FACTS, "weight": "w"}
    weights = {row["list"]: row["w"] for row in rows}
    lists = [row for row in sm.per_group(rows, "map", **facts).to_dicts() if row["map"] is not None]
    [whole] = sm.evaluate(rows, "map", **facts).to_dicts()
    above = sum(weights[row["list"]] * row["map"] for row in lists)
    assert whole["map"] == pytest.approx(above / sum(weights[row["list"]] for row in lists), rel=1e-12)


@pytest.mark.parametrize("seed", seeds(8))
def test_every_list_against_trec_eval(seed: int) -> None:
    """Ties by document, descending; trec_eval leaves a list that was not predicted out, and gives an empty one 0."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    m = ir_measures
    measures = {
        "map(denominator=relevant, on_empty=zero)": m.AP,
        "map(denominator=relevant, on_empty=zero)@3": m.AP @ 3,
        "mrr(on_empty=zero)": m.RR,
        "ndcg(gain=linear, on_empty=zero)": m.nDCG,
        "ndcg(gain=linear, on_empty=zero)@5": m.nDCG @ 5,
        "precision(on_empty=zero)@5": m.P @ 5,
        "recall(on_empty=zero)@5": m.R @ 5,
        "hit_rate(on_empty=zero)@1": m.Success @ 1,
        "r_precision(on_empty=zero)": m.Rprec,
        "bpref(on_empty=zero)": m.Bpref,
    }
    peer: dict[tuple[str, Any], float] = {}
    for metric in ir_measures.pytrec_eval.iter_calc(list(measures.values()), qrels, run):
        peer[metric.query_id, metric.measure] = metric.value
    named = {f"m{i}": notation for i, notation in enumerate(measures)}
    rows, truth = facts["rows"], facts["truth"]
    got = sm.per_group(
        rows, named, label="label", score="score", group="group", item="item", truth=truth, ties="item desc"
    ).to_dicts()
    assert [row["group"] for row in got] == sorted(qrels)
    for row in got:
        assert row["n_items"] == len(run.get(row["group"], {}))
        assert row["n_relevant"] == sum(grade > 0 for grade in qrels[row["group"]].values())
        for name, measure in zip(named, measures.values(), strict=True):
            expected = peer.get((row["group"], measure), 0.0) if row["group"] in run else 0.0
            assert row[name] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_only_metrics_of_lists() -> None:
    for metric in ("auc", ["mrr", "rmse"], {"x": "precision"}):
        assert_told(
            told(sm.per_group, ROWS, metric, **CALL), "per_group takes metrics of lists, such as ndcg@10"
        )
    assert_told(told(sm.per_group, ROWS, "mrr", label="clicked", score="p"), "needs group=")
    assert_told(told(sm.per_group, ROWS, {"n_items": "mrr"}, **CALL), "named 'n_items'")
    assert_told(told(sm.per_group, ROWS, {"user": "mrr"}, **CALL), "named 'user'")
    for name in ("n_items", "N_ITEMS", "n_relevant", "n_tied"):
        rows = [{**row, name: row["user"]} for row in ROWS]
        assert_told(told(sm.per_group, rows, "mrr", **{**CALL, "group": name}), f"named '{name}'|group=")
    assert_told(told(sm.per_group, ROWS, "gauc(weight=nope)", **CALL), "'nope'|column")


@pytest.mark.slow
def test_broken_data_are_told_as_by_evaluate() -> None:
    cases = [
        ({"p": NAN}, "mrr", {}),
        ({"user": None}, "mrr", {}),
        ({"clicked": -1}, "ndcg@2", {}),
        ({"clicked": 2}, "gauc", {}),
        ({"ad": 2}, "mrr", {"item": "ad"}),
        ({"w": 3.0}, "gauc(weight=w)", {}),
        ({"clicked": 0}, "mrr(on_empty=error)", {}),
    ]
    for change, metric, facts in cases:
        rows = with_first(**change)
        by_evaluate = told(sm.evaluate, rows, metric, **CALL, **facts)
        # a list has no soft labels
        by_evaluate = by_evaluate.replace(", or soft=True if a label is the chance of a positive row", "")
        assert told(sm.per_group, rows, metric, **CALL, **facts) == by_evaluate
    for facts in (
        {"on_extra": "error"},
        {"metrics": "map(on_missing=error)", "truth": [*TRUTH, {**TRUTH[0], "user": "z"}]},
    ):
        facts = {"metrics": "map", "truth": TRUTH, **CALL, "item": "ad", **facts}
        assert told(sm.per_group, LISTED, **facts) == told(sm.evaluate, LISTED, **facts)


def test_no_list_at_all() -> None:
    empty = pa.table(
        {
            "clicked": pa.array([], pa.int64()),
            "p": pa.array([], pa.float64()),
            "user": pa.array([], pa.string()),
        }
    )
    assert_told(told(sm.per_group, empty, "mrr", **CALL), "no row")
    unusable = [{**row, "p": NAN} for row in ROWS]
    assert_told(told(sm.per_group, unusable, "mrr", **CALL), "4 of 4 rows")
    report = sm.per_group(unusable, "mrr", **CALL, on_bad_rows="drop")
    assert (len(report), report.count("rows_dropped")) == (0, 4)
    assert "rows dropped: 4 (on_bad_rows='drop')" in repr(report)


def test_models_slices_and_counts() -> None:
    rows = [{**row, "q": 1 - row["p"], "day": "xy"[i % 2]} for i, row in enumerate(ROWS)]
    facts = {**CALL, "score": {"one": "p", "two": "q"}, "by": "day"}
    report = sm.per_group(rows, "mrr", **facts)
    assert report.columns == ["day", "model", "user", "n_items", "n_relevant", "n_tied", "mrr"]
    # each user is in both slices, as a part of one row
    assert [(r["day"], r["model"], r["user"], r["n_items"]) for r in report.to_dicts()] == [
        (day, model, user, 1) for day in "xy" for model in ("one", "two") for user in ("ann", "bob")
    ]
    assert [(row["model"], row["n_rows"], row["n_groups"]) for row in report.audit.to_dicts()] == [
        ("one", 4, 4),
        ("two", 4, 4),
    ]
    assert report.sql.splitlines()[1].startswith("-- per_group over ")


def test_a_slice_named_model() -> None:
    rows = [{**row, "model": row["user"][0]} for row in ROWS]
    report = sm.per_group(rows, "mrr", **CALL, by="model")
    assert [(row["model"], row["user"]) for row in report.to_dicts()] == [("a", "ann"), ("b", "bob")]
    assert len(report.audit) == 1


def test_left_out_rows_are_counted() -> None:
    twice = [*LISTED, {**LISTED[0], "p": 0.1}]
    facts = {**CALL, "item": "ad", "truth": TRUTH, "on_duplicate": "first", "unjudged": "drop"}
    report = sm.per_group(twice, "mrr", **facts)
    assert report.to_dicts() == [{"user": "ann", "n_items": 1, "n_relevant": 2, "n_tied": 0, "mrr": 1.0}]
    assert (
        report.count("rows_duplicate"),
        report.count("rows_unjudged"),
        report.count("rows_without_truth"),
    ) == (1, 1, 1)


def test_an_expression_as_group() -> None:
    report = sm.per_group(ROWS, "mrr", label="clicked", score="p", group=sm.sql("user || '!'"))
    assert [row["user || '!'"] for row in report.to_dicts()] == ["ann!", "bob!"]


@pytest.mark.parametrize("name", ['a "b"', "sm_group", "n_rows", "order", "Ünï", "x; drop table t"])
def test_names_of_groups(name: str) -> None:
    rows = [{"y": row["clicked"], "p": row["p"], name: row["user"]} for row in ROWS]
    if name == "n_rows":
        return assert_told(
            told(sm.per_group, rows, "mrr", label="y", score="p", group=name), "named 'n_rows'"
        )
    report = sm.per_group(rows, "mrr", label="y", score="p", group=name)
    assert [row[name] for row in report.to_dicts()] == ["ann", "bob"]
    return None


@pytest.mark.slow
def test_slices_that_the_truth_lacks() -> None:
    """Runs over all groups of the truth; a value of the user instead would make every list missing elsewhere."""
    truth = [*TRUTH, {"user": "bob", "ad": 1, "clicked": 1}]
    runs = [{**row, "day": day} for row in LISTED for day in (1, 2)]
    facts = {**CALL, "item": "ad", "truth": truth}
    report = sm.per_group(runs, "mrr", **facts, by="day")
    assert [(row["day"], row["user"]) for row in report.to_dicts()] == [
        (1, "ann"),
        (1, "bob"),
        (2, "ann"),
        (2, "bob"),
    ]
    of_user = [{**row, "country": row["user"][0]} for row in LISTED]
    message = told(sm.per_group, of_user, "mrr", **facts, by="country")
    assert message == told(sm.evaluate, of_user, "mrr", **facts, by="country")


@pytest.mark.slow
def test_one_run_alone() -> None:
    """A single day divides nothing, however many rows the result has for it: models, slices of the truth."""
    runs = [{**row, "day": 1, "q": 1 - row["p"]} for row in LISTED]
    truth = [{**row, "land": row["user"]} for row in [*TRUTH, {"user": "bob", "ad": 1, "clicked": 1}]]
    facts = {**CALL, "item": "ad", "truth": truth}
    two = sm.evaluate(runs, "mrr", **{**facts, "score": {"a": "p", "b": "q"}}, by="day").to_dicts()
    assert [(row["day"], row["model"], row["n_groups"]) for row in two] == [
        (1, "a", 2),
        (1, "b", 2),
        (None, "a", 2),
        (None, "b", 2),
    ]
    assert len(sm.evaluate(runs, "mrr", **facts, by=["day", "land"])) == 3


def test_runs_of_lists_that_the_truth_lacks() -> None:
    runs = [{**row, "user": "eve", "day": day} for row in LISTED[:1] for day in (1, 2)]
    report = sm.evaluate(runs, "mrr", **CALL, item="ad", truth=TRUTH, by="day", on_duplicate="first")
    assert [row["groups_missing"] for row in report.to_dicts()] == [1, 1, 1]


@pytest.mark.slow
def test_many_lists_are_shown_in_part(tmp_path) -> None:
    """The rest is in the table, and in every file; a table of half a million lists takes seconds, not minutes."""
    lists = 500_000
    draw = numpy.random.default_rng(1)
    columns = {"clicked": draw.integers(0, 2, 4 * lists), "p": draw.random(4 * lists)}
    data = pa.table({"user": numpy.repeat(numpy.arange(lists), 4), **columns})
    start = time.perf_counter()
    report = sm.per_group(data, ["ndcg@3", "mrr"], **CALL)
    shown, page, notes = repr(report), report._repr_html_(), report.below()
    report.to_csv()
    pyarrow.parquet.write_table(report.to_arrow(), tmp_path / "lists.parquet")
    assert time.perf_counter() - start < 60
    assert len(report) == len(report.to_arrow()) == lists
    assert notes[0].startswith("... 499,950 more rows")
    assert len(shown.splitlines()) < 60
    assert page.count("<tr>") == 1 + 50 + 1
