"""A fingerprint that differs is shown as the difference of its statements."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from support import changed
from support.paths import ROOT


@pytest.mark.slow
def test_a_change_is_shown_beside_the_commit_that_wrote_the_hashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sql", "sqlmetrics", "tests"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__")
        )
    for command in (
        ["init", "--quiet"], ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--message=kept"],
    ):  # fmt: skip
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    assert changed.differences_of("duckdb", ["calls: rows"]) == []
    path = tmp_path / "sql" / "stages" / "rows" / "row_sums.sql"
    text = path.read_text(encoding="utf-8")
    assert "-- what is summed over rows" in text
    path.write_text(text.replace("-- what is summed over rows", "-- what rows add up to"), encoding="utf-8")
    shown = changed.differences_of("duckdb", ["calls: rows"])
    assert shown[:2] == ["--- calls: rows\tkept", "+++ calls: rows\tnow"]
    assert any(line.startswith("+-- what rows add up to") for line in shown)
