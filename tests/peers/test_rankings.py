"""trec_eval, gdeval, ranx and LightGBM on the same random lists, under options that match their conventions.

Scores are few multiples of 1/8: ties are many, and the same in the single precision of trec_eval. There are
lists without a relevant item, lists that were not predicted and lists that were not judged.
"""

import shutil
import statistics

import ir_measures
import lightgbm
import numpy
import pytest

from support.peers import compare, judged_and_listed, random_lists, rows_of
from support.seeds import seeds

SEEDS = seeds(8)


@pytest.mark.slow
@pytest.mark.parametrize("positive", [None, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_ranking_against_trec_eval(seed, positive):
    """Ties by document, descending; a list without a relevant item, or not predicted, counts 0."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    m, rel = ir_measures, positive or 1
    peers = {
        "map(denominator=relevant,on_empty=zero)": m.AP(rel=rel),
        "mrr(on_empty=zero)": m.RR(rel=rel),
        "ndcg(gain=linear,on_empty=zero)": m.nDCG,
        # a judged item of label 0 gains 1, an item that nobody judged gains nothing
        "ndcg(gain=1:2:4:8,on_empty=zero)": m.nDCG(gains={0: 1, 1: 2, 2: 4, 3: 8}),
    }
    for k in (1, 3, 10, 100):
        peers |= {
            f"map(denominator=relevant,on_empty=zero)@{k}": m.AP(rel=rel) @ k,
            f"ndcg(gain=linear,on_empty=zero)@{k}": m.nDCG @ k,
            f"precision(on_empty=zero)@{k}": m.P(rel=rel) @ k,
            f"recall(on_empty=zero)@{k}": m.R(rel=rel) @ k,
            f"hit_rate(on_empty=zero)@{k}": m.Success(rel=rel) @ k,
        }
    values = ir_measures.pytrec_eval.calc_aggregate(list(peers.values()), qrels, run)
    expected = {notation: values[measure] for notation, measure in peers.items()}
    compare(expected, ties="item desc", positive=positive, **facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_in_both_tables_against_trec_eval(seed):
    """With its own empty lists left out, and without the list that was not predicted."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    per_list = ir_measures.pytrec_eval.iter_calc([ir_measures.AP, ir_measures.nDCG @ 5], qrels, run)
    values = {}
    for metric in per_list:
        if metric.query_id in run and any(qrels[metric.query_id].values()):
            values.setdefault(metric.measure, []).append(metric.value)
    expected = {
        "map(denominator=relevant,on_missing=skip)": statistics.fmean(values[ir_measures.AP]),
        "ndcg(gain=linear,on_missing=skip)@5": statistics.fmean(values[ir_measures.nDCG @ 5]),
    }
    compare(expected, ties="item desc", **facts)


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval, the reference of ERR, is a Perl script")
@pytest.mark.parametrize("seed", range(5))
def test_err_against_gdeval(seed):
    """Gdeval takes 4 as the highest grade, breaks ties by document, descending, and prints five decimals."""
    qrels, run, facts = judged_and_listed(seed, levels=5, grades=4)
    asked = {3: ir_measures.ERR @ 3, 20: ir_measures.ERR @ 20}
    graded = {3: ir_measures.parse_measure("nDCG(dcg='exp-log2')@3")}
    peer = ir_measures.gdeval.calc_aggregate([*asked.values(), *graded.values()], qrels, run)
    expected = {f"err(on_empty=zero)@{k}": peer[measure] for k, measure in asked.items()}
    expected |= {f"ndcg(on_empty=zero)@{k}": peer[measure] for k, measure in graded.items()}
    compare(expected, tolerance=1e-5, max_grade=4, ties="item desc", **facts)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_ranking_without_ties_against_ranx(seed):
    ranx = pytest.importorskip("ranx")
    qrels, run, facts = judged_and_listed(seed, levels=0)
    # ranx takes no list without a relevant item and the same lists on both sides.
    lists = [topic for topic in qrels if topic in run and any(qrels[topic].values())]
    relevant = {t: {item: grade for item, grade in qrels[t].items() if grade} for t in lists}
    names = {
        "mrr": "mrr",
        "map(denominator=relevant)": "map",
        "ndcg(gain=linear)": "ndcg",
        "ndcg": "ndcg_burges",
    }
    for k in (1, 3, 10):
        names |= {
            f"mrr@{k}": f"mrr@{k}",
            f"map(denominator=relevant)@{k}": f"map@{k}",
            f"ndcg(gain=linear)@{k}": f"ndcg@{k}",
            f"ndcg@{k}": f"ndcg_burges@{k}",
            f"precision@{k}": f"precision@{k}",
            f"recall@{k}": f"recall@{k}",
            f"hit_rate@{k}": f"hit_rate@{k}",
        }
    peer = ranx.evaluate(ranx.Qrels(relevant), ranx.Run({t: run[t] for t in lists}), list(names.values()))
    facts["truth"] = [row for row in facts["truth"] if row["group"] in lists]
    compare({notation: peer[name] for notation, name in names.items()}, **facts)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_ranking_against_lightgbm(seed, weighted):
    """As LightGBM reports it in training: input order breaks ties, an empty list counts 1."""
    lists = random_lists(seed, grades=4, fewest=6, longest=30)
    if weighted:
        # LightGBM adds its 1 without the list's weight, which no option of ours repeats.
        lists = {group: of_list for group, of_list in lists.items() if any(of_list[0])}
    weights = {group: number % 4 + 1 if weighted else 1 for number, group in enumerate(lists)}
    sizes = [len(labels) for labels, _ in lists.values()]
    data = lightgbm.Dataset(
        numpy.random.default_rng(seed).integers(0, 3, (sum(sizes), 2)).astype(float),
        [label for labels, _ in lists.values() for label in labels],
        group=sizes,
        weight=numpy.repeat(list(weights.values()), sizes) if weighted else None,
        free_raw_data=False,
    )
    parameters = {
        "objective": "lambdarank",
        "metric": ["ndcg", "map"],
        "eval_at": [1, 3, 10],
        "min_data_in_leaf": 1,
        "min_data_in_bin": 1,
        "min_sum_hessian_in_leaf": 0,
        "num_threads": 1,
        "verbosity": -1,
    }
    reported = {}
    model = lightgbm.train(
        parameters,
        data,
        num_boost_round=3,
        valid_sets=[data],
        valid_names=["data"],
        callbacks=[lightgbm.record_evaluation(reported)],
    )
    scores = iter(model.predict(data.get_data(), raw_score=True).tolist())
    predicted = {group: (labels, [next(scores) for _ in labels]) for group, (labels, _) in lists.items()}
    rows = [{**row, "weight": weights[row["group"]]} for row in rows_of(predicted)]
    expected = {
        notation.replace("@", "(on_empty=one)@"): by_round[-1]
        for notation, by_round in reported["data"].items()
    }
    compare(expected, rows, group="group", item="item", ties="item", weight="weight")
