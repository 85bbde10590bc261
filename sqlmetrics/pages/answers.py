"""What a reader asks first, answered in a line each: better? where not? since when? what now?

A line says what is certain. Differences of models count by their p-value, corrected for all comparisons of the page;
slices of one model and turns of a metric count by their intervals, corrected for how many were looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from sqlmetrics.charts.parts import Key, key_of
from sqlmetrics.charts.reports import time_of
from sqlmetrics.charts.times import in_time
from sqlmetrics.pages.asked import Asked
from sqlmetrics.pages.content import Answer, Subject
from sqlmetrics.pages.results import LEVEL, Results
from sqlmetrics.pages.tables import named, slice_rows, total_rows
from sqlmetrics.pages.turns import Level, certainty, levels, normal, point_of
from sqlmetrics.pages.verdicts import Outcome, outcome, percent, signed
from sqlmetrics.table.cells import shown

Row = dict[str, Any]
Mark = Literal["better", "worse", ""]
MOST = 3  #: names in a line
#: what a candidate is, in the order in which a line says it
SAID: dict[Outcome, str] = {
    "better": "is better than {} on",
    "worse": "is worse than {} on",
    "equivalent": "is equivalent to {} on",
    "not worse": "is not worse than {} on",
    "differs": "differs from {} on",
    "unclear": "shows no difference to {} on",
    "untested": "was not tested against {} on",
}


@dataclass(frozen=True)
class Weak:
    """A slice in which a metric is worse than what it is compared with."""

    key: Key
    one: Asked
    value: float
    against: float

    @property
    def loss(self) -> float:
        """How much worse."""
        return self.one.better.goodness(self.against) - self.one.better.goodness(self.value)


@dataclass(frozen=True)
class Turn:
    """A metric of a model that has another level than before."""

    model: Any
    one: Asked
    found: list[Level]  #: two or more

    @property
    def since(self) -> Any:
        """The first period of the last level."""
        return self.found[-1].since

    @property
    def mark(self) -> Mark:
        """Whether the last level is better or worse than the one before."""
        before, after = (self.one.better.goodness(level.mean) for level in self.found[-2:])
        return "better" if after > before else "worse"

    @property
    def text(self) -> str:
        """The path of the metric."""
        steps = [
            f"{'rose' if after.mean > before.mean else 'fell'} {f'from {shown(before.mean)} ' if not place else ''}to"
            f" {shown(after.mean)} on average" + (f" in {named(after.since)}" if len(self.found) > 2 else "")
            for place, (before, after) in enumerate(pairwise(self.found))
        ]
        return f"{self.one.name} {', then '.join(steps)}"


def answers(about: Subject, found: Results) -> list[Answer]:
    """The four lines of a page."""
    better, outcomes = _better(about, found)
    where, weak = _where(about, found)
    since, turned = _since(about, found)
    return [better, where, since, Answer("What now?", _next(about, found, outcomes, weak, turned))]


def _level(about: Subject) -> float:
    return about.options.interval or LEVEL


def _beyond_chance(row: Row, about: Subject) -> bool:
    return row["p_adjusted"] is not None and row["p_adjusted"] <= 1 - _level(about)


def _better(about: Subject, found: Results) -> tuple[Answer, dict[str, set[Outcome]]]:
    """Which model is better on what, and what each candidate showed."""
    question = "Better?"
    if found.comparison is None:
        rows, of_models = total_rows(found.report), "model" in found.report.columns
        values = [
            f"{one.name}{' of ' + named(row['model']) if of_models else ''} is {_in_interval(row, one.column)}"
            for one in about.asked[:MOST]
            for row in rows[:MOST]
        ]
        why = "No models are compared" if about.candidates or of_models else "There is one model, and none to compare it with"
        return Answer(question, f"{why}. {_listed(values, 2 * MOST)}."), {}
    known = {one.column: one for one in about.asked}
    lines, outcomes = [], {}
    for candidate in about.candidates:
        rows = [row for row in total_rows(found.comparison) if row["candidate"] == candidate]
        of_kinds: dict[Outcome, list[str]] = {}
        chance = []
        for row in rows:
            one = known[row["metric"]]
            kind = outcome(row, one.better)
            size = f" ({signed(row['difference'])})" if kind in ("better", "worse", "differs") else ""
            of_kinds.setdefault(kind, []).append(one.name + size)
            if size and not _beyond_chance(row, about):
                chance.append(one.name)
        outcomes[candidate] = {*of_kinds}
        said = [
            words.format(about.baseline) + " " + _listed(of_kinds[kind])
            for kind, words in SAID.items()
            if kind in of_kinds
        ]
        decided = of_kinds.keys() & {"better", "worse", "differs"}
        if chance:
            sure = f" Among as many comparisons, chance may explain {_listed(chance)}."
        else:
            sure = " That is certain: chance does not explain it." if decided else ""
        if of_kinds.keys() == {"unclear"}:
            sure = " The rows are too few to tell, or the models are alike."
        lines.append(f"{candidate} {'; it '.join(said)}.{sure}")
    more = [f"{len(lines) - MOST} more models are compared below."] if len(lines) > MOST else []
    return Answer(question, " ".join([*lines[:MOST], *more]), _mark(outcomes.values())), outcomes


def _mark(outcomes: Any) -> Mark:
    kinds = set().union(*outcomes)
    return "better" if "better" in kinds and "worse" not in kinds else "worse" if "worse" in kinds else ""


def _where(about: Subject, found: Results) -> tuple[Answer, list[Weak]]:
    """The slices in which a model is worse."""
    question, by = "Where not?", found.report.by
    if not by:
        return Answer(question, "The page has no slices: it was asked without by=."), []
    if found.comparison is None or not slice_rows(found.comparison):
        return _below_all(about, found, question)
    known = {one.column: one for one in about.asked}
    lines, weak, order = [], [], list(known)
    for candidate in about.candidates[:MOST]:
        worse: dict[str, Weak] = {}
        kinds: dict[str, set[Outcome]] = {}
        rows = [row for row in slice_rows(found.comparison) if row["candidate"] == candidate]
        for row in sorted(rows, key=lambda row: order.index(row["metric"])):
            one, key = known[row["metric"]], key_of(row, by)
            kind = outcome(row, one.better)
            if kind in ("better", "worse", "differs") and not _beyond_chance(row, about):
                kind = "unclear"
            kinds.setdefault(repr(key), set()).add(kind)
            if kind == "worse":
                worse.setdefault(repr(key), Weak(key, one, row["candidate_value"], row["baseline_value"]))
        better = sum("better" in of_slice and "worse" not in of_slice for of_slice in kinds.values())
        rest = len(kinds) - len(worse) - better
        head = f"{candidate} is worse than {about.baseline}"
        said = f"{head} in {_places(worse, len(kinds), found)}" if worse else f"Nowhere: {head} in no slice of {len(kinds)}"
        lines.append(
            f"{said}. It is better in {better}" + (f"; in {rest} the rows are too few to tell." if rest else ".")
        )
        weak += worse.values()
    return Answer(question, " ".join(lines), "worse" if weak else ""), weak


def _below_all(about: Subject, found: Results, question: str) -> tuple[Answer, list[Weak]]:
    """The slices in which the metrics of one model are worse than over all data."""
    report, level = found.report, _level(about)
    totals = total_rows(report)
    model = about.candidates[0] if about.candidates else totals[0].get("model")
    [total] = [row for row in totals if row.get("model") == model]
    rows = [row for row in slice_rows(report) if row.get("model") == model]
    aimed = [one for one in about.asked if one.better.direction != "none" and total[one.column] is not None]
    of = f" of {named(model)}" if model is not None else ""
    values = [
        (point, one, key_of(row, report.by))
        for one in aimed
        for row in rows
        if (point := point_of(row, one.column, None, level)) is not None
    ]
    below = [(point, Weak(key, one, point.value, total[one.column])) for point, one, key in values]
    below = [(point, each) for point, each in below if each.loss > 0]
    if not below:
        return Answer(question, f"No slice{of} has a value worse than all data, of which chance is known."), []
    if any(point.error is None for point, _ in below):
        worst = max((each for _, each in below if each.one is below[0][1].one), key=lambda each: each.loss)
        text = f"{worst.one.name}{of} is worst in {_named(worst.key)}: {_numbers(worst)} of all data. "
        return Answer(question, text + "Without intervals the page cannot tell this from chance."), []
    needed = normal(level, len(values))
    worse: dict[str, Weak] = {}
    for point, each in below:
        if abs(each.value - each.against) > needed * (point.error or 0.0):
            worse.setdefault(repr(each.key), each)
    if not worse:
        text = f"Nowhere for certain: no slice of {len(rows)}{of} is worse than all data by more than chance explains."
        return Answer(question, text), []
    head = f"The model{of}" if not of else named(model)
    text = f"{head} is worse than over all data in {_places(worse, len(rows), found)}."
    return Answer(question, text, "worse"), list(worse.values())


def _places(worse: dict[str, Weak], slices: int, found: Results) -> str:
    """Slices in which a model is worse: how many, what they share, and the worst of them."""
    each = sorted(worse.values(), key=lambda one: -one.loss)
    each = [one for first in each[:1] for one in each if one.one is first.one] + [
        one for one in each if one.one is not each[0].one
    ]
    shared = _shared(each, found.report.by)
    apart = [place for place, name in enumerate(found.report.by) if name not in shared]
    all_of = f", all of {_listed([f'{name} {named(value)}' for name, value in shared.items()])}" if shared else ""
    names = [_named([one.key[place] for place in apart]) for one in each]
    names[0] += f" ({each[0].one.name} {_numbers(each[0])})"
    return f"{len(each)} of {slices} slices{all_of}: {_listed(names)}"


def _shared(weak: Sequence[Weak], by: list[str]) -> dict[str, Any]:
    """The values that several slices have in common."""
    if len(weak) < 2:
        return {}
    return {
        name: weak[0].key[place]
        for place, name in enumerate(by)
        if len({repr(one.key[place]) for one in weak}) == 1
    }


def _since(about: Subject, found: Results) -> tuple[Answer, tuple[Turn, list[Key]] | None]:
    """When a metric turned, and the slices that did it."""
    question, trend = "Since when?", found.trend
    if trend is None:
        return Answer(question, "The page has no dates: none of its slices is a day, week or month."), None
    [name] = trend.by
    times = in_time(row[name] for row in slice_rows(trend))
    turns, tests = _turns(about, found, times)
    if not tests:
        return Answer(question, f"{name} has too few values to compare one with another."), None
    if not turns:
        text = f"Never: from {named(times[0])} to {named(times[-1])} no metric moved by more than chance explains."
        return Answer(question, text), None
    turns.sort(key=lambda turn: (turn.mark == "better", -certainty(*turn.found[-2:])))
    lines = []
    for first in _firsts(turns)[:2]:
        alike = [
            turn.one.name
            for turn in turns
            if turn is not first and _place(turn) == _place(first)
        ]
        too = f"; {_listed(alike)} turned with it" if alike else ""
        lines.append(f"{_model(first.model)} is {first.mark} since {named(first.since)}: {first.text}{too}.")
    culprits, said = _who(about, found, turns[0])
    lines[1:1] = said
    models = {repr(row.get("model")): row.get("model") for row in slice_rows(trend)}
    still = [_model(model) for name, model in models.items() if name not in {repr(turn.model) for turn in turns}]
    lines += [f"{_listed(still)} did not turn."] if still else []
    return Answer(question, " ".join(lines), turns[0].mark), (turns[0], culprits)


def _place(turn: Turn) -> tuple[Any, ...]:
    return repr(turn.model), repr(turn.since), turn.mark


def _firsts(turns: list[Turn]) -> list[Turn]:
    """The first turn of each model, time and direction."""
    return list({_place(turn): turn for turn in reversed(turns)}.values())[::-1]


def _turns(about: Subject, found: Results, times: list[Any]) -> tuple[list[Turn], int]:
    """The metrics that turned, and how many places of turns were looked at."""
    assert found.trend is not None
    [name] = found.trend.by
    order = {repr(value): place for place, value in enumerate(times)}
    series: dict[tuple[str, str], tuple[Any, Asked, list[Any]]] = {}
    for row in sorted(slice_rows(found.trend), key=lambda row: order.get(repr(row[name]), -1)):
        for one in about.asked:
            point = point_of(row, one.column, row[name], _level(about))
            if one.better.direction != "none" and point is not None and row[name] is not None:
                model = row.get("model")
                series.setdefault((repr(model), one.column), (model, one, []))[2].append(point)
    tests = sum(len(points) - 1 for _, _, points in series.values())
    needed = normal(_level(about), tests)
    turns = [Turn(model, one, levels(points, needed)) for model, one, points in series.values()]
    return [turn for turn in turns if len(turn.found) > 1], tests


def _who(about: Subject, found: Results, turn: Turn) -> tuple[list[Key], list[str]]:
    """The slices that turned as all data did, at the same time."""
    report, time = found.report, time_of(found.report)
    if time is None or len(report.by) < 2:
        return [], []
    column, better = turn.one.column, turn.one.better
    sides: dict[str, tuple[Key, list[Any], list[Any]]] = {}
    spans = [{repr(point.when) for point in level.points} for level in turn.found[-2:]]
    for row in slice_rows(report):
        key = key_of(row, report.by)
        rest = key[:time] + key[time + 1 :]
        point = point_of(row, column, key[time], _level(about))
        if row.get("model") == turn.model and point is not None:
            _, *halves = sides.setdefault(repr(rest), (rest, [], []))
            for span, half in zip(spans, halves, strict=True):
                half.extend([point] if repr(key[time]) in span else [])
    pairs = [(key, Level(before), Level(after)) for key, before, after in sides.values() if before and after]
    needed = normal(_level(about), len(pairs))
    did = []
    for key, before, after in pairs:
        change = better.goodness(after.mean) - better.goodness(before.mean)
        if (change > 0) == (turn.mark == "better") and certainty(before, after) > needed:
            did.append((change, key, before, after))
    did.sort(key=lambda one: one[0], reverse=turn.mark == "better")
    columns = ", ".join(name for place, name in enumerate(report.by) if place != time)
    if not did:
        return [], [f"No {columns} alone shows it."]
    names = _listed([_named(key) for _, key, _, _ in did])
    _, _, before, after = did[0]
    only = "Only " if len(did) < len(pairs) else "All did it: "
    numbers = f"from {shown(before.mean)} to {shown(after.mean)}"
    of = f" of {len(pairs)} values of {columns}" if only == "Only " else ""
    most = "" if len(did) == 1 else f" ({_named(did[0][1])} most)"
    return [key for _, key, _, _ in did], [f"{only}{names}{of} did{most}: {numbers}."]


def _next(
    about: Subject,
    found: Results,
    outcomes: dict[str, set[Outcome]],
    weak: list[Weak],
    turned: tuple[Turn, list[Key]] | None,
) -> str:
    """The next step."""
    look = _look(found, weak, turned)
    good, bad, mixed, unclear = [], [], [], []
    for candidate, kinds in outcomes.items():
        better, worse = "better" in kinds, "worse" in kinds
        of = mixed if better and worse else good if better else bad if worse else unclear
        of.append(candidate)
    if good:
        return f"Look at {look} before {_listed(good)} replaces {about.baseline}." if look else f"Nothing stands against {_listed(good)} in place of {about.baseline}."
    beside = f" Look at {look}." if look else ""
    if mixed:
        return f"Decide which metric counts: {_listed(mixed)} is better on some and worse on others.{beside}"
    if unclear:
        kinds = set().union(*(outcomes[candidate] for candidate in unclear))
        if kinds <= {"equivalent", "not worse"}:
            return f"Nothing to do: {_listed(unclear)} is as good as {about.baseline} within the margin.{beside}"
        return f"Collect more rows before choosing: sample_size says how many.{beside}"
    if bad:
        return f"Keep {about.baseline}.{beside}"
    if look:
        return beside.strip()
    if found.report.by or found.trend is not None:
        return "Nothing to do: no slice and no date stands out."
    return "Ask for slices and dates by by=, which say where and when a metric is worse."


def _look(found: Results, weak: list[Weak], turned: tuple[Turn, list[Key]] | None) -> str:
    """Where to look first: the slice that turned for the worse, else the time, else the slice that is worst."""
    if turned is not None and turned[0].mark == "worse":
        turn, culprits = turned
        others = [name for name in found.report.by if found.trend is not None and name not in found.trend.by]
        if culprits:
            return f"{', '.join(others)} {_named(culprits[0])} from {named(turn.since)} on"
        return f"what changed in {named(turn.since)}"
    if weak:
        shared = _shared(weak, found.report.by)
        worst = max((one for one in weak if one.one is weak[0].one), key=lambda one: one.loss)
        where = shared or dict(zip(found.report.by, worst.key, strict=True))
        return _listed([f"{name} {named(value)}" for name, value in where.items()])
    return ""


def _named(key: Sequence[Any]) -> str:
    return " · ".join(map(named, key))


def _model(model: Any) -> str:
    return "The model" if model is None else named(model)


def _numbers(one: Weak) -> str:
    return f"{shown(one.value)} against {shown(one.against)}"


def _in_interval(row: Row, column: str) -> str:
    low, high = row.get(f"{column}_low"), row.get(f"{column}_high")
    return shown(row[column]) + ("" if low is None or high is None else f" ({shown(low)} to {shown(high)})")


def _listed(names: Sequence[str], most: int = MOST) -> str:
    """Names in a sentence; of many, the first.

    >>> _listed(["a", "b"]), _listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    shown_here = list(names) if len(names) <= most else [*names[:most], f"{len(names) - most} more"]
    *first, last = shown_here
    return f"{', '.join(first)} and {last}" if first else last
