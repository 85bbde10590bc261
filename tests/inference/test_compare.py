"""Models compared: scipy and statsmodels on the values of lists, plain Python on ratios of sums, on every engine."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import pyarrow as pa
import pytest

import sqlmetrics as sm
from sqlmetrics.book.templates import macros
from support.compared import SLEEP, UNDEFINED, Rows, close, drawn
from support.engines import Engine

FACTS = {"label": "y", "group": "u"}


def ran(engine: Engine, rows: Rows, metrics: Any, candidate: Any = "b", **facts: Any) -> Rows:
    sql = macros(engine.dialect).compare("given", metrics, "a", candidate, **{**FACTS, **facts})
    return engine.query(str(sql), {"given": rows})


def own_values(rows: Rows, metric: str, **facts: Any) -> tuple[list[float], ...]:
    """What each list that has a value has, of each of the three models."""
    report = sm.per_group(rows, {"value": metric}, score={x: x for x in "abc"}, **{**FACTS, **facts})
    lists: dict[Any, dict[str, float]] = {}
    for row in report.to_dicts():
        lists.setdefault(row["u"], {})[row["model"]] = row["value"]
    return tuple([values[x] for values in lists.values() if None not in values.values()] for x in "abc")


@pytest.mark.slow
@pytest.mark.sample
@pytest.mark.parametrize("metric", ["ndcg@10", "map", "gauc(weight=uniform)"])
def test_lists_as_scipy_has_them(metric: str, engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(1)
    got = ran(engine, rows, metric, ["b", "c"], correction="holm")
    a, *others = own_values(rows, metric)
    assert [row["candidate"] for row in got] == ["b", "c"]
    for row, other in zip(got, others, strict=True):
        expected = stats.ttest_rel(other, a)
        low, high = expected.confidence_interval()
        close(row["baseline_value"], statistics.fmean(a))
        close(row["candidate_value"], statistics.fmean(other))
        close(row["difference"], statistics.fmean(other) - statistics.fmean(a))
        close(row["relative_difference"], row["difference"] / statistics.fmean(a))
        close(row["statistic"], expected.statistic)
        close(row["p_value"], expected.pvalue)
        close(row["low"], low)
        close(row["high"], high)
        ahead = [y - x for x, y in zip(a, other, strict=True)]
        assert row["wins"] == sum(difference > 1e-12 for difference in ahead)
        assert row["losses"] == sum(difference < -1e-12 for difference in ahead)
        assert row["wins"] + row["ties"] + row["losses"] == row["n_pairs"] == len(a)
        assert row["n_unpaired"] == 0
    least, most = sorted(got, key=lambda row: row["p_value"])
    close(least["p_adjusted"], min(1, 2 * least["p_value"]))
    close(most["p_adjusted"], max(least["p_adjusted"], most["p_value"]))


@pytest.mark.slow
def test_sleep(engine: Engine) -> None:
    """A group of one row with label 0: its bias is the score. No bias is better by being higher or lower."""
    rows = [{"u": u, "y": 0.0, "a": a, "b": b} for u, (a, b) in enumerate(zip(*SLEEP, strict=True))]
    [row] = ran(engine, rows, "bias")
    close(row["statistic"], 4.062127683382037)
    close(row["p_value"], 0.002832890197384273)
    close(row["difference"], 1.58)
    assert (row["wins"], row["ties"], row["losses"], row["n_pairs"]) == (None, 1, None, 10)


def linearised(units: list[tuple[float, float, float, float]], of_lists: bool) -> tuple[float, ...]:
    """Both ratios, the standard error of their difference, and Student's t of it (n and d of one, then the other)."""
    stats = pytest.importorskip("scipy.stats")
    d_a, d_b = sum(unit[1] for unit in units), sum(unit[3] for unit in units)
    a, b = sum(unit[0] for unit in units) / d_a, sum(unit[2] for unit in units) / d_b
    pulls = [(n_b - b * w_b) / d_b - (n_a - a * w_a) / d_a for n_a, w_a, n_b, w_b in units]
    # of lists with weights, those of equal weight that would tell as much
    m = d_a * d_b / sum(unit[1] * unit[3] for unit in units) if of_lists else len(units)
    error = math.sqrt(m / (m - 1) * sum(pull**2 for pull in pulls))
    p = 2 * stats.t.sf(abs(b - a) / error, m - 1)
    return a, b, error, p, float(stats.t.isf(0.025, m - 1)), float(stats.t.isf(0.2, m - 1))


