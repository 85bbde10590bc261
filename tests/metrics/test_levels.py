"""Metrics of score levels and bins: scikit-learn on random rows, published definitions, bounds and invariances."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn

import oracles
import sqlmetrics as sm
from conformance.cases.levels import CALIBRATION, LEVELS, ORDER
from conformance.cases.tables import TIED, UNTIED, weighted
from support.engines import Engine
from support.evaluated import evaluated_each
from support.peers import as_rows, compare, random_rows
from support.properties import some, tables
from support.seeds import seeds

SEEDS = seeds(8)
ROLES = {"label": "label", "score": "score"}
row_lists = st.lists(
    st.fixed_dictionaries(
        {
            "label": st.sampled_from([0, 0, 1]),
            "score": st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.3, 0.5, 1.0]),
            "w": st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0]),
        }
    ),
    min_size=1,
    max_size=30,
)


def same(one: dict[str, float | None], other: dict[str, float | None], rel: float) -> None:
    for notation, value in one.items():
        assert other[notation] == (None if value is None else pytest.approx(value, rel=rel, abs=1e-12)), (
            notation
        )


def best(scores: numpy.ndarray, thresholds: numpy.ndarray) -> tuple[float, float]:
    """The greatest value and the highest threshold that reaches it."""
    return scores.max(), thresholds[numpy.isclose(scores, scores.max(), rtol=1e-12, atol=0)].max()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_against_scikit_learn(seed: int, weighted: bool) -> None:
    data = random_rows(seed)
    label, score = data["label"], data["score"]
    if not 0 < label.sum() < label.size:
        pytest.skip("one class")
    weights = {"sample_weight": data["weight"]} if weighted else {}
    fpr, tpr, of_roc = sklearn.roc_curve(label, score, drop_intermediate=False, **weights)
    precision, recall, thresholds = sklearn.precision_recall_curve(label, score, **weights)
    with numpy.errstate(invalid="ignore"):
        f1 = numpy.nan_to_num(2 * precision * recall / (precision + recall))[:-1]
        f2 = numpy.nan_to_num(5 * precision * recall / (4 * precision + recall))[:-1]
    expected = {
        **{
            f"auc(max_fpr={m})": sklearn.roc_auc_score(label, score, max_fpr=m, **weights)
            for m in (0.05, 0.2, 0.7, 1)
        },
        "gini": 2 * sklearn.roc_auc_score(label, score, **weights) - 1,
        "pr_auc": sklearn.average_precision_score(label, score, **weights),
        "pr_auc(method=trapezoid,start=one)": sklearn.auc(recall, precision),
        "pr_auc(method=trapezoid)": sklearn.auc(recall, [*precision[:-1], precision[-2]]),
        "ks": max(abs(tpr - fpr)),
        "ks_threshold": best(abs(tpr - fpr)[1:], of_roc[1:])[1],
        **dict(zip(("best_f1", "best_f1_threshold"), best(f1, thresholds), strict=True)),
        **dict(
            zip(("best_f_beta(beta=2)", "best_f_beta_threshold(beta=2)"), best(f2, thresholds), strict=True)
        ),
        # torchmetrics: RecallAtFixedPrecision, PrecisionAtFixedRecall, SensitivityAtSpecificity, over the same curves
        "recall_at_precision(precision=0.55)": recall[precision >= 0.55].max(),
        "precision_at_recall(recall=0.55)": precision[:-1][recall[:-1] >= 0.55].max(),
        "tpr_at_fpr(fpr=0.35)": tpr[fpr <= 0.35].max(),
    }
    compare(expected, as_rows(data), weight="weight" if weighted else None)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_top_share_without_ties(seed: int) -> None:
    """Without ties and with a whole number of rows, capture, lift and break-even are counts in the top k."""
    draw = numpy.random.default_rng(seed)
    label, score = draw.integers(0, 2, 40), draw.permutation(40) / 40
    ranked, positives = label[numpy.argsort(-score)], label.sum()
    expected = {
        "capture(share=0.25)": ranked[:10].sum() / positives,
        "lift(share=0.25)": ranked[:10].mean() / label.mean(),
        "break_even": ranked[:positives].sum() / positives,
    }
    compare(expected, as_rows({"label": label, "score": score}))


@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_error_as_torchmetrics_has_it(seed: int) -> None:
    """Its published definition: bins by linspace edges, then accuracy, confidence and share of each."""
    draw = numpy.random.default_rng(seed)
    score, label = draw.random(200), draw.integers(0, 2, 200)
    bin_of = numpy.searchsorted(numpy.linspace(0, 1, 16), score, side="right") - 1
    share, gap = numpy.zeros(15), numpy.zeros(15)
    for number in set(bin_of):
        inside = bin_of == number
        share[number], gap[number] = inside.mean(), abs(label[inside].mean() - score[inside].mean())
    compare(
        {
            "ece(bins=15)": (share * gap).sum(),
            "mce(bins=15)": gap.max(),
            "rms_calibration_error(bins=15)": (share * gap**2).sum() ** 0.5,
        },
        as_rows({"label": label, "score": score}),
    )


BOUNDED = ["auc", "gini", "ks", "average_precision", "pr_auc", "pr_auc(method=trapezoid)", "auc(max_fpr=0.3)"]


@pytest.mark.slow
@pytest.mark.parametrize("bins", [1, 2, 3, 10, 1000])
@pytest.mark.parametrize("weight", [None, "w"])
@some
@given(tables(row_lists))
def test_error_bounds_hold(bins: int, weight: str | None, tables: list[list[dict]]) -> None:
    binned = {n: f"{n.removesuffix(')')}{',' if '(' in n else '('}bins={bins})" for n in BOUNDED}
    exact = evaluated_each(BOUNDED, tables, weight=weight)
    named = {f"m{i}": notation for i, notation in enumerate(binned.values())}
    rows = [{**row, "table": number} for number, rows in enumerate(tables) for row in rows]
    report = sm.evaluate(rows, named, **ROLES, weight=weight, by="table", total=False)
    for found, right in zip(report.to_dicts(), exact, strict=True):
        for name, notation in zip(named, binned, strict=True):
            value, bound = found[name], found[f"{name}_error_bound"]
            assert (value is None) == (right[notation] is None) == (bound is None)
            if value is not None:
                assert bound >= -1e-12
                assert abs(value - right[notation]) <= bound + 1e-12, notation


@pytest.mark.parametrize("rows", [UNTIED, TIED, weighted(UNTIED), weighted(TIED)])
def test_error_bounds_hold_on_every_engine(rows: list[dict], engine: Engine) -> None:
    weight = "w" if "w" in rows[0] else None
    named = {n: f"{n}(bins=3)" for n in ("auc", "gini", "ks", "average_precision")}
    sql = sm.render("predictions", named, dialect=engine.dialect, **ROLES, weight=weight)
    [found] = engine.query(sql, {"predictions": rows})
    for name in named:
        exact = oracles.value(name, rows, weight=weight)
        assert abs(found[name] - exact) <= found[f"{name}_error_bound"] + 1e-12
        assert found[f"{name}_error_bound"] < 1


def test_the_error_bound_of_precisions_looks_both_ways() -> None:
    """With the negative row of the lower bin first, average precision is far below that of the bins."""
    rows = [{"label": 0, "score": 0.9}] * 3 + [{"label": 0, "score": 0.45}]
    rows += [{"label": 1, "score": score} for score in (0.4, 0.35, 0.3)]
    [found] = sm.evaluate(
        rows, {"exact": "average_precision", "x": "average_precision(bins=2)"}, **ROLES
    ).to_dicts()
    assert found["x"] - found["exact"] == pytest.approx(3 / 7 - (1 / 5 + 2 / 6 + 3 / 7) / 3)
    assert found["x"] - found["exact"] <= found["x_error_bound"]


@pytest.mark.slow
def test_error_bounds_shrink_with_the_bins() -> None:
    draw = numpy.random.default_rng(1)
    rows = as_rows({"score": draw.random(3000), "label": draw.integers(0, 2, 3000)})
    for name in ("auc", "gini", "ks", "average_precision"):
        few, many = (values_of_bounds(rows, name, bins) for bins in (10, 1000))
        assert few < 0.25
        assert many < few / 20


def values_of_bounds(rows: list[dict], name: str, bins: int) -> float:
    report = sm.evaluate(rows, {"x": f"{name}(bins={bins})"}, **ROLES)
    return report.to_dicts()[0]["x_error_bound"]


def test_an_error_bound_is_a_column_beside_its_metric() -> None:
    rows = [{"label": 1, "score": 0.5}, {"label": 0, "score": 0.2}]
    report = sm.evaluate(rows, ["auc(bins=2)", "ks"], **ROLES)
    assert report.columns[-3:] == ["auc_bins_2", "auc_bins_2_error_bound", "ks"]
    for first, second in (
        (("a", "auc(bins=2)"), ("a_error_bound", "ks")),
        (("a_error_bound", "ks"), ("a", "auc(bins=2)")),
    ):
        with pytest.raises(sm.SqlMetricsError, match="would be named 'a_error_bound'"):
            sm.evaluate(rows, dict([first, second]), **ROLES)


@pytest.mark.slow
@some
@given(tables(row_lists), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(tables: list[list[dict]], draw: Any) -> None:
    shuffled = [draw.sample(rows, len(rows)) for rows in tables]
    found = evaluated_each(LEVELS, [*tables, *shuffled], weight="w")
    for one, other in zip(found[: len(tables)], found[len(tables) :], strict=True):
        same(one, other, rel=1e-9)


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_a_weight_of_two_is_the_row_twice(tables: list[list[dict]]) -> None:
    """A weight of 0 is the row left out, as long as something is left."""
    weighed = [[{**row, "w": (i + 1) % 3} for i, row in enumerate(rows)] for rows in tables]
    repeated = [[row for row in rows for _ in range(row["w"])] for rows in weighed]
    for one, other in zip(
        evaluated_each(LEVELS, weighed, weight="w"), evaluated_each(LEVELS, repeated), strict=True
    ):
        same(one, other, rel=1e-9)


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_a_monotone_map_of_scores_keeps_what_reads_only_their_order(tables: list[list[dict]]) -> None:
    coarse = [[{**row, "score": round(row["score"], 3)} for row in rows] for rows in tables]
    mapped = [[{**row, "score": math.exp(3 * row["score"]) - 7} for row in rows] for rows in coarse]
    found = evaluated_each(ORDER, [*coarse, *mapped])
    for one, other in zip(found[: len(tables)], found[len(tables) :], strict=True):
        same(one, other, rel=1e-12)


@pytest.mark.slow
@some
@given(tables(row_lists))
def test_ranges(tables: list[list[dict]]) -> None:
    for found in evaluated_each([*ORDER, *CALIBRATION], tables):
        for notation, value in found.items():
            if value is not None:
                assert (-1 if notation == "gini" else 0) - 1e-12 <= value, notation
                assert value <= 1 + 1e-12 or notation.startswith("lift"), notation


@pytest.mark.parametrize(
    ("notation", "message"),
    [
        ("auc(max_fpr=0)", "max_fpr must be a number"),
        ("auc(max_fpr=2)", "max_fpr must be a number"),
        ("auc(bins=0)", "bins must be an integer >= 1"),
        ("auc(bins=2.5)", "bins must be an integer >= 1"),
        ("pr_auc(method=spline)", "method must be one of step, trapezoid"),
        ("pr_auc(start=zero)", "start must be one of first, one"),
        ("best_f_beta(beta=-1)", "beta must be a number >= 0"),
        ("recall_at_precision(precision=80)", "precision must be a number"),
        ("precision_at_recall(recall=-0.1)", "recall must be a number"),
        ("tpr_at_fpr(fpr=x)", "fpr must be a number"),
        ("lift(share=0)", "share must be a number"),
        ("capture(share=10)", "share must be a number"),
        ("ece(equal=size)", "equal must be one of width, count"),
        ("mce(bins=none)", "bins must be an integer"),
    ],
)
def test_mistakes(notation: str, message: str) -> None:
    with pytest.raises(sm.SqlMetricsError) as error:
        sm.evaluate([{"label": 1, "score": 0.5}], notation, **ROLES)
    assert message in str(error.value)


@pytest.mark.parametrize(
    "notation", ["auc(bins=10)", "ks(bins=10)", "average_precision(bins=10)", "ece", "mce(equal=count)"]
)
def test_bins_take_probabilities(notation: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=r"1 row.* outside \[0, 1\], such as 1.5"):
        sm.evaluate([{"label": 1, "score": 1.5}, {"label": 0, "score": 0.5}], notation, **ROLES)


@pytest.mark.parametrize("score", [1e300, -1e300, 1.5])
def test_a_score_that_is_no_probability_gives_null_and_a_count(score: float, engine: Engine) -> None:
    metrics = {f"m{i}": n for i, n in enumerate(("auc(bins=10)", "ks(bins=10)", "ece", "mce(equal=count)"))}
    sql = sm.render("predictions", metrics, dialect=engine.dialect, **ROLES)
    [row] = engine.query(sql, {"predictions": [{"label": 1, "score": score}, {"label": 0, "score": 0.5}]})
    assert row["rows_not_probability"] == 1
    assert [row[name] for name in metrics] == [None] * 4


def test_equal_scores_share_a_bin() -> None:
    rows = [{"label": i % 2, "score": s} for i, s in enumerate([0.1] * 7 + [0.2, 0.3, 0.9])]
    found = sm.curve(rows, "calibration(bins=5, equal=count)", **ROLES).to_dicts()
    assert [(point["bin"], point["bin_rows"]) for point in found] == [(1, 7), (4, 1), (5, 2)]
