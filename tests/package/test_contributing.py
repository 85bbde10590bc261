"""CONTRIBUTING.md: its commands run something, and its examples are what the files have."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import textwrap
from importlib.util import find_spec

import pytest

from conformance.cases import Case
from sqlmetrics.book.templates import sql_files
from support.one_metric import of_metric
from support.paths import ROOT, TESTS
from support.processes import surroundings

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SPANS = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", TEXT)
TYPED = re.findall(r"^\$ (.*)", TEXT, re.MULTILINE)
PYTEST = [
    found[1].replace("<name>", "duckdb")
    for command in [*TYPED, *SPANS]
    if (found := re.match(r"(?:\S+python -m )?pytest (.+)", command))
]


def collected(arguments: str) -> str:
    """What pytest says that collects by some arguments; it has found a test."""
    words = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*words, *shlex.split(arguments)],
        cwd=ROOT, env=surroundings(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_commands() -> None:
    assert len(TYPED) >= 4
    assert len(PYTEST) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("arguments", PYTEST)
def test_a_command_of_tests_collects_some(arguments: str) -> None:
    assert "::" in collected(
        f"tests/plan/test_statements.py --ran={os.devnull}" if "ran=" in arguments else arguments
    )


@pytest.mark.slow
def test_a_metric_alone_is_each_case_with_its_notations() -> None:
    found = collected("tests/conformance tests/metrics --engines sqlite --metric ndcg")
    assert "test_metric[sqlite-graded" in found
    assert "test_every_metric_has_direction_range_and_unit[metric_ndcg]" in found
    assert "numbers 5" not in found
    assert "metric_dcg" not in found


def test_a_case_keeps_the_notations_of_a_metric() -> None:
    asked = ["ndcg@3", "dcg@3", "ndcg(gain=linear)@10", "map", "rndcg@3"]
    case = Case("a", asked, [{"label": 1}])
    assert of_metric("case", case, ["ndcg"]) == Case("a", ["ndcg@3", "ndcg(gain=linear)@10"], [{"label": 1}])
    assert of_metric("case", case, ["mrr"]) is None
    assert of_metric("notations", asked, ["map"]) == ["map"]
    assert of_metric("engine", "duckdb", ["map"]) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("ndgc", "There is no metric 'ndgc'. Did you mean 'ndcg'?"),
        ("rmspe", "No test of these asks for 'rmspe'"),
    ],
)
def test_a_metric_that_no_test_asks_for(metric: str, words: str) -> None:
    with pytest.raises(AssertionError, match=re.escape(words)):
        collected(f"tests/metrics/test_curves.py --metric {metric}")


def test_targets_of_make_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {target for span in SPANS for target in re.findall(r"^make ([\w-]+)", span)}
    assert len(named) >= 10
    assert [target for target in sorted(named) if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@pytest.mark.slow
def test_modules_and_commands_are_there() -> None:
    for module in re.findall(r"python -m (support\.\w+)", TEXT):
        assert find_spec(module), module
    for words in [shlex.split(command)[1:] for command in TYPED if "bin/sqlmetrics" in command]:
        done = subprocess.run(
            [sys.executable, "-m", "sqlmetrics", *words], cwd=ROOT, capture_output=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, b""), words


def test_examples_are_what_the_files_have() -> None:
    blocks = re.findall(r"^```(?:jinja|python)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    files = [
        *sql_files().values(),
        *(path.read_text(encoding="utf-8") for path in (TESTS / "oracles").glob("*.py")),
    ]
    shown = [
        textwrap.dedent(part).strip()
        for block in blocks
        if "\nclass " not in block
        for part in (re.split(r"\n\n\n(?=def )", block) if block.startswith("def ") else [block])
        if not part.startswith("(*")
    ]
    assert len(shown) >= 5
    assert [part.splitlines()[0:2] for part in shown if not any(part in text for text in files)] == []
