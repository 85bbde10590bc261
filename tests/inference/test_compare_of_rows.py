"""Models compared by AUC, row by row and by the bootstrap: formulas in plain Python and scipy, on every engine."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable
from itertools import zip_longest
from statistics import NormalDist
from typing import Any

import pytest

import oracles
import sqlmetrics as sm
from oracles.ends import end_of_shares
from oracles.intervals_of_auc import difference, fewer_of_a_class
from oracles.resampling import redrawn, replicates, spread
from oracles.resampling import tested_difference as difference_by_resampling
from sqlmetrics.book.templates import macros
from support.engines import Engine
from support.seeds import seeds

Rows = list[dict[str, Any]]
UNDEFINED = ("low", "high", "statistic", "p_value", "minimum_detectable")
N = 40  #: replicates


def drawn(seed: int, rows: int = 80) -> Rows:
    """Rows of two slices and of lists that lie in one slice or in both; two scores with ties, and one without."""
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        label = int(draw.random() < 0.4)
        part = draw.choice("xy")
        score = 0.3 * label + 0.7 * draw.random()
        found.append({
            "label": label,
            "a": math.floor(10 * score) / 10,
            "b": math.floor(20 * (0.6 * score + 0.4 * draw.random())) / 20,
            "c": draw.random(),
            "list": draw.choice([f"{part}{draw.randrange(6)}", f"all{draw.randrange(3)}"]),
            "part": part,
        })  # fmt: skip
    return found


def asked(engine: Engine, rows: Rows, metrics: Any, candidate: Any = "b", **facts: Any) -> Rows:
    sql = macros(engine.dialect).compare("given", metrics, "a", candidate, **{"label": "label", **facts})
    return engine.query(str(sql), {"given": rows})


def close(got: float | None, expected: float | None) -> None:
    assert got is expected is None or math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-11), (
        got,
        expected,
    )


def inside(row: dict[str, Any], rows: Rows) -> Rows:
    """The rows of a slice, or all."""
    return [one for one in rows if row.get("part") in (None, one["part"])]


@pytest.mark.slow
@pytest.mark.parametrize("test", ["t", "sign"])
def test_a_win_is_the_better_value(test: str, engine: Engine) -> None:
    """In one statement: less is better, more is better, neither is. The test itself is of the values."""
    rows = [{**row, **{x: 0.05 + 0.9 * row[x] for x in "abc"}} for row in drawn(4)]
    losses = {
        "mae": lambda y, p: abs(y - p),
        "accuracy": lambda y, p: y == (p >= 0.5),
        "bias": lambda y, p: p - y,
    }
    for row in asked(engine, rows, [*losses], test=test):
        ahead = [
            losses[row["metric"]](one["label"], one["b"]) - losses[row["metric"]](one["label"], one["a"])
            for one in rows
        ]
        above, below = sum(one > 1e-12 for one in ahead), sum(one < -1e-12 for one in ahead)
        counted = {"mae": (below, above), "accuracy": (above, below), "bias": (None, None)}
        assert (row["wins"], row["losses"]) == counted[row["metric"]]
        assert row["ties"] == len(rows) - above - below
        if test == "sign":
            tail = sum(math.comb(above + below, i) for i in range(min(above, below) + 1)) / 2 ** (
                above + below
            )
            close(row["p_value"], min(1.0, 2 * tail))


@pytest.mark.slow
@pytest.mark.parametrize("group", [None, "list"])
def test_auc(group: str | None, engine: Engine) -> None:
    """The paired test of DeLong, or of lists that of Obuchowski, by slice and in total; Gini is twice AUC less 1."""
    rows = drawn(1)
    got = asked(engine, rows, ["auc", "gini"], ["b", "c"], group=group, by=["part"], power=0.9)
    assert len(got) == 3 * 2 * 2
    stats = pytest.importorskip("scipy.stats")
    for row in got:
        part = inside(row, rows)
        known = stats.t(fewer_of_a_class(part, group) - 1)
        ahead, variance = difference(part, "a", row["candidate"], group)
        assert ahead is not None
        assert variance is not None
        scale = 2 if row["metric"] == "gini" else 1
        error = scale * math.sqrt(variance)
        close(row["difference"], scale * ahead)
        for side, model in (("baseline", "a"), ("candidate", row["candidate"])):
            close(row[f"{side}_value"], oracles.value(row["metric"], part, label="label", score=model))
        close(row["statistic"], scale * ahead / error)
        close(row["p_value"], 2 * known.sf(abs(scale * ahead / error)))
        for end, sign in (("low", -1), ("high", 1)):
            close(row[end], scale * ahead + sign * known.isf(0.025) * error)
        close(row["minimum_detectable"], (known.isf(0.025) + known.isf(0.1)) * error)
        assert row["test"] == "delong"
        assert (row["wins"], row["ties"], row["losses"], row["n_unpaired"]) == (None, None, None, 0)
        assert row["n_pairs"] == (len(part) if group is None else len({one["list"] for one in part}))


@pytest.mark.slow
def test_auc_beside_other_metrics(engine: Engine) -> None:
    rows = drawn(2)
    got = asked(
        engine, rows, ["mae", "auc", "rmse"], ["b", "c"], group="list", by=["part"], correction="holm"
    )
    assert [row["test"] for row in got] == ["t", "t", "delong", "delong", "t", "t"] * 3
    for metric in ("mae", "auc", "rmse"):
        alone = asked(engine, rows, metric, ["b", "c"], group="list", by=["part"], correction="holm")
        together = [row for row in got if row["metric"] == metric]
        for row, one in zip(together, alone, strict=True):
            for name in (*UNDEFINED, "difference", "baseline_value", "p_adjusted"):
                close(row[name], one[name])


@pytest.mark.slow
def test_auc_of_few(engine: Engine) -> None:
    """No test with one row of a class, with one list, of one class, or of models that order the rows alike."""
    few = [{"label": int(i == 0), "a": float(i), "b": float(-i), "one": 1} for i in range(5)]
    for rows, group in ((few, None), ([{**row, "one": 1} for row in drawn(3)], "one")):
        [row] = asked(engine, rows, "auc", group=group)
        assert row["difference"] is not None
        assert [row[name] for name in UNDEFINED] == [None] * 5
    rows = [{**row, "same": 3 * row["a"] - 1} for row in drawn(3)]
    for group in (None, "list"):
        [row] = asked(engine, rows, "auc", "same", group=group)
        assert row["difference"] == 0
        assert [row[name] for name in UNDEFINED] == [None] * 5
        [row] = asked(engine, [{**row, "label": 1} for row in rows], "auc", group=group)
        assert [row[name] for name in ("difference", *UNDEFINED)] == [None] * 6


LOSSES = {
    "brier": lambda y, p: (y - p) ** 2,
    "log_loss": lambda y, p: -math.log(p if y else 1 - p),
    "mae": lambda y, p: abs(y - p),
}


@pytest.mark.slow
@pytest.mark.sample
def test_losses_of_rows(engine: Engine) -> None:
    """Without lists Student's t test is that of the losses of rows."""
    stats = pytest.importorskip("scipy.stats")
    rows = [{**row, **{x: 0.05 + 0.9 * row[x] for x in "abc"}} for row in drawn(4)]
    for row in asked(engine, rows, list(LOSSES), ["b", "c"], by=["part"]):
        part = inside(row, rows)
        a, b = (
            [LOSSES[row["metric"]](one["label"], one[x]) for one in part] for x in ("a", row["candidate"])
        )
        expected = stats.ttest_rel(b, a)
        low, high = expected.confidence_interval()
        close(row["difference"], statistics.fmean(b) - statistics.fmean(a))
        for name, value in (
            ("statistic", expected.statistic), ("p_value", expected.pvalue), ("low", low), ("high", high)
        ):  # fmt: skip
            close(row[name], float(value))
        ahead = [y - x for x, y in zip(a, b, strict=True)]
        above, below = sum(one > 1e-12 for one in ahead), sum(one < -1e-12 for one in ahead)
        assert (row["wins"], row["losses"]) == (below, above)
        assert row["n_pairs"] == len(part)
        assert row["test"] == "t"
        assert not [name for name in row if "group" in name]


