"""The command that writes a page, and HTML as a format of all others."""

import html
import io
import sys

import pytest

import sqlmetrics as sm
from support.command_line import FACTS, ROLES, SEARCH, printed, refused

FEW = ("report", SEARCH, "--metrics", "rmse,mrr", *ROLES)


def without_time(page):
    """A page without the lines that say when it was made."""
    return [line for line in page.splitlines() if " UTC" not in line]


@pytest.mark.slow
def test_page_is_that_of_python(run, tmp_path):
    file = tmp_path / "report.html"
    assert printed(run, *FEW, "--by", "country", "--title", "Searches", "-o", str(file)) == ""
    page = sm.report(SEARCH, ["rmse", "mrr"], by="country", title="Searches", **FACTS)
    assert without_time(file.read_text(encoding="utf-8")) == without_time(page.html)


@pytest.mark.slow
def test_models_curves_and_a_pipe(run):
    words = ("--metrics", "rmse", "--label", "grade", "--positive", "1")
    out = printed(
        run, "report", SEARCH, *words, "--score", "new=score", "--score", "old=score_b", "--baseline", "old"
    )
    assert "new is better than old by rmse" in out
    assert out.count("<summary>Curve ") == 1  # residuals, since rmse is an error of numbers
    out = printed(
        run, "report", SEARCH, *words, "--score", "score", "--curves", "calibration(bins=5, equal=count),gain"
    )
    assert out.count("<summary>Curve ") == 2
    assert 'id="curves"' not in printed(run, "report", SEARCH, *words, "--score", "score", "--curves", "none")


@pytest.mark.slow
def test_page_of_states(run, tmp_path):
    file = tmp_path / "state.parquet"
    printed(run, "state", SEARCH, "-m", "mrr", "--period", "country", "--output", str(file), *ROLES)
    page = html.unescape(printed(run, "report", str(file), "-m", "mrr"))
    assert "mrr by country" in page
    assert page.count("again by 'sqlmetrics state' with --intervals") == 2  # as the command line writes it
    assert "sm.state" not in page
    assert "again by sm.state(...) with intervals=True" in sm.report(str(file), "mrr").html


def test_where_a_page_goes(run, tmp_path, terminal):
    terminal(80)
    assert (
        refused(run, *FEW) == "Error: A page does not go to the screen; write it with --output report.html\n"
    )
    assert refused(run, *FEW, "-o", "a.pdf") == "Error: A page is HTML; end 'a.pdf' in .html\n"
    assert "there is no folder" in refused(run, *FEW, "-o", str(tmp_path / "none" / "a.html"))


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.slow
def test_terminal_sees_what_is_computed(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    run(*FEW, "-o", str(tmp_path / "a.html"))
    shown = sys.stderr.getvalue()
    assert "the page" in shown or "mrr of each list" in shown
    assert (tmp_path / "a.html").is_file()


@pytest.mark.parametrize("name", ["slices", "größe"])
def test_html_of_other_commands_is_a_fragment_of_plain_letters(run, tmp_path, name):
    rows = tmp_path / "rows.csv"
    rows.write_text(f"{name},y,p\né,1,0.5\né,0,0.25\n", encoding="utf-8")
    file = tmp_path / "metrics.html"
    printed(
        run,
        "evaluate",
        str(rows),
        "-m",
        "rmse",
        "--label",
        "y",
        "--score",
        "p",
        "--by",
        name,
        "--output",
        str(file),
    )
    text = file.read_bytes().decode("ascii")
    assert text.startswith("<table")
    assert "&#233;" in text
