"""A mistake is one message; and the command as a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

import sqlmetrics as sm
from support.command_line import AUC, ROLES, SEARCH, python, refused

# --- mistakes

UNREADABLE = {
    "no file": (["evaluate", "nowhere.parquet", *AUC], "No file matches 'nowhere.parquet'"),
    "no truth": (["evaluate", SEARCH, *AUC, "--truth", "nowhere.csv"], "No file matches 'nowhere.csv'"),
    "no data": (["evaluate", __file__.replace(".py", ".*"), *AUC], "DuckDB cannot read"),
    "no state": (["finish", SEARCH, "--metrics", "auc"], "is no state"),
    "no run": (["trec", SEARCH, SEARCH, "-m", "map"], "DuckDB cannot read"),
    "not binary": (
        ["evaluate", SEARCH, "--metrics", "auc", "--label", "score", "--score", "grade"],
        "neither 0 nor 1",
    ),
    "empty input": (["evaluate", "-", *AUC], "Standard input is empty"),
}
MISTAKES = {
    "column": (["evaluate", SEARCH, *AUC, "--by", "contry"], "Did you mean 'country'?"),
    "expression": (["evaluate", SEARCH, *AUC, "--by", "a > b"], "An expression is written 'sql:a > b'"),
    "broken expression": (["evaluate", SEARCH, *AUC, "--by", "sql:grade >"], "DuckDB cannot read"),
    "metric": (["evaluate", SEARCH, "--metrics", "acu", *ROLES], "Did you mean 'auc'?"),
    "empty metric": (["evaluate", SEARCH, "--metrics", "auc,", *ROLES], "Metric '' cannot be read"),
    "cutoff": (["evaluate", SEARCH, "--metrics", "ndcg@0", *ROLES], "k must be an integer >= 1, got 0"),
    "result name": (["evaluate", SEARCH, "--metrics", "a=auc,a=mrr", *ROLES], "would be named 'a'"),
    "score name": (["evaluate", SEARCH, *AUC, "--score", "score"], "Two scores are named 'score'"),
    "ties": (["evaluate", SEARCH, *AUC, "--ties", "worse"], "Allowed: average, worst, best"),
    "bad rows": (["evaluate", SEARCH, *AUC, "--on-bad-rows", "keep"], "must be 'error' or 'drop'"),
    "parquet": (["evaluate", SEARCH, *AUC, "--format", "parquet"], "--output FILE"),
    "folder": (["evaluate", SEARCH, *AUC, "--output", "no/folder.csv"], "Cannot write"),
    "is a folder": (["evaluate", SEARCH, *AUC, "--output", str(Path(__file__).parent)], "Cannot write"),
    "format": (["evaluate", SEARCH, *AUC, "--format", "xml"], "'xml' is not one of"),
    "integer": (["evaluate", SEARCH, *AUC, "--max-grade", "high"], "Invalid value for '--max-grade'"),
    "option": (["evaluate", SEARCH, *AUC, "--lable", "x"], "No such option: --lable"),
    "no metrics": (["evaluate", SEARCH], "Missing option '--metrics'"),
    "what an option takes": (
        ["find-slices", SEARCH],
        "Missing option '--by'; write --by COLUMNS (The columns whose values make slices",
    ),
    "what -m takes": (
        ["agreement", SEARCH],
        "Missing option '--measures'; write -m LIST (The measures, such as",
    ),
    "no data": (["evaluate"], "Missing argument 'DATA'; write sqlmetrics evaluate DATA... (Parquet, CSV or"),
    "no qrels": (["trec", SEARCH], "write sqlmetrics trec RUN... QRELS (Run files; name=file names a run"),
    "a number that is missing": (
        ["plan-labels", SEARCH, *AUC, "--gold", "y"],
        "write --budget VALUE (How many",
    ),
    "score of classes": (
        ["class-report", SEARCH, "--label", "grade", "--score", "score"],
        "No such option: --score; a class is predicted from a score p by --prediction 'sql:p >= 0.5'",
    ),
    "words as an option": (
        ["explain-difference", SEARCH, "-m", "rmse", *ROLES],
        "are words after the data, such as sqlmetrics explain-difference data.parquet ndcg@10 default trec_eval",
    ),
    "a curve as an option": (["curve", SEARCH, "-m", "roc"], "write sqlmetrics curve data.parquet roc"),
    "picture": (
        ["curve", SEARCH, "roc", *ROLES[:4], "-o", "c.svg"],
        "with .plot().save('c.svg'), and sqlmetrics",
    ),
    "file of SQL": (["sql", "q.csv", *AUC], "sqlmetrics sql reads no file such as 'q.csv'"),
    "file behind SQL": (
        ["sql", "compare", "q.csv", *AUC],
        "sqlmetrics sql compare reads no file such as 'q.csv'",
    ),
    "metric of SQL": (["sql", "auc"], "'auc' is a metric; write sqlmetrics sql -m auc --relation TABLE"),
    "command": (["evalute"], "No such command 'evalute'"),
    "grain": (
        ["list", "columns"],
        "or its description, and none is computed over it. Known: rows, ",
    ),
    "over": (["list", "--over", "columns"], "No metric is computed over 'columns'. Known: rows, "),
    "word of a kind": (
        ["list", "reward", "--over", "lists"],
        "No metric over 'lists' has 'reward' in its name",
    ),
    "list of no metric": (["list", "psi"], "which 'sqlmetrics drift' does"),
    "curve as metrics": (["list", "diagram", "--format", "json"], "No metric has 'diagram' in"),
    "kind twice": (["list", "--over", "rows", "--over", "lists"], "--over is written 2 times"),
    "curve": (["curve", SEARCH, "rock", *ROLES[:4]], "Known: calibration, det, gain"),
    "metric as a file": (
        ["evaluate", SEARCH, "auc", *ROLES],
        "'auc' is a metric and no file; metrics are written -m auc",
    ),
    "curve as a file": (
        ["evaluate", SEARCH, "roc", "-m", "auc", *ROLES],
        "'roc' is a curve and no file; write sqlmetrics curve DATA roc",
    ),
    "metric as a command": (["auc", SEARCH], "write sqlmetrics evaluate DATA -m auc"),
    "option of others": (["evaluate", SEARCH, *AUC, "--group-by", "country"], "--group-by; here it is --by"),
    "text without quotes": (
        ["evaluate", SEARCH, *AUC, "--where", "country=DE"],
        "A text is written in single quotes: 'DE'",
    ),
    "text in the quotes of names": (
        ["evaluate", SEARCH, *AUC, "--where", 'country = "DE"'],
        "A text is written in single quotes: 'DE'",
    ),
    "shown metric": (["show", "ndgc"], "Did you mean 'ndcg'?"),
    "dialect": (["sql", "--relation", "p", "--dialect", "duckdbb", *AUC], "Did you mean 'duckdb'?"),
    "twice": (
        ["evaluate", SEARCH, *AUC, "--where", "day > 1", "--where", "day < 9"],
        "--where is written 2 times",
    ),
    "twice in a suite": (
        ["check", "suite.yml", "--format", "json", "--format", "table"],
        "--format is written 2",
    ),
    "a margin twice": (
        [
            *("compare", SEARCH, "-m", "auc", "--label", "y", "--baseline", "a", "--candidate", "b"),
            *("--margin", "auc=0.1", "--margin", "auc=0.2"),
        ],
        "--margin has 'auc' twice; write it once",
    ),
    "role": (["sql", "--relation", "p", "--metrics", "gauc", "--label", "y", "--score", "p"], "group"),
}


@pytest.mark.parametrize(("words", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_data_that_cannot_be_read_are_status_3(run, words, message):
    err = refused(run, *words, status=3)
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_broken_data_are_status_3(run, tmp_path):
    file = tmp_path / "p.csv"
    for text, message in (("y,p\n", "has no row"), ("y,p\n1,0.5\n0,\n", "1 of 2 rows have a NULL")):
        file.write_text(text)
        words = ("--metrics", "auc", "--label", "sql:cast(y as int)", "--score", "sql:cast(p as double)")
        assert message in refused(run, "evaluate", str(file), *words, status=3)


@pytest.mark.parametrize(("words", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_message_and_status_2(run, words, message):
    err = refused(run, *words)
    assert message in err
    # Either the message alone, or what a wrong option gets: how the command is used, then the message.
    [*usage, last] = err.strip().splitlines()
    assert last.startswith("Error: ")
    assert not usage or usage[0].startswith("Usage: ")


@pytest.mark.slow
def test_models_in_rows(run, tmp_path):
    """Items that each model lists: the rows of all models together repeat them, and there is a switch for that."""
    listed, truth = tmp_path / "listed.csv", tmp_path / "truth.csv"
    listed.write_text("u,i,p,model\n1,1,0.9,a\n1,1,0.4,b\n")
    truth.write_text("u,i,y\n1,1,1\n")
    roles = (
        "--label",
        "y",
        "--score",
        "p",
        "--group",
        "u",
        "--item",
        "i",
        "--truth",
        str(truth),
        "--by",
        "model",
    )
    err = refused(run, "evaluate", str(listed), "--metrics", "mrr", *roles, status=3)
    assert "pass --no-total" in err
    assert run("evaluate", str(listed), "--metrics", "mrr", *roles, "--no-total").out.count("1.0000") == 2


def test_input_that_is_no_table(run):
    err = refused(run, "evaluate", "-", *AUC, stdin=b"PAR1 and then nothing", status=3)
    assert err.startswith("Error: DuckDB cannot read standard input: ")
    assert len(err.splitlines()) == 1


# --- as a process


@pytest.mark.slow
def test_python_m_is_the_command_and_output_is_utf8(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("y,p,ort\n1,0.9,Köln\n0,0.2,Köln\n", encoding="utf-8")
    words = ("--metrics", "auc", "--label", "y", "--score", "p", "--by", "ort")
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(sm.__file__).parents[1])}
    done = python("-m", "sqlmetrics", "evaluate", str(file), *words, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Köln" in done.stdout.decode()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize(
    "command", ["list", "sql --relation p --metrics auc,gauc --label y --score p --group g"]
)
def test_a_reader_that_leaves_early_is_no_news(command):
    line = f"{sys.executable} -m sqlmetrics {command} | true"
    done = subprocess.run(line, shell=True, capture_output=True, check=False)
    assert done.stderr == b""


def test_the_library_does_not_load_what_only_the_command_line_needs():
    done = python(
        "-c", "import sqlmetrics, sys; print(sorted({'typer', 'rich', 'click'} & set(sys.modules)))"
    )
    assert done.stdout.strip() == b"[]", done.stderr
