"""What is written is whole or not there, and never in place of what was read."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from sqlmetrics.files import replaced
from support.errors import assert_told, told

ROWS = [
    {"day": row % 7, "y": row % 3 == 0, "s": row / 4_000, "u": row // 10, "c": row % 4}
    for row in range(4_000)
]
ASKED = ("--metrics", "auc", "--label", "y", "--score", "s")
SMALL = 8 * 1024


@pytest.fixture
def data(tmp_path: Path) -> Path:
    import pyarrow as pa

    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "data.parquet")
    return tmp_path / "data.parquet"


@pytest.fixture(scope="session")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A disk of a megabyte, where the system lets us have one."""
    folder = tmp_path_factory.mktemp("disk")
    mount = shutil.which("mount")
    if (
        mount is None
        or subprocess.run([mount, "-t", "tmpfs", "-o", "size=1m", "none", folder], check=False).returncode
    ):
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def limited() -> None:
    """No file of this process may be longer than SMALL: a write beyond it fails as one to a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))


def command(*words: object, unbuffered: bool = False, **options: Any) -> subprocess.CompletedProcess[bytes]:
    python = [sys.executable, *(["-u"] if unbuffered else []), "-m", "sqlmetrics"]
    options = {"stdout": subprocess.PIPE, **options}
    return subprocess.run([*python, *map(str, words)], stderr=subprocess.PIPE, check=False, **options)


def refused(done: subprocess.CompletedProcess[bytes], words: str) -> None:
    error = done.stderr.decode()
    assert done.returncode == 2, (done.returncode, error)
    assert error.startswith("Error: ")
    assert error.count("\n") == 1, error
    assert_told(error.strip(), words)


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def suite(folder: Path) -> Path:
    """A suite with all outputs."""
    path = folder / "suite.yml"
    outputs = "".join(f"  {form}: new.{form}\n" for form in ("junit", "markdown", "json"))
    path.write_text(
        "data: ../data.parquet\nfacts: {label: y, score: s}\nmetrics: [auc]\ngates: [auc >= 0]\n"
        f"outputs:\n{outputs}"
    )
    return path


def library(path: Path) -> None:
    from sqlmetrics.shell.database import write_database

    write_database(path)


#: Everything that writes a file: what it is called, and the call.
WRITERS: dict[str, Callable[[Path], Any]] = {
    "new.parquet": lambda path: sm.state(ROWS[:9], "auc", label="y", score="s", period="day").write(path),
    "new.html": lambda path: sm.report(ROWS, "auc", label="y", score="s", curves=[], progress=False).save(path),
    **{
        f"chart.{form}": lambda path: sm.evaluate(ROWS, "auc", label="y", score="s", by="c").plot().save(path)
        for form in ("svg", "png", "json")
    },
    **{f"new.{form}": lambda path: from_suite(suite(path.parent)) for form in ("junit", "markdown", "json")},
    "macros.duckdb": library,
}  # fmt: skip


def from_suite(path: Path) -> None:
    from sqlmetrics.cli.suite import check

    check(path, "table", False, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_every_writer_leaves_yesterdays(
    name: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full when all is written; then it has room again."""
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / name
    WRITERS[name](path) if name == "macros.duckdb" else path.write_text(
        "yesterday"
    )  # it replaces its own alone
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("sqlmetrics.files.os.fsync", full)
        assert_told(told(WRITERS[name], path), "Cannot write '|': No space left on device")
    assert path.read_bytes() == before
    assert [one for one in left(folder) if one.startswith(".")] == []
    WRITERS[name](path)
    assert path.stat().st_size
    assert name == "macros.duckdb" or path.read_bytes() != before


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_output_that_does_not_fit_leaves_yesterdays(suffix: str, data: Path, tmp_path: Path) -> None:
    output = tmp_path / f"r.{suffix}"
    output.write_text("yesterday")
    words = ("curve", "roc", data, "--label", "y", "--score", "s", "--output", output)
    refused(command(*words, preexec_fn=limited), f"Cannot write '{output}': File too large")
    assert output.read_text() == "yesterday"
    assert left(tmp_path) == ["data.parquet", output.name]


