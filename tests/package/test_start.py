"""A process starts at once: macros and catalogue come from the cache, and what is not used is not imported."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest

from sqlmetrics.book.cache import CHECKSUM, kept
from sqlmetrics.book.catalog import find
from sqlmetrics.book.jinja import functions
from sqlmetrics.book.signatures import macros_of
from sqlmetrics.book.templates import Macros

ROOT = Path(__file__).parents[2]

#: A statement of each of two dialects, whose macros are called in turns.
RENDER = """
import sqlmetrics as sm
for metric in ("rmse", "mae"):
    for dialect in ("duckdb", "postgres"):
        print(sm.render("t", metric, dialect=dialect, label="y", score="s"))
"""
NO_PARSER = """
import jinja2
def refuse(*args, **kwargs): raise AssertionError("Jinja2 parses a macro file")
jinja2.Environment._parse = jinja2.Environment.lex = refuse
"""
NOT_IMPORTED = """
import sys
print(*sorted({"duckdb", "jinja2", "pyarrow", "rich"} & set(sys.modules)), file=sys.stderr)
"""


class Maker:
    """Makes a value and counts how often."""

    def __init__(self, value: Any) -> None:
        self.value, self.times = value, 0

    def __call__(self) -> Any:
        self.times += 1
        return self.value


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package's folder in an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "sqlmetrics"


def started(code: str, cache: Path) -> subprocess.Popen[str]:
    """A new Python that runs some code."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: subprocess.Popen[str]) -> str:
    """What a process printed; it had nothing to complain of."""
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    return out


