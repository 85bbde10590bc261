"""A score of minus infinity, with which recommenders mask items, ranks last; where its value is read it is unusable."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.templates import macros
from sqlmetrics.errors import SqlMetricsError
from sqlmetrics.shell.install import shell_macros
from support.engines import Engine, Rows
from support.errors import assert_told, told

LEAST = -1e308
LISTS: dict[str, Any] = {"label": "y", "score": "s", "group": "g", "item": "i", "positive": 1}
WAYS: dict[str, dict[str, Any]] = {
    "lists": LISTS | {"max_grade": 1, "catalog": "catalog", "history": "history", "category": "c"},
    "ties by item": LISTS | {"max_grade": 1, "ties": "item"},
    "worst ties": LISTS | {"max_grade": 1, "ties": "worst", "by": "half"},
    "weights": LISTS | {"max_grade": 1, "weight": "w", "by": "half"},
    "truth": {**LISTS, "truth": "truth", "max_grade": 1},
    "intervals": LISTS | {"max_grade": 1, "interval": 0.95},
}


def rows(masked: float) -> Rows:
    """Lists with ties among usable scores and among masked ones."""
    random = Random(7)
    found = []
    for group in range(12):
        for item in range(6):
            score = random.choice([masked, masked, 0.0, -3.5, 0.25, 0.5, 1e300])
            label = int(random.random() < 0.4)
            half = "a" if group < 6 else "b"
            of_item = {"country": "ab"[item % 2], "propensity": (1, 0.5, 0.1)[item % 3]}
            of_group = {"g": group, "half": half, "w": 1.0 + group % 3}
            found.append({**of_group, **of_item, "i": item, "y": label, "s": score})
    return found


TABLES: dict[str, Rows] = {
    "catalog": [{"i": item, "c": f"c{item % 2}"} for item in range(8)],
    "history": [{"g": group, "i": (group * 5 + i) % 8} for group in range(12) for i in range(3)],
    "truth": [
        {"g": group, "i": i, "y": (group + i) % 2, "propensity": 0.5} for group in range(12) for i in range(7)
    ],
}


def reads_order(notation: str, facts: dict[str, Any]) -> bool:
    """Whether a metric can be asked of these facts, and reads no value of a score."""
    try:
        plan = macros("duckdb")["plan"](metrics=[notation], relation="t", **facts)
    except SqlMetricsError:
        return False
    return plan["reads_scores"] is None and not plan["row_columns"]


def assert_same(found: Rows, bounded: Rows) -> None:
    """Results are the same but for the last digits; a threshold that is minus infinity is null."""
    assert len(found) == len(bounded)
    for infinite, least in zip(found, bounded, strict=True):
        far = [name for name, value in least.items() if isinstance(value, float) and abs(value) > 1e305]
        expected = least | dict.fromkeys(far)
        numbers = {name: value for name, value in expected.items() if isinstance(value, float)}
        assert {name: infinite[name] for name in numbers} == pytest.approx(numbers, rel=1e-12)
        assert {**infinite, **numbers} == expected


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_minus_infinity_is_as_the_least_score(engine: Engine, way: str) -> None:
    if engine.name == "mysql":
        pytest.skip("its floats have no infinity: the score would come in as NULL")
    facts = WAYS[way]
    metrics = [metric.example for metric in catalog().values() if reads_order(metric.example, facts)]
    assert len(metrics) > 20
    if "interval" in facts:
        metrics = metrics[::3]  # ClickHouse reads no longer statement
    found = []
    for masked in (-math.inf, LEAST):
        statement = sm.render("t", metrics, dialect=engine.dialect, **facts)
        tables = {name: table for name, table in TABLES.items() if facts.get(name) == name}
        found.append(engine.query(statement, {"t": rows(masked), **tables}))
    assert_same(*found)


@pytest.mark.parametrize("notation", ["rmse", "log_loss", "pearson", "ece", "median_absolute_error", "smape"])
def test_a_metric_of_values_refuses_it(notation: str) -> None:
    asked = {"label": "y", "score": "s", "group": "g"}
    data = [{"y": 1, "s": 0.5, "g": 1}, {"y": 0, "s": -math.inf, "g": 1}]
    assert_told(told(sm.evaluate, data, notation, **asked), "1 of 2 rows have a NULL, NaN or infinite score")
    assert sm.evaluate(data, notation, on_bad_rows="drop", **asked).to_dicts()[0]["rows_bad_score"] == 1
    assert_told(
        told(sm.evaluate, data, ["ndcg@2", notation], **asked),
        f"which ranks last in a call without {notation}",
    )


@pytest.mark.parametrize("score", [math.inf, math.nan, None])
def test_infinity_and_nan_have_no_rank(score: float | None) -> None:
    data = [{"y": 1, "s": 0.5, "g": 1}, {"y": 0, "s": score, "g": 1}]
    assert_told(
        told(sm.evaluate, data, ["ndcg@2", "auc"], label="y", score="s", group="g"),
        "1 of 2 rows have a NULL, NaN or infinite score",
    )


def test_a_mask_keeps_the_ideal_order() -> None:
    data = [{"q": 1, "y": y, "s": s} for y, s in ((1, 0.5), (0, 0.3), (1, -math.inf))]
    [row] = sm.evaluate(data, ["ndcg@2", "map", "auc"], label="y", score="s", group="q").to_dicts()
    gain = 1 / math.log2(2), 1 / math.log2(3)
    assert row["ndcg_2"] == pytest.approx(gain[0] / sum(gain))
    assert row["map"] == pytest.approx((1 + 2 / 3) / 2)
    assert row["auc"] == 0.5


@pytest.mark.slow
def test_other_calls_that_read_the_order() -> None:
    data = [row | {"t": row["s"] if row["i"] % 2 else -math.inf} for row in rows(-math.inf)]
    bounded = [row | {name: max(row[name], LEAST) for name in "st"} for row in data]
    lists: dict[str, Any] = {"label": "y", "group": "g"}
    metrics = ["ndcg@3", "mrr", "gauc"]
    for call in (
        lambda table: sm.compare(table, metrics, baseline="s", candidate="t", **lists),
        lambda table: sm.per_group(table, metrics, score="s", **lists),
        lambda table: sm.find_slices(table, "ndcg@3", by="half", score="s", **lists),
        lambda table: sm.evaluate(table, metrics, score={"a": "s", "b": "t"}, **lists),
        lambda table: sm.finish(
            sm.state(table, ["ndcg@3", "mrr"], score="s", period="half", **lists), ["ndcg@3", "mrr"]
        ),
    ):  # fmt: skip
        assert_same(call(data).to_dicts(), call(bounded).to_dicts())


@pytest.mark.parametrize("kind", ["roc", "precision_recall", "gain", "calibration"])
def test_a_curve_has_thresholds(kind: str) -> None:
    data = [{"y": 1, "s": 0.5}, {"y": 0, "s": -math.inf}]
    assert_told(told(sm.curve, data, kind, label="y", score="s"), "NULL, NaN or infinite score")


@pytest.mark.slow
def test_macros_of_a_shell() -> None:
    data = [{**row, "b": max(row["s"], LEAST)} for row in rows(-math.inf)]
    with duckdb.connect() as connection:
        connection.execute(shell_macros())
        table = connection.from_arrow(pa.Table.from_pylist(data))
        for call in (
            "auc(y, {})",
            "average_precision(y, {})",
            "ndcg(y, {}, 3)",
            "f1(y, {}, 0.2)",
        ):
            [both] = table.aggregate(", ".join(call.format(score) for score in "sb")).fetchall()
            assert both[0] == pytest.approx(both[1], rel=1e-12), call
        with pytest.raises(duckdb.Error, match="rows have a NaN or infinite label or score"):
            table.aggregate("rmse(y, s)").fetchall()
