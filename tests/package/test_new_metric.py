"""make new-metric: its skeleton is refused until it is filled in, and then right at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

FILLED = {
    "row": {
        "sql/metrics/fresh.sql": [("FILL IN: over {label} and {score}", "abs({label} - {score})")],
        "tests/oracles/regression.py": [("", "return mean(rows, lambda row: abs(row.label - row.score))")],
    },
    "list": {
        "sql/metrics/fresh.sql": [
            ("FILL IN: over {tie_first}, {tie_last}", "1"),
            ("FILL IN: over {n}, {judged_through}", "{n}"),
        ],
        "tests/oracles/graded.py": [
            ("", "return math.fsum(max(g, 0) for g in order), math.fsum(max(g, 0) for g in one.judged)")
        ],
    },
}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, folder / "tests")))}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=paths, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", FILLED)
def test_a_skeleton_is_refused_until_it_is_filled_in(tmp_path: Path, kind: str) -> None:
    for name in ("sql", "sqlmetrics", "tests", "docs/generate"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    made = run(tmp_path, "-m", "support.new_metric", "fresh", kind)
    assert made.stdout.startswith("Fill in sql/metrics/fresh.sql"), made.stderr
    asked = "-m pytest tests/conformance/test_conformance.py -q --engines duckdb -p no:cacheprovider --metric fresh"
    empty = run(tmp_path, *asked.split(), "-x")
    assert empty.returncode == 1
    assert (
        "write its formula in sql/metrics/fresh.sql" in empty.stdout
        or "write the formula of fresh" in empty.stdout
    )
    for file, changes in FILLED[kind].items():
        path = tmp_path / file
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            text = text.replace(
                old or 'raise NotImplementedError("write the formula of fresh from its source")', new
            )
        lines = [line for line in text.splitlines(keepends=True) if "refuse_metric(plan, 'write" not in line]
        path.write_text("".join(lines), encoding="utf-8")
    filled = run(tmp_path, *asked.split())
    assert filled.returncode == 0, filled.stdout[-3000:]
