"""The tests keep to their tree: what several files share is in tests/support/, and engines run in known folders."""

import ast
import re
from pathlib import Path

import pytest

from support.paths import ROOT, TESTS

FILES = sorted(TESTS.rglob("test_*.py"))
#: What a test may import of tests/. `dbt` is also a library.
SHARED = ("conformance.cases", "oracles", "support")
OURS = {path.stem for path in FILES} | {path.stem for path in TESTS.iterdir()} - {"dbt"}


def imported(path: Path) -> set[str]:
    """What a file imports out of tests/."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] in OURS or ".test_" in name}


@pytest.mark.slow
def test_no_file_of_tests_imports_another(subtests: pytest.Subtests) -> None:
    for path in FILES:
        with subtests.test(str(path.relative_to(TESTS))):
            assert [name for name in imported(path) if not name.startswith(SHARED)] == []


def asks_for_an_engine(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    tests = [node for node in functions if node.name.startswith("test_")]
    return any(argument.arg == "engine" for test in tests for argument in test.args.args)


@pytest.mark.slow
def test_folders_that_ask_for_an_engine_are_run_on_them() -> None:
    """`make test-engines` looks into these folders alone: others need libraries that it does not install."""
    [line] = re.findall(
        r"^ENGINE_TESTS = (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    folders = {f"tests/{path.relative_to(TESTS).parts[0]}" for path in FILES if asks_for_an_engine(path)}
    assert len(folders) >= 4
    assert folders <= set(line.split())


def test_every_folder_has_a_row() -> None:
    """A newcomer looks for a folder in the table of sql/README.md, or in that of CONTRIBUTING.md."""
    rows = set(re.findall(r"^\| (.*?) \| ", (ROOT / "sql" / "README.md").read_text(encoding="utf-8"), re.M))
    listed = {name for row in rows for name in re.findall(r"`(\w+)/`", row)}
    assert listed == {path.name for path in (ROOT / "sql").iterdir() if path.is_dir()}
    line = next(
        line
        for line in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| [`sql/`]")
    )
    assert set(re.findall(r"`(\w+)`", line)) == listed