def check_linearised(
    row: dict[str, Any], units: list[tuple[float, float, float, float]], of_lists: bool
) -> None:
    a, b, error, p, critical, power = linearised(units, of_lists)
    close(row["baseline_value"], a)
    close(row["candidate_value"], b)
    close(row["difference"], b - a)
    close(row["statistic"], (b - a) / error)
    close(row["p_value"], p)
    close(row["low"], b - a - critical * error)
    close(row["high"], b - a + critical * error)
    close(row["minimum_detectable"], (critical + power) * error)
    assert row["n_pairs"] == len(units)


@pytest.mark.slow
def test_weights_of_lists_by_slice_and_in_total(engine: Engine) -> None:
    """GAUC by impressions is a ratio of sums over lists; a list in two slices is one in each, and one in the total."""
    rows = drawn(2)
    got = ran(engine, rows, {"auc": "gauc(weight=impressions)"}, by=["part"])
    assert [(row["part"], row["is_total"]) for row in got] == [("x", 0), ("y", 0), (None, 1)]
    for row in got:
        part = [one for one in rows if row["part"] in (None, one["part"])]
        lists = sm.per_group(part, {"value": "gauc"}, score={"a": "a", "b": "b"}, **FACTS).to_dicts()
        by_list: dict[Any, list[float]] = {}
        for one in lists:
            if one["value"] is not None:
                by_list.setdefault(one["u"], []).extend([one["value"] * one["n_items"], one["n_items"]])
        check_linearised(row, [tuple(unit) for unit in by_list.values()], of_lists=True)


@pytest.mark.slow
def test_rows_of_groups(engine: Engine) -> None:
    """A weighted mean over rows: its units are the groups, whose rows need not be independent."""
    rows = drawn(3)
    got = ran(engine, rows, ["mae", "brier"], weight="w", by=["part"])
    for row in got:
        units: dict[Any, list[float]] = {}
        for one in rows:
            if row["part"] in (None, one["part"]):
                unit = units.setdefault(one["u"], [0, 0, 0, 0])
                power = 1 if row["metric"] == "mae" else 2
                for place, x in ((0, "a"), (2, "b")):
                    unit[place] += one["w"] * abs(one["y"] - one[x]) ** power
                    unit[place + 1] += one["w"]
        check_linearised(row, [tuple(unit) for unit in units.values()], of_lists=False)


@pytest.mark.slow
@pytest.mark.sample
def test_functions_of_sums(engine: Engine) -> None:
    """A difference of roots is that of the means over the sum of the roots; a group has no root of its own."""
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(17)
    for row in ran(engine, rows, "rmse", by=["part"]):
        part = [one for one in rows if row["part"] in (None, one["part"])]
        pulls: dict[Any, float] = {}
        roots = []
        for sign, x in ((-1, "a"), (1, "b")):
            mean = statistics.fmean((one["y"] - one[x]) ** 2 for one in part)
            roots.append(math.sqrt(mean))
            for one in part:
                pull = ((one["y"] - one[x]) ** 2 - mean) / len(part)
                pulls[one["u"]] = pulls.get(one["u"], 0) + sign * pull
        m = len(pulls)
        error = math.sqrt(m / (m - 1) * sum(pull**2 for pull in pulls.values())) / sum(roots)
        close(row["baseline_value"], roots[0])
        close(row["candidate_value"], roots[1])
        close(row["statistic"], (roots[1] - roots[0]) / error)
        close(row["p_value"], 2 * stats.t.sf(abs(roots[1] - roots[0]) / error, m - 1))
        assert (row["n_pairs"], row["wins"], row["ties"], row["losses"]) == (m, None, None, None)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["rmse", "r2", "mcc", "rig", "accuracy", "copc"])
