"""What a comparison shows, in words. Each sentence follows from the interval of the difference."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlmetrics.book.headers import Better
from sqlmetrics.table.cells import shown

Outcome = Literal["better", "worse", "equivalent", "not worse", "differs", "unclear", "untested"]


@dataclass(frozen=True)
class Verdict:
    """What a difference shows."""

    outcome: Outcome
    candidate: str
    head: str  #: the verdict
    text: str  #: the numbers from which it follows


def outcome(row: dict[str, Any], better: Better) -> Outcome:
    """What the interval of a difference shows.

    >>> outcome({"low": 0.1, "high": 0.2}, Better("lower"))
    'worse'

    Args:
        row: a row of a `Comparison`.
        better: the direction of its metric.

    Returns:
        `equivalent` or `not worse` if that is the verdict beside a margin;
        `better` or `worse` if the interval excludes 0 and the metric has a direction that decides; `differs` if
        it excludes 0 and the direction does not decide; `unclear` if it holds 0; `untested` without an interval.
    """
    low, high = row["low"], row["high"]
    if low is None or high is None:
        return "untested"
    if row.get("verdict") in ("equivalent", "not worse"):
        beside_margin: Outcome = row["verdict"]
        return beside_margin
    if low <= 0 <= high:
        return "unclear"
    if better.direction in ("higher", "lower"):
        return "better" if (low > 0) == (better.direction == "higher") else "worse"
    if better.target is None:
        return "differs"
    # A value that passes the target may come out nearer or farther, so the interval decides on one side only.
    ends = [row["baseline_value"] + end - better.target for end in (0.0, low, high)]
    if min(ends) < 0 < max(ends):
        return "differs"
    return "better" if (low > 0) == (min(ends) < 0) else "worse"


def verdict(
    row: dict[str, Any], metric: str, baseline: str, better: Better, level: float, power: float
) -> Verdict:
    """The verdict on one row of a comparison.

    Args:
        row: a row of a `Comparison`.
        metric: the name of the metric.
        baseline: the name of the model with which the candidate is compared.
        better: the direction of the metric.
        level: the confidence level of the interval.
        power: the probability with which `minimum_detectable` would have been found.
    """
    found, candidate = outcome(row, better), str(row["candidate"])
    heads = {
        "better": f"{candidate} is better than {baseline} by {metric}",
        "worse": f"{candidate} is worse than {baseline} by {metric}",
        "equivalent": f"{candidate} is equivalent to {baseline} by {metric}",
        "not worse": f"{candidate} is not worse than {baseline} by {metric}",
        "differs": f"{candidate} differs from {baseline} in {metric}",
        "unclear": f"No difference shown between {candidate} and {baseline} in {metric}",
        "untested": f"{candidate} and {baseline} are not tested by {metric}",
    }
    return Verdict(found, candidate, heads[found], _numbers(found, row, metric, better, level, power))


def _numbers(
    found: Outcome, row: dict[str, Any], metric: str, better: Better, level: float, power: float
) -> str:
    size, low, high = row["difference"], row["low"], row["high"]
    if size is None:
        return f"{metric} has no value for one of the two models."
    if found == "untested":
        return f"{metric} differs by {signed(size)}; {_why(row)}."
    margin = row.get("margin")
    said = f"{metric} differs by {signed(size)}, {percent(level)} interval {signed(low)} to {signed(high)}"
    if found == "equivalent":
        return f"{said}, all of it smaller than the margin of {shown(margin)}."
    if found == "not worse":
        return f"{said}. That it is worse by the margin of {shown(margin)} is excluded."
    if found == "unclear":
        least = row["minimum_detectable"]
        reach = (
            f" A difference of {shown(least)} would have been found with a probability of {percent(power)}."
            if least
            else ""
        )
        beside = f" That it is worse by the margin of {shown(margin)} is not excluded." if margin else ""
        return f"{said}.{beside}{reach}"
    nearest, farthest = sorted((abs(low), abs(high)))
    aims = {
        "none": "This metric has no better direction.",
        "nearer": f"The best value is {shown(better.target or 0.0)}.",
        "higher": "Higher is better.",
        "lower": "Lower is better.",
    }
    return (
        f"{metric} is {'higher' if size > 0 else 'lower'} by {shown(abs(size))},"
        f" {percent(level)} interval {shown(nearest)} to {shown(farthest)}. {aims[better.direction]}"
    )


def _why(row: dict[str, Any]) -> str:
    """Why a difference has no interval."""
    if "n_pairs" in row and (row["n_pairs"] or 0) < 2:
        return "a test needs two lists or rows at least"
    return "the difference is the same everywhere, so that nothing varies"


def signed(value: float) -> str:
    """A difference with its sign; the sign is the true minus.

    >>> signed(0.0726), signed(-0.0726), signed(0.0)
    ('+0.0726', '−0.0726', '0.0000')
    """
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{shown(abs(value))}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Names in a sentence; of many, the first.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    *first, last = names if len(names) <= most else [*names[:most], f"{len(names) - most} more"]
    return f"{', '.join(first)} and {last}" if first else last


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * share:.4g}%"


def when(made: datetime.datetime) -> str:
    """A time in UTC, for readers anywhere.

    >>> when(datetime.datetime(2026, 11, 23, 7, 5))
    '23 November 2026, 07:05 UTC'
    """
    return f"{made.day} {made:%B %Y, %H:%M} UTC"
