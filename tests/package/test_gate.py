"""The gate skips what is proven, and only that: what a key holds, what a part may not read, and how a run ends."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
from types import ModuleType

import pytest

from support.paths import ROOT, TESTS

PARTS = {
    "docs", "package", "pages", "cli", "calls", "api", "shell", "kills", "plan", "numbers", "metrics", "inference",
    "searches", "peers", "engines", "numbers on the oldest DuckDB", "shell on the oldest DuckDB",
    "kills on the oldest DuckDB", "dbt", "doors", "other engines", "names and pages of Spark",
}  # fmt: skip
SHOWN = {"docs", "package", "pages", "cli", "calls"}
KILLS = {"kills", "kills on the oldest DuckDB"}
#: What changes -> the parts that have to run again.
CHANGED = {
    "sql/metrics/relative_error.sql": PARTS,
    "sql/stages/lists/item_sums_by_rank.sql": PARTS,
    "sql/dialects/spark.sql": PARTS,
    "sqlmetrics/engines/duckdb.py": PARTS,
    "sqlmetrics/charts/chart.py": PARTS,
    "tests/oracles/regression.py": PARTS,
    "tests/conformance/cases/rows.py": PARTS,
    "tests/support/engines/spark.py": PARTS,
    "tests/conftest.py": PARTS,
    "pyproject.toml": PARTS,
    "Makefile": PARTS,
    "docs/howto/intervals-and-comparisons.md": {"docs", "package"},
    "docs/coming-from/scikit-learn.md": {"docs", "package", "peers", "names and pages of Spark"},
    "CHANGELOG.md": {"docs", "package"},
    "AGENTS.md": {"docs", "package"},
    "sqlmetrics/charts/curves.py": SHOWN,
    "sqlmetrics/pages/page.py": SHOWN,
    "sqlmetrics/cli/program.py": SHOWN - {"pages"} | KILLS,
    "tests/cli/test_gates.py": {"cli", "package"},
    "tests/api/test_zones.py": {"calls", "api", "package"},
    "tests/api/test_errors.py": {"plan", "api", "package"},
    "sqlmetrics/charts/of.py": PARTS,
    "tests/engines/connections/test_options.py": {"calls", "engines", "other engines", "package"},
    "tests/metrics/test_classes.py": {"metrics", "package", "other engines"},
    "tests/conformance/test_conformance.py": {
        "numbers",
        "package",
        "other engines",
        "numbers on the oldest DuckDB",
    },
    ".ci/gate.py": {"package"},
    ".ci/proven": set(),
}


@pytest.fixture(scope="module")
def gate() -> ModuleType:
    """The module, which is in no package."""
    spec = importlib.util.spec_from_file_location("gate", ROOT / ".ci" / "gate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["gate"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def files(gate: ModuleType) -> dict[str, str]:
    return gate.tree()


@pytest.fixture(scope="module")
def keys(gate: ModuleType, files: dict[str, str]) -> dict[str, str]:
    return {part.name: gate.key(part, files, []) for part in gate.PARTS}


@pytest.mark.slow
@pytest.mark.parametrize("path", CHANGED)
def test_a_change_runs_what_may_read_it(gate, files, keys, path) -> None:
    other = {**files, path: "changed"}
    assert {part.name for part in gate.PARTS if gate.key(part, other, []) != keys[part.name]} == CHANGED[path]


def test_names_above_are_there(gate: ModuleType, files: dict[str, str]) -> None:
    assert set(CHANGED) - {".ci/proven"} <= set(files)
    assert {part.name for part in gate.PARTS} == PARTS


def test_a_version_and_a_command_are_in_the_key(gate: ModuleType) -> None:
    for part in gate.PARTS:
        keys = [gate.key(part, {}, [version]) for version in ("duckdb==1.4.0", "duckdb==1.4.1")]
        assert len({*keys, gate.key(gate.CHECK, {}, ["duckdb==1.4.0"])}) == 3, part.name


@pytest.mark.slow
def test_versions_are_those_of_the_environment(gate: ModuleType) -> None:
    """Each distribution, and the version that another program says, without what changes from run to run."""
    part = gate.Part("some", "tests/some", None, programs="echo:4096:KB,:version:7.1.2+3:of:2026")
    found = "\n".join(gate.versions(part))
    for name in ("duckdb", "scikit-learn", "pytest"):
        assert f"\n{name}=={importlib.metadata.version(name)}\n" in found
    assert sys.version in found
    assert "\n7.1.2+3\n" in f"{found}\n"


def test_files_that_are_not_committed_count(gate: ModuleType, monkeypatch, tmp_path) -> None:
    for command in (["init", "--quiet"], ["add", "kept"]):
        (tmp_path / "kept").write_text("1")
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    before = gate.tree()
    (tmp_path / "kept").write_text("2")
    (tmp_path / "new").write_text("3")
    after = gate.tree()
    assert list(before) == ["kept"]
    assert list(after) == ["kept", "new"]
    assert before["kept"] != after["kept"]


def test_each_test_is_in_a_part(gate: ModuleType) -> None:
    """Of the first parts, which are on the light engines, in exactly one."""
    parts = [part.tests.split() for part in gate.FIRST if part.make == "test-all"]
    for path in TESTS.rglob("test_*.py"):
        file = f"tests/{path.relative_to(TESTS)}"
        takes = [words for words in parts if any(f"{file}/".startswith(f"{word}/") for word in words)]
        # names and pages of Spark have a part of their own, with Spark
        ran = 1 - (file in gate.OF_SPARK.split())
        assert sum(f"--ignore={file}" not in words for words in takes) == ran, file
    named = {word for words in parts for word in words}
    assert {"tests/oracles", "tests/support", "sqlmetrics", "docs/generate"} <= named
    assert all((ROOT / word.removeprefix("--ignore=")).exists() for word in named)


def test_files_that_are_made_are_those_of_a_new_metric(gate: ModuleType) -> None:
    made = [
        path
        for path in (ROOT / "sql").rglob("*.*")
        if path.suffix in (".sql", ".yml")
        and "Made by `make readme`" in path.read_text(encoding="utf-8")[:300]
    ]
    assert len(made) > 3
    assert all(str(path.relative_to(ROOT)).startswith(gate.ADDED) for path in made)


@pytest.mark.slow
def test_what_a_part_reads_is_seen(gate: ModuleType, files: dict[str, str], tmp_path) -> None:
    """Also if another process reads it, or a compiled file in its place."""
    script = (
        "import subprocess, sys, sqlmetrics\n"
        "subprocess.run([sys.executable, '-c', 'import sqlmetrics.charts.curves'], check=True)\n"
        f"open({str(ROOT / 'docs' / 'index.md')!r}).read()"
    )
    path = os.pathsep.join([str(ROOT / ".ci" / "watch"), str(ROOT)])
    surroundings = {**os.environ, "GATE_READS": str(tmp_path / "reads"), "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", script], env=surroundings, check=True)
    numbers = next(part for part in gate.PARTS if part.name == "numbers")
    found = gate.overread(numbers, files, tmp_path / "reads")
    assert {"docs/index.md", "sqlmetrics/charts/curves.py"} <= set(found)
    assert "sqlmetrics/charts/chart.py" not in found


@pytest.mark.slow
def test_metrics_that_are_added_run_alone(gate: ModuleType, monkeypatch, tmp_path) -> None:
    """Only where lines were added since the keys were written, and a new macro among them."""
    old, fresh = tmp_path / "sql" / "metrics" / "old.sql", tmp_path / "sql" / "metrics" / "fresh.sql"
    oracle, proven = tmp_path / "tests" / "oracles" / "rows.py", tmp_path / ".ci" / "proven"
    for path in (old, oracle, proven):
        path.parent.mkdir(parents=True, exist_ok=True)
    old.write_text("{% macro metric_old(plan) -%}\n1\n{%- endmacro %}\n")
    oracle.write_text("first\nlast\n")
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "PROVEN", proven)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    parts = [gate.Part(name, f"tests/{name}", gate.PAGES) for name in ("metrics", "numbers")]
    for part in parts:
        gate.write(part.name, gate.key(part, gate.tree(), []), "2026-11-27", "1", "1 passed")
    person = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["add", "."], [*person, "commit", "--quiet", "--message=proven"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)

    def added() -> list[list[str]]:
        return [gate.added_metrics(part, gate.tree(), []) for part in parts]

    assert added() == [[], []]
    fresh.write_text(
        "{% macro metric_fresh(plan) -%}\n2\n{%- endmacro %}\n{% macro metric_more_at(plan) -%}\n"
    )
    oracle.write_text("first\nfresh\nlast\n")
    assert added() == [["fresh", "more"], []]  # numbers run in full
    oracle.write_text("first\nfresh\nleast\n")
    assert added() == [[], []]
    oracle.write_text("first\nlast\n")
    (tmp_path / "Makefile").write_text("all:\n")
    assert added() == [[], []]
    (tmp_path / "Makefile").unlink()
    old.unlink()
    assert added() == [[], []]


STAND_IN = """
test-all:
	@echo run $(TESTS) >>ran; \
	case $(TESTS) in *bad) exit 1;; *reads) python3 -c 'open("docs/page.md")';; esac; \
	echo "== 3 passed in 0.10s =="; echo spoken later
