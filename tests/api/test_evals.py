"""Logs of evaluations: what each tool wrote (tests/support/evals) beside its own numbers, and logs that are broken."""

from __future__ import annotations

import importlib.util
import json
import math
import shutil
import statistics
import subprocess
import sys
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
import pytest

import sqlmetrics as sm
from support.errors import assert_told, told
from support.paths import TESTS

LOGS = TESTS / "support" / "evals"
SMALL, LARGE = LOGS / "inspect" / "small.eval", LOGS / "inspect" / "large.eval"
#: the library that each script of LOGS needs
TOOLS = {
    "inspect": "inspect_ai",
    "lm_eval": "lm_eval",
    "deepeval": "deepeval",
    "mlflow": "mlflow",
    "langfuse": "langfuse",
    "openai": "evals",
}


def test_each_tool_fills_the_columns() -> None:
    """Rows, models, tasks, scorers and raters of the logs of each tool; the types are the same for all."""
    found = {}
    for path in ("inspect/style.eval", "lm_eval", "promptfoo", "deepeval", "openai", "langfuse/scores.csv"):
        table = sm.read_evals(LOGS / path)
        found[path] = [len(table)] + [
            sorted(table[name].unique().to_pylist(), key=str)
            for name in ("model", "task", "scorer", "scored_by")
        ]
        assert [str(kind) for kind in table.schema.types] == (
            ["string"] * 3
            + ["int64", "string", "double"]
            + ["string"] * 3
            + ["double"] * 2
            + ["int64"]
            + ["string"] * 2
        )
    assert found == {
        "inspect/style.eval": [
            *(32, ["mockllm/small"], ["style"]),
            *(["fragile", "includes", "style.length", "style.polite"], [None, "code"]),
        ],
        "lm_eval": [
            *(192, ["lab/mock-1", "lab/mock-2"], ["even", "three"]),
            *(["acc", "acc_norm", "exact_match,digits", "exact_match,strict"], ["code"]),
        ],
        "promptfoo": [
            *(72, ["mock:large", "mock:small"], ["sevens"]),
            *(["contains", "pass", "polite"], [None, "code", "judge"]),
        ],
        "deepeval": [32, ["large", "small"], [None], ["Exact", "Judged"], ["code", "judge"]],
        "openai": [16, ["large", "small"], ["sevens.dev.v0"], ["match"], ["code"]],
        "langfuse/scores.csv": [
            *(18, ["scores"], [None], ["helpful", "right", "tone"]),
            [None, "judge", "person"],
        ],
    }


def header(log: Path) -> dict:
    with zipfile.ZipFile(log) as archive:
        return json.loads(archive.read("header.json"))


def errors_of_means(table: pa.Table) -> dict[tuple[str, ...], tuple[float, float]]:
    """The mean and its standard error by model and slice: a t test against a model that is always 0."""
    at = table.column_names.index
    zero = table.filter(pc.equal(table["model"], table["model"][0]))
    zero = zero.set_column(at("model"), "model", pa.repeat("zero", len(zero)))
    zero = zero.set_column(at("value"), "value", pa.repeat(0.0, len(zero)))
    compared = sm.compare(pa.concat_tables([table, zero]), baseline="zero")
    return {
        (row["candidate"], *(row[name] for name in compared.by)): (
            row["difference"],
            row["difference"] / row["statistic"],
        )
        for row in compared.to_dicts()
    }


def test_inspect_has_the_same_accuracy_and_error() -> None:
    """Inspect takes the mean of the epochs of a sample, and the error of these means."""
    ours = errors_of_means(sm.read_evals([SMALL, LARGE]))
    for log in (SMALL, LARGE):
        own = header(log)["results"]["scores"][0]["metrics"]
        mean, error = ours[(header(log)["eval"]["model"],)]
        assert math.isclose(mean, own["accuracy"]["value"], rel_tol=1e-9)
        assert math.isclose(error, own["stderr"]["value"], rel_tol=1e-9)


