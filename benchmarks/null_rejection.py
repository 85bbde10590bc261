"""How often `compare` finds a difference that is not there, and how often its interval holds one that is.

Data of two models are drawn many times; each draw is a slice of one statement. Alike, the scores of both models have
the same distribution, given the label: a test of 5 % should reject in 5 % of the draws. Apart, the candidate is worse
by a known amount, the difference of one very large draw: an interval of 95 % should hold it in 95 %.
Exit status 1 when tests reject in other than 3 to 7 %, or intervals hold the difference in other than 93 to 97 %, but
for methods that are known to be cautious; 2,000 draws stray by 0.5 %, 500 (bootstraps) by 1 %. `docs/coverage.md` has
the table.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import sqlmetrics as sm
from simulation import arguments

LEVEL = 0.05
LIMITS = (0.93, 0.97)  # of intervals that hold a difference, and of tests that do not reject alike models
LARGE = 400_000  # units of the draw that gives the true difference
PART = 100  # draws in one statement of a bootstrap, whose rows are those of all replicates

Columns = dict[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """A test of metrics on units that are drawn independently.

    Attributes:
        draw: the columns of so many units, whose second model is worse by `worse`.
        sizes: how many units are drawn, each for itself.
        cautious: whether the test may reject less often than its level and its interval hold more often: as exact tests
            of counts do, and the bootstrap of maxima and of distances with few rows.
    """

    test: str
    metrics: tuple[str, ...]
    draw: Callable[[np.random.Generator, int, float], Columns]
    unit: str = "rows"
    sizes: tuple[int, ...] = (80, 400)
    facts: dict[str, Any] = field(default_factory=dict)
    draws: int = 2_000
    cautious: bool = False


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def rows(rng: np.random.Generator, units: int, worse: float) -> Columns:
    """Three in ten are positive. The scores, as chances, go along: half of their variance is the row's."""
    label = (rng.random(units) < 0.3).astype(int)
    row = rng.normal(size=units)
    noise = rng.normal(size=(2, units))
    return {
        "unit": np.arange(units),
        "label": label,
        "a": logistic(1.5 * label - 1 + row + noise[0]),
        "b": logistic((1.5 - worse) * label - 1 + row + noise[1]),
    }


def lists(rng: np.random.Generator, units: int, worse: float) -> Columns:
    """Lists of 4 to 20 items, three in ten relevant; lists differ in how well they can be ranked."""
    length = rng.integers(4, 21, units)
    unit = np.repeat(np.arange(units), length)
    label = (rng.random(unit.size) < 0.3).astype(int)
    ease = rng.uniform(0.5, 2, units)[unit]
    noise = rng.normal(size=(2, unit.size))
    return {
        "unit": unit,
        "label": label,
        "a": ease * label + noise[0],
        "b": ease * (1 - worse) * label + noise[1],
    }


LISTS: dict[str, Any] = {"draw": lists, "unit": "lists", "sizes": (15, 25, 80), "facts": {"group": "unit"}}
CASES = {
    "t of lists": Case("t", ("ndcg@5", "map"), **LISTS),
    "wilcoxon of lists": Case("wilcoxon", ("ndcg@5",), **LISTS, cautious=True),
    "sign of lists": Case("sign", ("ndcg@5",), **LISTS, cautious=True),
    "randomisation of lists": Case("randomisation", ("ndcg@5",), **LISTS, draws=500),
    "t of rows": Case("t", ("brier", "rmse", "accuracy", "recall", "precision", "f1", "mcc"), rows),
    "delong": Case("t", ("auc",), rows),
    "wilcoxon of rows": Case("wilcoxon", ("mae",), rows, sizes=(20, 80, 400), cautious=True),
    "mcnemar": Case("sign", ("accuracy",), rows, cautious=True),
    "samples": Case("welch", ("brier", "recall", "auc"), rows, sizes=(20, 80, 400), facts={"paired": False}),
    "bootstrap": Case(
        "bootstrap",
        ("ks", "average_precision", "ece", "best_f1"),
        rows,
        draws=500,
        cautious=True,
    ),
}


