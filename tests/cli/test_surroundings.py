"""Windows, encodings, folders and streams in which the command runs: a right result, or one message and status 2."""

import errno
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

import sqlmetrics as sm
from support.command_line import AUC, SEARCH, printed, python, refused
from support.errors import assert_told, told
from support.paths import ROOT
from support.processes import surroundings

CALL = ["evaluate", SEARCH, *AUC]


@pytest.mark.parametrize("width", [1, 20, 27, 40])
@pytest.mark.parametrize("words", [["list"], ["list", "rows"], ["list", "auc"]])
def test_the_list_in_a_narrow_window(run, terminal, width, words):
    terminal(width)
    assert "One in full: sqlmetrics show ndcg" in printed(run, *words)


class AsciiTerminal(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="ascii")

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode("ascii")


@pytest.mark.parametrize("words", [["list"], ["show", "spearman"], ["evaluate"]])
def test_an_ascii_terminal(run, monkeypatch, tmp_path, words):
    data = tmp_path / "data.csv"
    data.write_text("y,p,day\n1,0.9,fünf\n0,0.2,fünf\n", encoding="utf-8")
    if words == ["evaluate"]:
        words = ["evaluate", str(data), "-m", "auc", "--label", "y", "--score", "p", "--by", "day"]
    monkeypatch.setattr(sys, "stdout", window := AsciiTerminal())
    done = run(*words)
    assert (done.status, done.err) == (0, "")
    assert window.text()
    if words[0] == "evaluate":
        assert "f\\xfcnf" in window.text()


@pytest.mark.parametrize(
    "words", [["list"], ["list", "--format", "json"], ["show", "auc"], ["macros"], ["demo"], CALL]
)
def test_closed_standard_output(run, monkeypatch, words):
    monkeypatch.setattr(sys, "stdout", None)
    done = run(*words)
    assert done.status == 2
    assert done.err.startswith("Error: Cannot write to standard output: it is closed")


@pytest.mark.slow
def test_a_deleted_folder(tmp_path):
    """The data and the example have absolute paths; a relative path leads nowhere."""
    script = (
        "import os, sys; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone');"
        "from sqlmetrics.cli import main; sys.argv[0] = 'sqlmetrics'; main()"
    )

    def ran(*words: str) -> "subprocess.CompletedProcess[bytes]":
        call, surroundings = [sys.executable, "-c", script, *words], {**os.environ, "PYTHONPATH": str(ROOT)}
        return subprocess.run(call, capture_output=True, check=False, cwd=tmp_path, env=surroundings)

    assert b"0." in ran(*CALL).stdout
    assert b"Next: your own file" in ran("demo").stdout
    for words, status in ((["evaluate", "own.csv", *AUC], 3), ([*CALL, "--output", "result.csv"], 2)):
        done = ran(*words)
        assert (done.returncode, done.stdout) == (status, b"")
        assert done.stderr.startswith(b"Error: ")
        assert done.stderr.count(b"\n") == 1


def test_a_folder_that_may_not_be_opened(run, monkeypatch):
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    words = ["evaluate", "locked/rows.csv", "-m", "auc", "--label", "y", "--score", "p"]
    assert refused(run, *words, status=3) == "Error: Cannot read 'locked/rows.csv': Permission denied\n"


def test_a_semicolon_after_a_relation(run):
    words = ["sql", "--metrics", "auc", "--label", "y", "--score", "p", "--relation"]
    for relation in ("t", "select * from t where a = ';'"):
        assert printed(run, *words, f"{relation} ;\n") == printed(run, *words, relation)


def test_an_expression_that_looks_like_a_column(run):
    """The relation need not exist, so that any name is taken; the reader is told."""
    words = ["sql", "--relation", "t", "--metrics", "auc", "--score", "p", "--label"]
    done = run(*words, "clicks>0")
    assert (done.status, '"clicks>0"' in done.out) == (0, True)
    assert done.err == "Note: 'clicks>0' is taken for the name of a column; an expression is 'sql:clicks>0'\n"
    assert run(*words, "sql:clicks>0").err == run(*words, "two words").err == ""


DATA = "y,p,ort\n1,0.9,Köln\n0,0.2,Köln\n"
ASKED = ("--metrics", "auc", "--label", "y", "--score", "p", "--by", "ort", "--format", "csv")
#: Python then takes paths for ASCII, and their other bytes for halves of characters.
PLAIN = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.slow
@pytest.mark.skipif(
    sys.platform != "linux", reason="other systems know no locale of ASCII, or no path of bytes"
)
def test_the_locale_c(tmp_path):
    (tmp_path / "größe.csv").write_text(DATA, encoding="utf-8")
    words = ("-m", "sqlmetrics", "evaluate", "größe.csv", *ASKED)
    for output in ((), ("--output", "maß.csv")):
        done = python(*words, *output, cwd=tmp_path, env=surroundings(**PLAIN))
        assert (done.returncode, done.stderr) == (0, b"")
        written = (tmp_path / "maß.csv").read_bytes() if output else done.stdout
        assert "Köln,False,2,".encode() in written


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_a_file_name_that_is_not_utf8(tmp_path):
    """With and without a connection: one message, or the name of no table."""
    name = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    with open(name, "w") as file:  # noqa: PTH123 - a path of bytes
        file.write("y,p\n1,0.9\n")
    path = os.fsdecode(name)
    for connection in (None, duckdb.connect()):
        message = told(sm.evaluate, path, "auc", label="y", score="p", connection=connection)
        assert_told(message, "Cannot read '|caf\\udce9.csv': the name is not UTF-8|rename the file")
        absent = path.replace("caf", "absent")
        message = told(sm.evaluate, absent, "auc", label="y", score="p", connection=connection)
        assert_told(message, "No file matches '")
    assert_told(told(sm.read_run, path), "the name is not UTF-8")


@pytest.fixture
def read_only(tmp_path):
    """A folder in which nothing can be written, not even by root."""
    folder = tmp_path / "read_only"
    folder.mkdir()
    (folder / "data.csv").write_text(DATA, encoding="utf-8")
    folder.chmod(0o500)
    mounted = os.geteuid() == 0
    mount = ["mount", "--bind", "-o", "ro", str(folder), str(folder)]
    if mounted and (shutil.which("mount") is None or subprocess.run(mount, check=False).returncode):
        pytest.skip("root may write everywhere, and nothing can be mounted here")
    yield folder
    if mounted:
        subprocess.run(["umount", folder], check=True)
    folder.chmod(0o700)


@pytest.mark.slow
def test_a_read_only_home_and_working_directory(read_only):
    """There is no cache, and every command works; an output is refused in one sentence."""
    env = surroundings(HOME=str(read_only), XDG_CACHE_HOME=str(read_only / "cache"))
    words = ("-m", "sqlmetrics", "evaluate", "data.csv", *ASKED)
    done = python(*words, cwd=read_only, env=env)
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 3)
    done = python(*words, "--output", "result.csv", cwd=read_only, env=env)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert done.stderr.startswith(b"Error: Cannot write 'result.csv': ")
    assert [path.name for path in read_only.iterdir()] == ["data.csv"]
