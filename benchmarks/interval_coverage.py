"""How often an interval of 95 % holds the true value.

Data are drawn from a known distribution, mostly 2,000 times; each draw is a slice of one statement, which gives all
intervals. The true values follow from the distribution, or are those of one draw that is 5,000 times as large.
Exit status 1 when a coverage is not 93.5 to 96.5 %, of a bootstrap 93 to 97 %, but of data for which a formula is not
made; that of 2,000 draws strays by 0.5 %, of 500 (bootstraps) by 1 %. `docs/coverage.md` has the table.
"""

import math
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

LEVEL = 0.95
LIMITS, LIMITS_OF_BOOTSTRAPS = (0.935, 0.965), (0.93, 0.97)
LARGER = 5_000  # so the true value is off by 1.4 % of an interval's standard error

Columns = dict[str, np.ndarray]
Draw = Callable[[np.random.Generator, int], Columns]


@dataclass(frozen=True)
class Case:
    """Metrics of data that are drawn from a known distribution, and how their intervals come about.

    Attributes:
        draw: the columns of so many independent units; `unit` says of which unit a row is, where units have several.
        metrics: their true values; None where a large draw has to tell.
        sizes: how many units are drawn, each for itself.
        judged: whether the coverage is to be right; not that of a formula whose assumptions the data break.
    """

    kind: str
    draw: Draw
    metrics: dict[str, float | None]
    unit: str = "rows"
    sizes: tuple[int, ...] = (200, 1_000)
    facts: dict[str, Any] = field(default_factory=dict)
    draws: int = 2_000
    judged: bool = True


def phi(x: float) -> float:
    """The chance that a normal variable lies below x."""
    return (1 + math.erf(x / math.sqrt(2))) / 2


def entropy_of_uniform(low: float, high: float) -> float:
    """The mean over p of the entropy of a chance p, uniform in [low, high], by the midpoint rule."""
    p = low + (high - low) * (np.arange(100_000) + 0.5) / 100_000
    return float(np.mean(-p * np.log(p) - (1 - p) * np.log(1 - p)))


def lists(rng: np.random.Generator, units: int) -> Columns:
    """Lists of 2 to 20 items, grades 0 to 2; how good a list's scores are and how many items are relevant differs.

    A list has a weight, too, and long lists are the easier ones: a ratio of means is not the mean of ratios.
    """
    length = rng.integers(2, 21, units)
    unit = np.repeat(np.arange(units), length)
    quality = rng.normal(0.05 * length, 0.5)[unit]
    level = rng.normal(-1, 0.7, units)[unit]
    latent = level + rng.normal(size=unit.size)
    return {
        "unit": unit,
        "label": (latent > 0).astype(int) + (latent > 1),
        "score": quality * (latent - level) + rng.normal(size=unit.size),
        "weight": rng.integers(0, 5, units)[unit].astype(float),
    }


def probabilities(rng: np.random.Generator, units: int) -> Columns:
    """Calibrated probabilities, uniform in [0.02, 0.98]."""
    score = rng.uniform(0.02, 0.98, units)
    return {"score": score, "label": (rng.random(units) < score).astype(int)}


def overconfident(rng: np.random.Generator, units: int) -> Columns:
    """Probabilities that lie twice as far from a half as they should."""
    score = rng.uniform(0.02, 0.98, units)
    return {"score": score, "label": (rng.random(units) < (score + 0.5) / 2).astype(int)}


def rare(rng: np.random.Generator, units: int) -> Columns:
    """Calibrated probabilities of rare positives, about one row in twenty."""
    score = 1 / (1 + np.exp(3.5 - rng.normal(size=units)))
    return {"score": score, "label": (rng.random(units) < score).astype(int)}


def errors(rng: np.random.Generator, units: int) -> Columns:
    """Normal errors about a normal label."""
    label = rng.normal(size=units)
    return {"label": label, "score": label + rng.normal(size=units)}


def correlated(rng: np.random.Generator, units: int) -> Columns:
    """Two normal variables of correlation 0.6."""
    label = rng.normal(size=units)
    return {"label": label, "score": 0.6 * label + 0.8 * rng.normal(size=units)}


def skewed(rng: np.random.Generator, units: int) -> Columns:
    """Exponential label, and a score whose error grows with it: the ranks spread otherwise than the values."""
    label = rng.exponential(size=units)
    return {"label": label, "score": label * rng.uniform(0.2, 1.8, units)}


def decisions(rng: np.random.Generator, units: int) -> Columns:
    """Three in ten are positive; scores are normal, about 1 if positive, else about 0."""
    label = (rng.random(units) < 0.3).astype(int)
    return {"label": label, "score": label + rng.normal(size=units)}


