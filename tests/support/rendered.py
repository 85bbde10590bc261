"""Lines of macros that no fingerprint and no test of errors renders: a change of theirs passes unnoticed.

In tests/, or by `make coverage-of-macros`:
python -m support.rendered          prints those that rendered_never.json does not have; fails if there is one
python -m support.rendered --write  writes that file anew: macro -> how many of its lines
"""

from __future__ import annotations

import ast
import builtins
import json
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from types import CodeType
from typing import Any
from unittest import mock

import jinja2
import pytest

from sqlmetrics.book import jinja
from sqlmetrics.book.templates import MACRO, dialects, macro_files, macros, sql_files
from support.paths import TESTS

NEVER = TESTS / "support" / "rendered_never.json"
ERRORS = [
    "api/test_errors.py", "api/test_errors_of_lists.py", "plan/test_names_read.py", "plan/test_stages_once.py",
]  # fmt: skip
#: path below sql/, and line
Line = tuple[str, int]
#: The name that compiled macros call with the line that they come to.
NOTE = "_line_is_rendered"


class Watched:
    """The lines of all macros that are loaded, and those that were rendered since then."""

    def __init__(self) -> None:
        self.lines: set[Line] = set()
        self.rendered: set[Line] = set()
        self.made: dict[tuple[str, ...], Any] = {}
        setattr(builtins, NOTE, self.rendered.add)
        mock.patch.object(jinja2.Environment, "_compile", self._compile).start()
        # what was compiled before notes nothing
        mock.patch.object(jinja, "kept", self._kept).start()

    def _kept(self, name: str, make: Callable[[], Any], *sources: str) -> Any:
        """What `make` makes, once for all dialects."""
        key = (name, *sources)
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def _compile(self, source: str, path: str) -> CodeType:
        """Jinja2's hook: compiles the Python of a template."""
        tree = ast.parse(source)
        if path in sql_files():
            [debug_info] = [
                part.value.value
                for part in tree.body
                if isinstance(part, ast.Assign)
                and isinstance(part.value, ast.Constant)
                and isinstance(part.targets[0], ast.Name)
                and part.targets[0].id == "debug_info"
            ]
            of = _lines_of(str(debug_info))
            for macro in ast.walk(tree):
                if isinstance(macro, ast.FunctionDef) and macro.name == "macro":
                    self._watch(macro, path, of)
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def _watch(self, macro: ast.FunctionDef, path: str, of: Callable[[ast.stmt], set[int]]) -> None:
        for node in ast.walk(macro):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    watched: list[ast.stmt] = []
                    for part in block:
                        lines = {(path, line) for line in of(part)}
                        self.lines |= lines
                        watched += [*ast.parse("\n".join(f"{NOTE}({line!r})" for line in lines)).body, part]
                    setattr(node, name, watched)


def _lines_of(debug_info: str) -> Callable[[ast.stmt], set[int]]:
    """Statement of the Python -> lines of the template: those that begin in it, or else the one that it is part of."""
    pairs = [tuple(map(int, pair.split("="))) for pair in debug_info.split("&")]
    starts = [code for _, code in pairs]

    def of(part: ast.stmt) -> set[int]:
        body = getattr(part, "body", None)
        end = body[0].lineno - 1 if body else part.end_lineno or part.lineno
        first, last = bisect_left(starts, part.lineno), bisect_right(starts, end)
        return {line for line, _ in pairs[first:last]} or {pairs[max(0, last - 1)][0]}

    return of


def never_rendered() -> dict[str, list[Line]]:
    """Macro -> its lines that are not rendered. Loads all macros of all dialects, so it has a process of its own."""
    watched = Watched()
    from support.statements import statements

    for dialect in dialects():
        for _ in statements(dialect):
            pass
    for macro in macro_files():
        _ = macros("duckdb")[macro]
    if pytest.main(["-q", "-x", "-p", "no:cacheprovider", *(str(TESTS / path) for path in ERRORS)]):
        sys.exit(1)
    found: dict[str, list[Line]] = {}
    for path, line in sorted(watched.lines - watched.rendered):
        before = "\n".join(sql_files()[path].split("\n")[:line])
        found.setdefault(MACRO.findall(before)[-1], []).append((path, line))
    return found


def main() -> None:
    found, write = never_rendered(), "--write" in sys.argv
    if write:
        counts = {macro: len(lines) for macro, lines in sorted(found.items())}
        NEVER.write_text(json.dumps(counts, indent=0) + "\n", encoding="utf-8")
    known = json.loads(NEVER.read_text(encoding="utf-8"))
    new = [line for macro, lines in found.items() if len(lines) > known.get(macro, 0) for line in lines]
    for path, line in new:
        print(f"sql/{path}:{line}: {sql_files()[path].splitlines()[line - 1].strip()}")
    if new:
        print(
            "No fingerprint and no test of errors renders these lines. Add a call to CALLS (support/calls.py)."
        )
    sys.exit(bool(new))


if __name__ == "__main__":
    main()
