"""Reports that the command line and suites write come back by `read_report`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import sqlmetrics as sm

JUNE = [{"y": i % 2, "p": (i * 3) % 7 / 7, "g": "abc"[i % 3]} for i in range(60)]


def test_the_command_line_and_suites_write_such_files(tmp_path: Path, run: Any) -> None:
    data = tmp_path / "june.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(JUNE), data)
    report = sm.evaluate(JUNE, "auc", by="g", label="y", score="p")
    for name in ("r.json", "r.parquet"):
        words = ("-m", "auc", "--label", "y", "--score", "p", "--by", "g", "--output", str(tmp_path / name))
        assert run("evaluate", str(data), *words).status == 0
        assert sm.read_report(tmp_path / name).value("auc", g="b") == pytest.approx(
            report.value("auc", g="b")
        )
    suite = tmp_path / "suite.yml"
    suite.write_text(
        "data: june.parquet\nfacts: {label: y, score: p}\nmetrics: [auc]\nslices: g\ngates: [auc >= 0]\n"
        "outputs: {json: suite.json}\n"
    )
    assert run("check", str(suite)).status == 0
    assert sm.read_report(tmp_path / "suite.json").value("auc") == pytest.approx(report.value("auc"))
