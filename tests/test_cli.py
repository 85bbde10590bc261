"""The command line as a user meets it: what is printed where, what is written, and the exit status."""

import inspect
import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
import typer

import sqlmetrics as sm
from sqlmetrics import arguments, cli

SEARCH = str(Path(__file__).parents[1] / "examples" / "search.parquet")
ROLES = ("--label", "grade", "--score", "score", "--group", "query_id", "--positive", "1")
AUC = ("--metrics", "auc", *ROLES)
FACTS = {"label": "grade", "score": "score", "group": "query_id", "positive": 1}


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


def printed(run, *words: str, stdin: bytes = b"") -> str:
    done = run(*words, stdin=stdin)
    assert (done.status, done.err) == (0, "")
    return re.sub(r"\x1b\[\d*m", "", done.out) if sys.stdout.isatty() else done.out


def refused(run, *words: str, stdin: bytes = b"") -> str:
    done = run(*words, stdin=stdin)
    assert (done.status, done.out) == (2, "")
    assert "Traceback" not in done.err
    return done.err


# What the Python call has and the command line has not, and the reverse.
@pytest.mark.parametrize(
    ("command", "function", "python_only", "command_only"),
    [
        ("evaluate", sm.evaluate, {"connection"}, {"format", "output"}),
        ("sql", sm.render, set(), set()),
    ],
)
def test_options_are_those_of_the_python_call(command, function, python_only, command_only):
    options = {p.name: p for p in typer.main.get_command(cli.app).commands[command].params}
    parameters = inspect.signature(function).parameters
    assert set(options) - command_only == set(parameters) - python_only
    for name in set(parameters) - python_only - {"data"}:
        assert "--" + name.replace("_", "-") in options[name].opts
        if parameters[name].default is not inspect.Parameter.empty:
            assert (options[name].default or None) == (parameters[name].default or None), name


# --- evaluate: what goes in


def test_every_option_reaches_the_python_call(run, monkeypatch):
    seen = {}

    def evaluate(data, metrics, **options):
        seen.update(options, data=data, metrics=metrics)
        raise sm.SqlMetricsError("enough")

    monkeypatch.setattr(sm, "evaluate", evaluate)
    line = (
        "--metrics auc --metrics best=ndcg(gain=linear,ideal=full)@10 --label grade --score new=score"
        " --score score_b --group query_id --item product_id --weight w --by country,device --by day"
        " --no-total --max-grade 4 --positive 1 --ties best --on-bad-rows drop"
    )
    run("evaluate", SEARCH, *line.split(), "--truth", SEARCH)
    assert isinstance(seen.pop("connection"), duckdb.DuckDBPyConnection)
    assert seen == {
        "data": SEARCH,
        "metrics": {"auc": "auc", "best": "ndcg(gain=linear,ideal=full)@10"},
        "label": "grade",
        "score": {"new": "score", "score_b": "score_b"},
        "group": "query_id",
        "item": "product_id",
        "weight": "w",
        "by": ["country", "device", "day"],
        "total": False,
        "truth": SEARCH,
        "max_grade": 4,
        "positive": 1,
        "ties": "best",
        "on_bad_rows": "drop",
    }


def test_expressions_stand_wherever_a_column_does(run):
    out = printed(
        run,
        "evaluate",
        SEARCH,
        *("--metrics", "auc", "--label", "sql:grade > 0", "--score", "half=sql:score / 2"),
        *("--by", "sql:substr(country, 1, 1)", "--format", "json"),
    )
    rows = json.loads(out)
    assert [row["substr(country, 1, 1)"] for row in rows] == ["D", "E", "F", "I", "N", None]
    [expected] = sm.evaluate(SEARCH, "auc", **FACTS).to_dicts()
    assert rows[-1]["model"] == "half"
    assert rows[-1]["auc"] == pytest.approx(expected["auc"])


@pytest.fixture
def kinds():
    """The example as it may come in by a pipe."""
    table = pyarrow.parquet.read_table(SEARCH)
    parquet, csv = io.BytesIO(), io.BytesIO()
    pyarrow.parquet.write_table(table, parquet)
    pyarrow.csv.write_csv(table, csv)
    return {
        "parquet": parquet.getvalue(),
        "csv": csv.getvalue(),
        "semicolons": csv.getvalue().replace(b",", b";"),
        "json": json.dumps(table.to_pylist()).encode(),
        "json lines": "\n".join(json.dumps(row) for row in table.to_pylist()).encode(),
    }


@pytest.mark.parametrize("kind", ["parquet", "csv", "semicolons", "json", "json lines"])
def test_standard_input_counts_as_the_file_would(run, kinds, kind):
    expected = printed(run, "evaluate", SEARCH, *AUC)
    assert printed(run, "evaluate", "-", *AUC, stdin=kinds[kind]) == expected


