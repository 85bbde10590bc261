"""Reports that come back from files, and what changed between two of them."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import sqlmetrics as sm

JUNE = [
    {
        "y": i % 2,
        "p": (i * 3) % 7 / 7,
        "q": (i * 5) % 11 / 11,
        "g": "abc"[i % 3],
        "d": datetime.date(2026, 6, 1 + i % 2),
    }
    for i in range(60)
]
JULY = [{**row, "p": row["q"]} for row in JUNE if row["g"] != "c"]
FACTS: dict[str, Any] = {"label": "y", "score": "p"}


def written(folder: Path, report: Any, suffix: str) -> Path:
    path = folder / f"report{suffix}"
    if suffix == ".parquet":
        pyarrow.parquet.write_table(report.to_arrow(), path)
    else:
        path.write_text(report.to_json(), encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", [".json", ".parquet"])
@pytest.mark.parametrize(
    "asked", [{}, {"by": "g"}, {"by": ["g", "d"], "score": {"a": "p", "b": "q"}}], ids=str
)
def test_a_report_comes_back(tmp_path: Path, suffix: str, asked: dict[str, Any]) -> None:
    report = sm.evaluate(JUNE, ["auc", "brier"], interval=0.9, **{**FACTS, **asked})
    found = sm.read_report(written(tmp_path, report, suffix))
    assert (found.by, found.metrics, found.keys) == (report.by, report.metrics, report.keys)
    assert found["auc_low"] == report["auc_low"]
    if not asked.get("score"):
        assert found.value("auc") == report.value("auc")
    if asked:
        assert found["g"] == report["g"]


def test_changes(tmp_path: Path) -> None:
    """Each number from the two reports; slices that one of them lacks have nulls."""
    june, july = (sm.evaluate(rows, ["auc", "brier"], by="g", **FACTS) for rows in (JUNE, JULY))
    found = july.changes_since(june).to_dicts()
    assert [(row["g"], row["is_total"], row["metric"]) for row in found] == [
        (g, total, metric)
        for g, total in (("a", False), ("b", False), (None, True), ("c", False))
        for metric in ("auc", "brier")
    ]
    for row in found:
        where = {} if row["is_total"] else {"g": row["g"]}
        before = june.value(row["metric"], **where)
        after = None if row["g"] == "c" else july.value(row["metric"], **where)
        assert (row["before"], row["after"]) == (before, after)
        assert row["change"] == (None if after is None else after - before)
        assert row["relative_change"] == (None if after is None else (after - before) / before)
    paths = [
        written(tmp_path / name, report, ".json")
        for name, report in (("a", june), ("b", july))
        if not (tmp_path / name).mkdir()
    ]
    assert july.changes_since(paths[0]).to_dicts() == found
    assert sm.read_report(paths[1]).changes_since(sm.read_report(paths[0])).to_dicts() == found


def test_changes_by_dates_of_models(tmp_path: Path) -> None:
    """JSON has dates as texts."""
    asked: dict[str, Any] = {"by": "d", "label": "y", "score": {"a": "p", "b": "q"}}
    report = sm.evaluate(JUNE, "brier", **asked)
    path = written(tmp_path, report, ".json")
    found = report.changes_since(path).to_dicts()
    assert [row["change"] for row in found] == [0] * 6
    assert found[0]["d"] == "2026-06-01"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "is no report: it is neither JSON nor Parquet"),
        ("[]", "is no report: write one with --format json"),
        ('[{"auc": 1}]', "has no list of its slices and metrics"),
        (
            json.dumps({"by": ["g"], "metrics": ["auc"], "rows": [{"auc": 1}]}),
            "has no list of its slices and metrics",
        ),
    ],
)
def test_what_is_no_report(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "r.json"
    path.write_text(content)
    with pytest.raises(sm.DataError, match=told):
        sm.read_report(path)


def test_reports_that_have_nothing_in_common() -> None:
    report = sm.evaluate(JUNE, "auc", by="g", **FACTS)
    with pytest.raises(sm.SqlMetricsError, match="other slices or models: g, is_total, and none"):
        report.changes_since(sm.evaluate(JUNE, "auc", **FACTS))
    with pytest.raises(sm.SqlMetricsError, match="no metric in common: auc, and brier"):
        report.changes_since(sm.evaluate(JUNE, "brier", by="g", **FACTS))
    with pytest.raises(sm.SqlMetricsError, match="A report or the file of one is compared, got 5"):
        report.changes_since(5)
    with pytest.raises(sm.DataError, match=r"Cannot read 'nowhere\.json'"):
        report.changes_since("nowhere.json")


def test_one_number() -> None:
    report = sm.evaluate(JUNE, "auc", **FACTS)
    assert float(report) == report.value("auc")
    with pytest.raises(sm.SqlMetricsError, match="has 4 rows and 1 metrics; value\\('auc'\\) is one of them"):
        float(sm.evaluate(JUNE, "auc", by="g", **FACTS))
    assert str(float(sm.evaluate([{"y": 1, "p": 0.5}], "auc", **FACTS))) == "nan"


def test_the_total_is_left_out() -> None:
    report = sm.evaluate(JUNE, "auc", by="g", **FACTS)
    for rows in (report.to_dicts(total=False), report.to_arrow(total=False).to_pylist()):
        assert [row["g"] for row in rows] == ["a", "b", "c"]
    assert list(report.to_pandas(total=False)["g"]) == ["a", "b", "c"]
    assert report.to_polars(total=False)["g"].to_list() == ["a", "b", "c"]
    assert len(report.to_dicts()) == 4
