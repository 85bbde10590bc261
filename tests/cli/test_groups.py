"""The help under headings, and the commands of two words beside the names that they had before."""

import sqlmetrics as sm
from sqlmetrics.cli import program
from sqlmetrics.cli.commands import BOOK, COMPARING, GATED, MEASURED, SEARCHING, STATEMENTS
from support.command_line import SEARCH, printed, refused

LISTS = ("--relation", "p", "--label", "y", "--score", "s", "--group", "u", "-m", "mrr")
ASKED = (SEARCH, "-m", "brier", "--label", "grade", "--score", "score", "--positive", "1", "--by", "country")


def test_every_command_stands_below_a_heading(run):
    shown = printed(run, "--help")
    for heading in (MEASURED, COMPARING, SEARCHING, GATED, STATEMENTS, BOOK):
        assert f"\n{heading}:\n" in shown
    for name in program.command_line().commands:
        assert shown.count(f"\n  {name}  ") == 1


def test_former_names_work(run):
    expected = sm.render_per_group("p", "mrr", label="y", score="s", group="u").strip()
    for words in (("sql", "per-group"), ("sql-per-group",)):
        assert printed(run, *words, *LISTS).strip() == expected
    assert printed(run, "slices", *ASKED) == printed(run, "find-slices", *ASKED)
    found = [
        printed(run, *words, *ASKED[1:], "--relation", "t")
        for words in (("sql-slices",), ("sql", "find-slices"))
    ]
    assert found[0] == found[1]


def test_a_mistake_names_the_options_of_the_command(run):
    assert "No such command 'sql comprae'. Did you mean 'sql compare'" in refused(run, "sql", "comprae")
    told = refused(run, "sql", "compare", "--relation", "t", "-m", "auc", "--label", "y", "--baseline", "p")
    assert "--candidate names no score" in told
    assert "--score score_a --score score_b" in told
    assert "Usage: sqlmetrics sql compare [OPTIONS]" in printed(run, "sql", "compare", "--help")
