"""Makes logs of Inspect with its mock model, in the folder that is named: python make_inspect.py FOLDER.

It runs where Inspect is installed (pip install inspect-ai), and needs no key and no network.
"""

import json
import random
import sys
import zipfile
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, includes, match, mean, scorer
from inspect_ai.solver import generate

EPOCHS = 2


@scorer(metrics={"length": [mean()], "polite": [mean()]})
def style():
    async def score(state, target):
        text = state.output.completion
        return Score(value={"length": len(text), "polite": text.startswith("It is")})

    return score


@scorer(metrics=[mean()])
def fragile():
    """Fails in one sample."""

    async def score(state, target):
        if state.sample_id == 2:
            raise RuntimeError("no such file")
        return Score(value=0.5)

    return score


def answers(name: str, right: float, samples: int) -> list[ModelOutput]:
    """What a model of some accuracy answers, in the order in which the samples are asked."""
    drawn = random.Random(name)
    hard = random.Random("hard")
    chances = [min(max(right + hard.gauss(0, 0.5), 0.02), 0.98) for _ in range(samples)]
    outputs = []
    for place in [*range(samples)] * EPOCHS:  # the epochs one after the other
        said = place * 7 if drawn.random() < chances[place] else place * 7 + 1
        output = ModelOutput.from_content(f"mockllm/{name}", f"It is {said}")
        tokens = drawn.randint(5, 40)
        # without a usage Inspect fetches a tokenizer
        output.usage = ModelUsage(
            input_tokens=12, output_tokens=tokens, total_tokens=12 + tokens, total_cost=tokens / 1e5
        )
        outputs.append(output)
    return outputs


def task(name: str, samples: int, scorers: list) -> Task:
    asked = [
        Sample(
            id=place + 1,
            input=f"{place} times 7?",
            target=str(place * 7),
            metadata={"digits": len(str(place * 7))},
        )
        for place in range(samples)
    ]
    return Task(name=name, dataset=MemoryDataset(asked, name=name), solver=generate(), scorer=scorers)


def evaluated(
    folder: Path, model: str, right: float, name: str, samples: int, scorers: list, form: str = "eval"
) -> Path:
    """The log of one run."""
    mock = get_model(f"mockllm/{model}", custom_outputs=answers(f"{model} {name}", right, samples))
    [log] = run(
        task(name, samples, scorers), model=mock, epochs=EPOCHS, log_dir=str(folder), log_format=form, display="none",
        max_samples=1, max_connections=1, log_realtime=False, fail_on_error=False,
    )  # fmt: skip
    return Path(log.location.removeprefix("file://"))


def cleaned(header: dict) -> dict:
    """Without the answers of the mock model, and without what names this machine."""
    header["eval"]["model_args"] = {}
    header["eval"].pop("revision", None)
    return header


def short(sample: dict) -> dict:
    """Without events and tracebacks, which are long and name folders of this machine."""
    sample["events"] = []
    if sample.get("error"):
        sample["error"] |= {"traceback": "", "traceback_ansi": ""}
    return sample


def written(log: Path, to: Path, transcripts: bool = True) -> None:
    """The log under another name, and shorter."""
    if log.suffix == ".json":
        whole = cleaned(json.loads(log.read_text()))
        whole["samples"] = [short(sample) for sample in whole["samples"]]
        to.write_text(json.dumps(whole) + "\n")
    else:
        with zipfile.ZipFile(log) as source, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as target:
            for member in source.namelist():
                if not (transcripts or member in ("header.json", "summaries.json")):
                    continue
                content = json.loads(source.read(member))
                if member.startswith("samples/"):
                    content = short(content)
                elif member in ("header.json", "_journal/start.json"):
                    content = cleaned(content)
                target.writestr(member, json.dumps(content))
    log.unlink()


#: The runs of the tutorial: the accuracy of each model on each task.
TUTORIAL = {
    "atlas": {"sevens": 0.72, "words": 0.60},
    "birch": {"sevens": 0.70, "words": 0.66},
    "cedar": {"sevens": 0.50, "words": 0.42},
}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    code = [match(location="end")]
    if sys.argv[2:] == ["tutorial"]:
        for model, tasks in TUTORIAL.items():
            for name, right in tasks.items():
                written(
                    evaluated(folder, model, right, name, 40, code), folder / f"{model}_{name}.eval", False
                )
        sys.exit()
    logs = {
        "small.eval": evaluated(folder, "small", 0.5, "sevens", 10, code),
        "large.eval": evaluated(folder, "large", 0.8, "sevens", 10, code),
        "large.json": evaluated(folder, "large", 0.8, "sevens", 10, code, "json"),
        "style.eval": evaluated(folder, "small", 0.5, "style", 4, [includes(), style(), fragile()]),
    }
    for name, log in logs.items():
        written(log, folder / name)
