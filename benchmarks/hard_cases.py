"""How honest intervals and tests of two models are where data are few, skewed or near perfect, beside easy data.

Data of two models are drawn 2,000 times; each draw is a slice of one statement. Coverage is the share of draws whose
interval of 95 % holds the value of one draw of 2 million rows, or of 200,000 lists or groups. Rejection is the share in
which `compare` finds a difference at 5 % or 1 %, although both models have the same distribution.

`--write` puts the tables into `docs/coverage.md`, each figure beside its goal.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

import sqlmetrics as sm
from simulation import arguments, write_made

SIZES = (30, 80, 400, 1_000)
LARGE = 2_000_000
COLUMNS = (
    *("mean(column=label)", "rate(where='label > 3')"),
    *("quantile(column=label)", "quantile(column=label, q=0.9)", "quantile(column=label, q=0.95)"),
)
UNTESTED = ("pearson", "spearman", *COLUMNS)  # by `compare`, or without a score
COVERAGE, REJECTION = (0.93, 0.98), {0.05: 0.07, 0.01: 0.02}  # the goals

Columns = dict[str, np.ndarray]
#: of coverage, and of rejection by its level, None where `compare` does not take the metric
Figures = tuple[tuple[float, float], dict[float, float] | None]


@dataclass(frozen=True)
class Case:
    """Metrics of data of two models, a and b, that are alike.

    Attributes:
        draw: the columns of so many independent units; `unit` says of which unit a row is.
        sizes: how many units are drawn, each for itself.
    """

    draw: Callable[[np.random.Generator, int], Columns]
    metrics: tuple[str, ...]
    unit: str = "rows"
    sizes: tuple[int, ...] = SIZES
    facts: dict[str, Any] = field(default_factory=dict)


def decided(positive: float, apart: float, weighted: bool = False) -> Callable[..., Columns]:
    """Calibrated chances, whose logits are normal in each class; the errors of two models go along by half.

    Args:
        positive: the share of positive rows.
        apart: the distance of both classes in standard deviations.
    """

    def draw(rng: np.random.Generator, units: int) -> Columns:
        label = (rng.random(units) < positive).astype(int)
        row, noise = rng.normal(size=units), rng.normal(size=(2, units))
        return {
            "unit": np.arange(units), "label": label,
            **dict(zip("ab", chances(label, (row + noise) / math.sqrt(2), positive, apart), strict=True)),
            **({"weight": rng.lognormal(size=units)} if weighted else {}),
        }  # fmt: skip

    return draw


def chances(label: np.ndarray, error: np.ndarray, positive: float, apart: float) -> np.ndarray:
    """The chance of a positive row, given its score, which is normal in each class."""
    logit = math.log(positive / (1 - positive)) + apart * (apart * label + error) - apart * apart / 2
    return 1 / (1 + np.exp(-logit))


def clustered(rng: np.random.Generator, units: int) -> Columns:
    """Groups of 2 to 12 rows, half of whose errors are the group's; three in ten are positive."""
    unit = np.repeat(np.arange(units), rng.integers(2, 13, units))
    label = (rng.random(unit.size) < 0.3).astype(int)
    of_unit, noise = rng.normal(size=(2, units))[:, unit], rng.normal(size=(2, unit.size))
    scores = chances(label, (of_unit + noise) / math.sqrt(2), 0.3, 1)
    return {"unit": unit, "label": label, "a": scores[0], "b": scores[1]}


def numbers(label: Callable[..., np.ndarray], error: float, weighted: bool = False) -> Callable[..., Columns]:
    """A number, and two predictions of it that are as far off."""

    def draw(rng: np.random.Generator, units: int) -> Columns:
        y, row, noise = label(rng, units), rng.normal(size=units), rng.normal(size=(2, units))
        size = error * np.sqrt(np.abs(y)) if label is lognormal else error
        scores = y + size * (row + noise) / math.sqrt(2)
        return {
            "unit": np.arange(units), "label": y, "a": scores[0], "b": scores[1],
            **({"weight": rng.lognormal(size=units)} if weighted else {}),
        }  # fmt: skip

    return draw


