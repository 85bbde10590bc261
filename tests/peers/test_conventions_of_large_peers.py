"""Conventions of libraries that are too large for every test run: these tests run where they are installed.

Without ties, where the library promises no order of them.
"""

import random

import numpy
import pytest

from support.peers import as_rows, compare, random_lists, random_rows, rows_of

CUTOFFS = (1, 3, 10, 100)
SEEDS = range(10)
LISTED = {"group": "group", "item": "item"}


def untied(lists: dict) -> dict:
    """The lists under scores that differ, all above 0."""
    draw = random.Random(0)
    return {
        group: (labels, [score / 64 for score in draw.sample(range(1, 64), len(labels))])
        for group, (labels, _) in lists.items()
    }


def relevant_and_recommended(seed: int) -> tuple[dict[str, list[int]], dict[str, list[int]], dict]:
    """The relevant and the recommended items, best first, of some users; and the two as tables.

    User u0 was recommended nothing, u1 finds nothing, u2 has one item.
    """
    draw = random.Random(seed)
    users = [f"u{number}" for number in range(6)]
    relevant = {user: draw.sample(range(20), draw.randint(1, 12)) for user in users}
    recommended = {user: draw.sample(range(20), draw.randint(1, 15)) for user in users[1:]}
    relevant["u1"], recommended["u2"] = [99], recommended["u2"][:1]
    return relevant, recommended, {
        "rows": [
            {"group": user, "item": item, "score": -rank}
            for user, items in recommended.items()
            for rank, item in enumerate(items)
        ],
        "truth": [{"group": user, "item": item, "label": 1} for user, items in relevant.items() for item in items],
    }  # fmt: skip


# --- torchmetrics, in single precision ---


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_torchmetrics(seed):
    """An item of score 0 or less is not retrieved there, so that all scores are above 0 here."""
    torchmetrics = pytest.importorskip("torchmetrics")
    import torch

    def reported(names, lists):
        indexes = torch.tensor([n for n, (labels, _) in enumerate(lists.values()) for _ in labels])
        labels = torch.tensor([label for labels, _ in lists.values() for label in labels])
        scores = torch.tensor([score for _, scores in lists.values() for score in scores])
        found = {}
        for name, peer in names.items():
            for k in (None, *CUTOFFS):
                if (k is None and name in ("precision", "recall")) or (k and name == "r_precision"):
                    continue
                metric = getattr(torchmetrics.retrieval, f"Retrieval{peer}")(**({"top_k": k} if k else {}))
                found[name if k is None else f"{name}@{k}"] = metric(scores, labels, indexes=indexes)
        return found

    graded = {
        group: (labels, [score + 0.125 for score in scores])
        for group, (labels, scores) in random_lists(seed, grades=4).items()
    }
    expected = reported({"ndcg": "NormalizedDCG"}, graded)
    compare(expected, rows_of(graded), 1e-6, group="group", convention="torchmetrics")

    binary = untied({g: ([int(label > 0) for label in labels], s) for g, (labels, s) in graded.items()})
    names = {
        "map": "MAP",
        "mrr": "MRR",
        "hit_rate": "HitRate",
        "precision": "Precision",
        "recall": "Recall",
        "r_precision": "RPrecision",
    }
    expected = reported(names, binary)
    compare(expected, rows_of(binary), 1e-6, group="group", convention="torchmetrics")


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_torchmetrics(seed):
    classification = pytest.importorskip("torchmetrics.functional.classification")
    import torch
    import torchmetrics.functional as of

    data = random_rows(seed)
    label, score = torch.tensor(data["label"]), torch.tensor(data["score"], dtype=torch.float32)
    expected = {
        "mse": of.mean_squared_error(score, label),
        "rmse": of.mean_squared_error(score, label, squared=False),
        "mae": of.mean_absolute_error(score, label),
        "msle": of.mean_squared_log_error(score, label),
        "mape": of.mean_absolute_percentage_error(score, label),
    }
    if 0 < label.sum() < len(label):
        expected |= {
            "auc": classification.binary_auroc(score, label),
            "average_precision": classification.binary_average_precision(score, label),
            "r2": of.r2_score(score, label.float()),
            "explained_variance": of.explained_variance(score, label.float()),
            "pearson": of.pearson_corrcoef(score, label.float()),
            "spearman": of.spearman_corrcoef(score, label.float()),
            "kendall_tau": of.kendall_rank_corrcoef(score, label.float()),
        }
    compare(expected, as_rows(data), 1e-5, convention="torchmetrics")


# --- Spark ---


@pytest.fixture(scope="module")
def spark():
    session = pytest.importorskip("pyspark.sql").SparkSession
    made = session.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    yield made.sparkContext
    made.stop()


def test_lists_of_spark(spark):
    """RankingMetrics takes two arrays a user, the first empty where nothing was recommended."""
    from pyspark.mllib.evaluation import RankingMetrics

    for seed in SEEDS[:4]:
        relevant, recommended, facts = relevant_and_recommended(seed)
        # a user to whom nothing is relevant counts 0
        relevant["u9"], recommended["u9"] = [], [1, 2]
        facts["rows"] += [{"group": "u9", "item": item, "score": -item} for item in (1, 2)]
        facts["truth"] += [{"group": "u9", "item": 0, "label": 0}]
        peer = RankingMetrics(
            spark.parallelize([(recommended.get(user, []), items) for user, items in relevant.items()])
        )
        expected = {"map": peer.meanAveragePrecision}
        for k in CUTOFFS:
            expected |= {
                f"map@{k}": peer.meanAveragePrecisionAt(k),
                f"ndcg@{k}": peer.ndcgAt(k),
                f"precision@{k}": peer.precisionAt(k),
                f"recall@{k}": peer.recallAt(k),
            }
        compare(expected, **facts, **LISTED, convention="spark")


