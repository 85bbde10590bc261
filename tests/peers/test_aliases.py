"""Each name that another library has for a metric, beside that library: with ties, empty lists and rare classes.

A name is asked without a convention and under one, whose options must not reach it. Libraries that are not installed
with the tests are represented by the formula that they document.
"""

from __future__ import annotations

import math
import re
import statistics
import warnings
from collections.abc import Callable
from typing import Any

import ir_measures
import numpy
import pytest
import pytrec_eval
import scipy.stats
import sklearn.metrics

import sqlmetrics as sm
from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.conventions import convention_names
from support.boosters import lightgbm_reports, xgboost_reports
from support.evaluated import evaluated
from support.peers import judged_and_listed, random_lists, rows_of
from support.seeds import seeds

SEEDS = seeds(5, 40)
LEVELS = (0.0, 0.1, 0.25, 0.5, 0.9, 1.0)
Values = dict[str, "float | None"]


def names(library: str) -> list[str]:
    """The names of a library, with 3 as their number and without one if it is optional."""
    known = [a.name for metric in catalog().values() for a in metric.aliases if a.library == library]
    assert known
    with_number = [re.sub(r"\[?@k\]?$", "@3", re.sub("([_^])k$", r"\g<1>3", name)) for name in known]
    return [*with_number, *(name.removesuffix("[@k]") for name in known if name.endswith("[@k]"))]


def compare(expected: Values, rows: list[dict], seed: int, tolerance: float = 1e-9, **facts: Any) -> None:
    """Each name against its value, without a convention and under one."""
    conventions = convention_names()
    facts = {"ties": "average", **facts}
    for convention in (None, conventions[seed % len(conventions)]):
        ours = evaluated(list(expected), rows, convention=convention, **facts)
        for name, value in expected.items():
            peer = None if value is None or math.isnan(value) else pytest.approx(value, tolerance, tolerance)
            assert ours[name] == peer, (name, convention)


def test_each_library_is_here():
    libraries = {alias.library for metric in catalog().values() for alias in metric.aliases}
    assert libraries == {
        "scikit-learn", "scikit-learn scorers", "LightGBM", "XGBoost", "SciPy", "ranx", "ir_measures", "trec_eval",
        "tau-bench", *FORMULAS, "RecTools", "RecBole", "BEIR",
    }  # fmt: skip


# --- rows

# Where scikit-learn has a number and the metric is null, as its page says.
NULL_HERE = {
    "average_precision_score": "nothing positive: 0 there",
    "balanced_accuracy_score": "one class: the mean over the classes that are there",
    "r2_score": "a constant label: 0 or 1 there",
}


def data_of_rows(seed: int) -> dict[str, numpy.ndarray]:
    """Labels, scores with ties, their decisions, positive targets and forecasts; some data lack a class."""
    draw = numpy.random.default_rng(seed)
    size = int(draw.integers(3, 60))
    y = (draw.random(size) < (0, 0.1, 0.5, 0.5, 1)[seed % 5]).astype(int)
    p = draw.integers(0, 5 if seed % 3 == 0 else 9, size) / 8
    t = draw.gamma(3, 1, size)
    return {"y": y, "p": p, "d": (p >= 0.5).astype(int), "t": t, "f": t * draw.uniform(0.5, 1.5, size)}


def rows_with(label: numpy.ndarray, score: numpy.ndarray) -> list[dict]:
    pairs = zip(label.tolist(), score.tolist(), strict=True)
    return [{"label": a, "score": b, "group": 0, "item": n} for n, (a, b) in enumerate(pairs)]


