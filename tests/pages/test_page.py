"""What stands on a page is what the public functions return, and each of them runs once."""

from __future__ import annotations

import html
import importlib.util
import math
import random
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import sqlmetrics as sm
from sqlmetrics.pages.verdicts import signed
from sqlmetrics.table.cells import shown
from support.errors import assert_told, told
from support.paths import ROOT
from support.report_pages import Read, answered, days, read

SEARCH = str(ROOT / "examples" / "search.parquet")
FACTS: dict[str, Any] = {"label": "grade", "group": "query_id", "positive": 1, "max_grade": 4}
MODELS = {"old": "score_b", "new": "score"}
METRICS = ["ndcg@1", "ndcg@5", "ndcg@10", "auc", "log_loss", "count"]
ASKED: dict[str, Any] = {"score": MODELS, "by": "country", **FACTS}


@pytest.fixture(scope="module")
def search() -> Read:
    with pytest.MonkeyPatch.context() as patch:
        return read(patch, SEARCH, METRICS, **ASKED)


@pytest.fixture(scope="module")
def daily() -> sm.State:
    roles: dict[str, Any] = {"label": "clicked", "score": "p", "group": "user"}
    return sm.state(days(), ["auc", "mrr", "ece"], period="day", **roles)


@pytest.mark.slow
def test_pairs_are_counted_by_the_direction_of_the_metric(search: Read) -> None:
    facts = {"label": "grade", "group": "query_id", "positive": 1}
    compared = sm.compare(SEARCH, "log_loss", baseline="score_b", candidate="score", **facts)
    [row] = compared
    assert row["wins"] > row["losses"]  # a loss is lower, which is better, in most queries
    lines = search.section("compared").split("\n")
    assert "wins" not in search.section("compared").lower()
    assert lines[lines.index("better in") : lines.index("smallest detectable")] == [
        "better in",
        "same in",
        "worse in",
    ]
    place = len(lines) - 1 - lines[::-1].index(str(row["wins"]))
    assert lines[place : place + 3] == [str(row["wins"]), str(row["ties"]), str(row["losses"])]


@pytest.mark.slow
def test_policies_for_facts_that_were_not_given_are_not_listed() -> None:
    rows = [{"y": i % 2, "p": i / 9, "g": i // 3, "i": i} for i in range(9)]
    facts: dict[str, Any] = {"label": "y", "score": "p", "group": "g", "curves": []}
    plain, with_items = sm.report(rows, "gauc", **facts).html, sm.report(rows, "gauc", item="i", **facts).html
    assert "on_bad_rows" in plain
    assert "on_extra" not in plain
    assert "on_duplicate" not in plain
    assert "on_duplicate" in with_items
    truth = [{"g": g, "i": 3 * g, "y": 1} for g in range(3)]
    assert "on_extra" in sm.report(rows, "mrr", item="i", truth=truth, **facts).html


@pytest.mark.slow
def test_each_function_reads_the_data_once(search: Read) -> None:
    titles = re.findall(r"<summary>((?:Metrics|Comparison|Curve)[^<]*)</summary>\n<p", search.html)
    kinds = [title.split("(")[0] for title in titles if title.startswith("Curve")]
    assert titles[:3] == ["Metrics", "Comparison of models", "Metrics of each list"]
    assert kinds == [f"Curve {kind}" for kind in ("calibration", "gain", "precision_recall", "roc")]
    assert len(search.statements) == len(titles)
    assert len({*search.statements}) == len(search.statements)
    for text in search.statements:
        assert html.escape(text.splitlines()[-1], quote=False) in search.html


@pytest.mark.slow
def test_metrics_are_those_of_evaluate(search: Read) -> None:
    report = sm.evaluate(SEARCH, METRICS, interval=0.95, **ASKED)
    text = search.section("metrics").splitlines()
    for name, column in (("ndcg@10", "ndcg_10"), ("log_loss", "log_loss")):
        at = text.index(name)
        expected = []
        for model in MODELS:
            values = [report.value(f"{column}{end}", model=model) for end in ("", "_low", "_high")]
            expected += [shown(values[0]), f"{shown(values[1])} to {shown(values[2])}"]
        assert text[at + 2 : at + 6] == expected
    assert text[text.index("log_loss") + 1] == "lower is better"
    assert "ndcg@k" in text  # the chart by cutoff


@pytest.mark.slow
def test_verdicts_are_those_of_compare(search: Read) -> None:
    row = sm.compare(SEARCH, "ndcg@10", baseline="score_b", candidate={"new": "score"}, **FACTS).to_dicts()[0]
    text = search.section("compared")
    assert "new is better than old by ndcg@10" in text
    low, high, size = (shown(row[name]) for name in ("low", "high", "difference"))
    assert f"ndcg@10 is higher by {size}, 95% interval {low} to {high}. Higher is better." in text
    assert "new is better than old by log_loss" in text  # which is lower
    assert "Not compared: count." in search.section("measured")
    line = answered(search.html)["Better?"]
    assert line.startswith("new is better than old on ndcg@1 (+")
    assert line.endswith(" and 2 more. That is more than chance explains (95% level).")


def test_worst_slice_is_first(search: Read) -> None:
    report = sm.evaluate(SEARCH, "ndcg@1", **ASKED)
    worst = min(
        (row for row in report if row["model"] == "new" and not row["is_total"]),
        key=lambda row: row["ndcg_1"],
    )
    text = search.section("slices").splitlines()
    assert "Metrics of each slice. Worst first by ndcg@1 of new." in text
    assert text[text.index("rows") :].index(worst["country"]) < 12  # the first below the header


@pytest.mark.slow
def test_what_was_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"y": n % 2, "p": n / 40 * 3, "q": None if n == 7 else n / 40} for n in range(40)]
    page = read(monkeypatch, rows, ["rmse"], label="y", score="q", on_bad_rows="drop", curves=[])
    assert "Rows\n39 of 40" in page.section("measured")
    assert "Rows dropped: 1, which n_rows counts (on_bad_rows='drop')" in page.section("dropped")
    page = read(monkeypatch, rows, ["rmse"], label="y", score="p", curves=["calibration", "gain"])
    assert "Nothing was left out" in page.section("dropped")
    assert "The curve calibration is left out: 26 rows have a score outside [0, 1]" in page.section(
        "measured"
    )
    assert "Cumulative gain" in page.section("curves")
    assert len(page.statements) == 3


