"""The slices in which a model is worse: than the one it is compared with, or than over all data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmetrics.charts.parts import Key, key_of
from sqlmetrics.charts.reports import time_of
from sqlmetrics.charts.times import in_time
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.content import Answer, Subject
from sqlmetrics.pages.results import Results
from sqlmetrics.pages.tables import named, slice_rows, total_rows
from sqlmetrics.pages.turns import normal, point_of
from sqlmetrics.pages.verdicts import Outcome, listed, outcome
from sqlmetrics.table.cells import shown

QUESTION = "Where not?"
NO_DIRECTION = "No metric of the page has values and a better direction."
MOST = 3  #: models in a line


@dataclass(frozen=True)
class Weak:
    """A slice in which a metric of a model is worse than what it is compared with."""

    model: Any
    key: Key
    one: Asked
    value: float
    against: float

    @property
    def loss(self) -> float:
        """How much worse."""
        return self.one.better.goodness(self.against) - self.one.better.goodness(self.value)

    @property
    def numbers(self) -> str:
        """What is compared."""
        return f"{self.one.name} {shown(self.value)} against {shown(self.against)}"


def where(about: Subject, found: Results) -> tuple[Answer, list[Weak]]:
    """The slices in which a model is worse, and in words."""
    if not found.report.by:
        return Answer(QUESTION, about.spelled("The page has no slices: it was asked without by=.")), []
    if found.comparison is None or not slice_rows(found.comparison):
        return _below_all(about, found)
    lines, weak = [], []
    for candidate in about.candidates[:MOST]:
        rows = [row for row in slice_rows(found.comparison) if row["candidate"] == candidate]
        line, worse = _against(about, found, candidate, rows)
        lines.append(line)
        weak += worse
    return Answer(QUESTION, " ".join(lines), "worse" if weak else ""), weak


def beyond_chance(row: dict[str, Any], about: Subject) -> bool:
    """Whether a difference is more than chance explains, among all comparisons of the page."""
    return row["p_adjusted"] is not None and bool(row["p_adjusted"] <= 1 - about.level)


def _against(
    about: Subject, found: Results, candidate: str, rows: list[dict[str, Any]]
) -> tuple[str, list[Weak]]:
    """The slices in which a candidate is worse than the baseline by some metric, the first of which counts."""
    places = {one.column: place for place, one in enumerate(about.asked)}
    worse: dict[str, Weak] = {}
    kinds: dict[str, set[Outcome]] = {}
    for row in sorted(rows, key=lambda row: places[row["metric"]]):
        one, key = about.asked[places[row["metric"]]], key_of(row, found.report.by)
        kind = outcome(row, one.better)
        sure = kind not in ("better", "worse") or beyond_chance(row, about)
        kinds.setdefault(repr(key), set()).add(kind if sure else "unclear")
        if kind == "worse" and sure:
            worse.setdefault(
                repr(key), Weak(candidate, key, one, row["candidate_value"], row["baseline_value"])
            )
    better = sum("better" in of_slice and "worse" not in of_slice for of_slice in kinds.values())
    rest, models = len(kinds) - len(worse) - better, f"{candidate} and {about.baseline}"
    others = f"better in {better}" + (f"; {rest} show no certain difference" if rest else "")
    if not worse and not better:
        return f"Too few rows to tell: none of {rest} slices shows a certain difference between {models}.", []
    if not worse:
        return (
            f"Nowhere: {candidate} is worse than {about.baseline} in none of {len(kinds)} slices, {others}.",
            [],
        )
    weak = list(worse.values())
    said = f"{candidate} is worse than {about.baseline} in {_places(weak, len(kinds), found)}"
    return f"{said}. It is {others}.", weak


def _below_all(about: Subject, found: Results) -> tuple[Answer, list[Weak]]:
    """The slices in which a model is worse than over all data. Chance is what the interval of the slice says."""
    report, totals = found.report, total_rows(found.report)
    model = about.candidates[0] if about.candidates else totals[0].get("model")
    total = next((row for row in totals if str(row.get("model")) == str(model)), totals[0])
    rows = [row for row in slice_rows(report) if row.get("model") == total.get("model")]
    points = [
        (point, Weak(model, key_of(row, report.by), one, point.value, total[one.column]))
        for one in about.asked
        if one.better.direction != "none" and total[one.column] is not None
        for row in rows
        if (point := point_of(row, one.column, None, about.level)) is not None and point.weight
    ]
    if not points:
        return Answer(QUESTION, NO_DIRECTION), []
    tested = [(point.error, weak) for point, weak in points if point.error is not None]
    if not tested:
        below = [weak for _, weak in points if weak.loss > 0 and weak.one is points[0][1].one]
        worst = max(below, key=lambda weak: weak.loss, default=None)
        said = (
            f"Of the slices {named_key(worst.key)} is worst: {worst.numbers} over all data. " if worst else ""
        )
        return Answer(QUESTION, f"{said}Without intervals the page cannot tell slices from chance."), []
    needed = normal(about.level, len(tested))
    worse: dict[str, Weak] = {}
    for error, weak in tested:
        if weak.loss > 0 and abs(weak.value - weak.against) > needed * error:
            worse.setdefault(repr(weak.key), weak)
    if not worse:
        return Answer(
            QUESTION,
            f"Nowhere for certain: none of {len(rows)} slices is worse than all data by more than chance explains.",
        ), []
    name = "The model" if model is None else named(model)
    said = _places(list(worse.values()), len(rows), found)
    return Answer(QUESTION, f"{name} is worse than over all data in {said}.", "worse"), list(worse.values())


def _places(weak: list[Weak], slices: int, found: Results) -> str:
    """Slices in which a model is worse: how many, what they share, which, and the worst by the first metric."""
    by, time = found.report.by, time_of(found.report)
    each = sorted(weak, key=lambda one: (one.one is not weak[0].one, -one.loss))
    worst, common = each[0], shared(weak, by)
    apart = [place for place, name in enumerate(by) if name not in common]
    if time is not None and apart == [time]:
        order = {repr(value): place for place, value in enumerate(in_time(one.key[time] for one in weak))}
        each.sort(key=lambda one: order.get(repr(one.key[time]), len(order)))
    names = [named_key([one.key[place] for place in apart]) for one in each]
    which = f"{names[0]} ({worst.numbers})"
    if len(each) > 1:
        which = f"{listed(names)}, most in {names[each.index(worst)]} ({worst.numbers})"
    all_of = f", all of {listed(values_of(common))}" if common else ""
    return f"{len(each)} of {slices} slices{all_of}: {which}"


def shared(weak: Sequence[Weak], by: list[str]) -> dict[str, Any]:
    """The values that several slices have in common, by column."""
    return {
        name: weak[0].key[place]
        for place, name in enumerate(by)
        if len(weak) > 1 and len({repr(one.key[place]) for one in weak}) == 1
    }


def values_of(key: dict[str, Any]) -> list[str]:
    """Columns with their values, as a reader says them."""
    return [f"{name} {named(value)}" for name, value in key.items()]


def named_key(key: Sequence[Any]) -> str:
    """A slice, as a reader says it."""
    return " · ".join(map(named, key))
