"""The names of Spark's evaluators, on the page docs/coming-from/spark.md: each run on random data."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from generate.libraries import names
from support.peers import compare

Rows = list[dict[str, Any]]
K = 10


def rows(seed: int) -> Rows:
    """A probability of a label of 0 or 1, numbers and their forecast, classes and a prediction."""
    draw = random.Random(seed)
    found = []
    for number in range(80):
        label = float(number % 2)
        truth = draw.gammavariate(3, 1)
        found.append({
            "y": label, "p": round(0.3 * label + 0.7 * draw.random(), 2) * 0.98 + 0.01,
            "t": truth, "f": truth * draw.uniform(0.5, 1.5),
            "c": float(draw.randrange(3)), "d": float(draw.randrange(3)),
        })  # fmt: skip
    return found


def lists(seed: int) -> tuple[list[tuple[list[int], list[int]]], dict[str, Any]]:
    """What was recommended to users and what is relevant to them, as Spark takes it and as rows are."""
    draw = random.Random(seed)
    pairs = [
        (draw.sample(range(30), draw.randint(1, 15)), draw.sample(range(30), draw.randint(0, 12)))
        for _ in range(12)
    ]
    return pairs, {
        "rows": [
            {"group": user, "item": item, "score": -place}
            for user, (recommended, _) in enumerate(pairs)
            for place, item in enumerate(recommended)
        ],
        "truth": [
            {"group": user, "item": item, "label": int(item in relevant)}
            for user, (_, relevant) in enumerate(pairs)
            for item in (relevant or [0])
        ],
        "group": "group", "item": "item",
    }  # fmt: skip


def evaluators(spark: Any, table: Rows) -> dict[str, Callable[[str], float]]:
    """The evaluators of pyspark.ml, by the name of ours that says over what they are: each takes a metric."""
    from pyspark.ml import evaluation
    from pyspark.ml.linalg import Vectors

    frame = spark.createDataFrame([{**row, "v": Vectors.dense(1 - row["p"], row["p"])} for row in table])
    return {
        "score": lambda name: evaluation.BinaryClassificationEvaluator(
            rawPredictionCol="p", labelCol="y", metricName=name, numBins=0
        ).evaluate(frame),
        "probability": lambda name: evaluation.MulticlassClassificationEvaluator(
            probabilityCol="v", labelCol="y", metricName=name, predictionCol="y"
        ).evaluate(frame),
        "forecast": lambda name: evaluation.RegressionEvaluator(
            predictionCol="f", labelCol="t", metricName=name
        ).evaluate(frame),
        "class": lambda name: evaluation.MulticlassClassificationEvaluator(
            predictionCol="d", labelCol="c", metricName=name
        ).evaluate(frame),
    }


#: our facts of what an evaluator reads
FACTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "score": lambda row: {"label": int(row["y"]), "score": row["p"]},
    "probability": lambda row: {"label": int(row["y"]), "score": row["p"]},
    "forecast": lambda row: {"label": row["t"], "score": row["f"]},
    "class": lambda row: {"label": int(row["c"]), "second": int(row["d"]), "score": 0.0},
}
OF = {
    "areaUnderROC": "score", "areaUnderPR": "score", "logLoss": "probability",
    **dict.fromkeys(("mse", "rmse", "mae", "r2"), "forecast"),
    **dict.fromkeys(("accuracy", "f1", "weightedPrecision", "weightedRecall", "hammingLoss"), "class"),
}  # fmt: skip


def test_names_of_spark(spark: Any) -> None:
    from pyspark.mllib.evaluation import RankingMetrics

    known = {name.theirs: name.ours for name in names() if name.library == "spark"}
    table, (pairs, facts) = rows(1), lists(1)
    asked: dict[str, dict[str, float | None]] = {kind: {} for kind in FACTS}
    for kind, evaluate in evaluators(spark, table).items():
        for theirs in [theirs for theirs in known if OF.get(theirs) == kind]:
            value = evaluate(theirs)
            asked[kind][known.pop(theirs)] = value
            if kind == "score":
                asked[kind][theirs] = value  # a name that is taken as it is
    for kind, expected in asked.items():
        assert expected
        of_class = {"prediction": "second"} if kind == "class" else {}
        compare(expected, [FACTS[kind](row) for row in table], **of_class)
    ranking = RankingMetrics(spark.sparkContext.parallelize(pairs))
    of_lists: dict[str, float | None] = {}
    for theirs, ours in known.items():
        call = re.fullmatch(r"(\w+)(\(k\))?", theirs)
        assert call is not None
        metric = getattr(ranking, call[1])
        name, _, cutoff = ours.partition("@")
        assert cutoff == (str(K) if call[2] else "")
        notation = f"{name}(on_empty=zero)" + (f"@{cutoff}" if cutoff else "")
        of_lists[notation] = metric(K) if call[2] else metric
    assert len(of_lists) == 5
    compare(of_lists, **facts)
