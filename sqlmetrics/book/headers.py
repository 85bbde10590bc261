r"""Direction, range, unit and formula of a metric, parsed from the comment above its macro.

They stand on three lines below `Returns:`:

    Better: higher | lower | nearer <number> | none
    Range: an interval such as [0, 1], [0, 1) or (-inf, 1]
    Unit: one of `UNITS`
    Chance: optional, the value of a random score; a value far below it is noted, since the score may be reversed

`Better` is the direction in which a model improves on the same data. A count of correct decisions has a
direction; the number of rows has none. `Range` covers the values of the formula under all options of the
metric. A value that `on_empty=` or `zero_division=` puts in place of a missing one may lie outside it.

Above `Args:` and `Returns:` stands the formula, in LaTeX and in the symbols of docs/notation.md. Only the pages of the
site show it. Each line is an equation, and a line that is indented further goes on with the one above:

    Formula: R_q = \frac{\sum_r \max(y_r - \text{default}, 0) \cdot x_r}
          {\sum_r \max(y^*_r - \text{default}, 0) \cdot x_r}
        x_r = 2^{-(r - 1) / (\text{half_life} - 1)}

Below the unit may stand the names that other libraries have for the metric, each with its library, and with the
notation that is its definition if it has options that are not our defaults:

    Aliases: ndcg_burges[@k] (ranx) is ndcg(on_empty=zero)[@k], roc_auc_score (scikit-learn)

`k` stands for a number: the cutoff, or the value of the option `recall=k`. A name that differs from ours by case alone
stays ours; it is there for a note.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from sqlmetrics.errors import SqlMetricsError

Direction = Literal["higher", "lower", "nearer", "none"]
Unit = Literal[
    "share", "none", "rows", "items", "interactions", "rank", "gain", "distance", "score",
    "label", "label^2", "label^(2-power)", "bits", "nats",
]  # fmt: skip

#: The vocabulary of `Unit:`, each with its meaning.
UNITS: dict[Unit, str] = {
    "share": "a fraction, which may be shown as a percentage: 0.1 is 10 %. Also means and differences of fractions",
    "none": "a number without a unit, such as a correlation, an index or a ratio",
    "rows": "a number of rows, or their weight",
    "items": "a number of items of lists, times the weights of the lists",
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
    target: float | None = None  #: the best value, if the direction is `nearer`

    def __str__(self) -> str:
        return self.direction if self.target is None else f"{self.direction} {self.target:g}"

    def goodness(self, value: float) -> float:
        """A number that is larger the better a value is; without a direction, the value.

        >>> Better("lower").goodness(0.3), Better("nearer", 1.0).goodness(1.25), Better("none").goodness(2.0)
        (-0.3, -0.25, 2.0)
        """
        if self.target is not None:
            return -abs(value - self.target)
        return -value if self.direction == "lower" else value


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


@dataclass(frozen=True)
class Alias:
    """The name of a metric in another library. `k` in it, after `@`, `_` or `^`, stands for a number."""

    name: str  #: as it is written there
    library: str
    notation: str | None  #: the library's definition, if it has options that are not our defaults

    @property
    def keys(self) -> list[str]:
        """The names that a notation is looked up by: in lower case, with and without a number if that is optional.

        A name that ends with its number has brackets, which no name of a notation has.

        >>> Alias("RR[@k]", "ir_measures", None).keys, Alias("P_k", "trec_eval", None).keys
        (['rr', 'rr@k'], ['p_(k)'])
        """
        plain = re.sub("([_^])k$", r"\1(k)", self.name.lower())
        return [plain.replace("[@k]", ""), plain.replace("[@k]", "@k")] if "[@k]" in plain else [plain]


# a name, its library and perhaps a notation; a comma inside brackets is one of the notation
ALIAS = re.compile(r"(\S+) \((\S[^)]*)\)(?: is (\S.*))?")
COMMA = re.compile(r", (?![^()]*\))")


def parse_aliases(doc: str, owner: str) -> list[Alias]:
    """The names in other libraries; none if the comment has no such line.

    >>> parse_aliases("Aliases: AUROC (torchmetrics), f1_score (scikit-learn) is f1(zero_division=0)", "f1")[1]
    Alias(name='f1_score', library='scikit-learn', notation='f1(zero_division=0)')
    """
    found = []
    text = lines_of(doc, "Aliases")
    for written in COMMA.split(text) if text else ():
        match = ALIAS.fullmatch(written)
        if not match:
            raise SqlMetricsError(
                f"{owner}: Aliases: has entries such as 'name (library)' or 'name (library) is notation',"
                f" got '{written}'"
            )
        found.append(Alias(match[1], match[2], match[3]))
    return found


def parse_formula(text: str) -> list[str]:
    r"""The equations of a formula.

    >>> parse_formula("a = b +\n    c\n  b = 1\n")
    ['a = b + c', 'b = 1']
    """
    return [" ".join(equation.split()) for equation in re.split(r"\n  (?! )", text.rstrip()) if equation]


def parse_better(text: str) -> Better:
    """Parses a direction.

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
    """Parses an interval; an infinite end has a round bracket.

    >>> parse_range("(-inf, 1]")
    Range(low=-inf, high=1.0, has_low=False, has_high=True)
    """
    match = re.fullmatch(r"([\[(])(\S+), (\S+)([\])])", text)
    with suppress(ValueError):
        if match and float(match[2]) < float(match[3]):
            return Range(float(match[2]), float(match[3]), match[1] == "[", match[4] == "]")
    raise SqlMetricsError(f"Range: must be an interval such as [0, 1] or (-inf, 1], got '{text}'")


def parse_unit(text: str) -> Unit:
    """Parses a unit of the vocabulary.

    >>> parse_unit("share")
    'share'
    """
    for unit in UNITS:
        if unit == text:
            return unit
    raise SqlMetricsError(f"Unit: must be one of {', '.join(UNITS)}, got '{text}'")


def part(doc: str, name: str, owner: str) -> str:
    """The text of a header line `name: ...`.

    Raises:
        SqlMetricsError: the header has no such line; headers of curves lack some.
    """
    match = re.search(rf"^{name}: (.*)$", doc, flags=re.MULTILINE)
    if not match:
        raise SqlMetricsError(f"{owner}: the comment above the macro has no line '{name}: ...'")
    return match[1].strip()


def lines_of(doc: str, name: str) -> str:
    """An optional part of a documentation, which may go on over indented lines; empty if it is missing."""
    found = re.search(rf"^{name}: (.*(?:\n[ \t]+.*)*)", doc, flags=re.MULTILINE)
    return " ".join(found[1].split()) if found else ""
