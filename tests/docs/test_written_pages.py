"""The pages that are written by hand, README among them: their examples run and print what stands below them."""

from __future__ import annotations

import re
import sqlite3
import textwrap
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from generate.outputs import commands, pages, renewed, run
from generate.readme import DARK_PICTURE, PICTURE, README, picture, with_names
from generate.site import DOCS, ROOT
from sqlmetrics.book.jinja import environment
from sqlmetrics.book.templates import macros

PAGES = {str(path.relative_to(ROOT)): path for path in pages()}
SQL = re.compile(r"^( *)```sql\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# of metrics that a project defines itself; tests/dbt/ runs them
OWN = "'rmsre'"


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_examples_print_what_is_said(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert renewed(text) == text, "write it anew: make readme"


@pytest.mark.slow
def test_names_and_picture_are_those_of_the_project() -> None:
    for path in (README, DOCS / "index.md"):
        text = path.read_text(encoding="utf-8")
        assert with_names(text) == text, "write it anew: make readme"
    numbers = re.findall(r"\d\.\d{4}", picture().description)
    assert numbers
    for drawn in (PICTURE, DARK_PICTURE):
        svg = drawn.read_text(encoding="utf-8")
        assert [number for number in numbers if number not in svg] == []
        assert drawn.stat().st_size < 50_000


def test_readme_is_short_and_names_each_way_in() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    order = [
        text.index(f"\n## {chapter}\n") for chapter in ("Install", "Python", "SQL", "dbt", "The metrics")
    ]
    assert order == sorted(order)


def test_links_between_files_lead_somewhere() -> None:
    """On a page of the repository, where a reader has no site."""
    missing = []
    for path in (*PAGES.values(), ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)\s#]+)[^)]*\)", path.read_text(encoding="utf-8")):
            made = (path.parent / target).resolve().relative_to(ROOT).parts[:2] in [("docs", "metrics")]
            if "://" not in target and not made and not (path.parent / target).exists():
                missing.append(f"{path.name}: {target}")
    assert missing == []


@pytest.mark.slow
def test_statements_of_duckdb_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    Path("scores.csv").write_text("session,score\n01,0.5\n", encoding="utf-8")
    Path("scores.jsonl").write_text('{"session": "01", "score": 0.5, "label": 1}\n', encoding="utf-8")
    connection = duckdb.connect()
    sm.install(connection)
    ran = 0
    for path in PAGES.values():
        connection.execute("drop view if exists p")
        for _, code in SQL.findall(path.read_text(encoding="utf-8")):
            if "{{" not in code:
                connection.execute(code).fetchall()
                ran += 1
    assert ran >= 4


@pytest.mark.slow
def test_commands_that_write_files_or_read_a_database_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder of their own, with the example and the tables of docs/howto/connections.md and docs/dbt.md."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    with sqlite3.connect("answers.db") as database:
        database.execute("create table answers (question text, liked boolean, p real)")
        database.execute("insert into answers values ('a', 1, 0.9), ('a', 0, 0.4)")
    database.close()
    [seed] = re.findall(r"^```csv\n(.*?)^```", (DOCS / "dbt.md").read_text(encoding="utf-8"), re.M | re.S)
    Path("seed.csv").write_text(seed, encoding="utf-8")
    with duckdb.connect("dev.duckdb") as project:
        project.execute("create table predictions as from 'seed.csv'")
    blocks = [block for path in PAGES.values() for block in SHELL.findall(path.read_text(encoding="utf-8"))]
    typed = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    for command in typed:
        run(command)
    assert len(typed) >= 2
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_models_of_dbt_render() -> None:
    called = {"sqlmetrics": macros("duckdb"), "ref": str, "config": lambda **_: ""}
    rendered = 0
    for path in PAGES.values():
        for _, code in SQL.findall(path.read_text(encoding="utf-8")):
            if "{{" in code and OWN not in code:
                assert "select" in environment().from_string(code).render(called)
                rendered += 1
    assert rendered >= 8


def test_commands_of_a_block() -> None:
    assert commands("$ sqlmetrics list \\\n    lists\n$ make demo\n") == ["sqlmetrics list      lists"]


def test_an_output_that_changed_is_seen() -> None:
    said = "```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n"
    assert renewed(said) == said.replace("3", "2")
    inside = textwrap.indent(said, "    ")
    assert renewed(inside) == inside.replace("3", "2")


def test_a_command_that_fails_is_seen() -> None:
    with pytest.raises(AssertionError, match="ended with"):
        renewed("```console\n$ sqlmetrics evaluate no-such-file.csv -m auc --label y --score p\n```\n")
