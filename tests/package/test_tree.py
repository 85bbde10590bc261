"""The tests keep to their own tree: what several files share is in tests/support/, and engines are asked for where they run."""

import ast
import re
from pathlib import Path

import pytest

from support.paths import ROOT, TESTS

FILES = sorted(TESTS.rglob("test_*.py"))
#: What a test may import of tests/.
SHARED = {"conformance.cases", "oracles", "support"}


def imported(path: Path) -> set[str]:
    """The modules of tests/ that a file imports, with what it imports out of them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    ours = {path.stem for path in TESTS.rglob("*.py")} | {path.name for path in TESTS.iterdir()}
    return {name for name in found if name.split(".")[0] in ours - {"dbt", "engines"}}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_file_of_tests_imports_another(path: Path) -> None:
    assert [name for name in imported(path) if not name.startswith(tuple(SHARED))] == []
    assert not re.search(r"^(from|import) (engines|dbt\.test)", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_folder_that_asks_for_engines_is_run_on_them() -> None:
    """`make test-engines` looks into these folders alone: the others need libraries that it does not install."""
    [line] = re.findall(r"^ENGINE_TESTS = (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    asking = {path for path in FILES if "engine: Engine" in path.read_text(encoding="utf-8")}
    folders = {f"tests/{path.relative_to(TESTS).parts[0]}" for path in asking}
    assert folders <= set(line.split())