def test_values_are_those_of_evaluate(metric: str, engine: Engine) -> None:
    rows = drawn(18)
    [row] = ran(engine, rows, metric)
    sql = macros(engine.dialect).evaluate("given", {"x": metric}, score={"a": "a", "b": "b"}, **FACTS)
    values = [one["x"] for one in engine.query(str(sql), {"given": rows})]
    close(row["baseline_value"], values[0])
    close(row["candidate_value"], values[1])
    assert row["low"] < row["difference"] < row["high"]
    assert row["n_pairs"] == len({one["u"] for one in rows})


@pytest.mark.slow
def test_other_tests_of_pairs(engine: Engine) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = drawn(19, lists=150)
    a, b, _ = own_values(rows, "ndcg@3", ties="worst")
    differences = [
        round(y - x, 12) for x, y in zip(a, b, strict=True)
    ]  # which sums in another order would tell apart
    [row] = ran(engine, rows, "ndcg@3", ties="worst", test="sign")
    close(row["p_value"], stats.binomtest(row["wins"], row["wins"] + row["losses"]).pvalue)
    assert (row["wins"], row["losses"]) == (sum(d > 0 for d in differences), sum(d < 0 for d in differences))
    [row] = ran(engine, rows, "ndcg@3", ties="worst", test="wilcoxon")
    close(row["p_value"], stats.wilcoxon(differences, method="approx", correction=False).pvalue)
    assert row["test"] == "wilcoxon_normal"
    [row] = ran(engine, rows, "ndcg@3", ties="worst", test="randomisation", n_resamples=300)
    assert row["p_value"] == pytest.approx(stats.ttest_rel(a, b).pvalue, abs=0.1)
    close(row["statistic"], row["difference"])


@pytest.mark.slow
@pytest.mark.parametrize("correction", [None, "holm"])
def test_wilcoxon_of_few_groups(correction: str | None, engine: Engine) -> None:
    """Each row says which distribution its p-value has; a row without one has that of neither."""
    stats = pytest.importorskip("scipy.stats")
    rows = [
        {"u": f"{part}{u}", "part": part, "y": 0.0, "a": 10.0, "b": 10.0 + ahead}
        for part, differences in PARTS_OF_WILCOXON.items()
        for u, ahead in enumerate(differences)
    ]
    got = ran(engine, rows, "bias", candidate="b", test="wilcoxon", by=["part"], correction=correction)
    found = {row["part"]: (row["test"], row["p_value"]) for row in got}
    assert {part: test for part, (test, _) in found.items()} == {
        "alike": "wilcoxon", "few": "wilcoxon_exact", "tied": "wilcoxon_exact", "many": "wilcoxon_normal",
        None: "wilcoxon_normal",
    }  # fmt: skip
    close(found["few"][1], stats.wilcoxon(PARTS_OF_WILCOXON["few"], method="exact").pvalue, rel=1e-12)
    close(found["tied"][1], stats.wilcoxon(PARTS_OF_WILCOXON["tied"]).pvalue, rel=1e-12)
    many = PARTS_OF_WILCOXON["many"]
    close(found["many"][1], stats.wilcoxon(many, method="approx", correction=False).pvalue)
    assert found["alike"][1] is None