def test_samples_of_inspect() -> None:
    with zipfile.ZipFile(LOGS / "inspect" / "style.eval") as archive:
        [sample] = [json.loads(archive.read(name)) for name in archive.namelist() if "/3_epoch_2" in name]
    rows = [row for row in sm.read_evals(LOGS / "inspect").to_pylist() if row["task"] == "style"]
    [row] = [r for r in rows if (r["sample"], r["epoch"], r["scorer"]) == ("3", 2, "includes")]
    [usage] = sample["model_usage"].values()
    assert row["answer"] == sample["scores"]["includes"]["answer"]
    assert row["value"] == {"C": 1, "I": 0}[sample["scores"]["includes"]["value"]]
    assert (row["tokens"], row["cost"]) == (usage["total_tokens"], usage["total_cost"])
    assert json.loads(row["metadata"]) == sample["metadata"]
    failed = [r for r in rows if r["scorer"] == "fragile" and r["sample"] == "2"]
    assert [r["value"] for r in failed] == [None, None]
    said = told(lambda: sm.evaluate(sm.read_evals(LOGS / "inspect" / "style.eval")))
    assert "2 of 32 rows have a NULL, NaN or infinite 'value'" in said


def test_lm_evaluation_harness_has_the_same_accuracy_and_error() -> None:
    ours = errors_of_means(sm.read_evals(LOGS / "lm_eval"))
    compared = 0
    for path in (LOGS / "lm_eval").rglob("results_*.json"):
        results = json.loads(path.read_text())
        for task, own in results["results"].items():
            for metric in [name for name in own if isinstance(own[name], float) and "stderr" not in name]:
                scorer = metric.removesuffix(",none")
                name, _, of_filter = metric.partition(",")
                mean, error = ours[results["model_name"], task, scorer]
                assert math.isclose(mean, own[metric], rel_tol=1e-9)
                assert math.isclose(error, own[f"{name}_stderr,{of_filter}"], rel_tol=1e-9)
                compared += 1
    assert compared == 8


def test_promptfoo_has_the_same_rates() -> None:
    log = json.loads((LOGS / "promptfoo" / "output.json").read_text())
    table = sm.read_evals(LOGS / "promptfoo" / "output.json")
    report = sm.evaluate(table, where="scorer = 'pass'", by=[], on_bad_rows="drop").to_dicts()
    own = {prompt["provider"]: prompt["metrics"] for prompt in log["results"]["prompts"]}
    for row in report:
        metrics = own[row["model"]]
        done = metrics["testPassCount"] + metrics["testFailCount"]
        assert (row["n_rows"] - row.get("rows_dropped", 0)) in (done, row["n_rows"])
        assert math.isclose(row["mean"], metrics["testPassCount"] / done, rel_tol=1e-9)
    # a call that failed has no value, and a test that is repeated is one sample
    passed = [row for row in table.to_pylist() if row["scorer"] == "pass"]
    assert sum(row["value"] is None for row in passed) == log["results"]["stats"]["errors"] == 2
    assert {(row["sample"], row["epoch"]) for row in passed} == {
        (str(s), e) for s in range(0, 12, 2) for e in (1, 2)
    }


def test_deepeval_and_openai_have_the_same_means() -> None:
    for model in ("small", "large"):
        run = json.loads((LOGS / "deepeval" / f"{model}.json").read_text())
        table = sm.read_evals(LOGS / "deepeval" / f"{model}.json")
        means = {row["scorer"]: row["mean"] for row in sm.evaluate(table).to_dicts()}
        assert means == pytest.approx(
            {s["metric"]: statistics.fmean(s["scores"]) for s in run["metricsScores"]}
        )
        log = LOGS / "openai" / f"{model}.jsonl"
        [report] = [
            json.loads(line)["final_report"]
            for line in log.read_text().splitlines()
            if "final_report" in line
        ]
        assert sm.evaluate(sm.read_evals(log)).value("mean") == pytest.approx(report["accuracy"])


