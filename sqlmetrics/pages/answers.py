"""What a reader asks first, answered in a line each: better? where not? since when? what now?

A line says what is certain. Differences of models count by their p-value, corrected for all comparisons of the page;
slices of one model and turns of a metric count by their intervals, corrected for how many were looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlmetrics.charts.reports import time_of
from sqlmetrics.pages.content import Answer, Subject
from sqlmetrics.pages.results import LEVEL, POWER, Results
from sqlmetrics.pages.since import Turned, since
from sqlmetrics.pages.tables import named, total_rows
from sqlmetrics.pages.verdicts import Outcome, listed, outcome, percent, signed
from sqlmetrics.pages.where import Weak, beyond_chance, shared, values_of, where
from sqlmetrics.table.cells import shown

MOST = 3  #: models and metrics in a line
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


def answers(about: Subject, found: Results) -> list[Answer]:
    """The four lines of a page."""
    better, outcomes = _better(about, found)
    place, weak = where(about, found)
    time, turned = since(about, found)
    return [better, place, time, Answer("What now?", _next(about, found, outcomes, weak, turned))]


def _better(about: Subject, found: Results) -> tuple[Answer, dict[str, set[Outcome]]]:
    """Which model is better on what, and what each candidate showed."""
    question = "Better?"
    if found.comparison is None:
        return Answer(question, _values(about, found)), {}
    outcomes, lines = {}, []
    for candidate in about.candidates:
        rows = [row for row in total_rows(found.comparison) if row["candidate"] == candidate]
        outcomes[candidate], line = _against(about, candidate, rows)
        lines.append(line)
    more = [f"{len(lines) - MOST} more models are compared below."] if len(lines) > MOST else []
    mark = "better" if _good(outcomes) else "worse" if "worse" in _all(outcomes.values()) else ""
    return Answer(question, " ".join([*lines[:MOST], *more]), mark), outcomes


def _values(about: Subject, found: Results) -> str:
    """The values of all data where no models are compared."""
    rows, of_models = total_rows(found.report), "model" in found.report.columns
    values = []
    for one in about.asked[:MOST]:
        for row in rows[:MOST]:
            low, high = row.get(f"{one.column}_low"), row.get(f"{one.column}_high")
            interval = "" if low is None or high is None else f" ({shown(low)} to {shown(high)})"
            of = f" of {named(row['model'])}" if of_models else ""
            values.append(f"{one.name}{of} is {shown(row[one.column])}{interval}")
    why = "No models are compared" if of_models else "There is one model, and none to compare it with"
    return f"{why}; {listed(values, 2 * MOST)}."


def _against(about: Subject, candidate: str, rows: list[dict[str, Any]]) -> tuple[set[Outcome], str]:
    """What a candidate showed, and in words."""
    known = {one.column: one for one in about.asked}
    metrics: dict[Outcome, list[str]] = {}
    chance = []
    for row in rows:
        one = known[row["metric"]]
        kind = outcome(row, one.better)
        decided = kind in ("better", "worse", "differs")
        metrics.setdefault(kind, []).append(one.name + (f" ({signed(row['difference'])})" if decided else ""))
        if decided and not beyond_chance(row, about):
            chance.append(one.name)
    said = [
        f"{words.format(about.baseline)} {listed(metrics[kind])}"
        for kind, words in SAID.items()
        if kind in metrics
    ]
    sure = ""
    if chance:
        sure = f" Among so many comparisons, chance may explain {listed(chance)}."
    elif metrics.keys() & {"better", "worse", "differs"}:
        sure = f" That is more than chance explains ({percent(about.level)} level)."
    elif metrics.keys() == {"unclear"} and (least := rows[0]["minimum_detectable"]):
        sure = (
            f" A difference of {shown(least)} in {known[rows[0]['metric']].name} would have been found with a"
            f" probability of {percent(POWER)}."
        )
    return {*metrics}, f"{candidate} {'; it '.join(said)}.{sure}"


def _next(
    about: Subject,
    found: Results,
    outcomes: dict[str, set[Outcome]],
    weak: list[Weak],
    turned: Turned | None,
) -> str:
    """The next step."""
    if good := _good(outcomes):
        against = _look(
            found,
            [one for one in weak if one.model in good],
            turned if turned is not None and str(turned.turn.model) in good else None,
        )
        if against:
            return f"Look at {against} before {listed(good)} replaces {about.baseline}."
        return f"Nothing stands against {listed(good)} in place of {about.baseline}."
    look = _look(found, weak, turned)
    beside = f" Look at {look}." if look else ""
    mixed = [model for model, kinds in outcomes.items() if kinds >= {"better", "worse"}]
    unclear = [model for model, kinds in outcomes.items() if "worse" not in kinds]
    if mixed:
        return f"Decide which metric counts: {listed(mixed)} is better on some and worse on others.{beside}"
    if unclear and _all(outcomes[model] for model in unclear) <= {"equivalent", "not worse"}:
        return f"Nothing to do: {listed(unclear)} is as good as {about.baseline} within the margin.{beside}"
    if unclear:
        return f"Collect more rows before choosing: sample_size says how many.{beside}"
    if outcomes:
        return f"Keep {about.baseline}.{beside}"
    if look:
        return beside.strip()
    return _nothing(about, found, turned)


def _nothing(about: Subject, found: Results, turned: Turned | None) -> str:
    """The next step of a page of one model on which nothing is worse."""
    if about.options.interval is None:
        how = found.for_intervals or f"Ask again with interval={LEVEL}"
        return about.spelled(f"{how}: values alone do not tell slices from chance.")
    if turned is not None:
        return f"Nothing to do: {turned.turn.one.name} {turned.turn.said}."
    if found.report.by or found.trend is not None:
        return "Nothing to do: no slice and no date stands out."
    return about.spelled("Ask for slices and dates by by=: they say where and since when a metric is worse.")


def _good(outcomes: dict[str, set[Outcome]]) -> list[str]:
    """The candidates that are better on some metrics and worse on none."""
    return [model for model, kinds in outcomes.items() if "better" in kinds and "worse" not in kinds]


def _all(outcomes: Iterable[set[Outcome]]) -> set[Outcome]:
    return set[Outcome]().union(*outcomes)


def _look(found: Results, weak: list[Weak], turned: Turned | None) -> str:
    """Where to look first: the slice that turned for the worse, else the time, else what the weak slices share."""
    if turned is not None and turned.turn.mark == "worse":
        if turned.slices:
            return f"{listed(values_of(turned.slices[0]))} from {named(turned.turn.since)} on"
        return f"what changed in {named(turned.turn.since)}"
    by, time = found.report.by, time_of(found.report)
    if turned is not None and time is not None:  # what was worse before the turn is over
        now = {repr(point.when) for point in turned.turn.found[-1].points}
        weak = [one for one in weak if one.model != turned.turn.model or repr(one.key[time]) in now]
    if not weak:
        return ""
    worst = max((one for one in weak if one.one is weak[0].one), key=lambda one: one.loss)
    return listed(values_of(shared(weak, by) or dict(zip(by, worst.key, strict=True))))
