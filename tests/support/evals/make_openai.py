"""Makes a log of OpenAI evals by its recorder, in the folder that is named: python make_openai.py FOLDER.

It runs where the recorder is (pip install --no-deps evals). The libraries with which it reaches other machines are
left out, so that it needs no key and no network.
"""

import dataclasses
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from unittest import mock

folder = Path(sys.argv[1]).resolve()
folder.mkdir(parents=True, exist_ok=True)


@dataclasses.dataclass
class RunSpec:
    """As that of `evals.base`, which imports clients of APIs."""

    completion_fns: list
    eval_name: str
    base_eval: str
    split: str
    run_config: dict
    created_by: str
    run_id: str
    created_at: str


def stub(name: str, **known: object) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(known)
    sys.modules[name] = module
    return module


stub("blobfile", BlobFile=lambda path, mode, **_: Path(path).open(mode), exists=lambda _: False)  # noqa: SIM115
stub("requests")
stub("evals", base=stub("evals.base", RunSpec=RunSpec))
stub(
    "evals.data",
    jsondumps=lambda thing, **_: json.dumps(
        vars(thing) if dataclasses.is_dataclass(thing) else thing, default=str
    ),
)
stub("evals.utils")
stub("evals.utils.misc", t=str)
stub("evals.utils.snowflake", SnowflakeConnection=mock.Mock)
place = next(
    Path(path, "evals", "record.py") for path in sys.path if Path(path, "evals", "record.py").is_file()
)
found = importlib.util.spec_from_file_location("evals.record", place)
record = importlib.util.module_from_spec(found)
sys.modules["evals.record"] = record
found.loader.exec_module(record)

for model, wrong in (("small", 3), ("large", 5)):
    spec = RunSpec(
        [model], "sevens.dev.v0", "sevens", "dev", {"seed": 1}, "", f"run-{model}", "2026-11-01 12:00:00"
    )
    recorder = record.LocalRecorder(str(folder / f"{model}.jsonl"), spec)
    right = 0
    for n in range(8):
        with recorder.as_default_recorder(f"sevens.dev.{n}"):
            said = str(n * 7 + (n % wrong == 0))
            recorder.record_sampling(f"{n} times 7?", sampled=[said])
            recorder.record_match(said == str(n * 7), expected=str(n * 7), picked=said)
            right += said == str(n * 7)
    recorder.record_final_report({"accuracy": right / 8})
    recorder.flush_events()
