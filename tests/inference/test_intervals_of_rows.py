"""Intervals of metrics over rows: published values, peers and the infinitesimal jackknife, on every engine."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.templates import macros
from support.engines import Engine

pytest.importorskip("scipy")
from oracles import intervals
from oracles.correlation import pearson
from oracles.ends import straightened
from oracles.losses import unit_deviance
from oracles.observations import Observation

Rows = list[dict[str, Any]]
Observations = list[Observation]

BINARY = [
    "log_loss", "brier", "copc", "balanced_accuracy", "informedness", "markedness", "g_mean", "mcc", "kappa",
    "normalized_entropy", "rig", "brier_skill", "f1", "f_beta(beta=2)", "f1(threshold=0.3,zero_division=0)",
]  # fmt: skip
#: The rows that count, where not all do.
COUNTED = {
    "f1": lambda row: row["score"] >= 0.5 or row["label"] == 1,
    "f_beta(beta=2)": lambda row: row["score"] >= 0.5 or row["label"] == 1,
    "f1(threshold=0.3,zero_division=0)": lambda row: row["score"] >= 0.3 or row["label"] == 1,
    "f_beta(beta=2,class=1)": lambda row: row["label"] == 1 or row["predicted"] == 1,
}
SHARES = {
    "accuracy": lambda row: True,
    "error_rate": lambda row: True,
    "base_rate": lambda row: True,
    "precision": lambda row: row["score"] >= 0.5,
    "precision(zero_division=0)": lambda row: row["score"] >= 0.5,
    "false_discovery_rate": lambda row: row["score"] >= 0.5,
    "recall(threshold=0.4)": lambda row: row["label"] == 1,
    "fnr": lambda row: row["label"] == 1,
    "specificity": lambda row: row["label"] == 0,
    "fpr": lambda row: row["label"] == 0,
    "npv": lambda row: row["score"] < 0.5,
    "false_omission_rate": lambda row: row["score"] < 0.5,
    "jaccard": lambda row: row["score"] >= 0.5 or row["label"] == 1,
}
NUMERIC = [
    "mse", "rmse", "mae", "bias", "r2", "adjusted_r2(features=2)", "explained_variance", "mape", "smape", "wape",
    "msle", "rmsle", "concordance", "huber", "log_cosh", "pinball(quantile=0.3)", "poisson_deviance",
    "d2_pinball(quantile=0.31)", "d2_tweedie(power=1)",
]  # fmt: skip
CLASSES = ["f1(average=micro)", "jaccard(average=micro)", "f_beta(beta=2,class=1)"]
SHARES_OF_CLASSES = {
    "accuracy": lambda row: True,
    "error_rate": lambda row: True,
    "precision(average=micro)": lambda row: True,
    "recall(class=1)": lambda row: row["label"] == 1,
    "precision(class=1)": lambda row: row["predicted"] == 1,
    "jaccard(class=1)": lambda row: row["label"] == 1 or row["predicted"] == 1,
}


#: What a row adds to the denominator, where that is not 1.
DENOMINATORS = {
    "f_beta(beta=2)": lambda row: 4 if row["score"] < 0.5 and row["label"] else 1,
    "f_beta(beta=2,class=1)": lambda row: 4 if row["predicted"] != 1 and row["label"] == 1 else 1,
    "jaccard(average=micro)": lambda row: 1 + (row["predicted"] != row["label"]),
    "copc": lambda row: row["score"],
    "wape": lambda row: abs(row["label"]),
}


def about(constant: Callable[[Observations], float], loss: Callable[[float, float], float]) -> Any:
    """The losses of a constant score on rows, without their weights."""
    return lambda rows: [loss(row.label, constant(rows)) for row in rows]


def mean_label(rows: Observations) -> float:
    return math.fsum(row.weight * row.label for row in rows) / math.fsum(row.weight for row in rows)


def quantile_label(rows: Observations) -> float:
    """Of the losses of all labels as constants, the label with the least."""
    return min(
        (row.label for row in rows),
        key=lambda label: math.fsum(row.weight * tilted(row.label, label) for row in rows),
    )


def tilted(label: float, score: float, quantile: float = 0.31) -> float:
    return max(quantile * (label - score), (quantile - 1) * (label - score))


def squared(label: float, score: float) -> float:
    return (label - score) ** 2


def surprise(label: float, score: float) -> float:
    return -math.log(score if label else 1 - score)


def scatter(rows: Observations) -> list[float]:
    """What rows add to the denominator of concordance: of labels and scores about their means, and between these."""
    total = math.fsum(row.weight for row in rows)
    means = [
        math.fsum(row.weight * of(row) for row in rows) / total
        for of in (lambda r: r.label, lambda r: r.score)
    ]
    return [
        (row.label - row.score) ** 2 + 2 * (row.label - means[0]) * (row.score - means[1]) for row in rows
    ]


#: Quotients of a loss and that of a constant, which rows make up unequally.
OF_CONSTANT = {
    "r2": about(mean_label, squared), "adjusted_r2(features=2)": about(mean_label, squared),
    "explained_variance": about(mean_label, squared), "concordance": scatter,
    "d2_pinball(quantile=0.31)": about(quantile_label, tilted),
    "d2_tweedie(power=1)": about(mean_label, partial(unit_deviance, power=1)),
    "normalized_entropy": about(mean_label, surprise), "rig": about(mean_label, surprise),
    "brier_skill": about(mean_label, squared),
}  # fmt: skip
#: Functions (1 + c) p / (1 + c p) of a share p of rows: tp of tp + c fn + fp.
BENT = {"f1": 1, "f1(threshold=0.3,zero_division=0)": 1, "f_beta(beta=2)": 4, "f_beta(beta=2,class=1)": 4}
#: Functions of the cells of a decision, of which the rarer class says how well they are known.
OF_CELLS = {"balanced_accuracy", "informedness", "markedness", "g_mean", "mcc", "kappa"}
ROOTS = {"rmse", "rmsle"}


def limits(metric: str) -> tuple[float, float]:
    """The range that the header of a metric has; of balanced accuracy, that without adjusted=true."""
    if metric == "balanced_accuracy":
        return 0, 1
    found = catalog()[f"metric_{metric.split('(')[0]}"].range
    return found.low, found.high


def drawn(seed: int = 1, n: int = 47) -> Rows:
    draw = random.Random(seed)
    shift = [draw.gauss(0, 0.1) for _ in range(12)]
    rows = []
    for i in range(n):
        group, label = draw.randrange(12), int(draw.random() < 0.4)
        score = min(max(0.3 + 0.3 * label + shift[group] + draw.gauss(0, 0.2), 0.01), 0.99)
        rows.append({
            "list": group, "part": "abc"[i % 3] if i % 5 else "abc"[group % 3], "label": label, "score": score,
            "other": 1 - score * draw.random(), "amount": 0.5 + score + draw.random(), "kind": draw.randrange(3),
            "predicted": draw.randrange(3), "weight": float(draw.choice([0, 1, 1, 2, 3.5])),
        })  # fmt: skip
    return rows


def ends(engine: Engine, metrics: list[str], rows: Rows, **facts: Any) -> list[dict[str, Any]]:
    """A mapping of metrics to value, low and high, for each row of the result."""
    named = {f"m{i}": metric for i, metric in enumerate(metrics)}
    facts = {"label": "label", "score": "score", "interval": 0.95} | facts
    result = engine.query(sm.render("given", named, dialect=engine.dialect, **facts), {"given": rows})
    return [
        row | {metric: (row[name], row.get(f"{name}_low"), row.get(f"{name}_high")) for name, metric in named.items()}
        for row in result
    ]  # fmt: skip


def close(got: tuple[Any, ...], expected: tuple[float | None, ...], tolerance: float = 1e-9) -> None:
    """The ends, to a share of 1 or, if they are greater, of themselves."""
    assert all(
        one is other is None or math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
        for one, other in zip(got[1:], expected, strict=True)
    ), (got, expected)


FACTS: list[dict[str, Any]] = [
    {}, {"weight": "weight"}, {"group": "list"}, {"group": "list", "weight": "weight", "by": ["part"]},
    {"weight": "weight", "by": ["part"]},
]  # fmt: skip


ASKED: dict[str, tuple[list[str], dict[str, Any], dict[str, Any]]] = {
    "label": (BINARY, SHARES, {}),
    "amount": (NUMERIC, {}, {}),
    "kind": (CLASSES, SHARES_OF_CLASSES, {"score": None, "prediction": "predicted"}),
}


@cache
def expected(label: str, facts: int, part: str | None) -> dict[str, tuple[float | None, float | None]]:
    """The intervals of all metrics of a label, in one part of the rows or in all."""
    (means, shares, given), asked, found = ASKED[label], FACTS[facts], {}
    rows = [
        row | {"weight": row["weight"] if "weight" in asked else 1.0}
        for row in drawn(n=31)
        if part in (None, row["part"])
    ]
    for metric in [*means, *shares]:
        counts = (COUNTED | shares).get(metric, lambda _: True)
        counted = [row for row in rows if row["weight"] and counts(row | {"label": row[label]})]
        value = partial(oracles.value, metric, label=label, weight="weight", **given)
        group = asked.get("group")
        if not counted:
            found[metric] = None, None
        elif metric in shares:
            found[metric] = intervals.of_share(value, counted, group)
        elif metric in BENT:
            found[metric] = of_bent(metric, value, counted, label, group)
        else:
            found[metric] = of_value(metric, value, counted, label, group)
    return found


def of_value(metric: str, value: Any, rows: Rows, label: str, group: str | None) -> intervals.Ends:
    """The interval of a metric that is no share of rows; of a root it is the root of that of its square."""
    classes = None
    if metric in OF_CELLS:
        classes = [
            tuple(
                math.fsum(
                    row["weight"] for row in rows if row["label"] == side and (row["score"] >= 0.5) == decided
                )
                for decided in (True, False)
            )
            for side in (0, 1)
        ]
    denominator = DENOMINATORS.get(metric, lambda row: 1)
    counts = lambda row: denominator(row | {"label": row[label]})  # noqa: E731
    if metric not in ROOTS:
        of_constant = None
        if metric in OF_CONSTANT:
            of_constant = lambda rows: OF_CONSTANT[metric](  # noqa: E731
                [Observation(bool(row[label]), row[label], row["score"], row["weight"]) for row in rows]
            )
        return intervals.of_mean(
            value, rows, group, limits=limits(metric), counts=counts, classes=classes, of_constant=of_constant
        )
    found = intervals.of_mean(lambda rows: value(rows) ** 2, rows, group, limits=limits(metric))
    return tuple(None if end is None else math.sqrt(end) for end in found)


def of_bent(metric: str, value: Any, rows: Rows, label: str, group: str | None) -> intervals.Ends:
    """The interval of F from that of the share under it."""
    c = BENT[metric]
    share = lambda rows: value(rows) / (1 + c - c * value(rows))  # noqa: E731
    found = intervals.of_share(share, rows, group) if c == 1 else of_value(metric, share, rows, label, group)
    return tuple(None if end is None else (1 + c) * end / (1 + c * end) for end in found)


@pytest.mark.slow
@pytest.mark.parametrize("facts", range(len(FACTS)), ids=lambda i: " ".join(FACTS[i]) or "plain")
@pytest.mark.parametrize("label", ASKED)
def test_infinitesimal_jackknife(label: str, facts: int, engine: Engine) -> None:
    means, shares, given = ASKED[label]
    results = ends(engine, [*means, *shares], drawn(n=31), label=label, **FACTS[facts], **given)
    assert len(results) == (4 if "by" in FACTS[facts] else 1)
    for result in results:
        for metric, interval in expected(label, facts, result.get("part")).items():
            close(result[metric], interval, 1e-7)


@pytest.mark.parametrize(
    ("right", "rows", "expected"), [(81, 263, (0.25529, 0.36621)), (0, 20, (0, 0.16113))]
)
def test_published_wilson(right: int, rows: int, expected: tuple[float, float], engine: Engine) -> None:
    """Newcombe (1998), Two-sided confidence intervals for the single proportion, table I: method 3."""
    given = [{"label": int(i < right), "score": 1.0} for i in range(rows)]
    (result,) = ends(engine, ["accuracy", "error_rate"], given)
    assert [round(end, 5) for end in result["accuracy"][1:]] == [
        pytest.approx(end, abs=1.1e-5) for end in expected
    ]
    assert result["error_rate"][1:] == pytest.approx([1 - end for end in expected[::-1]], abs=1.1e-5)


def test_wilson_of_statsmodels(engine: Engine) -> None:
    confint = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    rows = drawn(2)
    for level in (0.8, 0.95, 0.999):
        (result,) = ends(engine, ["accuracy", "precision", "base_rate"], rows, interval=level)
        right = sum((row["score"] >= 0.5) == row["label"] for row in rows)
        close(result["accuracy"], confint(right, len(rows), 1 - level, method="wilson"))
        decided = [row["label"] for row in rows if row["score"] >= 0.5]
        close(result["precision"], confint(sum(decided), len(decided), 1 - level, method="wilson"))


@pytest.mark.slow
@pytest.mark.parametrize("method", [None, "exact"])
def test_f1_is_a_function_of_jaccard(method: str | None, engine: Engine) -> None:
    for facts in FACTS[:3]:
        asked = {"interval_method": method, **facts}
        (result,) = ends(engine, ["f1", "jaccard", "f_beta(beta=1)"], drawn(6), **asked)
        expected = tuple(2 * end / (1 + end) for end in result["jaccard"][1:])
        close(result["f1"], expected)
        close(result["f_beta(beta=1)"], expected)


EXACT = [(0, 1), (1, 1), (0, 20), (1, 20), (10, 20), (19, 20), (20, 20), (81, 263), (3, 1000), (997, 1000)]


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999999])
def test_clopper_pearson(level: float, engine: Engine) -> None:
    confint = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    rows = [
        {"label": int(i < right), "score": 1.0, "slice": number}
        for number, (right, n) in enumerate(EXACT) for i in range(n)
    ]  # fmt: skip
    *results, _ = ends(
        engine, ["accuracy", "error_rate"], rows, by=["slice"], interval=level, interval_method="exact"
    )
    for result, (right, n) in zip(results, EXACT, strict=True):
        close(result["accuracy"], confint(right, n, 1 - level, method="beta"), 1e-9)
        close(result["error_rate"], confint(n - right, n, 1 - level, method="beta"), 1e-9)


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99999])
def test_clopper_pearson_of_any_number_of_rows(level: float, engine: Engine) -> None:
    """The stages on counts as they are given, which need not be whole: to a relative error of 1e-9."""
    beta = pytest.importorskip("scipy.stats").beta
    counts = [
        (right, n - right)
        for n in (0.5, 1, 2.75, 10, 1000, 1e5, 1e7)
        for right in sorted({0.1 * n, 1, 2, n / 3, n / 2, n - 1, n})
        if 0 < right <= n
    ]  # fmt: skip
    plan = macros(engine.dialect)["plan"](
        {"share": "accuracy"}, relation="given", label="r", score="w", positive=1
    )
    shares = [{"right": "sm_row_sums.r", "wrong": "sm_row_sums.w"}]
    plan["exact_shares"] = shares
    plan["facts"] |= {"keys": ["sm_slice"], "interval": level}
    stages = macros(engine.dialect)["stages_of_exact_ends"](plan)
    stages = ["sm_row_sums as (select sm_slice, r, w from given)", *stages]
    sql = "with " + ",\n".join(stages) + " select * from sm_exact_ends order by sm_slice"
    rows = [{"sm_slice": i, "r": float(right), "w": float(wrong)} for i, (right, wrong) in enumerate(counts)]
    for got, (right, wrong) in zip(engine.query(sql, {"given": rows}), counts, strict=True):
        low = beta.ppf((1 - level) / 2, right, wrong + 1)
        assert got["sm_exact_low_1"] == pytest.approx(low, rel=1e-9), (right, wrong)
        if wrong:
            high = beta.isf((1 - level) / 2, right + 1, wrong)
            assert got["sm_exact_high_1"] == pytest.approx(high, rel=1e-9), (right, wrong)


@pytest.mark.slow
def test_clopper_pearson_on_effective_rows(engine: Engine) -> None:
    """Korn and Graubard (1998): with weights and in lists."""
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(10)
    z2 = 1.959963984540054**2
    for facts in ({"weight": "weight"}, {"group": "list"}, {"group": "list", "weight": "weight"}):
        (wilson,) = ends(engine, ["accuracy"], rows, **facts)
        (exact,) = ends(engine, ["accuracy"], rows, interval_method="exact", **facts)
        p, low, high = wilson["accuracy"]
        # Wilson's interval tells its rows: its length is that between the roots of (p - x)^2 = z^2 x (1 - x) / n
        n = z2 * (1 - 2 * p) / (low + high - 2 * p) - z2
        close(
            exact["accuracy"],
            (stats.beta.ppf(0.025, n * p, n * (1 - p) + 1), stats.beta.isf(0.025, n * p + 1, n * (1 - p))),
            1e-8,
        )


def by_hall(value: float, error: float, skew: float, t: float) -> tuple[float, float]:
    """So many standard errors to either side, on Hall's scale."""
    low, high = (value - error * straightened(y, skew) for y in (t, -t))
    return low, high


