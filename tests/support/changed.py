"""How statements changed since tests/statements.json was written: what a reviewer reads first."""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support.paths import ROOT

#: Statements and lines that are shown of a dialect.
STATEMENTS, LINES = 3, 60
#: Writes some statements of a dialect into a folder, in the tests/ of any commit.
WRITE = """
import sys
from pathlib import Path
from support import statements
folder, dialect, *asked = sys.argv[1:]
calls = statements.calls
statements.calls = lambda of: (call for call in calls(of) if f"{call[0]}: {call[1]}" in asked)
if not any(call.endswith("shell") for call in asked):
    statements.library = lambda of: ""  # whose macros take seconds to write
statements.dump(dialect, Path(folder))
"""


def differences_of(dialect: str, changed: list[str]) -> list[str]:
    """The lines by which the first of the changed statements differ from those that were kept.

    These are rendered by the commit that wrote tests/statements.json last. Without git there are no lines, and a call
    that came or went has none.
    """
    changed = changed[:STATEMENTS]
    with tempfile.TemporaryDirectory() as folder:
        tree, old, new = (Path(folder) / name for name in ("tree", "old", "new"))
        try:
            commit = _git("log", "-1", "--format=%H", "--", "tests/statements.json").decode().strip()
            # no archive, which leaves tests/ out (.gitattributes)
            _git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(tree))
            _git("-C", str(tree), "checkout", "--quiet", commit)
            for root, into in ((tree, old), (ROOT, new)):
                call = [sys.executable, "-c", WRITE, str(into), dialect, *changed]
                subprocess.run(
                    call,
                    cwd=root / "tests",
                    env={**os.environ, "PYTHONPATH": f"{root}:{root / 'tests'}"},
                    check=True,
                )
        except (OSError, subprocess.CalledProcessError):
            return []
        lines = []
        for call in changed:
            way, asked = call.replace("/", " ").split(": ", 1)
            path = Path(dialect, way, f"{asked}.sql")
            before, after = (
                (root / path).read_text(encoding="utf-8").splitlines() if (root / path).exists() else None
                for root in (old, new)
            )
            if before is not None and after is not None:
                lines += difflib.unified_diff(before, after, call, call, "kept", "now", lineterm="", n=2)
    return [*lines[:LINES], f"and {len(lines) - LINES} more lines"] if len(lines) > LINES else lines


def _git(*args: str) -> bytes:
    return subprocess.run(["git", *args], cwd=ROOT, check=True, capture_output=True).stdout
