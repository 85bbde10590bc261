"""A word that no option foresees ends a command with a result, or with one message and status 1, 2 or 3.

The commands and their options are those of the program. `tests/api/test_hostile_values.py` does the same for Python,
where more values can be passed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sqlmetrics as sm
from sqlmetrics.cli import program
from sqlmetrics.errors import printable

#: all but the server, which reads standard input; test_mcp.py has its words
COMMANDS: dict[str, Any] = {
    name: one for name, one in program.command_line().commands.items() if name != "mcp"
}
WORDS = {
    "empty": "",
    "blank": " ",
    "negative": "-1",
    "nan": "nan",
    "huge": "1e400",
    "quotes": """y'"`]z""",
    "lines": "y\nz\r\x1b[31m",
    "holes": "{score} %s %(y)s {{ 1 }} {% do %} $1",
    "surrogate": "y\udc80",
    "nul": "y\0z",
    "long": "y" * 300,
    "names": "a=b=c",
    "equals": "=",
    "no name": "=y",
    "commas": ",y,,",
    "expression": "sql:",
    "broken expression": "y=sql:y) from (",
    "brackets": "auc(((@",
    "absent file": "nowhere/absent.parquet",
    "folder": ".",
    "address": "duckdb:///nowhere/absent.duckdb?x=%zz",
}
#: options that end every command alike, or change the shell of the user
LEFT = {"help", "install_completion", "show_completion"}
#: how many words each option gets in every run; with --long it gets all
FEW = 1
ROWS = [
    {"u": u, "i": i, "y": (u + i) % 2, "p": i / 3 + u / 10, "q": u / 3 + i / 10, "c": (u * i) % 2}
    for u in range(3)
    for i in range(3)
]


def calls() -> dict[str, tuple[str, ...]]:
    """A valid call of each command in a folder that has the files."""
    facts, score = ("--label", "y"), ("--score", "p")
    lists = ("-m", "mrr", *facts, *score, "--group", "u")
    classes = (*facts, "--prediction", "c")
    two = ("-m", "brier", *facts, "--baseline", "p", "--candidate", "q")
    days = ("--period", "c", "--before", "0", "--after", "1")
    change = ("-m", "brier", *facts, *score, "--by", "i", *days)
    read = {
        "evaluate": ("-m", "brier", *facts, *score),
        "confusion-matrix": classes,
        "class-report": classes,
        "compare": two,
        "leaderboard": ("-m", "brier", *facts, "--score", "p", "--score", "q"),
        "sample-size": (*two, "--difference", "0.1"),
        "plan-labels": ("-m", "brier", *facts, *score, "--gold", "c", "--by", "i", "--budget", "3"),
        "find-slices": (*two, "--by", "c", "--min-units", "2"),
        "drift": ("--columns", "p", *days),
        "explain-change": change,
        "per-group": lists,
        "agreement": ("-m", "gwet", "--raters", "y,c"),
        "state": ("-m", "brier", *facts, *score, "--period", "c"),
    }
    return {
        **{name: (name, "a.parquet", *words) for name, words in read.items()},
        **{
            f"sql {name}": ("sql", name, "--relation", "t", *words)
            for name, words in read.items()
            if name != "evaluate"
        },
        "sql draw-labels": ("sql", "draw-labels", "--relation", "t", *read["plan-labels"], "--key", "u"),
        "sql": ("sql", "--relation", "t", *read["evaluate"]),
        "sql curve": ("sql", "curve", "roc", "--relation", "t", *facts, *score),
        "sql finish": ("sql", "finish", "--relation", "t", "-m", "brier", *facts, *score, "--period", "c"),
        "chi-square": ("chi-square", "a.parquet", "--column", "c"),
        "two-proportions": ("two-proportions", "a.parquet", *facts, "--category", "c"),
        "bradley-terry": ("bradley-terry", "battles.parquet"),
        "mcnemar": ("mcnemar", "a.parquet", *facts, "--baseline", "c", "--candidate", "y"),
        "report": ("report", "a.parquet", "-m", "brier", *facts, *score, "--output", "page.html"),
        "trec": ("trec", "a.run", "a.qrels", "-m", "map"),
        "curve": ("curve", "roc", "a.parquet", *facts, *score),
        "finish": ("finish", "state.parquet", "-m", "brier"),
        "semantic": ("semantic", "state.parquet", "-m", "brier", "--table", "t", "--format", "cube"),
        "explain-difference": (
            "explain-difference",
            "a.parquet",
            "ndcg@3",
            "default",
            "lightgbm",
            *lists[2:],
            "--item",
            "i",
        ),
        "list": ("list",),
        "show": ("show", "auc"),
        "macros": ("macros",),
        "check": ("check", "suite.yml"),
        "demo": ("demo",),
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.Table.from_pylist(ROWS), "a.parquet")
    battles = [
        {"model_a": "ab"[i % 2], "model_b": "ba"[i % 2], "winner": f"model_{'ab'[i % 3 % 2]}"}
        for i in range(6)
    ]
    pq.write_table(pa.Table.from_pylist(battles), "battles.parquet")
    Path("a.run").write_text("1 Q0 a 1 2.5 x\n1 Q0 b 2 1.5 x\n")
    Path("a.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    Path("suite.yml").write_text(
        "data: a.parquet\nfacts: {label: y, score: p}\nmetrics: [brier]\ngates: [brier <= 1]\n"
    )
    sm.state("a.parquet", "brier", label="y", score="p", period="c").write("state.parquet")
    return tmp_path


def hostile(command: str, few: int) -> Iterator[tuple[str, ...]]:
    """The call of a command, once for each of its parameters and some of the words."""
    valid = calls()[command]
    turn = itertools.cycle(WORDS.values())
    for _ in range(sorted(COMMANDS).index(command) * 5 % len(WORDS)):
        next(turn)  # so that the commands do not all begin with the same words
    place = 0
    for parameter in COMMANDS[command].params:
        if parameter.name in LEFT:
            continue
        is_argument, is_flag = parameter.param_type_name == "argument", getattr(parameter, "is_flag", False)
        place += is_argument
        for word in itertools.islice(turn, 1 if is_flag else few):
            if is_argument:
                yield (*valid[:place], word, *valid[place + 1 :])
            else:
                yield (*valid, parameter.opts[0], *([] if is_flag else [word]))


def wrong(done) -> str | None:
    """What is wrong with the end of a command."""
    if "Traceback" in done.err or done.status not in (0, 1, 2, 3):
        return f"{done.status}: {done.err[-300:]}"
    if done.status in (2, 3) and not (done.err.startswith("Usage: ") and "\nError: " in done.err):
        message = done.err.removesuffix("\n")
        if not message.startswith("Error: ") or message != printable(message) or len(message) > 1200:
            return f"{done.status}: {message[:300]!r}"
    return None


@pytest.mark.slow
def test_every_command_is_called(run, folder: Path) -> None:
    assert sorted(calls()) == sorted(COMMANDS)
    assert [(name, done.err) for name, words in calls().items() if (done := run(*words)).status] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "few"),
    [
        *((command, FEW) for command in sorted(COMMANDS)),
        *(
            pytest.param(command, len(WORDS), marks=pytest.mark.long, id=f"{command}-all")
            for command in sorted(COMMANDS)
        ),
    ],
)
def test_a_hostile_word_is_one_message(command: str, few: int, run, folder: Path) -> None:
    found = []
    for words in hostile(command, few):
        try:
            fault = wrong(run(*words))
        except Exception as error:
            fault = f"{type(error).__name__}: {error!s:.200}"
        if fault:
            found.append((words, fault))
    assert found == []
