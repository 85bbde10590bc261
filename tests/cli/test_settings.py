"""`--threads`, `--memory-limit` and `--temp-directory` set DuckDB for the run."""

from __future__ import annotations

import re

import duckdb
import pytest

import sqlmetrics as sm
from sqlmetrics.cli import program
from support.command_line import AUC, SEARCH, printed, refused

SETTINGS = ("threads", "memory_limit", "temp_directory")
SUITE = """
data: {data}
facts: {{label: grade, score: score, positive: 1}}
metrics: [auc]
gates: ["auc >= 0.5"]
"""


@pytest.fixture
def seen(monkeypatch):
    """The settings of the connections on which statements run, as DuckDB tells them."""
    found = []
    for module in (sm, __import__("sqlmetrics.suites.run", fromlist=["run"])):
        evaluate = module.evaluate

        def watched(*args, connection, evaluate=evaluate, **options):
            found.append(
                [
                    connection.execute(f"select current_setting('{name}')").fetchall()[0][0]
                    for name in SETTINGS
                ]
            )
            return evaluate(*args, connection=connection, **options)

        watched.__name__ = "evaluate"
        watched.__signature__ = evaluate.__signature__
        monkeypatch.setattr(module, "evaluate", watched)
    return found


def given(folder) -> tuple[str, ...]:
    return ("--threads", "3", "--memory-limit", "700MB", "--temp-directory", str(folder))


@pytest.mark.slow
@pytest.mark.parametrize("of", ["memory", "file", "suite"])
def test_the_run_has_the_settings(of, run, seen, tmp_path):
    with duckdb.connect(tmp_path / "file.duckdb") as file:
        file.execute(f"create table search as from read_parquet('{SEARCH}')")
    (tmp_path / "suite.yml").write_text(SUITE.format(data=SEARCH))
    call = {
        "memory": ("evaluate", SEARCH, *AUC),
        "file": ("evaluate", "search", *AUC, "--connection", f"duckdb:///{tmp_path}/file.duckdb"),
        "suite": ("check", str(tmp_path / "suite.yml")),
    }[of]
    if of == "suite":
        pytest.importorskip("ruamel.yaml")
    done = run(*call, *given(tmp_path))
    assert (done.status, done.err) == (0, "")
    assert seen == [[3, "667.5 MiB", str(tmp_path)]]


@pytest.mark.slow
def test_numbers_do_not_depend_on_them(run, tmp_path):
    asked = ("evaluate", SEARCH, *AUC, "--by", "country")
    assert printed(run, *asked, *given(tmp_path)) == printed(run, *asked)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--threads", "0"), "Invalid value for '--threads'"),
        (("--threads", "two"), "Invalid value for '--threads'"),
        (("--threads", "100000"), "Invalid value for '--threads'"),
        (("--memory-limit", "much"), "Invalid value for '--memory-limit': a size is a number and KB"),
        (("--memory-limit", "4"), "Invalid value for '--memory-limit': a size is a number"),
        (("--memory-limit", "-1"), "Invalid value for '--memory-limit'"),
        (("--temp-directory", "nowhere"), "Invalid value for '--temp-directory'"),
        (("--temp-directory", SEARCH), "Invalid value for '--temp-directory'"),
    ],
)
def test_bad_values(words, said, run):
    err = refused(run, "evaluate", SEARCH, *AUC, *words)
    assert err.splitlines()[-1].startswith(f"Error: {said}")


@pytest.mark.parametrize("address", ["sqlite:///none.db", "postgresql+psycopg://me:secret@localhost:1/db"])
def test_other_engines_have_settings_of_their_own(address, run, tmp_path):
    err = refused(run, "evaluate", "search", *AUC, *given(tmp_path), "--connection", address)
    assert re.fullmatch(r"Error: --threads 3 --memory-limit .* another engine; [^.]*\n", err)
    assert "secret" not in err


def test_memory_that_does_not_suffice(run):
    err = refused(run, "evaluate", SEARCH, *AUC, "--memory-limit", "2MB", "--threads", "1", status=3)
    assert "Out of Memory" in err


def test_every_command_that_runs_in_duckdb_has_them():
    commands = program.command_line().commands
    of = {name: {option.name for option in command.params} for name, command in commands.items()}
    runs = {name for name, options in of.items() if "connection" in options}
    assert {"evaluate", "compare", "find-slices", "report", "state", "finish"} < runs
    assert {name for name, options in of.items() if {*SETTINGS} <= options} == runs | {"check"}
