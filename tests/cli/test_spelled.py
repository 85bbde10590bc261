"""Messages of Python functions, as the command line prints them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sqlmetrics
from sqlmetrics.cli import program
from sqlmetrics.cli.spelled import spelled
from support.command_line import SEARCH

PACKAGE = Path(sqlmetrics.__file__).parent
#: modules that no command calls
OF_PYTHON = ("api/scorer.py",)
RAISED = ("SqlMetricsError", "DataError", "no_state")
COMMANDS = program.command_line().commands


def filled(part: ast.expr) -> str:
    """A part of a text; a value with its quotes, if it has some."""
    if isinstance(part, ast.FormattedValue):
        return "'x'" if part.conversion == ord("r") else "x"
    return str(part.value) if isinstance(part, ast.Constant) else ""


def messages() -> list[str]:
    """The texts of the package that are raised as errors, as far as they are written there."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).as_posix() in OF_PYTHON:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED):
                continue
            within = [part for argument in node.args for part in ast.walk(argument)]
            texts = [part for part in within if isinstance(part, ast.JoinedStr)]
            inner = {id(value) for text in texts for value in text.values}
            found += ["".join(map(filled, text.values)) for text in texts]
            found += [
                filled(part) for part in within if isinstance(part, ast.Constant) and id(part) not in inner
            ]
    return found


@pytest.mark.slow
def test_no_message_names_a_function_of_python() -> None:
    """An expression is 'sql:...', and a function is the command of its name."""
    python = [message for message in messages() if re.search(r"\bsm\.", message)]
    assert len(python) > 10
    for message in python:
        printed = spelled(message, {})
        assert "sm." not in printed, message
        for command in re.findall(r"'sqlmetrics ([\w-]+)'", printed):
            assert command in COMMANDS, message


@pytest.mark.slow
def test_messages_name_options_and_commands(run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("y,s,day\n1,0.5,1\n0,0.25,1\n")
    state = str(tmp_path / "state.parquet")
    made = run(
        "state", str(table), "-m", "auc", "--label", "y", "--score", "s", "--period", "day", "-o", state
    )
    assert made.status == 0, made.err
    graded = (SEARCH, "--label", "grade", "--positive", "1", "--score", "score")
    shares = ("--interval", "0.9", "--interval-method", "exact")
    classes = ("--label", "country", "--class-scores", "DE=score")
    for words, told in (
        (("finish", state, "-m", "rmse"), "make the state for it, too: 'sqlmetrics state'"),
        (("finish", str(table), "-m", "auc"), "is no state; 'sqlmetrics state' makes one"),
        (("evaluate", *graded, "-m", "aucc"), "'sqlmetrics list' shows all"),
        (("evaluate", *graded, "-m", "psi"), "which 'sqlmetrics drift' does"),
        (("evaluate", *graded, "-m", "roc_curve"), "write 'sqlmetrics curve' with 'roc'"),
        (("evaluate", *graded, "-m", "chi2"), "write 'sqlmetrics chi-square'"),
        (("evaluate", *graded, "-m", "wer"), "accuracy with --prediction is"),
        (("evaluate", *graded, "-m", "auc", "--ties", "worst"), "--ties needs --group"),
        (("evaluate", *graded, "-m", "log_loss", *shares), "--interval-method exact is for shares of rows"),
        (
            ("evaluate", SEARCH, "-m", "multiclass_log_loss", *classes),
            "classes to columns, cat=p_cat dog=p_dog",
        ),
    ):
        error = run(*words).err
        assert told in error, error
        assert "sm." not in error


@pytest.mark.parametrize("form", ["table", "json", "markdown"])
def test_notes_name_options(run, form: str, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("y,s\n0,2\n0,3\n,1\n")
    words = ("--label", "y", "--score", "s", "--on-bad-rows", "drop", "--format", form)
    printed = run("evaluate", str(table), "-m", "auc", *words).out
    assert "rows dropped: 1, which n_rows counts (--on-bad-rows drop)" in printed
    assert "labels from 1 on count as positive; change it with --positive" in printed