def test_t_of_scipy(engine: Engine) -> None:
    """Its standard error, skewness, kurtosis and quantile, on Hall's scale; no loss is skewed downwards."""
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(3)
    (result,) = ends(engine, ["mae", "bias", "mse", "rmse"], rows, label="amount", interval=0.9)
    errors = [row["score"] - row["amount"] for row in rows]
    for metric, losses in {
        "mae": map(abs, errors),
        "bias": errors,
        "mse": [error**2 for error in errors],
    }.items():
        losses, n = list(losses), len(rows)
        skew = stats.skew(losses) / math.sqrt(n)
        df = min(n - 1, 2 * n / (stats.kurtosis(losses, fisher=False) - 1))
        skew = skew if metric == "bias" else max(skew, 0)
        close(result[metric], by_hall(sum(losses) / n, stats.sem(losses), skew, stats.t.ppf(0.95, df)))
    close(result["rmse"], tuple(math.sqrt(end) for end in result["mse"][1:]))


@pytest.mark.slow
def test_lists_left_out_one_by_one(engine: Engine) -> None:
    """The jackknife of a ratio of sums, as it is defined."""
    stats = pytest.importorskip("scipy.stats")
    rows = [row | {"weight": row["weight"] + 0.5} for row in drawn(4)]
    lists = sorted({row["list"] for row in rows})
    for weight in (None, "weight"):

        def mean(rows: Rows, weight: str | None = weight) -> float:
            weights = [row["weight"] if weight else 1 for row in rows]
            losses = [abs(row["score"] - row["amount"]) for row in rows]
            return math.fsum(w * loss for w, loss in zip(weights, losses, strict=True)) / math.fsum(weights)

        (result,) = ends(engine, ["mae"], rows, label="amount", group="list", weight=weight)
        m, value = len(lists), mean(rows)
        pulls = [value - mean([row for row in rows if row["list"] != left_out]) for left_out in lists]
        squares = math.fsum(x * x for x in pulls)
        skew = max(math.fsum(x**3 for x in pulls) / squares**1.5, 0)
        excess = math.fsum(x**4 for x in pulls) / squares**2 - 1 / m
        t = stats.t.ppf(0.975, min(m - 1, 2 / excess))
        close(result["mae"], by_hall(value, math.sqrt(squares * (m - 1) / m), skew, t))