@pytest.mark.slow
def test_a_slice_without_a_value_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"y": n % 2 if n < 10 else 1, "p": n / 20, "c": "ab"[n // 10]} for n in range(20)]
    page = read(monkeypatch, rows, ["auc"], label="y", score="p", by="c", curves=[])
    assert "A dash is a metric that is undefined in a slice" in page.section("dropped")
    assert "Nothing was left out" not in page.section("dropped")


def test_a_page_is_html(tmp_path: Path) -> None:
    rows = [{"y": 0, "p": 0.25}, {"y": 1, "p": 0.5}]
    page = sm.report(rows, "auc", label="y", score="p", curves=[], progress=False)
    assert_told(told(page.save, tmp_path / "page.pdf"), "A page is HTML; end '|page.pdf' in .html")
    assert list(tmp_path.iterdir()) == []
    page.save(tmp_path / "page.htm")


@pytest.mark.slow
def test_slices_that_are_dates_are_a_trend(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**row, "device": "ab"[n % 2]} for n, row in enumerate(days())]
    table = pa.table({name: [row[name] for row in rows] for name in rows[0]})
    table = table.set_column(0, "day", table.column("day").cast(pa.date32()))
    roles: dict[str, Any] = {"label": "clicked", "score": "p", "curves": []}
    by_day = read(monkeypatch, table, "rmse", by="day", **roles)
    assert len(by_day.statements) == 1  # the trend is that of the slices
    assert "Period (day)\n2026-06-01 to 2026-06-06" in by_day.section("measured")
    assert by_day.section("trend").startswith("Over time, by day")
    both = read(monkeypatch, table, "rmse", by=["day", "device"], **roles)
    assert len(both.statements) == 2
    assert both.section("trend").startswith("Over time, by day")


@pytest.mark.slow
def test_page_of_a_state(monkeypatch: pytest.MonkeyPatch, daily: sm.State, tmp_path: Path) -> None:
    file = tmp_path / "daily.parquet"
    daily.write(file)
    page = read(monkeypatch, str(file), ["auc", "mrr"])
    total = sm.finish(daily, ["auc", "mrr"]).to_dicts()[0]
    assert f"auc\nhigher is better\n{shown(total['auc'])}\nmrr" in page.section("metrics")
    assert "Period (day)\n2026-06-01 to 2026-06-06" in page.section("measured")
    assert "Lists are left out" in page.section("measured")
    assert "Intervals and comparisons are left out: sqlmetrics.auc: no state" in page.section("measured")
    assert "Over time, by day" in page.section("trend")
    assert "ROC curve" in page.section("curves")
    assert page.section("compared") == page.section("lists") == ""
    in_memory = read(monkeypatch, [daily], ["auc", "mrr"], by="day", curves=[])
    assert "Slices by day\n6" in in_memory.section("measured")


@pytest.mark.slow
def test_page_of_a_state_with_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{**row, "q": n % 9 / 9} for n, row in enumerate(days())]
    facts: dict[str, Any] = {"label": "clicked", "score": {"new": "p", "old": "q"}}
    state = sm.state(rows, "brier", period="day", intervals=True, **facts)
    page = read(monkeypatch, state, "brier", baseline="old", curves=[])
    row = sm.evaluate(rows, "brier", interval=0.95, **facts).to_dicts()[0]
    assert f"{shown(row['brier_low'])} to {shown(row['brier_high'])}" in page.section("metrics")
    compared = sm.compare(rows, "brier", baseline="old", **facts).to_dicts()[0]
    assert f"{signed(compared['low'])} to {signed(compared['high'])}" in page.section("compared")