@pytest.mark.slow
def test_weighted_losses_of_rows(engine: Engine) -> None:
    """A weighted mean: a row pulls it by its weight; a row of weight 0 counts for nothing."""
    stats = pytest.importorskip("scipy.stats")
    rows = [{**row, "w": i % 4} for i, row in enumerate(drawn(5))]
    [row] = asked(engine, rows, "brier", weight="w")
    total = sum(one["w"] for one in rows)
    counted = [
        (one["w"], (one["label"] - one["b"]) ** 2 - (one["label"] - one["a"]) ** 2)
        for one in rows
        if one["w"]
    ]
    mean = sum(w * ahead for w, ahead in counted) / total
    m = len(counted)
    error = math.sqrt(m / (m - 1) * sum((w * (ahead - mean) / total) ** 2 for w, ahead in counted))
    close(row["difference"], mean)
    close(row["p_value"], 2 * stats.t.sf(abs(mean / error), m - 1))
    assert row["n_pairs"] == m


#: Of a row: whether it counts, and whether the decision s is what the metric counts.
SHARES: dict[str, tuple[Callable[[int], bool], Callable[[int, int], bool]]] = {
    "accuracy": (lambda y: True, lambda y, s: y == s),
    "error_rate": (lambda y: True, lambda y, s: y != s),
    "recall": (lambda y: y == 1, lambda y, s: s == 1),
    "fnr": (lambda y: y == 1, lambda y, s: s == 0),
    "specificity": (lambda y: y == 0, lambda y, s: s == 0),
    "fpr": (lambda y: y == 0, lambda y, s: s == 1),
    "selection_rate": (lambda y: True, lambda y, s: s == 1),
}


