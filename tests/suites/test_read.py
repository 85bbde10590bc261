"""Errors in a suite name the file and line."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sqlmetrics import DataError, SqlMetricsError
from sqlmetrics.given.columns import sql
from sqlmetrics.suites.read import suite_of
from sqlmetrics.suites.run import checked
from support.errors import told

START = "data: rows.parquet\nfacts:\n  label: y\n  score: {new: new, old: old}\nmetrics: [auc]\n"
LIMIT = "gates: [auc >= 0]\n"
MISTAKES = {
    "empty": ("", "1: a suite is a mapping"),
    "a list": ("- data", "1: a suite is a mapping"),
    "not YAML": ("data: rows.parquet\nmetrics: [auc\n", "it is not YAML: expected ',' or ']'"),
    "a tab": ("data: rows.parquet\nfacts:\n\tlabel: y\n", "3: it is not YAML: found character '\\t'"),
    "a control character": ("data: \x01", "it is not YAML: unacceptable character"),
    "an object of Python": ("data: !!python/object:os.system x", "1: it is not YAML: could not determine"),
    "a key twice": (START + "data: b.parquet\n", "6: it is not YAML: found duplicate key"),
    "names that repeat without end": (
        "data: rows.parquet\nmetrics:\n- &a [b, b]\n"
        + "".join(f"- &{one} [*{last}, *{last}]\n" for last, one in itertools.pairwise("acdefghijklmnopqrstu")),
        "it has more than 100,000 values",
    ),
    "a value within itself": ("data: rows.parquet\nmetrics: &a [*a]\n", "it has more than 100,000 values"),
    "two documents": (START + "---\na: 1\n", "it is not YAML: but found another document"),
    "no data": ("metrics: [auc]\n", "1: the suite takes either data or state"),
    "data and a state": (
        "data: rows.parquet\nstate: days.parquet\nmetrics: [auc]\n",
        "1: the suite takes either data or state",
    ),
    "a fact that a state holds": (
        "state: days.parquet\nfacts: {label: y}\nmetrics: [auc]\ngates: auc >= 0\n",
        "2: a state holds its columns and options; leave label out. Facts of a state: total, total_name, ",
    ),
    "no metrics": ("data: rows.parquet\n", "1: the suite lacks metrics"),
    "unknown key": (START + "metricz: [auc]\n", "6: 'metricz' is no key of the suite. Did you mean 'metrics'?"),
    "unknown fact": (START.replace("label", "lable"), "3: 'lable' is no key of facts. Did you mean 'label'?"),
    "unknown key of a gate": (START + "gates:\n  - gat: auc >= 1\n", "7: 'gat' is no key of gates.0. Did you mean"),
    "no gate": (START + "gates:\n  - slices: false\n", "7: gates.0 lacks gate"),
    "no gates": (START + "gates: []\n", "6: gates is empty"),
    "a gate that is a number": (START + "gates: 3\n", "6: gates is 3, and has to be text or a list"),
    "one gate that is none": (START + "gates: auc\n", "6: A gate is a metric, one of"),
    "a list of files of a model": (START.replace("rows.parquet", "{a: [b]}"), "1: data.a is ['b'], and has to be text"),
    "one table": (
        START.replace("rows.parquet", "{a: b}") + "baseline: {model: a, gates: auc > 0}\n",
        "6: baseline needs two models: facts.score is a mapping of names to columns, or data one of names to files",
    ),
    "empty fact": (START.replace("label: y", "label:"), "3: facts.label is empty, and has to be text"),
    "a number as column": (START.replace("label: y", "label: 3"), "3: facts.label is 3, and has to be text"),
    "not an integer": (START.replace("label: y", "max_grade: high"), "3: facts.max_grade is 'high', and has"),
    "a choice": (START.replace("label: y", "ties: worse"), "3: facts.ties is 'worse'. Did you mean 'worst'? Allowed"),
    "a metric": (START.replace("[auc]", "\n  - auc\n  - ncdg@10"), "7: Unknown metric 'ncdg'. Did you mean 'ndcg'?"),
    "a parameter": (START.replace("[auc]", "{a: auc(bin=3)}"), "5: Unknown parameter 'bin' of auc. Did you mean"),
    "two of a name": (START.replace("[auc]", "[auc, auc]"), "5: Two metrics would be named 'auc'"),
    "no gate text": (START + "gates:\n- auc >= 0.1\n- auc > high\n", "8: The limit of a gate is a number such as 0.7"),
    "not a gate": (START + "gates:\n- auc\n", "7: A gate is a metric, one of"),
    "one model": (
        START.replace("{new: new, old: old}", "new") + "baseline:\n  model: old\n  gates: [auc >= 0]\n",
        "6: baseline needs two models",
    ),
    "no such model": (START + "baseline:\n  model: odl\n  gates: [auc >= 0]\n", "7: 'odl' is no model. Did you mean"),
    "two references": (
        START + "reference: {report: a.json, state: b.parquet, gates: [auc >= 0]}\n",
        "6: reference takes either report or state",
    ),
    "no limit": (START, "1: the suite has no limit; add gates, fail_null, baseline or reference"),
    "no file name": (START.replace("rows.parquet", "''"), "1: data is empty"),
    "a score twice": (START.replace("{new: new, old: old}", "[new, new]"), "4: Two scores are named 'new'"),
    "one file twice": (START + LIMIT + "outputs:\n  junit: a\n  json: a\n", "8: Two outputs would be written"),
    "a folder": (START + LIMIT + "outputs:\n  junit: .\n", "8: Cannot write"),
    "no folder": (START + LIMIT + "outputs:\n  junit: no/where.xml\n", "8: Cannot write '"),
    "an input": (START + LIMIT + "outputs:\n  junit: rows.parquet\n", "8: outputs.junit '"),
    "the suite": (START + LIMIT + "outputs:\n  json: suite.yml\n", "8: outputs.json '"),
}  # fmt: skip
OF_FACTS = {  # in a file of their own
    "no such file": (None, "suite.yml:2: Cannot read '{there}': No such file"),
    "not YAML": ("label: [", "{there}:1: it is not YAML"),
    "an unknown fact": ("score: new\nlable: y", "{there}:2: 'lable' is no key of the facts. Did you mean 'label'?"),
    "of a suite": ("metrics: [auc]\nfacts:\n  label: 3", "{there}:3: facts.label is 3, and has to be text"),
    "elsewhere": ("facts: other.yml", "{there}:1: the facts of this suite are in 'other.yml'; name that file"),
    "a column": ("score: new\nlabel: z", "{there}:2: Column 'z' (label=) is not in"),
    "a table": ("label: y\nscore: new\ntruth: no.csv", "{there}:3: No file matches '{folder}/sub/no.csv'"),
}  # fmt: skip
OF_DATA = {
    "the table of a model": (
        "data:\n  a: rows.parquet\n  b: no.parquet\n" + START.partition("\n")[2] + LIMIT,
        "3: No file matches '",
    ),
    "scores by model beside tables": (
        START.replace("rows.parquet", "{a: rows.parquet, b: rows.parquet}") + LIMIT,
        "1: score= is one column where the tables name the models",
    ),
    "tables without a key": (
        START.replace("rows.parquet", "{a: rows.parquet, b: rows.parquet}").replace(
            "{new: new, old: old}", "new"
        )
        + "baseline: {model: a, gates: auc > -1}\n",
        "6: Models with rows of their own need group=",
    ),
    "a table": (START.replace("label: y", "label: y\n  truth: no.csv") + LIMIT, "4: No file matches '"),
    "a column": (START.replace("label: y", "label: z") + LIMIT, "3: Column 'z' (label=) is not in"),
    "an option": (
        START.replace("label: y", "label: y\n  weight: wight") + LIMIT,
        "4: Column 'wight' (weight=)",
    ),
    "a slice": (START + LIMIT + "slices: [land]\n", "7: Column 'land' (by=) is not in"),
    "a gate of another metric": (START + "gates:\n- auc >= 0\n- mrr >= 0.1\n", "8: The result has no 'mrr'"),
    "a baseline of another metric": (
        START + "baseline:\n  model: old\n  gates:\n  - mrr >= 0.1\n",
        "9: The result has no 'mrr' for the gate 'mrr >= 0.1'",
    ),
    "a reference of another metric": (
        START + "reference:\n  report: rows.parquet\n  gates:\n  - mrr >= 0.1\n",
        "9: The result has no 'mrr'",
    ),
}


@pytest.mark.parametrize(("text", "words"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_have_a_line(write: Callable[..., Path], text: str, words: str) -> None:
    path = write(text)
    said = told(suite_of, path)
    assert said.startswith(f"{path}:")
    assert words in said.replace(f"{path}:", "")


@pytest.mark.parametrize(("text", "words"), OF_DATA.values(), ids=OF_DATA)
def test_mistakes_beside_the_data_have_a_line(write: Callable[..., Path], text: str, words: str) -> None:
    path = write(text)
    said = told(checked, suite_of(path))
    assert said.startswith(f"{path}:{words}")


@pytest.mark.parametrize(("facts", "words"), OF_FACTS.values(), ids=OF_FACTS)
def test_mistakes_in_a_file_of_facts_have_its_line(
    write: Callable[..., Path], folder: Path, facts: str | None, words: str
) -> None:
    path = write("data: rows.parquet\nfacts: sub/f.yml\nmetrics: [auc]\n" + LIMIT)
    there = folder / "sub" / "f.yml"
    there.parent.mkdir(exist_ok=True)
    there.unlink(missing_ok=True)
    if facts is not None:
        there.write_text(facts)
    said = told(lambda: checked(suite_of(path)))
    assert said.startswith(words.format(there=there, folder=folder).replace("suite.yml:", f"{path}:"))


@pytest.mark.slow
def test_data_that_cannot_be_read(write: Callable[..., Path], folder: Path) -> None:
    suite = suite_of(write(data="no.parquet"))
    with pytest.raises(DataError, match=r"suite.yml:1: No file matches '.*no.parquet'"):
        checked(suite)
    (folder / "broken.json").write_text("[}")
    for report, words in (("no.json", "No such file"), ("broken.json", "is neither JSON nor Parquet")):
        suite = suite_of(write(reference={"report": report, "gates": ["auc >= -1"]}))
        with pytest.raises(DataError, match=words):
            checked(suite)


@pytest.mark.parametrize("data", ["*.json", "."])
def test_an_output_that_the_next_run_would_read(data: str, write: Callable[..., Path]) -> None:
    said = told(suite_of, write(data=data, outputs={"json": "found.json"}))
    assert "outputs.json '" in said
    assert "' reads, so that the result would be data of the next call" in said


def test_a_suite_that_is_not_there(tmp_path: Path) -> None:
    said = told(suite_of, tmp_path / "no.yml")
    assert said == f"Cannot read '{tmp_path / 'no.yml'}': No such file or directory"
    (tmp_path / "latin.yml").write_bytes(b"data: K\xf6ln")
    assert "it is not UTF-8" in told(suite_of, tmp_path / "latin.yml")


def test_values_are_those_of_yaml_1_2(write: Callable[..., Path], folder: Path) -> None:
    """`no` is text and 1e-3 a number; a column may be an expression; paths start at the suite."""
    text = (
        "data: [rows.parquet, '*.parquet', /abs/x.parquet]\n"
        "facts: {label: 'sql:y > 0', score: {no: new, old: 'sql:old + 1'}, positive: 1e-3, interval: 0.9}\n"
        "metrics: {n: auc}\nslices: country\n"
        "gates: ['n >= 1e-3']\n"
    )
    suite = suite_of(write(text))
    assert suite.data == [f"{folder}/rows.parquet", f"{folder}/*.parquet", "/abs/x.parquet"]
    assert suite.facts == {
        "label": sql("y > 0"),
        "score": {"no": "new", "old": sql("old + 1")},
        "positive": 0.001,
        "interval": 0.9,
    }
    assert isinstance(suite.facts["label"], sql)
    assert (suite.metrics, suite.slices) == ({"n": "auc"}, ["country"])
    assert [gate.limit for gate in suite.gates.gates.values()] == [0.001]


def test_a_folder_with_signs_of_patterns(tmp_path: Path) -> None:
    strange = tmp_path / "a[1]*"
    strange.mkdir()
    (strange / "p.csv").write_text("y,p\n1,0.9\n0,0.2\n")
    (strange / "s.yml").write_text(
        "data: '*.csv'\nfacts: {label: y, score: p}\nmetrics: [auc]\ngates: [auc >= 1]\n"
    )
    assert [one.value for one in checked(suite_of(strange / "s.yml")).outcomes] == [1.0]


def test_without_the_libraries(write: Callable[..., Path], monkeypatch: Any) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ruamel.yaml", None)
    with pytest.raises(SqlMetricsError, match=r"pip install 'sqlmetrics\[suite\]'"):
        suite_of(write())
