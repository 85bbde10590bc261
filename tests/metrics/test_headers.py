"""Direction, range and unit of every metric: present, of the vocabulary, and true of random data."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from typing import Any, get_args

import pytest

import sqlmetrics as sm
from sqlmetrics.book.catalog import Metric, catalog, curves
from sqlmetrics.book.headers import UNITS, Range, Unit, lines_of, parse_better, parse_range, parse_unit
from sqlmetrics.book.signatures import macros_of
from sqlmetrics.book.templates import sql_files

Call = tuple[list[dict[str, Any]], dict[str, Any]]  # rows, and the roles of their columns


def binary(draw: random.Random) -> Call:
    """A label of 0 and 1, and a probability that is often tied, 0 or 1; in some calls with weights."""
    rows = [
        {"y": draw.choice([0, 0, 1]), "s": draw.randrange(9) / 8, "w": draw.choice([0.5, 1, 3])}
        for _ in range(draw.randrange(1, 30))
    ]
    return rows, {"label": "y", "score": "s", **({"weight": "w"} if draw.random() < 0.5 else {})}


def decisions(draw: random.Random) -> Call:
    """The same for people of a few countries."""
    rows, roles = binary(draw)
    return [{**row, "country": draw.choice(["DE", "FR", None])} for row in rows], roles


def numbers(draw: random.Random) -> Call:
    """Labels and scores of either sign."""
    rows = [{"y": draw.gauss(1, 2), "s": draw.gauss(0, 2)} for _ in range(draw.randrange(2, 30))]
    return rows, {"label": "y", "score": "s"}


def amounts(draw: random.Random) -> Call:
    """Labels and scores above 0, some of them equal."""
    rows = [
        {"y": draw.randrange(1, 9) / 2, "s": draw.randrange(1, 9) / 2} for _ in range(draw.randrange(2, 30))
    ]
    return rows, {"label": "y", "score": "s"}


def lists(draw: random.Random) -> Call:
    """Lists of grades from 0 to 3, with ties and lists that have no relevant item."""
    pairs = itertools.product("abcdefg"[: draw.randrange(1, 7)], range(6))
    rows = [
        {"g": g, "i": i, "y": draw.choice([0, 0, 0, 1, 2, 3]), "s": draw.randrange(5)}
        for g, i in pairs
        if draw.random() < 0.7
    ] or [{"g": "a", "i": 1, "y": 1, "s": 1}]
    rows = [{**row, "propensity": (1, 0.5, 0.1)[row["i"] % 3]} for row in rows]
    ties = draw.choice(["average", "worst", "best", "item"])
    roles = {"label": "y", "score": "s", "group": "g", "item": "i", "max_grade": 3, "positive": 1}
    return rows, {**roles, "ties": ties}


def subtopics(draw: random.Random) -> Call:
    """Lists of items of which each is relevant for some of three subtopics; some relevant items are not listed."""
    truth = [
        {"g": g, "i": i, "y": draw.choice([0, 1]), "t": t}
        for g, i, t in itertools.product("abc", range(6), "xyz")
        if draw.random() < 0.6
    ]
    rows = [
        {"g": g, "i": i, "s": draw.random()}
        for g, i in itertools.product("abc", range(4))
        if draw.random() < 0.8
    ] or [{"g": "a", "i": 1, "s": 1.0}]
    return rows, {"label": "y", "score": "s", "group": "g", "item": "i", "truth": truth, "subtopic": "t"}


def examples(draw: random.Random) -> Call:
    """Three classes with a score for each example."""
    rows = []
    for example in range(draw.randrange(1, 15)):
        true = draw.choice("xyz")
        rows += [{"g": example, "i": c, "y": int(c == true), "s": draw.randrange(4) / 4} for c in "xyz"]
    return rows, {"label": "y", "score": "s", "group": "g", "item": "i"}


def recommendations(draw: random.Random) -> Call:
    """Lists of items of a catalog, and past interactions with some of the items."""
    rows = [
        {"g": g, "i": i, "s": draw.random(), "y": draw.choice([0, 1])}
        for g, i in itertools.product("abcd", range(6))
        if draw.random() < 0.6
    ] or [{"g": "a", "i": 1, "s": 1.0, "y": 1}]
    catalog = [{"i": i, "c": draw.choice("xyz")} for i in range(8)]
    history = [{"g": g, "i": i} for g, i in itertools.product("abce", range(8)) if draw.random() < 0.4]
    history = history or [{"g": "a", "i": 1}]
    roles = {"label": "y", "score": "s", "group": "g", "item": "i"}
    return rows, {**roles, "catalog": catalog, "history": history, "category": "c"}


def classes(draw: random.Random) -> Call:
    """Predicted classes."""
    rows = [{"y": draw.randrange(3), "p": draw.randrange(4)} for _ in range(draw.randrange(1, 20))]
    return rows, {"label": "y", "prediction": "p"}


def columns(draw: random.Random) -> Call:
    """Numbers with forecasts of intervals, quantiles and naive ones; ends may lie on labels."""
    rows = []
    for _ in range(draw.randrange(2, 30)):
        middle = draw.randrange(-4, 5) / 2
        low, high = middle - draw.randrange(3) / 2, middle + draw.randrange(3) / 2
        naive = {"last_week": draw.gauss(1, 2), "training_error": draw.choice([0.5, 2])}
        ends = {"low": low, "high": high, "q10": low, "q25": low, "q50": middle, "q75": high, "q90": high}
        rows.append({"y": draw.randrange(-4, 5) / 2, "s": middle, **ends, **naive})
    return rows, {"label": "y", "score": "s"}


def actions(draw: random.Random) -> Call:
    """Logged actions with rewards of 0 and 1, also as attempts at problems and as rows of an experiment."""
    rows = [
        {
            "y": draw.choice([0, 0, 1]),
            "s": draw.randrange(9) / 8,
            "g": draw.randrange(4),
            "propensity": draw.choice([0.1, 0.5, 1]),
            "predicted": draw.random(),
            "expected": draw.random(),
            "opponent": draw.randrange(9) / 8,
            "treated": draw.randrange(2),
        }
        for _ in range(draw.randrange(2, 30))
    ]
    return rows, {"label": "y", "score": "s", "group": "g"}


# The data of the metrics of each file, and notations beside the examples whose options change the range.
DATA: dict[Callable[[random.Random], Call], tuple[str, str]] = {
    binary: ("agreement calibration_error classification confusion levels probability thresholds", """
        auc(max_fpr=0.3) auc(bins=4) pr_auc(method=trapezoid,start=one) lift(share=0.9) ece(bins=3,equal=count)
        best_f_beta(beta=0.5) recall_at_precision(precision=0.5) tpr_at_fpr(fpr=0.6) log_loss(eps=0.1)
    """),
    numbers: ("correlation losses regression", """
        pinball(quantile=0.1) huber(delta=0.1) d2_pinball(quantile=0.3) smape wape mape
    """),
    amounts: ("deviance relative_error", """
        tweedie_deviance tweedie_deviance(power=2) tweedie_deviance(power=3) d2_tweedie(power=3) pearson spearman
    """),
    lists: ("cascade clicks graded judged ranking retrieval", """
        err@1 ndcg(ideal=full)@2 ndcg(ideal=listed) ndcg(gain=binary,ideal=cutoff)@3 dcg(log_base=e) cg@2
        map(denominator=cutoff)@4 map(denominator=relevant)@2 rbp(p=0.2) rbp_residual@2 q_measure(beta=5)
        precision(denominator=listed)@4 gauc(weight=pairs) recall@2 gmap(on_empty=zero)
        interpolated_precision(recall=0.7,reach=nearest)
    """),
    subtopics: ("diversity", "alpha_ndcg(ideal=cutoff)@2 err_ia(ideal=judged)@3 err_ia(ideal=cutoff)@2 err_ia"),
    decisions: ("fairness", "equalized_odds_ratio(sensitive=country,threshold=0.3)"),
    examples: ("multiclass multilabel prediction_sets", "multiclass_auc(method=ovo) multilabel_f1(average=weighted)"),
    recommendations: ("items", """
        exposure_gini@2 exposure_entropy@2 novelty@2 novelty(popularity=interactions) user_coverage@3
        long_tail_share(head=0.3)
    """),
    columns: ("forecasts", "wis(quantiles=0.5:q50)"),
    actions: ("attempts decisions policies uplift", "pass@5 uplift(treatment=treated,share=1) net_benefit"),
    classes: ("", """
        mcc kappa kappa(weights=linear) kappa(weights=quadratic) balanced_accuracy f1(average=macro)
        precision(average=micro) jaccard(average=weighted)
    """),
}  # fmt: skip
FILE_OF = {
    macro: path.removeprefix("metrics/").removesuffix(".sql")
    for path, text in sql_files().items()
    if path.startswith("metrics/")
    for macro in macros_of(text)
}
IN_PROSE = ("in [", "in (", ">= ", "<= ", "unbounded", "units of", "higher is", "lower is")


def ranges_of(data: Callable[[random.Random], Call]) -> dict[str, Range]:
    """Notations that read some data, and the range that each has."""
    files, further = (words.split() for words in DATA[data])
    ranges = {metric.example: metric.range for metric in catalog().values() if FILE_OF[metric.macro] in files}
    for notation in further:
        name = notation.split("(")[0].split("@")[0]
        found = [metric for metric in catalog().values() if metric.name == name]
        ranges[notation] = next((m for m in found if m.needs_cutoff == ("@" in notation)), found[0]).range
    return ranges


@pytest.mark.parametrize("metric", catalog().values(), ids=lambda metric: metric.macro)
def test_every_metric_has_direction_range_and_unit(metric: Metric) -> None:
    assert metric.range.low < metric.range.high
    assert metric.unit in UNITS
    target = metric.better.target
    assert (metric.better.direction == "nearer") == (target is not None)
    assert target is None or target in metric.range
    described = sm.describe(metric.notation)
    for line in (f"Better: {metric.better}", "Range: ", f"Unit: {metric.unit}"):
        assert f"\n{line}" in described
    assert metric.unit != "share" or metric.range.low in (-1, 0, 0.00001)


@pytest.mark.parametrize("metric", catalog().values(), ids=lambda metric: metric.macro)
def test_returns_leaves_range_and_unit_to_their_own_lines(metric: Metric) -> None:
    returns = metric.doc.split("\nReturns: ")[1].split("\nBetter:")[0]
    assert not [words for words in IN_PROSE if words in returns]


def test_the_vocabulary_is_closed_and_used() -> None:
    assert set(get_args(Unit)) == set(UNITS) == {metric.unit for metric in catalog().values()}


def test_known_metrics() -> None:
    known = {(m.name, m.needs_cutoff): (str(m.better), str(m.range), m.unit) for m in catalog().values()}
    assert known["log_loss", False] == ("lower", "[0, inf)", "nats")
    assert known["copc", False] == ("nearer 1", "[0, inf)", "none")
    assert known["bias", False] == ("nearer 0", "(-inf, inf)", "label")
    assert known["count", False] == ("none", "[0, inf)", "rows")
    assert known["recall", True] == ("higher", "[0, 1]", "share")
    assert known["err", False] == ("higher", "[0, 1)", "none")


@pytest.mark.slow
@pytest.mark.parametrize("data", DATA, ids=lambda data: data.__name__)
def test_values_lie_in_the_range(data: Callable[[random.Random], Call]) -> None:
    ranges = ranges_of(data)
    named = {f"m{i}": notation for i, notation in enumerate(ranges)}
    seen = dict.fromkeys(ranges, 0)
    for seed in range(6):
        rows, roles = data(random.Random(seed))
        [row] = sm.evaluate(rows, named, **roles).to_dicts()
        for name, notation in named.items():
            if (value := row[name]) is not None:
                seen[notation] += 1
                low, high = ranges[notation].low, ranges[notation].high
                # sums are rounded
                assert low - 1e-12 <= value <= high + 1e-12, (notation, seed)
                assert math.isfinite(value)
    assert not [notation for notation, times in seen.items() if not times]


def test_open_ends_are_not_reached() -> None:
    assert 1.0 in parse_range("[0, 1]")
    assert 1.0 not in parse_range("[0, 1)")
    assert 0.0 not in parse_range("(0, 1)")
    assert -1e300 in parse_range("(-inf, 1]")
    assert str(parse_range("[0.00001, 1]")) == "[1e-05, 1]"


@pytest.mark.parametrize("curve", curves().values(), ids=lambda curve: curve.name)
def test_a_curve_has_no_direction(curve: Metric) -> None:
    with pytest.raises(
        sm.SqlMetricsError, match=f"{curve.macro}: the comment above the macro has no line 'Better"
    ):
        assert curve.better


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_better, "upwards"),
        (parse_better, "nearer"),
        (parse_range, "[1, 0]"),
        (parse_range, "0 to 1"),
        (parse_range, "[0, one]"),
        (parse_unit, "percent"),
    ],
)
def test_other_words_are_refused(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match="must be"):
        parse(text)


def test_chance_is_the_value_of_a_random_score() -> None:
    drawn = random.Random(3)
    rows = [{"g": row // 20, "y": int(drawn.random() < 0.3), "p": drawn.random()} for row in range(8_000)]
    known = {metric.name: metric.chance for metric in catalog().values() if metric.chance is not None}
    assert "auc" in known
    [found] = sm.evaluate(rows, list(known), label="y", score="p", group="g").to_dicts()
    assert {name: found[name] for name in known} == pytest.approx(known, abs=0.03)


@pytest.mark.parametrize("macro", catalog())
def test_the_first_clause_of_undefined_has_every_reason(macro: str) -> None:
    """A note about a metric without a value quotes the first clause alone (results/undefined.py)."""
    for clause in lines_of(catalog()[macro].doc, "Undefined").split("; ")[1:]:
        assert not clause.startswith(("if ", "with "))
        assert "null" not in clause
