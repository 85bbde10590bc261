"""Direction, range and unit of a metric, parsed from the comment above its macro.

Three lines below `Returns:` hold them:

    Better: higher | lower | nearer <number> | none
    Range: an interval such as [0, 1], [0, 1) or (-inf, 1]
    Unit: one of `UNITS`

`Better` is the direction in which a model improves on the same data, so a count of correct decisions has one and the
number of rows has none. `Range` holds for the values that the formula can give under any option of the metric;
`on_empty=` and `zero_division=` may put a value from outside in place of a missing one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args

from sqlmetrics.errors import SqlMetricsError

Direction = Literal["higher", "lower", "nearer", "none"]
Unit = Literal[
    "share", "none", "rows", "interactions", "rank", "gain", "distance", "score",
    "label", "label^2", "label^(2-power)", "bits", "nats",
]  # fmt: skip

#: The vocabulary of `Unit:`, each with its meaning.
UNITS: dict[Unit, str] = {
    "share": "a fraction, which may be shown as a percentage: 0.1 is 10 %. Also means and differences of fractions",
    "none": "a number without a unit, such as a correlation, an index or a ratio",
    "rows": "a number of rows, or their weight",
    "interactions": "a number of past interactions, the rows of the history",
    "rank": "a position in a list, 1 at the top",
    "gain": "the gain of items, as the option `gain` defines it",
    "distance": "the distance of two items: 0 or 1 by category, else as in the table of distances",
    "score": "the unit of the score, as for a threshold",
    "label": "the unit of the label",
    "label^2": "the squared unit of the label",
    "label^(2-power)": "the unit of the label to a power that depends on the option `power`",
    "bits": "information, by logarithms to base 2",
    "nats": "information, by natural logarithms",
}


@dataclass(frozen=True)
class Better:
    """The direction in which a metric improves."""

    direction: Direction
    target: float | None = None  #: the best value, where the direction is `nearer`

    def __str__(self) -> str:
        return self.direction if self.target is None else f"{self.direction} {self.target:g}"


@dataclass(frozen=True)
class Range:
    """The interval in which the values of a metric lie."""

    low: float
    high: float
    has_low: bool  #: whether the low end itself is a possible value
    has_high: bool

    def __contains__(self, value: float) -> bool:
        above = value >= self.low if self.has_low else value > self.low
        return above and (value <= self.high if self.has_high else value < self.high)

    def __str__(self) -> str:
        return f"{'(['[self.has_low]}{self.low:g}, {self.high:g}{')]'[self.has_high]}"


def parse_better(text: str) -> Better:
    """A direction.

    >>> parse_better("nearer 1")
    Better(direction='nearer', target=1.0)
    """
    match = re.fullmatch(r"(higher|lower|none)|nearer (\S+)", text)
    if not match:
        raise SqlMetricsError(f"Better: must be higher, lower, nearer <number> or none, got '{text}'")
    if match[2]:
        return Better("nearer", float(match[2]))
    return Better("lower" if match[1] == "lower" else "higher" if match[1] == "higher" else "none")


def parse_range(text: str) -> Range:
    """An interval; an infinite end is open.

    >>> parse_range("(-inf, 1]")
    Range(low=-inf, high=1.0, has_low=False, has_high=True)
    """
    match = re.fullmatch(r"([\[(])(\S+), (\S+)([\])])", text)
    try:
        low, high = (float(match[2]), float(match[3])) if match else (0.0, 0.0)
    except ValueError:
        low = high = 0.0
    if not match or not low < high:
        raise SqlMetricsError(f"Range: must be an interval such as [0, 1] or (-inf, 1], got '{text}'")
    return Range(low, high, match[1] == "[", match[4] == "]")


def parse_unit(text: str) -> Unit:
    """A unit of the vocabulary.

    >>> parse_unit("share")
    'share'
    """
    if not _is_unit(text):
        raise SqlMetricsError(f"Unit: must be one of {', '.join(UNITS)}, got '{text}'")
    return text


def _is_unit(text: str) -> TypeGuard[Unit]:
    return text in get_args(Unit)


def part(doc: str, name: str, owner: str) -> str:
    """A part of a header that stands on one line.

    Raises:
        SqlMetricsError: the header has no such part, as those of curves.
    """
    match = re.search(rf"^{name}: (.*)$", doc, flags=re.MULTILINE)
    if not match:
        raise SqlMetricsError(f"{owner}: the comment above the macro has no line '{name}: ...'")
    return match[1].strip()
