"""Lines over time: days are written as in tables, and the panels of a metric have one scale."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

import sqlmetrics as sm

DAYS = [datetime.date(2026, 4, 28) + datetime.timedelta(days=number) for number in range(23)]
ROWS = [
    {
        "y": int(i * 7 % 5 < 2), "p": (i * 13 % 29) / 29, "half": "ab"[i * 11 % 3 % 2], "day": DAYS[i % 23],
        "text": str(DAYS[i % 23]), "hour": datetime.datetime(2026, 5, 1, i % 20),
    }
    for i in range(460)
]  # fmt: skip


def drawn(by: Any) -> dict[str, Any]:
    chart = sm.evaluate(ROWS, ["brier", "auc"], label="y", score="p", by=by, interval=0.9).plot()
    return {panel["title"]["text"]: panel for panel in chart.spec["concat"]}


def x_axis(panel: dict[str, Any]) -> dict[str, Any]:
    axis: dict[str, Any] = panel["layer"][-1]["encoding"]["x"]["axis"]
    return axis


@pytest.mark.slow
@pytest.mark.parametrize("by", ["day", "text"])
def test_an_axis_names_days_at_equal_distances(by: str) -> None:
    axis = x_axis(drawn(by)["brier"])
    midnights = [
        datetime.datetime.fromtimestamp(each / 1000, datetime.timezone.utc) for each in axis["values"]
    ]
    assert [each.date() for each in midnights] == [DAYS[place] for place in (0, 5, 10, 15, 20)]
    assert {each.time() for each in midnights} == {datetime.time()}
    assert axis["format"] == "%Y-%m-%d"
    assert "values" not in x_axis(drawn("hour")["brier"])


@pytest.mark.slow
def test_panels_of_a_metric_have_one_scale() -> None:
    panels = drawn(["half", "day"])
    for metric in ("brier", "auc"):
        of_metric = [panels[f"{metric} · {half}"] for half in "ab"]
        ends = [
            row[name]
            for panel in of_metric
            for row in panel["data"]["values"]
            for name in ("value", "low", "high")
            if row[name] is not None
        ]
        domains = [panel["layer"][-1]["encoding"]["y"]["scale"]["domain"] for panel in of_metric]
        assert domains[0] == domains[1] == [min(ends), max(ends)]
    assert (
        panels["auc · a"]["layer"][-1]["encoding"]["y"] != panels["brier · a"]["layer"][-1]["encoding"]["y"]
    )


@pytest.mark.slow
def test_a_page_has_a_trend_over_texts_that_are_dates() -> None:
    page = sm.report(ROWS, "brier", label="y", score="p", by=["half", "text"], curves=[]).html
    assert "Over time, by text" in page
    assert "Period (text)" in page
    assert "2026-04-28 to 2026-05-20" in page


@pytest.mark.parametrize(
    ("texts", "first_days", "form"),
    [
        (["2025-11", "2026-02", "2026-01"], ["2025-11-01", "2026-01-01", "2026-02-01"], "%Y-%m"),
        (["2026-Q2", "2025-Q4"], ["2025-10-01", "2026-04-01"], "%Y-Q%q"),
        (["2026-W01", "2025-W52"], ["2025-12-22", "2025-12-29"], "%G-W%V"),
        (["2026-02-03", "2026-01"], ["2026-01-01", "2026-02-03"], "%Y-%m-%d"),
    ],
)
def test_texts_of_months_quarters_and_weeks_are_times(
    texts: list[str], first_days: list[str], form: str
) -> None:
    rows = [{**row, "span": texts[i % len(texts)]} for i, row in enumerate(ROWS)]
    spec = sm.evaluate(rows, "brier", label="y", score="p", by="span").plot().spec
    assert [row["x"][:10] for row in spec["data"]["values"]] == first_days
    assert [row["when"] for row in spec["data"]["values"]] == sorted(texts)
    assert x_axis(spec)["format"] == form


@pytest.mark.slow
def test_an_axis_writes_months_quarters_and_weeks_as_the_texts_are() -> None:
    for texts in (["2026-01", "2026-02"], ["2026-Q1", "2026-Q2"], ["2026-W01", "2026-W02"]):
        rows = [{**row, "span": texts[i % 2]} for i, row in enumerate(ROWS)]
        svg = sm.evaluate(rows, "brier", label="y", score="p", by="span").plot().svg()
        assert all(f">{text}<" in svg for text in texts)


def test_texts_that_only_look_like_times_are_slices() -> None:
    rows = [{**row, "code": ["2026-11", "2026-13"][i % 2]} for i, row in enumerate(ROWS)]
    assert (
        "x"
        not in sm.evaluate(rows, "brier", label="y", score="p", by="code").plot().spec["data"]["values"][0]
    )


@pytest.mark.slow
def test_a_page_has_a_trend_over_months() -> None:
    month = {"month": sm.sql("strftime(day, '%Y-%m')")}
    page = sm.report(ROWS, "brier", label="y", score="p", by=month, curves=[]).html
    assert "Over time, by month" in page
