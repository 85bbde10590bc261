"""Makes a test run of DeepEval, in the folder that is named: python make_deepeval.py FOLDER.

It runs where DeepEval is installed (pip install deepeval), with metrics that ask no model, and needs no network.
"""

import os
import sys
import tempfile
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)
work = tempfile.TemporaryDirectory()
os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_RESULTS_FOLDER": work.name}
os.chdir(work.name)

from deepeval import evaluate  # noqa: E402
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig  # noqa: E402
from deepeval.metrics import BaseMetric  # noqa: E402
from deepeval.test_case import LLMTestCase  # noqa: E402


class Exact(BaseMetric):
    """Whether the answer is the expected one."""

    threshold = 0.5
    async_mode = False

    def measure(self, test_case):
        self.score = float(test_case.actual_output == test_case.expected_output)
        self.success = self.score >= self.threshold
        self.reason = "equal" if self.success else "different"
        return self.score

    async def a_measure(self, test_case):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Exact"


class Judged(Exact):
    """The same, said to be by a model."""

    evaluation_model = "mock-judge"
    evaluation_cost = 0.001

    def measure(self, test_case):
        self.score = 1.0 if test_case.actual_output == test_case.expected_output else 0.25
        self.success = self.score >= self.threshold
        return self.score

    @property
    def __name__(self):
        return "Judged"


for model, wrong in (("small", 3), ("large", 5)):
    cases = [
        LLMTestCase(
            name=f"question {place}", input=f"{place} times 7?", expected_output=str(place * 7),
            actual_output=str(place * 7 + (place % wrong == 0)), completion_time=0.5 + place / 10, token_cost=0.002,
        )
        for place in range(8)
    ]  # fmt: skip
    evaluate(
        cases, [Exact(), Judged()], hyperparameters={"model": model},
        async_config=AsyncConfig(run_async=False), cache_config=CacheConfig(write_cache=False, use_cache=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
    )  # fmt: skip
    written = [path for path in Path(work.name).iterdir() if path.is_file() and not path.name.startswith(".")]
    print(written, file=sys.stderr)
    [log] = written
    (folder / f"{model}.json").write_text(log.read_text().strip() + "\n")
    log.unlink()