PARTS_OF_WILCOXON = {
    "alike": [0.0, 0.0],
    "few": [1.0, -2.0, 3.0, 4.5, 6.0, -7.0, 8.0, 9.0],
    "tied": [1.0, 2.0, -2.0, 3.0, 0.0, 3.0, 6.0, 6.0, 6.0, 0.0],
    "many": [float(size) for size in range(-3, 25)],
}


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["multiclass_log_loss", "multiclass_brier"])
def test_examples_of_several_classes(metric: str, engine: Engine) -> None:
    """A group is an example, an item a class; what examples lack is counted in each slice."""
    stats = pytest.importorskip("scipy.stats")
    draw = random.Random(11)
    rows: Rows = []
    for u in range(40):
        right, slice_ = draw.randrange(3), draw.choice("xy")
        for i in range(3):
            # those of b do not sum to 1
            rows.append(
                {"u": u, "i": i, "y": int(i == right), "a": 1 / 3, "b": draw.random(), "slice": slice_}
            )

    def own(u: int, model: str) -> float:
        if metric == "multiclass_log_loss":
            return -math.log(next(row[model] for row in rows if row["u"] == u and row["y"]))
        return math.fsum((row[model] - row["y"]) ** 2 for row in rows if row["u"] == u)

    got = ran(engine, rows, metric, item="i", by=["slice"])
    assert [row["slice"] for row in got] == ["x", "y", None]
    for row in got:
        examples = sorted({one["u"] for one in rows if row["slice"] in (None, one["slice"])})
        expected = stats.ttest_rel([own(u, "b") for u in examples], [own(u, "a") for u in examples])
        close(row["statistic"], expected.statistic)
        close(row["p_value"], expected.pvalue)
        assert row["n_pairs"] == row["examples_not_summing_to_1"] == len(examples)
        assert row["examples_without_one_class"] == row["examples_repeating_classes"] == 0
    rows = [{**row, "y": 0} if row["u"] == 0 else row for row in rows]
    row = ran(engine, rows, metric, item="i")[-1]
    assert row["examples_without_one_class"] == 1
    assert {row[name] for name in ("baseline_value", "difference", *UNDEFINED)} == {None}


@pytest.mark.slow
def test_pooled_ratios(engine: Engine) -> None:
    rows = drawn(4)
    [row] = ran(engine, rows, {"pooled": "recall(average=micro)@2"}, ties="worst")
    lists = sm.per_group(
        rows, {"hits": "recall(average=micro)@2"}, score={"a": "a", "b": "b"}, ties="worst", **FACTS
    )
    units: dict[Any, list[float]] = {}
    for one in lists.to_dicts():
        if one["hits"] is not None:
            units.setdefault(one["u"], []).extend([one["hits"] * one["n_relevant"], one["n_relevant"]])
    check_linearised(row, [tuple(unit) for unit in units.values()], of_lists=True)


@pytest.mark.slow
@pytest.mark.parametrize(("correction", "method"), [("holm", "holm"), ("bh", "fdr_bh")])
def test_corrections(correction: str, method: str, engine: Engine) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    draw = random.Random(7)
    rows = [
        {**row, **{f"m{i}": row["a"] + draw.gauss(0, 0.02 * i * i) for i in range(6)}, "same": row["a"] * 2}
        for row in drawn(5)
    ]
    models = [f"m{i}" for i in range(1, 6)]
    got = ran(engine, rows, ["mrr", "mae"], [*models, "same"], correction=correction, by=["part"])
    for part in ("x", "y", None):
        for metric in ("mrr", "mae"):
            tests = [row for row in got if (row["part"], row["metric"]) == (part, metric)]
            assert [row["candidate"] for row in tests] == [*models, "same"]
            defined = [row for row in tests if row["p_value"] is not None]
            assert len(defined) == 5 + (metric == "mae")  # the same order: no spread
            expected = multitest.multipletests([row["p_value"] for row in defined], method=method)[1]
            for row, p in zip(defined, expected, strict=True):
                close(row["p_adjusted"], float(p))
            assert all(row["p_adjusted"] is None for row in tests if row["p_value"] is None)


@pytest.mark.slow
def test_minimum_detectable(engine: Engine) -> None:
    """Two quantiles of Student's t make what the noncentral t distribution gives, but for a little."""
    power = pytest.importorskip("statsmodels.stats.power").TTestPower()
    rows = drawn(6, lists=200)
    a, b, _ = own_values(rows, "mrr")
    spread = statistics.stdev(y - x for x, y in zip(a, b, strict=True))
    for level, chance in ((0.95, 0.8), (0.9, 0.95)):
        [row] = ran(engine, rows, "mrr", interval=level, power=chance)
        effect = power.solve_power(nobs=len(a), alpha=1 - level, power=chance, alternative="two-sided")
        close(row["minimum_detectable"], effect * spread, rel=3e-3)