SCORED = {"roc_auc_score", "average_precision_score", "brier_score_loss"}
DECIDED = {
    "accuracy_score", "zero_one_loss", "hamming_loss", "balanced_accuracy_score", "cohen_kappa_score",
    "matthews_corrcoef", "f1_score", "precision_score", "recall_score", "jaccard_score",
}  # fmt: skip
OF_LISTS = {"ndcg_score@3", "ndcg_score", "dcg_score@3", "dcg_score"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_scikit_learn(seed):
    arrays = data_of_rows(seed)
    binary: Values = {}
    forecasts: Values = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in set(names("scikit-learn")) - OF_LISTS:
            label, score = ("yp" if name in SCORED else "yd") if name in SCORED | DECIDED else "tf"
            value = getattr(sklearn.metrics, name)(arrays[label], arrays[score])
            (forecasts if label == "t" else binary)[name] = float(value)
        binary["roc_auc"] = binary["roc_auc_score"]
    assert names("scikit-learn scorers") == ["roc_auc"]
    rows = rows_with(arrays["y"], arrays["p"])
    lacking = evaluated(list(binary), rows)
    compare({n: None if n in NULL_HERE and lacking[n] is None else v for n, v in binary.items()}, rows, seed)
    compare(forecasts, rows_with(arrays["t"], arrays["f"]), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_scikit_learn(seed):
    lists = random_lists(seed, grades=4, fewest=3)
    expected = {
        name: statistics.fmean(
            getattr(sklearn.metrics, name.partition("@")[0])([labels], [scores], k=3 if "@" in name else None)
            for labels, scores in lists.values()
        )
        for name in OF_LISTS
    }
    compare(expected, rows_of(lists), seed, group="group", item="item")


@pytest.mark.parametrize("seed", SEEDS)
def test_scipy(seed):
    arrays = data_of_rows(seed)
    expected = {
        name: getattr(scipy.stats, name)(arrays["t"], arrays["f"]).statistic for name in names("SciPy")
    }
    compare(expected, rows_with(arrays["t"], arrays["f"]), seed)


def certain_odds(seed: int) -> tuple[list[int], list[float], list[dict]]:
    """Labels, log odds of which some are so large that a loss is clipped, and the rows."""
    draw = numpy.random.default_rng(seed)
    label = draw.integers(0, 2, 30)
    odds = draw.choice([-60.0, -2.0, -0.5, 0.5, 2.0, 60.0], 30)
    return label.tolist(), odds.tolist(), rows_with(label, 1 / (1 + numpy.exp(-odds)))


@pytest.mark.parametrize("seed", SEEDS)
def test_lightgbm(seed):
    label, odds, rows = certain_odds(seed)
    expected = lightgbm_reports("binary", ["binary_logloss"], label, odds)
    expected |= lightgbm_reports("cross_entropy", ["cross_entropy"], label, odds)
    compare(expected, rows, seed, 1e-7)
    forecasts = lightgbm_reports("l2", ["l1", "l2"], label, odds)
    compare(forecasts, rows_with(numpy.array(label), numpy.array(odds)), seed, 1e-6)
    assert {*expected, *forecasts} == {*names("LightGBM")}


@pytest.mark.parametrize("seed", SEEDS)
def test_xgboost(seed):
    """In single precision."""
    assert names("XGBoost") == ["logloss"]
    label, odds, rows = certain_odds(seed)
    expected = xgboost_reports("binary:logistic", ["logloss"], label, odds)
    compare(expected, rows, seed, 1e-5)


def area_of_pairs(y, p):
    """The share of pairs of the two classes in order, a tie one half."""
    pairs = [(a > b) + (a == b) / 2 for a in p[y == 1] for b in p[y == 0]]
    return statistics.fmean(pairs) if pairs else None


def points(y, p):
    """Recall and precision from each score on."""
    return [(y[p >= s].sum() / y.sum(), y[p >= s].mean()) for s in sorted({*p.tolist()}, reverse=True)]


def area_of_steps(y, p):
    """The sum of precision times the growth of recall."""
    if not y.sum():
        return None
    at = points(y, p)
    return sum((r - before) * q for (r, q), (before, _) in zip(at, [(0, 0), *at], strict=False))


def area_of_trapezoids(y, p):
    """The area below the points joined by lines, from the first precision at recall 0 on."""
    if not y.sum():
        return None
    at = points(y, p)
    before = [(0, at[0][1]), *at]
    return sum((r - b) * (q + c) / 2 for (r, q), (b, c) in zip(at, before, strict=False))


def clipped_log_loss(y, p):
    """Keras clips probabilities to [1e-7, 1 - 1e-7]."""
    q = p.clip(1e-7, 1 - 1e-7)
    return float(-(y * numpy.log(q) + (1 - y) * numpy.log(1 - q)).mean())


def kappa(y, p):
    d = p >= 0.5
    chance = y.mean() * d.mean() + (1 - y.mean()) * (1 - d.mean())
    return None if chance == 1 else float(((y == d).mean() - chance) / (1 - chance))


def share_explained(t, f):
    return float(1 - ((t - f) ** 2).sum() / ((t - t.mean()) ** 2).sum())


#: By library and name: the formula, and the arrays that it takes.
FORMULAS: dict[str, dict[str, tuple[Callable[..., Any], str]]] = {
    "torchmetrics": {
        "AUROC": (area_of_pairs, "yp"),
        "cohen_kappa": (kappa, "yp"),
        "pearson_corrcoef": (lambda t, f: numpy.corrcoef(t, f)[0, 1], "tf"),
        "spearman_corrcoef": (
            lambda t, f: numpy.corrcoef(scipy.stats.rankdata(t), scipy.stats.rankdata(f))[0, 1], "tf"
        ),
        "kendall_rank_corrcoef": (lambda t, f: scipy.stats.kendalltau(t, f).statistic, "tf"),
    },
    "torcheval": {"AUPRC": (area_of_steps, "yp")},
    "Spark": {"areaUnderROC": (area_of_pairs, "yp"), "areaUnderPR": (area_of_trapezoids, "yp")},
    "evidently": {"RocAuc": (area_of_pairs, "yp"), "R2Score": (share_explained, "tf")},
    "Keras": {"binary_crossentropy": (clipped_log_loss, "yp")},
    "scoringrules": {"brier_score": (lambda y, p: float(((y - p) ** 2).mean()), "yp")},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_formulas_of_rows(seed):
    arrays = data_of_rows(seed)
    for library, formulas in FORMULAS.items():
        assert {*names(library)} == {*formulas}
    for used in ("yp", "tf"):
        label, score = (arrays[name] for name in used)
        given = {name: f for of in FORMULAS.values() for name, (f, takes) in of.items() if takes == used}
        compare({name: f(label, score) for name, f in given.items()}, rows_with(label, score), seed)


# --- lists: topic 0 has nothing relevant, the run lacks topic 6


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_ranx(seed):
    """Without ties, whose order ranx does not promise."""
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    qrels, run, facts = judged_and_listed(seed, levels=0)
    expected = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), names("ranx"), make_comparable=True)
    compare({name: float(value) for name, value in expected.items()}, seed=seed, **facts)


def test_tau_bench():
    """Its run.py takes the mean over tasks of C(c, k) / C(n, k), of n trials of a task of which c are right."""
    right = [5, 3, 0, 4, 2]
    rows = [{"task": task, "right": trial < c} for task, c in enumerate(right) for trial in range(5)]
    assert names("tau-bench") == ["pass^3"]
    expected = sum(math.comb(c, 3) / math.comb(5, 3) for c in right) / len(right)
    found = sm.evaluate(rows, ["pass^3", "pass@3"], label="right", group="task")
    assert found["pass_hat_3"] == [pytest.approx(expected, rel=1e-12)]


def hits_at(run: dict, judged: dict, k: int) -> int:
    best = sorted(run, key=run.get, reverse=True)[:k]
    return sum(judged.get(item, 0) > 0 for item in best)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_formulas_of_lists(seed):
    """The share of users with a hit, of those to whom something is relevant."""
    qrels, run, facts = judged_and_listed(seed, levels=0)
    users = [user for user, judged in qrels.items() if any(judged.values())]
    expected = {
        name: statistics.fmean(
            hits_at(run.get(user, {}), qrels[user], 3 if "@" in name else 99) > 0 for user in users
        )
        for name in names("RecTools") + names("RecBole")
    }
    assert names("BEIR") == ["R_cap@3"]
    expected["R_cap@3"] = statistics.fmean(
        hits_at(run.get(user, {}), qrels[user], 3) / min(3, sum(grade > 0 for grade in qrels[user].values()))
        for user in users
    )
    compare(expected, seed=seed, **facts)


SUBTOPICS = {"α_nDCG@3", "nERR_IA@3", "StRecall@3"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_ir_measures(seed):
    qrels, run, facts = judged_and_listed(seed, levels=5)
    taken = set(names("ir_measures")) - SUBTOPICS - {"IPrec@3"} | {f"IPrec@{x}" for x in LEVELS}
    values = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in taken], qrels, run)
    expected = {name: values[ir_measures.parse_measure(name)] for name in taken}
    # MS MARCO's script, which has RR with a cutoff, sorts tied items by their id, ascending; trec_eval descending
    compare({"RR@3": expected.pop("RR@3")}, seed=seed, **facts, ties="item")
    compare(expected, seed=seed, **facts, ties="text desc")


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_subtopics_of_ir_measures(seed):
    pytest.importorskip("pyndeval", reason="pyndeval, TREC's ndeval, is not installed")
    _, run, facts = judged_and_listed(seed, levels=5)
    truth = [
        {**row, "subtopic": subtopic}
        for n, row in enumerate(facts["truth"])
        for subtopic in "abcd"[n % 3 :: 2]
    ]
    qrels = [ir_measures.Qrel(r["group"], r["item"], r["label"], r["subtopic"]) for r in truth]
    asked = SUBTOPICS | {"alpha_nDCG@3", "ERR_IA@3"}
    values = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in asked], qrels, run)
    expected = {name: values[ir_measures.parse_measure(name)] for name in asked}
    facts |= {"truth": truth, "subtopic": "subtopic", "ties": "item"}
    compare({name: expected[name] for name in SUBTOPICS}, seed=seed, **facts)
    compare_namesakes(expected, **facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_namesakes_of_ir_measures(seed):
    qrels, run, facts = judged_and_listed(seed, levels=5)
    asked = ["nDCG", "nDCG@3", "Success@3", "Bpref", "infAP"]
    values = ir_measures.calc_aggregate([ir_measures.parse_measure(name) for name in asked], qrels, run)
    expected = {name: values[ir_measures.parse_measure(name)] for name in asked}
    compare_namesakes(expected, **facts, ties="text desc")


def compare_namesakes(expected: Values, **facts: Any) -> None:
    """What a note names as the library's definition of a name that differs from ours by case, beside the library."""
    notations = {
        re.sub(r"\[?@k\]?", at, a.name): re.sub(r"\[?@k\]?", at, a.notation or "")
        for metric in catalog().values()
        for a in metric.namesakes
        for at in ("", "@3")
    }
    known = {notations[name]: value for name, value in expected.items() if name in notations}
    assert known
    ours = evaluated(list(known), **facts)
    for notation, value in known.items():
        assert ours[notation] == pytest.approx(value, rel=1e-9, abs=1e-9), notation


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_trec_eval(seed):
    """pytrec_eval has version 9; names pin the recall levels of version 10."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    taken = set(names("trec_eval")) - {"iprec_at_recall_3"} | {f"iprec_at_recall_{x:.2f}" for x in LEVELS}
    asked = {re.sub(r"_(?=[0-9.]+$)", ".", name) for name in taken}
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    expected = {}
    for name in taken:
        values = [of_topic[name] for of_topic in by_topic.values()]
        of_version = f"{name}(reach=tenth)" if name.startswith(("iprec", "11pt")) else name
        expected[of_version] = (
            math.exp(statistics.fmean(values)) if name == "gm_map" else statistics.fmean(values)
        )
    compare(expected, seed=seed, **facts, ties="text desc")
    dotted = {re.sub(r"_(?=[0-9.]+$)", ".", name): v for name, v in expected.items() if "(" not in name}
    compare(dotted, seed=seed, **facts, ties="text desc")


def interpolated(run: dict, judged: dict, level: float) -> float:
    """The highest precision from where the hits reach the integer nearest to level times R, as in version 10."""
    order = sorted(run, key=lambda item: (run[item], item), reverse=True)
    relevant = sum(grade > 0 for grade in judged.values())
    hits = [sum(judged.get(item, 0) > 0 for item in order[:r]) for r in range(1, len(order) + 1)]
    needed = math.floor(level * relevant + 0.5)
    return max((h / r for r, h in enumerate(hits, 1) if relevant and h and h >= needed), default=0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_recall_levels_of_trec_eval_10(seed):
    qrels, run, facts = judged_and_listed(seed, levels=5)
    both = run.keys() & qrels.keys()
    expected = {
        f"iprec_at_recall_{x:.2f}": statistics.fmean(interpolated(run[t], qrels[t], x) for t in both)
        for x in LEVELS
    }
    expected["11pt_avg"] = statistics.fmean(
        interpolated(run[t], qrels[t], step / 10) for t in both for step in range(11)
    )
    compare(expected, seed=seed, **facts, ties="text desc")
