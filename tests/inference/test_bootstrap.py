"""Intervals by the bootstrap: the same draws in plain Python, metrics by their oracle, quantiles by scipy and numpy."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from oracles.resampling import Rows, interval, replicates, times
from sqlmetrics.book.catalog import catalog
from support.engines import Engine

np = pytest.importorskip("numpy")
stats = pytest.importorskip("scipy.stats")
LEVEL, N = 0.9, 20


def made(n: int, seed: int, **more: Any) -> Rows:
    """Rows of a label, scores with ties, a slice, a weight, a list in one or two slices, and classes."""
    rng = random.Random(seed)
    groups = ["a", "B", "ä", "Z", "b", "10", "9", "A b", "é", "_"]
    rows = []
    for i in range(n):
        label = int(rng.random() < 0.4)
        rows.append({
            "label": label,
            "score": min(1.0, max(0.0, round(0.3 * label + 0.7 * rng.random(), 1))),
            "other": round(rng.random(), 2),
            "part": rng.choice(["x", "y", "y"]),
            "w": rng.choice([0.0, 0.5, 1.0, 3.0]),
            "list": rng.choice(groups),
            "number": rng.choice([2, 10, 30, -4, 100]),
            "item": i,
            "kind": rng.choice(["cat", "dog", "emu"]),
            "guess": rng.choice(["cat", "dog", "dog"]),
        })  # fmt: skip
    return rows


def asked(
    engine: Engine, rows: Rows, metrics: list[str], tables: dict[str, Rows] | None = None, **facts: Any
) -> Rows:
    """What an engine answers, the metrics as m0, m1, ..."""
    named = {f"m{i}": notation for i, notation in enumerate(metrics)}
    arguments = {"label": "label", "score": "score", "interval": LEVEL, "n_resamples": N} | facts
    relation = arguments.pop("relation", "predictions")
    statement = sm.render(relation, named, dialect=engine.dialect, **arguments)
    return engine.query(statement, {"predictions": rows} | (tables or {}))


def ends(notation: str, rows: Rows, samples: list[Rows], **facts: Any) -> tuple[float | None, float | None]:
    """The interval that the replicates give."""
    value = oracles.value(notation, rows, **facts)
    values = [oracles.value(notation, sample, **facts) for sample in samples if sample]
    defined = [one for one in values if one is not None]
    if value is None or 2 * len(defined) < len(samples):
        return None, None
    group = facts.get("group")
    counted = [row for row in rows if row.get(facts.get("weight"), 1)]
    n = len({row[group] for row in counted}) if group else len(counted)
    return interval(value, defined, n, LEVEL, limits(notation))


@pytest.mark.parametrize("group", [None, "list"])
def test_units_without_a_weight_are_not_counted(group: str | None, engine: Engine) -> None:
    """They are last in the order of the numbers that the draws read."""
    rows = [{**row, "w": row["w"] or 2.0} for row in made(24, 4)]
    none = [{**row, "label": 1, "score": 5.0, "list": f"\uffee{row['list']}", "w": 0.0} for row in rows]
    facts = {"weight": "w", **({"group": group} if group else {})}
    [with_none], [without] = (
        asked(engine, given, ["pearson" if group else "ks"], **facts) for given in (rows + none, rows)
    )
    lists = {row["list"] for row in rows}
    assert with_none.get("n_groups") == without.get("n_groups") == (len(lists) if group else None)
    assert with_none["m0_low"] == pytest.approx(without["m0_low"], rel=1e-9)
    assert with_none["m0_high"] == pytest.approx(without["m0_high"], rel=1e-9)


def limits(notation: str) -> tuple[float, float]:
    """The range of the header; those that only weights of items can pass have none of these here."""
    name = oracles.parse(notation)[0]
    cut = name if f"metric_{name}" in catalog() else f"{name}_at"
    found = catalog()[f"metric_{cut}"].range
    return found.low, 1.0 if name in ("map", "mrr", "precision") else found.high


def compare(
    got: Rows, rows: Rows, metrics: list[str], by: str | None = None, order: list[str] | None = None,
    unit: str | None = None, **facts: Any,
) -> None:  # fmt: skip
    """Holds every row of a result to the oracle."""
    samples = replicates(rows, N, unit or facts.get("group"), order)
    assert len(got) == (len({row[by] for row in rows}) + 1 if by else 1)
    for row in got:
        inside = "all" if by is None or row["is_total"] else row[by]
        here, *parts = (
            [one for one in sample if inside == "all" or one[by] == inside] for sample in (rows, *samples)
        )
        for i, notation in enumerate(metrics):
            low, high = ends(notation, here, parts, **facts)
            where = f"{notation} in {inside}"
            assert same(row[f"m{i}_low"], low), where
            assert same(row[f"m{i}_high"], high), where


def same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.isclose(one, other, rtol=1e-9, atol=1e-12))


BINARY = ["average_precision", "ks", "mcc(threshold=0.5)", "f1(threshold=0.5)", "ece(bins=5)", "auc"]
NUMBERS = ["spearman", "median_absolute_error", "r2", "pearson"]


@pytest.mark.slow
def test_rows(engine: Engine) -> None:
    """Metrics of levels, bins, thresholds, orders and deviations, by slice and in total."""
    rows = made(60, 1)
    metrics = BINARY + NUMBERS
    got = asked(engine, rows, metrics, by="part", interval_method="bootstrap")
    compare(got, rows, metrics, by="part", order=["label", "score", "part"])


@pytest.mark.slow
def test_weighted_rows(engine: Engine) -> None:
    rows = made(60, 2)
    metrics = [*BINARY, "pearson", "median_absolute_error"]
    got = asked(engine, rows, metrics, by="part", weight="w", interval_method="bootstrap")
    compare(got, rows, metrics, by="part", order=["label", "score", "w", "part"], weight="w")
    got = asked(engine, rows, BINARY, weight="w", score_levels="counted", interval_method="bootstrap")
    compare(got, rows, BINARY, order=["label", "score", "w"], weight="w")


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("group", ["list", "number"])
def test_rows_of_lists(group: str, engine: Engine) -> None:
    """Where there are lists, these are drawn; they are numbered by the bytes of their text."""
    rows = made(60, 3)
    metrics = ["average_precision", "spearman", "ks"]
    got = asked(engine, rows, metrics, by="part", group=group, interval_method="bootstrap")
    compare(got, rows, metrics, by="part", group=group)


@pytest.mark.slow
def test_models(engine: Engine) -> None:
    """A row has the same draws in each model: two of the same score have the same interval."""
    rows = made(50, 4)
    models = {"one": "score", "same": "score", "other": "other"}
    facts = {"score": models, "by": "part", "interval_method": "bootstrap"}
    got = asked(engine, rows, ["average_precision", "ks"], **facts)
    order = ["score", "score", "other", "label", "part"]
    for model, column in (("one", "score"), ("same", "score"), ("other", "other")):
        of_model = [row for row in got if row["model"] == model]
        compare(of_model, rows, ["average_precision", "ks"], by="part", order=order, score=column)
    got = asked(engine, rows, ["average_precision"], **facts, group="list")
    for model, column in (("one", "score"), ("same", "score"), ("other", "other")):
        of_model = [row for row in got if row["model"] == model]
        compare(of_model, rows, ["average_precision"], by="part", group="list", score=column)


@pytest.mark.slow
def test_classes(engine: Engine) -> None:
    """Rows of text classes are numbered by their bytes, and the NULL slice comes last."""
    rows = [row | {"part": None if row["part"] == "x" else "y"} for row in made(50, 5)]
    metrics = ["f1(average=macro)", "mcc", "kappa", "accuracy"]
    got = asked(
        engine,
        rows,
        metrics,
        label="kind",
        score=None,
        prediction="guess",
        by="part",
        interval_method="bootstrap",
    )
    ordered = [row | {"part_order": row["part"] or "~"} for row in rows]
    compare(
        got, ordered, metrics, by="part", order=["part_order", "guess", "kind"], label="kind", score=None,
        prediction="guess",
    )  # fmt: skip


@pytest.mark.slow
def test_scored_classes(engine: Engine) -> None:
    """Examples are drawn with the scores of all their classes."""
    rng = random.Random(6)
    rows = [
        {
            "list": f"e{example}", "item": name, "label": int(name == true),
            "score": round(rng.random() + 0.3 * (name == true), 1),
        }
        for example, true in enumerate(rng.choices("abc", k=15))
        for name in "abc"
    ]  # fmt: skip
    metrics = ["multiclass_auc(method=ovr)", "multiclass_auc(method=ovo)"]
    got = asked(engine, rows, metrics, group="list", item="item")
    compare(got, rows, metrics, group="list", item="item")


LISTS = ["ndcg@3", "map@5", "mrr", "gauc", "precision@2"]


@pytest.mark.slow
def test_lists(engine: Engine) -> None:
    """A list that is drawn twice is two lists; one in two slices has the same draws in both and in the total."""
    rows = made(60, 7)
    got = asked(engine, rows, LISTS, group="list", item="item", by="part", interval_method="bootstrap")
    compare(got, rows, LISTS, by="part", group="list", item="item")


@pytest.mark.slow
def test_lists_of_a_truth(engine: Engine) -> None:
    rows = [{name: row[name] for name in ("list", "item", "score", "part")} for row in made(40, 8)]
    truth = [
        {"list": row["list"], "item": row["item"] + shift, "label": row["label"]}
        for row in made(40, 8)
        for shift in (0, 100)
    ]
    got = asked(
        engine, rows, ["ndcg@3", "recall@5"], {"judged": truth}, truth="judged", group="list", item="item",
        interval_method="bootstrap",
    )  # fmt: skip
    samples = [
        (drawn, judged)
        for drawn, judged in zip(*(replicates(table, N, "list") for table in (rows, truth)), strict=True)
    ]
    for i, notation in enumerate(["ndcg@3", "recall@5"]):
        values = [
            oracles.value(notation, drawn, truth=judged, group="list", item="item")
            for drawn, judged in samples
        ]
        value = oracles.value(notation, rows, truth=truth, group="list", item="item")
        low, high = interval(value, values, len({row["list"] for row in rows}), LEVEL)
        assert [got[0][f"m{i}_low"], got[0][f"m{i}_high"]] == pytest.approx([low, high], rel=1e-9)


def test_items(engine: Engine) -> None:
    """Of metrics of items the lists are drawn; a metric over the users of a history has no interval."""
    rows = [
        {"list": row["list"], "item": row["item"] % 9, "score": row["other"]}
        for row in {(row["list"], row["item"] % 9): row for row in made(60, 9)}.values()
    ]
    items = [{"item": item} for item in range(12)]
    past = [{"list": row["list"], "item": row["item"]} for row in rows if row["item"] < 5]
    metrics = ["catalog_coverage@3", "exposure_gini@3", "novelty@3", "user_coverage@3"]
    facts = {"label": None, "group": "list", "item": "item"}
    got = asked(
        engine, rows, metrics, {"items": items, "past": past}, catalog="items", history="past", **facts
    )
    assert got[0]["m3"] is not None
    assert got[0]["m3_low"] is got[0]["m3_high"] is None
    compare(got, rows, metrics[:3], **facts, catalog=items, history=past)


@pytest.mark.slow
def test_order_of_rows(engine: Engine) -> None:
    rows = made(60, 10)
    metrics, facts = ["average_precision", "spearman"], {"by": "part", "interval_method": "bootstrap"}
    first = asked(engine, rows, metrics, **facts)
    for row, again in zip(
        first, asked(engine, random.Random(1).sample(rows, len(rows)), metrics, **facts), strict=True
    ):
        assert row["part"] == again["part"]
        for i in range(len(metrics)):
            for end in ("low", "high"):
                assert row[f"m{i}_{end}"] == pytest.approx(again[f"m{i}_{end}"], rel=1e-12)


@pytest.mark.sample
def test_unusable_rows(engine: Engine) -> None:
    """They are not drawn, and move the numbers of others by a place each, wherever they stand."""
    rows = made(40, 11)
    bad = [{**rows[0], "label": None}, {**rows[1], "score": None}, {**rows[2], "part": None}]
    got = asked(
        engine, rows + bad[:2], ["average_precision", "ks"], score={"a": "score", "b": "other"}, group=None,
        interval_method="bootstrap",
    )  # fmt: skip
    assert got[0]["rows_bad_label"] == 1
    last = 1e300
    ordered = [
        row | {name: last if row[name] is None else row[name] for name in ("label", "score")}
        for row in rows + bad[:2]
    ]
    samples = replicates(ordered, N, order=["score", "other", "label"])
    for row, column in zip(got, ("score", "other"), strict=True):
        here, *usable = (
            [one for one in sample if last not in (one["label"], one[column])]
            for sample in (ordered, *samples)
        )
        low, high = ends("average_precision", here, usable, score=column)
        assert [row["m0_low"], row["m0_high"]] == pytest.approx([low, high], rel=1e-9)


@pytest.mark.slow
def test_undefined(engine: Engine) -> None:
    """No interval: one row or list, one class in most replicates, replicates alike, or a metric that is null itself."""
    one = {"label": 1, "score": 0.5, "list": "a"}
    metrics, drawn = ["average_precision", "ks"], {"interval_method": "bootstrap"}
    (row,) = asked(engine, [one], metrics, **drawn)
    assert row["m0"] == 1
    assert [row["m0_low"], row["m0_high"], row["m1"], row["m1_low"]] == [None] * 4
    (row,) = asked(engine, [one, one], metrics, **drawn)
    assert [row["m0"], row["m0_low"], row["m0_high"]] == [1, None, None]
    (row,) = asked(engine, [one, {**one, "label": 0, "score": 0.2}], metrics, group="list", **drawn)
    assert row["m1"] == 1
    assert row["m1_low"] is None
    # one positive and one negative row: both are drawn in 40 % of the replicates
    (row,) = asked(engine, [one, {**one, "label": 0, "score": 0.2}], metrics, n_resamples=100, **drawn)
    assert [row["m0"], row["m0_low"], row["m1"], row["m1_low"]] == [1, None, 1, None]
    # three and one: in 60 %
    rows = [{**one, "score": 0.5 + i / 10} for i in range(3)] + [{**one, "label": 0, "score": 0.55}]
    (row,) = asked(engine, rows, metrics, n_resamples=100, **drawn)
    assert 0 <= row["m1_low"] < row["m1"] < row["m1_high"] <= 1
    (row,) = asked(engine, [*rows, {**one, "label": 3}], metrics, **drawn)
    assert [row["rows_not_binary"], row["m0"], row["m0_low"]] == [1, None, None]


def test_queries_are_read_once(engine: Engine) -> None:
    rows = made(40, 12)
    got = asked(engine, rows, ["ks"], relation="select * from predictions")
    assert got == asked(engine, rows, ["ks"])
    statement = sm.render("select * from predictions", "ks", label="y", score="p", interval=0.9)
    assert statement.split("\nwith\n")[1].count("from predictions") == 1


@pytest.mark.parametrize("seed", range(5))
def test_an_interval_allows_for_the_bias(seed: int) -> None:
    """The oracle has numpy's quantiles. The end towards the bias has the reach of the replicates, and no more.

    All is stretched for few units by t, here scipy's.
    """
    rng = np.random.default_rng(seed)
    replicated = rng.integers(0, 9, 30) / 8 if seed % 2 else rng.normal(size=30)
    value = (0.5, 0.2, 1.0, -9.0, 9.0)[seed]
    low, middle, high = np.quantile(replicated, (0.05, 0.5, 0.95), method="weibull")
    above, below = max(middle - value, 0), max(value - middle, 0)
    n = 400
    stretched = math.sqrt(n / (n - 1)) * stats.t.ppf(0.95, n - 1) / stats.norm.ppf(0.95)
    expected = (
        value - stretched * (middle - low + 2 * above), value + stretched * (high - middle + 2 * below),
    )  # fmt: skip
    assert interval(value, replicated.tolist(), n, 0.9) == pytest.approx(expected, rel=1e-4)


@pytest.mark.slow
def test_maximum_lies_above_the_middle() -> None:
    """The value of ks lies below most of its replicates, and its interval reaches farther down for that."""
    rows = made(200, 14)
    (row,) = sm.evaluate(rows, {"m": "ks"}, label="label", score="other", interval=0.9).to_dicts()
    values = sorted(
        oracles.value("ks", sample, score="other")
        for sample in replicates(rows, 200, order=["label", "other"])
    )
    assert sum(value < row["m"] for value in values) < 80
    assert row["m_low"] < np.quantile(values, 0.05)
    assert row["m_low"] <= row["m"] <= row["m_high"]


@pytest.mark.slow
def test_an_interval_holds_its_value() -> None:
    """Few rows, few draws and weights: replicates may all lie on one side of a value, or differ by rounding alone."""
    metrics, rng = ["mcc", "kappa", "f1(average=macro)", "balanced_accuracy"], random.Random(15)
    rows = [
        {
            "part": part, "w": rng.choice([0.1, 1.0, 2.5, 3.0]), "kind": rng.randrange(3),
            "guess": rng.randrange(3) if rng.random() < part % 3 / 2 else None,
        }
        for part in range(400)
        for _ in range(part % 5 + 3)
    ]  # fmt: skip
    rows = [row | {"guess": row["kind"] if row["guess"] is None else row["guess"]} for row in rows]
    report = sm.evaluate(
        rows, {f"m{i}": metric for i, metric in enumerate(metrics)}, label="kind", prediction="guess",
        weight="w", by="part", interval=LEVEL, n_resamples=N,
    )  # fmt: skip
    found = [
        [row[f"m{i}{end}"] for end in ("_low", "", "_high")] for row in report.to_dicts() for i in range(4)
    ]
    assert sum(low is not None for low, _, _ in found) > 800
    for low, value, high in found:
        assert low is high is None or (low <= value <= high and low < high), (low, value, high)


@pytest.mark.slow
def test_draws_are_poisson() -> None:
    """Mean and variance 1, no correlation of replicates or of units, beyond what chance explains."""
    n, replicates = 300, 1000
    drawn = np.array([[times(unit, r) for unit in range(1, n + 1)] for r in range(1, replicates + 1)])
    error = 1 / np.sqrt(n * replicates)
    assert abs(drawn.mean() - 1) < 4 * error
    assert abs(drawn.var() - 1) < 4 * error * np.sqrt(3)  # the fourth central moment is 4
    assert drawn.sum(1).var() == pytest.approx(n, rel=4 * np.sqrt(2 / replicates))
    for table, size in ((drawn, n), (drawn.T, replicates)):
        off = np.corrcoef(table)[np.triu_indices(len(table), 1)]
        assert off.std() * np.sqrt(size) == pytest.approx(1, abs=0.05)
        assert abs(off).max() * np.sqrt(size) < 6
    for lag in (1, 2, 3, 7):
        for one, other in ((drawn[:, :-lag], drawn[:, lag:]), (drawn[:-lag], drawn[lag:])):
            assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 4 * error


@pytest.mark.slow
def test_standard_error_of_a_mean() -> None:
    """The spread of the bootstrap of a mean is what theory says, within the error of 2,000 replicates."""
    rng = random.Random(13)
    rows = [{"label": 0.0, "score": rng.gauss(0, 1)} for _ in range(400)]
    scores = np.array([row["score"] for row in rows])
    for level, z in ((0.6826894921370859, 1.0), (0.95, 1.959963984540054)):
        (row,) = sm.evaluate(
            rows, {"m": "bias"}, label="label", score="score", interval=level, interval_method="bootstrap",
            n_resamples=2000,
        ).to_dicts()  # fmt: skip
        half = (row["m_high"] - row["m_low"]) / 2
        assert half == pytest.approx(z * scores.std() / np.sqrt(len(rows)), rel=0.08)
