"""A prediction that is a score is refused on the command line, and what the message says works there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.command_line import printed, refused

COMMANDS = {
    "evaluate": "-m accuracy --label y --prediction p",
    "class-report": "--label y --prediction p",
    "confusion-matrix": "--label y --prediction p",
    "mcnemar": "--label y --baseline b --candidate p",
    "state": "-m accuracy --label y --prediction p --period g",
}


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.csv"
    path.write_text("y,p,b,g\n0,0.2,false,1\n1,0.9,true,1\n1,0.7,true,2\n0,0.4,false,2\n")
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "words"), COMMANDS.items(), ids=COMMANDS)
def test_a_score_is_no_prediction(run, rows: str, command: str, words: str) -> None:
    call = [command, rows, *words.split()]
    message = refused(run, *call, status=3)
    assert "with a fraction, such as 0." in message
    role, expression = re.search(r"such as (?:--)?(\w+)[ =]'(sql:[^']*)'", message).groups()
    call[call.index(f"--{role}") + 1] = expression
    if command != "state":  # whose result is a table of sums
        assert "1" in printed(run, *call)


def test_a_boolean_is_0_or_1(run, rows: str) -> None:
    assert "1.0000" in printed(run, "evaluate", rows, "-m", "accuracy", "--label", "y", "--prediction", "b")