@pytest.mark.slow
def test_shares_of_rows(engine: Engine) -> None:
    """McNemar's test of the rows that count, with one row more that only either model has right."""
    normal = statistics.NormalDist()
    rows = drawn(10)
    for row in asked(engine, rows, [*SHARES], ["b", "c"], by=["part"]):
        counts, right = SHARES[row["metric"]]
        part = [one for one in inside(row, rows) if counts(one["label"])]
        a, b = ([right(one["label"], int(one[x] >= 0.5)) for one in part] for x in ("a", row["candidate"]))
        up, down = (
            sum(b > a for a, b in zip(a, b, strict=True)),
            sum(b < a for a, b in zip(a, b, strict=True)),
        )
        n = len(part)
        statistic = (up - down) / math.sqrt(up + down + 2)
        assert row["test"] == "mcnemar"
        close(row["difference"], (up - down) / n)
        close(row["statistic"], statistic)
        close(row["p_value"], 2 * normal.cdf(-abs(statistic)))
        for end, sign in (("low", -1), ("high", 1)):
            close(row[end], end_of_shares(up, down, n, normal.inv_cdf(0.975), sign))
        reach = normal.inv_cdf(0.975) + normal.inv_cdf(0.8)
        least = reach * math.sqrt(up + down + 2) / n
        close(row["minimum_detectable"], least if least <= 1 else None)
        better = (down, up) if row["metric"] in ("error_rate", "fnr", "fpr") else (up, down)
        expected = (None, None) if row["metric"] == "selection_rate" else better
        assert (row["wins"], row["losses"]) == expected
        assert (row["n_pairs"], row["ties"]) == (n, n - up - down)


@pytest.mark.slow
@pytest.mark.parametrize(("up", "down", "n"), [(7, 0, 7), (1, 0, 2), (0, 6, 9), (400, 2, 402), (1, 1, 2)])
def test_shares_of_few_rows(up: int, down: int, n: int, engine: Engine) -> None:
    """All rows may differ to one side; an interval stays in its range, and holds 0 as its test says."""
    decided = [(0, 1)] * up + [(1, 0)] * down + [(1, 1)] * (n - up - down)
    rows = [{"label": 1, "a": float(a), "b": float(b)} for a, b in decided]
    rows += [{"label": 0, "a": float(i % 2), "b": 0.0} for i in range(20)]
    for test, metric in (("t", "recall"), ("sign", "recall"), ("t", "fnr")):
        [row] = asked(engine, rows, metric, test=test)
        sign = -1 if metric == "fnr" else 1
        close(row["difference"], sign * (up - down) / n)
        ends = [end_of_shares(up, down, n, statistics.NormalDist().inv_cdf(0.975), side) for side in (-1, 1)]
        close(row["low"], min(sign * end for end in ends))
        close(row["high"], max(sign * end for end in ends))
        if test == "sign":
            close(row["p_value"], pytest.importorskip("scipy.stats").binomtest(up, up + down).pvalue)
        else:
            assert (row["low"] <= 0 <= row["high"]) == (row["p_value"] > 0.05)


