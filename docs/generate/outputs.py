"""The examples of hand-written pages, run: `make readme` writes what they print below them.

Blocks of `python` on a page share their names. Commands are the lines of `console` blocks with `$ sqlmetrics`.
A block of `text` behind either holds what it prints. All run in the folder of the repository.

Blocks of `py` are Python for an engine that `make readme` does without; the tests of pages in tests/engines/ run them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from generate.site import DOCS, ROOT

BLOCK = re.compile(
    r"^( *)```(python|py|console)\n(.*?)^\1```$(\n\n?\1```text\n.*?^\1```$)?", re.DOTALL | re.MULTILINE
)


def pages() -> list[Path]:
    """README and the pages of docs that are written by hand."""
    folders = ("decisions", "generate", "node_modules")
    found = [path for path in DOCS.rglob("*.md") if not set(folders) & set(path.relative_to(DOCS).parts)]
    return [ROOT / "README.md", *sorted(found)]


def renewed(page: str, *further: str) -> str:
    """A page with the outputs of its examples; raises what an example raises.

    Args:
        page: the text of the page.
        further: what runs beside `python` and `console`, such as `py`.
    """
    names: dict[str, object] = {}

    def with_output(block: re.Match[str]) -> str:
        indent, kind, code, output = block.groups()
        if kind not in ("python", "console", *further):
            return block[0]
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with contextlib.redirect_stdout(printed), folder(ROOT):
            if kind != "console":
                exec(textwrap.dedent(code), names)
            else:
                for command in commands(code):
                    run(command)
        if not output:
            return block[0]
        shown = printed.buffer.getvalue().decode().strip("\n")
        return block[0].removesuffix(output) + textwrap.indent(f"\n\n```text\n{shown}\n```", indent)

    return BLOCK.sub(with_output, page)


def commands(code: str) -> list[str]:
    """The commands of ours in a console block."""
    lines = [line.strip() for line in code.replace("\\\n", " ").splitlines()]
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ sqlmetrics")]


@contextlib.contextmanager
def folder(path: Path) -> Iterator[None]:
    """Works in a folder; contextlib.chdir came with Python 3.11."""
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


def run(command: str) -> None:
    """Runs a command of ours in this process."""
    from sqlmetrics.cli import main  # of which pages of `py` have none

    with mock.patch.object(sys, "argv", shlex.split(command)):
        try:
            main()
        except SystemExit as stopped:
            if stopped.code:
                raise AssertionError(f"{command}: ended with {stopped.code}") from stopped
