"""Makes samples and results of lm-evaluation-harness, in the folder that is named: python make_lm_eval.py FOLDER.

It runs where the harness is installed (pip install lm-eval), with its dummy model on questions of its own, and needs no
network.
"""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

os.environ |= {"HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}

import lm_eval
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

CHOICE = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: ["yes", "no"]
doc_to_target: label
metric_list: [{{metric: acc}}, {{metric: acc_norm}}]
"""
TEXT = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: answer
generation_kwargs: {{until: ["\\n"]}}
filter_list:
  - {{name: strict, filter: [{{function: take_first}}]}}
  - {{name: digits, filter: [{{function: regex, regex_pattern: "(\\\\d+)"}}, {{function: take_first}}]}}
metric_list: [{{metric: exact_match}}]
"""


class Model(LM):
    """Answers at random, always the same."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.drawn = random.Random(seed)

    def loglikelihood(self, requests, disable_tqdm=False):
        return [(-self.drawn.random(), False) for _ in requests]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        return [-self.drawn.random() for _ in requests]

    def generate_until(self, requests, disable_tqdm=False):
        return [self.drawn.choice(["3", "It is 3", "4"]) for _ in requests]


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as work:
        data = Path(work, "questions.jsonl")
        rows = [{"question": f"Is {n} even?", "label": n % 2, "answer": "3"} for n in range(24)]
        data.write_text("".join(json.dumps(row) + "\n" for row in rows))
        Path(work, "even.yaml").write_text(CHOICE.format(name="even", data=data))
        Path(work, "three.yaml").write_text(TEXT.format(name="three", data=data))
        tasks = TaskManager(include_path=work, include_defaults=False)
        for seed in (1, 2):
            tracker = EvaluationTracker(output_path=str(folder))
            tracker.general_config_tracker.log_experiment_args(
                model_source="mock", model_args=f"pretrained=lab/mock-{seed}", system_instruction="", chat_template="",
                fewshot_as_multiturn=False,
            )  # fmt: skip
            done = lm_eval.simple_evaluate(
                Model(seed),
                tasks=["even", "three"],
                task_manager=tasks,
                log_samples=True,
                bootstrap_iters=100,
            )
            samples = done.pop("samples")
            tracker.save_results_aggregated(results=done, samples=samples)
            for name, of_task in samples.items():
                tracker.save_results_samples(task_name=name, samples=of_task)
        for path in folder.rglob("results_*.json"):
            kept = json.loads(path.read_text())
            keys = (
                "results",
                "n-shot",
                "higher_is_better",
                "n-samples",
                "model_source",
                "model_name",
                "lm_eval_version",
            )
            path.write_text(json.dumps({key: kept[key] for key in keys if key in kept}, indent=1) + "\n")
