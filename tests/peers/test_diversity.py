"""TREC's ndeval on random lists whose items serve several subtopics, list by list."""

import random

import pytest

import sqlmetrics as sm
from support.seeds import seeds

SEEDS = seeds(12, 80)
CUTOFFS = (1, 2, 3, 5, 10, 20)
# Powers of these are exact in floats: elsewhere ndeval lets rounding choose between equal gains.
ALPHAS = (0.5, 0.5, 0.25, 0.75, 0, 1)


@pytest.fixture(scope="module")
def pyndeval():
    return pytest.importorskip("pyndeval", reason="pyndeval, TREC's ndeval, is not installed")


def judged_and_listed(seed: int) -> tuple[list[dict], list[dict]]:
    """Lists with many ties and judgements of a part of their items, of which TREC's -1 is one.

    Topics 0 to 5 are in both, 6 was not predicted, 7 was not judged; topic 0 has no relevant item.
    """
    draw = random.Random(seed)
    items = [f"d{i}" for i in range(25)]
    truth = [
        {
            "topic": str(t),
            "doc": doc,
            "subtopic": subtopic,
            "label": draw.choice([-1, 0, 0, 1, 1, 2] if t else [-1, 0]),
        }
        for t in range(7)
        for doc in draw.sample(items, draw.randint(1, 18))
        for subtopic in draw.sample("abcdef", draw.randint(1, 4))
    ]
    rows = [
        {"topic": str(t), "doc": doc, "score": draw.randrange(5) / 8}
        for t in (0, 1, 2, 3, 4, 5, 7)
        for doc in draw.sample(items, draw.randint(1, 22))
    ]
    return rows, truth


def ndeval(pyndeval, rows, truth, measures, level=1, alpha=0.5) -> dict[str, dict[str, float]]:
    """Values by topic and measure; topics that were not predicted are not there."""
    qrels = [(row["topic"], row["subtopic"], row["doc"], row["label"]) for row in truth]
    evaluator = pyndeval.RelevanceEvaluator(qrels, measures, relevance_level=level, alpha=alpha)
    return evaluator.evaluate([(row["topic"], row["doc"], row["score"]) for row in rows])


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_diversity_against_ndeval(pyndeval, seed, level):
    """Ties by document: ascending there, descending in ndeval's own program. A list without a subtopic counts 0."""
    rows, truth = judged_and_listed(seed)
    alpha = ALPHAS[seed % len(ALPHAS)]
    measures = {}
    for k in CUTOFFS:
        measures[f"alpha_ndcg(alpha={alpha}, on_empty=zero)@{k}"] = f"alpha-nDCG@{k}"
        measures[f"err_ia(alpha={alpha}, ideal=judged, on_empty=zero)@{k}"] = f"nERR-IA@{k}"
        measures[f"subtopic_recall(on_empty=zero)@{k}"] = f"strec@{k}"
        if k > 1:
            measures[f"alpha_ndcg(alpha={alpha}, ideal=cutoff, on_empty=zero)@{k}"] = f"alpha-DCG@{k}"
            measures[f"err_ia(alpha={alpha}, ideal=cutoff, on_empty=zero)@{k}"] = f"ERR-IA@{k}"
    peer = ndeval(pyndeval, rows, truth, list(measures.values()), level, alpha)
    lists = sm.per_group(
        rows, {of_peer: notation for notation, of_peer in measures.items()}, label="label", score="score",
        group="topic", item="doc", truth=truth, subtopic="subtopic", positive=level, ties="item",
    ).to_dicts()  # fmt: skip
    assert {row["topic"] for row in lists} - {"6"} == set(peer) - {"7"}
    for row in lists:
        for of_peer in measures.values() if row["topic"] in peer else ():
            assert row[of_peer] == pytest.approx(peer[row["topic"]][of_peer], rel=1e-12, abs=1e-12), of_peer


def test_gain_of_the_first_item(pyndeval):
    """At a cutoff of 1 ndeval does not divide: a single item that serves both subtopics scores 2."""
    truth = [{"topic": "1", "doc": "a", "subtopic": subtopic, "label": 1} for subtopic in "xy"]
    rows = [{"topic": "1", "doc": "a", "score": 1.0}]
    peer = ndeval(pyndeval, rows, truth, ["ERR-IA@1", "alpha-DCG@1", "ERR-IA@2"])["1"]
    assert peer == {"ERR-IA@1": 2, "alpha-DCG@1": 2, "ERR-IA@2": 0.8}
    asked = {
        "err": "err_ia(ideal=cutoff)@1",
        "dcg": "alpha_ndcg(ideal=cutoff)@1",
        "two": "err_ia(ideal=cutoff)@2",
    }
    facts = {"label": "label", "score": "score", "group": "topic", "item": "doc", "truth": truth}
    [ours] = sm.evaluate(rows, asked, **facts, subtopic="subtopic").to_dicts()
    assert (ours["err"], ours["dcg"], ours["two"]) == (1, 1, pytest.approx(0.8))