def test_tables_of_mlflow_in_each_format() -> None:
    """Assessments of a table in JSON say who scored, and leave out what was expected."""
    values: dict[str, dict[str, list[float]]] = {}
    for name in ("small.json", "small.csv", "small.parquet"):
        values[name] = defaultdict(list)
        for row in sorted(
            sm.read_evals(LOGS / "mlflow" / name).to_pylist(),
            key=lambda row: (row["sample"][-12:], row["sample"]),
        ):
            values[name][row["scorer"]].append(row["value"])
    assert values["small.json"] == values["small.csv"] == values["small.parquet"]
    assert statistics.fmean(values["small.json"]["exact"]) == 5 / 8
    assert sm.read_evals(LOGS / "mlflow" / "small.json")["scored_by"].unique().to_pylist() == ["code"]
    old = sm.read_evals({"old": LOGS / "mlflow" / "eval_results_table.json"})
    assert sm.evaluate(old).to_dicts()[0] | {"n_rows": 8} == {
        **sm.evaluate(old).to_dicts()[0],
        "model": "old",
        "mean": 0.75,
    }


def test_words_are_labels() -> None:
    for name in ("scores.json", "scores.csv"):
        tones = [
            row for row in sm.read_evals(LOGS / "langfuse" / name).to_pylist() if row["scorer"] == "tone"
        ]
        assert [row["value"] for row in tones] == [None] * 6
        assert sorted(row["label"] for row in tones) == ["curt"] * 3 + ["polite"] * 3


def test_a_run_read_twice_shows_no_difference() -> None:
    named = sm.read_evals({"first": LARGE, "second": LARGE.with_suffix(".json")})
    for table in (named, sm.read_evals([LARGE, LARGE.with_suffix(".json")])):
        [row] = sm.compare(table).to_dicts()
        assert (row["difference"], row["ties"], row["n_pairs"]) == (0.0, 10, 10)
        assert row["baseline"] != row["candidate"]


def test_a_file_with_two_names_is_two_models() -> None:
    table = sm.read_evals({"old": LARGE, "new": LARGE})
    assert len(table) == 2 * len(sm.read_evals(LARGE))
    [row] = sm.compare(table).to_dicts()
    assert (row["baseline"], row["candidate"], row["difference"], row["ties"]) == ("new", "old", 0.0, 10)


