"""Since when a metric is worse or better, and the slices that did it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sqlmetrics.charts.reports import time_of
from sqlmetrics.charts.times import in_time
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.content import Answer, Subject
from sqlmetrics.pages.results import Results
from sqlmetrics.pages.tables import named, slice_rows
from sqlmetrics.pages.turns import Level, Point, certainty, levels, normal, places_of, point_of
from sqlmetrics.pages.verdicts import listed
from sqlmetrics.pages.where import NO_DIRECTION, named_key
from sqlmetrics.table.cells import shown
from sqlmetrics.table.frame import Frame

QUESTION = "Since when?"
FEW = 4  #: values without intervals, fewer of which have no turn that chance does not explain
MOST = 2  #: turns in a line


@dataclass(frozen=True)
class Turn:
    """A metric of a model that has another level than before, or had one and is back."""

    model: Any
    one: Asked
    found: list[Level]  #: two or more
    back: bool  #: whether the last level is the first one again

    @property
    def since(self) -> Any:
        """The first period of the last level."""
        return self.found[-1].since

    @property
    def sides(self) -> tuple[Level, Level]:
        """The levels before and after the turn; of one that is over, before and during it."""
        before, after = self.found[:2] if self.back else self.found[-2:]
        return before, after

    @property
    def gain(self) -> float:
        """How much better the level after the turn is."""
        return _gain(self.one, *self.sides)

    @property
    def certainty(self) -> float:
        """How certain the turn is."""
        return certainty(*self.sides, self.found)

    @property
    def mark(self) -> str:
        """Whether the metric is better or worse now."""
        return "" if self.back else "better" if self.gain > 0 else "worse"

    @property
    def said(self) -> str:
        """What the metrics have in common that one sentence says."""
        if not self.back:
            return f"is {self.mark} since {named(self.since)}"
        start, *others, _ = self.found
        gains = [_gain(self.one, start, level) for level in others]
        was = "better" if min(gains) > 0 else "worse" if max(gains) <= 0 else "at other levels"
        first, last = named(others[0].since), named(others[-1].points[-1].when)
        span = f"in {first}" if first == last else f"from {first} to {last}"
        return f"was {was} {span} and is back at its level since {named(self.since)}"

    @property
    def text(self) -> str:
        """The path of the metric."""
        dated = len(self.found) > 2
        steps = [
            f"{_moved(*pair, start=not place)}{f' in {named(pair[1].since)}' if dated else ''}"
            for place, pair in enumerate(pairwise(self.found))
        ]
        return f"on average over the dates {self.one.name} {', then '.join(steps)}"


@dataclass(frozen=True)
class Turned:
    """The turn that counts most, and the slices that did it."""

    turn: Turn
    slices: list[dict[str, Any]]  #: their values by column, the one that turned most first


def _gain(one: Asked, before: Level, after: Level) -> float:
    return one.better.goodness(after.mean) - one.better.goodness(before.mean)


def _moved(before: Level, after: Level, start: bool = True) -> str:
    origin = f" from {shown(before.mean)}" if start else ""
    return f"{'rose' if after.mean > before.mean else 'fell'}{origin} to {shown(after.mean)}"


def since(about: Subject, found: Results) -> tuple[Answer, Turned | None]:
    """When a metric turned, and in words."""
    if found.trend is None:
        return Answer(QUESTION, "The page has no dates: none of its slices is a day, week or month."), None
    [name] = found.trend.by
    times = in_time(row[name] for row in slice_rows(found.trend))
    series = _series(about, found.trend, name, times)
    if not series:
        return Answer(QUESTION, NO_DIRECTION), None
    tests = sum(places_of(Level(points).counted) for _, _, points in series)
    known = any(point.error is not None for _, _, points in series for point in points)
    if not tests or (not known and len(times) < FEW):
        return Answer(QUESTION, f"The values by {name} are too few to tell."), None
    needed = normal(about.level, tests)
    turns = [
        Turn(model, one, parts, len(parts) > 2 and certainty(parts[0], parts[-1], parts) <= needed)
        for model, one, points in series
        if len(parts := levels(points, needed)) > 1
    ]
    if not turns:
        span = f"from {named(times[0])} to {named(times[-1])} no metric moved by more than"
        never = (
            f"Never: {span} chance explains."
            if known
            else f"No turn is seen: {span} its values usually vary."
        )
        return Answer(QUESTION, never), None
    turns.sort(key=lambda turn: (["worse", "better", ""].index(turn.mark), -turn.certainty))
    turned, who = _who(about, found, turns[0])
    lines = _lines(turns)
    lines[1:1] = who
    moved = {repr(turn.model) for turn in turns}
    still = {_model(model): None for model, _, _ in series if repr(model) not in moved}
    lines += [f"{listed(list(still))} did not turn."] if still else []
    return Answer(QUESTION, " ".join(lines), turns[0].mark), turned


def _series(
    about: Subject, trend: Frame, name: str, times: list[Any]
) -> list[tuple[Any, Asked, list[Point]]]:
    """The values of each metric with a direction and model, in the order of time."""
    order = {repr(value): place for place, value in enumerate(times)}
    rows = [row for row in trend.to_dicts() if not row.get("is_total") and row[name] is not None]
    rows.sort(key=lambda row: order[repr(row[name])])
    models = {repr(row.get("model")): row.get("model") for row in rows}
    return [
        (model, one, points)
        for model in models.values()
        for one in about.asked
        if one.better.direction != "none"
        if (
            points := [
                point
                for row in rows
                if row.get("model") == model
                if (point := point_of(row, one.column, row[name], about.level)) is not None
            ]
        )
    ]


def _lines(turns: list[Turn]) -> list[str]:
    """A sentence for the metrics of a model that turned at once."""
    lines = []
    for said in list(dict.fromkeys(f"{_model(turn.model)} {turn.said}" for turn in turns))[:MOST]:
        first, *others = (turn for turn in turns if f"{_model(turn.model)} {turn.said}" == said)
        too = f"; {listed([turn.one.name for turn in others])} turned with it" if others else ""
        lines.append(f"{said}: {first.text}{too}.")
    return lines


def _who(about: Subject, found: Results, turn: Turn) -> tuple[Turned, list[str]]:
    """The slices that turned at the time of all data and in their direction."""
    report, time = found.report, time_of(found.report)
    if time is None or len(report.by) < 2:
        alone = found.trend is not None and {*report.by} <= {*found.trend.by}
        return Turned(turn, []), [about.spelled("A further column of by= says where.")] if alone else []
    spans = [{repr(point.when) for point in level.points} for level in turn.sides]
    sides: dict[str, tuple[dict[str, Any], list[Point], list[Point]]] = {}
    for row in slice_rows(report):
        point = point_of(row, turn.one.column, row[report.by[time]], about.level)
        if row.get("model") != turn.model or point is None:
            continue
        key = {name: row[name] for place, name in enumerate(report.by) if place != time}
        _, *halves = sides.setdefault(repr(key), (key, [], []))
        for span, half in zip(spans, halves, strict=True):
            half.extend([point] if repr(point.when) in span else [])
    pairs = [(key, Level(before), Level(after)) for key, before, after in sides.values()]
    pairs = [pair for pair in pairs if all(level.counted for level in pair[1:])]
    needed = normal(about.level, len(pairs))
    did = [
        (key, before, after)
        for key, before, after in pairs
        if (_gain(turn.one, before, after) > 0) == (turn.gain > 0)
        and certainty(before, after, [before, after]) > needed
    ]
    did.sort(key=lambda each: -abs(_gain(turn.one, *each[1:])))
    columns = listed([name for place, name in enumerate(report.by) if place != time])
    if not did:
        return Turned(turn, []), [f"No {columns} alone shows it."]
    most, before, after = did[0]
    names = listed([named_key(list(key.values())) for key, _, _ in did])
    numbers = f"{turn.one.name} {_moved(before, after)}"
    rest = len(pairs) - len(did)
    others = f"; the other{f' {rest}' if rest > 1 else ''} did not turn" if rest else ""
    where = (
        f"alone, where {numbers}" if len(did) == 1 else f"(most {named_key(list(most.values()))}: {numbers})"
    )
    return Turned(turn, [key for key, _, _ in did]), [
        f"It {'was' if turn.back else 'is'} {columns} {names} {where}{others}."
    ]


def _model(model: Any) -> str:
    return "The model" if model is None else named(model)