def normal(rng: np.random.Generator, units: int) -> np.ndarray:
    return rng.normal(size=units)


def lognormal(rng: np.random.Generator, units: int) -> np.ndarray:
    return rng.lognormal(size=units)


def lists(easy: float) -> Callable[..., Columns]:
    """Lists of 4 to 20 items, three in ten relevant; how far relevant items lie above the others."""

    def draw(rng: np.random.Generator, units: int) -> Columns:
        unit = np.repeat(np.arange(units), rng.integers(4, 21, units))
        label = (rng.random(unit.size) < 0.3).astype(int)
        ease = easy * rng.uniform(0.5, 1.5, units)[unit]
        return {
            "unit": unit, "label": label,
            "a": ease * label + rng.normal(size=unit.size), "b": ease * label + rng.normal(size=unit.size),
        }  # fmt: skip

    return draw


DECISIONS = (
    *(
        "auc",
        "average_precision",
        "accuracy(threshold=0.5)",
        "recall(threshold=0.5)",
        "precision(threshold=0.5)",
    ),
    *("f1(threshold=0.5)", "mcc(threshold=0.5)", "log_loss", "brier"),
)
ERRORS = (
    "mae",
    "mse",
    "rmse",
    "r2",
    "explained_variance",
    "concordance",
    "pearson",
    "spearman",
    "wape",
    "bias",
)
LISTS = ("ndcg@5", "map", "mrr", "hit_rate@1", "gauc", "precision(average=micro)@3")
OF_LISTS: dict[str, Any] = {"unit": "lists", "facts": {"group": "unit"}, "sizes": (30, 80, 400)}
WEIGHTED: dict[str, Any] = {"facts": {"weight": "weight"}}
CASES = {
    "easy": Case(decided(0.3, 1), DECISIONS),
    "rare positives": Case(decided(0.08, 1), DECISIONS),
    "near perfect": Case(decided(0.08, 3), DECISIONS),
    "lognormal weights": Case(decided(0.3, 1, weighted=True), DECISIONS, **WEIGHTED),
    "clusters": Case(clustered, DECISIONS, unit="groups", facts={"group": "unit"}, sizes=(30, 80, 400)),
    "normal numbers": Case(numbers(normal, 0.5), ERRORS),
    "skewed labels": Case(numbers(lognormal, 0.5), ERRORS),
    "numbers, lognormal weights": Case(
        numbers(normal, 0.5, weighted=True), tuple(name for name in ERRORS if name != "spearman"), **WEIGHTED
    ),
    "lognormal column": Case(numbers(lognormal, 0.5), COLUMNS, sizes=(30, 80, 400)),
    "lists": Case(lists(1), LISTS, **OF_LISTS),
    "lists, near perfect": Case(lists(5), LISTS, **OF_LISTS),
}


