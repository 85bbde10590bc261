"""README says what is so: its examples give what stands below them, its table is that of `sql/`."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

import pytest

from sqlmetrics.cli import main
from support.readme_table import README, with_table

TEXT = README.read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, flags=re.DOTALL)


def test_table_is_made_from_sql() -> None:
    assert with_table(TEXT) == TEXT, "write it anew: make readme"


def test_python_examples_print_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(README.parent)
    names: dict[str, object] = {}
    shown = 0
    for (kind, code), (following, output) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if kind != "python":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        if following == "text":
            shown += 1
            assert printed.getvalue().strip() == output.strip()
    assert shown


def test_commands_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(README.parent)
    commands = [
        line
        for kind, code in BLOCKS
        if kind == "console"
        for line in code.replace("\\\n", " ").splitlines()
        if line.startswith("$ sqlmetrics")
    ]
    assert commands
    for command in commands:
        monkeypatch.setattr("sys.argv", shlex.split(command.removeprefix("$ ")))
        with pytest.raises(SystemExit) as stopped:
            main()
        assert not stopped.value.code
        assert capsys.readouterr().out
