"""What must not change a number, and what range a number has."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sqlmetrics as sm
from conformance.cases.general import LEVEL_METRICS, ROW_METRICS
from conformance.cases.general import LIST_METRICS as FIRST_LIST_METRICS
from conformance.cases.lists import LIST_METRICS as FURTHER_LIST_METRICS
from conformance.cases.lists import LISTED_GAINS
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.headers import Range
from support.evaluated import evaluated_each
from support.properties import FACTS, Rows, row_lists, some, tables

LIST_METRICS = [*FIRST_LIST_METRICS, *FURTHER_LIST_METRICS, *LISTED_GAINS]
# Lower is better, or the pessimistic order is read where ties are averaged, or ties have a rule of their own.
NOT_IN_ORDER = (
    "err",
    "gauc",
    "average_rank",
    "rbp_residual",
    "interpolated",
    "infap",
    "q_measure",
    "coverage_error",
    "label_ranking_average_precision",
    "label_ranking_loss",
)
ORDER_ONLY = [*LEVEL_METRICS, *LIST_METRICS]
EVERY = [*ROW_METRICS, *ORDER_ONLY]
# They take no label 0, or rows that are examples, or a truth with subtopics, or further columns.
OF_OTHER_DATA = (
    *("gamma_deviance", "mape", "top_k_accuracy"),
    *(metric.name for metric in catalog().values() if metric.plan["needs"]["subtopics"]),
    *(metric.name for metric in catalog().values() if metric.plan["row_columns"] or metric.plan["subsets"]),
)


def assert_same(one: dict[str, float | None], other: dict[str, float | None]) -> None:
    assert one == {
        name: value if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)
        for name, value in other.items()
    }


def assert_unchanged(
    tables: list[Rows], change: Callable[[Rows], Rows], metrics: list[str] = EVERY, **facts: Any
) -> None:
    """Each table has the values that it has when changed; the changed ones are slices of the same statement."""
    found = evaluated_each(metrics, [*tables, *map(change, tables)], **{**FACTS, **facts})
    for before, after in zip(found[: len(tables)], found[len(tables) :], strict=True):
        assert_same(after, before)


@pytest.mark.slow
@some
@given(tables(row_lists), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(tables: list[Rows], draw: random.Random) -> None:
    assert_unchanged(tables, lambda rows: draw.sample(rows, len(rows)))


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_the_names_of_lists_change_nothing(tables: list[Rows]) -> None:
    names = {"a": "z", "b": "y", "c": "x"}
    assert_unchanged(
        tables, lambda rows: [{**row, "list": names.get(row["list"], row["list"])} for row in rows]
    )


@pytest.mark.slow
def test_the_split_into_files_changes_nothing(tmp_path: Path) -> None:
    draw = random.Random(5)
    rows = [
        {
            "list": f"q{draw.randrange(30)}",
            "label": draw.choice([0, 0, 1, 2, 4]),
            "score": draw.randrange(20) / 20,
        }
        for _ in range(400)
    ]
    for i in range(7):
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows[i::7]), tmp_path / f"part{i}.parquet")
    named = {f"m{i}": notation for i, notation in enumerate(EVERY)}
    (whole,) = sm.evaluate(rows, named, **FACTS).to_dicts()
    (parts,) = sm.evaluate(str(tmp_path / "part*.parquet"), named, **FACTS).to_dicts()
    assert_same(parts, whole)


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_a_monotone_map_of_scores_keeps_what_reads_only_their_order(tables: list[Rows]) -> None:
    assert_unchanged(
        tables,
        lambda rows: [{**row, "score": math.exp(3 * row["score"]) - 7} for row in rows],
        ORDER_ONLY,
    )


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_lists_counted_twice_keep_their_mean(tables: list[Rows]) -> None:
    assert_unchanged(
        tables,
        lambda rows: [*rows, *({**row, "list": row["list"] + "'"} for row in rows)],
        [notation for notation in EVERY if notation != "count" and not notation.startswith("num_")],
    )


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_a_weight_of_two_is_the_row_twice(tables: list[Rows]) -> None:
    weighted = [[{**row, "w": 1 + i % 2} for i, row in enumerate(rows)] for rows in tables]
    repeated = [[row for i, row in enumerate(rows) for _ in range(1 + i % 2)] for rows in tables]
    metrics = [notation for notation in (*ROW_METRICS, *LEVEL_METRICS) if notation != "count"]
    for one, other in zip(
        evaluated_each(metrics, weighted, **FACTS, weight="w"),
        evaluated_each(metrics, repeated, **FACTS),
        strict=True,
    ):
        assert_same(one, other)


@pytest.mark.slow
@some
@given(row_lists)
def test_both_plans_of_score_levels_agree(rows: Rows) -> None:
    """The door counts levels on data too large for a test; here the plan is asked for by name."""
    import duckdb

    predictions = pyarrow.Table.from_pylist(rows)  # noqa: F841  DuckDB finds it by name
    got = []
    for plan in ("sorted", "counted"):
        statement = sm.render(
            "predictions",
            LEVEL_METRICS,
            label="label",
            score="score",
            positive=1,
            by="list",
            score_levels=plan,
        )
        got.append(duckdb.sql(statement).fetchall())
    assert got[0] == got[1] or all(
        a == b or a == pytest.approx(b, rel=1e-12)
        for one, other in zip(*got, strict=True)
        for a, b in zip(one, other, strict=True)
    )


# A first relevant item that ties with others below all cutoffs, beside a metric that ends above it.
FIRST_HIT_BELOW = [
    {"list": name, "label": label, "score": score, "slice": "x", "one": 1}
    for name, rows in {
        "a": ((0, 1.0), (0, 0.75), (1, 0.5), (0, 0.5), (0, 0.5), (2, 0.25)),
        "b": ((0, 0.9), (0, 0.8), (4, 0.1)),
    }.items()
    for label, score in rows
]
# What stands above an item is made for the top alone where all metrics that read it end there.
ENDING = ["err@3", "map@3", "mrr@3", "mrr", "ndcg@3", "recall@2", "rbp@3", "gauc", "log_loss", "brier"]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@example(FIRST_HIT_BELOW, ["mrr", "err@1"], None, None)
@example(FIRST_HIT_BELOW, ["err@3", "log_loss"], None, 0.95)
@example(FIRST_HIT_BELOW, ["cg(gain=3:3:3:4:5)@3"], None, None)
@given(
    row_lists.flatmap(
        lambda rows: st.lists(st.sampled_from("xy"), min_size=len(rows), max_size=len(rows)).map(
            lambda slices: [{**row, "slice": s, "one": 1} for row, s in zip(rows, slices, strict=True)]
        )
    ),
    st.lists(st.sampled_from(ENDING), min_size=1, max_size=4, unique=True)
    | st.lists(st.sampled_from(LIST_METRICS), min_size=1, max_size=4, unique=True),
    st.sampled_from([None, "slice"]),
    st.sampled_from([None, 0.95]),
)
def test_both_plans_of_lists_agree(
    rows: Rows, metrics: list[str], by: str | None, interval: float | None
) -> None:
    """DuckDB ranks lists first; where they have weights, all of them 1 here, it takes the plan of every engine."""
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    facts = {**FACTS, "by": by, "total": by is not None, "interval": interval}
    first = sm.evaluate(rows, named, **facts)
    general = sm.evaluate(rows, named, **facts, weight="one")
    # items of label 0 add something
    read_all_rows = any(re.search(r"^q_measure|gain=(?!0:)\d", notation) for notation in metrics)
    assert ("sm_ranked_items" in first.sql) == (lists_are_read(metrics) and not read_all_rows)
    assert "sm_ranked_items" not in general.sql
    for one, other in zip(first.to_dicts(), general.to_dicts(), strict=True):
        assert {
            name: value if not isinstance(value, float) else pytest.approx(value, rel=1e-9, abs=1e-12)
            for name, value in other.items()
            if name in one
        } == one


def lists_are_read(metrics: list[str]) -> bool:
    return any(notation not in ("log_loss", "brier") for notation in metrics)


def documented_ranges() -> dict[str, Range]:
    """The example of each metric of rows, levels, bins and lists, and the range in its header."""
    return {
        metric.example: metric.range
        for metric in catalog().values()
        if metric.grain not in ("items", "classes") and metric.name not in OF_OTHER_DATA
    }


def test_ranges_are_read_from_the_documentation() -> None:
    ranges = documented_ranges()
    assert len(ranges) > 95
    assert str(ranges["gini"]) == "[-1, 1]"
    assert str(ranges["r2"]) == "(-inf, 1]"
    assert str(ranges["mse"]) == "[0, inf)"
    assert ranges["base_log_loss"].high == math.log(2)


def above_zero(rows: Rows) -> Rows:
    """Scores that every metric of rows takes, and the columns that examples name."""
    return [
        {
            **row,
            "score": (row["score"] + 1) / 2,
            "propensity": 1 / (1 + row["label"]),
            "country": "ab"[row["label"] > 1],
        }
        for row in rows
    ]


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_ranges(tables: list[Rows]) -> None:
    ranges = documented_ranges()
    for found in evaluated_each([*ranges], [*map(above_zero, tables)], **FACTS):
        for notation, value in found.items():
            if value is not None:
                assert ranges[notation].low - 1e-12 <= value <= ranges[notation].high + 1e-12, notation


@pytest.mark.slow
@some
@given(tables(row_lists), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_documented_metric(tables: list[Rows], draw: random.Random) -> None:
    positive = [*map(above_zero, tables)]
    assert_unchanged(positive, lambda rows: draw.sample(rows, len(rows)), [*documented_ranges()])


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_worst_average_best_are_in_order(tables: list[Rows]) -> None:
    metrics = [n for n in LIST_METRICS if not n.startswith(NOT_IN_ORDER) and "average=std" not in n]
    orders = [evaluated_each(metrics, tables, **FACTS, ties=ties) for ties in ("worst", "average", "best")]
    for worst, average, best in zip(*orders, strict=True):
        for notation in metrics:
            if average[notation] is not None:
                assert worst[notation] - 1e-12 <= average[notation] <= best[notation] + 1e-12, notation


def test_score_and_its_reverse_share_the_auc() -> None:
    rows = [{"label": i % 3 == 0, "score": (i * 7 % 11) / 11} for i in range(40)]
    forward = sm.evaluate(rows, "auc", label="label", score="score").to_dicts()[0]["auc"]
    backward = sm.evaluate(rows, "auc", label="label", score=sm.sql("-score")).to_dicts()[0]["auc"]
    assert forward + backward == pytest.approx(1, rel=1e-15)


@pytest.mark.slow
def test_huge_counts_do_not_overflow() -> None:
    """Sums of ranks and products of counts pass 32 bits; the AUC of alternating labels is known."""
    n = 1_000_000
    table = pyarrow.table({"y": pyarrow.array([0, 1] * n), "s": pyarrow.array(range(2 * n))})
    auc = sm.evaluate(table, "auc", label="y", score="s").to_dicts()[0]["auc"]
    assert auc == pytest.approx((n + 1) / (2 * n), rel=1e-15)


def test_gauc_by_pairs_is_the_ratio_of_all_pairs() -> None:
    """Also where the truth has relevant items that were not listed, which form no pair."""
    predicted = [{"list": q, "item": i, "score": (7 * i + ord(q)) % 5} for q in "abcd" for i in range(5)]
    truth = [{"list": q, "item": i, "label": (i * ord(q)) % 3 == 0} for q in "abce" for i in range(8)]
    facts = {"label": "label", "score": "score", "group": "list", "item": "item", "truth": truth}
    metrics = {"pairs": "gauc(weight=pairs)", "pooled": "gauc(average=micro, weight=uniform)"}
    [row] = sm.evaluate(predicted, metrics, **facts).to_dicts()
    assert row["pairs"] == pytest.approx(row["pooled"], rel=1e-12)


@pytest.mark.parametrize("by", [("part",), iter(["part"]), (name for name in ["part"])])
def test_by_takes_any_iterable(by: Any) -> None:
    rows = [{"y": i % 2, "s": i, "part": i // 4} for i in range(8)]
    assert len(sm.evaluate(rows, "auc", label="y", score="s", by=by).to_dicts()) == 3


def test_r2_of_equal_labels_is_null() -> None:
    """The mean of equal floats need not be equal to them."""
    rows = [{"y": 0.1, "s": s} for s in (0.1, 0.2, 0.4)]
    assert sm.evaluate(rows, "r2", label="y", score="s").to_dicts()[0]["r2"] is None


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_perfect_values_are_not_rounded_out_of_the_range(weighted: bool) -> None:
    """sqrt(x) * sqrt(x) need not be x, nor sums of weights the same in another order."""
    facts = {"weight": "w"} if weighted else {}
    metrics = ["mcc", "pearson", "average_precision", *([] if weighted else ["spearman"])]
    draw = random.Random(1)
    rows = []
    for part in range(60):
        for i in range(draw.choice([7, 12, 30])):
            y = int(draw.random() < 0.4) if i > 1 else i
            rows.append({"part": part, "y": y, "s": float(y), "other": 1.0 - y, "w": draw.random()})
    for score, best in (("s", 1.0), ("other", -1.0)):
        for row in sm.evaluate(rows, metrics, label="y", score=score, by="part", **facts):
            for name in metrics:
                if score == "s" or name != "average_precision":
                    assert row[name] == pytest.approx(best, rel=1e-12)
                    assert abs(row[name]) <= 1, name
    for row in sm.evaluate(rows, "mcc", label="y", prediction="y", by="part", **facts):
        assert row["mcc"] == 1
