"""What a shell proposes: it asks the program, which answers with the words that may stand there."""

import os
import subprocess
import sys

import pytest

from sqlmetrics.book.catalog import catalog
from sqlmetrics.book.conventions import convention_names
from sqlmetrics.book.templates import dialects
from sqlmetrics.cli import complete
from support.command_line import printed

START = "import sys; sys.argv[0] = 'sqlmetrics'; from sqlmetrics.cli import main; main()"


@pytest.fixture
def proposed(run, monkeypatch):
    """The words that are proposed for the last of a line."""

    def ask(line: str) -> list[str]:
        monkeypatch.setenv("_SQLMETRICS_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        done = run()
        assert (done.status, done.err) == (0, "")
        return done.out.split("\n")[:-1]

    return ask


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("sqlmetrics two", ["two-proportions"]),
        ("sqlmetrics evaluate x --on-e", ["--on-extra"]),
        ("sqlmetrics evaluate x -m nor", ["normalized_entropy"]),
        ("sqlmetrics evaluate x --metrics auc,log_l", ["auc,log_loss"]),
        ("sqlmetrics evaluate x --metrics auc(max_fpr=0.1),log_l", ["auc(max_fpr=0.1),log_loss"]),
        ("sqlmetrics evaluate x --ties a", ["average"]),
        ("sqlmetrics evaluate x --on-duplicate ", ["error", "first"]),
        ("sqlmetrics compare x --correction h", ["holm"]),
        ("sqlmetrics evaluate x --format m", ["markdown"]),
        ("sqlmetrics evaluate x --convention ", convention_names()),
        ("sqlmetrics sql --dialect ", dialects()),
        ("sqlmetrics curve ro", ["roc"]),
        ("sqlmetrics report x --curves ro", ["roc"]),
        ("sqlmetrics report x --curves roc(points=50),g", ["roc(points=50),gain"]),
        ("sqlmetrics show auc_", [""]),
        ("sqlmetrics list class", ["classes"]),
        ("sqlmetrics list --over class", ["classes"]),
        ("sqlmetrics list --format j", ["json"]),
    ],
)
def test_words_that_may_stand_there(proposed, line, words):
    assert proposed(line) == words


def test_every_metric_is_proposed():
    assert {name.partition("@")[0] for name in complete.notations()} == {m.name for m in catalog().values()}


@pytest.mark.slow
def test_a_shell_is_told_whom_to_ask():
    """Typer finds the shell by the processes above it, so that this is a process of its own."""
    environment = {**os.environ, "_SQLMETRICS_COMPLETE": "source_bash"}
    script = subprocess.run(
        [sys.executable, "-c", START], env=environment, capture_output=True, check=True, text=True
    )
    assert "complete -o default -F _sqlmetrics_completion sqlmetrics" in script.stdout
    assert subprocess.run(["bash", "-n"], input=script.stdout, text=True, check=False).returncode == 0


def test_help_names_both_switches(run):
    out = printed(run, "--help")
    assert "--install-completion" in out
    assert "--show-completion" in out