@pytest.mark.slow
def test_shares_of_rows_that_do_not_differ(engine: Engine) -> None:
    """No test of one row, but of equal decisions; with weights the rows are no trials, and the test is t."""
    rows = [{"label": int(i < 5), "a": 0.9, "b": 0.8, "w": 1 + i % 3} for i in range(20)]
    [row] = asked(engine, rows, "recall")
    assert (row["difference"], row["statistic"]) == (0, 0)
    close(row["p_value"], 1)
    z = statistics.NormalDist().inv_cdf(0.975)
    close(row["low"], end_of_shares(0, 0, 5, z, -1))
    close(row["high"], end_of_shares(0, 0, 5, z, 1))
    [row] = asked(engine, [{**row, "b": 0.1} for row in rows[4:]], "recall")
    assert (row["difference"], row["n_pairs"]) == (-1, 1)
    assert [row[name] for name in UNDEFINED] == [None] * 5
    [row] = asked(engine, [{**row, "b": i % 2} for i, row in enumerate(rows)], "accuracy", weight="w")
    assert row["test"] == "t"


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["rmse", "mcc", "r2", "kappa"])
def test_rows_are_lists_of_one_row(metric: str, engine: Engine) -> None:
    rows = [{**row, "number": i} for i, row in enumerate(drawn(7))]
    [row] = asked(engine, rows, metric)
    [expected] = asked(engine, rows, metric, group="number")
    for name in (*UNDEFINED, "difference", "baseline_value", "candidate_value", "n_pairs"):
        close(row[name], expected[name])
    assert row["p_value"] is not None


LOSSES_BESIDE_SPREADS = {
    "rmse": lambda y, x: (y - x) ** 2,
    "r2": lambda y, x: (y - x) ** 2,
    "adjusted_r2(features=1)": lambda y, x: (y - x) ** 2,
    "d2_absolute_error": lambda y, x: abs(y - x),
    "rmsle": lambda y, x: (math.log1p(y) - math.log1p(x)) ** 2,
}


@pytest.mark.slow
def test_what_both_models_divide_by_is_not_tested(engine: Engine) -> None:
    """The spread of the label, most of which a few rows are, is the same for both models."""
    stats = pytest.importorskip("scipy.stats")
    draw = random.Random(8)
    labels = [math.exp(draw.gauss(0, 1)) for _ in range(40)]
    rows = [{"label": y, **{name: y * math.exp(draw.gauss(0, 0.4)) for name in "ab"}} for y in labels]
    for row, loss in zip(
        asked(engine, rows, [*LOSSES_BESIDE_SPREADS]), LOSSES_BESIDE_SPREADS.values(), strict=True
    ):
        losses = ([loss(one["label"], one[name]) for one in rows] for name in "ab")
        close(row["p_value"], stats.ttest_rel(*losses).pvalue)


@pytest.mark.slow
def test_rows_that_only_the_numerator_counts(engine: Engine) -> None:
    """In wape a row with label 0 has no value of its own. By the influence of a row on a ratio (Woodruff 1971)."""
    table = [(0, 0.25, 0.5), (1, 0.0, 0.25), (1, 0.75, 0.5), (2, 0.5, 0.0), (1, 1.0, 0.75), (0, 0.0, 0.0)]
    rows = [{"label": y, "a": a, "b": b} for y, a, b in table]
    pairs = rows[:-1]  # the last adds nothing to either sum
    influences, values = [], []
    for name in ("a", "b"):
        errors = [abs(row[name] - row["label"]) for row in pairs]
        whole = sum(row["label"] for row in pairs)
        values.append(sum(errors) / whole)
        influences.append([(e - values[-1] * r["label"]) / whole for e, r in zip(errors, pairs, strict=True)])
    pulls = [b - a for a, b in zip(*influences, strict=True)]
    error = math.sqrt(len(pairs) / (len(pairs) - 1) * sum(pull * pull for pull in pulls))
    [row] = asked(engine, rows, ["wape"])
    assert (row["n_pairs"], row["n_unpaired"]) == (len(pairs), 0)
    close(row["baseline_value"], values[0])
    close(row["candidate_value"], values[1])
    close(row["statistic"], (values[1] - values[0]) / error)