def clusters(rng: np.random.Generator, units: int) -> Columns:
    """The same in groups of 2 to 12 rows whose scores go along: a third of the variance is the group's."""
    unit = np.repeat(np.arange(units), rng.integers(2, 13, units))
    label = (rng.random(unit.size) < 0.3).astype(int)
    effect, rest = rng.normal(0, math.sqrt(1 / 3), units)[unit], rng.normal(0, math.sqrt(2 / 3), unit.size)
    return {"unit": unit, "label": label, "score": label + effect + rest}


def clustered_probabilities(rng: np.random.Generator, units: int) -> Columns:
    """Groups of 2 to 12 rows of one probability, which half of their labels share."""
    unit = np.repeat(np.arange(units), rng.integers(2, 13, units))
    score = rng.uniform(0.02, 0.98, units)
    own = np.where(rng.random(unit.size) < 0.5, rng.random(units)[unit], rng.random(unit.size))
    return {"unit": unit, "label": (own < score[unit]).astype(int), "score": score[unit]}


RIGHT = phi(0.5)  # a decision at the threshold of 0.5 is right with this chance, whatever the label
SHARES: dict[str, float | None] = {
    "accuracy(threshold=0.5)": RIGHT,
    "precision(threshold=0.5)": 0.3 * RIGHT / (0.3 * RIGHT + 0.7 * (1 - RIGHT)),
    "recall(threshold=0.5)": RIGHT,
    "base_rate": 0.3,
}
LOSSES: dict[str, float | None] = {
    "log_loss": entropy_of_uniform(0.02, 0.98),
    "brier": 1 / 4 - 0.96**2 / 12,  # 1/4 - variance of p
}
AUC = phi(1 / math.sqrt(2))
CALIBRATED: dict[str, float | None] = {"calibration_slope": 1, "calibration_intercept": 0}
RESAMPLED: dict[str, float | None] = dict.fromkeys(("average_precision", "ks", "best_f1"))
LISTED = {"group": "unit", "positive": 1}
GROUPED = {"group": "unit"}
BOOTSTRAP = {"interval_method": "bootstrap"}

CASES = {
    "lists": Case(
        "mean over lists", lists, dict.fromkeys(("ndcg@5", "mrr", "map", "recall@5", "hit_rate@1")),
        unit="lists", sizes=(30, 100), facts=LISTED,
    ),
    "weighted": Case(
        "weighted mean", lists,
        dict.fromkeys(("gauc(weight=impressions)", "gauc(weight=pairs)", "ndcg(weight=weight)@5")),
        unit="lists", sizes=(50, 200), facts=LISTED,
    ),
    "pooled": Case(
        "pooled ratio", lists, dict.fromkeys(("precision(average=micro)@5", "recall(average=micro)@5")),
        unit="lists", sizes=(30, 100), facts=LISTED,
    ),
    "probabilities": Case("mean over rows", probabilities, LOSSES),
    "errors": Case(
        "mean over rows", errors, {"mae": math.sqrt(2 / math.pi), "mse": 1, "rmse": 1, "bias": 0},
    ),
    "shares": Case("share of rows", decisions, SHARES),
    "exact": Case("share of rows, exact", decisions, SHARES, facts={"interval_method": "exact"}),
    "correlations": Case(
        "correlation", correlated, {"pearson": 0.6, "spearman": 6 / math.pi * math.asin(0.3)},
    ),
    "skewed": Case("correlation, not normal", skewed, {"spearman": None}),
    "skewed values": Case("correlation, not normal", skewed, {"pearson": None}, judged=False),
    "auc": Case("AUC", decisions, {"auc": AUC, "gini": 2 * AUC - 1}, draws=10_000),
    "logit": Case("AUC, logit", decisions, {"auc": AUC}, facts={"interval_method": "logit"}, draws=10_000),
    "auc of groups": Case(
        "AUC, by groups", clusters, {"auc": AUC}, unit="groups", sizes=(20, 30, 100), facts=GROUPED, draws=10_000,
    ),
    "shares of groups": Case(
        "share of rows, by groups", clusters, SHARES, unit="groups", sizes=(20, 100), facts=GROUPED,
    ),
    "probabilities of groups": Case(
        "mean over rows, by groups", clustered_probabilities, LOSSES, unit="groups", sizes=(20, 100), facts=GROUPED,
    ),
    "recalibration": Case("recalibration", probabilities, CALIBRATED, sizes=(80, 400, 1_000)),
    "recalibration of extreme scores": Case(
        "recalibration", overconfident, dict.fromkeys(CALIBRATED), sizes=(80, 400, 1_000), judged=False,
    ),
    "recalibration of rare positives": Case("recalibration", rare, CALIBRATED, sizes=(400, 1_000), judged=False),
    "bootstrap": Case("bootstrap", decisions, RESAMPLED, sizes=(80, 400), draws=500),
    "bootstrap of more": Case("bootstrap", decisions, RESAMPLED, sizes=(2_000,), draws=500),
    "bootstrap of probabilities": Case(
        "bootstrap", overconfident, {"ece": 0.12, **RESAMPLED}, sizes=(80, 400), draws=500,
    ),
    "bootstrap of errors": Case(
        "bootstrap", errors, {"median_absolute_error": 0.6744897501960817}, sizes=(400,), draws=500,
    ),
    "bootstrap of lists": Case("bootstrap", lists, {"gmap": None}, unit="lists", sizes=(100,), draws=500, facts=LISTED),
    "bootstrap asked for": Case(
        "bootstrap", decisions, {"mcc(threshold=0.5)": None, "auc": AUC}, sizes=(400,), draws=500, facts=BOOTSTRAP,
    ),
    "bootstrap of skewed values": Case(
        "bootstrap", skewed, {"pearson": None}, sizes=(400,), draws=500, facts=BOOTSTRAP,
    ),
}  # fmt: skip


