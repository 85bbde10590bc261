"""The four lines on top of a page: each is what the results say, and says so where they cannot tell."""

from __future__ import annotations

import math
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
    # a value counts by its precision in the test alone
    [level] = levels([Point(1, 0.5, 0.1), Point(2, 0.8, 0.2)], 9)
    assert (level.weighted, level.mean) == pytest.approx((0.56, 0.65))
    # a value of no known precision counts in the mean alone, and no level starts with it
    parts = levels([Point(place, place > 3, math.inf if place in (0, 4) else 0.1) for place in range(8)], 3)
    assert [(level.since, level.mean) for level in parts] == [(0, 0.2), (5, 1)]


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
    assert lines["Since when?"].startswith(
        "new is worse since 2026-03: on average over the dates auc fell from 0.8"
    )
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


def errors(rates: list[float], rows: int = 80) -> list[dict[str, Any]]:
    """Days with so many wrong rows each."""
    return [
        {"day": f"2026-05-{day + 1:02}", "wrong": int(n < round(rate * rows)), "none": 0}
        for day, rate in enumerate(rates)
        for n in range(rows)
    ]


@pytest.mark.slow
def test_averages_are_the_means_of_the_dates() -> None:
    low, high = [0.0125, 0.05, 0.0375, 0.025, 0.0375] * 2, [0.125, 0.1, 0.15, 0.125, 0.1125] * 2
    facts: dict[str, Any] = {"label": "wrong", "score": "none", "period": "day"}
    lines = [
        answered(sm.report(sm.state(errors(low + high), "mae", intervals=known, **facts), "mae").html)
        for known in (True, False)
    ]
    moved = f"mae rose from {shown(sum(low) / 10)} to {shown(sum(high) / 10)}."
    for line in lines:
        assert line["Since when?"].startswith(
            f"The model is worse since 2026-05-11: on average over the dates {moved}"
        )
    assert lines[1]["What now?"] == "Look at what changed in 2026-05-11."


@pytest.mark.slow
@pytest.mark.parametrize(("during", "was"), [(0.05, "better"), (0.5, "worse")])
def test_a_turn_that_is_over(during: float, was: str) -> None:
    rows = errors([0.2, 0.225] * 7 + [during] * 2 + [0.2, 0.2125] * 2, 160)
    page = sm.report(rows, "mae", label="wrong", score="none", by="day", curves=[]).html
    lines = answered(page)
    said = f"was {was} from 2026-05-15 to 2026-05-16 and is back at its level since 2026-05-17"
    assert lines["Since when?"].startswith(f"The model {said}: on average over the dates mae ")
    assert f"to {shown(during)} in 2026-05-15, then " in lines["Since when?"]
    assert "<div><dt>Since when?" in page  # no colour
    assert lines["What now?"] == f"Nothing to do: mae {said}."


@pytest.mark.slow
def test_a_state_without_intervals() -> None:
    facts: dict[str, Any] = {"label": "wrong", "score": "none", "period": "day"}
    page = sm.report(sm.state(errors([0.2, 0.225, 0.2, 0.2125] * 3), "mae", **facts), "mae").html
    again = "ake the state again by sm.state(...) with intervals=True"
    assert answered(page)["Since when?"] == (
        "No turn is seen: from 2026-05-01 to 2026-05-12 no metric moved by more than its values usually vary."
    )
    assert answered(page)["What now?"] == f"M{again}: values alone do not tell slices from chance."
    assert "does not hold what they are made of; make it again by sm.state(...) with intervals=True." in page
    assert "leave out interval=" not in page
    of_order = sm.state(months(), "auc", period="month", label="clicked", score="new")
    assert answered(sm.report(of_order, "auc").html)["What now?"].startswith("Make the page of the rows")


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