def rounded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their numbers to nine digits: threads add up in any order."""
    return [
        {name: round(value, 9) if isinstance(value, float) else value for name, value in row.items()}
        for row in rows
    ]


def test_questions_know_models_samples_and_tasks() -> None:
    table = sm.read_evals([SMALL, LARGE])
    facts = {"models": "model", "group": ["task", "sample"]}
    plain = table.replace_schema_metadata(None)
    mean = {"mean": "rate(where='value = 1', better=higher)"}
    known, said = sm.evaluate(table, interval=0.9), sm.evaluate(plain, mean, interval=0.9, **facts)
    assert rounded(known.to_dicts()) == rounded(said.to_dicts())
    board = sm.leaderboard(table)
    assert rounded(board.to_dicts()) == rounded(sm.leaderboard(plain, mean, **facts).to_dicts())
    assert board["model"] == ["mockllm/large", "mockllm/small"]
    kept = sm.compare(table, "mean(column=tokens)", baseline="mockllm/small", where="epoch = 1").to_dicts()
    assert [(row["metric"], row["candidate"]) for row in kept] == [("mean_column_tokens", "mockllm/large")]
    with_scorers = sm.read_evals(LOGS / "lm_eval")
    assert sm.evaluate(with_scorers).by == ["task", "scorer"]
    assert "is_total" not in sm.evaluate(with_scorers).columns
    asked = sm.evaluate(with_scorers, total=True)  # what a call says itself is kept
    assert len(asked) - len(sm.evaluate(with_scorers)) == 2
    acc = "scorer = 'acc'"
    # of one scorer there is a total, and of one task no slice
    assert sm.evaluate(with_scorers, where=acc).by == []
    assert sum(sm.evaluate(with_scorers, where=acc, by="task", total_of="slices")["is_total"]) == 2
    both = "scorer in ('acc', 'exact_match,strict')"
    compared = sm.compare(with_scorers, where=both, total_of="slices").to_dicts()
    assert [row["difference"] for row in compared if row["is_total"]] == pytest.approx([-0.125])
    of_acc = sm.leaderboard(with_scorers, where="scorer = 'acc'")
    assert len({*of_acc["model"]}) == 2
    # rows that were taken out keep what is known
    acc = with_scorers.filter(pc.equal(with_scorers["scorer"], "acc"))
    assert sm.leaderboard(acc)["value"] == pytest.approx(of_acc["value"])
    mixed = told(lambda: sm.evaluate(with_scorers, by="task"))
    assert "whose mean says nothing: take one, where=\"scorer = 'acc'\"" in mixed
    assert mixed.endswith("or by= with 'scorer' in it")
    assert "all of one model, 'mockllm/small'" in told(lambda: sm.compare(sm.read_evals(SMALL)))


def test_intervals_of_right_and_wrong_stay_between_0_and_1(tmp_path: Path) -> None:
    """Beside accuracy of the same rows: Wilson's; other scores have the interval of a mean."""
    for right, of in ((3, 4), (20, 20), (0, 5)):
        (tmp_path / "own.jsonl").write_text(
            "".join(f'{{"sample": {place}, "value": {int(place < right)}}}\n' for place in range(of))
        )
        [row] = sm.evaluate(sm.read_evals(tmp_path / "own.jsonl"), interval=0.95).to_dicts()
        rows = pa.table({"label": [1] * of, "score": [float(place < right) for place in range(of)]})
        [same] = sm.evaluate(
            rows.append_column("sample", pa.array(range(of))), "accuracy", group="sample", interval=0.95,
            label="label", score="score",
        ).to_dicts()  # fmt: skip
        ends = [row[name] for name in ("mean", "mean_low", "mean_high")]
        assert ends == pytest.approx([same[name] for name in ("accuracy", "accuracy_low", "accuracy_high")])
        assert 0 <= ends[1] <= ends[0] <= ends[2] <= 1
    table = sm.read_evals(LOGS / "promptfoo")
    mean = {"mean": "mean(column=value, better=higher)"}
    for where in ("scorer = 'polite'", "scorer <> 'none'"):
        asked = {"where": where, "interval": 0.95, "on_bad_rows": "drop"}
        assert rounded(sm.evaluate(table, **asked).to_dicts()) == rounded(
            sm.evaluate(table, mean, **asked).to_dicts()
        )


