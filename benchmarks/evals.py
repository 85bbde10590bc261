"""How long logs of 1 million samples take to read: python benchmarks/evals.py [SAMPLES].

The logs are written to a temporary folder and read at once. CPU seconds are what a busy machine does not change.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import sqlmetrics as sm

FILES = 10
QUESTION = "Which of these is even? " * 10


def lm_eval(folder: Path, samples: int) -> None:
    """Samples of lm-evaluation-harness, of 700 bytes each."""
    for number in range(FILES):
        path = folder / f"lab__model-{number}"
        path.mkdir()
        with (path / "samples_task_2026-11-01T12-00-00.000000.jsonl").open("w") as file:
            for place in range(samples // FILES):
                line = {
                    "doc_id": place, "doc": {"question": QUESTION, "answer": place % 4}, "target": "1",
                    "arguments": {"gen_args_0": {"arg_0": QUESTION, "arg_1": " A"}},
                    "resps": [[["-1.5", "False"]]], "filtered_resps": [["-1.5", "False"]], "filter": "none",
                    "metrics": ["acc"], "acc": float((place * 7 + number) % 5 > 1),
                }  # fmt: skip
                file.write(json.dumps(line) + "\n")


def inspect(folder: Path, samples: int) -> None:
    """Logs of Inspect: what is read of them, header and summaries."""
    for number in range(FILES):
        header = {"version": 2, "status": "success", "eval": {"model": f"lab/model-{number}", "task": "task"}}
        summaries = [
            {
                "id": place, "epoch": 1, "input": QUESTION, "target": "1", "metadata": {"kind": "a"},
                "scores": {"match": {"value": "CI"[(place * 7 + number) % 5 > 1], "answer": "A"}},
                "model_usage": {"lab/model": {"input_tokens": 9, "output_tokens": 9, "total_tokens": 18}},
                "total_time": 0.5, "completed": True,
            }
            for place in range(samples // FILES)
        ]  # fmt: skip
        with zipfile.ZipFile(folder / f"{number}.eval", "w", zipfile.ZIP_DEFLATED) as log:
            log.writestr("summaries.json", json.dumps(summaries))
            log.writestr("header.json", json.dumps(header))


if __name__ == "__main__":
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name, make in (("lm-evaluation-harness", lm_eval), ("Inspect", inspect)):
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder), samples)
            size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
            wall, cpu = time.perf_counter(), time.process_time()
            evals = sm.read_evals(folder)
            read = f"{time.perf_counter() - wall:.1f} s, {time.process_time() - cpu:.1f} s of CPU"
            wall = time.perf_counter()
            sm.compare(evals, "mean(column=value, better=higher)", baseline="lab/model-0")
            print(f"{name}: {len(evals):,} scores in {size / 1e6:,.0f} MB read in {read};"
                  f" 9 comparisons of them in {time.perf_counter() - wall:.1f} s")  # fmt: skip