@pytest.mark.slow
def test_definitions_are_those_that_were_used(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"u": n // 4, "y": n % 3, "p": n % 7 / 7} for n in range(40)]
    asked: dict[str, Any] = {"label": "y", "score": "p", "group": "u", "item": "p", "positive": 1}
    page = read(monkeypatch, rows, ["ndcg(on_empty=one)@3"], convention="trec_eval", **asked)
    text = page.section("defined")
    assert "convention\ntrec_eval" in text
    assert "ties\ntext desc" in text
    assert "gain=linear" in text  # trec_eval's
    assert "on_empty=one" in text  # the notation's
    assert "k=3" in text
    assert "range\n[0, 1]" in text
    assert "Jarvelin" in text


@pytest.mark.slow
def test_a_log_of_several_scorers_has_a_page_of_one() -> None:
    logs = sm.read_evals(ROOT / "tests/support/evals/lm_eval")
    assert "lab/mock-2" in sm.report(logs, where="scorer = 'acc'").html


def test_data_that_can_be_read_once() -> None:
    table = pa.table(
        {"y": [0, 1] * 20, "p": [n / 40 for n in range(40)], "q": [n % 7 / 7 for n in range(40)]}
    )
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    page = sm.report(reader, "auc", label="y", score={"a": "p", "b": "q"}, curves="gain")
    assert "b against a" in page.html


@pytest.mark.slow
def test_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    connection = sqlite3.connect(":memory:")
    connection.execute("create table answers (question text, liked boolean, p real)")
    drawn = random.Random(3)
    connection.executemany(
        "insert into answers values (?, ?, ?)",
        [(f"q{n // 5}", drawn.random() < 0.5, drawn.random()) for n in range(60)],
    )
    page = sm.report(
        "answers",
        ["auc", "mrr"],
        connection=connection,
        label="liked",
        score="p",
        group="question",
        curves="roc",
    )
    assert "Metrics of answers" in page.html
    assert connection.in_transaction  # of the inserts; nothing was committed


def test_a_curve_misses_no_pixel(search: Read) -> None:
    """A panel has 300 pixels, and no point is farther than sqrt(2) / (points - 2) of them from the line."""
    [asked] = {int(points) for points in re.findall(r"<summary>Curve roc\(points=(\d+)\)", search.html)}
    assert 300 * math.sqrt(2) / (asked - 2) < 1


def test_size(search: Read) -> None:
    assert len(re.findall("<svg ", search.html)) >= 10
    assert len(search.html.encode()) < 500_000


def test_page_is_saved_and_shown(tmp_path: Path) -> None:
    rows = [{"y": n % 2, "p": n / 20} for n in range(20)]
    page = sm.report(rows, "rmse", label="y", score="p", title="Ä <b>")
    page.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page.html
    frame = page._repr_html_()
    assert html.unescape(frame.split('srcdoc="')[1].split('"')[0]) == page.html
    assert "sandbox" in frame
    assert "A &lt;b&gt;" not in repr(page)
    assert repr(page).startswith("<Page of")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"baseline": "olt"}, "baseline='olt' is no model. Did you mean 'old'? Models: old, new"),
        ({"curves": "rok"}, "Unknown curve 'rok'. Did you mean 'roc'?"),
        ({"curves": "roc(points=1)"}, "points must be all, corners or an integer from 4 to 100000, got 1"),
        ({"by": "land"}, "Column 'land' (by=) is not in"),
        ({"interval": 95}, "interval must be a number from 0.000001 to 0.999999"),
    ],
)
def test_mistakes(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(sm.SqlMetricsError, match=re.escape(said)):
        sm.report(SEARCH, ["auc"], **{**ASKED, **asked})


def test_a_curve_named_as_a_metric_comes_with_it() -> None:
    rows = [{"y": y, "p": p} for y, p in [(0, 0.1), (1, 0.4), (0, 0.6), (1, 0.9)]]
    page = sm.report(rows, ["net_benefit(threshold=0.3)"], label="y", score="p")
    assert re.findall(r"<summary>Curve (\w+)", page.html) == ["net_benefit"]


def test_state_takes_no_columns(daily: sm.State) -> None:
    with pytest.raises(
        sm.SqlMetricsError, match="which holds its columns and options; leave out label=, score="
    ):
        sm.report(daily, "auc", label="clicked", score="p")
    with pytest.raises(sm.SqlMetricsError, match="does not hold what is needed for rmse"):
        sm.report(daily, "rmse")


def test_without_vl_convert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(sm.SqlMetricsError, match=re.escape("pip install 'sqlmetrics[report]'")):
        sm.report("no such file", "auc")
