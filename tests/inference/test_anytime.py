"""Intervals and tests of every look, on every engine: the paper's formula over the ends of fixed intervals."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from typing import Any

import pytest

import sqlmetrics as sm
from oracles import anytime
from sqlmetrics.book.templates import macros
from support.compared import Rows, close
from support.engines import Engine
from support.errors import told

pytest.importorskip("scipy")
import functools
import operator

from scipy import stats

from oracles import ends
from oracles.ends import end_of_shares

LEVEL, AT = 0.9, 150
ASKED = {"interval": LEVEL, "interval_method": "anytime", "tightest_at": AT}
PARTS = {"few": 7, "some": 40, "many": 160}
OPEN = (-math.inf, math.inf)


def made(seed: int = 3) -> Rows:
    """Parts of 7 to 160 rows in lists of four, with two scores."""
    draw, rows = random.Random(seed), []
    for part, n in PARTS.items():
        for i in range(n):
            y = int(draw.random() < 0.4)
            a, b = (min(max(0.2 + 0.5 * y + draw.gauss(0, 0.3), 0.01), 0.99) for _ in range(2))
            rows.append({"part": part, "u": f"{part}{i // 4}", "y": y, "a": a, "b": (a + b) / 2})
    return rows


def widened(n: float) -> tuple[Callable[[float], float], float]:
    """The quantile of Student's t, as much wider as a sequence of n units is, and what it is of the normal one."""
    reach, p = anytime.reach(n, 1 - LEVEL, AT), (1 + LEVEL) / 2
    z = stats.norm.ppf(p)
    return lambda df: stats.t.ppf(p, df) / z * reach if df >= 1 else math.nan, reach


def expected(value: float, pulls: list[float], limits: tuple[float, float]) -> ends.Ends:
    return ends.ends(value, pulls, len(pulls), *widened(len(pulls)), limits, less=0.5)


def by_unit(values: list[list[float]]) -> tuple[float, list[float]]:
    """The mean of all values, and how far each unit moves it."""
    n, mean = sum(map(len, values)), statistics.fmean(functools.reduce(operator.iadd, values, []))
    return mean, [math.fsum(value - mean for value in unit) / n for unit in values]


def evaluated(engine: Engine, rows: Rows, metrics: dict[str, str], **facts: Any) -> dict[Any, dict[str, Any]]:
    asked = {"label": "y", "score": "a", "by": "part", "total": False, **ASKED, **facts}
    found = engine.query(str(macros(engine.dialect).evaluate("given", metrics, **asked)), {"given": rows})
    return {row["part"]: row for row in found}


def reciprocal_rank(rows: Rows) -> list[float]:
    """Of a list, none without a relevant item."""
    ranked = sorted(rows, key=lambda row: -row["a"])
    return [1 / (i + 1) for i, row in enumerate(ranked) if row["y"]][:1]


def right(row: dict[str, Any]) -> float:
    return float((row["a"] >= 0.5) == (row["y"] == 1))


def test_rows_groups_and_lists(engine: Engine) -> None:
    rows = made()
    metrics = {"wrong": "mae", "square": "brier", "right": "accuracy(threshold=0.5)"}
    of_rows, of_groups = evaluated(engine, rows, metrics), evaluated(engine, rows, metrics, group="u")
    lists = evaluated(engine, rows, {"rr": "mrr"}, group="u")
    losses = {
        "wrong": (lambda row: abs(row["a"] - row["y"]), (0.0, math.inf)),
        "square": (lambda row: (row["a"] - row["y"]) ** 2, (0.0, 1.0)),
        "right": (right, (0.0, 1.0)),
    }
    for part in PARTS:
        units: dict[str, Rows] = {}
        for row in rows:
            if row["part"] == part:
                units.setdefault(row["u"], []).append(row)
        for name, (loss, limits) in losses.items():
            singles = [[loss(row)] for unit in units.values() for row in unit]
            compare_ends(of_rows[part], name, expected(*by_unit(singles), limits))
            if name != "wrong":  # a loss over groups is a ratio, whose units have a leverage
                groups = [[loss(row) for row in unit] for unit in units.values()]
                compare_ends(of_groups[part], name, expected(*by_unit(groups), limits))
        ranks = [rank for unit in units.values() if (rank := reciprocal_rank(unit))]
        compare_ends(lists[part], "rr", expected(*by_unit(ranks), (0.0, 1.0)))


def compare_ends(row: dict[str, Any], name: str, both: ends.Ends) -> None:
    for end, value in zip(("low", "high"), both, strict=True):
        close(row[f"{name}_{end}"], value)


