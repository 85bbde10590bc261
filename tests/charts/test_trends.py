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


@pytest.mark.parametrize("by", ["day", "text"])
def test_an_axis_names_days_of_the_data(by: str) -> None:
    axis = x_axis(drawn(by)["brier"])
    midnights = [
        datetime.datetime.fromtimestamp(each / 1000, datetime.timezone.utc) for each in axis["values"]
    ]
    assert [each.date() for each in midnights] == [DAYS[place] for place in (0, 6, 11, 16, 22)]
    assert {each.time() for each in midnights} == {datetime.time()}
    assert axis["format"] == "%Y-%m-%d"
    assert "values" not in x_axis(drawn("hour")["brier"])


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


def test_a_page_has_a_trend_over_texts_that_are_dates() -> None:
    page = sm.report(ROWS, "brier", label="y", score="p", by=["half", "text"], curves=[]).html
    assert "Over time, by text" in page
    assert "Period (text)" in page
    assert "2026-04-28 to 2026-05-20" in page