@pytest.mark.slow
def test_a_model_with_itself(engine: Engine) -> None:
    """No spread, so no test: of sums that were added in another order, too."""
    rows = [{**row, "b": row["a"] * 4, "w": 1 / 3 + row["u"]} for row in drawn(8, lists=300)]
    for row in ran(engine, rows, ["ndcg@10", "gauc", "map"], weight="w"):
        assert row["difference"] == row["relative_difference"] == 0
        assert [row[name] for name in UNDEFINED] == [None] * 5
        assert (row["wins"], row["losses"], row["ties"]) == (0, 0, row["n_pairs"])


@pytest.mark.slow
def test_a_constant_difference(engine: Engine) -> None:
    rows = [{"u": u, "y": 0.0, "a": u / 7, "b": u / 7 + 0.1} for u in range(50)]
    [row] = ran(engine, rows, "mae")
    close(row["difference"], 0.1)
    assert [row[name] for name in UNDEFINED] == [None] * 5
    assert row["losses"] == row["n_pairs"] == 50


@pytest.mark.slow
def test_one_pair_and_none(engine: Engine) -> None:
    rows = [{"u": 1, "y": 1, "a": 0.1, "b": 0.9}, {"u": 1, "y": 0, "a": 0.2, "b": 0.8}]
    [row] = ran(engine, rows, "mrr")
    assert (row["baseline_value"], row["candidate_value"], row["difference"], row["n_pairs"]) == (
        0.5,
        1,
        0.5,
        1,
    )
    assert [row[name] for name in UNDEFINED] == [None] * 5
    rows = [{**row, "y": 0} for row in rows]
    [row] = ran(engine, rows, "mrr", by=[], total=False)
    assert [row[name] for name in ("baseline_value", "candidate_value", "difference", *UNDEFINED)] == [
        None
    ] * 8
    assert (row["n_pairs"], row["n_unpaired"], row["n_groups"]) == (0, 0, 1)


@pytest.mark.slow
def test_a_p_value_is_never_zero(engine: Engine) -> None:
    rows = [{"u": u, "y": 0.0, "a": 0.0, "b": 1 + (u % 2) * 1e-9} for u in range(400)]
    [row] = ran(engine, rows, "bias")
    assert 0 < row["p_value"] < 1e-200


@pytest.mark.slow
def test_lists_of_one_model_alone(engine: Engine) -> None:
    rows = drawn(9)
    for row in rows:
        row["b"] = None if row["u"] in (3, 4, 11) else row["b"]
    complete = [row for row in rows if row["b"] is not None]
    for metric in ("gauc", "mae"):
        [got] = ran(engine, rows, metric)
        assert got["n_unpaired"] == (3 if metric == "mae" else got["n_unpaired"]) > 0
        assert [got[name] for name in ("baseline_value", "candidate_value", "difference", *UNDEFINED)] == [
            None
        ] * 8
        [got] = ran(engine, rows, metric, on_unpaired="intersection")
        [expected] = ran(engine, complete, metric)
        for name in ("baseline_value", "candidate_value", "difference", *UNDEFINED, "n_pairs", "wins"):
            close(got[name], expected[name])


@pytest.mark.slow
def test_broken_data_give_nulls(engine: Engine) -> None:
    """A score of the baseline that is no probability breaks the metric that takes one, and no other."""
    rows = [{**row, "a": row["a"] * 3} for row in drawn(10)]
    broken, sound = ran(engine, rows, ["brier", "mae"])
    assert (broken["metric"], broken["p_value"], broken["baseline_value"], broken["n_pairs"]) == (
        "brier",
        *[None] * 3,
    )
    assert broken["rows_not_probability"] > 0
    assert sound["p_value"] is not None


@pytest.mark.slow
def test_truth_in_a_table_of_its_own(engine: Engine) -> None:
    """A list that the predictions lack counts 0 for both models."""
    draw = random.Random(11)
    truth = [{"u": u, "i": i, "y": 1} for u in range(20) for i in draw.sample(range(12), 3)]
    given = [{"u": u, "i": i, "a": draw.random(), "b": draw.random()} for u in range(18) for i in range(8)]
    sql = macros(engine.dialect).compare(
        "given", "recall@3", "a", "b", label="y", group="u", item="i", truth="relevant"
    )
    [row] = engine.query(str(sql), {"given": given, "relevant": truth})
    a, b = (
        [
            value["recall_3"]
            for value in sm.per_group(given, "recall@3", score=x, truth=truth, **FACTS, item="i").to_dicts()
        ]
        for x in "ab"
    )
    check_linearised(row, [(x, 1, y, 1) for x, y in zip(a, b, strict=True)], of_lists=True)
    assert row["n_pairs"] == 20


