"""Makes tables of MLflow's evaluations, in the folder that is named: python make_mlflow.py FOLDER.

It runs where MLflow is installed (pip install mlflow), with scorers that ask no model, and needs no network.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
os.environ |= {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_TRACKING_URI": f"sqlite:///{work.name}/mlflow.db"}

import mlflow  # noqa: E402
import pandas as pd  # noqa: E402
from mlflow.genai.scorers import scorer  # noqa: E402

ROWS = [{"inputs": {"question": f"{n} times 7?"}, "expectations": {"answer": str(n * 7)}} for n in range(8)]


@scorer
def exact(outputs, expectations) -> bool:
    return outputs == expectations["answer"]


@scorer
def length(outputs) -> int:
    return len(outputs)


for model, wrong in (("small", 3), ("large", 5)):
    rows = [row | {"outputs": str(n * 7 + (n % wrong == 0))} for n, row in enumerate(ROWS)]
    table = mlflow.genai.evaluate(data=rows, scorers=[exact, length]).result_df
    table[["request", "response", "assessments"]].to_json(folder / f"{model}.json", orient="records")
    plain = table[["request", "response", "exact/value", "length/value"]]
    if model == "small":
        plain.to_csv(folder / "small.csv", index=False)
        plain.to_parquet(folder / "small.parquet")

frame = pd.DataFrame({
    "inputs": [row["inputs"]["question"] for row in ROWS],
    "truth": [row["expectations"]["answer"] for row in ROWS],
    "outputs": [str(n * 7 + (n % 4 == 0)) for n in range(8)],
})  # fmt: skip


def exact_match(predictions, targets):
    scores = [int(a == b) for a, b in zip(predictions, targets, strict=True)]
    return mlflow.metrics.MetricValue(scores=scores, aggregate_results={"mean": sum(scores) / len(scores)})


with mlflow.start_run():
    metric = mlflow.models.make_metric(eval_fn=exact_match, greater_is_better=True, name="exact")
    done = mlflow.models.evaluate(data=frame, targets="truth", predictions="outputs", extra_metrics=[metric])
    found = mlflow.artifacts.download_artifacts(done.artifacts["eval_results_table"].uri)
    shutil.copy(found, folder / "eval_results_table.json")