def test_files_globs_and_several_files(run, tmp_path):
    table = pyarrow.parquet.read_table(SEARCH)
    for name, part in (("a", table.slice(0, 5000)), ("b", table.slice(5000))):
        pyarrow.parquet.write_table(part, tmp_path / f"{name}.parquet")
    expected = printed(run, "evaluate", SEARCH, *AUC)
    assert printed(run, "evaluate", str(tmp_path / "*.parquet"), *AUC) == expected
    files = [str(tmp_path / "a.parquet"), str(tmp_path / "b.parquet")]
    assert printed(run, "evaluate", *files, *AUC) == expected


def test_text_labels_and_numbers_in_quotes(run, tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("y,p\nclick,0.9\nnone,0.2\n1,0.1\n")
    words = (
        "evaluate",
        str(file),
        "--metrics",
        "base_rate",
        "--label",
        "y",
        "--score",
        "p",
        "--format",
        "json",
    )
    for positive in ("click", "'1'"):
        [row] = json.loads(printed(run, *words, "--positive", positive))
        assert row["base_rate"] == pytest.approx(1 / 3)


# --- evaluate: what comes out


@pytest.fixture
def report(monkeypatch):
    """What the command below computes: once, as the last digit of a sum depends on the order of threads."""
    computed = sm.evaluate(SEARCH, ["auc", "ndcg@10"], by="country", **FACTS)
    monkeypatch.setattr(sm, "evaluate", lambda *_, **__: computed)
    return computed


SLICED = ("evaluate", SEARCH, "--metrics", "auc,ndcg@10", "--by", "country", *ROLES)


def test_a_pipe_gets_the_whole_table_and_its_notes_as_plain_text(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    metrics = [f"ndcg@{k}" for k in range(1, 31)]
    out = printed(run, "evaluate", SEARCH, "--metrics", ",".join(metrics), *ROLES)
    assert out.splitlines()[0].split() == ["n_rows", "n_groups", *(f"ndcg_{k}" for k in range(1, 31))]
    assert "groups without a relevant item" in out
    assert "\x1b" not in out


def test_a_narrow_window_gets_the_table_in_parts(run, terminal):
    terminal(40)
    out = printed(run, *SLICED, "--metrics", "gauc,mrr,map@10")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 40
    headers = [line.split() for line in lines if line.startswith("country")]
    assert len(headers) > 1
    names = [name for header in headers for name in header[1:]]
    assert names == ["n_rows", "n_groups", "auc", "ndcg_10", "gauc", "mrr", "map_10"]
    assert "groups without a relevant item" in out


def test_a_wide_window_gets_one_table(run, terminal, report):
    terminal(200)
    lines = [line.rstrip() for line in printed(run, *SLICED).splitlines()]
    assert lines[:8] == repr(report).splitlines()[:8]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("table", sm.Report.__repr__),
        ("csv", sm.Report.to_csv),
        ("json", sm.Report.to_json),
        ("markdown", sm.Report.to_markdown),
    ],
)
def test_formats_of_text(run, tmp_path, report, name, expected):
    text = expected(report).rstrip("\n") + "\n"
    assert printed(run, *SLICED, "--format", name) == text
    file = tmp_path / "result"
    assert printed(run, *SLICED, "--format", name, "--output", str(file)) == ""
    assert file.read_text(encoding="utf-8") == text


def test_parquet_holds_the_whole_report(run, tmp_path, report):
    file = tmp_path / "result.parquet"
    assert printed(run, *SLICED, "--format", "parquet", "--output", str(file)) == ""
    assert pyarrow.parquet.read_table(file) == report.to_arrow()


@pytest.mark.parametrize("suffix", ["csv", "json", "md", "parquet", "txt"])
def test_the_name_of_the_output_tells_its_format(run, tmp_path, report, suffix):
    file = tmp_path / f"result.{suffix}"
    printed(run, *SLICED, "--output", str(file))
    start = {"csv": b"country,", "json": b"[", "md": b"| country", "parquet": b"PAR1", "txt": b"country  "}
    assert file.read_bytes().startswith(start[suffix])


def test_progress_is_shown_in_a_terminal_only(terminal):
    def shown() -> object:
        connection = arguments.connection()
        return connection.sql("select current_setting('enable_progress_bar')").fetchall()[0][0]

    assert shown() is False
    terminal(80)
    assert shown() is True


def test_progress_is_not_shown_in_a_pipe_by_python_m():
    # DuckDB was imported before `__main__` had a file, and takes that for an interactive session.
    script = "from sqlmetrics import arguments as a; c = a.connection();"
    done = python("-c", script + "print(c.sql(\"select current_setting('enable_progress_bar')\").fetchall())")
    assert done.stdout.strip() == b"[(False,)]", done.stderr