def drawn(case: Case, rng: np.random.Generator, units: int, draws: int, worse: float) -> pa.Table:
    """So many draws of so many units."""
    columns = case.draw(rng, units * draws, worse)
    return pa.table({**columns, "draw": columns["unit"] // units})


def compared(
    case: Case, rng: np.random.Generator, units: int, draws: int, worse: float
) -> list[dict[str, Any]]:
    """The rows of `compare`, one for each draw and metric."""
    found: list[dict[str, Any]] = []
    part = PART if case.test == "bootstrap" else draws
    for start in range(0, draws, part):
        size = min(part, draws - start)
        asked: dict[str, Any] = {
            "label": "label",
            "by": "draw",
            "total": False,
            "test": case.test,
            **case.facts,
        }
        table = drawn(case, rng, units, size, worse)
        candidate = "b"
        if not asked.get("paired", True):
            # the other sample has labels and rows of its own
            asked["other"] = drawn(case, rng, units, size, worse).drop_columns("a").rename_columns({"b": "a"})
            candidate = "a"
        if case.test == "bootstrap":
            asked["n_resamples"] = 199
        report = sm.compare(table, list(case.metrics), baseline="a", candidate=candidate, **asked)
        found += report.to_dicts()
    return found


def true_differences(case: Case, rng: np.random.Generator, worse: float) -> dict[str, float]:
    """Each metric of the candidate less that of the baseline, over one large draw."""
    table = drawn(case, rng, LARGE, 1, worse)
    facts = {name: value for name, value in case.facts.items() if name == "group"}
    named = {f"m{i}": metric for i, metric in enumerate(case.metrics)}
    report = sm.evaluate(table, named, label="label", score={"a": "a", "b": "b"}, **facts).to_dicts()
    by_model = {row["model"]: row for row in report}
    return {metric: by_model["b"][name] - by_model["a"][name] for name, metric in named.items()}


def figures(case: Case, draws: int, seed: int) -> Iterator[tuple[str, int, float, float]]:
    """For each size and metric: the shares of tests that reject alike models, of intervals that hold a difference."""
    rng = np.random.default_rng(seed)
    worse = 0.4
    true = true_differences(case, rng, worse)
    names = {metric.replace("@", "_"): metric for metric in case.metrics}
    for units in case.sizes:
        alike, apart = (compared(case, rng, units, draws, by) for by in (0.0, worse))
        for name, metric in names.items():
            # a test without a p-value finds nothing, an interval that is null holds nothing
            rejected = [(row["p_value"] or 1) <= LEVEL for row in alike if row["metric"] == name]
            inside = [
                row["low"] is not None and row["low"] <= true[metric] <= row["high"]
                for row in apart
                if row["metric"] == name
            ]
            yield metric, units, float(np.mean(rejected)), float(np.mean(inside))


def judged(share: float, cautious: bool) -> str:
    """The mark of a share of draws in which a test or an interval is right."""
    if share > LIMITS[1]:
        return " (cautious)" if cautious else " MISSED"
    return "" if share >= LIMITS[0] else " MISSED"


def main() -> int:
    options = arguments(__doc__, CASES, "2,000, of resampling tests 500")
    print(f"DuckDB {duckdb.__version__}, tests of {LEVEL:.0%}, seed {options.seed}\n")
    print("| test | metric | units a draw | draws | rejects alike models | interval holds the difference |")
    print("|---|---|--:|--:|--:|--:|")
    kept, start = True, time.perf_counter()
    for name in options.names or CASES:
        case = CASES[name]
        draws = options.draws or case.draws
        for metric, units, rejected, inside in figures(case, draws, options.seed):
            marks = [judged(1 - rejected, case.cautious), judged(inside, case.cautious)]
            kept = kept and " MISSED" not in marks
            cells = [
                case.test, f"`{metric}`", f"{units} {case.unit}", f"{draws:,}",
                f"{rejected:.1%}{marks[0]}", f"{inside:.1%}{marks[1]}",
            ]  # fmt: skip
            print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