def command(*arguments: str) -> str:
    """Code that runs a command and says on standard error which of the large libraries it imported."""
    called = f"command_line()({list(arguments)!r}, standalone_mode=False)"
    ask = f"from sqlmetrics.cli.program import command_line\ntry: {called}\n"
    return f"{ask}except SystemExit: pass\n{NOT_IMPORTED}"


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A cache that three processes filled, all started when it was empty, and what each of them printed."""
    cache = tmp_path_factory.mktemp("cache")
    processes = [started(RENDER, cache) for _ in range(3)]
    return cache, [printed(process) for process in processes]


def test_value_is_made_once(folder: Path) -> None:
    make = Maker(
        {"code": compile("1 + 1", "x", "eval"), "none": None, "required": ..., "list": [1, 0.5, ("a",)]}
    )
    assert kept("thing", make, "source") == make.value
    assert kept("thing", make, "source") == make.value
    assert make.times == 1
    [file] = folder.iterdir()
    assert file.name.startswith("thing-")


@pytest.mark.parametrize("other", [("thing", "other"), ("thing", "source", ""), ("things", "source")])
def test_value_of_another_source_or_name_is_made_anew(folder: Path, other: tuple[str, ...]) -> None:
    kept("thing", Maker(1), "source")
    assert kept(other[0], Maker(2), *other[1:]) == 2
    assert kept("thing", Maker(3), "source") == 1


def test_value_of_a_changed_module_is_made_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for module, value in (("first_maker", 1), ("second_maker", 2)):
        (tmp_path / f"{module}.py").write_text(f"def make():\n    return {value}\n")
        assert kept("thing", __import__(module).make, "source") == value


def test_macro_and_signature_follow_their_file(folder: Path) -> None:
    for value in (1, 2):
        text = f"{{# Says {value}. #}}{{% macro says(x={value}) %}}{{% do return(x) %}}{{% endmacro %}}"
        assert functions("says.sql", text, {})["says"]() == value
        assert macros_of(text)["says"][:2] == ({"x": value}, f"Says {value}.")


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: CHECKSUM - 1],
        lambda content: content[:CHECKSUM],
        lambda content: content[:-1],
        lambda content: content[:-1] + bytes([content[-1] ^ 1]),
        lambda content: content + b"\0",
        lambda content: bytes(1_000),
    ],
)
def test_damaged_file_is_made_anew(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    kept("thing", Maker("good"), "source")
    [file] = folder.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    make = Maker("good")
    assert kept("thing", make, "source") == "good"
    assert kept("thing", make, "source") == "good"
    assert make.times == 1


def test_no_folder_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "cache"))
    assert kept("thing", Maker(1), "source") == 1
    assert kept("thing", Maker(2), "source") == 2


@pytest.mark.skipif(os.name != "posix", reason="a home is looked up otherwise elsewhere")
def test_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert kept("thing", Maker(1), "source") == 1


def test_relative_cache_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    kept("thing", Maker(1), "source")
    assert not (tmp_path / "cache").exists()


def test_cache_that_cannot_be_written_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept("thing", Maker(1), "source")

    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert kept("thing", Maker(2), "source") == 1
    assert kept("thing", Maker(3), "other") == 3
    assert len(list(folder.iterdir())) == 1


def test_nothing_is_left_of_a_write_that_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    assert kept("thing", Maker(1), "source") == 1
    assert not list(folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="owner and mode are those of POSIX")
def test_folder_of_the_user_alone(folder: Path) -> None:
    kept("thing", Maker(1), "source")
    assert folder.stat().st_mode & 0o777 == 0o700
    [file] = folder.iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="owner and mode are those of POSIX")
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o720, 0o702])
def test_folder_where_others_write_is_not_used(folder: Path, mode: int) -> None:
    folder.mkdir()
    folder.chmod(mode)
    assert kept("thing", Maker(1), "source") == 1
    assert not list(folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="owner and mode are those of POSIX")
def test_folder_of_somebody_else_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert kept("thing", Maker(1), "source") == 1
    assert not list(folder.iterdir())


def keep_large_values(barrier: Barrier) -> None:
    """Keeps value after value, each when all the other processes do."""
    for value in range(40):
        barrier.wait(60)
        assert kept(f"value{value}", Maker(value.to_bytes(1_000_000, "little")), "source")[0] == value


@pytest.mark.slow
def test_processes_may_keep_a_value_at_once(folder: Path) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(4)
    processes = [context.Process(target=keep_large_values, args=(barrier,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * 4
    assert len(list(folder.iterdir())) == 40  # and nothing half written


@pytest.mark.slow
def test_processes_may_start_at_once(warm: tuple[Path, list[str]]) -> None:
    cache, texts = warm
    assert texts[0].count("sm_given as") == 4
    assert texts == [texts[0]] * 3
    assert not list(cache.glob("sqlmetrics/new-*"))


@pytest.mark.slow
def test_second_process_parses_no_file(warm: tuple[Path, list[str]]) -> None:
    cache, texts = warm
    assert printed(started(NO_PARSER + RENDER, cache)) == texts[0]


@pytest.mark.slow
def test_statements_are_the_same_without_a_cache(warm: tuple[Path, list[str]], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert printed(started(RENDER, tmp_path / "file")) == warm[1][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "imported"),
    [
        (f"import sqlmetrics\n{NOT_IMPORTED}", ""),
        (command("--help"), ""),
        (command("list"), ""),
        (command("show", "auc"), "jinja2"),
        (command("sql", "-m", "auc", "--relation", "t", "--label", "y", "--score", "s"), "jinja2"),
    ],
    ids=["import", "--help", "list", "show", "sql"],
)
def test_what_is_not_used_is_not_imported(warm: tuple[Path, list[str]], code: str, imported: str) -> None:
    first, again = (started(code, warm[0]).communicate(timeout=120) for _ in range(2))
    assert first[0] == again[0]
    assert again[1].strip() == imported


@pytest.mark.slow
def test_only_files_that_are_called_are_loaded(folder: Path) -> None:
    known = Macros("duckdb")
    assert known.sql_double("x")
    assert len(list(folder.glob("code-*"))) == 2  # that of the call, and that of its dialect


def test_unknown_macro() -> None:
    known = Macros("duckdb")
    assert "auc" not in known
    with pytest.raises(KeyError, match="auc"):
        known["auc"]
    with pytest.raises(AttributeError, match="auc"):
        _ = known.auc


@pytest.mark.slow
def test_dialects_do_not_mix_between_threads() -> None:
    """All share one environment, and each thread loads the files when another may be loading them."""
    dialects = ["duckdb", "postgres", "mysql"]

    def statement(known: Macros) -> str:
        return str(known["evaluate"](metrics=["rmse"], relation="t", label="y", score="s"))

    alone = [statement(Macros(dialect)) for dialect in dialects]
    shared = [Macros(dialect) for dialect in dialects]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(statement, shared * 2))
    assert together == alone * 2
    assert len(set(together)) == 3


def test_grain_of_a_metric() -> None:
    known = {
        "rmse": "rows",
        "auc": "score levels",
        "ece": "bins of scores",
        "ndcg": "lists",
        "novelty": "items",
    }
    assert {name: find(name, with_cutoff=name == "novelty").grain for name in known} == known