def test_ctrl_c_is_quiet(run, monkeypatch):
    def interrupted(*_, **__):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(sm, "evaluate", interrupted)
    done = run("evaluate", SEARCH, *AUC)
    assert (done.status, done.out, done.err) == (130, "", "")


# --- the other commands


def test_sql_prints_the_statement_alone(run):
    out = printed(
        run,
        *("sql", "--relation", "predictions", "--dialect", "postgres", "--metrics", "auc,gauc"),
        *("--label", "y", "--score", "p", "--group", "user", "--by", "day", "--score-levels", "counted"),
    )
    expected = sm.render(
        ["auc", "gauc"],
        "predictions",
        dialect="postgres",
        label="y",
        score="p",
        group="user",
        by=["day"],
        score_levels="counted",
    )
    assert out.strip() == expected.strip()


def test_printed_sql_runs(run):
    out = printed(run, "sql", "--relation", f"(from '{SEARCH}')", *AUC)
    result = duckdb.sql(out)
    [expected] = sm.evaluate(SEARCH, "auc", **FACTS).to_dicts()
    assert dict(zip(result.columns, result.fetchall()[0], strict=True))["auc"] == pytest.approx(
        expected["auc"]
    )


@pytest.mark.parametrize("width", [80, 120])
def test_list_names_every_metric_and_fits_into_the_window(run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = printed(run, "list")
    assert max(map(len, out.splitlines())) <= width
    first_words = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2] != " "]
    assert sorted(first_words) == sorted(row["metric"] for row in sm.metrics().to_dicts())


def test_show_prints_the_documentation(run):
    assert printed(run, "show", "ndcg").strip() == sm.describe("ndcg").strip()


def test_demo_prints_the_command_it_runs_and_both_rankers_by_country(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    out = printed(run, "demo")
    for name in (
        "auc",
        "gauc",
        "ndcg_10",
        "map_10",
        "mrr",
        "err_10",
        "log_loss",
        "country",
        "new",
        "old",
        "Next:",
    ):
        assert name in out
    command, _, table = out.partition("\n\n")
    words = command.replace("\\\n", "").split()[1:]
    assert table.startswith(printed(run, *words))


def test_version(run):
    assert printed(run, "--version").strip() == sm.__version__


@pytest.mark.parametrize("command", ["evaluate", "sql", "list", "show", "demo"])
def test_help_is_plain_text(run, command):
    out = printed(run, command, "--help")
    assert out.startswith(f"Usage: sqlmetrics {command}")
    assert "─" not in out


# --- mistakes

MISTAKES = {
    "no file": (["evaluate", "nowhere.parquet", *AUC], "No file matches 'nowhere.parquet'"),
    "no truth": (["evaluate", SEARCH, *AUC, "--truth", "nowhere.csv"], "No file matches 'nowhere.csv'"),
    "no data": (["evaluate", __file__.replace(".py", ".*"), *AUC], "DuckDB cannot read"),
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
    "command": (["evalute"], "No such command 'evalute'"),
    "shown metric": (["show", "ndgc"], "Did you mean 'ndcg'?"),
    "dialect": (["sql", "--relation", "p", "--dialect", "duckdbb", *AUC], "Did you mean 'duckdb'?"),
    "role": (["sql", "--relation", "p", "--metrics", "gauc", "--label", "y", "--score", "p"], "group"),
    "empty input": (["evaluate", "-", *AUC], "Standard input is empty"),
}


@pytest.mark.parametrize(("words", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_message_and_status_2(run, words, message):
    err = refused(run, *words)
    assert message in err
    # Either the message alone, or what a wrong option gets: how the command is used, then the message.
    [*usage, last] = err.strip().splitlines()
    assert last.startswith("Error: ")
    assert not usage or usage[0].startswith("Usage: ")


def test_input_that_is_no_table(run):
    err = refused(run, "evaluate", "-", *AUC, stdin=b"PAR1 and then nothing")
    assert err.startswith("Error: DuckDB cannot read standard input: ")
    assert len(err.splitlines()) == 1


def test_a_fault_while_writing(run, monkeypatch, tmp_path):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "No space left on device" in refused(
        run, "evaluate", SEARCH, *AUC, "--output", str(tmp_path / "r.csv")
    )


# --- as a process


def python(*words: str, **options) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *words], capture_output=True, check=False, **options)


def test_python_m_is_the_command_and_output_is_utf8(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("y,p,ort\n1,0.9,Köln\n0,0.2,Köln\n", encoding="utf-8")
    words = ("--metrics", "auc", "--label", "y", "--score", "p", "--by", "ort")
    environment = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(sm.__file__).parents[1])}
    done = python("-m", "sqlmetrics", "evaluate", str(file), *words, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Köln" in done.stdout.decode()


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