@pytest.mark.slow
def test_every_spread_is_wider_and_in_range(engine: Engine) -> None:
    """At 160 rows a sequence is about half as wide again, whatever the metric is."""
    metrics = {
        "auc": "auc",
        "gini": "gini",
        "ap": "average_precision",
        "f1": "f1",
        "r": "pearson",
        "rmse": "rmse",
    }
    metrics |= {"mcc": "mcc", "loss": "log_loss", "spearman": "spearman"}
    rows = [row for row in made(5) if row["part"] == "many"]
    wide = evaluated(engine, rows, metrics)["many"]
    fixed = evaluated(engine, rows, metrics, interval_method=None, tightest_at=None)["many"]
    for name in metrics:
        ratio = (wide[f"{name}_high"] - wide[f"{name}_low"]) / (fixed[f"{name}_high"] - fixed[f"{name}_low"])
        assert 1.3 < ratio < 2.2, name
        assert wide[f"{name}_low"] < fixed[f"{name}_low"], name
        assert fixed[f"{name}_high"] < wide[f"{name}_high"], name
    assert wide["r_low"] >= -1
    assert wide["auc_high"] <= 1
    assert wide["rmse_low"] >= 0


def test_few_and_equal_units(engine: Engine) -> None:
    """One row, rows that are all right, and losses that are all the same."""
    rows = [{"part": "one", "u": "1", "y": 1, "a": 0.75}]
    rows += [{"part": "right", "u": f"{i}", "y": i % 2, "a": 0.25 + 0.5 * (i % 2)} for i in range(20)]
    found = evaluated(engine, rows, {"right": "accuracy(threshold=0.5)", "wrong": "mae", "area": "auc"})
    assert [found["one"][f"{name}_low"] for name in ("wrong", "area")] == [None, None]
    assert [found["right"][f"wrong_{end}"] for end in ("low", "high")] == [None, None]
    for part, n in (("one", 1), ("right", 20)):
        z = anytime.reach(n, 1 - LEVEL, AT)
        compare_ends(found[part], "right", ends.of_share(1.0, 0.0, None, n, z, z, (0.0, 1.0), less=0.5))
    assert 0 < found["right"]["area_low"] < found["right"]["right_low"]
    assert found["right"]["area_high"] == pytest.approx(1)


def ran(engine: Engine, rows: Rows, metrics: Any, **facts: Any) -> Rows:
    asked = {"label": "y", "by": "part", "total": False, "interval": LEVEL, "tightest_at": AT, **facts}
    sql = macros(engine.dialect).compare("given", metrics, "a", "b", test="anytime", **asked)
    return engine.query(str(sql), {"given": rows})


def test_pairs(engine: Engine) -> None:
    rows = made()
    for row in ran(engine, rows, ["mae", "accuracy(threshold=0.5)"], margin=0.2):
        of_part = [one for one in rows if one["part"] == row["part"]]
        assert row["test"] == "anytime"
        if row["metric"] == "mae":
            pairs = [abs(one["b"] - one["y"]) - abs(one["a"] - one["y"]) for one in of_part]
        else:
            pairs = [float(one["b"] >= 0.5) - float(one["a"] >= 0.5) for one in of_part]
            pairs = [pair if one["y"] else -pair for pair, one in zip(pairs, of_part, strict=True)]
        n, d = len(pairs), statistics.fmean(pairs)
        z, reach = stats.norm.ppf((1 + LEVEL) / 2), anytime.reach(n, 1 - LEVEL, AT)
        if row["metric"] == "mae":
            error, widths = statistics.stdev(pairs) / math.sqrt(n), stats.t.ppf((1 + LEVEL) / 2, n - 1) / z
            low, high = (d + sign * widths * reach * error for sign in (-1, 1))
            room = (0.2 - abs(d)) / error
        else:
            up, down, widths = pairs.count(1.0), pairs.count(-1.0), 1.0
            error = math.sqrt(up + down + 2) / n
            low, high = (end_of_shares(up, down, n, reach, sign) for sign in (-1, 1))
            room = (0.2 - abs(d)) / math.sqrt((max((up + down + 2) / n, 0.2 + 0.5 / n) - 0.04) / n)
        close(row["low"], low)
        close(row["high"], high)
        close(row["statistic"], d / error)
        close(row["p_value"], anytime.p_value(d / error / widths, n, 1 - LEVEL, AT), 1e-8)
        least = anytime.p_value(max(room, 0) / widths, n, 1 - LEVEL, AT) / 2
        close(row["p_equivalence"], least, 1e-8)