@pytest.mark.slow
def test_a_full_disk_leaves_yesterdays(data: Path, small_disk: Path) -> None:
    state = sm.state(data, "auc", label="y", score="s", period="day")
    path = small_disk / "state.parquet"
    sm.state(ROWS[:10], "auc", label="y", score="s", period="day").write(path)
    before = path.read_bytes()
    filler = small_disk / "filler"
    filler.write_bytes(b"x" * (1024 * 1024 - len(before) - 6 * 4096))
    assert_told(told(state.write, path), f"Cannot write '{path}': |No space left on device")
    words = ("curve", "roc", data, "--label", "y", "--score", "s", "--output", small_disk / "r.csv")
    refused(command(*words), "No space left on device")
    assert path.read_bytes() == before
    assert left(small_disk) == ["filler", "state.parquet"]
    filler.unlink()
    state.write(path)
    assert sm.finish(path, "auc").to_dicts()[0]["n_rows"] == len(ROWS)
    path.unlink()


@pytest.mark.slow
def test_a_full_disk_as_standard_output(data: Path, small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * (1024 * 1024 - 8 * 4096))
    for unbuffered in (False, True):
        with (small_disk / "out.csv").open("wb") as out:
            words = ("curve", "roc", data, "--label", "y", "--score", "s", "--format", "csv")
            done = command(*words, stdout=out, unbuffered=unbuffered)
        refused(done, "Cannot write to standard output: No space left on device")
        (small_disk / "out.csv").unlink()
    (small_disk / "filler").unlink()


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", [False, True])
def test_standard_output_that_is_cut(unbuffered: bool, data: Path, tmp_path: Path) -> None:
    words = ("curve", "roc", data, "--label", "y", "--score", "s", "--format", "csv")
    with (tmp_path / "out.csv").open("wb") as out:
        done = command(*words, stdout=out, preexec_fn=limited, unbuffered=unbuffered)
    refused(done, "Cannot write to standard output: File too large")
    whole = command(*words, unbuffered=unbuffered)
    assert (whole.returncode, whole.stderr) == (0, b"")
    assert whole.stdout.count(b"\n") > 3_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("list", "--format", "json"),
        ("show", "ndcg"),
        ("show", "ndcg", "--format", "json"),
        ("macros",),
        ("--version",),
        ("demo",),
        ("--help",),
    ],
)
def test_other_commands_on_a_full_standard_output(words: tuple[str, ...]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    with Path("/dev/full").open("wb") as full:
        done = command(*words, stdout=full, unbuffered=words == ("list",))
    refused(done, "standard output|No space left on device")


@pytest.mark.slow
@pytest.mark.parametrize("words", [("list",), ("curve", "roc", "{data}", "--label", "y", "--score", "s")])
def test_a_reader_that_has_seen_enough(words: tuple[str, ...], data: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = command(*(word.format(data=data) for word in words), stdout=writer)
    finally:
        os.close(writer)
    assert done.stderr == b""


@pytest.mark.slow
def test_standard_output_that_is_closed(data: Path) -> None:
    done = command("evaluate", data, *ASKED, preexec_fn=lambda: os.close(1))
    refused(done, "Cannot write to standard output: it is closed; pass --output FILE")


def calls_of(data: Path, output: Path) -> dict[str, tuple[object, ...]]:
    """A call of every command that writes, whose output is one of its inputs."""
    two = ("--label", "y", "--score", "s", "--group", "u", "--item", "c")
    form = ("--format", "parquet", "--output", output)
    lists = ("--metrics", "ndcg@3", *two)
    other = data.with_name("other.parquet")
    shutil.copy(data, other)
    return {
        "evaluate": ("evaluate", data, *ASKED, *form),
        "several": ("evaluate", other, data, *ASKED, *form),
        "glob": ("evaluate", data.parent / "d*.parquet", *ASKED, *form),
        "truth": ("evaluate", other, *lists, "--truth", data, *form),
        "catalog": ("evaluate", other, *lists, "--catalog", data, *form),
        "history": ("evaluate", other, *lists, "--history", data, *form),
        "distances": ("evaluate", other, *lists, "--distances", data, *form),
        "per-group": ("per-group", data, *lists, *form),
        "per-group truth": ("per-group", other, *lists, "--truth", data, *form),
        "curve": ("curve", "roc", data, "--label", "y", "--score", "s", *form),
        "confusion-matrix": ("confusion-matrix", data, "--label", "y", "--prediction", "c", *form),
        "class-report": ("class-report", data, "--label", "y", "--prediction", "c", *form),
        "compare": (
            "compare", data, "--metrics", "auc", "--label", "y", "--baseline", "s", "--candidate", "c", *form,
        ),
        "leaderboard": (
            "leaderboard", data, "--metrics", "auc", "--label", "y", "--score", "s", "--score", "c", *form,
        ),
        "compare other": (
            "compare", other, "--metrics", "auc", "--label", "y", "--baseline", "s", "--candidate", "c",
            "--other", data, *form,
        ),
        "sample-size": (
            "sample-size", data, "--metrics", "auc", "--label", "y", "--baseline", "s", "--difference", "0.1", *form,
        ),
        "plan-labels": (
            "plan-labels", data, "--metrics", "auc", "--label", "y", "--gold", "case when u % 2 = 0 then y end",
            "--score", "s", "--by", "c",
            "--budget", "2", *form,
        ),
        "agreement": (
            "agreement", data, "--measures", "gwet", "--raters", "y,c", *form,
        ),
        "bradley-terry": (
            "bradley-terry", data, "--model-a", "u", "--model-b", "c", "--winner", "y", *form,
        ),
        "chi-square": ("chi-square", data, "--column", "c", *form),
        "two-proportions": ("two-proportions", data, "--label", "y", "--category", "y", *form),
        "mcnemar": ("mcnemar", data, "--label", "y", "--baseline", "c", "--candidate", "c", *form),
        "explain-difference": ("explain-difference", data, "ndcg@3", "trec_eval", "lightgbm", *two, *form),
        "state": ("state", data, *ASKED, "--period", "day", *form),
        "finish": ("finish", data, "--metrics", "auc", *form),
        "find-slices": ("find-slices", data, *ASKED, "--by", "c", *form),
        "drift": ("drift", data, "--reference", other, "--columns", "s", *form),
        "drift reference": ("drift", other, "--reference", data, "--columns", "s", *form),
        "explain-change": (
            "explain-change", data, "-m", "brier", "--label", "y", "--score", "s", "--by", "c",
            "--reference", other, *form,
        ),
        "explain-change reference": (
            "explain-change", other, "-m", "brier", "--label", "y", "--score", "s", "--by", "c",
            "--reference", data, *form,
        ),
        "trec": ("trec", data, other, "--metrics", "map", *form),
        "trec named": ("trec", f"a={data}", other, "--metrics", "map", *form),
        "trec qrels": ("trec", other, data, "--metrics", "map", *form),
    }  # fmt: skip


def test_an_output_is_no_input(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    from sqlmetrics import cli

    before = data.read_bytes()
    link = data.with_name("link.parquet")
    link.symlink_to(data)
    hard = data.with_name("hard.parquet")
    os.link(data, hard)
    spelled = data.parent / "." / ".." / data.parent.name / data.name
    for output in (data, link, hard, spelled):
        for name, words in calls_of(data, output).items():
            monkeypatch.setattr(sys, "argv", ["sqlmetrics", *map(str, words)])
            with pytest.raises(SystemExit) as ended:
                cli.main()
            out, err = capsys.readouterr()
            assert (ended.value.code, out) == (2, ""), name
            assert f"--output '{output}' is a file that is read" in err, (name, err)
    assert data.read_bytes() == before


def test_every_command_with_an_output_is_tried(data: Path) -> None:
    from sqlmetrics.cli.program import command_line

    tried = {words[0] for words in calls_of(data, data).values()}
    writing = {
        name
        for name, command in command_line().commands.items()
        if any(parameter.name == "output" for parameter in command.params)
    }
    assert tried == writing - {"report"}  # below, since its output ends in .html


@pytest.mark.slow
def test_a_page_is_no_input(data: Path) -> None:
    page = data.with_name("page.html")
    shutil.copy(data, page)
    refused(command("report", page, *ASKED, "--output", page), f"--output '{page}' is a file that is read")
    assert page.read_bytes() == data.read_bytes()


@pytest.mark.slow
def test_an_output_in_a_place_that_is_read(data: Path, tmp_path: Path) -> None:
    """In a folder, a partition or an empty folder below it, or where a glob looks: data of the next call."""
    folder, aside = tmp_path / "rows", tmp_path / "aside"
    for part in (1, 2):
        (folder / f"part={part}").mkdir(parents=True)
        shutil.copy(data, folder / f"part={part}" / "a.parquet")
    (folder / "part=3").mkdir()
    aside.symlink_to(folder)
    parts, deep = folder / "part=*", folder / "**"
    for read, output in [
        (folder, folder / "r.parquet"), (folder, folder / "r.csv"), (folder, folder / "part=1" / "r.parquet"),
        (folder, folder / "part=3" / "r.parquet"), (folder, aside / "part=2" / "r.parquet"), (aside, folder / "r.txt"),
        (parts / "*.parquet", folder / "part=2" / "r.parquet"), (parts / "?.parquet", aside / "part=1" / "b.parquet"),
        (parts / "*.parquet", folder / "part=3" / "r.parquet"), (deep, folder / "part=3" / "r.json"),
        (deep / "*.parquet", folder / "r.parquet"),
    ]:  # fmt: skip
        done = command("evaluate", read, *ASKED, "--output", output)
        refused(done, f"--output '{output}' is a place that '{read}' reads|data of the next call")
        assert not output.exists()
    done = command("evaluate", "rows", *ASKED, "--output", "rows/r.csv", cwd=tmp_path)
    refused(done, "'rows/r.csv' is a place that 'rows' reads")
    done = command("evaluate", "*.parquet", *ASKED, "--output", "r.parquet", cwd=tmp_path)
    refused(done, "'r.parquet' is a place that '*.parquet' reads")


@pytest.mark.slow
def test_an_output_beside_what_is_read(data: Path, tmp_path: Path) -> None:
    """No later call reads another suffix than the glob's, a hidden name, or a folder that is not read."""
    folder = tmp_path / "rows"
    (folder / "_reports").mkdir(parents=True)
    shutil.copy(data, folder / "a.parquet")
    for read, output in [
        (folder, tmp_path / "r.parquet"), (folder, folder / "_r.csv"), (folder, folder / "_reports" / "r.parquet"),
        (folder / "a.parquet", folder / "b.parquet"), (folder / "*.parquet", folder / ".r.parquet"),
        (folder / "a*.parquet", folder / "r.parquet"), (folder / "*.parquet", folder / "r.csv"),
    ]:  # fmt: skip
        done = command("evaluate", read, *ASKED, "--output", output)
        assert (done.returncode, done.stderr) == (0, b""), (read, output)
        output.unlink()
    assert sm.evaluate(folder, "count", label="y").to_dicts()[0]["count"] == len(ROWS)


@pytest.mark.slow
def test_standard_output_is_no_input(tmp_path: Path) -> None:
    """A shell makes the file before the command starts, and a glob finds it."""
    (tmp_path / "a.csv").write_text("y,s\n1,0.9\n0,0.4\n")
    for read in ("*.csv", str(tmp_path)):
        with (tmp_path / "r.csv").open("wb") as out:
            done = command("evaluate", read, *ASKED, "--format", "csv", stdout=out, cwd=tmp_path)
        refused(done, "Standard output is a file that is read")
        assert (tmp_path / "r.csv").read_bytes() == b""


@pytest.mark.slow
def test_standard_input_is_an_input(data: Path) -> None:
    before = data.read_bytes()
    with data.open("rb") as stdin:
        refused(command("evaluate", "-", *ASKED, "--output", data, stdin=stdin), "is a file that is read")
    assert data.read_bytes() == before


@pytest.mark.slow
def test_names_with_brackets(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "d[1]*.parquet"
    shutil.copy(data, path)
    refused(command("evaluate", path, *ASKED, "--output", path), "is a file that is read")
    done = command("evaluate", path, *ASKED, "--output", tmp_path / "d1.parquet")
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_replaced_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    state = sm.state(ROWS[:10], "auc", label="y", score="s", period="day")
    path, link = tmp_path / "state.parquet", tmp_path / "latest.parquet"
    state.write(path)
    path.chmod(0o640)
    link.symlink_to(path.name)
    state.write(link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert left(tmp_path) == ["latest.parquet", "state.parquet"]


def test_a_file_is_as_private_while_it_is_written_as_after(tmp_path: Path) -> None:
    path = tmp_path / "state.parquet"
    path.write_bytes(b"")
    path.chmod(0o600)
    with replaced(path) as file:
        file.write(b"secret")
        modes = {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
    assert modes == {0o600}
    assert path.read_bytes() == b"secret"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can make another user's link"
)
def test_a_link_of_another_user_is_not_followed_where_everybody_writes(tmp_path: Path) -> None:
    mine, everybodys = tmp_path / "mine.csv", tmp_path / "everybodys"
    mine.write_text("mine")
    everybodys.mkdir()
    link = everybodys / "report.csv"
    link.symlink_to(mine)
    os.lchown(link, 12345, 12345)
    state = sm.state(ROWS[:10], "auc", label="y", score="s", period="day")
    state.write(link)  # a folder that only its owner writes
    assert mine.read_bytes()[:4] == b"PAR1"
    mine.write_text("mine")
    everybodys.chmod(0o1777)
    assert_told(told(state.write, link), "is a link of another user in a folder where everybody may write")
    assert mine.read_text() == "mine"
    os.lchown(link, os.geteuid(), os.getegid())
    state.write(link)
    assert mine.read_bytes()[:4] == b"PAR1"


def test_links_in_a_circle(tmp_path: Path) -> None:
    first, second = tmp_path / "a.parquet", tmp_path / "b.parquet"
    first.symlink_to(second)
    second.symlink_to(first)
    state = sm.state(ROWS[:10], "auc", label="y", score="s", period="day")
    assert_told(told(state.write, first), "Cannot write '|symbolic links")
    assert first.is_symlink()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (lambda folder: folder / "none" / "s.parquet", "No such file or directory"),
        (lambda folder: folder, "Is a directory"),
        (lambda folder: folder / ("x" * 300), "File name too long"),
        (lambda folder: f"{folder}/a\0b", "null byte"),
        (lambda folder: None, "Cannot write 'None'"),
        (lambda folder: 7.5, "Cannot write '7.5'"),
    ],
)
def test_paths_that_cannot_be_written(path: Callable[[Path], Any], words: str, tmp_path: Path) -> None:
    state = sm.state(ROWS[:10], "auc", label="y", score="s", period="day")
    assert_told(told(state.write, path(tmp_path)), f"Cannot write |{words}")
    assert left(tmp_path) == []


@pytest.mark.slow
def test_a_device_is_written_to(data: Path) -> None:
    done = command("evaluate", data, *ASKED, "--format", "csv", "--output", "/dev/stdout")
    assert done.stderr == b""
    assert done.stdout.startswith(b"n_rows,")
    assert command("evaluate", data, *ASKED, "--format", "csv", "--output", os.devnull).returncode == 0
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
