"""How often the page of `report` says that a metric turned ("since when?") where it did not, and where it did.

Series of 3 to 30 dates are drawn 2,000 times, each cut into levels as on the page, at 95 %. Without a turn at most 5 %
of the series, or of the pages of six series, should have one. With a turn, the level of the second half of the dates
is higher by 3, 5 or 8 standard errors of a date.

`--write` puts the tables into `docs/coverage.md`, each figure beside its goal.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

import sqlmetrics as sm
from simulation import arguments, write_made
from sqlmetrics.pages.since import FEW
from sqlmetrics.pages.turns import Level, Point, levels, normal, places_of, point_of

DATES = (3, 4, 6, 12, 30)
SHIFTS = (3, 5, 8)  # in standard errors of a date
LEVEL = 0.95
GOAL = 1 - LEVEL
#: the shift of each date in standard errors -> the series of each draw, a value for each date
Draw = Callable[[np.random.Generator, np.ndarray, int], list[list[Point]]]


@dataclass(frozen=True)
class Case:
    """Series that are alike.

    Attributes:
        series: how many stand on a page.
        known: whether the values have intervals.
    """

    draw: Draw
    series: int = 1
    known: bool = True


def points(values: np.ndarray, errors: float | None = 1.0) -> list[list[Point]]:
    return [[Point(date, value, errors) for date, value in enumerate(draw)] for draw in values.tolist()]


def normals(rng: np.random.Generator, shift: np.ndarray, draws: int) -> list[list[Point]]:
    """Normal values with their standard error."""
    return points(shift + rng.normal(size=(draws, shift.size)))


def without(rng: np.random.Generator, shift: np.ndarray, draws: int) -> list[list[Point]]:
    """The same without an interval."""
    return points(shift + rng.normal(size=(draws, shift.size)), None)


def swinging(last: float) -> Draw:
    """Values that swing from date to date, twice as far as their intervals say.

    Args:
        last: the correlation of a swing with that of the date before.
    """

    def draw(rng: np.random.Generator, shift: np.ndarray, draws: int) -> list[list[Point]]:
        swings = rng.normal(size=(draws, shift.size))
        for date in range(1, shift.size):
            swings[:, date] = last * swings[:, date - 1] + math.sqrt(1 - last**2) * swings[:, date]
        return points(2 * shift + math.sqrt(3) * swings + rng.normal(size=swings.shape))

    return draw


def of_metric(
    metric: str, rows: int, error: float, labels: Callable[[np.random.Generator, np.ndarray], np.ndarray]
) -> Draw:
    """The values and intervals of a metric of so many rows a date.

    Args:
        error: the standard error of a date.
        labels: draws labels, given by how much the mean of each row is shifted.
    """

    def draw(rng: np.random.Generator, shift: np.ndarray, draws: int) -> list[list[Point]]:
        each = shift.size * rows
        label = labels(rng, np.tile(np.repeat(error * shift, rows), draws)).astype(float)
        table = pa.table({
            "draw": np.repeat(np.arange(draws), each), "date": np.tile(np.repeat(np.arange(shift.size), rows), draws),
            "label": label, "score": np.zeros(label.size),
        })  # fmt: skip
        report = sm.evaluate(
            table,
            {"m": metric},
            label="label",
            score="score",
            by=["draw", "date"],
            total=False,
            interval=LEVEL,
        )
        series: list[list[Point]] = [[] for _ in range(draws)]
        for row in sorted(report.to_dicts(), key=lambda row: row["date"]):
            if (point := point_of(row, "m", row["date"], LEVEL)) is not None and point.weight:
                series[row["draw"]].append(point)
        return series

    return draw


def share(of: float, rows: int) -> Draw:
    """A share of so many rows, such as a recall."""
    return of_metric(
        "base_rate",
        rows,
        math.sqrt(of * (1 - of) / rows),
        lambda rng, shift: rng.random(shift.size) < of + shift,
    )


def losses(rows: int) -> Draw:
    """The mean of exponential losses."""
    return of_metric(
        "mae", rows, 1 / math.sqrt(rows), lambda rng, shift: rng.exponential(size=shift.size) * (1 + shift)
    )


CASES = {
    "normal": Case(normals),
    "normal, six series": Case(normals, series=6),
    "normal, no intervals": Case(without, known=False),
    "swings": Case(swinging(0)),
    "swings that last": Case(swinging(0.6)),
    "share of 50 %, 30 rows": Case(share(0.5, 30)),
    "share of 5 %, 40 rows": Case(share(0.05, 40)),
    "share of 5 %, 400 rows": Case(share(0.05, 400)),
    "exponential loss, 30 rows": Case(losses(30)),
    "exponential loss, 300 rows": Case(losses(300)),
}


def found(case: Case, rng: np.random.Generator, shift: np.ndarray, draws: int) -> Iterator[list[list[Level]]]:
    """The levels of the series of each page."""
    drawn = case.draw(rng, shift, draws * case.series)
    for place in range(0, len(drawn), case.series):
        page = drawn[place : place + case.series]
        needed = normal(LEVEL, sum(places_of(len(one)) for one in page))
        yield [levels(one, needed) for one in page]


def claimed(name: str, rng: np.random.Generator, dates: int, draws: int) -> str:
    """The share of pages that claim a turn where none is."""
    case = CASES[name]
    if not case.known and dates < FEW:
        return ""
    pages = found(case, rng, np.zeros(dates), draws)
    rate = float(np.mean([any(len(one) > 1 for one in page) for page in pages]))
    text = f"{100 * rate:.1f}"
    return text if rate <= GOAL + 2 * math.sqrt(GOAL * LEVEL / draws) else f"**{text}**"


def dated(name: str, rng: np.random.Generator, dates: int, draws: int, size: float) -> str:
    """The share of series whose turn is found, and the share in which it is the only one and at its date."""
    case = CASES[name]
    if not case.known and dates < FEW:
        return ""
    turn = (dates + 1) // 2
    series = [page[0] for page in found(case, rng, size * (np.arange(dates) >= turn), draws)]
    there = np.mean([len(one) > 1 for one in series])
    right = np.mean([[level.since for level in one[1:]] == [turn] for one in series])
    return f"{100 * there:.0f} / {100 * right:.0f}"


def table(title: str, rows: dict[str, list[str]]) -> str:
    heads, rules = " | ".join(f"{dates} dates" for dates in DATES), "|".join(["--:"] * len(DATES))
    lines = [f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()]
    return "\n".join([f"{title}:\n", f"| data | {heads} |", f"|---|{rules}|", *lines])


def main() -> int:
    options = arguments(__doc__, CASES, "2,000", write=True)
    draws = options.draws or 2_000
    rng = np.random.default_rng(options.seed)
    names = options.names or list(CASES)
    parts = [
        table(
            f"Pages that claim a turn where no metric turned, % (goal at most {100 * GOAL:.0f})",
            {name: [claimed(name, rng, dates, draws) for dates in DATES] for name in names},
        )
    ]
    single = [name for name in names if CASES[name].series == 1]
    parts.append(
        table(
            "Turns that are found / found alone and at their date, %",
            {
                f"{name}, {size} errors": [dated(name, rng, dates, draws // 4, size) for dates in DATES]
                for name in single
                for size in SHIFTS
            },
        )
    )
    made = "\n\n".join(parts)
    print(made)
    if options.write:
        write_made(__file__, made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