@pytest.mark.slow
def test_the_door() -> None:
    rows = drawn(12)
    report = sm.compare(
        rows, {"gain": "ndcg@5", "error": "mae"}, baseline="a", candidate={"mixed": "b", "chance": "c"},
        by="part", correction="holm", **FACTS,
    )  # fmt: skip
    assert isinstance(report, sm.Comparison)
    values = sm.evaluate(
        rows,
        {"gain": "ndcg@5", "error": "mae"},
        score={"a": "a", "mixed": "b", "chance": "c"},
        by="part",
        **FACTS,
    )
    known = {(row["part"], row["model"]): row for row in values.to_dicts()}
    for row in report.to_dicts():
        close(row["baseline_value"], known[row["part"], "a"][row["metric"]])
        close(row["candidate_value"], known[row["part"], row["candidate"]][row["metric"]])
    assert len(report) == 3 * 2 * 2
    assert report.columns == [
        *("part", "is_total", "metric", "candidate", "baseline_value", "candidate_value", "difference"),
        *(
            "relative_difference",
            "low",
            "high",
            "test",
            "statistic",
            "p_value",
            "p_adjusted",
            "wins",
            "ties",
            "losses",
        ),
        *("n_pairs", "n_unpaired", "minimum_detectable"),
    ]
    assert report.audit.to_dicts()[-1]["n_rows"] == len(rows)
    assert "[" in repr(report)
    assert "groups without a relevant item" in repr(report)
    assert report.sql.splitlines()[1].startswith("-- compare over ")


@pytest.mark.slow
def test_notes_say_why_there_is_no_test() -> None:
    rows = [{**row, "b": row["a"]} for row in drawn(13)]
    assert "no test where all pairs differ by the same" in repr(
        sm.compare(rows, "mrr", baseline="a", candidate="b", **FACTS)
    )
    assert "a test is rough" not in repr(
        sm.compare(rows[: len(rows) // 3], "mrr", baseline="a", candidate="b", **FACTS)
    )
    one = [row for row in rows if row["u"] == 0]
    assert "no test of fewer than two pairs" in repr(
        sm.compare(one, "mae", baseline="a", candidate="c", **FACTS)
    )
    for draws in (38, 39):
        few = sm.compare(
            drawn(13), "ks", baseline="a", candidate="c", test="bootstrap", n_resamples=draws, **FACTS
        )
        assert ("no interval at this level from so few resamples" in repr(few)) == (draws == 38)
    assert "not in trec_eval, by our defaults: gauc" in repr(
        sm.compare(rows, "gauc", baseline="a", candidate="c", convention="trec_eval", ties="average", **FACTS)
    )


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"candidate": "a"}, "candidate 'a' is the column of the baseline, 'a'"),
    ({"candidate": {"new": "a"}}, "candidate 'new' is the column of the baseline, 'a'"),
    ({"candidate": ["b", "b"]}, "Two models are named 'b'"),
    ({"candidate": {"a": "b"}}, "Two models are named 'a'"),
    ({"candidate": []}, "candidate= names no score to compare with 'a'"),
    ({"candidate": "scoer"}, "Column 'scoer' .* is not in the data"),
    ({"candidate": 3}, "candidate= takes a name or a list of names"),
    ({"baseline": None}, "compare needs baseline=, the name of the model"),
    ({"group": None}, "sqlmetrics.ndcg@10: needs group="),
    ({"metrics": "max_error"}, "'max_error' has no formula for its standard error; take another metric"),
    (
        {"metrics": "rmse", "test": "sign"},
        "test='sign' compares groups one by one, but a single group has no rmse",
    ),
    ({"metrics": "ndgc@10"}, "Unknown metric 'ndgc'"),
    ({"test": "z"}, "test: 'z' is not known. Allowed: .*t"),
    ({"correction": "bonferroni"}, "correction: 'bonferroni' is not known. Allowed: holm, bh"),
    ({"on_unpaired": "drop"}, "on_unpaired: 'drop' is not known. Allowed: error, intersection"),
    ({"interval": None}, "interval must be a number from 0.000001 to 0.999999, such as 0.95, got None"),
    ({"interval": 95}, "interval must be a number from 0.000001 to 0.999999"),
    ({"interval": 1e-12}, "interval must be a number from 0.000001 to 0.999999, such as 0.95, got 1e-12"),
    ({"interval": 1 - 1e-16}, "interval must be a number from 0.000001 to 0.999999"),
    ({"power": 1 - 1e-16}, "power must be a number from 0.5 to 0.999999"),
    ({"power": 0.1}, "power must be a number from 0.5 to 0.999999"),
    ({"power": True}, "power must be a number from 0.5 to 0.999999"),
    ({"power": "0.8"}, 'got the text "0.8"'),
    ({"n_resamples": "50"}, 'got the text "50"'),
]


