"""trec_eval, ir_measures, ranx and NTCIREVAL on random lists: the metrics beyond test_peers_of_rankings.py."""

import math
import random
import statistics

import ir_measures
import pytest
import pytrec_eval

from support.evaluated import evaluated
from support.peers import compare, judged_and_listed
from support.seeds import seeds

SEEDS = seeds(8)
LEVELS = [i / 10 for i in range(11)]


def trec_eval(qrels: dict, run: dict, measures: set[str], level: int) -> dict[str, dict]:
    """Values by measure and topic of those that are in both; a topic without a relevant item is there, as 0."""
    by_topic = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=level).evaluate(run)
    names = next(iter(by_topic.values()))
    return {name: {topic: values[name] for topic, values in by_topic.items()} for name in names}


@pytest.mark.parametrize("positive", [None, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_lists_against_trec_eval(seed, positive):
    """Ties by document, descending. Recall levels are rounded as in trec_eval 9."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    measures = {"Rprec", "bpref", "infAP", "iprec_at_recall", "11pt_avg", "gm_map", "success.5"}
    peer = trec_eval(qrels, run, measures, positive or 1)
    means = {name: statistics.fmean(of_topic.values()) for name, of_topic in peer.items()}
    expected = {
        "r_precision": means["Rprec"],
        "bpref": means["bpref"],
        "infap": means["infAP"],
        "interpolated_map(reach=tenth)": means["11pt_avg"],
        "success@5": means["success_5"],
        "gmap": math.exp(means["gm_map"]),
        **{
            f"interpolated_precision(recall={level},reach=tenth)": means[f"iprec_at_recall_{level:.2f}"]
            for level in LEVELS
        },
    }
    asked = {add(notation, "on_empty=zero,on_missing=skip"): value for notation, value in expected.items()}
    compare(asked, ties="item desc", positive=positive, **facts)


def test_recall_levels_are_compared_exactly():
    """Two of three relevant items are a recall below 0.7, which trec_eval 9 takes for reached: 2.1 + 0.9 < 3."""
    labels = [1, 0, 1, 0]
    rows = [{"group": "1", "item": f"d{i}", "score": -i} for i in range(4)]
    truth = [{"group": "1", "item": f"d{i}", "label": g} for i, g in enumerate([*labels, 1])]
    exact, tenth = (f"interpolated_precision(recall=0.7{reach})" for reach in ("", ",reach=tenth"))
    ours = evaluated([exact, tenth], rows, truth, group="group", item="item")
    qrels = {"1": {row["item"]: row["label"] for row in truth}}
    peer = trec_eval(qrels, {"1": {row["item"]: row["score"] for row in rows}}, {"iprec_at_recall"}, 1)
    assert ours == {exact: 0, tenth: pytest.approx(2 / 3)}
    assert peer["iprec_at_recall_0.70"]["1"] == ours[tenth]


def add(notation: str, options: str) -> str:
    """A notation with further options."""
    name, at, k = notation.partition("@")
    if name.endswith(")"):
        return f"{name[:-1]},{options}){at}{k}"
    return f"{name}({options}){at}{k}"


@pytest.mark.parametrize("seed", SEEDS)
def test_pools_of_which_a_part_is_judged_against_trec_eval(seed):
    """A label of -1 marks what was pooled and not judged."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    draw = random.Random(seed)
    hidden = {topic: {item for item in judged if draw.random() < 0.3} for topic, judged in qrels.items()}
    qrels = {t: {i: -1 if i in hidden[t] else g for i, g in judged.items()} for t, judged in qrels.items()}
    facts["truth"] = [
        {"group": t, "item": i, "label": g} for t, judged in qrels.items() for i, g in judged.items()
    ]
    peer = trec_eval(qrels, run, {"bpref", "infAP", "map"}, 1)
    expected = {
        "bpref(on_empty=zero,on_missing=skip)": statistics.fmean(peer["bpref"].values()),
        "infap(on_empty=zero,on_missing=skip)": statistics.fmean(peer["infAP"].values()),
        "map(denominator=relevant,on_empty=zero,on_missing=skip)": statistics.fmean(peer["map"].values()),
    }
    compare(expected, ties="item desc", **facts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_judged_against_ir_measures(seed):
    """It breaks ties by document, ascending, and gives no value to a list that was not predicted."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    cutoffs = {k: ir_measures.Judged @ k for k in (1, 3, 10, 100)}
    values = {measure: [] for measure in cutoffs.values()}
    for metric in ir_measures.judged.iter_calc(list(values), qrels, run):
        if metric.query_id in run:
            values[metric.measure].append(metric.value)
    expected = {f"judged@{k}": statistics.fmean(values[measure]) for k, measure in cutoffs.items()}
    compare(expected, ties="item", **facts)
    unjudged = sum(item not in qrels[t] for t, listed in run.items() if t in qrels for item in listed)
    whole = evaluated(["judged(average=micro)"], facts.pop("rows"), **facts)["judged(average=micro)"]
    listed = sum(len(items) for t, items in run.items() if t in qrels)
    assert whole == pytest.approx(1 - unjudged / listed, rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_listed_gains_against_trec_eval(seed):
    qrels, run, facts = judged_and_listed(seed, levels=5)
    gains = {0: 0, 1: 1, 2: 5, 3: 50}
    measures = {
        f"ndcg(gain=0:1:5:50,on_empty=zero){at}": measure
        for at, measure in {
            "": ir_measures.nDCG(gains=gains),
            "@3": ir_measures.nDCG(gains=gains) @ 3,
        }.items()
    }
    values = ir_measures.pytrec_eval.calc_aggregate(list(measures.values()), qrels, run)
    expected = {notation: values[measure] for notation, measure in measures.items()}
    compare(expected, ties="item desc", **facts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_lists_without_ties_against_ranx(seed):
    ranx = pytest.importorskip("ranx")
    qrels, run, facts = judged_and_listed(seed, levels=0)
    lists = [topic for topic in qrels if topic in run and any(qrels[topic].values())]
    relevant = {t: {item: grade for item, grade in qrels[t].items() if grade} for t in lists}
    names = {"r_precision": "r-precision"} | {f"rbp(p=0.{p})": f"rbp.{p}" for p in (50, 80, 95)}
    names |= {f"f1@{k}": f"f1@{k}" for k in (1, 3, 10)}
    listed = ranx.Run({t: run[t] for t in lists})
    by_list = ranx.evaluate(ranx.Qrels(relevant), listed, list(names.values()), return_mean=False)
    expected = {notation: statistics.fmean(by_list[name]) for notation, name in names.items()}
    for k in (3, 10):
        values = [float(value) for value in by_list[f"f1@{k}"]]
        of = {"std": statistics.pstdev, "median": statistics.median, "min": min, "max": max}
        expected |= {f"f1(average={name})@{k}": function(values) for name, function in of.items()}
    # Its gains are the labels themselves, where RBP is of gains up to 1.
    expected |= {notation: value / 3 for notation, value in expected.items() if "rbp" in notation}
    facts["truth"] = [row for row in facts["truth"] if row["group"] in lists]
    compare(expected, max_grade=3, **facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_q_measure_and_rbp_against_ntcireval(seed):
    metrics = pytest.importorskip("pyNTCIREVAL.metrics")
    labeler = pytest.importorskip("pyNTCIREVAL").Labeler
    qrels, run, facts = judged_and_listed(seed, levels=0)
    lists = [topic for topic in qrels if topic in run and any(qrels[topic].values())]
    facts["truth"] = [row for row in facts["truth"] if row["group"] in lists]
    values: dict[str, list[float]] = {}
    for topic in lists:
        labels = labeler(qrels[topic])
        counts = labels.compute_per_level_doc_num(4)
        ranked = labels.label(sorted(run[topic], key=run[topic].get, reverse=True))
        peers = {
            "q_measure": metrics.QMeasure(counts, [1, 2, 3], beta=1.0),
            "q_measure(beta=0.5,gain=0:1:5:10)": metrics.QMeasure(counts, [1, 5, 10], beta=0.5),
            "q_measure(beta=10,gain=exponential)": metrics.QMeasure(counts, [1, 3, 7], beta=10.0),
        }
        for notation, metric in peers.items():
            values.setdefault(notation, []).append(metric.compute(ranked))
    compare({notation: statistics.fmean(of_lists) for notation, of_lists in values.items()}, **facts)
