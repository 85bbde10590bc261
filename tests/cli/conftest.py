"""Runs the command line in this process."""

import io
import sys
from dataclasses import dataclass

import pytest

import sqlmetrics as sm
from sqlmetrics import cli
from sqlmetrics.cli import program
from support.command_line import FACTS, SEARCH

# reads the signatures of functions that tests replace
for command in program.command_line().commands:
    program.command_line(command)


@dataclass
class Done:
    status: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs the command line in this process."""

    def call(*words: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "argv", ["sqlmetrics", *words])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            cli.main()
        except SystemExit as end:
            status = end.code or 0
        else:
            status = 0
        return Done(status, *capsys.readouterr())

    return call


@pytest.fixture
def terminal(monkeypatch):
    """Standard output is a window of a given width."""

    def open_window(width: int) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(width))

    return open_window


@pytest.fixture
def report(monkeypatch):
    """What the command below computes: once, as the last digit of a sum depends on the order of threads."""
    computed = sm.evaluate(SEARCH, ["auc", "ndcg@10"], by="country", **FACTS)
    monkeypatch.setattr(sm, "evaluate", lambda *_, **__: computed)
    return computed