@pytest.mark.slow
def test_sign_test_of_accuracy_is_that_of_mcnemar(engine: Engine) -> None:
    rows = drawn(8)
    decided = [
        {"y": row["label"], **{x: int(row[x] >= 0.5) for x in "ab"}, "part": row["part"]} for row in rows
    ]
    expected = sm.mcnemar(decided, "y", "a", "b", by="part").to_dicts()
    for row, one in zip(asked(engine, rows, "accuracy", by=["part"], test="sign"), expected, strict=True):
        close(row["p_value"], one["p_exact"])
        close(row["difference"], one["difference"])
        assert (row["wins"], row["losses"]) == (one["n_only_candidate"], one["n_only_baseline"])


@pytest.mark.slow
def test_other_tests_of_rows(engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(9)
    ahead = [round(abs(row["label"] - row["b"]) - abs(row["label"] - row["a"]), 9) for row in rows]
    [row] = asked(engine, rows, "mae", test="wilcoxon")
    close(row["p_value"], stats.wilcoxon(ahead, method="approx", correction=False).pvalue)


METRICS = ["average_precision", "ks", "spearman", "f1", "ece(bins=5)", "auc"]


def check_bootstrap(
    got: Rows, rows: Rows, order: list[str], group: str | None = None, n_resamples: int = N
) -> None:
    samples, of_samples = (draw(rows, n_resamples, group, order) for draw in (replicates, redrawn))
    normal = NormalDist()
    for row in got:
        of = {"label": "label"} | ({"group": group} if group else {})

        def ahead(sample: Rows, row: dict[str, Any] = row, of: dict[str, Any] = of) -> float | None:
            one, two = (
                oracles.value(row["metric"], inside(row, sample), score=x, **of)
                for x in ("a", row["candidate"])
            )
            return None if None in (one, two) else 0.0 if abs(two - one) < 1e-12 else two - one

        both = [(ahead(one), ahead(again)) for one, again in zip_longest(samples, of_samples, fillvalue=[])]
        defined, again = zip(*[pair for pair in both if pair[0] is not None], strict=True)
        values = [
            oracles.value(row["metric"], inside(row, rows), score=x, **of) for x in ("a", row["candidate"])
        ]
        close(row["baseline_value"], values[0])
        close(row["candidate_value"], values[1])
        close(row["difference"], values[1] - values[0])
        part = inside(row, rows)
        n = len(part) if group is None else len({one[group] for one in part})
        low, high, p_value = difference_by_resampling(values[1] - values[0], defined, again, n, 0.9)
        most = {"spearman": 2, "mae": math.inf}.get(row["metric"], 1)
        close(row["low"], max(low, -most))
        close(row["high"], min(high, most))
        close(row["p_value"], p_value)
        half = normal.inv_cdf(0.95) + normal.inv_cdf(0.8)
        close(row["minimum_detectable"], half * statistics.stdev(defined) * spread(defined, again))
        assert [row[name] for name in ("statistic", "wins", "ties", "losses")] == [None] * 4
        assert row["n_unpaired"] == 0
        assert row["test"] == "bootstrap"
        assert row["n_pairs"] == n


@pytest.mark.slow
def test_bootstrap_of_rows(engine: Engine) -> None:
    rows = drawn(10, 50)
    facts = {"test": "bootstrap", "n_resamples": N, "interval": 0.9, "by": ["part"]}
    named = {f"m{i}": metric for i, metric in enumerate(METRICS)}
    got = asked(engine, rows, named, ["b", "c"], **facts)
    assert len(got) == 3 * len(METRICS) * 2
    got = [{**row, "metric": named[row["metric"]]} for row in got]
    check_bootstrap(got, rows, ["a", "b", "c", "label", "part"])


@pytest.mark.slow
def test_only_the_first_replicates_are_drawn_from_again(engine: Engine) -> None:
    rows = drawn(13, 12)
    got = asked(engine, rows, "mae", test="bootstrap", n_resamples=230, interval=0.9)
    check_bootstrap(got, rows, ["a", "b", "label"], n_resamples=230)


@pytest.mark.slow
def test_bootstrap_of_lists(engine: Engine) -> None:
    rows = drawn(11, 50)
    facts = {"test": "bootstrap", "n_resamples": N, "interval": 0.9, "by": ["part"], "group": "list"}
    named = {"m0": "average_precision", "m1": "ndcg@3", "m2": "gauc"}
    got = [{**row, "metric": named[row["metric"]]} for row in asked(engine, rows, named, **facts)]
    check_bootstrap(got, rows, [], "list")


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(2))
def test_a_bootstrap_does_not_contradict_itself(engine: Engine, seed: int) -> None:
    """The interval holds the difference, and excludes 0 exactly if the p-value is at most 1 - interval."""
    rows = drawn(100 + seed, 30)
    metrics = ["ks", "average_precision", "ndcg@3", "mae"]
    for interval in (0.5, 0.05):  # the ends of the second often do not hold the mean of the replicates
        facts = {
            "test": "bootstrap",
            "n_resamples": 39,
            "interval": interval,
            "by": ["part"],
            "group": "list",
        }
        for row in asked(engine, rows, metrics, ["b", "c"], **facts):
            if row["p_value"] is not None:
                assert row["low"] <= row["difference"] <= row["high"]
                assert (row["low"] > 0 or row["high"] < 0) == (row["p_value"] <= 1 - interval)