def drawn(case: Case, rng: np.random.Generator, units: int, draws: int) -> pa.Table:
    """So many draws of so many units."""
    columns = case.draw(rng, units * draws)
    unit = columns.setdefault("unit", np.arange(units * draws))
    return pa.table({**columns, "draw": unit // units})


def evaluated(case: Case, table: pa.Table, **facts: object) -> Columns:
    """The columns of one statement."""
    named = {name_of(metric): metric for metric in case.metrics}
    report = sm.evaluate(table, named, label="label", score="score", **{**case.facts, **facts})
    return {name: report.to_arrow().column(name).to_numpy() for name in report.columns}


def name_of(metric: str) -> str:
    """A result column for a metric."""
    return "".join(letter if letter.isalnum() else "_" for letter in metric)


def true_values(case: Case, rng: np.random.Generator) -> dict[str, float]:
    """The known values, the others from one large draw."""
    known = {metric: value for metric, value in case.metrics.items() if value is not None}
    unknown = Case(case.kind, case.draw, {m: None for m in case.metrics if m not in known}, facts=case.facts)
    if not unknown.metrics:
        return known
    values = evaluated(unknown, drawn(case, rng, LARGER * min(case.sizes), 1), interval_method=None)
    return known | {metric: float(values[name_of(metric)][0]) for metric in unknown.metrics}


def coverage(case: Case, draws: int, seed: int) -> Iterator[tuple[str, int, float | None, float | None]]:
    """For each size and metric: the share of intervals that hold the true value, their mean width (None without)."""
    rng = np.random.default_rng(seed)
    true = true_values(case, rng)
    for units in case.sizes:
        values = evaluated(case, drawn(case, rng, units, draws), by="draw", total=False, interval=LEVEL)
        for metric in case.metrics:
            low, high = (values.get(f"{name_of(metric)}_{end}") for end in ("low", "high"))
            if low is None or high is None:
                yield metric, units, None, None
            else:
                # an interval that is null (NaN here) holds nothing
                inside = (low <= true[metric]) & (true[metric] <= high)
                yield metric, units, float(inside.mean()), float(np.nanmean(high - low))


def main() -> int:
    options = arguments(__doc__, CASES, "2,000, of AUC 10,000, of most bootstraps 500")
    print(f"DuckDB {duckdb.__version__}, intervals of {LEVEL:.0%}, seed {options.seed}\n")
    print("| metric | interval | units a draw | draws | coverage | mean width |")
    print("|---|---|--:|--:|--:|--:|")
    kept, start = True, time.perf_counter()
    for name in options.names or CASES:
        case = CASES[name]
        draws = options.draws or case.draws
        for metric, units, share, width in coverage(case, draws, options.seed):
            cells = [f"`{metric}`", case.kind, f"{units} {case.unit}", f"{draws:,}"]
            if share is None:
                cells += ["no interval yet", ""]
            else:
                least, most = LIMITS_OF_BOOTSTRAPS if case.kind == "bootstrap" else LIMITS
                inside = least <= share <= most
                kept = kept and (inside or not case.judged)
                cells += [
                    f"{share:.2%}{'' if inside else ' MISSED' if case.judged else ' (not judged)'}",
                    f"{width:.4f}",
                ]
            print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