def drawn(case: Case, rng: np.random.Generator, units: int, draws: int) -> pa.Table:
    """So many draws of so many units."""
    columns = case.draw(rng, units * draws)
    return pa.table({**columns, "draw": columns["unit"] // units})


def named(metrics: Iterable[str]) -> dict[str, str]:
    return {f"m{i}": metric for i, metric in enumerate(metrics)}


def coverage(case: Case, table: pa.Table, true: dict[str, float]) -> dict[str, tuple[float, float]]:
    """The share of intervals that hold the true value, and the share of draws that have none."""
    report = sm.evaluate(
        table, named(case.metrics), label="label", score="a", by="draw", total=False, interval=0.95, n_resamples=100,
        **case.facts,
    ).to_arrow()  # fmt: skip
    found = {}
    for name, metric in named(case.metrics).items():
        low, high = (report.column(f"{name}_{end}").to_numpy() for end in ("low", "high"))
        there = ~np.isnan(low) & ~np.isnan(high)
        held = (low <= true[metric]) & (true[metric] <= high)
        found[metric] = float(np.mean(held[there])) if there.any() else 1.0, float(np.mean(~there))
    return found


def rejection(case: Case, table: pa.Table) -> dict[str, dict[float, float]]:
    """The share of tests that reject at each level. No p-value rejects nothing."""
    metrics = named(metric for metric in case.metrics if metric not in UNTESTED)
    if not metrics:
        return {}
    report = sm.compare(
        table, metrics, baseline="a", candidate="b", label="label", by="draw", total=False, **case.facts
    ).to_arrow()
    names, p = report.column("metric").to_numpy(zero_copy_only=False), report.column("p_value").to_numpy()
    return {
        metric: {level: float(np.mean(p[names == name] <= level)) for level in REJECTION}
        for name, metric in metrics.items()
    }


def true_values(case: Case, rng: np.random.Generator) -> dict[str, float]:
    """The values of one large draw, whose rows are not weighted: weights say nothing of the rest."""
    facts = {name: value for name, value in case.facts.items() if name != "weight"}
    units = LARGE if case.unit == "rows" else LARGE // 10
    (row,) = sm.evaluate(
        drawn(case, rng, units, 1), named(case.metrics), label="label", score="a", **facts
    ).to_dicts()
    return {metric: row[name] for name, metric in named(case.metrics).items()}


def measured(name: str, draws: int, seed: int) -> Iterator[tuple[str, int, Figures]]:
    """For each size and metric of a case: coverage and rejection."""
    case, rng = CASES[name], np.random.default_rng(seed)
    true = true_values(case, rng)
    for units in case.sizes:
        table = drawn(case, rng, units, draws)
        held, rejected = coverage(case, table, true), rejection(case, table)
        for metric in case.metrics:
            yield metric, units, (held[metric], rejected.get(metric))


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def of_coverage(held: float, none: float) -> str:
    if none == 1:
        return "none has both ends"
    text = percent(held) if COVERAGE[0] <= held <= COVERAGE[1] else f"**{percent(held)}**"
    return f"{text} ({percent(none)} without)" if none > 0.0005 else text


def of_rejection(shares: dict[float, float]) -> str:
    text = " / ".join(map(percent, shares.values()))
    return text if all(share <= REJECTION[level] for level, share in shares.items()) else f"**{text}**"


def tables(found: dict[tuple[str, str], dict[int, Figures]]) -> str:
    """Both tables: a row for each case and metric, a column for each number of units."""
    heads = " | ".join(f"{units:,}" for units in SIZES)
    rules = "|".join(["--:"] * len(SIZES))
    parts = []
    for title, cell in (
        (
            "holds the true value, % (goal 93 to 98; draws without an interval are left out)",
            lambda one: of_coverage(*one[0]),
        ),
        (
            "rejects alike models at 5 % / 1 % (goal at most 7 / 2)",
            lambda one: one[1] and of_rejection(one[1]),
        ),
    ):
        lines = [f"| data | metric | {heads} |", f"|---|---|{rules}|"]
        for (case, metric), by_size in found.items():
            cells = [cell(by_size[units]) if units in by_size else "" for units in SIZES]
            if any(cells):
                lines.append(f"| {case} | `{metric}` | {' | '.join(text or '' for text in cells)} |")
        parts.append(f"{title[0].upper()}{title[1:]}:\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def main() -> int:
    options = arguments(__doc__, CASES, "2,000", write=True)
    found: dict[tuple[str, str], dict[int, Figures]] = {}
    start = time.perf_counter()
    for name in options.names or CASES:
        for metric, units, figures in measured(name, options.draws or 2_000, options.seed):
            found.setdefault((name, metric), {})[units] = figures
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    made = tables(found)
    print(made)
    if options.write:
        write_made(__file__, made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