@pytest.mark.slow
def test_no_interval_of_fewer_draws_than_its_level_needs(engine: Engine) -> None:
    rows = drawn(3, 50)
    few = asked(engine, rows, ["ks"], test="bootstrap", n_resamples=38)
    enough = asked(engine, rows, ["ks"], test="bootstrap", n_resamples=39)
    assert [row["low"] for row in few] == [None]
    assert few[0]["p_value"] is not None
    assert enough[0]["low"] < enough[0]["difference"] < enough[0]["high"]


@pytest.mark.slow
def test_bootstrap_without_a_test(engine: Engine) -> None:
    """A model with itself, a constant difference, one row, and data that break the metric."""
    rows = [{**row, "same": row["a"], "more": row["a"] + 0.5} for row in drawn(12, 40)]
    facts = {"test": "bootstrap", "n_resamples": 20, "correction": "holm"}
    got = asked(engine, rows, ["ks", "bias"], ["same", "more"], **facts)
    for row, ahead in zip(got, (0, 0, 0, 0.5), strict=True):
        close(row["difference"], ahead)
        assert [row[name] for name in (*UNDEFINED, "p_adjusted")] == [None] * 6
    [row] = asked(engine, rows[:1], "mae", **facts)
    assert row["difference"] is not None
    assert (row["n_pairs"], *[row[name] for name in UNDEFINED]) == (1, *[None] * 5)
    broken = [{**row, "label": 3} if i == 0 else row for i, row in enumerate(rows)]
    [row] = asked(engine, broken, "ks", **facts)
    assert row["rows_not_binary"] == 1
    assert [row[name] for name in ("baseline_value", "difference", *UNDEFINED)] == [None] * 7


@pytest.mark.slow
def test_order_of_rows(engine: Engine) -> None:
    rows = drawn(13)
    shuffled = random.Random(1).sample(rows, len(rows))
    for metrics, facts in (
        (["auc", "brier", "precision"], {}), (["ks"], {"test": "bootstrap", "n_resamples": 20})
    ):  # fmt: skip
        first, again = (asked(engine, given, metrics, by=["part"], **facts) for given in (rows, shuffled))
        for row, one in zip(first, again, strict=True):
            for name in (*UNDEFINED, "difference", "baseline_value"):
                close(row[name], one[name])


