"""How often intervals and tests are wrong at some look, if the data grow day by day and every day is looked at.

Paths of data are drawn 2,000 times. After each day the intervals of 95 % are those of all rows since the first day: the
fixed ones, and those of `interval_method="anytime"` or `test="anytime"`. *Wrong* is the share of paths with a look at
which the interval lacks the true value. numpy computes the ends from sums of powers; those of a few paths and looks are
compared with the statement of sqlmetrics, one for all of them.

`--write` puts the tables into `docs/coverage.md`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import stats

import sqlmetrics as sm
from simulation import arguments, write_made

LEVEL, TIGHTEST_AT, GOAL = 0.95, 400, 0.05
Z = float(stats.norm.ppf((1 + LEVEL) / 2))
CHUNK = 250  # paths at a time
CHECKED = (3, 5)  # paths and looks that the statement computes, too

Array = np.ndarray
Ends = tuple[Array, Array]
Values = tuple[Array, ...]  #: a row for each path, a column for each row of its data: of one model, or of two


@dataclass(frozen=True)
class Case:
    """Paths of data that grow day by day.

    Attributes:
        draw: the values of so many paths and rows, of one model or of two.
        kind: the ends: of a share, a mean, or a difference of two means or shares.
        true: the value that intervals should hold.
        days, rows: how many days there are, and rows a day.
    """

    draw: Callable[[np.random.Generator, tuple[int, int]], Values]
    kind: str
    true: float
    days: int = 365
    rows: int = 20


def rate(share: float) -> Callable[..., Values]:
    return lambda rng, shape: ((rng.random(shape) < share).astype(float),)


def normal(rng: np.random.Generator, shape: tuple[int, int]) -> Values:
    return (rng.normal(size=shape),)


def lognormal(rng: np.random.Generator, shape: tuple[int, int]) -> Values:
    return (rng.lognormal(size=shape),)


def losses(better: float) -> Callable[..., Values]:
    """Absolute errors of two models, which go along by half; the second is smaller by a factor."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Values:
        row, a, b = (rng.normal(size=shape) for _ in range(3))
        return np.abs(row + a), (1 - better) * np.abs(row + b)

    return draw


def decisions(first: float, second: float) -> Callable[..., Values]:
    """Whether each of two models is right, of which a quarter of rows is known to both."""

    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> Values:
        known = rng.random(shape) < 0.25
        return tuple((known | (rng.random(shape) < right)).astype(float) for right in (first, second))

    return draw


CASES = {
    "a rate of 10 %, 60 days of 50 rows": Case(rate(0.1), "share", 0.1, days=60, rows=50),
    "a rate of 10 %": Case(rate(0.1), "share", 0.1),
    "a rate of 99.9 %": Case(rate(0.999), "share", 0.999),
    "a rate of 99.5 %": Case(rate(0.995), "share", 0.995),
    "a mean, normal values": Case(normal, "mean", 0),
    "a mean, lognormal values": Case(lognormal, "mean", math.exp(0.5)),
    "a mean, normal values, 1 row a day": Case(normal, "mean", 0, rows=1),
    "a mean, lognormal values, 1 row a day": Case(lognormal, "mean", math.exp(0.5), rows=1),
    "`mae` of two models alike": Case(losses(0), "difference", 0),
    "accuracy of two models alike": Case(decisions(0.7, 0.7), "difference of shares", 0),
}
#: the second model is better, and how much
BETTER = {
    "`mae`, better by 2 %": Case(losses(0.02), "difference", 0),
    "`mae`, better by 5 %": Case(losses(0.05), "difference", 0),
    "`mae`, better by 10 %": Case(losses(0.1), "difference", 0),
    "accuracy of 77.5 and 79 %": Case(decisions(0.7, 0.72), "difference of shares", 0),
    "accuracy of 77.5 and 81.3 %": Case(decisions(0.7, 0.75), "difference of shares", 0),
}


def reach(n: Array, anytime: bool) -> Array:
    """How many times as far as a fixed interval one of a sequence reaches."""
    log_alpha = math.log(1 - LEVEL)
    seen = n * (math.log(1 - 2 * log_alpha) - 2 * log_alpha) / TIGHTEST_AT
    return np.sqrt((1 + 1 / seen) * (np.log1p(seen) - 2 * log_alpha)) / Z if anytime else np.ones_like(n)