def test_rows_are_read_again(tmp_path: Path) -> None:
    table = sm.read_evals(LOGS / "deepeval")
    pyarrow.parquet.write_table(table, tmp_path / "evals.parquet")
    (tmp_path / "evals.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    for file in ("evals.parquet", "evals.jsonl"):
        again = sm.read_evals(tmp_path / file).drop_columns("log")
        assert sorted(map(str, again.to_pylist())) == sorted(map(str, table.drop_columns("log").to_pylist()))


def rewritten(log: Path, to: Path, **members: bytes | None) -> Path:
    """A log of Inspect with other members, or without some."""
    with zipfile.ZipFile(log) as source, zipfile.ZipFile(to, "w") as target:
        for name in source.namelist():
            content = members.get(name.removesuffix(".json"), source.read(name))
            if content is not None:
                target.writestr(name, content)
    return to


def test_broken_logs_are_told(tmp_path: Path) -> None:
    lines = next((LOGS / "lm_eval").rglob("samples_even_*")).read_text().splitlines()
    started = json.dumps(header(SMALL) | {"status": "started"}).encode()
    files = {
        "cut.eval": SMALL.read_bytes()[:5000],
        "cut.json": LARGE.with_suffix(".json").read_bytes()[:9000],
        "samples_even_2026-11-01T12-00-00.0.jsonl": "\n".join([*lines[:3], lines[3][:200]]).encode(),
        "strange.jsonl": b'{"question": 1, "score": 2}\n',
        "results_2026.json": b'{"results": {"even": {"acc,none": 0.5}}}',
        "empty.json": b'{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": []}',
        "run.jsonl": b'{"spec": {}}\n{"sample_id": "a", "type": "match", "data": {"correct": true}}',
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    rewritten(SMALL, tmp_path / "headless.eval", header=None)
    rewritten(SMALL, tmp_path / "started.eval", header=started)
    rewritten(SMALL, tmp_path / "summaries.eval", summaries=b'[{"id": 1, "epo')
    said = {
        "cut.eval": "is cut off or damaged, as of a run of Inspect that still goes on, or was killed",
        "cut.json": "is no JSON (Unterminated string",
        "samples_even_2026-11-01T12-00-00.0.jsonl": ", line 4, is no JSON (",
        "strange.jsonl": "is no log of an evaluation. Known are logs of Inspect",
        "results_2026.json": "has no samples; lm_eval writes them beside it with --log_samples",
        "empty.json": "is a log of Inspect without a score of a sample",
        "run.jsonl": "it has no final_report, as that of a run that did not end",
        "headless.eval": "has no header.json, as of a run of Inspect",
        "started.eval": "the evaluation did not end (status: started); finish it with inspect eval-retry",
        "summaries.eval": "summaries.json is no JSON (",
        "absent.eval": "No file matches",
    }
    for name, part in said.items():
        message = told(lambda name=name: sm.read_evals(tmp_path / name))
        assert_told(message, f"{part}|{name}")
    assert "path= takes the path of a log" in told(lambda: sm.read_evals(7))
    assert "give each log a name of its own" in told(
        lambda: sm.read_evals({"a": [LARGE, LARGE.with_suffix(".json")]})
    )


@pytest.mark.slow
@pytest.mark.parametrize("tool", TOOLS)
def test_what_the_tool_writes_today_is_read(tool: str, tmp_path: Path) -> None:
    """The scripts that made the logs, where the tool is installed beside the tests."""
    if importlib.util.find_spec(TOOLS[tool]) is None:
        pytest.skip(f"{TOOLS[tool]} is not installed")
    subprocess.run([sys.executable, LOGS / f"make_{tool}.py", tmp_path], check=True, capture_output=True)
    assert len(sm.read_evals(tmp_path if tool != "langfuse" else tmp_path / "scores.json")) > 10


@pytest.mark.slow
def test_what_promptfoo_writes_today_is_read(tmp_path: Path) -> None:
    if shutil.which("promptfoo") is None:
        pytest.skip("promptfoo is not installed")
    subprocess.run(["sh", LOGS / "make_promptfoo.sh", tmp_path], check=True, env={"PROMPTFOO": "promptfoo"})
    assert len(sm.read_evals(tmp_path)) == 72


def of_inspect(folder: Path, scores: list[dict[str, Any] | None], **header: Any) -> list[Path]:
    """A log of Inspect in both of its formats, with the scores of each sample."""
    samples = [
        {"id": place, "epoch": 1, "scores": of_sample, **({} if of_sample else {"error": "stopped"})}
        for place, of_sample in enumerate(scores, 1)
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, **header}
    (folder / "log.json").write_text(json.dumps(log | {"samples": samples}))
    with zipfile.ZipFile(folder / "log.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(log))
        archive.writestr("summaries.json", json.dumps(samples))
    return [folder / "log.json", folder / "log.eval"]


def values(path: Any) -> list[tuple[Any, ...]]:
    return [(row["sample"], row["scorer"], row["value"]) for row in sm.read_evals(path).to_pylist()]


@pytest.mark.parametrize("scores", [None, {}, {"match": {"value": None}}, {"match": {"value": math.nan}}])
def test_samples_of_inspect_that_failed_have_rows_without_a_value(tmp_path: Path, scores: Any) -> None:
    right = {"match": {"value": "C"}}
    for log in of_inspect(tmp_path, [right, scores, right]):
        assert sorted(values(log)) == [("1", "match", 1.0), ("2", "match", None), ("3", "match", 1.0)]
        with pytest.raises(sm.DataError, match=r"1 of 3 rows .* that failed: '2' of m \(match\)"):
            sm.evaluate(sm.read_evals(log))
        assert sm.evaluate(sm.read_evals(log), on_bad_rows="drop").to_dicts()[0]["rows_dropped"] == 1
    parts = {"style": {"value": {"long": 3, "polite": True}}}
    for log in of_inspect(tmp_path, [parts, scores and {"style": scores["match"]}]):
        assert sorted(values(log), key=str)[2:] == [("2", "style.long", None), ("2", "style.polite", None)]
    header = {"task": "t", "model": "m", "scorers": [{"name": "lab/match"}]}
    for log in of_inspect(tmp_path, [scores], eval=header):  # none has a score
        assert values(log) == [("1", "match", None)]
    anew = {"scores": [{"name": "accuracy", "scorer": "new"}]}  # by inspect score --action overwrite
    for log in of_inspect(tmp_path, [{"new": {"value": "C"}}, scores and {}], eval=header, results=anew):
        assert sorted(values(log), key=str) == [("1", "new", 1.0), ("2", "new", None)]


def test_logs_of_inspect_that_lack_samples(tmp_path: Path) -> None:
    right, of_three = {"match": {"value": "C"}}, {"total_samples": 3}
    for log in of_inspect(tmp_path, [right] * 2, results=of_three):
        assert_told(
            told(lambda log=log: sm.read_evals(log)),
            f"holds 2 of the 3 samples|inspect eval-retry|{log.name}",
        )
    for results in ({"total_samples": 2}, of_three | {"early_stopping": {"manager": "own"}}):
        assert len(sm.read_evals(of_inspect(tmp_path, [right] * 2, results=results))) == 4


def test_lines_and_tests_without_a_grade_have_rows_without_a_value(tmp_path: Path) -> None:
    lines = [
        json.loads(line) for line in next((LOGS / "lm_eval").rglob("samples_even_*")).read_text().splitlines()
    ]
    del lines[1]["acc"]
    for name in ("metrics", "acc_norm"):
        path = tmp_path / "samples_even_2026-11-01T12-00-00.0.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert ("1", "acc", None) in values(path)
        assert len(values(path)) == 2 * len(lines)
        del lines[1][name]
    output = json.loads((LOGS / "promptfoo" / "output.json").read_text())
    output["results"]["results"][0] |= {"gradingResult": None}
    (tmp_path / "output.json").write_text(json.dumps(output))
    found = values(tmp_path / "output.json")
    assert {("0", "contains", None), ("0", "polite", None), ("10", "polite", None), ("0", "pass", 1.0)} <= {
        *found
    }
    assert len(found) == 72
    run = json.loads((LOGS / "deepeval" / "small.json").read_text())
    run["testCases"][1]["metricsData"] = None
    (tmp_path / "run.json").write_text(json.dumps(run))
    assert {("question 1", "Exact", None), ("question 1", "Judged", None)} <= {*values(tmp_path / "run.json")}
    table = json.loads((LOGS / "mlflow" / "small.json").read_text())
    first = next(one for one in table[0]["assessments"] if "feedback" in one)
    first["feedback"] = {"error": {"error_code": "ScorerError"}}
    (tmp_path / "table.json").write_text(json.dumps(table))
    assert sum(value is None for *_, value in values(tmp_path / "table.json")) == 1


def test_scores_that_are_there_twice_are_refused(tmp_path: Path) -> None:
    right, wrong = {"match": {"value": "C"}}, {"match": {"value": "I"}}
    [log, _] = of_inspect(tmp_path, [right, wrong])
    log.write_text(log.read_text().replace('"id": 2', '"id": 1'))
    lines = next((LOGS / "lm_eval").rglob("samples_even_*")).read_text()
    output = json.loads((LOGS / "promptfoo" / "output.json").read_text())
    results = output["results"]["results"]
    output["results"]["results"] = [*results, results[0]]
    (tmp_path / "samples_even_2026-11-01T12-00-00.0.jsonl").write_text(lines * 2)
    (tmp_path / "output.json").write_text(json.dumps(output))
    (tmp_path / "own.jsonl").write_text('{"sample": "a", "value": 1}\n{"sample": "a", "value": 0}\n')
    (tmp_path / "own.csv").write_text("model,sample,scorer,value\nm,b,match,1\nm,b,match,1\n")
    said = {
        "log.json": "sample 1 of m has 2 scores by match in epoch 1; leave one of them in the log",
        "samples_even_2026-11-01T12-00-00.0.jsonl": "sample 0 of |has 2 scores by acc",
        "output.json": "sample 0 of mock:small has 2 scores by pass in epoch 1; give each of several providers",
        "own.jsonl": "sample a of own has 2 scores in epoch 1; number its repeats in the column epoch, or leave one",
        "own.csv": "sample b of m has 2 scores by match",
    }
    for name, part in said.items():
        assert_told(told(lambda name=name: sm.read_evals(tmp_path / name)), f"{part}|{name}")
    # epochs, raters, and assertions of one type are no copies
    own = [
        {"sample": 1, "value": 1, "epoch": epoch, "scored_by": rater}
        for epoch in (1, 2)
        for rater in ("code", None)
    ]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in own))
    assert len(sm.read_evals(tmp_path / "own.jsonl")) == 4
    results[0]["gradingResult"]["componentResults"] *= 2
    (tmp_path / "output.json").write_text(json.dumps(output | {"results": {"results": results}}))
    assert len(sm.read_evals(tmp_path / "output.json")) == 74


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ("NaN", "that failed: '2' of own. To count them as not passed"),
        ('"0,5"', "The score '0,5' is no number: write it with digits and a point alone"),
        ('"90%"', "The score '90%' is no number: write it with digits and a point alone"),
        ('"good"', "Scores are words; the share of one is rate(where='label = ''good''')"),
    ],
)
def test_scores_that_are_no_numbers(tmp_path: Path, value: str, advice: str) -> None:
    (tmp_path / "own.jsonl").write_text(f'{{"sample": 1, "value": 1}}\n{{"sample": 2, "value": {value}}}\n')
    message = told(lambda: sm.evaluate(sm.read_evals(tmp_path / "own.jsonl")))
    assert advice in message
    assert message.count("no number") + message.count("are words") + message.count("that failed") == 1


def test_samples_without_a_score_are_named() -> None:
    """The error says which of the rows that are asked for, and how they count as not passed."""
    table = sm.read_evals(LOGS / "promptfoo")
    with pytest.raises(
        sm.DataError, match="Samples without a score, as of those that failed: '10' of mock:large"
    ):
        sm.evaluate(table)
    advised = "rate(where='coalesce(value, 0) >= 1', better=higher)"
    rows = [row for row in table.to_pylist() if row["scorer"] == "pass"]
    for row in sm.evaluate(table, {"passed": advised}, where="scorer = 'pass'", by=[]):
        values = [one["value"] or 0 for one in rows if one["model"] == row["model"]]
        assert row["passed"] == pytest.approx(sum(values) / len(values))
    with pytest.raises(sm.DataError) as words:
        sm.evaluate(sm.read_evals(LOGS / "langfuse/scores.csv"), where="scorer = 'tone'")
    assert "Samples without" not in str(words.value)
    assert "Scores of tone are words; the share of one is rate(where='label = ''curt''')" in str(words.value)