@pytest.mark.slow
def test_the_door() -> None:
    rows = drawn(14)
    report = sm.compare(rows, ["auc", "brier"], baseline="a", candidate="c", label="label")
    assert "group" not in repr(report) + repr(report.audit) + " ".join(report.audit.columns)
    one, other = report.to_dicts()
    assert (one["test"], other["test"]) == ("delong", "t")
    report = sm.compare(
        rows,
        "average_precision",
        baseline="a",
        candidate="c",
        label="label",
        test="bootstrap",
        n_resamples=50,
    )
    values = sm.evaluate(rows, "average_precision", score={"a": "a", "c": "c"}, label="label").to_dicts()
    assert [row["average_precision"] for row in values] == [
        report.to_dicts()[0][name] for name in ("baseline_value", "candidate_value")
    ]
    rows[0]["c"] = None
    asked: dict[str, Any] = {"baseline": "a", "candidate": "c", "label": "label", "on_bad_rows": "drop"}
    with pytest.raises(
        sm.SqlMetricsError, match="1 of 80 rows have a value of auc for one of 'a' and 'c' alone"
    ):
        sm.compare(rows, "auc", **asked)
    report = sm.compare(rows, "mae", on_unpaired="intersection", **asked)
    assert "rows left out, one of two models has no value there: 1" in repr(report)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"metrics": "ndcg@10"}, "sqlmetrics.ndcg@10: needs group="),
    ({"metrics": "gauc"}, "sqlmetrics.gauc: needs group="),
    ({"metrics": "ndcg@10", "test": "bootstrap"}, "sqlmetrics.ndcg@10: needs group="),
    ({"metrics": "ks"}, "'ks' has no formula for its standard error; pass test='bootstrap'"),
    ({"metrics": "spearman"}, "'spearman' has no formula for its standard error; pass test='bootstrap'"),
    ({"metrics": "ks", "weight": "c"}, "'ks' has no formula for its standard error with weights; pass test="),
    ({"test": "sign"}, "test='sign' compares rows one by one, but a single row has no auc; leave test= out"),
    ({"test": "wilcoxon", "group": "list"}, "compares groups one by one, but a single group has no auc"),
    ({"metrics": "precision", "test": "sign"}, "compares rows one by one, but a single row has no precision"),
    ({"test": "bootstrap", "n_resamples": 5}, "n_resamples must be an integer from 20"),
    ({"test": "delong"}, "test: 'delong' is not known. Allowed: t, wilcoxon, sign, randomisation, bootstrap"),
]


@pytest.mark.parametrize(("facts", "message"), REFUSED)
def test_refused(facts: dict[str, Any], message: str) -> None:
    given = {"metrics": "auc", "baseline": "a", "candidate": "b", "label": "label", **facts}
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.compare(drawn(15), **given)


@pytest.mark.slow
def test_labels_that_are_booleans() -> None:
    facts: dict[str, Any] = {"baseline": "a", "candidate": "c", "label": "label"}
    rows = drawn(3)
    booleans = [{**row, "label": row["label"] == 1} for row in rows]
    [row] = sm.compare(booleans, "brier", **facts).to_dicts()
    [of_numbers] = sm.compare(rows, "brier", **facts).to_dicts()
    for name, value in row.items():  # sums of threads differ in their last digits
        same = pytest.approx(of_numbers[name], rel=1e-9) if isinstance(value, float) else of_numbers[name]
        assert value == same
    assert (row["metric"], row["candidate"]) == ("brier", "c")