@pytest.mark.sample
@pytest.mark.parametrize("n", [4, 5, 47])
def test_correlations(n: int, engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(5)[:n]
    (result,) = ends(engine, ["pearson", "spearman", "kendall_tau"], rows, label="amount")
    score, amount = [row["score"] for row in rows], [row["amount"] for row in rows]
    expected = by_influence_on_correlation([(x, y, 1.0) for x, y in zip(score, amount, strict=True)])
    assert result["pearson"][-2:] == pytest.approx(expected, abs=1e-6)
    # Bonett and Wright (2000), equation 9
    r = result["spearman"][0]
    half = stats.norm.ppf(0.975) * math.sqrt((1 + r * r / 2) / (n - 3))
    close(result["spearman"], (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)))
    close(result["kendall_tau"], ends_of_tau(result["kendall_tau"][0], score, amount))
    if n > 5:  # many ties: labels in three levels, scores in two
        coarse = [
            row | {"amount": round(row["amount"]) % 3, "score": i % 5 // 3} for i, row in enumerate(rows)
        ]
        (tied,) = ends(engine, ["kendall_tau"], coarse, label="amount")
        columns = ([float(row[name]) for row in coarse] for name in ("score", "amount"))
        close(tied["kendall_tau"], ends_of_tau(tied["kendall_tau"][0], *columns))


def ends_of_tau(tau: float, score: list[float], label: list[float]) -> tuple[float | None, float | None]:
    """Fieller, Hartley and Pearson (1957); of Kendall's variance with ties the terms of the order n^3."""
    stats = pytest.importorskip("scipy.stats")
    n, larger = len(score), 1.0
    if n <= 4:
        return None, None
    for values in (score, label):
        blocks = Counter(values).values()
        third, pairs = n**3 - sum(t**3 for t in blocks), n**2 - sum(t**2 for t in blocks)
        larger *= (third / (n**3 - n)) / (pairs / (n**2 - n))
    half = stats.norm.ppf(0.975) * math.sqrt(0.437 / (n - 4) * larger)
    return math.tanh(math.atanh(tau) - half), math.tanh(math.atanh(tau) + half)


def by_influence_on_correlation(rows: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Of score, amount, weight: the influence of each row by its definition, a small change of weight."""
    stats = pytest.importorskip("scipy.stats")
    total = sum(w for *_, w in rows)

    def correlation(weights: list[float]) -> float:
        observed = [Observation(y > 0, y, x, w) for (x, y, _), w in zip(rows, weights, strict=True)]
        return pearson(observed)

    weights = [w for *_, w in rows]
    x, y = ([row[i] for row in rows] for i in (0, 1))
    means = [sum(w * value for w, value in zip(weights, values, strict=True)) / total for values in (x, y)]
    apart = [(one - means[0], other - means[1]) for one, other in zip(x, y, strict=True)]
    xx, xy, yy = (
        sum(w * a[i] * a[j] for w, a in zip(weights, apart, strict=True)) for i, j in ((0, 0), (0, 1), (1, 1))
    )
    moved = []
    for i, (w, (dx, dy)) in enumerate(zip(weights, apart, strict=True)):
        step = 1e-5 * total
        up, down = (
            correlation([*weights[:i], w + sign * step, *weights[i + 1 :]]) if w >= step else None
            for sign in (1, -1)
        )
        assert up is not None
        assert down is not None
        leverage = w * (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / (xx * yy - xy * xy)
        moved.append(w * (up - down) / (2 * step) / (1 - leverage))
    units = total**2 / sum(w * w for w in weights)
    squares = sum(d * d for d in moved)
    excess = sum(d**4 for d in moved) / squares**2 - 1 / units
    df = 2 / excess if excess * (units - 1) > 2 else units - 1
    half = stats.t.ppf(0.975, df) * math.sqrt((units - 1) / units * squares)
    return max(correlation(weights) - half, -1), min(correlation(weights) + half, 1)


@pytest.mark.parametrize(
    "case", ["skewed", "weights", "one row apart", "one positive row", "a line but for one"]
)
def test_a_correlation_by_influence(case: str, engine: Engine) -> None:
    draw = random.Random(case)
    rows = [
        {"amount": math.exp(draw.gauss(0, 1.5)), "score": math.exp(draw.gauss(0, 1)), "w": 1.0}
        for _ in range(30)
    ]
    if case == "weights":
        rows = [row | {"w": draw.choice([0.0, 0.5, 3.0, 20.0])} for row in rows]
    elif case == "one row apart":
        rows[3] |= {"amount": 1e3, "score": 1e3}
    elif case == "one positive row":
        rows = [row | {"amount": float(i == 4)} for i, row in enumerate(rows)]
    elif case == "a line but for one":
        rows = [{"amount": float(i), "score": float(i) + 5 * (i == 3), "w": 1.0} for i in range(9)]
    facts = {"weight": "w"} if case == "weights" else {}
    (result,) = ends(engine, ["pearson"], rows, label="amount", **facts)
    expected = by_influence_on_correlation(
        [(row["score"], row["amount"], row["w"]) for row in rows if row["w"]]
    )
    assert result["pearson"][-2:] == pytest.approx(expected, abs=1e-6)


def test_a_correlation_that_one_row_decides(engine: Engine) -> None:
    """The interval is the range."""
    draw = random.Random(3)
    rows = [{"amount": float(i == 0), "score": 25.0 if i == 0 else draw.gauss(0, 1)} for i in range(2000)]
    (result,) = ends(engine, ["pearson"], rows, label="amount")
    assert result["pearson"][-2:] == pytest.approx((-1, 1), abs=1e-12)


@pytest.mark.slow
def test_correlations_at_their_ends(engine: Engine) -> None:
    """Rows on a line do not say how far others lie from it."""
    rows = [{"label": i, "score": 2.0 * i, "back": -1.0 * i, "weight": 2.5} for i in range(5)]
    (result,) = ends(engine, ["pearson", "spearman"], rows)
    assert result["pearson"] == (pytest.approx(1), None, None)
    assert result["spearman"] == (1, None, None)
    (result,) = ends(engine, ["pearson"], rows, score="back", weight="weight")
    assert result["pearson"] == (pytest.approx(-1), None, None)
    (result,) = ends(engine, ["pearson", "spearman"], rows[:3])
    assert result["pearson"][1:] == result["spearman"][1:] == (None, None)


def test_weights_of_a_correlation(engine: Engine) -> None:
    """Equal weights, whatever they are, are as none."""
    rows = [row | {"weight": 7.25} for row in drawn(6)]
    (plain,), (weighted,) = (
        ends(engine, ["pearson"], rows, label="amount", weight=weight) for weight in (None, "weight")
    )
    close(weighted["pearson"], plain["pearson"][1:])


@pytest.mark.slow
def test_few_units(engine: Engine) -> None:
    """One row has no variance, but a share of one row has an interval, and so has f1; one list has none."""
    metrics = ["accuracy", "log_loss", "f1", "mse", "rmse", "balanced_accuracy"]
    one = [{"label": 1, "score": 0.7, "list": 1, "weight": 1.0}]
    (result,) = ends(engine, metrics, one)
    low = 1 / (1 + 1.959963984540054**2)
    close(result["accuracy"], (low, 1))
    close(result["f1"], (2 * low / (1 + low), 1))
    assert all(result[metric][1:] == (None, None) for metric in metrics if metric not in ("accuracy", "f1"))
    (result,) = ends(
        engine, metrics, one * 3 + [{"label": 0, "score": 0.9, "list": 1, "weight": 1.0}], group="list"
    )
    assert all(result[metric][1:] == (None, None) for metric in metrics)
    (result,) = ends(engine, metrics, [one[0] | {"weight": 0.0}] * 3, weight="weight")
    assert all(result[metric] == (None, None, None) for metric in metrics)
    (result,) = ends(engine, metrics, [one[0] | {"weight": 0.0}] * 3, weight="weight", group="list")
    assert all(result[metric] == (None, None, None) for metric in metrics)
    (result,) = ends(engine, metrics, [one[0] | {"score": None}, one[0] | {"score": None}])
    assert all(result[metric] == (None, None, None) for metric in metrics)


@pytest.mark.slow
@pytest.mark.sample
def test_all_right(engine: Engine) -> None:
    """In lists that are all right a share is as uncertain as if each were one row."""
    rows = [{"label": i % 2, "score": float(i % 2), "list": i % 5} for i in range(20)]
    for group, n in ((None, 20), ("list", 5)):
        (result,) = ends(engine, ["accuracy", "error_rate", "brier", "rmse"], rows, group=group)
        z2 = 1.959963984540054**2
        close(result["accuracy"], (n / (n + z2), 1))
        close(result["error_rate"], (0, z2 / (n + z2)))
        close(result["brier"], (0, z2 / (n + z2)))
        # errors have no greatest size
        assert result["rmse"] == (0, None, None)


@pytest.mark.sample
def test_a_list_in_several_slices_is_one_in_the_total(engine: Engine) -> None:
    rows = drawn(7)
    (alone,) = ends(engine, ["log_loss", "accuracy"], rows, group="list")
    *_, total = ends(engine, ["log_loss", "accuracy"], rows, group="list", by=["part"])
    for metric in ("log_loss", "accuracy"):
        close(total[metric], alone[metric][1:])


@pytest.mark.slow
def test_models(engine: Engine) -> None:
    """Two models in one statement as each on its own."""
    rows = drawn(8)
    means = ["log_loss", "accuracy", "f1", "normalized_entropy"]
    for metrics, facts in (([*means, "pearson"], {}), (means, {"group": "list", "by": ["part"]})):
        both = ends(engine, metrics, rows, score={"one": "score", "two": "other"}, **facts)
        for name, column in (("one", "score"), ("two", "other")):
            alone = ends(engine, metrics, rows, score=column, **facts)
            for got, expected in zip([row for row in both if row["model"] == name], alone, strict=True):
                for metric in metrics:
                    close(got[metric], expected[metric][1:])


def test_an_empty_denominator(engine: Engine) -> None:
    """Where zero_division stands in for the value, there is no interval."""
    rows = [{"label": i % 2, "score": 0.1} for i in range(6)]
    (result,) = ends(engine, ["precision(zero_division=1)", "precision", "copc"], rows)
    assert result["precision(zero_division=1)"] == (1, None, None)
    assert result["precision"] == (None, None, None)


def test_correlations_in_lists_have_no_interval_of_rows() -> None:
    rows = drawn(9)
    report = sm.evaluate(rows, ["pearson"], label="amount", score="score", group="list", interval=0.95)
    assert "pearson_low" not in report.keys
