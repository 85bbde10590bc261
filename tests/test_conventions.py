"""Each convention against the library it is named after, run on the same random data."""

import pytest
import pytrec_eval

import sqlmetrics as sm
from evaluated import evaluated
from peers import compare
from test_peers_of_rankings import judged_and_listed

CUTOFFS = (1, 3, 10, 100)


@pytest.mark.parametrize("positive", [None, 2])
@pytest.mark.parametrize("seed", range(15))
def test_trec_eval(seed, positive):
    """trec_eval takes the topics that are in both files."""
    qrels, run, facts = judged_and_listed(seed, levels=5)
    names = {"map": "map", "mrr": "recip_rank", "ndcg": "ndcg"}
    for k in CUTOFFS:
        names |= {
            f"map@{k}": f"map_cut_{k}", f"ndcg@{k}": f"ndcg_cut_{k}", f"precision@{k}": f"P_{k}",
            f"recall@{k}": f"recall_{k}", f"hit_rate@{k}": f"success_{k}",
        }  # fmt: skip
    cut = ",".join(map(str, CUTOFFS))
    measures = {
        "map",
        "recip_rank",
        "ndcg",
        *(f"{m}.{cut}" for m in ("map_cut", "ndcg_cut", "P", "recall", "success")),
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, measures, relevance_level=positive or 1)
    topics = evaluator.evaluate(run).values()
    expected = {ours: sum(topic[peer] for topic in topics) / len(topics) for ours, peer in names.items()}
    compare(expected, convention="trec_eval", positive=positive, **facts)


def test_what_is_written_beats_the_convention():
    rows = [{"g": "a", "i": i, "label": y, "score": 0.5} for i, y in ((1, 0), (2, 2), (3, 1))]
    facts = {"group": "g", "item": "i"}
    asked = "ndcg(gain=exponential)@2"
    under = evaluated([asked], rows, convention="trec_eval", **facts)
    assert under == evaluated([asked], rows, ties="item desc", **facts)
    worst = evaluated(["ndcg@2"], rows, convention="trec_eval", ties="worst", **facts)
    assert (
        worst["ndcg@2"]
        == evaluated(["ndcg(gain=linear)@2"], rows, ties="worst", **facts)["ndcg(gain=linear)@2"]
    )


def test_a_metric_that_the_library_lacks_keeps_its_defaults_and_is_noted():
    rows = [{"g": "a", "i": i, "label": i % 2, "score": 0.5} for i in range(4)]
    report = sm.evaluate(
        rows, ["mrr", "gauc"], label="label", score="score", group="g", item="i", convention="trec_eval"
    )
    assert report.notes() == ["not in trec_eval, by our defaults: gauc"]
