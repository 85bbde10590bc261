"""What is printed where, and what is written."""

import re

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import sqlmetrics as sm
from sqlmetrics.given import texts as read
from support.command_line import AUC, ROLES, SEARCH, SLICED, printed, python

# --- evaluate: what comes out


@pytest.mark.slow
def test_a_pipe_gets_the_whole_table_and_its_notes_as_plain_text(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    metrics = [f"ndcg@{k}" for k in range(1, 31)]
    out = printed(run, "evaluate", SEARCH, "--metrics", ",".join(metrics), *ROLES)
    assert out.splitlines()[0].split() == ["n_rows", "n_groups", *(f"ndcg_{k}" for k in range(1, 31))]
    assert "groups without a relevant item" in out
    assert "\x1b" not in out


@pytest.mark.slow
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
        ("table", sm.Report.to_text),
        ("csv", sm.Report.to_csv),
        ("excel-csv", lambda report: report.to_csv(excel=True)),
        ("latex", sm.Report.to_latex),
        ("json", sm.Report.to_json),
        ("markdown", sm.Report.to_markdown),
        ("html", sm.Report._to_html),
    ],
)
def test_formats_of_text(run, tmp_path, report, name, expected):
    text = expected(report).rstrip("\n") + "\n"
    assert printed(run, *SLICED, "--format", name) == text
    file = tmp_path / "result"
    assert printed(run, *SLICED, "--format", name, "--output", str(file)) == ""
    assert file.read_bytes() == text.encode()


def test_parquet_holds_the_whole_report(run, tmp_path, report):
    file = tmp_path / "result.parquet"
    assert printed(run, *SLICED, "--format", "parquet", "--output", str(file)) == ""
    assert pyarrow.parquet.read_table(file) == report.to_arrow()


@pytest.mark.parametrize("suffix", ["csv", "json", "md", "parquet", "tex", "txt"])
def test_the_name_of_the_output_tells_its_format(run, tmp_path, report, suffix):
    file = tmp_path / f"result.{suffix}"
    printed(run, *SLICED, "--output", str(file))
    start = {
        "csv": b"country,", "json": b"{", "md": b"| country", "parquet": b"PAR1", "tex": b"\\begin{tabular}",
        "txt": b"country  ",
    }  # fmt: skip
    assert file.read_bytes().startswith(start[suffix])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "html", "json", "md", "tex", "txt"])
def test_a_file_has_every_row(run, tmp_path, suffix):
    data, file = tmp_path / "lists.csv", tmp_path / f"result.{suffix}"
    data.write_text("g,y,p\n" + "".join(f"list{n // 2},{n % 2},{n}\n" for n in range(240)))
    roles = ["--label", "y", "--score", "p", "--group", "g"]
    printed(run, "per-group", str(data), "--metrics", "ndcg@5", *roles, "--output", str(file))
    text = file.read_text()
    assert [n for n in range(120) if not re.search(rf"\blist{n}\b", text)] == []
    assert "more rows" not in text


def test_progress_is_shown_in_a_terminal_only(terminal):
    def shown() -> object:
        connection = read.connection()
        return connection.sql("select current_setting('enable_progress_bar')").fetchall()[0][0]

    assert shown() is False
    terminal(80)
    assert shown() is True


@pytest.mark.slow
def test_progress_is_not_shown_in_a_pipe_by_python_m():
    # DuckDB was imported before `__main__` had a file, and takes that for an interactive session.
    script = "from sqlmetrics.given import texts as read; c = read.connection();"
    done = python("-c", script + "print(c.sql(\"select current_setting('enable_progress_bar')\").fetchall())")
    assert done.stdout.strip() == b"[(False,)]", done.stderr


def test_ctrl_c_is_quiet(run, monkeypatch):
    def interrupted(*_, **__):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr(sm, "evaluate", interrupted)
    done = run("evaluate", SEARCH, *AUC)
    assert (done.status, done.out, done.err) == (130, "", "")