check: ; @echo "5 passed in 0.20s"
.PHONY: test-all check
"""


@pytest.mark.slow
def test_a_run(gate: ModuleType, monkeypatch, capsys, tmp_path) -> None:
    """A part that failed or read too much lets the others run and is not written; a proven one is skipped and said."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("A page.\n")
    (tmp_path / "Makefile").write_text(STAND_IN)
    (tmp_path / ".gitignore").write_text("ran\n")
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "watch").symlink_to(ROOT / ".ci" / "watch")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.setattr(gate, "ROOT", tmp_path)
    monkeypatch.setattr(gate, "PROVEN", tmp_path / ".ci" / "proven")
    parts = [
        gate.Part(name, f"tests/{name}", gate.PAGES, needs="Makefile")
        for name in ("good", "bad", "reads", "last")
    ]
    monkeypatch.setattr(gate, "PARTS", parts)
    monkeypatch.setattr(gate, "FIRST", parts[:2])
    monkeypatch.setattr(gate, "BESIDE", parts[2:3])
    monkeypatch.setattr(gate, "LAST", parts[3:])

    def ran(*words: str) -> tuple[int, list[str], str]:
        (tmp_path / "ran").write_text("")
        monkeypatch.setattr(sys, "argv", [".ci/run", *words])
        status = gate.main()
        return status, sorted((tmp_path / "ran").read_text().split()[1::2]), capsys.readouterr().out

    everything = ["tests/bad", "tests/good", "tests/last", "tests/reads"]
    assert ran()[:2] == (1, everything)
    assert gate.proven() == {}
    assert ran("--write")[:2] == (1, everything)
    assert sorted(gate.proven()) == ["good", "last"]
    status, tests, out = ran()
    assert (status, tests) == (1, ["tests/bad", "tests/reads"])
    assert "skipped good: all that it reads is as on 20" in out
    assert "reads read what its key leaves out (see .ci/gate.py): docs/page.md" in out
    assert ran("--all")[1] == everything
    monkeypatch.setattr(gate, "FIRST", parts[:1])
    monkeypatch.setattr(gate, "BESIDE", [])
    (tmp_path / "docs" / "page.md").write_text("Another.\n")
    status, tests, out = ran()
    assert (status, tests, out.splitlines()[-1]) == (0, [], "5 passed in 0.20s")
    (tmp_path / "more.py").write_text("")
    assert ran()[:2] == (0, ["tests/good", "tests/last"])