def test_rows_of_spark(spark):
    from pyspark.mllib.evaluation import BinaryClassificationMetrics, RegressionMetrics

    for seed in SEEDS[:4]:
        data = random_rows(seed)
        pairs = spark.parallelize(
            list(zip(data["score"].tolist(), data["label"].astype(float).tolist(), strict=True))
        )
        regression = RegressionMetrics(pairs)
        expected = {
            "mse": regression.meanSquaredError,
            "rmse": regression.rootMeanSquaredError,
            "mae": regression.meanAbsoluteError,
        }
        if len(set(data["label"].tolist())) == 2:
            # of a single class Spark says 0 or 1
            binary = BinaryClassificationMetrics(pairs)
            expected |= {"auc": binary.areaUnderROC, "pr_auc": binary.areaUnderPR, "r2": regression.r2}
        compare(expected, as_rows(data), convention="spark")


# --- RecTools ---


@pytest.mark.parametrize("seed", SEEDS)
def test_rectools(seed):
    peers = pytest.importorskip("rectools.metrics")
    import pandas

    relevant, recommended, facts = relevant_and_recommended(seed)
    reco = pandas.DataFrame(
        [(user, item, rank) for user, items in recommended.items() for rank, item in enumerate(items, 1)],
        columns=["user_id", "item_id", "rank"],
    )
    truth = pandas.DataFrame(
        [(user, item) for user, items in relevant.items() for item in items], columns=["user_id", "item_id"]
    )
    names = {
        "ndcg": peers.NDCG, "map": peers.MAP, "mrr": peers.MRR, "hit_rate": peers.HitRate, "precision": peers.Precision,
        "recall": peers.Recall,
    }  # fmt: skip
    expected = {f"{name}@{k}": peer(k=k).calc(reco, truth) for name, peer in names.items() for k in CUTOFFS}
    expected |= {f"f1@{k}": peers.F1Beta(k=k).calc(reco, truth) for k in CUTOFFS}
    expected |= {f"f_beta(beta=2)@{k}": peers.F1Beta(k=k, beta=2).calc(reco, truth) for k in CUTOFFS}
    compare(expected, **facts, **LISTED, convention="rectools")


# --- RecBole, whose formulas take hits in the top, best first, and the number of relevant items ---


@pytest.fixture
def recbole(monkeypatch):
    monkeypatch.setattr(numpy, "float", float, raising=False)  # names that NumPy 2 has dropped
    return pytest.importorskip("recbole.evaluator.metrics")


@pytest.mark.parametrize("seed", SEEDS)
def test_lists_of_recbole(seed, recbole):
    relevant, recommended, facts = relevant_and_recommended(seed)
    del relevant["u0"]  # RecBole scores every item for every user
    facts["truth"] = [row for row in facts["truth"] if row["group"] != "u0"]
    longest = 20
    hits = numpy.array([
        [rank < len(recommended[user]) and recommended[user][rank] in items for rank in range(longest)]
        for user, items in relevant.items()
    ])  # fmt: skip
    sizes = numpy.array([len(items) for items in relevant.values()])
    names = {
        "ndcg": (recbole.NDCG, (hits, sizes)),
        "map": (recbole.MAP, (hits, sizes)),
        "recall": (recbole.Recall, (hits, sizes)),
        "mrr": (recbole.MRR, (hits,)),
        "hit_rate": (recbole.Hit, (hits,)),
        "precision": (recbole.Precision, (hits,)),
    }
    expected = {}
    for name, (peer, given) in names.items():
        by_cutoff = peer.metric_info(None, *given).mean(axis=0)
        expected |= {f"{name}@{k}": by_cutoff[k - 1] for k in (1, 3, 10, 20)}
    compare(expected, **facts, **LISTED, convention="recbole")


@pytest.mark.parametrize("seed", SEEDS)
def test_grouped_auc_of_recbole(seed, recbole):
    """RecBole takes the sum of the mean ranks of the relevant items, and the numbers of items, by user."""
    from scipy.stats import rankdata

    lists = random_lists(seed, grades=1)
    ranks = [
        rankdata([-score for score in scores])[numpy.array(labels) > 0].sum()
        for labels, scores in lists.values()
    ]
    sizes = numpy.array([len(labels) for labels, _ in lists.values()])
    positives = numpy.array([sum(labels) for labels, _ in lists.values()])
    two_classes = any(0 < p < n for p, n in zip(positives, sizes, strict=True))
    peer = recbole.GAUC.metric_info(None, numpy.array(ranks), sizes, positives) if two_classes else None
    compare({"gauc": peer}, rows_of(lists), group="group", convention="recbole")


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_recbole(seed, recbole):
    data = random_rows(seed)
    data["score"] = (
        data["score"] + 0.5
    ) / 10  # at 1 - eps, where RecBole clips, 1 - p has lost most of its digits
    label, score = data["label"], data["score"]
    expected = {
        "log_loss": recbole.LogLoss.metric_info(None, score, label),
        "rmse": recbole.RMSE.metric_info(None, score, label),
        "mae": recbole.MAE.metric_info(None, score, label),
    }
    if len(set(label.tolist())) == 2:
        expected["auc"] = recbole.AUC.metric_info(None, score, label)
    compare(expected, as_rows(data), convention="recbole")