@pytest.mark.parametrize(("facts", "message"), REFUSED)
def test_refused(facts: dict[str, Any], message: str) -> None:
    asked = {"metrics": "ndcg@10", "baseline": "a", "candidate": "b", **FACTS, **facts}
    with pytest.raises(sm.SqlMetricsError, match=message):
        sm.compare(drawn(14), **asked)


@pytest.mark.slow
def test_unpaired_lists_are_refused_until_told() -> None:
    rows = drawn(15)
    for row in rows:
        row["b"] = None if row["u"] in (3, 4) else row["b"]
    asked: dict[str, Any] = {"baseline": "a", "candidate": "b", **FACTS}
    with pytest.raises(sm.SqlMetricsError, match="NULL, NaN or infinite score"):
        sm.compare(rows, "mae", **asked)
    with pytest.raises(
        sm.SqlMetricsError, match=r"2 of 60 groups .* 'a' and 'b' alone; pass on_unpaired='intersection'"
    ):
        sm.compare(rows, "mae", on_bad_rows="drop", **asked)
    with pytest.raises(
        sm.SqlMetricsError, match=r"rmse .* alone, which cannot be taken over a part of the groups"
    ):
        sm.compare(rows, "rmse", on_bad_rows="drop", on_unpaired="intersection", **asked)
    by_slice = [{**row, "half": "first" if row["u"] < 30 else "second"} for row in rows]
    for total, told in ((True, "2 of 60 groups have"), (False, "2 of 30 groups where half='first' have")):
        with pytest.raises(sm.SqlMetricsError, match=told):
            sm.compare(by_slice, "mae", on_bad_rows="drop", by="half", total=total, **asked)
    report = sm.compare(rows, "mae", on_bad_rows="drop", on_unpaired="intersection", **asked)
    assert "groups left out, one of two models has no value there: 2" in repr(report)


def test_prediction_is_not_taken_in_dbt() -> None:
    with pytest.raises(
        sm.SqlMetricsError, match=r"compare takes no prediction=; leave it out\. It takes: .*, baseline,"
    ):
        macros("duckdb").compare("t", "mrr", "a", "b", prediction="c", **FACTS)


@pytest.mark.slow
def test_labels_may_be_booleans() -> None:
    rows = drawn(7)
    facts = {"baseline": "a", "candidate": "b", **FACTS}
    booleans = [{**row, "y": bool(row["y"])} for row in rows]
    [found], [expected] = (sm.compare(data, "auc", **facts).to_dicts() for data in (booleans, rows))
    for column, value in expected.items():
        assert found[column] == (pytest.approx(value, rel=1e-12) if isinstance(value, float) else value), (
            column
        )


@pytest.mark.slow
def test_data_without_a_row_are_said_to_be_so() -> None:
    table = pa.Table.from_pylist(drawn(7)).slice(0, 0)
    for group in ("u", None):
        with pytest.raises(sm.SqlMetricsError, match="The data has no row"):
            sm.compare(table, "brier", baseline="a", candidate="b", label="y", group=group)