@pytest.mark.slow
def test_p_value_interval_and_verdict_agree(engine: Engine) -> None:
    """Of slices between no difference and a clear one, for every kind of unit."""
    draw, rows = random.Random(8), []
    for part in range(12):
        for i in range(90):
            y = i % 2
            a = min(max(0.4 + 0.2 * y + draw.gauss(0, 0.25), 0), 1)
            b = min(max(a + draw.gauss(0, 0.1) + (2 * y - 1) * part / 60, 0), 1)
            rows.append({"part": part, "u": f"{part}-{i // 3}", "y": y, "a": a, "b": b})
    metrics = ["brier", "auc", "rmse", "accuracy(threshold=0.5)", "precision"]
    found = ran(engine, rows, metrics, margin=0.1) + ran(
        engine, rows, ["mrr", "auc", "brier"], group="u", margin=0.1
    )
    seen = set()
    for row in found:
        assert (row["p_value"] <= 1 - LEVEL) == (row["low"] > 0 or row["high"] < 0), row
        assert (row["p_equivalence"] <= (1 - LEVEL) / 2) == (row["verdict"] == "equivalent"), row
        assert row["low"] <= row["difference"] <= row["high"]
        seen.add((row["metric"], row["p_value"] <= 1 - LEVEL))
    assert len(seen) >= 10  # both outcomes of most metrics


def test_models_that_are_the_same(engine: Engine) -> None:
    rows = [{**row, "b": row["a"]} for row in made()]
    for row in ran(engine, rows, ["mae", "accuracy(threshold=0.5)"]):
        shares = row["metric"] != "mae"
        assert (row["p_value"], row["low"] is not None) == ((1.0, True) if shares else (None, False))


def test_paper() -> None:
    """Robbins' boundary is crossed by a normal mean with at most the chance alpha, and least wide where it should."""
    widths = {n: anytime.half_width(n, 1, 0.05, 400) * math.sqrt(n) for n in range(100, 1600, 4)}
    assert min(widths, key=widths.__getitem__) == pytest.approx(400, rel=0.05)
    row = {"y": 1, "a": 0.5}
    report = sm.evaluate(
        [row] * 400, "accuracy", label="y", score="a", interval=0.95, interval_method="anytime"
    )
    z = anytime.reach(400, 0.05, 400)
    low, _ = ends.of_share(1.0, 0.0, None, 400, z, z, (0.0, 1.0), less=0.5)
    assert report["accuracy_low"][0] == pytest.approx(low, rel=1e-12)


def test_confseq() -> None:
    """The boundary of the authors' library for a sum of variance n."""
    boundaries = pytest.importorskip(
        "confseq.boundaries", reason="confseq, which needs a C++ compiler and Boost"
    )
    for n in (5, 40, 400, 90_000):
        rho = 1 / anytime.rho(0.05, 400) ** 2
        # of one side at alpha / 2 at most, so that both sides together have alpha
        bound = math.sqrt((n + rho) * math.log((n + rho) / (rho * 0.05**2)))
        assert bound / n == pytest.approx(anytime.half_width(n, 1, 0.05, 400), rel=1e-12)
        theirs = boundaries.normal_mixture_bound(n, 0.05, v_opt=400, alpha_opt=0.05, is_one_sided=False)
        assert theirs / n == pytest.approx(anytime.half_width(n, 1, 0.05, 400), rel=2e-2)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"tightest_at": 400}, "tightest_at= needs interval_method='anytime'"),
        ({"interval_method": "anytime", "tightest_at": 29}, "an integer from 30 to 1000000000000"),
        ({"interval_method": "anytime", "tightest_at": True}, "got True"),
        ({"interval_method": "anytime", "tightest_at": "400"}, 'got the text "400"'),
        ({"interval_method": "anytime", "metrics": "ks"}, "ks takes bootstrap. Leave it out"),
        ({"interval_method": "anytime", "interval": None}, "interval_method= needs interval="),
    ],
)
def test_mistakes(facts: dict[str, Any], message: str) -> None:
    asked = {"metrics": "auc", "label": "y", "score": "a", "interval": 0.95, **facts}
    assert message in told(sm.evaluate, made(), **asked)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"tightest_at": 400}, "pass this test, or leave it out"),
        ({"test": "anytime", "tightest_at": 2.5}, "an integer from 30 to 1000000000000"),
        ({"test": "anytime", "metrics": "ks"}, "'ks' has no formula for its standard error"),
        ({"test": "anytime", "n_resamples": 50}, "test='anytime' draws nothing"),
    ],
)
def test_mistakes_of_comparisons(facts: dict[str, Any], message: str) -> None:
    asked = {"metrics": "auc", "label": "y", "baseline": "a", "candidate": "b", **facts}
    assert message in told(sm.compare, made(), **asked)


def test_two_samples_have_no_sequence() -> None:
    asked = {"label": "y", "baseline": "a", "candidate": "b", "other": made(4), "paired": False}
    assert "test='anytime' is of pairs" in told(sm.compare, made(), "auc", test="anytime", **asked)


def test_a_metric_without_a_sequence_has_no_interval_beside_others() -> None:
    report = sm.evaluate(
        made(), ["auc", "ks"], label="y", score="a", interval=0.95, interval_method="anytime"
    )
    assert "interval_method=anytime does not serve, without an interval: ks" in report.notes()
    assert report["ks_low"] == [None]
    assert report["auc_low"] != [None]