@pytest.mark.slow
def test_a_bootstrap_of_models_on_different_groups_is_refused() -> None:
    rows = [
        {"u": i // 4, "y": i % 3 == 0, "a": i * 7 % 11, "b": None if i < 8 else i * 5 % 13} for i in range(80)
    ]
    facts = {
        "label": "y",
        "baseline": "a",
        "candidate": "b",
        "on_bad_rows": "drop",
        "test": "bootstrap",
        "n_resamples": 20,
    }
    with pytest.raises(
        sm.SqlMetricsError, match=r"^2 of 20 groups have a value of ndcg_3 .* leave those rows out"
    ):
        sm.compare(rows, "ndcg@3", group="u", **facts)
    with pytest.raises(sm.SqlMetricsError, match=r"^8 of 80 rows have a value of ks"):
        sm.compare(rows, "ks", **facts)
    with pytest.raises(sm.SqlMetricsError, match="does not go with test='bootstrap'"):
        sm.compare(rows, "ks", on_unpaired="intersection", **facts)


@pytest.mark.slow
def test_what_cannot_be_taken_over_a_part_is_not_told_to_be() -> None:
    rows = [
        {"u": i // 4, "y": i % 3 == 0, "a": i * 7 % 11, "b": None if i < 8 else i * 5 % 13} for i in range(80)
    ]
    facts = {"label": "y", "baseline": "a", "candidate": "b", "on_bad_rows": "drop", "group": "u"}
    with pytest.raises(sm.SqlMetricsError, match="pass on_unpaired='intersection'"):
        sm.compare(rows, "ndcg@3", **facts)
    with pytest.raises(sm.SqlMetricsError, match=r"of rmse .* leave those rows out"):
        sm.compare(rows, ["rmse", "ndcg@3"], **facts)


@pytest.mark.slow
def test_a_value_that_is_too_large_for_a_float_has_no_difference() -> None:
    rows = [{"y": 1, "a": 0.0, "b": 0.0}, {"y": 1, "a": 1.0, "b": 5e-324}]
    [row] = sm.compare(rows, ["copc"], label="y", baseline="a", candidate="b").to_dicts()
    assert (row["baseline_value"], row["candidate_value"]) == (2, None)
    assert [row[name] for name in ("difference", "relative_difference", *UNDEFINED)] == [None] * 7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "differ", "margin", "exact"),
    [(10, 0, 0.5, 0.5**10), (3, 0, 0.8, 0.2**3), (10, 1, 0.5, 11 * 0.5**10), (30, 0, 0.1, 0.9**30)],
)
def test_a_margin_needs_rows_that_differ(
    n: int, differ: int, margin: float, exact: float, engine: Engine
) -> None:
    """Where models differ by the margin, as many rows differ at least: that few do has this chance, or less."""
    rows = [{"label": 1, "a": 1.0, "b": float(i >= differ)} for i in range(n)]
    [row] = asked(engine, rows, "accuracy", margin=margin)
    assert 0.95 * exact < row["p_equivalence"] < 3 * exact
    for level in (0.9, 0.99, 0.9999):
        [row] = asked(engine, rows, "accuracy", margin=margin, interval=level)
        z = statistics.NormalDist().inv_cdf((1 + level) / 2)
        close(row["low"], end_of_shares(0, differ, n, z, -1))
        assert (row["verdict"] == "equivalent") == (row["p_equivalence"] <= (1 - level) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("side", [-1, 1])
def test_shares_within_a_margin(side: int, engine: Engine) -> None:
    """The p-value of equivalence is 2.5 % where the farther end of the 95 % interval is the margin."""
    decided = [(0, 1)] * 12 + [(1, 0)] * 5 + [(1, 1)] * 40
    rows = [{"label": 1, **dict(zip("ab", pair[::side], strict=True))} for pair in decided]
    end = end_of_shares(12, 5, 57, statistics.NormalDist().inv_cdf(0.975), 1)
    for margin, verdict in (
        (end * 0.999, "not worse" if side > 0 else "undecided"),
        (end * 1.001, "equivalent"),
    ):
        [row] = asked(engine, rows, "recall", margin=margin)
        assert row["p_equivalence"] == pytest.approx(0.025, rel=0.02)
        assert (row["p_equivalence"] <= 0.025) == (verdict == "equivalent")
        assert row["verdict"] == verdict
    [row] = asked(engine, rows, "recall", margin=2.0)
    assert (row["verdict"], row["p_equivalence"] < 1e-100) == ("equivalent", True)
    [row] = asked(engine, rows, "recall", margin=1)
    assert 0 < row["p_equivalence"] <= 0.025


def test_no_difference_beyond_the_range_is_detected() -> None:
    """Nor one of the mean of slices, where the difference is null."""
    rows = [{"y": i % 2, "a": a, "b": b, "p": i % 2} for i, (a, b) in enumerate(FEW)]
    asked = {"label": "y", "baseline": "a", "candidate": "b"}
    compared = sm.compare(rows, ["brier", "f1"], by="p", total_of="slices", **asked)
    assert compared["minimum_detectable"][-1] is compared["difference"][-1] is None
    assert all(least is None or least <= 1 for least in compared["minimum_detectable"])
    assert any(
        "no difference in the range of the metric is large enough" in note for note in compared.notes()
    )
    sized = sm.sample_size(rows, "brier", n=2, **asked)
    assert sized["difference"] == [None]
    assert "so few units detect no difference in the range of the metric: brier" in sized.notes()


FEW = [(0.9, 0.1), (0.2, 0.8), (0.6, 0.3), (0.3, 0.9)]
