"""Intervals of averages over lists, on every engine: scipy on the values of lists, linearisation in plain Python."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.engines import Engine

Rows = list[dict[str, Any]]
ROLES = {"label": "label", "score": "score", "group": "list", "positive": 1}
SEEDS = range(3)
MEANS = {
    "ndcg": "ndcg@3",
    "rr": "mrr",
    "ap": "map(on_empty=zero)@5",
    "full": "recall(on_empty=one)@2",
    "hits": "hit_rate@1",
    "auc": "gauc(weight=uniform)",
}
WEIGHTED = {
    "impressions": "gauc",
    "pairs": "gauc(weight=pairs)",
    "positives": "ndcg(weight=positives)@3",
    "negatives": "mrr(weight=negatives, on_empty=zero)",
    "heavy": "map(weight=heavy)",
}
POOLED = {
    "precise": "precision(average=micro)@3",
    "recalled": "recall(average=micro)@3",
    "zero": "precision(average=micro, on_empty=zero)@3",
    "one": "precision(average=micro, on_empty=one)@3",
}


def listed(seed: int, lists: int = 12) -> Rows:
    """Lists of 1 to 8 items with ties, some without a relevant item, some in several parts; one part has one list."""
    draw = random.Random(seed)
    parts = {f"q{name}": draw.choice([["x"], ["y"], ["x", "y"]]) for name in range(lists)} | {"q0": ["alone"]}
    heavy = {name: draw.choice([0.0, 0.5, 1.0, 3.0]) for name in parts}
    return [
        {
            "list": name,
            "item": f"i{item}",
            "part": draw.choice(parts[name]),
            "heavy": heavy[name],
            "label": draw.choice([0, 0, 1, 3]),
            "score": draw.randrange(6) / 8,
            "other": draw.random(),
        }
        for name in parts
        for item in range(draw.randint(1, 8))
    ]


def evaluated(engine: Engine, metrics: Any, rows: Rows, truth: Rows | None = None, **facts: Any) -> Rows:
    """The result of an engine; as the dbt package asks for it."""
    tables = {"given": rows} | ({} if truth is None else {"judged": truth})
    asked = {**ROLES, "interval": 0.95, **({} if truth is None else {"truth": "judged"}), **facts}
    return engine.query(macros(engine.dialect)["evaluate"]("given", metrics, **asked), tables)


def of_lists(metrics: dict[str, str], rows: Rows, **facts: Any) -> Rows:
    """The values of lists, by slice and, as part None, of whole lists."""
    by = facts.pop("by", None)
    whole = sm.per_group(rows, metrics, **ROLES, **facts).to_dicts()
    sliced = sm.per_group(rows, metrics, **ROLES, **facts, by=by).to_dicts() if by else []
    return [*({**row, by: None} for row in whole), *sliced] if by else whole


def same(row: dict[str, Any], name: str, expected: Any) -> None:
    """The ends of an interval are those expected, on either side of the value."""
    for end, value in zip(("low", "high"), expected, strict=True):
        got = row[f"{name}_{end}"]
        assert got is value is None or math.isclose(got, value, rel_tol=1e-9, abs_tol=1e-10), (
            name,
            got,
            value,
        )
    if row[f"{name}_low"] is not None:
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


SHARE = (0.0, 1.0)


def mean_interval(values: list[float], level: float = 0.95, limits: tuple[float, float] = SHARE) -> Any:
    """The interval of a mean."""
    return ratio_interval(values, [1.0] * len(values), level, limits)


def ratio_interval(
    above: list[float], below: list[float], level: float = 0.95, limits: tuple[float, float] = SHARE
) -> Any:
    """The interval of a ratio of sums over lists."""
    pytest.importorskip("scipy")
    from oracles.intervals import of_ratio

    return of_ratio(above, below, level, limits)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_means_over_lists(seed: int, engine: Engine) -> None:
    """By slice and in total, where a list of several slices counts as one."""
    rows = listed(seed)
    lists = of_lists(MEANS, rows, by="part")
    results = evaluated(engine, MEANS, rows, by="part")
    assert len(results) == 4
    for row in results:
        for name in MEANS:
            values = [one[name] for one in lists if one["part"] == row["part"] and one[name] is not None]
            same(row, name, mean_interval(values))


@pytest.mark.slow
@pytest.mark.parametrize("level", [1e-6, 0.5, 0.9, 0.999, 0.999999])
def test_levels(level: float, engine: Engine) -> None:
    rows = listed(7)
    values = [row["rr"] for row in of_lists({"rr": "mrr"}, rows) if row["rr"] is not None]
    [row] = evaluated(engine, {"rr": "mrr"}, rows, interval=level)
    same(row, "rr", mean_interval(values, level))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_means_by_linearisation(seed: int, engine: Engine) -> None:
    rows = listed(seed)
    heavy = {row["list"]: row["heavy"] for row in rows}
    weights = {
        "impressions": lambda one: one["n_items"],
        "pairs": lambda one: one["n_relevant"] * (one["n_items"] - one["n_relevant"]),
        "positives": lambda one: one["n_relevant"],
        "negatives": lambda one: one["n_items"] - one["n_relevant"],
        "heavy": lambda one: heavy[one["list"]],
    }
    lists = of_lists(WEIGHTED, rows, by="part")
    for row in evaluated(engine, WEIGHTED, rows, by="part"):
        for name, weight in weights.items():
            counted = [one for one in lists if one["part"] == row["part"] and one[name] is not None]
            below = [float(weight(one)) for one in counted]
            same(
                row,
                name,
                ratio_interval([w * one[name] for w, one in zip(below, counted, strict=True)], below),
            )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_weight_of_lists(seed: int, engine: Engine) -> None:
    """weight= is the weight of a list, also beside the weight that a metric names."""
    rows = listed(seed)
    heavy = {row["list"]: row["heavy"] for row in rows}
    metrics = {"rr": "mrr", "auc": "gauc"}
    lists = of_lists(metrics, rows)
    [row] = evaluated(engine, metrics, rows, weight="heavy")
    for name, size in (("rr", lambda one: 1), ("auc", lambda one: one["n_items"])):
        counted = [one for one in lists if one[name] is not None]
        below = [heavy[one["list"]] * size(one) for one in counted]
        same(row, name, ratio_interval([w * one[name] for w, one in zip(below, counted, strict=True)], below))


@pytest.mark.slow
def test_lists_of_weight_zero_change_nothing(engine: Engine) -> None:
    rows = listed(4)
    metrics = ["mrr", "precision(average=micro)@3"]
    [with_them] = evaluated(engine, metrics, rows, weight="heavy")
    [without] = evaluated(engine, metrics, [row for row in rows if row["heavy"]], weight="heavy")
    assert len({row["list"] for row in rows if not row["heavy"]}) > 1
    for name in ("mrr", "precision_average_micro_3"):
        same(with_them, name, (without[f"{name}_low"], without[f"{name}_high"]))


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("seed", SEEDS)
def test_pooled_ratios_by_linearisation(seed: int, engine: Engine) -> None:
    rows = listed(seed)
    lists = of_lists({"p": "precision(on_empty=zero)@3", "r": "recall(on_empty=zero)@3"}, rows, by="part")
    for row in evaluated(engine, POOLED, rows, by="part"):
        every = [one for one in lists if one["part"] == row["part"]]
        some = [one for one in every if one["n_relevant"]]
        hits = [3 * one["p"] for one in every]
        relevant = [float(one["n_relevant"]) for one in some]
        same(row, "precise", ratio_interval([3 * one["p"] for one in some], [3.0] * len(some)))
        same(
            row,
            "recalled",
            ratio_interval([one["r"] * n for one, n in zip(some, relevant, strict=True)], relevant),
        )
        same(row, "zero", ratio_interval(hits, [3.0] * len(every)))
        full = [h if one["n_relevant"] else 3.0 for h, one in zip(hits, every, strict=True)]
        same(row, "one", ratio_interval(full, [3.0] * len(every)))


@pytest.mark.slow
def test_models(engine: Engine) -> None:
    rows = listed(11)
    scores = {"first": "score", "second": "other"}
    results = evaluated(engine, MEANS, rows, score=scores, by="part")
    assert len(results) == 8
    for row in results:
        lists = of_lists(MEANS, [{**one, "score": one[scores[row["model"]]]} for one in rows], by="part")
        for name in MEANS:
            values = [one[name] for one in lists if one["part"] == row["part"] and one[name] is not None]
            same(row, name, mean_interval(values))


@pytest.mark.slow
@pytest.mark.parametrize("by", [None, "part"])
def test_a_truth_of_its_own(by: str | None, engine: Engine) -> None:
    """Lists that the predictions lack count, too, in every value of by."""
    rows = [row for row in listed(5) if row["item"] != "i2" and row["list"] not in ("q3", "q4")]
    truth = [{key: row[key] for key in ("list", "item", "label")} for row in listed(5)]
    judged = {key: value for key, value in ROLES.items() if key != "label"}
    unlabelled = [{key: row[key] for key in ("list", "item", "part", "score")} for row in rows]
    metrics = {"missing": "ndcg@3", "skipped": "ndcg(on_missing=skip)@3", "ap": "map"}
    facts = {"item": "item", **({"by": by, "total": False} if by else {})}
    results = evaluated(engine, metrics, unlabelled, truth, **facts)
    lists = sm.per_group(
        unlabelled, metrics, **judged, label="label", item="item", truth=truth, **({"by": by} if by else {})
    ).to_dicts()
    assert any(row["ap"] == 0 for row in lists)
    assert len(results) == (3 if by else 1)
    for row in results:
        for name in metrics:
            mine = [one for one in lists if by is None or one[by] == row[by]]
            same(row, name, mean_interval([one[name] for one in mine if one[name] is not None]))


@pytest.mark.slow
@pytest.mark.sample
def test_the_mean_over_rows(engine: Engine) -> None:
    rows = listed(2, lists=40)
    for row in evaluated(engine, ["mae", "bias"], rows, group=None, by="part"):
        errors = [
            one["score"] - one["label"] for one in rows if row["is_total"] or one["part"] == row["part"]
        ]
        same(row, "bias", mean_interval(errors, limits=(-math.inf, math.inf)))
        same(row, "mae", mean_interval([abs(error) for error in errors], limits=(0, math.inf)))


@pytest.mark.slow
def test_one_list(engine: Engine) -> None:
    """It is right or wrong, as one row is; a value between has no interval, and no list none."""
    one = {"list": "a", "label": 1, "score": 0.5}
    empty = {"list": "b", "label": 0, "score": 0.5}
    second = {"list": "a", "label": 0, "score": 0.75}
    metrics = {"m": "mrr", "p": "recall(average=micro)@3"}
    right = pytest.approx([1 / (1 + 1.959963984540054**2), 1])
    for rows in ([one], [one, empty]):
        [row] = evaluated(engine, metrics, rows)
        assert [row["m"], row["p"]] == [1, 1]
        assert [row["m_low"], row["m_high"]] == [row["p_low"], row["p_high"]] == right
    [row] = evaluated(engine, metrics, [one, second])
    assert (row["m"], row["m_low"], row["m_high"]) == (0.5, None, None)
    [row] = evaluated(engine, metrics, [empty])
    assert [row[f"{name}{end}"] for name in "mp" for end in ("", "_low", "_high")] == [None] * 6
    weighted = [{**one, "heavy": 2.0}, {**one, "list": "c", "heavy": 0.0}]
    [row] = evaluated(engine, {"m": "mrr"}, weighted, weight="heavy")
    assert [row["m_low"], row["m_high"]] == right


@pytest.mark.sample
def test_few_lists_that_have_all_the_weight(engine: Engine) -> None:
    """Three lists, of which one has nearly all the weight, tell no more than one."""
    rows = [{"list": n, "label": n % 2, "score": 0.5, "heavy": w} for n, w in ((1, 1.0), (3, 1.0), (5, 98.0))]
    rows.append({"list": 1, "label": 0, "score": 0.75, "heavy": 1.0})
    [row] = evaluated(engine, {"m": "mrr"}, rows, weight="heavy")
    assert row["m"] == pytest.approx(0.995)
    assert (row["m_low"], row["m_high"]) == (None, None)


def test_lists_that_agree(engine: Engine) -> None:
    """They are as many that are right or wrong, of which so many could have come out otherwise."""
    rows = [{"list": n, "label": label, "score": label / 2} for n in range(5) for label in (0, 1)]
    metrics = {"m": "mrr", "w": "gauc", "p": "precision(average=micro)@2"}
    [row] = evaluated(engine, metrics, rows)
    for name in "mw":
        assert [row[f"{name}_low"], row[f"{name}_high"]] == pytest.approx([5 / (5 + 1.959963984540054**2), 1])
    same(row, "p", mean_interval([0.5] * 5))
    tenths = [{"list": n, "label": int(i == 9), "score": -i} for n in range(7) for i in range(10)]
    [row] = evaluated(engine, {"m": "mrr"}, tenths)
    same(row, "m", mean_interval([0.1] * 7))
    assert row["m_low"] < 0.02
    assert row["m_high"] > 0.4


@pytest.mark.slow
def test_broken_data_have_no_interval(engine: Engine) -> None:
    """The metric is null, and so are its ends; without the rows that cannot be used, the others give it."""
    rows = listed(6)
    [row] = evaluated(engine, {"m": "ndcg@3", "e": "mrr(on_empty=error)"}, [*rows, {**rows[0], "label": -1}])
    assert (row["rows_negative_grade"], row["groups_undefined"] > 0) == (1, True)
    assert [row[f"{name}{end}"] for name in "me" for end in ("", "_low", "_high")] == [None] * 6
    [row] = evaluated(engine, {"m": "ndcg@3"}, [*rows, {**rows[0], "label": None}, {**rows[0], "list": None}])
    [without] = evaluated(engine, {"m": "ndcg@3"}, rows)
    same(row, "m", (without["m_low"], without["m_high"]))


def test_the_order_of_columns(engine: Engine) -> None:
    [row] = evaluated(engine, {"one": "mrr", "two": "ndcg@3"}, listed(1))
    assert list(row)[-6:] == ["one", "one_low", "one_high", "two", "two_low", "two_high"]


# --- what cannot be asked

ASKED = {**ROLES, "metrics": ["mrr"], "relation": "t"}
REFUSED = [
    *(({"interval": level}, f"interval must be .* such as 0.95, got {level}") for level in (95, 0, 1, -0.5, True)),
    ({"interval": "0.95"}, 'got the text "0.95"'),
    ({"interval": math.nan}, "interval must be"),
    ({"interval": 0.9, "interval_method": "exat"}, "must be one of none, exact, logit, bootstrap, anytime, got exat"),
    ({"interval_method": "exact"}, "interval_method= needs interval="),
    *(
        ({"interval": 0.9, "n_resamples": n}, f"n_resamples must be an integer from 20 to 100000, got {n}")
        for n in (19, 100_001, 30.5, True, None)
    ),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "message"), REFUSED)
def test_refused(facts: dict[str, Any], message: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=message):
        macros("duckdb")["evaluate"](**ASKED, **facts)
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.evaluate(listed(0), "mrr", **ROLES, **facts)
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.render("t", "mrr", **ROLES, **facts)


@pytest.mark.parametrize(("macro", "facts"), [("per_group", {}), ("state", {"period": "day"})])
def test_what_has_no_interval(macro: str, facts: dict[str, Any]) -> None:
    with pytest.raises(sm.SqlMetricsError, match=f"{macro} takes no interval=; leave it out"):
        macros("duckdb")[macro](**ASKED, **facts, interval=0.9)


def test_two_columns_of_one_name() -> None:
    rows = listed(0)
    with pytest.raises(sm.SqlMetricsError, match="Two metrics would be named 'a_low'"):
        sm.evaluate(rows, {"a": "mrr", "a_low": "map"}, **ROLES, interval=0.9)
    with pytest.raises(sm.SqlMetricsError, match="Two result columns would be named 'a_low'"):
        sm.evaluate(rows, {"a_low": "map", "a": "mrr"}, **ROLES, interval=0.9)
    with pytest.raises(sm.SqlMetricsError, match="Two result columns would be named 'mrr_low'"):
        sm.evaluate([{**row, "mrr_low": 1} for row in rows], "mrr", **ROLES, by="mrr_low", interval=0.9)


def test_without_interval_nothing_is_added() -> None:
    plain = sm.render("t", ["mrr", "gauc"], **ROLES, by="part")
    assert plain == sm.render("t", ["mrr", "gauc"], **ROLES, by="part", interval=None)
    assert "_low" not in plain
    assert "deviation" not in plain
    assert macros("duckdb")["evaluate"]("t", ["mrr"], **ROLES, interval=0.9) == (
        macros("duckdb")["evaluate"](
            "t", ["mrr"], **ROLES, interval=0.9, interval_method=None, n_resamples=200
        )
    )


# --- how they are shown


@pytest.mark.slow
def test_a_report_with_intervals() -> None:
    report = sm.evaluate(listed(4), {"m": "mrr", "n": "ndcg@3"}, **ROLES, by="part", interval=0.9)
    assert report.columns[-6:] == ["m", "m_low", "m_high", "n", "n_low", "n_high"]
    assert report.keys == ["part", "is_total"]
    shown = repr(report).splitlines()
    assert shown[0].split() == ["part", "n_rows", "n_groups", "m", "n"]
    alone, *_, total = report.to_dicts()
    assert "[" not in shown[1 + [row["part"] for row in report.to_dicts()].index("alone")]
    assert f"{total['m']:.4f} [{total['m_low']:.4f}, {total['m_high']:.4f}]" in repr(report)
    long = report.long()
    assert long.columns == ["part", "is_total", "metric", "value", "low", "high"]
    assert [row["metric"] for row in long.to_dicts()] == ["m", "n"] * 4
    expected = {"value": total["m"], "low": total["m_low"], "high": total["m_high"]}
    assert long.to_dicts()[-2] == {"part": None, "is_total": True, "metric": "m", **expected}
    assert (alone["m_low"], alone["m_high"]) == (None, None)


def test_the_same_without_intervals() -> None:
    report = sm.evaluate(listed(4), {"m": "mrr"}, **ROLES)
    assert report.long().columns == ["metric", "value"]
    assert "[" not in repr(report)