def sums(x: Array, looks: Array) -> Array:
    return np.cumsum(x, axis=1)[:, looks - 1]


def of_share(values: Values, looks: Array, n: Array, times: Array) -> Ends:
    """Wilson's, of a sequence with half a unit less and more."""
    right, z, half = sums(values[0], looks), Z * times, np.where(times > 1, 0.5, 0)
    low, high = (
        (p + z**2 / (2 * n) + sign * z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n * n))) / (1 + z**2 / n)
        for sign, p in ((-1, np.maximum(right - half, 0) / n), (1, np.minimum(right + half, n) / n))
    )
    return low, high


def of_mean(values: Values, looks: Array, n: Array, times: Array) -> Ends:
    """Student's t with the degrees of freedom of the fourth moment, on Hall's scale."""
    s1, s2, s3, s4 = (sums(values[0] ** power, looks) for power in (1, 2, 3, 4))
    m = s1 / n
    second, third = s2 - n * m**2, s3 - 3 * m * s2 + 2 * n * m**3
    excess = (s4 - 4 * m * s3 + 6 * m * m * s2 - 3 * n * m**4) / second**2 - 1 / n
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where(excess * (n - 1) > 2, 2 / excess, n - 1)
        skew, y = third / second**1.5, stats.t.ppf((1 + LEVEL) / 2, df) * times
        below, above = (3 * (np.cbrt(1 + skew * (sign * y - skew / 6)) - 1) / skew for sign in (1, -1))
    error = np.sqrt(second / n / (n - 1))
    return m - error * np.maximum(below, 0), m - error * np.minimum(above, 0)


def of_difference(values: Values, looks: Array, n: Array, times: Array) -> Ends:
    """Student's t of pairs."""
    pairs = values[1] - values[0]
    d = sums(pairs, looks) / n
    error = np.sqrt((sums(pairs**2, looks) / n - d**2) / (n - 1))
    off = stats.t.ppf((1 + LEVEL) / 2, n - 1) * times * error
    return d - off, d + off


def of_difference_of_shares(values: Values, looks: Array, n: Array, times: Array) -> Ends:
    """McNemar's with one row more of each kind, whose variance is that of a difference of 0."""
    pairs, z = values[1] - values[0], Z * times
    d, square = sums(pairs, looks) / n, (sums(np.abs(pairs), looks) + 2) / n**2
    wider = 1 + z**2 / n
    off = z * np.sqrt(square * wider - d**2 / n)
    return np.maximum((d - off) / wider, -1), np.minimum((d + off) / wider, 1)


ENDS = {
    "share": of_share, "mean": of_mean, "difference": of_difference, "difference of shares": of_difference_of_shares,
}  # fmt: skip


def of_statement(case: Case, values: Values, looks: Array) -> Ends:
    """The ends of the statement, whose slices are the rows of a path up to a look."""
    columns: dict[str, list[Array]] = {"path": [], "look": [], **{name: [] for name in "ab"[: len(values)]}}
    for path in range(len(values[0])):
        for look in looks:
            for name, some in zip("ab", values, strict=False):
                columns[name].append(some[path, :look])
            columns["path"].append(np.full(look, path))
            columns["look"].append(np.full(look, look))
    table = pa.table({name: np.concatenate(parts) for name, parts in columns.items()})
    asked: dict[str, Any] = {
        "by": ["path", "look"],
        "total": False,
        "interval": LEVEL,
        "tightest_at": TIGHTEST_AT,
    }
    if len(values) == 1:
        metric = "base_rate" if case.kind == "share" else "mean(column=a)"
        rows = sm.evaluate(table, {"m": metric}, label="a", interval_method="anytime", **asked).to_dicts()
    else:
        metric, truth = ("mae", 0) if case.kind == "difference" else ("accuracy(threshold=0.5)", 1)
        table = table.append_column("y", pa.array(np.full(len(table), truth)))
        asked |= {"label": "y", "baseline": "a", "candidate": "b", "test": "anytime"}
        rows = sm.compare(table, metric, **asked).to_dicts()
    names = ("m_low", "m_high") if len(values) == 1 else ("low", "high")
    found = {(row["path"], row["look"]): row for row in rows}
    low, high = (
        np.array([[found[path, look][name] for look in looks] for path in range(len(values[0]))])
        for name in names
    )
    return low, high


