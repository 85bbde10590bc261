"""The four lines on top of a page: each is what the results say, and says so where they cannot tell."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sqlmetrics as sm
from sqlmetrics.pages.turns import Point, levels, normal, places_of
from sqlmetrics.table.cells import shown
from support.report_pages import answered, months

MODELS = ["old", "new"]
FACTS: dict[str, Any] = {"label": "clicked", "curves": []}


def test_levels_of_a_metric() -> None:
    def of(values: list[float], error: float | None) -> list[tuple[int, float]]:
        points = [Point(place, value, error) for place, value in enumerate(values)]
        needed = normal(0.95, places_of(len(values)))
        return [(level.since, round(level.mean, 6)) for level in levels(points, needed)]

    assert of([0.9, 0.9, 0.8, 0.8], 0.01) == [(0, 0.9), (2, 0.8)]
    assert of([0.9, 0.9, 0.8, 0.8], 0.1) == [(0, 0.85)]
    assert of([0.9, 0.9, 0.7, 0.7, 0.9, 0.9], 0.01) == [(0, 0.9), (2, 0.7), (4, 0.9)]
    # values that swing by more than their intervals have no turn, and two values without intervals tell nothing
    assert len(of([0.9, 0.7, 0.9, 0.7, 0.8, 0.6], 0.001)) == 1
    assert of([0.9, 0.1], None) == [(0, 0.5)]
    assert of([0.9, 0.91, 0.9, 0.5, 0.51, 0.5], None) == [(0, 0.903333), (3, 0.503333)]
    # a value counts by its precision
    assert levels([Point(1, 0.5, 0.1), Point(2, 0.8, 0.2)], 9)[0].mean == pytest.approx(0.56)


@pytest.mark.slow
def test_a_model_that_fell_in_one_country() -> None:
    rows = months(fall=2.5)
    page = sm.report(rows, "auc", score=MODELS, by=["country", "month"], **FACTS).html
    lines = answered(page)
    assert list(lines) == ["Better?", "Where not?", "Since when?", "What now?"]
    compared = sm.compare(rows, "auc", score=MODELS, baseline="old", label="clicked", by=["country", "month"])
    total = next(row for row in compared if row["is_total"])
    size = shown(abs(total["difference"]))
    assert lines["Better?"].startswith(f"new is worse than old on auc (−{size}). That is more than chance")
    assert lines["Where not?"].startswith(
        "new is worse than old in 2 of 12 slices, all of country DE: 2026-03 and 2026-04, most in 2026-0"
    )
    worst = min((row for row in compared if row["country"] == "DE"), key=lambda row: row["difference"])
    assert (
        f"(auc {shown(worst['candidate_value'])} against {shown(worst['baseline_value'])})"
        in lines["Where not?"]
    )
    assert lines["Since when?"].startswith("new is worse since 2026-03: on average auc fell from 0.8")
    assert re.search(
        r"It is country DE alone, where auc fell from 0\.\d+ to 0\.\d+; the other 2 did not turn. old did not turn.",
        lines["Since when?"],
    )
    assert lines["What now?"] == "Keep old. Look at country DE from 2026-03 on."


@pytest.mark.slow
def test_models_that_are_alike() -> None:
    lines = answered(sm.report(months(), "auc", score=MODELS, by=["country", "month"], **FACTS).html)
    assert lines["Better?"].startswith("new shows no difference to old on auc. A difference of 0.0")
    assert lines["Where not?"] == (
        "Too few rows to tell: none of 12 slices shows a certain difference between new and old."
    )
    assert lines["Since when?"] == (
        "Never: from 2026-01 to 2026-04 no metric moved by more than chance explains."
    )
    assert lines["What now?"] == "Collect more rows before choosing: sample_size says how many."


@pytest.mark.slow
def test_one_model() -> None:
    plain = answered(sm.report(months(), "auc", score="new", **FACTS).html)
    assert plain["Better?"].startswith("There is one model, and none to compare it with; auc is 0.")
    assert plain["Where not?"] == "The page has no slices: it was asked without by=."
    assert plain["Since when?"].startswith("The page has no dates")
    assert plain["What now?"].startswith("Ask for slices and dates by by=")
    rows = months(fall=2.5)
    fallen = answered(sm.report(rows, "auc", score="new", by=["month", "country"], **FACTS).html)
    assert fallen["Where not?"].startswith(
        "The model is worse than over all data in 2 of 12 slices, all of country DE:"
    )
    assert fallen["What now?"] == "Look at country DE from 2026-03 on."
    state = sm.state(rows, "auc", by="country", period="month", label="clicked", score="new")
    summed = answered(sm.report(state, "auc", by="country", curves=[]).html)
    assert summed["Where not?"].endswith("Without intervals the page cannot tell slices from chance.")
    assert summed["Since when?"].startswith("The model is worse since 2026-03")


@pytest.mark.slow
def test_months_are_in_order() -> None:
    page = sm.report(months(fall=2.5), "auc", score=MODELS, by=["country", "month"], **FACTS).html
    table = page.split("<caption>Metrics of each slice")[1].split("</table>")[0]
    assert "Worst first by auc of new, each in the order of month." in table
    found = re.findall(r'<th scope="row"[^>]*>([^<\n]*)', table)
    slices = [tuple(found[place : place + 2]) for place in range(0, len(found), 6)]
    assert [country for country, _ in slices[:4]] == ["DE"] * 4
    assert [month for _, month in slices[:4]] == ["2026-01", "2026-02", "2026-03", "2026-04"]
    differences = page.split("<caption>Differences of new in each slice")[1].split("</table>")[0]
    assert re.findall(r">(2026-\d\d)", differences)[:4] == ["2026-01", "2026-02", "2026-03", "2026-04"]
