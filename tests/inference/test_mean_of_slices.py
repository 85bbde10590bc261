"""`total_of="slices"`: the mean of the slices, beside the variance of strata and of units that lie in several."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from typing import Any

import pytest

import sqlmetrics as sm
from support.engines import Engine
from support.errors import assert_told, told

Rows = list[dict[str, Any]]


def drawn(seed: int) -> Rows:
    """Rows of users who have some in several of three slices of unlike sizes."""
    draw = random.Random(seed)
    return [
        {
            "part": part, "user": f"u{draw.randrange(9)}", "i": i,
            "y": int(draw.random() < chance), "s": round(draw.random(), 2), "z": round(draw.random(), 2),
        }
        for part, n, chance in (("x", 9, 0.4), ("y", 31, 0.7), (None, 20, 0.5))
        for i in range(n)
    ]  # fmt: skip


def interval_of_bias(rows: Rows, unit: str | None) -> tuple[float, float, float]:
    """Cochran (1977), 5.4: strata; Satterthwaite (1946); Hall (1992) for the skewness, as of every open range."""
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    slices = defaultdict(list)
    for row in rows:
        slices[row["part"]].append(row)
    means, moves, strata = [], defaultdict(float), []
    for of_slice in slices.values():
        mean = math.fsum(row["s"] - row["y"] for row in of_slice) / len(of_slice)
        own = defaultdict(float)
        for number, row in enumerate(of_slice):
            own[row[unit] if unit else (row["part"], number)] += row["s"] - row["y"] - mean
        m = len(own)
        own = {key: x / len(of_slice) * math.sqrt(m / (m - 1)) for key, x in own.items()}
        for key, x in own.items():
            moves[key] += x / len(slices)
        means.append(mean)
        strata.append((math.fsum(x * x for x in own.values()), m - 1))
    value = math.fsum(means) / len(means)
    df = math.fsum(v for v, _ in strata) ** 2 / math.fsum(v * v / free for v, free in strata)
    variance = math.fsum(x * x for x in moves.values())
    excess = math.fsum(x**4 for x in moves.values()) / variance**2 - 1 / len(moves)
    t = stats.t.ppf(0.975, min(df, len(moves) - 1, 2 / excess))
    skew = math.fsum(x**3 for x in moves.values()) / variance**1.5

    def reach(y: float) -> float:
        cube = 1 + skew * (y - skew / 6)
        return 3 * (math.copysign(abs(cube) ** (1 / 3), cube) - 1) / skew

    return value, value - math.sqrt(variance) * reach(t), value - math.sqrt(variance) * reach(-t)


@pytest.mark.parametrize("unit", [None, "user"])
def test_mean_of_slices(unit: str | None, engine: Engine) -> None:
    rows = drawn(4)
    metrics = {"bias": "bias"} | ({"mrr": "mrr"} if unit else {})
    facts = {"label": "y", "score": {"one": "s", "two": "z"}, "group": unit, "by": "part", "interval": 0.95}
    statement = sm.render(
        "predictions", metrics, dialect=engine.dialect, total_of="slices", total_name="all", **facts
    )
    *slices, one, two = engine.query(statement, {"predictions": rows})
    assert [(row["part"], row["is_total"], row["model"], row["n_rows"]) for row in (one, two)] == [
        ("all", 1, "one", 60), ("all", 1, "two", 60),
    ]  # fmt: skip
    for name in metrics:
        of_slices = [row[name] for row in slices if row["model"] == "one"]
        assert one[name] == pytest.approx(math.fsum(of_slices) / 3, rel=1e-12)
        assert one[f"{name}_low"] < one[name] < one[f"{name}_high"]
    for row, score in ((one, "s"), (two, "z")):
        expected = interval_of_bias([{**given, "s": given[score]} for given in rows], unit)
        got = (row["bias"], row["bias_low"], row["bias_high"])
        assert got == pytest.approx(expected, rel=1e-6)


def test_a_mean_of_one_slice_has_the_interval_of_the_slice() -> None:
    """Of metrics whose range is open, for which both read the same variance, skewness and degrees of freedom."""
    rows = [{**row, "part": "x"} for row in drawn(3)]
    report = sm.evaluate(
        rows, ["bias", "log_loss", "mse"], label="y", score="s", by="part", total_of="slices", interval=0.95
    )
    of_slice, mean = report.to_dicts()
    for name in ("bias", "log_loss", "mse"):
        for end in (name, f"{name}_low", f"{name}_high"):
            assert mean[end] == pytest.approx(of_slice[end], rel=1e-9), end


def test_slices_are_those_beside_a_total_of_rows() -> None:
    facts = {"label": "y", "score": "s", "by": "part", "interval": 0.95}
    metrics = ["accuracy", "rmse", "average_precision", "auc"]
    of_slices, of_rows = (
        sm.evaluate(drawn(5), metrics, total_of=of, **facts).to_dicts() for of in ("slices", "rows")
    )
    for name in metrics:
        for slice_, other in zip(of_slices[:-1], of_rows[:-1], strict=True):
            assert slice_[f"{name}_low"] == pytest.approx(other[f"{name}_low"], rel=1e-9)
        assert of_slices[-1][f"{name}_low"] < of_slices[-1][name] < of_slices[-1][f"{name}_high"]


def test_null_where_a_slice_does_not_tell() -> None:
    """A slice without a value has no mean, and one row says nothing of how much rows vary."""
    rows = [{"part": "a", "y": i % 2, "s": i / 7} for i in range(7)] + [{"part": "b", "y": 1, "s": 0.5}]
    facts = {"label": "y", "score": "s", "by": "part", "total_of": "slices", "interval": 0.95}
    *_, mean = sm.evaluate(rows, ["auc", "bias"], **facts).to_dicts()
    assert mean["auc"] is mean["auc_low"] is mean["bias_low"] is mean["bias_high"] is None
    assert mean["bias"] == pytest.approx((3 / 7 - 3 / 7 - 0.5) / 2)


def test_a_model_or_a_metric_that_lacks_a_slice_has_no_mean_or_no_interval() -> None:
    rows = [
        {"part": p, "m": m, "v": i % 5} for p in "xyz" for m in "ab" for i in range(9) if (p, m) != ("y", "b")
    ]
    facts = {"models": "m", "by": "part", "total_of": "slices", "interval": 0.95}
    *_, a, b = sm.evaluate(rows, {"m": "mean(column=v)"}, **facts).to_dicts()
    assert a["m_low"] < a["m"] < a["m_high"]
    assert b["m"] is b["m_low"] is b["m_high"] is None
    # 0/0 counts as 0 in a slice of which no row adds to the metric
    rows = [
        {"part": p, "y": i % 2, "s": i * 7 % 40 / 40 * (1 if p != "z" else 0.4)}
        for p in "xyz"
        for i in range(40)
    ]
    facts = {"label": "y", "score": "s", "by": "part", "total_of": "slices", "interval": 0.95}
    *_, mean = sm.evaluate(rows, {"m": "precision(zero_division=0)"}, **facts).to_dicts()
    assert mean["m"] == pytest.approx(1 / 3)
    assert mean["m_low"] is mean["m_high"] is None


def test_soft_labels_are_two_weighted_rows_of_a_unit() -> None:
    rows = [{"part": "xy"[i % 2], "i": i, "y": i % 11 / 10, "s": i * 7 % 23 / 23} for i in range(60)]
    doubled = [{**row, "y": y, "w": row["y"] if y else 1 - row["y"]} for row in rows for y in (0, 1)]
    facts = {"score": "s", "label": "y", "by": "part", "total_of": "slices", "interval": 0.95}
    *_, soft = sm.evaluate(rows, ["log_loss", "auc"], soft=True, **facts).to_dicts()
    *_, twice = sm.evaluate(doubled, ["log_loss", "auc"], weight="w", group="i", **facts).to_dicts()
    for name in ("log_loss", "log_loss_low", "log_loss_high", "auc", "auc_low", "auc_high"):
        assert soft[name] == pytest.approx(twice[name], rel=1e-9), name


REFUSED = [
    ({"by": None}, "total_of='slices' is the mean of the slices|pass their columns as by="),
    ({"total": False}, "leave total=False out"),
    ({"total_of": "rows of it"}, "total_of|Allowed: rows, slices"),
    ({"interval": 0.9, "interval_method": "bootstrap"}, "interval_method='bootstrap' has no mean of slices"),
    ({"metrics": "ks", "interval": 0.9}, "'ks' has no formula for its standard error|leave interval= out"),
    ({"gold": "z"}, "gold= has no mean of slices"),
]


@pytest.mark.parametrize(("changed", "words"), REFUSED)
def test_refused(changed: dict[str, Any], words: str) -> None:
    facts = {"metrics": "auc", "label": "y", "score": "s", "by": "part", "total_of": "slices"}
    assert_told(told(sm.evaluate, drawn(2), **{**facts, **changed}), words)