def check(case: Case, rng: np.random.Generator) -> None:
    """Compares the formulas of this file with the statement."""
    paths, few = CHECKED
    values = case.draw(rng, (paths, case.rows * case.days))
    looks = np.unique(np.linspace(max(10, case.rows), case.rows * case.days, few).astype(int))
    n = looks.astype(float)
    ours, theirs = ENDS[case.kind](values, looks, n, reach(n, True)), of_statement(case, values, looks)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)


def looked_at(case: Case, draws: int, seed: int) -> dict[str, Array]:
    """Of each path: at which looks intervals are wrong, and how wide they are at the last."""
    rng = np.random.default_rng(seed)
    check(case, rng)
    looks = np.arange(1, case.days + 1) * case.rows
    looks = looks[looks > 1]
    n, found = looks.astype(float), {}
    for start in range(0, draws, CHUNK):
        values = case.draw(rng, (min(CHUNK, draws - start), case.rows * case.days))
        for name, anytime in (("fixed", False), ("anytime", True)):
            low, high = ENDS[case.kind](values, looks, n, reach(n, anytime))
            found.setdefault(name, []).append((low > case.true) | (high < case.true))
            found.setdefault(f"{name} width", []).append(high[:, -1] - low[:, -1])
    return {name: np.concatenate(parts) for name, parts in found.items()}


def percent(share: float, bold: bool = False) -> str:
    return f"**{100 * share:.1f}**" if bold else f"{100 * share:.1f}"


def of_errors(name: str, draws: int, seed: int) -> str:
    case, found = CASES[name], looked_at(CASES[name], draws, seed)
    wrong = {kind: float(found[kind].any(axis=1).mean()) for kind in ("fixed", "anytime")}
    wider = np.median(found["anytime width"] / found["fixed width"])
    chance = 2 * math.sqrt(GOAL * (1 - GOAL) / draws)
    return (
        f"| {name} | {case.days} | {case.rows} | {percent(wrong['fixed'])} |"
        f" {percent(wrong['anytime'], wrong['anytime'] > GOAL + chance)} | {wider:.2f} |"
    )


def of_power(name: str, draws: int, seed: int) -> str:
    case, found = BETTER[name], looked_at(BETTER[name], draws, seed)
    seen = found["anytime"]
    first = np.where(seen.any(axis=1), seen.argmax(axis=1) + 1, case.days + 1)
    days = {q: int(np.quantile(first, q, method="higher")) for q in (0.5, 0.9)}
    said = [str(day) if day <= case.days else f"> {case.days}" for day in days.values()]
    day = min(days[0.5], case.days)
    once = percent(float(found["fixed"][:, day - 1].mean()))
    return f"| {name} | {percent(float(seen.any(axis=1).mean()))} | {said[0]} | {said[1]} | {once} |"


def main() -> int:
    options = arguments(__doc__, [*CASES, *BETTER], "2,000", write=True)
    draws, names = options.draws or 2_000, options.names or [*CASES, *BETTER]
    made = [
        "| data | days | rows a day | fixed, wrong at some look, % | anytime, % | times as wide |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name in names:
        if name in CASES:
            made.append(of_errors(name, draws, options.seed))
            print(made[-1], flush=True)
    made += [
        "",
        (
            "| the second model | seen within 365 days, % | half by day | nine in ten by day"
            " | one fixed test on the day of half, or day 365, sees, % |"
        ),
        "|---|--:|--:|--:|--:|",
    ]
    for name in names:
        if name in BETTER:
            made.append(of_power(name, draws, options.seed))
            print(made[-1], flush=True)
    if options.write:
        write_made(__file__, "\n".join(made))
    return 0


if __name__ == "__main__":
    sys.exit(main())
